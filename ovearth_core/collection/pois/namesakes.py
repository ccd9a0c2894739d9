"""Things that are mapped twice: as a point, and as an outline of the same name around it."""

from __future__ import annotations

from math import floor
from typing import Generic, TypeVar

from .poi import Bounds

NameT = TypeVar("NameT")
_Key = tuple[int | None, str, int, int]

# Degrees. What is larger than a few cells is no single thing: a point in it is another one.
_CELL = 0.05
_COLUMNS = round(360.0 / _CELL)
_MOST_CELLS = 16


class Namesakes(Generic[NameT]):
    """Places with a name, by category, and whether a new one is one of them mapped again.

    Places without a name, two points, and two outlines are never the same by this rule.
    """

    def __init__(self) -> None:
        self._points: dict[_Key, list[tuple[float, float, NameT]]] = {}
        self._outlines: dict[_Key, list[tuple[Bounds, NameT]]] = {}

    def add(
        self,
        category: int | None,
        name: str | None,
        place: tuple[float, float],
        bounds: Bounds | None,
        label: NameT,
    ) -> None:
        """Take a place (lon, lat) with its bounds, None for a point, all in degrees."""
        for key in _keys(category, name, place, bounds):
            if bounds is None:
                self._points.setdefault(key, []).append((*place, label))
            else:
                self._outlines.setdefault(key, []).append((bounds, label))

    def same(
        self,
        category: int | None,
        name: str | None,
        place: tuple[float, float],
        bounds: Bounds | None,
    ) -> NameT | None:
        """Return the label of a place taken that is the same thing, None where there is none."""
        for key in _keys(category, name, place, bounds):
            if bounds is None:
                for outline, label in self._outlines.get(key, ()):
                    if _holds(outline, *place):
                        return label
            else:
                for lon, lat, label in self._points.get(key, ()):
                    if _holds(bounds, lon, lat):
                        return label
        return None


def _keys(
    category: int | None, name: str | None, place: tuple[float, float], bounds: Bounds | None
) -> list[_Key]:
    if not name:
        return []
    if bounds is None:
        lon, lat = place
        return [(category, name, floor(lon / _CELL) % _COLUMNS, floor(lat / _CELL))]
    west, south, east, north = bounds
    turn = 360.0 if west > east else 0.0
    columns = range(floor(west / _CELL), floor((east + turn) / _CELL) + 1)
    rows = range(floor(south / _CELL), floor(north / _CELL) + 1)
    if len(columns) * len(rows) > _MOST_CELLS:
        return []
    return [(category, name, column % _COLUMNS, row) for column in columns for row in rows]


def _holds(bounds: Bounds, lon: float, lat: float) -> bool:
    west, south, east, north = bounds
    within = west <= lon <= east if west <= east else lon >= west or lon <= east
    return within and south <= lat <= north
