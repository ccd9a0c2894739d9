"""What stands in the column `flags` of a query: words of the verifying model, kinds of findings."""

from __future__ import annotations

from collections.abc import Iterable

from ..dataset.rows import VERDICTS

# A negative that the verifying model sees on the image; a text that it would put otherwise, which
# is in the column `correction`. The text itself stays.
PRESENT, CORRECTED = OF_VERIFICATION = VERDICTS


def with_verdict(flags: Iterable[str], verdict: str | None) -> tuple[str, ...]:
    """Return flags with what verification says put first in place of what it said before."""
    others = tuple(flag for flag in flags if flag not in OF_VERIFICATION)
    return others if verdict is None else (verdict, *others)


def with_findings(flags: Iterable[str], kinds: Iterable[str]) -> tuple[str, ...]:
    """Return flags with the kinds that a check found in place of those that it found before."""
    verdicts = tuple(flag for flag in flags if flag in OF_VERIFICATION)
    return (*verdicts, *dict.fromkeys(kinds))
