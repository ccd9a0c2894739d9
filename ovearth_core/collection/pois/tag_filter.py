"""A cheap test that every object of some categories passes, fit for osmium's C++ filters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ...taxonomy.tag_value import Equal, OneOf, TagValue

if TYPE_CHECKING:
    from ...taxonomy import Category

# Keys that other things often have too: a poor choice to tell a category by.
_COMMON = ("name", "building", "highway", "landuse", "area", "natural", "surface", "access")


def osmium_filter(categories: Iterable[Category]) -> Any:
    """Return a KeyFilter, or where all values are known a TagFilter, for the categories' objects.

    It lets every object through that a category accepts, and as few others as one tag can tell.
    """
    from osmium.filter import KeyFilter, TagFilter

    tags = [_telling_tag(category, s.tags) for category in categories for s in category.osm]
    pairs = [(key, text) for key, value in tags for text in _texts(value)]
    if all(_texts(value) for _, value in tags):
        return TagFilter(*dict.fromkeys(pairs))
    return KeyFilter(*dict.fromkeys(key for key, _ in tags))


def _telling_tag(
    category: Category, tags: tuple[tuple[str, TagValue], ...]
) -> tuple[str, TagValue]:
    return min(tags, key=lambda tag: (not _texts(tag[1]), tag[0] in _COMMON))


def _texts(value: TagValue) -> tuple[str, ...]:
    if isinstance(value, Equal):
        return (value.value,)
    return value.values if isinstance(value, OneOf) else ()
