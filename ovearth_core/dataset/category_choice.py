"""Choosing one of a dataset's categories by typing: what may be meant, what it is mixed up with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..errors import OVEarthError
from ..taxonomy import load
from ..taxonomy.search import search
from ..taxonomy.words import Likeness, key_of, words_of
from .rows import CategoryRow

_ALIKE_ENOUGH = 0.75
_AT_ONCE = 12
_SHORTEST_PART = 3
_SYNONYM = 0.5
_WHOLE, _KIND, _GENERAL, _BEGINS, _WORDS, _PART = 9.0, 7.0, 6.0, 5.0, 4.0, 3.0


@dataclass(frozen=True)
class CategoryChoice:
    """A category with all that helps to choose it. names: the name first, then its synonyms.

    look_alikes: the categories that it is confused with, by the names that they have here.
    kinds, general: narrower words for some of it, and wider ones for more than it.
    """

    row: CategoryRow
    names: tuple[str, ...]
    definition: str
    look_alikes: tuple[str, ...]
    kinds: tuple[str, ...] = ()
    general: tuple[str, ...] = ()


@dataclass(frozen=True)
class Typed:
    """What a typed text may mean, the likeliest first.

    is_sure: the first one is meant: it alone is called so, or no other begins so. is_known: any is
    called so at all; else they are only spelt nearly so.
    """

    choices: list[CategoryChoice]
    is_sure: bool
    is_known: bool


def category_choices(rows: Iterable[CategoryRow]) -> list[CategoryChoice]:
    """Return a dataset's categories, by name, with what it or the taxonomy tells of them."""
    listed = sorted(rows, key=lambda row: (row.name.casefold(), row.id))
    names = {row.slug: row.name for row in listed}
    return [_choice(row, names) for row in listed]


def chosen_by_typing(choices: Sequence[CategoryChoice], text: str) -> list[CategoryChoice]:
    """Return the categories that a typed text may mean, the likeliest first; all for an empty one.

    A dozen at most; see `typed`.
    """
    return typed(choices, text).choices


def typed(choices: Sequence[CategoryChoice], text: str) -> Typed:
    """Return what a text may mean, the likeliest first: all for an empty one, else a dozen at most.

    A whole name comes first, then a synonym, a kind of it, a more general word, a name that begins
    so, a name with words that begin so, a part of a name, and a name spelt nearly so. Among equals
    the one that the taxonomy's own search ranks higher.
    """
    if not key_of(text):
        return Typed(list(choices), is_sure=False, is_known=True)
    likeness, known = Likeness(text), _ranks_of_taxonomy(text)
    ranked = [(_rank(choice, text, likeness), choice) for choice in choices]
    found = sorted(
        (pair for pair in ranked if pair[0] > 0.0),
        key=lambda pair: (-pair[0], -known.get(pair[1].row.slug, 0.0)),
    )
    ranks = [rank for rank, _ in found]
    is_known = bool(ranks) and ranks[0] >= _PART - _SYNONYM
    is_alone = len(ranks) == 1 or (len(ranks) > 1 and ranks[1] < min(ranks[0], _PART - _SYNONYM))
    is_whole = bool(ranks) and ranks[0] >= _KIND and (len(ranks) == 1 or ranks[1] < ranks[0])
    return Typed(
        [choice for _, choice in found[:_AT_ONCE]],
        is_sure=is_whole or (is_known and is_alone),
        is_known=is_known,
    )


def _ranks_of_taxonomy(text: str) -> dict[str, float]:
    """Return how the taxonomy's search ranks its categories, by slug; none for an odd text."""
    try:
        return {hit.category.id: hit.rank for hit in search(load(), text)}
    except OVEarthError:
        return {}


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
        known.narrower if known else (),
        known.broader if known else (),
    )


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, (list, tuple)) else []


def _rank(choice: CategoryChoice, text: str, likeness: Likeness) -> float:
    """Return how well a text fits, 0 where it doesn't; a synonym a little less than the name."""
    own = max(_rank_of(name, text, likeness) for name in (choice.row.name, choice.row.slug))
    others = [_rank_of(name, text, likeness) for name in choice.names[1:]]
    wanted = key_of(text)
    kind = _KIND if any(key_of(name) == wanted for name in choice.kinds) else 0.0
    general = _GENERAL if any(key_of(name) == wanted for name in choice.general) else 0.0
    begun = max((_begun(name, text) for name in (*choice.kinds, *choice.general)), default=0.0)
    return max(own, max(others, default=0.0) - _SYNONYM, kind, general, begun)


def _begun(name: str, text: str) -> float:
    """Rank a narrower or wider word by its beginnings, below all that a category is called."""
    if len(key_of(text)) < _SHORTEST_PART:
        return 0.0
    words = words_of(name)
    is_begun = all(any(word.startswith(part) for word in words) for part in words_of(text))
    return _PART - _SYNONYM if is_begun else 0.0


def _rank_of(name: str, text: str, likeness: Likeness) -> float:
    wanted, key = key_of(text), key_of(name)
    if key == wanted:
        return _WHOLE
    if key.startswith(wanted):
        return _BEGINS
    words = words_of(name)
    if all(any(word.startswith(part) for word in words) for part in words_of(text)):
        return _WORDS
    if len(wanted) >= _SHORTEST_PART and wanted in key:
        return _PART
    like = likeness.to(name, _ALIKE_ENOUGH)
    return 1.0 + like if like else 0.0
