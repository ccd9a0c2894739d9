"""Which category a feature of someone else's file is of: by mapping, a column or its tags."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...errors import InputError, UsageError, one_line
from ...jsonstream import JsonStream
from .tag_filter import CategoryIndex

if TYPE_CHECKING:
    from ...taxonomy import Category, Taxonomy

EVERYTHING = "*"
_OWN_COLUMNS = ("category", "category_id")
_TAG_COLUMNS = ("tags", "other_tags", "all_tags")
_FORM = 'write {"column": "class", "values": {"gas_station": "fuel-station"}}'
_MOST_BYTES = 64 << 20
_PAIR = 2
_MOST_SHOWN = 5
_LOG = logging.getLogger("ovearth")


@dataclass(frozen=True)
class CategoryMapping:
    """A mapping file: values of a column, and the ids of the categories that they stand for.

    column: a dot leads into a struct (`categories.primary`). values: "*" stands for any other.
    name, id: columns with the features' names and stable ids, where they are called otherwise.
    """

    column: str
    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    name: str | None = None
    id: str | None = None


def read_mapping(path: Path, taxonomy: Taxonomy) -> CategoryMapping:
    """Read a mapping file; InputError for one that is none or names unknown categories."""
    document = {member.key: member.value for member in JsonStream(path).members()}
    values = document.get("values")
    if not isinstance(document.get("column"), str) or not isinstance(values, dict) or not values:
        raise InputError("no mapping of categories", str(path), _FORM)
    read: dict[str, tuple[str, ...]] = {}
    for value, names in values.items():
        listed = names if isinstance(names, list) else [names]
        if not all(isinstance(name, str) for name in listed):
            raise InputError(f"{value!r} is mapped to no category", str(path), _FORM)
        try:
            read[value] = tuple(taxonomy.find(name).id for name in listed)
        except InputError as fault:
            raise fault.at(f"{path} value {value!r}") from None
    others = {key: document.get(key) for key in ("name", "id")}
    if not all(other is None or isinstance(other, str) for other in others.values()):
        raise InputError("'name' or 'id' is no column", str(path), _FORM)
    return CategoryMapping(document["column"], read, **others)


class SeenValues:
    """What a source's features said of their categories, for when none was a wanted one."""

    def __init__(self) -> None:
        self._is_matched = False
        self._others: dict[str, str] = {}

    def see(self, column: str, value: object, is_matched: bool) -> None:
        """Take note of one feature's value."""
        self._is_matched |= is_matched
        if not self._is_matched and len(self._others) < _MOST_SHOWN and value not in (None, ""):
            self._others.setdefault(str(value), column)

    def tell(self, where: str) -> None:
        """Say what there was instead, where nothing fitted: a slip in a name finds nothing."""
        if self._others and not self._is_matched:
            column = next(iter(self._others.values()))
            said = ", ".join(map(repr, self._others))
            what = f"none of the places looked at is of the categories asked for; {column!r} has"
            _LOG.warning("note: %s", one_line(f"{where}: {what} {said}"))


