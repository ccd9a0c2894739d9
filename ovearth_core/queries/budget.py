"""A cap on what a job spends: it stops before the request that might go over it."""

from __future__ import annotations

import math
import threading
from dataclasses import dataclass

from ..collection.service_errors import CutOffError, SlowAnswerError
from ..errors import OVEarthError, UsageError
from .asking import Server
from .estimate import Prices, tokens_in_of
from .question import Question
from .reply_cache import Reply

# An answer is taken to be at most so many times as long as usual, where nothing limits it.
_LONG_ANSWERS = 4
_LOOK_S = 0.2


class CapReachedError(OVEarthError):
    """The next request might go over the cap."""


@dataclass(frozen=True)
class Spending:
    """Tokens that went in and came out."""

    tokens_in: int = 0
    tokens_out: int = 0

    def __add__(self, other: Spending) -> Spending:
        return Spending(self.tokens_in + other.tokens_in, self.tokens_out + other.tokens_out)

    def __sub__(self, other: Spending) -> Spending:
        return Spending(self.tokens_in - other.tokens_in, self.tokens_out - other.tokens_out)


@dataclass(frozen=True)
class Caps:
    """The most that one run may spend, in money by `prices`, and in tokens; None for any amount.

    Raises UsageError for caps that aren't above nothing, and for one in money without prices.
    """

    prices: Prices
    cost: float | None = None
    tokens: int | None = None

    def __post_init__(self) -> None:
        for value, option in ((self.cost, "--max-cost"), (self.tokens, "--max-total-tokens")):
            if value is not None and not (value > 0 and math.isfinite(value)):
                raise UsageError(f"a cap of {value:g}", option, "give more than 0")
        if self.cost is not None and self.prices.cost(0, 0) is None:
            raise UsageError(
                "a cap on the cost without prices", "--max-cost", "give --price-in and --price-out"
            )

    @property
    def is_set(self) -> bool:
        """Whether there is any."""
        return self.cost is not None or self.tokens is not None

    def allow(self, spent: Spending) -> bool:
        """Whether that much may be spent."""
        cost = self.prices.cost(spent.tokens_in, spent.tokens_out) or 0.0
        in_tokens = self.tokens is None or spent.tokens_in + spent.tokens_out <= self.tokens
        return in_tokens and (self.cost is None or cost <= self.cost)

    def words(self) -> str:
        """Name them."""
        tokens = None if self.tokens is None else f"{self.tokens:,} tokens"
        money = None if self.cost is None else f"{self.cost:g} in money"
        return " or ".join(filter(None, (money, tokens)))


class CappedServer:
    """A server that is asked only while the caps allow it; several threads may.

    Before each request so much is set aside as it may take: what goes in by the estimate, made
    larger by how far that was off so far, and an answer of the greatest length. Until the first
    answer has told how this server counts, requests go one at a time. `stop` ends all waiting.
    """

    def __init__(
        self, server: Server, caps: Caps, most_answer_tokens: int | None, stop: threading.Event
    ) -> None:
        self._server, self._caps, self._most_answer = server, caps, most_answer_tokens
        self._stop = stop
        self._free = threading.Condition()
        self._spent = self._aside = Spending()
        self._under_way = 0
        self._times: float | None = None
        self._longest = 0

    def ask(self, question: Question) -> Reply:
        """Return the server's reply; CapReachedError where it might cost more than is left."""
        estimated = tokens_in_of(question)
        aside = self._set_aside(question, estimated)
        paid = Spending()
        try:
            reply = self._server.ask(question)
            # A server that doesn't count has used what was expected.
            paid = Spending(reply.tokens_in, reply.tokens_out) if reply.tokens_in else aside
            self._learn(estimated, paid)
        except (SlowAnswerError, CutOffError):
            # It may have been paid for all the same.
            paid = aside
            raise
        finally:
            with self._free:
                self._aside -= aside
                self._spent += paid
                self._under_way -= 1
                self._free.notify_all()
        return reply

    def _set_aside(self, question: Question, estimated: int) -> Spending:
        with self._free:
            while True:
                aside = Spending(
                    math.ceil(estimated * (self._times or 1.0)),
                    self._most_answer
                    or max(self._longest, _LONG_ANSWERS * question.prompt.tokens_out),
                )
                is_first = self._times is None and self._under_way > 0
                if not is_first and self._caps.allow(self._spent + self._aside + aside):
                    self._aside += aside
                    self._under_way += 1
                    return aside
                if not self._under_way or self._stop.is_set():
                    raise CapReachedError(
                        f"stopped before the cap of {self._caps.words()}",
                        mend="run it again to go on, with another cap",
                    )
                # Those under way may take less than was set aside for them.
                self._free.wait(_LOOK_S)

    def _learn(self, estimated: int, paid: Spending) -> None:
        with self._free:
            self._times = max(self._times or 1.0, paid.tokens_in / max(1, estimated))
            self._longest = max(self._longest, paid.tokens_out)
