"""Choosing one of a dataset's categories by typing: what may be meant, what it is mixed up with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..taxonomy import load
from ..taxonomy.words import Likeness, key_of, words_of
from .rows import CategoryRow

_ALIKE_ENOUGH = 0.75
_AT_ONCE = 12
_SHORTEST_PART = 3
_SYNONYM = 0.5


@dataclass(frozen=True)
class CategoryChoice:
    """A category with all that helps to choose it. names: the name first, then its synonyms.

    look_alikes: the categories that it is confused with, by the names that they have here.
    """

    row: CategoryRow
    names: tuple[str, ...]
    definition: str
    look_alikes: tuple[str, ...]


def category_choices(rows: Iterable[CategoryRow]) -> list[CategoryChoice]:
    """Return a dataset's categories, by name, with what it or the taxonomy tells of them."""
    listed = sorted(rows, key=lambda row: (row.name.casefold(), row.id))
    names = {row.slug: row.name for row in listed}
    return [_choice(row, names) for row in listed]


def chosen_by_typing(choices: Sequence[CategoryChoice], text: str) -> list[CategoryChoice]:
    """Return the categories that a typed text may mean, the likeliest first; all for an empty one.

    A whole name before one that begins so, then a name with a word that begins so, a part of a
    name, and a name spelt nearly so. A dozen at most.
    """
    if not key_of(text):
        return list(choices)
    likeness = Likeness(text)
    ranked = [(_rank(choice, text, likeness), choice) for choice in choices]
    found = sorted((pair for pair in ranked if pair[0] > 0.0), key=lambda pair: -pair[0])
    return [choice for _, choice in found[:_AT_ONCE]]


def _choice(row: CategoryRow, names: dict[str, str]) -> CategoryChoice:
    known = load().known(row.slug)
    own = [str(name) for name in _listed(row.extra.get("synonyms"))]
    synonyms = own or (list(known.synonyms) if known else [])
    alike = [str(slug) for slug in _listed(row.extra.get("look_alikes"))]
    alike = alike or (list(known.look_alikes) if known else [])
    return CategoryChoice(
        row,
        (row.name, *synonyms),
        row.definition or (known.definition if known else ""),
        tuple(names.get(slug, slug.replace("-", " ")) for slug in alike),
    )


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, (list, tuple)) else []


def _rank(choice: CategoryChoice, text: str, likeness: Likeness) -> float:
    """Return how well a text fits, 0 where it doesn't; a synonym a little less than the name."""
    own = max(_rank_of(name, text, likeness) for name in (choice.row.name, choice.row.slug))
    others = [_rank_of(name, text, likeness) for name in choice.names[1:]]
    return max(own, max(others, default=0.0) - _SYNONYM)


def _rank_of(name: str, text: str, likeness: Likeness) -> float:
    wanted, key = key_of(text), key_of(name)
    if key == wanted:
        return 6.0
    if key.startswith(wanted):
        return 5.0
    words = words_of(name)
    if all(any(word.startswith(part) for word in words) for part in words_of(text)):
        return 4.0
    if len(wanted) >= _SHORTEST_PART and wanted in key:
        return 3.0
    like = likeness.to(name, _ALIKE_ENOUGH)
    return 1.0 + like if like else 0.0