class FeatureCategories:
    """Decides which of the wanted categories a feature is of, by its properties.

    In this order: the mapping; a column `category` (or `category_id`) with ids, names or numbers;
    OpenStreetMap tags in columns of their own, or together in `tags` or `other_tags`; and where
    one category alone is wanted and the file has none of these, every feature is of it. Raises
    UsageError where none of these says it. seen: told of each value. says_it: whether the features
    say it themselves.
    """

    def __init__(
        self,
        columns: Sequence[str],
        categories: Sequence[Category],
        mapping: CategoryMapping | None,
        where: str,
        seen: SeenValues | None = None,
    ) -> None:
        self._seen = seen or SeenValues()
        self._categories = categories
        self._index = CategoryIndex(categories)
        self._mapping = mapping
        self._by_name = dict(_names(categories))
        own = (column for column in _OWN_COLUMNS if column in columns)
        self._own = None if mapping is not None else next(own, None)
        has_tags = not self._index.keys.isdisjoint(columns) or not set(_TAG_COLUMNS).isdisjoint(
            columns
        )
        self._by_tags = mapping is None and self._own is None and has_tags
        if mapping is not None and not {mapping.column, mapping.column.partition(".")[0]} & set(
            columns
        ):
            listed = ", ".join(columns[:20]) or "none"
            what = f"no column {mapping.column!r} (there are: {listed})"
            raise UsageError(what, where, "mend the mapping file")
        # A column may have a dot in its own name.
        self._root: str | None = None
        if mapping is not None:
            whole, root = mapping.column, mapping.column.partition(".")[0]
            self._root = whole if whole in columns else root
        self.says_it = mapping is not None or self._own is not None or has_tags
        if not self.says_it and len(categories) != 1:
            what = "nothing says which category a feature is of"
            raise UsageError(what, where, "give --mapping FILE, or one --category alone")

    @property
    def column(self) -> str | None:
        """The one top column that decides, None where several do or none."""
        return self._own if self._mapping is None else self._root

    def of(self, properties: Mapping[str, Any], shapes: frozenset[str]) -> list[Category]:
        """Return the categories. shapes: see taxonomy.shapes_of."""
        if self._mapping is not None:
            value = value_at(properties, self._mapping.column)
            ids = self._mapping.values.get(str(value), self._mapping.values.get(EVERYTHING, ()))
            found = [category for category in self._categories if category.id in ids]
            self._seen.see(self._mapping.column, value, bool(found))
            return found
        if self._own is not None:
            named = properties.get(self._own)
            category = self._by_name.get(_name_of(named))
            self._seen.see(self._own, named, category is not None)
            return [] if category is None else [category]
        if self._by_tags:
            return self._index.accepting(tags_of(properties), shapes)
        return list(self._categories)


def value_at(properties: Mapping[str, Any], path: str) -> Any:
    """Return a property; dots lead into structs where no column has the whole name."""
    if path in properties:
        return properties[path]
    value: Any = properties
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    return value


def tags_of(properties: Mapping[str, Any]) -> dict[str, str]:
    """Return properties as tags: texts, without nulls, packed ones unpacked, structs as JSON."""
    tags: dict[str, str] = {}
    for key, value in properties.items():
        if key in _TAG_COLUMNS and (unpacked := _unpacked(value)) is not None:
            tags |= {k: v for k, v in unpacked.items() if k not in tags}
        elif value is not None and value != "":
            tags[key] = value if isinstance(value, str) else _text(value)
    return tags


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int | float):
        return f"{value:.15g}" if isinstance(value, float) else str(value)
    return json.dumps(value, ensure_ascii=False, default=str)


def _unpacked(value: Any) -> dict[str, str] | None:
    """Return tags written as a struct, a map, JSON or PostgreSQL's hstore; None where they are not.

    hstore: `"key"=>"value","key"=>"value"`, as GDAL's OSM driver writes `other_tags`.
    """
    if isinstance(value, list):
        # A map of Parquet's comes as pairs.
        if not all(isinstance(pair, tuple) and len(pair) == _PAIR for pair in value):
            return None
        value = dict(value)
    if isinstance(value, Mapping):
        return {str(key): str(text) for key, text in value.items() if text is not None}
    if not isinstance(value, str) or len(value) > _MOST_BYTES:
        return None
    as_json = value if value.startswith("{") else "{" + value.replace('"=>"', '":"') + "}"
    try:
        document = json.loads(as_json)
    except (ValueError, RecursionError):
        return None
    if not isinstance(document, dict):
        return None
    return {str(key): str(text) for key, text in document.items()}


def _name_of(value: Any) -> str:
    """Return a value as categories are named: a column with gaps makes 29.0 of a number."""
    text = str(value).strip().lower()
    whole, point, rest = text.partition(".")
    return whole if point and whole.isdigit() and not rest.strip("0") else text


def _names(categories: Iterable[Category]) -> Iterator[tuple[str, Category]]:
    for category in categories:
        for name in (str(category.number), *category.names, category.id):
            yield name.lower(), category
