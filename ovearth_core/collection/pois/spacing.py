"""Which of the places taken so far are too close to another, in true metres, anywhere on Earth."""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from math import cos, floor, inf, radians, sin, sqrt
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from pyproj import Geod

NameT = TypeVar("NameT")
_Point = tuple[float, float, float]
_Cell = tuple[int, int, int]

_MAJOR_M = 6378137.0
_FLATTENING = 1.0 / 298.257223563
_ECCENTRICITY_2 = _FLATTENING * (2.0 - _FLATTENING)
# So that rounding never puts two near points into cells that don't touch.
_MARGIN = 1.0 + 1e-6
# A cell's side in spacings: most places then have all that is near in one or two cells.
_CELLS = 8.0


class Spacing(Generic[NameT]):
    """Places of WGS 84, each with a name, and whether a new one is nearer than `least_m` to one.

    Distances are geodesics. Places are found by cells of a cube about the Earth: a chord is never
    longer than its geodesic, so that every near place lies in the cell or one that touches it,
    near the poles and across ±180 as elsewhere.
    """

    def __init__(self, least_m: float) -> None:
        from pyproj import Geod

        self._least_m = least_m
        self._side_m = max(least_m, 1.0) * _CELLS
        self._geod: Geod = Geod(ellps="WGS84")
        self._cells: dict[_Cell, list[tuple[float, float, _Point, NameT]]] = {}

    def add(self, lon: float, lat: float, name: NameT) -> None:
        """Take a place."""
        if self._least_m <= 0.0:
            return
        point = _earth_centred(lon, lat)
        self._cells.setdefault(self._cell(point), []).append((lon, lat, point, name))

    def nearest(self, lon: float, lat: float) -> tuple[float, NameT] | None:
        """Return the distance in metres and the name of the nearest place that is too close."""
        if self._least_m <= 0.0:
            return None
        point = _earth_centred(lon, lat)
        best: tuple[float, NameT] | None = None
        for other_lon, other_lat, other, name in self._around(point):
            if _chord_m(point, other) > self._least_m * _MARGIN:
                continue
            _, _, distance = self._geod.inv(lon, lat, other_lon, other_lat)
            if distance < min(self._least_m, inf if best is None else best[0]):
                best = (float(distance), name)
        return best

    def _around(self, point: _Point) -> list[tuple[float, float, _Point, NameT]]:
        x, y, z = point
        side, reach = self._side_m, self._least_m * _MARGIN
        low = floor((x - reach) / side), floor((y - reach) / side), floor((z - reach) / side)
        high = floor((x + reach) / side), floor((y + reach) / side), floor((z + reach) / side)
        if low == high:
            return self._cells.get(low, [])
        cells = self._cells
        found: list[tuple[float, float, _Point, NameT]] = []
        for cell in product(*(range(a, b + 1) for a, b in zip(low, high, strict=True))):
            if cell in cells:
                found += cells[cell]
        return found

    def _cell(self, point: _Point) -> _Cell:
        x, y, z = point
        return floor(x / self._side_m), floor(y / self._side_m), floor(z / self._side_m)


# A place is asked about for its neighbours, and then added.
@lru_cache(maxsize=16)
def _earth_centred(lon: float, lat: float) -> _Point:
    """Return X, Y, Z in metres of a point on the ellipsoid of WGS 84."""
    phi, lam = radians(lat), radians(lon)
    up = sin(phi)
    radius = _MAJOR_M / sqrt(1.0 - _ECCENTRICITY_2 * up * up)
    out = radius * cos(phi)
    return out * cos(lam), out * sin(lam), radius * (1.0 - _ECCENTRICITY_2) * up


def _chord_m(first: _Point, second: _Point) -> float:
    (x, y, z), (u, v, w) = first, second
    return sqrt((x - u) ** 2 + (y - v) ** 2 + (z - w) ** 2)
