"""Where to search: an extent with its CRS, as boxes of longitude and latitude."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, isfinite, nextafter

from ...crs import LONLAT, same_crs
from ...errors import UsageError
from .poi import wrapped_longitude

_ORDER = "write --bbox WEST SOUTH EAST NORTH"
_ROUNDING_DEG = 1e-9
_SMALLEST_DEG = 1e-9


@dataclass(frozen=True)
class Box:
    """West, south, east, north in degrees of EPSG:4326; west < east, within [-180, 180]."""

    west: float
    south: float
    east: float
    north: float

    @property
    def as_tuple(self) -> tuple[float, float, float, float]:
        """(west, south, east, north)."""
        return self.west, self.south, self.east, self.north

    @property
    def side_deg(self) -> float:
        """The longer side."""
        return max(self.east - self.west, self.north - self.south)

    def contains(self, lon: float, lat: float) -> bool:
        """Whether the point, longitude in [-180, 180], is in it or on its edge."""
        return self.west <= lon <= self.east and self.south <= lat <= self.north

    def pieces(self, longest_deg: float) -> Iterator[Box]:
        """Yield equal boxes that fill it, none longer than that, row by row from the south-west."""
        columns, rows = self._columns_and_rows(longest_deg)
        lons = _steps(self.west, self.east, columns)
        lats = _steps(self.south, self.north, rows)
        for south, north in pairwise(lats):
            for west, east in pairwise(lons):
                yield Box(west, south, east, north)

    def count_pieces(self, longest_deg: float) -> int:
        """Return how many `pieces` there are."""
        columns, rows = self._columns_and_rows(longest_deg)
        return columns * rows

    def _columns_and_rows(self, longest_deg: float) -> tuple[int, int]:
        columns = max(1, ceil((self.east - self.west) / longest_deg))
        return columns, max(1, ceil((self.north - self.south) / longest_deg))

    def quarters(self) -> Iterator[Box]:
        """Yield its four quarters."""
        lon, lat = (self.west + self.east) / 2.0, (self.south + self.north) / 2.0
        yield Box(self.west, self.south, lon, lat)
        yield Box(lon, self.south, self.east, lat)
        yield Box(self.west, lat, lon, self.north)
        yield Box(lon, lat, self.east, self.north)


@dataclass(frozen=True)
class Area:
    """One box, or two where the extent is across ±180."""

    boxes: tuple[Box, ...]

    @property
    def bounds(self) -> tuple[float, float, float, float]:
        """(west, south, east, north), west > east across ±180."""
        first, last = self.boxes[0], self.boxes[-1]
        return first.west, first.south, last.east, first.north

    def contains(self, lon: float, lat: float) -> bool:
        """Whether the point, in degrees of EPSG:4326, is in it or on its edge."""
        lon = wrapped_longitude(lon)
        if any(box.contains(lon, lat) for box in self.boxes):
            return True
        # -180 is 180 too.
        return lon == -180.0 and any(box.contains(180.0, lat) for box in self.boxes)


def area_of(
    west: float, south: float, east: float, north: float, crs: str = LONLAT, *, wide: bool = False
) -> Area:
    """Return the area of an extent in a CRS (x first), for searching.

    In EPSG:4326, west > east means across ±180. Raises UsageError for an extent that is none, one
    off the globe, and one wider than 180° unless `wide`; FrameError for an unknown CRS.
    """
    given = (west, south, east, north)
    if not all(map(isfinite, given)):
        raise UsageError("a bound that is no number", f"--bbox {_shown(given)}", _ORDER)
    if not same_crs(crs, LONLAT):
        given = _in_lonlat(given, crs)
    return Area(tuple(_boxes(given, wide)))


def area_on_map(west: float, south: float, east: float, north: float, crs: str) -> Area:
    """Return so much of the world as is in a rectangle of a map in a CRS (x first), however wide.

    A map shows more than there is: longitudes run on past ±180, and what is around the world is in
    no CRS's area of use. Raises as `area_of`.
    """
    sides = (west, south, east, north)
    if not all(map(isfinite, sides)):
        return area_of(*sides, crs, wide=True)
    if same_crs(crs, LONLAT):
        south, north = max(south, -90.0), min(north, 90.0)
        if east - west >= 360.0:
            return area_of(-180.0, south, 180.0, north, wide=True)
        start = wrapped_longitude(west)
        start -= 360.0 if start > 0.0 else 0.0
        return area_of(start, south, start + east - west, north, wide=True)
    clipped, is_of_world = _in_use(sides, crs)
    if is_of_world:
        return area_of(*clipped, crs, wide=True)
    try:
        return area_of(*sides, crs, wide=True)
    except UsageError:
        return area_of(*clipped, crs, wide=True)


def _in_use(
    sides: tuple[float, float, float, float], crs: str
) -> tuple[tuple[float, float, float, float], bool]:
    """Return a rectangle within its CRS's area of use, and whether that is around the world.

    Its sides as they are where PROJ knows no such area, or can't carry it.
    """
    from pyproj import Transformer
    from pyproj.exceptions import ProjError

    from ...crs import read_crs

    known = read_crs(crs)
    use = known.area_of_use
    if use is None:
        return sides, False
    try:
        forward = Transformer.from_crs(LONLAT, known, always_xy=True)
        limits = forward.transform_bounds(*use.bounds, densify_pts=101)
    except ProjError:
        return sides, False
    if not all(map(isfinite, limits)):
        return sides, False
    is_of_world = use.east - use.west >= 360.0
    west, south, east, north = sides
    if not is_of_world or east - west >= limits[2] - limits[0]:
        west, east = max(west, limits[0]), min(east, limits[2])
    return (west, max(south, limits[1]), east, min(north, limits[3])), is_of_world


def _boxes(bounds: tuple[float, float, float, float], wide: bool) -> Iterator[Box]:
    west, south, east, north = bounds
    where = f"--bbox {_shown(bounds)}"
    if not (-90.0 <= south <= 90.0 and -90.0 <= north <= 90.0):
        raise UsageError("a latitude beyond ±90", where, _ORDER)
    if not (-360.0 <= west <= 360.0 and -360.0 <= east <= 360.0):
        raise UsageError("a longitude beyond ±360", where, _ORDER)
    if south >= north:
        raise UsageError("its south is not below its north", where, _ORDER)
    width = east - west if east > west else east - west + 360.0
    if abs(east - west) < _SMALLEST_DEG or not 0.0 < width <= 360.0:
        raise UsageError("its west and east don't make a box", where, _ORDER)
    if width > 180.0 and not wide:
        what, mend = f"a box {width:g}° wide", "add --wide if it is meant"
        if west > east:
            what += ", because its west > east means that it crosses ±180"
            mend = f"swap west and east, or {mend}"
        elif width < 360.0:
            mend += f", or write --bbox {east:g} {south:g} {west:g} {north:g} for the other side"
        raise UsageError(what, where, mend)
    if width == 360.0:
        yield Box(-180.0, south, 180.0, north)
        return
    start = wrapped_longitude(west)
    end = start + width
    yield Box(start, south, min(end, 180.0), north)
    if end > nextafter(180.0, 181.0):
        yield Box(-180.0, south, end - 360.0, north)


def _in_lonlat(
    bounds: tuple[float, float, float, float], crs: str
) -> tuple[float, float, float, float]:
    """Return the bounds in EPSG:4326 of an extent in another CRS, its edges followed closely."""
    from pyproj import Transformer
    from pyproj.exceptions import ProjError

    from ...crs import read_crs

    west, south, east, north = bounds
    where = f"--bbox {_shown(bounds)} in {crs}"
    if south >= north or west >= east:
        raise UsageError("an extent without area", where, _ORDER)
    try:
        transformer = Transformer.from_crs(read_crs(crs), LONLAT, always_xy=True)
        found = transformer.transform_bounds(*bounds, densify_pts=101)
    except ProjError as fault:
        raise UsageError(f"can't be carried to EPSG:4326 ({fault})", where, _ORDER) from None
    if not all(map(isfinite, found)):
        raise UsageError("can't be carried to EPSG:4326", where, "check the extent and its CRS")
    return _on_the_globe(found)


def _on_the_globe(
    bounds: tuple[float, float, float, float],
) -> tuple[float, float, float, float]:
    """Return carried bounds without what rounding adds beyond ±180 and ±90 in newer PROJs."""
    west, south, east, north = bounds
    if -180.0 - _ROUNDING_DEG <= west <= -180.0:
        west = -180.0
    if 180.0 <= east <= 180.0 + _ROUNDING_DEG:
        east = 180.0
    if -90.0 - _ROUNDING_DEG <= south <= -90.0:
        south = -90.0
    if 90.0 <= north <= 90.0 + _ROUNDING_DEG:
        north = 90.0
    return west, south, east, north


def _steps(start: float, end: float, number: int) -> list[float]:
    inner = [start + (end - start) * step / number for step in range(1, number)]
    return [start, *inner, end]


def _shown(bounds: tuple[float, ...]) -> str:
    return " ".join(f"{bound:g}" for bound in bounds)
