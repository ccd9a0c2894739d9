"""Reads and checks a taxonomy file: ours, or one of the reader's own making."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..entry import Entry, describe, nearly
from ..errors import InputError, one_line
from ..jsonstream import JsonStream, Member
from ..resources import resource
from ..spelling import nearest
from .model import FINDS, FORMAT, Branch, Category, Domain, Taxonomy
from .selector import SHAPES, Selector
from .tag_value import TagValue, tag_value_of
from .whole import check_whole

OURS = "taxonomy/ovearth.json"
_LISTS = ("sources", "domains", "branches", "categories")
_TEXTS = ("format", "name", "version", "about")
_SLUG = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
_GB_T = re.compile(r"[0-9]{4}")
_CATEGORY_KEYS = frozenset(
    [
        *("id", "number", "name", "domain", "branch", "definition", "instanceable"),
        *("instanceable_why", "look_alikes", "synonyms", "broader", "narrower", "size_m"),
        *("gb_t", "osm", "osm_finds", "osm_unlisted", "datasets"),
    ]
)
_SELECTOR_KEYS = frozenset({"tags", "not", "geometry"})
_MOST_CATEGORIES = 100_000


@lru_cache(maxsize=1)
def load() -> Taxonomy:
    """Return the taxonomy that comes with OVEarth: seven domains, 172 categories."""
    return read_taxonomy(resource(OURS))


def read_taxonomy(path: Path | str) -> Taxonomy:
    """Read a taxonomy file (`ovearth-taxonomy/1`).

    InputError names the file, the category and the field of what is wrong: ids, numbers or names
    that are doubled, look-alikes that don't exist, selectors that don't parse, branches that hang
    in the air or in a circle, fields that lack.
    """
    parts = _Parts(Path(path))
    stream = JsonStream(parts.path)
    for member in stream.members():
        parts.take(member)
    return parts.taxonomy(stream.keys)


class _Parts:
    """The members of a taxonomy file while they are read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.texts: dict[str, str] = {}
        self.lists: dict[str, list[tuple[str, Any]]] = {key: [] for key in _LISTS}

    def take(self, member: Member) -> None:
        """Take one member of the file in."""
        key, place = member.key, f"{self.path} line {member.line}"
        if key in _TEXTS and isinstance(member.value, str):
            self.texts[key] = member.value
        elif key in _LISTS and member.in_list:
            if len(self.lists[key]) == _MOST_CATEGORIES:
                raise InputError(f"more than {_MOST_CATEGORIES} {key}", place, "split the file")
            self.lists[key].append((place, member.value))
        elif key in _LISTS or key in _TEXTS:
            kind = "a list" if key in _LISTS else "a text"
            raise InputError(f"'{key}' is {describe(member.value)}", place, f"write {kind}")

    def taxonomy(self, keys: Iterable[str]) -> Taxonomy:
        """Return what was read, checked as a whole; `keys` are the file's top-level keys."""
        where = str(self.path)
        known = (*_TEXTS, *_LISTS)
        for key in keys:
            if key not in known and (near := nearly(key, known)) is not None:
                raise InputError(f"unknown key {key!r}", where, f"did you mean {near!r}?")
        if "categories" not in keys:
            raise InputError("no 'categories' in it", where, f"name a taxonomy file ({FORMAT})")
        if self.texts.get("format", FORMAT) != FORMAT:
            raise InputError(f"its format is {self.texts['format']!r}", where, f"write {FORMAT!r}")
        found = Taxonomy(
            self.texts.get("name", self.path.stem),
            self.texts.get("version", ""),
            self.texts.get("about", ""),
            tuple(_text(place, "sources", value) for place, value in self.lists["sources"]),
            tuple(_domain(Entry(value, place)) for place, value in self.lists["domains"]),
            tuple(_branch(Entry(value, place)) for place, value in self.lists["branches"]),
            tuple(_category(Entry(v, place), where) for place, v in self.lists["categories"]),
            where,
        )
        return check_whole(_with_implied_tree(found))


def _domain(entry: Entry) -> Domain:
    return Domain(_filled(entry, "name"), _texts(entry, "gb_t"))


def _branch(entry: Entry) -> Branch:
    return Branch(_filled(entry, "name"), _filled(entry, "parent"))


