"""Coordinates as servers write them: numbers or texts, and at times neither."""

from __future__ import annotations

from .poi import Bounds

_MOST_LON, _MOST_LAT = 180.0, 90.0


def given_lonlat(lon: object, lat: object) -> tuple[float, float] | None:
    """Return longitude and latitude in degrees, None where one is none or off the globe."""
    x, y = _degrees(lon, _MOST_LON), _degrees(lat, _MOST_LAT)
    return None if x is None or y is None else (x, y)


def given_bounds(west: object, south: object, east: object, north: object) -> Bounds | None:
    """Return bounds in degrees, None where a side is none or off the globe."""
    low, high = given_lonlat(west, south), given_lonlat(east, north)
    return None if low is None or high is None else (*low, *high)


def _degrees(value: object, most: float) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    # NaN is not within anything.
    return number if abs(number) <= most else None
