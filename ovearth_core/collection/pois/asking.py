"""Asks a server for a whole area in small boxes, smaller still where one is too much for it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from ...errors import UsageError
from ..answer_cache import AnswerCache
from ..exchange import Answer, Exchange, Politeness, Request, shown_url
from ..service_errors import (
    GatewayTimeoutError,
    HeavyQueryError,
    LargeAnswerError,
    SlowAnswerError,
)
from .area import Area, Box

ResultT = TypeVar("ResultT")

_TOO_MUCH = (HeavyQueryError, LargeAnswerError)
# A box that a server doesn't answer in time is too much for it, or the server is dead: smaller
# ones are tried, but not for long.
_PERHAPS_TOO_MUCH = (SlowAnswerError, GatewayTimeoutError)
_HALVINGS_IN_DOUBT = 2
_ALL_OF_THEM = "search an extract (.osm.pbf) of the area, or ask for fewer categories"


@dataclass(frozen=True)
class Pages(Generic[ResultT]):
    """How a server that gives a part at a time is asked for the rest.

    is_full: whether there may be more behind an answer. next_request: for what comes after the
    answers so far, None where there is no way to ask for it.
    """

    url: str
    is_full: Callable[[ResultT], bool]
    next_request: Callable[[Box, Sequence[ResultT]], Request | None]


@dataclass(frozen=True)
class Asking:
    """How a server is asked: politely, through a cache, a box at a time.

    longest_side_deg: of the first boxes. most_halvings: of a box that is too much for the server.
    most_boxes: of all first boxes, so that nobody asks a public server for a continent unawares.
    most_pages: of one box that can't be quartered any more.
    """

    politeness: Politeness = field(default_factory=Politeness)
    cache: AnswerCache = field(default_factory=lambda: AnswerCache(None))
    longest_side_deg: float = 1.0
    most_halvings: int = 6
    most_boxes: int = 400
    most_pages: int = 16

    def with_pause(self, least_s: float) -> Asking:
        """Return the same with at least so many seconds between two requests."""
        pause_s = max(least_s, self.politeness.pause_s)
        return replace(self, politeness=replace(self.politeness, pause_s=pause_s))

    def first_boxes(self, area: Area) -> int:
        """Return in how many boxes the area is asked for, where none has to be quartered."""
        return sum(box.count_pieces(self.longest_side_deg) for box in area.boxes)

    def check(self, area: Area) -> None:
        """Raise UsageError where the area is too much for a server."""
        count = self.first_boxes(area)
        if count > self.most_boxes:
            raise UsageError(
                f"{count} requests, which is more than {self.most_boxes}",
                "--bbox",
                "ask for a smaller box, or search an extract (.osm.pbf) of the area",
            )

    def each_box(
        self,
        area: Area,
        request_of: Callable[[Box], Request],
        read: Callable[[Answer], ResultT],
        pages: Pages[ResultT] | None = None,
    ) -> Iterator[ResultT]:
        """Yield what `read` makes of the answer for each box; all boxes together fill the area.

        A box is quartered when its answer fails as too heavy or large, or is a full page; one that
        can't be quartered any more is asked for page by page. Raises what Exchange.ask does, the
        last of those where halving doesn't help, and LargeAnswerError after too many pages.
        """
        self.check(area)
        waiting = deque(
            (piece, 0) for box in area.boxes for piece in box.pieces(self.longest_side_deg)
        )
        with Exchange(self.politeness) as exchange:
            while waiting:
                box, depth = waiting.popleft()
                try:
                    result = self._ask(exchange, request_of(box), read)
                    if pages is None or not pages.is_full(result):
                        yield result
                        continue
                    if depth == self.most_halvings:
                        yield from self._each_page(exchange, box, result, read, pages)
                        continue
                except _TOO_MUCH:
                    if depth == self.most_halvings:
                        raise
                except _PERHAPS_TOO_MUCH:
                    if depth >= min(_HALVINGS_IN_DOUBT, self.most_halvings):
                        raise
                waiting.extendleft((quarter, depth + 1) for quarter in box.quarters())

    def _each_page(
        self,
        exchange: Exchange,
        box: Box,
        first: ResultT,
        read: Callable[[Answer], ResultT],
        pages: Pages[ResultT],
    ) -> Iterator[ResultT]:
        """Yield all pages of a box: none is left out in silence."""
        found = [first]
        while pages.is_full(found[-1]):
            request = pages.next_request(box, found)
            if request is None or len(found) == self.most_pages:
                sides = " ".join(f"{side:.6f}" for side in box.as_tuple)
                what = f"more places in the box {sides} than the server gives"
                raise LargeAnswerError(what, shown_url(pages.url), _ALL_OF_THEM)
            found.append(self._ask(exchange, request, read))
        yield from found

    def _ask(
        self, exchange: Exchange, request: Request, read: Callable[[Answer], ResultT]
    ) -> ResultT:
        kept = self.cache.get(request, shown_url(request.url))
        if kept is not None:
            return read(kept)

        def read_and_keep(answer: Answer) -> ResultT:
            result = read(answer)
            # Kept only once it has proved to be a good one.
            self.cache.put(request, answer)
            return result

        return exchange.ask(request, read_and_keep)
