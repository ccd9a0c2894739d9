"""Numbers and lists inside sentences."""

from __future__ import annotations

from collections.abc import Sequence

from .table import DASH


def decimal(value: float | None) -> str:
    """Return such as `0.98`; a dash for what is undefined."""
    return DASH if value is None else f"{value:.2f}"


def percent(share: float | None) -> str:
    """Return a fraction as such as `38.75 %`; a dash for what is undefined."""
    return DASH if share is None else f"{100 * share:.2f} %"


def points(difference: float) -> str:
    """Return a difference of fractions as such as `5.44 points`."""
    return f"{100 * abs(difference):.2f} points"


def in_words(names: Sequence[str]) -> str:
    """Return such as `a, b and c`."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
