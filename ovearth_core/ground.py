"""A local metric frame about one place on the ground: lengths in metres, azimuths from true north.

The frame is the azimuthal equidistant projection about that place on a given ellipsoid, computed
by geodesics (what PROJ calls aeqd): x metres east, y metres north; distances and azimuths from
the centre are exact, and across an object of a few kilometres lengths are true to about 1e-8.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from pyproj import Geod

Points = NDArray[np.float64]


@lru_cache(maxsize=64)
def _geod(semi_major_m: float, semi_minor_m: float) -> Geod:
    # Safe to share between threads: a Geod is read-only once made.
    from pyproj import Geod

    return Geod(a=semi_major_m, b=semi_minor_m)


@dataclass(frozen=True)
class GroundFrame:
    """Metres east and north of (lon, lat), in degrees, on an ellipsoid given by its axes."""

    lon: float
    lat: float
    semi_major_m: float
    semi_minor_m: float

    def from_lonlat(self, lonlat: Points) -> Points:
        """Return metres east and north (N,2) of points in degrees of longitude and latitude."""
        return self._frames(len(lonlat)).from_lonlat(lonlat)

    def to_lonlat(self, ground: Points) -> Points:
        """Return longitude and latitude in degrees (N,2) of points in metres east and north."""
        return self._frames(len(ground)).to_lonlat(ground)

    def _frames(self, count: int) -> GroundFrames:
        centres = np.column_stack([np.full(count, self.lon), np.full(count, self.lat)])
        return GroundFrames(centres, self.semi_major_m, self.semi_minor_m)


@dataclass(frozen=True, eq=False)
class GroundFrames:
    """A frame for each of N points: `centres` (N,2) in degrees, on one ellipsoid."""

    centres: Points
    semi_major_m: float
    semi_minor_m: float

    def from_lonlat(self, lonlat: Points) -> Points:
        """Return metres east and north (N,2) of points in degrees, each in its own frame."""
        geod = _geod(self.semi_major_m, self.semi_minor_m)
        centre_lon, centre_lat = np.ascontiguousarray(self.centres.T)
        azimuth, _, distance = geod.inv(centre_lon, centre_lat, lonlat[:, 0], lonlat[:, 1])
        bearing = np.radians(azimuth)
        return np.column_stack([distance * np.sin(bearing), distance * np.cos(bearing)])

    def to_lonlat(self, ground: Points) -> Points:
        """Return longitude and latitude in degrees (N,2) of points, each in its own frame."""
        centre_lon, centre_lat = np.ascontiguousarray(self.centres.T)
        azimuth = np.degrees(np.arctan2(ground[:, 0], ground[:, 1]))
        distance = np.hypot(ground[:, 0], ground[:, 1])
        geod = _geod(self.semi_major_m, self.semi_minor_m)
        lon, lat, _ = geod.fwd(centre_lon, centre_lat, azimuth, distance)
        return np.column_stack([lon, lat])


def geodesic_lengths_m(
    start: Points, end: Points, semi_major_m: float, semi_minor_m: float
) -> NDArray[np.float64]:
    """Return the lengths (N,) in metres of the geodesics between lon/lat points (N,2)."""
    geod = _geod(semi_major_m, semi_minor_m)
    _, _, distance = geod.inv(start[:, 0], start[:, 1], end[:, 0], end[:, 1])
    return np.asarray(distance, dtype=np.float64)


def azimuths_deg(start: Points, end: Points) -> NDArray[np.float64]:
    """Return the directions (N,) of the lines between points (N,2) of one ground frame.

    In degrees clockwise from true north at the frame's centre, in [0, 180): a line has no sense.
    """
    azimuth = np.degrees(np.arctan2(end[:, 0] - start[:, 0], end[:, 1] - start[:, 1])) % 180.0
    return np.asarray(np.where(azimuth >= 180.0, 0.0, azimuth))
