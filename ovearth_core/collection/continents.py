"""The continent of any point of the globe, by a coarse partition of our own."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..resources import resource

AFRICA, ANTARCTICA, ASIA, EUROPE = "Africa", "Antarctica", "Asia", "Europe"
NORTH_AMERICA, OCEANIA, SOUTH_AMERICA = "North America", "Oceania", "South America"
CONTINENTS = (AFRICA, ANTARCTICA, ASIA, EUROPE, NORTH_AMERICA, OCEANIA, SOUTH_AMERICA)

_FILE = "continents/continents.json"
_TURN = 360.0


def continent_of(lon: float, lat: float) -> str:
    """Return the one continent, of CONTINENTS, that a point in degrees of EPSG:4326 belongs to."""
    return CONTINENTS[int(continents_of([lon], [lat])[0])]


def continents_of(lon: ArrayLike, lat: ArrayLike) -> NDArray[np.intp]:
    """Return for points (N,) in degrees of EPSG:4326 the numbers (N,) of their continents.

    Numbers are places in CONTINENTS. Every point has exactly one: the first ring that holds it
    decides, and the last one holds all. Longitudes are taken around the world.
    """
    x = np.mod(np.asarray(lon, dtype=np.float64) + 180.0, _TURN) - 180.0
    y = np.asarray(lat, dtype=np.float64)
    found = np.full(len(x), -1, dtype=np.intp)
    for ring in _rings():
        left = np.flatnonzero(found < 0)
        if not len(left):
            break
        found[left[ring.holds(x[left], y[left])]] = ring.continent
    return found


@dataclass(frozen=True)
class _Ring:
    """A ring (N,2) of longitudes and latitudes, not closed, and its continent's number."""

    continent: int
    points: NDArray[np.float64]

    def holds(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Return for points (N,) whether the ring holds them, seen from any turn of the world."""
        west, east = self.points[:, 0].min(), self.points[:, 0].max()
        held = np.zeros(len(x), dtype=np.bool_)
        for turn in (0.0, _TURN):
            if west <= 180.0 + turn and east >= turn - 180.0:
                held |= self._holds(x + turn, y)
        return held

    def _holds(self, x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.bool_]:
        # Counting the edges crossed on the way east. An edge holds its lower end and not its upper
        # one, so that a ray through a corner counts once.
        odd = np.zeros(len(x), dtype=np.bool_)
        for (x1, y1), (x2, y2) in zip(self.points, np.roll(self.points, -1, axis=0), strict=True):
            if y1 == y2:
                continue
            crosses = (y1 <= y) != (y2 <= y)
            odd ^= crosses & (x < x1 + (y - y1) * (x2 - x1) / (y2 - y1))
        return odd


@cache
def _rings() -> tuple[_Ring, ...]:
    document = json.loads(resource(_FILE).read_text(encoding="utf-8"))
    return tuple(
        _Ring(CONTINENTS.index(ring["continent"]), np.array(ring["ring"], dtype=np.float64))
        for ring in document["rings"]
    )
