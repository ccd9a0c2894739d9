"""Which categories an OpenStreetMap object may be of, told by one tag of each selector."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from ...taxonomy.tag_value import Equal, OneOf, TagValue

if TYPE_CHECKING:
    from ...taxonomy import Category, Selector

# Keys that other things often have too: a poor choice to tell a category by.
_COMMON = ("name", "building", "highway", "landuse", "area", "natural", "surface", "access")

_Rule = tuple[int, "Selector"]


class CategoryIndex:
    """The categories' selectors by the one tag that tells each best from other objects."""

    def __init__(self, categories: Iterable[Category]) -> None:
        self.categories = tuple(categories)
        self._by_tag: dict[tuple[str, str], list[_Rule]] = {}
        self._by_key: dict[str, list[_Rule]] = {}
        for number, category in enumerate(self.categories):
            for selector in category.osm:
                self._add(number, selector)

    def _add(self, number: int, selector: Selector) -> None:
        key, value = _telling_tag(selector)
        texts = _texts(value)
        for text in texts:
            self._by_tag.setdefault((key, text), []).append((number, selector))
        if not texts:
            self._by_key.setdefault(key, []).append((number, selector))

    @property
    def keys(self) -> set[str]:
        """The keys of the telling tags."""
        return {*self._by_key, *(key for key, _ in self._by_tag)}

    def accepting(self, tags: Mapping[str, str], shapes: frozenset[str]) -> list[Category]:
        """Return the categories that accept the object, in their order; see Category.accepts."""
        found = set()
        rules = [rule for tag in tags.items() for rule in self._by_tag.get(tag, ())]
        if self._by_key:
            rules += [rule for key in tags for rule in self._by_key.get(key, ())]
        for number, selector in rules:
            if number not in found and selector.accepts(tags, shapes):
                found.add(number)
        return [self.categories[number] for number in sorted(found)]

    def osmium_filter(self) -> Any:
        """Return a KeyFilter, or where all values are known a TagFilter, run in osmium's C++.

        It lets every object through that a category accepts, and as few others as one tag can tell.
        """
        from osmium.filter import KeyFilter, TagFilter

        if not self._by_key:
            return TagFilter(*self._by_tag)
        return KeyFilter(*sorted(self.keys))


def _telling_tag(selector: Selector) -> tuple[str, TagValue]:
    return min(selector.tags, key=lambda tag: (not _texts(tag[1]), tag[0] in _COMMON))


def _texts(value: TagValue) -> tuple[str, ...]:
    if isinstance(value, Equal):
        return (value.value,)
    return value.values if isinstance(value, OneOf) else ()
