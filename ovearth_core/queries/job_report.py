"""What a job did, in numbers and for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from .asking import Outcome
from .estimate import Prices
from .flags import CORRECTED, PRESENT

_SHARES = (
    (PRESENT, "verified negative", "negatives that are present"),
    (CORRECTED, "verified positive", "referring expressions corrected"),
)


def many(count: int, noun: str) -> str:
    """Return a count with its noun: "1 target", "2 targets"."""
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


@dataclass
class JobReport:
    """Filled in while a job runs.

    done: targets. texts: counts of what was stored, by kind. failed: targets whose reply couldn't
    be used, with the fault; unseen: those whose image can't be shown; unanswered: those that the
    server didn't answer, which are asked when the job is run again. sent: requests, repeated ones
    too; requests: those that were answered; uncounted: of these, those whose tokens the server
    didn't tell. capped: why the job stopped early; left: targets that it left then.
    """

    done: int = 0
    texts: Counter[str] = field(default_factory=Counter)
    failed: list[tuple[int, str]] = field(default_factory=list)
    unseen: list[tuple[int, str]] = field(default_factory=list)
    unanswered: list[tuple[int, str]] = field(default_factory=list)
    requests: int = 0
    cached: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    sent: int = 0
    uncounted: int = 0
    capped: str | None = None
    left: int = 0

    def count(self, outcome: Outcome[object]) -> None:
        """Add what was paid for an outcome."""
        self.requests += outcome.requests
        self.cached += outcome.cached
        self.tokens_in += outcome.tokens_in
        self.tokens_out += outcome.tokens_out
        self.uncounted += outcome.uncounted

    @property
    def met(self) -> int:
        """How many targets came to an end, good or bad."""
        return self.done + len(self.failed) + len(self.unseen) + len(self.unanswered)

    @property
    def has_problems(self) -> bool:
        """Whether any target is left without texts."""
        return bool(self.failed or self.unseen or self.unanswered or self.capped)

    def problems(self) -> Iterator[str]:
        """Yield a line for each target that failed, and why."""
        kinds = (("failed", self.failed), ("unseen", self.unseen), ("unanswered", self.unanswered))
        for word, listed in kinds:
            for target_id, fault in listed:
                yield f"{word}: target {target_id}: {fault}"
        if self.capped is not None:
            yield f"{self.capped}; {many(self.left, 'target')} left"

    def line(self, prices: Prices) -> str:
        """Say all of it in one line."""
        texts = ", ".join(f"{count} {kind}" for kind, count in sorted(self.texts.items()))
        cached = f", {many(self.cached, 'answer')} kept from before" if self.cached else ""
        failed = f", {len(self.failed)} failed" if self.failed else ""
        again = f" ({self.sent} sent)" if self.sent > self.requests else ""
        used = prices.words(self.tokens_in, self.tokens_out)
        if self.uncounted:
            used += f" (the server doesn't say for {many(self.uncounted, 'request')})"
        return (
            f"{many(self.done, 'target')}: {texts or 'no text'}; {many(self.requests, 'request')}"
            f"{again}{cached},"
            f" {used}{failed}"
        )

    def shares(self) -> Iterator[str]:
        """Yield a line for each share that verification is known by: of how many, so many."""
        for flag, of, what in _SHARES:
            count, whole = self.texts[flag], self.texts[of]
            if whole:
                yield f"{what}: {count} of {whole} ({100 * count / whole:.1f} %)"
