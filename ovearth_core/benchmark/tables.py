"""The tables of a benchmark file while they are read: columns, lines, and the rest on a shelf."""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ..entry import Entry
from ..errors import InputError
from ..jsonstream import Member
from .columns import TASKS, InstanceColumns, QueryColumns, TargetColumns
from .elements import category_of, image_of, instance_of, query_of, target_of
from .model import Category, Image, Instance, Query, Target
from .packed import Packed, PackedTexts, TextIndex, first_doubled
from .shelf import Shelf, Shelved

Ints = NDArray[np.int64]
# Of elements whose mask is no RLE, and of RLEs whose size is no two whole numbers.
NO_SIZE, _ODD_SIZE = -1, -2


class Identified(Protocol):
    """Whatever has an id."""

    @property
    def id(self) -> int | str:
        """The id, of its own in its table."""


ItemT = TypeVar("ItemT", bound=Identified)


class Table(ABC, Generic[ItemT]):
    """One list of the file; `kind` is what an element is called in messages."""

    def __init__(self, path: Path, kind: str, parse: Callable[[Entry], ItemT]) -> None:
        self.path = path
        self.kind = kind
        self.parse = parse
        self._lines = array("q")

    def __len__(self) -> int:
        return len(self._lines)

    def take(self, member: Member) -> None:
        """Add an element; InputError names its line."""
        value = member.value
        name = value.get("id") if isinstance(value, dict) else None
        where = f"{self.path} line {member.line}, {self.kind}" + (
            f" {name}" if name is not None else ""
        )
        item = self.parse(Entry(value, where))
        self._lines.append(member.line)
        self.keep(item, member)

    @abstractmethod
    def keep(self, item: ItemT, member: Member) -> None:
        """Keep what will be asked for."""

    @abstractmethod
    def id_at(self, place: int) -> int | str:
        """Return the id of the element at `place`."""

    @abstractmethod
    def doubled(self) -> tuple[int, int] | None:
        """Return the places of the first id that is there twice, or None."""

    def where(self, place: int) -> str:
        """Name the place of an element for a message."""
        return f"{self.path} line {self._lines[place]}, {self.kind} {self.id_at(place)}"

    def check_ids(self) -> None:
        """Raise InputError for an id that is there twice."""
        if (found := self.doubled()) is not None:
            first, second = found
            raise InputError(
                f"{self.kind} id {self.id_at(second)!r} occurs twice",
                f"{self.path} lines {self._lines[first]} and {self._lines[second]}",
                "give each its own id",
            )


class FewItems(Table[ItemT]):
    """A table that is kept as it is."""

    def __init__(self, path: Path, kind: str, parse: Callable[[Entry], ItemT]) -> None:
        super().__init__(path, kind, parse)
        self.items: list[ItemT] = []

    def keep(self, item: ItemT, member: Member) -> None:
        """Keep the item."""
        self.items.append(item)

    def id_at(self, place: int) -> int | str:
        """Return the id of the element at `place`."""
        return self.items[place].id

    def doubled(self) -> tuple[int, int] | None:
        """Return the places of the first id that is there twice, or None."""
        return first_doubled(np.array([item.id for item in self.items], dtype=np.int64))


class ManyItems(Table[ItemT]):
    """A table whose elements go to a shelf, but for columns of whole numbers, by name."""

    names: tuple[str, ...] = ()

    def __init__(self, path: Path, kind: str, parse: Callable[[Entry], ItemT]) -> None:
        super().__init__(path, kind, parse)
        self.shelf = Shelf()
        self._columns = {name: array("q") for name in self.names}

    def add(self, member: Member, **numbers: int) -> None:
        """Put the element on the shelf, and a number into each column."""
        self.shelf.put(member.text)
        for name, column in self._columns.items():
            column.append(numbers[name])

    def column(self, name: str) -> Ints:
        """Return a column, (N,)."""
        return np.frombuffer(self._columns[name], np.int64) if len(self) else np.zeros(0, np.int64)

    def id_at(self, place: int) -> int | str:
        """Return the id of the element at `place`."""
        return self._columns["id"][place]

    def doubled(self) -> tuple[int, int] | None:
        """Return the places of the first id that is there twice, or None."""
        return first_doubled(self.column("id"))

    def made(self, place: int) -> ItemT:
        """Return the element at `place`, made from its text."""
        return self.parse(Entry(self.shelf.value(place), self.kind))

    def segmentation_size(self, place: int) -> Any:
        """Return the size that the element's mask says it has."""
        return self.shelf.value(place)["segmentation"].get("size")


