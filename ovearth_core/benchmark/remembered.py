"""What was derived, kept while it is used and there is room for it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

ValueT = TypeVar("ValueT")

# What an entry costs beyond the value's own bytes: keys, objects, the table.
_OVERHEAD = 400


class Remembered:
    """Values by key, the least recently used forgotten once they pass `most_bytes` together."""

    def __init__(self, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._entries: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()

    def get(
        self, key: Hashable, make: Callable[[], ValueT], size: Callable[[ValueT], int]
    ) -> ValueT:
        """Return the value of `key`, made anew where it isn't there; `size` gives its bytes."""
        entry = self._entries.get(key)
        if entry is not None:
            self._entries.move_to_end(key)
            known: ValueT = entry[0]
            return known
        value = make()
        cost = size(value) + _OVERHEAD
        self._entries[key] = (value, cost)
        self._bytes += cost
        while self._bytes > self._most_bytes and len(self._entries) > 1:
            _, (_, freed) = self._entries.popitem(last=False)
            self._bytes -= freed
        return value
