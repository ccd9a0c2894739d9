"""Tiles that say "no data here", known by coming from several addresses alike to the bit.

A worker knows only what it has fetched itself. Here the patches of all workers, and of earlier
jobs, are compared: the first patches with such a tile are kept until another one comes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any

from ..imagery.source import SeenTile

# Tiles and patches that are remembered: memory must not grow with a job's length.
_MOST_REMEMBERED = 1 << 16
# Of a patch. Smaller tiles don't decide over it.
LEAST_SHARE = 0.05


class Placeholders:
    """What is known of a source's placeholders. known: their digests, from earlier jobs."""

    def __init__(self, known: Iterable[str] = ()) -> None:
        self._known = set(known)
        self._address: OrderedDict[str, str] = OrderedDict()
        self._patches: OrderedDict[str, dict[str, float]] = OrderedDict()

    @property
    def known(self) -> tuple[str, ...]:
        """The digests, in order."""
        return tuple(sorted(self._known))

    def see(self, tiles: Iterable[SeenTile]) -> bool:
        """Take note of a patch's tiles; return whether one is known only now."""
        before = len(self._known)
        for tile in tiles:
            first = self._address.setdefault(tile.digest, tile.address)
            self._address.move_to_end(tile.digest)
            if tile.is_placeholder or first != tile.address:
                self._known.add(tile.digest)
        while len(self._address) > _MOST_REMEMBERED:
            self._address.popitem(last=False)
        return len(self._known) > before

    def share(self, tiles: Iterable[SeenTile]) -> float:
        """Return the part of a patch that shows placeholders which its worker didn't know."""
        return sum(t.share for t in tiles if t.digest in self._known and not t.is_placeholder)

    def keep(self, file_name: str, tiles: Iterable[SeenTile]) -> None:
        """Remember what a patch that is kept is made of."""
        shares = {tile.digest: tile.share for tile in tiles if not tile.is_placeholder}
        if shares:
            self._patches[file_name] = shares
            while len(self._patches) > _MOST_REMEMBERED:
                self._patches.popitem(last=False)

    def recall(self, file_name: str, written: object) -> None:
        """Remember a patch of an earlier job, by what `written` gave for it."""
        tiles = tiles_in(written)
        self.see(tiles)
        self.keep(file_name, tiles)

    def taken_in(self, most: float) -> dict[str, float]:
        """Return the patches of which more than `most` shows placeholders, each once."""
        shares = {
            name: sum(share for digest, share in tiles.items() if digest in self._known)
            for name, tiles in self._patches.items()
        }
        found = {name: share for name, share in shares.items() if share > most}
        for name in found:
            del self._patches[name]
        return found


def written(tiles: Iterable[SeenTile]) -> dict[str, list[Any]]:
    """Return tiles as a dataset keeps them with a patch."""
    return {t.digest: [t.address, round(t.share, 4)] for t in tiles if not t.is_placeholder}


def tiles_in(document: object) -> list[SeenTile]:
    """Return the tiles that were `written`; none where it is nothing of the kind."""
    if not isinstance(document, Mapping):
        return []
    return [
        SeenTile(digest, entry[0], float(entry[1]))
        for digest, entry in document.items()
        if isinstance(entry, list) and len(entry) == 2 and isinstance(entry[1], (int, float))
    ]
