"""Targets, instances and queries by the million: columns in memory, the rest on a shelf."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Generic, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from .shelf import Shelf

ItemT = TypeVar("ItemT")
Ints = NDArray[np.int64]


class Packed(Sequence[ItemT]):
    """Items that are made anew each time they are asked for, from their place."""

    def __init__(self, shelf: Shelf, make: Callable[[int], ItemT]) -> None:
        self._shelf = shelf
        self._make = make

    def __len__(self) -> int:
        return len(self._shelf)

    @overload
    def __getitem__(self, place: int) -> ItemT: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[ItemT]: ...
    def __getitem__(self, place: int | slice) -> ItemT | Sequence[ItemT]:
        if isinstance(place, slice):
            return [self._make(one) for one in range(*place.indices(len(self)))]
        return self._make(place if place >= 0 else place + len(self))

    def __iter__(self) -> Iterator[ItemT]:
        return map(self._make, range(len(self)))


class PackedTexts(Sequence[str]):
    """Short texts end to end."""

    def __init__(self) -> None:
        self._bytes = bytearray()
        self._ends = array("q", [0])

    def append(self, text: str) -> None:
        """Add a text."""
        self._bytes += text.encode()
        self._ends.append(len(self._bytes))

    def __len__(self) -> int:
        return len(self._ends) - 1

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        if isinstance(place, slice):
            return [self[one] for one in range(*place.indices(len(self)))]
        return self._bytes[self._ends[place] : self._ends[place + 1]].decode()


class TextIndex(Mapping[str, int]):
    """The place of each of many texts, all different, in a few bytes each: found by their hash."""

    def __init__(self, texts: Sequence[str]) -> None:
        hashes = np.fromiter(map(hash, texts), np.int64, len(texts))
        order = np.argsort(hashes, kind="stable")
        self._texts = texts
        # Single items of an array come faster than those of NumPy's.
        self._hashes = array("q", hashes[order].tobytes())
        self._places = array("q", order.astype(np.int64).tobytes())

    def __getitem__(self, text: str) -> int:
        wanted = hash(text)
        slot = bisect_left(self._hashes, wanted)
        while slot < len(self._hashes) and self._hashes[slot] == wanted:
            place = self._places[slot]
            if self._texts[place] == text:
                return place
            slot += 1
        raise KeyError(text)

    def __iter__(self) -> Iterator[str]:
        return iter(self._texts)

    def __len__(self) -> int:
        return len(self._texts)

    def doubled(self) -> tuple[int, int] | None:
        """Return the places of a text that is there twice, the first such one, or None."""
        hashes = np.frombuffer(self._hashes, np.int64)
        slots = np.flatnonzero(hashes[1:] == hashes[:-1]).tolist()
        suspects = [self._places[slot + 1] for slot in slots]
        found = ((self[self._texts[place]], place) for place in sorted(suspects))
        return next(((first, place) for first, place in found if first != place), None)


class ById(Mapping[int, ItemT], Generic[ItemT]):
    """Items by their ids, all different."""

    def __init__(self, ids: Ints, items: Sequence[ItemT]) -> None:
        order = np.argsort(ids, kind="stable")
        self._items = items
        self._ids = array("q", ids[order].tobytes())
        self._places = array("q", order.astype(np.int64).tobytes())

    def place(self, item_id: int) -> int:
        """Return where the item with this id is; KeyError where there is none."""
        slot = bisect_left(self._ids, item_id)
        if slot == len(self._ids) or self._ids[slot] != item_id:
            raise KeyError(item_id)
        return self._places[slot]

    def __getitem__(self, item_id: int) -> ItemT:
        return self._items[self.place(item_id)]

    def __iter__(self) -> Iterator[int]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


class ByGroup(Mapping[int, Sequence[ItemT]], Generic[ItemT]):
    """Items by the id of the group that each is in, in file order."""

    def __init__(self, group_ids: Ints, items: Sequence[ItemT]) -> None:
        self._order = np.argsort(group_ids, kind="stable")
        self._sorted = group_ids[self._order]
        self._items = items

    def places(self, group_id: int) -> Ints:
        """Return the places of the group's items; none for one that has no items."""
        ends = np.searchsorted(self._sorted, [group_id, group_id + 1])
        return self._order[ends[0] : ends[1]]

    def __getitem__(self, group_id: int) -> Sequence[ItemT]:
        places = self.places(group_id).tolist()
        if not places:
            raise KeyError(group_id)
        return [self._items[place] for place in places]

    def __iter__(self) -> Iterator[int]:
        return iter(np.unique(self._sorted).tolist())

    def __len__(self) -> int:
        return len(np.unique(self._sorted))


def first_doubled(ids: Ints) -> tuple[int, int] | None:
    """Return the places of the first id that was there before, and of that, or None."""
    order = np.argsort(ids, kind="stable")
    again = order[1:][ids[order[1:]] == ids[order[:-1]]]
    if not len(again):
        return None
    place = int(np.min(again))
    return int(np.flatnonzero(ids == ids[place])[0]), place
