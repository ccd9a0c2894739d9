"""How many targets of each category are wanted: kept with the dataset, beside what it has."""

from __future__ import annotations

from collections.abc import Mapping

from ..dataset import Dataset, View
from ..errors import UsageError

_NOTE = "wanted"
_MOST = 1_000_000


def wanted_numbers(view: View) -> dict[str, int]:
    """Return the wanted number of targets by the category's slug."""
    kept = view.note(_NOTE)
    if not isinstance(kept, dict):
        return {}
    return {str(slug): number for slug, number in kept.items() if isinstance(number, int)}


def set_wanted(dataset: Dataset, numbers: Mapping[str, int | None], who: str | None = None) -> None:
    """Keep the wanted numbers of some categories, by slug; None or 0 for none."""
    for slug, number in numbers.items():
        if not 0 <= (number or 0) <= _MOST:
            raise UsageError(f"{number} targets", slug, f"give 0 to {_MOST}")
    with dataset.writing(who) as edit:
        kept = {**wanted_numbers(edit), **numbers}
        edit.set_note(_NOTE, {slug: number for slug, number in kept.items() if number} or None)
