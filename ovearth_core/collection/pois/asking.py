"""Asks a server for a whole area in small boxes, smaller still where one is too much for it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TypeVar

from ...errors import UsageError
from ..answer_cache import AnswerCache
from ..exchange import Answer, Exchange, Politeness, Request, shown_url
from ..service_errors import HeavyQueryError, LargeAnswerError
from .area import Area, Box

ResultT = TypeVar("ResultT")

_TOO_MUCH = (HeavyQueryError, LargeAnswerError)


@dataclass(frozen=True)
class Asking:
    """How a server is asked: politely, through a cache, a box at a time.

    longest_side_deg: of the first boxes. most_halvings: of a box that is too much for the server.
    most_boxes: of all first boxes, so that nobody asks a public server for a continent unawares.
    """

    politeness: Politeness = field(default_factory=Politeness)
    cache: AnswerCache = field(default_factory=lambda: AnswerCache(None))
    longest_side_deg: float = 1.0
    most_halvings: int = 6
    most_boxes: int = 400

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
        is_too_much: Callable[[ResultT], bool] = lambda _: False,
    ) -> Iterator[ResultT]:
        """Yield what `read` makes of the answer for each box; all boxes together fill the area.

        A box is quartered when its answer fails as too heavy or large, or `is_too_much` says so.
        Raises what Exchange.ask does, and the last of those where halving doesn't help.
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
                    if depth == self.most_halvings or not is_too_much(result):
                        yield result
                        continue
                except _TOO_MUCH:
                    if depth == self.most_halvings:
                        raise
                waiting.extendleft((quarter, depth + 1) for quarter in box.quarters())

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