class Targets(ManyItems[Target]):
    """The targets; masks are read when they are used."""

    names = ("id", "image_id", "category_id", "height", "width", "has_more")

    def __init__(self, path: Path) -> None:
        super().__init__(path, "target", target_of)

    def keep(self, item: Target, member: Member) -> None:
        """Keep what will be asked for."""
        height, width = _rle_size(item.segmentation)
        references = {"image_id": item.image_id, "category_id": item.category_id}
        more = bool(item.extra)
        self.add(member, id=item.id, **references, height=height, width=width, has_more=more)

    def columns(self) -> TargetColumns:
        """Return the columns that scoring asks for."""
        return TargetColumns(*(self.column(name) for name in ("id", "image_id", "category_id")))

    def items(self) -> Packed[Target]:
        """Return the targets."""
        return Packed(self.shelf, self.made)

    def made(self, place: int) -> Target:
        """Return the target at `place`, its mask left on the shelf."""
        columns = self._columns
        is_masked = columns["height"][place] != NO_SIZE
        return Target(
            columns["id"][place],
            columns["image_id"][place],
            columns["category_id"][place],
            Shelved(self.shelf, place, "segmentation") if is_masked else None,
            super().made(place).extra if columns["has_more"][place] else {},
        )


class Instances(ManyItems[Instance]):
    """The annotations; `target_ids` may be given to those of plain COCO."""

    names = ("id", "target_id", "image_id", "category_id", "is_crowd", "height", "width")

    def __init__(self, path: Path) -> None:
        super().__init__(path, "annotation", instance_of)
        self.target_ids: Ints | None = None

    def keep(self, item: Instance, member: Member) -> None:
        """Keep what will be asked for."""
        height, width = _rle_size(item.segmentation)
        self.add(
            member,
            id=item.id,
            target_id=item.target_id,
            image_id=item.image_id,
            category_id=item.category_id,
            is_crowd=item.is_crowd,
            height=height,
            width=width,
        )

    def columns(self) -> InstanceColumns:
        """Return the columns that scoring asks for."""
        target_ids = self.column("target_id") if self.target_ids is None else self.target_ids
        return InstanceColumns(target_ids, self.column("is_crowd").astype(np.bool_))

    def items(self) -> Packed[Instance]:
        """Return the instances."""
        return Packed(self.shelf, self.made)

    def made(self, place: int) -> Instance:
        """Return the instance at `place`."""
        item = super().made(place)
        if self.target_ids is None:
            return item
        return replace(item, target_id=int(self.target_ids[place]))


class Queries(ManyItems[Query]):
    """The queries."""

    names = ("target_id", "task", "is_positive")

    def __init__(self, path: Path) -> None:
        super().__init__(path, "query", query_of)
        self.ids = PackedTexts()

    def keep(self, item: Query, member: Member) -> None:
        """Keep what will be asked for."""
        self.ids.append(item.id)
        task = TASKS.index(item.task)
        self.add(member, target_id=item.target_id, task=task, is_positive=item.is_positive)

    def id_at(self, place: int) -> str:
        """Return the id of the query at `place`."""
        return self.ids[place]

    def doubled(self) -> tuple[int, int] | None:
        """Return the places of the first id that is there twice, or None."""
        return TextIndex(self.ids).doubled()

    def columns(self) -> QueryColumns:
        """Return the columns that scoring asks for."""
        return QueryColumns(
            self.ids,
            self.column("target_id"),
            self.column("task").astype(np.int8),
            self.column("is_positive").astype(np.bool_),
        )

    def items(self) -> Packed[Query]:
        """Return the queries."""
        return Packed(self.shelf, self.made)


def categories_table(path: Path) -> FewItems[Category]:
    """Return the table of categories, empty."""
    return FewItems(path, "category", category_of)


def images_table(path: Path) -> FewItems[Image]:
    """Return the table of images, empty."""
    return FewItems(path, "image", image_of)


def _rle_size(segmentation: Any) -> tuple[int, int]:
    """Return height and width of an RLE, as far as they are whole numbers."""
    if not isinstance(segmentation, dict):
        return NO_SIZE, NO_SIZE
    size: Any = segmentation.get("size")
    is_whole = isinstance(size, list) and len(size) == 2 and set(map(type, size)) == {int}
    if not is_whole or not all(0 <= side < 1 << 62 for side in size):
        return _ODD_SIZE, _ODD_SIZE
    return size[0], size[1]
