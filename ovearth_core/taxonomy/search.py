"""Finds categories by name, synonym or tag, typing errors forgiven."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from .model import Category, Taxonomy, check_asked
from .tag_value import Equal, Has, OneOf, Present
from .words import Likeness, key_of, words_of

_ALIKE_ENOUGH = 0.8
_SHORTEST_PART = 3
_SPACED_EQUALS = re.compile(r"\s*=\s*")


@dataclass(frozen=True)
class Hit:
    """A category, why it was found ("synonym 'aeroplane'"), and how well (1 best)."""

    category: Category
    reason: str
    rank: float


def search(taxonomy: Taxonomy, text: str) -> list[Hit]:
    """Return the categories that `text` may mean, the likeliest first, file order among equals.

    Tried in turn, and the first that says yes counts: the name, a synonym, a kind of it, a tag
    (`amenity=fuel`, a key or a value), a part of a name, a more general word, a misspelt name.
    """
    wanted = check_asked(text.strip())
    likeness = Likeness(wanted)
    hits = (_hit(category, wanted, likeness) for category in taxonomy)
    return sorted((hit for hit in hits if hit is not None), key=lambda hit: -hit.rank)


def _hit(category: Category, text: str, likeness: Likeness) -> Hit | None:
    for rank, find in _WAYS:
        reason = find(category, text)
        if reason is not None:
            return Hit(category, reason, rank)
    return _misspelt(category, likeness)


def _by_name(category: Category, text: str) -> str | None:
    return "name" if key_of(text) in {key_of(category.name), key_of(category.id)} else None


def _first(names: Iterable[str], is_meant: Callable[[str], bool], kind: str) -> str | None:
    return next((f"{kind} {name!r}" for name in names if is_meant(name)), None)


def _by_synonym(category: Category, text: str) -> str | None:
    return _first(category.synonyms, lambda name: key_of(name) == key_of(text), "synonym")


def _by_kind(category: Category, text: str) -> str | None:
    return _first(category.narrower, lambda name: key_of(name) == key_of(text), "a kind is")


def _by_general_word(category: Category, text: str) -> str | None:
    return _first(category.broader, lambda name: key_of(name) == key_of(text), "is a")


def _by_part(category: Category, text: str) -> str | None:
    words = words_of(text)
    if len(key_of(text)) < _SHORTEST_PART:
        return None
    return _first(
        (*category.names, *category.narrower),
        lambda name: all(any(w.startswith(part) for w in words_of(name)) for part in words),
        "part of",
    )


def _by_tag(category: Category, text: str) -> str | None:
    tag = _SPACED_EQUALS.sub("=", text.strip().lower())
    return next((f"tag {shown}" for shown, forms in _tags(category) if tag in forms), None)


def _tags(category: Category) -> Iterable[tuple[str, set[str]]]:
    """Yield each wanted tag as it is shown, with the texts by which it can be asked for."""
    for selector in category.osm:
        for key, value in selector.tags:
            if isinstance(value, Present):
                yield f"{key}=*", {key, f"{key}=*"}
            for word in _values(value):
                yield f"{key}={word}", {key, word, f"{key}={word}", f"{key}=*"}


def _values(value: object) -> tuple[str, ...]:
    if isinstance(value, Equal):
        return (value.value,)
    if isinstance(value, OneOf):
        return value.values
    return (value.item,) if isinstance(value, Has) else ()


def _misspelt(category: Category, likeness: Likeness) -> Hit | None:
    how_much, name = max((likeness.to(name, _ALIKE_ENOUGH), name) for name in category.names)
    return Hit(category, f"spelt nearly like {name!r}", how_much - 1) if how_much else None


_WAYS: tuple[tuple[float, Callable[[Category, str], str | None]], ...] = (
    (7, _by_name),
    (6, _by_synonym),
    (5, _by_kind),
    (4, _by_tag),
    (3, _by_part),
    (2, _by_general_word),
)
