"""A taxonomy: domains, their branches, and the categories on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from ..errors import InputError, UsageError, one_line
from .selector import Selector
from .words import Likeness, key_of

FORMAT = "ovearth-taxonomy/1"
# What OpenStreetMap's objects are to the category: the thing, or a place where it is seen.
FINDS = ("itself", "setting")


LONGEST_NAME = 200


def check_asked(name: str) -> str:
    """Return a name that someone asks for; UsageError where it can't be one."""
    if not key_of(name) or len(name) > LONGEST_NAME:
        raise UsageError(
            f"{one_line(name)[:40]!r} can't be a category",
            "in what was asked for",
            f"write a name of up to {LONGEST_NAME} letters",
        )
    return name


@dataclass(frozen=True)
class Domain:
    """A top-level division, and the GB/T 21010-2017 codes (two digits) that it stands for."""

    name: str
    gb_t: tuple[str, ...] = ()


@dataclass(frozen=True)
class Branch:
    """A division of a domain or of another branch: `parent` names it."""

    name: str
    parent: str


@dataclass(frozen=True)
class Category:
    """One category.

    id: slug. number: the integer id in benchmarks. domain, branch: names. size_m: usual longest
    extent of one instance, small and large, in metres of true ground. look_alikes: ids of the
    categories that it is confused with. broader, narrower: words of other datasets for more
    general and for more special things. gb_t: GB/T 21010-2017 code of the land it is on.
    osm: selectors, any of which may match; osm_finds: see FINDS; osm_unlisted: "key=value" used
    there that OpenStreetMap's tagging presets don't list.
    """

    id: str
    number: int
    name: str
    domain: str
    branch: str
    definition: str
    instanceable: bool
    instanceable_why: str = ""
    look_alikes: tuple[str, ...] = ()
    synonyms: tuple[str, ...] = ()
    broader: tuple[str, ...] = ()
    narrower: tuple[str, ...] = ()
    size_m: tuple[float, float] | None = None
    gb_t: str | None = None
    osm: tuple[Selector, ...] = ()
    osm_finds: str = "itself"
    osm_unlisted: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The name and the synonyms."""
        return (self.name, *self.synonyms)

    def accepts(self, tags: Mapping[str, str], shapes: frozenset[str]) -> bool:
        """Whether an OSM object with these tags and shapes (see `shapes_of`) is found for it."""
        return any(selector.accepts(tags, shapes) for selector in self.osm)

    def as_json(self) -> dict[str, Any]:
        """Return it as a taxonomy file writes it."""
        return {
            "id": self.id,
            "number": self.number,
            "name": self.name,
            "domain": self.domain,
            "branch": self.branch,
            "definition": self.definition,
            "look_alikes": list(self.look_alikes),
            "synonyms": list(self.synonyms),
            "broader": list(self.broader),
            "narrower": list(self.narrower),
            "instanceable": self.instanceable,
            "instanceable_why": self.instanceable_why,
            "size_m": None if self.size_m is None else list(self.size_m),
            "gb_t": self.gb_t,
            "osm": [selector.as_json() for selector in self.osm],
            "osm_finds": self.osm_finds,
            "osm_unlisted": list(self.osm_unlisted),
        }


@dataclass(frozen=True)
class Taxonomy:
    """Domains, branches and categories, in their file's order. Iterates over the categories."""

    name: str
    version: str
    about: str
    sources: tuple[str, ...]
    domains: tuple[Domain, ...]
    branches: tuple[Branch, ...]
    categories: tuple[Category, ...]
    where: str = field(default="", compare=False)

    def __iter__(self) -> Iterator[Category]:
        return iter(self.categories)

    def __len__(self) -> int:
        return len(self.categories)

    def __getitem__(self, id_: str) -> Category:
        """Return the category with this id; KeyError where there is none."""
        return self._by_id[id_]

    @cached_property
    def _by_id(self) -> dict[str, Category]:
        return {category.id: category for category in self.categories}

    @cached_property
    def _by_key(self) -> dict[str, Category]:
        """Categories by what people may call them, spelling evened out; names before synonyms."""
        found: dict[str, Category] = {}
        for rank in (lambda c: (c.id, c.name), lambda c: c.synonyms):
            for category in self.categories:
                for name in rank(category):
                    found.setdefault(key_of(name), category)
        return found

    def known(self, name: str | int) -> Category | None:
        """Return the category with this id, name, synonym or number, or None."""
        if isinstance(name, int):
            return next((c for c in self.categories if c.number == name), None)
        return self._by_id.get(name) or self._by_key.get(key_of(name))

    def find(self, name: str | int) -> Category:
        """Return the category with this id, name, synonym or number.

        InputError, with the three nearest names, where there is none.
        """
        if isinstance(name, str):
            name = check_asked(name)
        category = self.known(name)
        if category is None:
            near = ", ".join(repr(c.name) for c in self.nearest(str(name), 3))
            raise InputError(
                f"unknown category {name!r}", f"in taxonomy {self.name!r}", f"nearest are {near}"
            )
        return category

    def nearest(self, text: str, number: int) -> list[Category]:
        """Return the `number` categories whose names or synonyms are spelt most like `text`."""
        likeness = Likeness(text)

        def rank(category: Category) -> float:
            return -max(likeness.to(name) for name in (category.id, *category.names))

        return sorted(self.categories, key=rank)[:number]

    def children(self, name: str) -> tuple[Branch, ...]:
        """Return the branches directly under the domain or branch of this name."""
        return tuple(branch for branch in self.branches if branch.parent == name)

    def categories_on(self, branch: str) -> tuple[Category, ...]:
        """Return the categories directly on the branch (or domain) of this name."""
        return tuple(category for category in self.categories if category.branch == branch)

    def walk(self, name: str | None = None, depth: int = 0) -> Iterator[tuple[int, str, Any]]:
        """Yield (depth, name, Domain, Branch or Category) from the top, or from below `name`."""
        below = self.domains if name is None else self.children(name)
        for node in below:
            yield depth, node.name, node
            for category in self.categories_on(node.name):
                yield depth + 1, category.name, category
            yield from self.walk(node.name, depth + 1)

    def as_json(self) -> dict[str, Any]:
        """Return it as a taxonomy file writes it; reading that gives an equal taxonomy."""
        return {
            "format": FORMAT,
            "name": self.name,
            "version": self.version,
            "about": self.about,
            "sources": list(self.sources),
            "domains": [{"name": d.name, "gb_t": list(d.gb_t)} for d in self.domains],
            "branches": [{"name": b.name, "parent": b.parent} for b in self.branches],
            "categories": [category.as_json() for category in self.categories],
        }