def _category(entry: Entry, where: str) -> Category:
    entry.where = f"{entry.where}, {_called(entry.fields)}"
    id_ = entry.text("id")
    if _SLUG.fullmatch(id_) is None:
        raise entry.fail(f"'id' is {describe(id_)}", "write lower-case words joined by -")
    if id_.isdigit():
        raise entry.fail(f"'id' is {describe(id_)}", "write words, a number would be taken for one")
    entry.other_fields(_CATEGORY_KEYS)
    if entry.fields.get("instanceable") is None:
        raise entry.fail("'instanceable' is missing", "add true or false")
    return Category(
        id_,
        entry.integer("number", at_least=0),
        _filled(entry, "name"),
        _filled(entry, "domain"),
        _filled(entry, "branch"),
        _filled(entry, "definition"),
        entry.boolean("instanceable", default=True),
        entry.optional_text("instanceable_why") or "",
        _texts(entry, "look_alikes"),
        _texts(entry, "synonyms"),
        _texts(entry, "broader"),
        _texts(entry, "narrower"),
        _size(entry),
        _gb_t(entry),
        tuple(_selectors(entry)),
        entry.word("osm_finds", FINDS) if entry.fields.get("osm_finds") else FINDS[0],
        _texts(entry, "osm_unlisted"),
    )


def _called(fields: Mapping[str, Any]) -> str:
    """Return how to name the category in messages: its id, else its name, else nothing."""
    name = fields.get("id") or fields.get("name")
    return f"category {name!r}" if isinstance(name, str) else "a category"


def _filled(entry: Entry, key: str) -> str:
    text = entry.text(key)
    if not text.strip():
        raise entry.fail(f"'{key}' is empty", f"write the {key}")
    return _printable(entry.where, key, text)


def _printable(place: str, key: str, text: str) -> str:
    if not text.isprintable():
        raise InputError(
            f"'{key}' holds a control character: {one_line(text)[:60]!r}", place, "take it out"
        )
    return text


def _text(place: str, key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise InputError(f"'{key}' holds {describe(value)}", place, "write texts")
    return _printable(place, key, value)


def _texts(entry: Entry, key: str) -> tuple[str, ...]:
    values = entry.fields.get(key)
    if values is None:
        return ()
    if not isinstance(values, list):
        raise entry.fail(f"'{key}' is {describe(values)}", "write a list of texts")
    return tuple(_text(entry.where, key, value) for value in values)


def _size(entry: Entry) -> tuple[float, float] | None:
    size = entry.optional_numbers("size_m", 2)
    if size is None:
        return None
    small, large = size
    if not 0 < small <= large:
        raise entry.fail(f"'size_m' is {list(size)}", "write [small, large] in metres")
    return small, large


def _gb_t(entry: Entry) -> str | None:
    code = entry.optional_text("gb_t")
    if code is not None and _GB_T.fullmatch(code) is None:
        raise entry.fail(f"'gb_t' is {describe(code)}", "write a code of four digits")
    return code


def _selectors(entry: Entry) -> Iterable[Selector]:
    values = entry.fields.get("osm") or []
    if not isinstance(values, list):
        raise entry.fail(f"'osm' is {describe(values)}", "write a list of selectors")
    for number, value in enumerate(values, 1):
        yield _selector(Entry(value, f"{entry.where}, selector {number} of 'osm'"))


def _selector(entry: Entry) -> Selector:
    for key in entry.fields:
        if key not in _SELECTOR_KEYS:
            raise entry.fail(f"unknown key {key!r}", nearest(key, sorted(_SELECTOR_KEYS)))
    tags = _tag_values(entry, "tags")
    if not tags:
        raise entry.fail("'tags' is empty", "write at least one tag, it would match everything")
    shapes = entry.require("geometry")
    if isinstance(shapes, str):
        shapes = [shapes]
    if not isinstance(shapes, list) or not shapes or not set(map(str, shapes)) <= set(SHAPES):
        raise entry.fail(f"'geometry' is {shapes!r}", f"write a list of {', '.join(SHAPES)}")
    without = _tag_values(entry, "not")
    if both := [key for key, value in tags if (key, value) in without]:
        raise entry.fail(f"{both[0]!r} is wanted and unwanted", "nothing would match, keep one")
    return Selector(tags, without, tuple(dict.fromkeys(shapes)))


def _tag_values(entry: Entry, key: str) -> tuple[tuple[str, TagValue], ...]:
    found = []
    for tag, value in (entry.mapping(key) or {}).items():
        if not tag.strip():
            raise entry.fail(f"'{key}' has an empty key", "write an OpenStreetMap key")
        try:
            found.append((tag, tag_value_of(value)))
        except ValueError as fault:
            raise entry.fail(f"'{key}' can't be read at {tag!r}: {fault}", "mend it") from None
    return tuple(found)


def _with_implied_tree(taxonomy: Taxonomy) -> Taxonomy:
    """Add the domains and branches that only categories name, in a file that declares none."""
    domains, branches = taxonomy.domains, taxonomy.branches
    if not domains:
        domains = tuple(Domain(name) for name in dict.fromkeys(c.domain for c in taxonomy))
    if not branches:
        parents = dict.fromkeys((c.branch, c.domain) for c in taxonomy if c.branch != c.domain)
        branches = tuple(Branch(name, parent) for name, parent in parents)
    return Taxonomy(
        *(taxonomy.name, taxonomy.version, taxonomy.about, taxonomy.sources),
        *(domains, branches, taxonomy.categories, taxonomy.where),
    )
