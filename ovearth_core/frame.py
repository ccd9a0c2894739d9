"""ImageFrame: where an image lies, as a CRS, an affine transform and a size in pixels.

Pixel coordinates are continuous: (0, 0) is the upper-left corner of the upper-left pixel, x runs
right, y down. Map coordinates are easting or longitude first, whatever the CRS's axis order.
Longitudes run on past ±180 where an image lies across the antimeridian; so does the x axis of
world Mercators and other equatorial cylinders.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike

from .carrying import Carrier, checked_points, closed_around_pole, double_at_poles
from .crs import LONLAT, ellipsoid_axes, read_crs, same_crs
from .errors import FrameError
from .ground import GroundFrame, GroundFrames, geodesic_lengths_m
from .operation import (
    NO_OPERATION,
    Area,
    Operation,
    Points,
    choose_operation,
    own_lonlat,
    recorded_operation,
)

Transform = tuple[float, float, float, float, float, float]

_HOW_TO_GEOREFERENCE = "georeference the image (gdal_edit.py, or QGIS's Georeferencer)"
_SINGULAR = 1e-12
# Degrees: a tenth of a metre, more than rounding in any file's transform.
_BEYOND_POLE = 1e-6
# No two datums lie so far apart; another zone, or radians for degrees, does.
_FARTHEST_DATUM_SHIFT_M = 10_000.0


@dataclass(frozen=True)
class ImageFrame:
    """An image's CRS (EPSG:code, WKT or PROJ string), transform, and size in pixels.

    transform: a, b, c, d, e, f with X = a·x + b·y + c, Y = d·x + e·y + f; any affine one that
    can be inverted. operation: the PROJ string, in x/y order, that was recorded as the way from
    the image's CRS to EPSG:4326. crs, transform and operation may be None. Points go in as
    (N,2) and come out as (N,2) float64. Raises FrameError for what is none of these.
    """

    crs: str | None
    transform: Transform | None
    width: int
    height: int
    operation: str | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "width", _checked_size("width", self.width))
        object.__setattr__(self, "height", _checked_size("height", self.height))
        if self.transform is not None:
            object.__setattr__(self, "transform", _checked_transform(self.transform))
        if self.crs is not None:
            read_crs(self.crs)
        if self.operation is not None:
            if self.crs is None:
                raise FrameError(
                    "there is an operation but no CRS", mend="give the CRS, or no operation"
                )
            recorded_operation(self.operation)

    def pixel_to_map(self, xy: ArrayLike) -> Points:
        """Return the coordinates in the image's CRS (or bare plane) of points in pixels."""
        return _applied(self._placed(), checked_points(xy))

    def map_to_pixel(self, xy: ArrayLike, crs: str | None = None) -> Points:
        """Return the pixel coordinates of map points, in the image's CRS or in another one.

        From another CRS the way is `operation_to(crs)`, inverted by refinement, so that
        `pixel_to_crs` leads back within 1e-6 pixel. x is first shifted by whole turns of the
        world towards the image where it is more than half a turn away from its centre.
        """
        transform = self._placed()
        points = checked_points(xy)
        if self.crs is None and crs is None:
            return _unapplied(transform, points)
        return self._carrier(self._located() if crs is None else crs).to_pixel(points)

    def pixel_to_crs(self, xy: ArrayLike, crs: str) -> Points:
        """Return the coordinates in another CRS of points in pixels, by `operation_to(crs)`."""
        return self._carrier(crs).from_pixel(checked_points(xy))

    def points_near(self, xy: Points, crs: str | None = None) -> Points:
        """Return points of the image's CRS or another one, each turned to the image."""
        return self._carrier(crs or self._located()).turned_to_image(xy)

    def object_to_crs(self, xy: ArrayLike, crs: str) -> Points:
        """Return `pixel_to_crs` of one object's points, its own longitudes in one piece.

        With a pole in the image, the seam opposite of the image's centre may cross the object.
        """
        return self._carrier(crs).object_from_pixel(checked_points(xy))

    def objects_to_crs(self, objects: Sequence[Points], crs: str) -> list[Points]:
        """Return `object_to_crs` of many objects (N,2), carried in one go, to the same bits."""
        if not objects:
            return []
        counts = np.array([len(points) for points in objects])
        xy = checked_points(np.concatenate(list(objects)))
        carried = self._carrier(crs).objects_from_pixel(xy, counts)
        return np.split(carried, np.cumsum(counts)[:-1])

    def boxes_near(self, boxes: Points, crs: str | None = None) -> Points:
        """Return boxes (N,4) of the image's CRS or another one, turned to the image.

        xmin and xmax are shifted together by whole turns of the world where a box's middle is
        more than half a turn away from the image's centre, as `map_to_pixel` does with points.
        """
        middles = (boxes[:, :2] + boxes[:, 2:]) / 2.0
        turned = self._carrier(self._located() if crs is None else crs).turned_to_image(middles)
        shift = turned[:, :1] - middles[:, :1]
        return np.column_stack(
            [boxes[:, :1] + shift, boxes[:, 1:2], boxes[:, 2:3] + shift, boxes[:, 3:]]
        )

    def pixel_to_lonlat(self, xy: ArrayLike) -> Points:
        """Return longitude and latitude (EPSG:4326, degrees) of points in pixels."""
        return self.pixel_to_crs(xy, LONLAT)

    def lonlat_to_pixel(self, xy: ArrayLike) -> Points:
        """Return the pixel coordinates of longitudes and latitudes (EPSG:4326, degrees)."""
        return self.map_to_pixel(xy, LONLAT)

    def operation_to(self, crs: str) -> Operation:
        """Return the operation used between the image's CRS and another one.

        None for equal CRSs; the recorded one for EPSG:4326, and by way of EPSG:4326 for others;
        without one, the best that needs no grid for the place of the image.
        """
        return _operation(self, crs)

    def ground(self, about: ArrayLike | None = None) -> GroundFrame:
        """Return the local metric frame about a pixel position (2,), the image's centre if None.

        It lies on the ellipsoid of the image's CRS, without any datum shift.
        """
        place = self._centre() if about is None else checked_points(np.asarray(about)[None])
        lon, lat = self._own_carrier().from_pixel(place)[0]
        return GroundFrame(float(lon), float(lat), *ellipsoid_axes(self._located()))

    def pixel_to_ground(self, xy: ArrayLike, about: ArrayLike | None = None) -> Points:
        """Return metres east and north of the pixel position `about` of points in pixels.

        about: (2,), or (N,2) with a position of its own for each point.
        """
        lonlat = self._own_carrier().from_pixel(checked_points(xy))
        return self._grounds(about).from_lonlat(lonlat)

    def ground_to_pixel(self, en: ArrayLike, about: ArrayLike | None = None) -> Points:
        """Return the pixel coordinates of points in metres east and north of `about`.

        about: as for `pixel_to_ground`.
        """
        return self._own_carrier().to_pixel(self._grounds(about).to_lonlat(checked_points(en)))

    def _grounds(self, about: ArrayLike | None) -> GroundFrame | GroundFrames:
        if about is None or np.ndim(about) < 2:
            return self.ground(about)
        centres = self._own_carrier().from_pixel(checked_points(about))
        return GroundFrames(centres, *ellipsoid_axes(self._located()))

    def own_lonlat(self, xy: ArrayLike) -> Points:
        """Return longitude and latitude, in degrees on the datum of the image's CRS, of pixels."""
        return self._own_carrier().from_pixel(checked_points(xy))

    def geodesics_m(self, start: Points, end: Points) -> Points:
        """Return the lengths (N,) in metres between points (N,2) of `own_lonlat`."""
        return geodesic_lengths_m(start, end, *ellipsoid_axes(self._located()))

    def gsd(self) -> float | None:
        """Return the root of the ground area of the centre pixel, in metres.

        By geodesics between the midpoints of opposite pixel edges on the ellipsoid of the CRS,
        so that it is true in every projection, at the poles and across the antimeridian.
        None without a CRS or a transform.
        """
        if self.crs is None or self.transform is None:
            return None
        half = np.array([[-0.5, 0.0], [0.5, 0.0], [0.0, -0.5], [0.0, 0.5]])
        middles = self._own_carrier().from_pixel(self._centre() + half)
        across, down = geodesic_lengths_m(middles[::2], middles[1::2], *ellipsoid_axes(self.crs))
        # Azimuths turn along a geodesic near a pole; seen from the centre they can be compared.
        left, right, top, bottom = self.ground().from_lonlat(middles)
        (u, v), (s, t) = right - left, bottom - top
        sine = abs(u * t - v * s) / (np.hypot(u, v) * np.hypot(s, t))
        return float(np.sqrt(across * down * sine))

    def footprint(self, densify: int = 16) -> Points:
        """Return the image's outline as a closed ring (M,2) of EPSG:4326 longitudes, latitudes.

        Each edge has `densify` segments, in the order upper-left, upper-right, lower-right,
        lower-left. Longitudes are continuous, past ±180 across the antimeridian. With a pole
        inside, the ring goes once around the world and closes over the pole by two vertices at
        latitude ±90; it then begins at its westernmost or easternmost vertex. Raises FrameError
        for an image that reaches beyond a pole, as a wrong transform in degrees does.
        """
        if densify < 1:
            raise FrameError(f"an edge can't have {densify} segments", mend="give 1 or more")
        carrier = self._carrier(LONLAT)
        ring = carrier.from_pixel(_outline(self.width, self.height, densify))
        _check_on_earth(ring)
        if carrier.is_linear:
            return ring
        ring = double_at_poles(ring)
        ring[:, 0] = np.unwrap(ring[:, 0], period=360.0)
        turns = round((ring[-1, 0] - ring[0, 0]) / 360.0)
        if turns == 0:
            return ring
        return closed_around_pole(ring[:-1], turns, self._pole_inside(carrier, ring))

    def _pole_inside(self, carrier: Carrier, ring: Points) -> float:
        for pole in (90.0, -90.0):
            try:
                x, y = carrier.to_pixel(np.array([[ring[0, 0], pole]]))[0]
            except FrameError:
                continue
            if 0.0 <= x <= self.width and 0.0 <= y <= self.height:
                return pole
        return float(np.copysign(90.0, ring[:, 1].mean()))

    def _placed(self) -> Transform:
        if self.transform is None:
            raise FrameError("the image has no transform", mend=_HOW_TO_GEOREFERENCE)
        return self.transform

    def _located(self) -> str:
        self._placed()
        if self.crs is None:
            raise FrameError("the image has no CRS", mend=_HOW_TO_GEOREFERENCE)
        return self.crs

    def _centre(self) -> Points:
        return np.array([[self.width / 2.0, self.height / 2.0]])

    def _carrier(self, crs: str) -> Carrier:
        self._located()
        return _carrier(self, crs)

    def _own_carrier(self) -> Carrier:
        self._located()
        return _own_carrier(self)


def _checked_size(name: str, value: int) -> int:
    try:
        size = 0 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        size = 0
    if size < 1:
        raise FrameError(
            f"the {name} {value!r} is not a positive whole number", mend="give it in pixels"
        )
    return size


def _checked_transform(values: Sequence[float]) -> Transform:
    what = f"the transform {values!r}"
    try:
        a, b, c, d, e, f = (float(value) for value in values)
    except (TypeError, ValueError):
        raise FrameError(f"{what} is not six numbers", mend="give [a, b, c, d, e, f]") from None
    if not all(map(isfinite, (a, b, c, d, e, f))):
        raise FrameError(f"{what} is not finite", mend=_HOW_TO_GEOREFERENCE)
    if abs(a * e - b * d) <= _SINGULAR * (abs(a * e) + abs(b * d)):
        raise FrameError(f"{what} is singular: pixels without area", mend=_HOW_TO_GEOREFERENCE)
    return a, b, c, d, e, f


def _applied(transform: Transform, xy: Points) -> Points:
    a, b, c, d, e, f = transform
    x, y = xy[:, 0], xy[:, 1]
    return np.column_stack([a * x + b * y + c, d * x + e * y + f])


def _unapplied(transform: Transform, xy: Points) -> Points:
    a, b, c, d, e, f = transform
    # The origin first: map coordinates have seven digits before the point, pixels need nine after.
    u, v = xy[:, 0] - c, xy[:, 1] - f
    determinant = a * e - b * d
    return np.column_stack([(e * u - b * v) / determinant, (a * v - d * u) / determinant])


def _check_on_earth(lonlat: Points) -> None:
    farthest = float(lonlat[np.argmax(np.abs(lonlat[:, 1])), 1])
    if abs(farthest) > 90.0 + _BEYOND_POLE:
        raise FrameError(
            f"the image reaches latitude {farthest:.7g}, beyond the pole",
            mend="check its transform (gdalinfo), or cut it at the pole (gdalwarp -te)",
        )


def _outline(width: int, height: int, segments: int) -> Points:
    """Return the closed outline (4·segments + 1, 2) of an image, in pixels."""
    part = np.arange(segments)[:, None] / segments
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height], [0, 0]], dtype=float)
    edges = [start + part * (end - start) for start, end in itertools.pairwise(corners)]
    return np.vstack([*edges, corners[:1]])


@lru_cache(maxsize=512)
def _carrier(frame: ImageFrame, crs: str) -> Carrier:
    return _carrier_by(frame, _operation(frame, crs), crs)


@lru_cache(maxsize=512)
def _own_carrier(frame: ImageFrame) -> Carrier:
    return _carrier_by(frame, own_lonlat(frame._located()), None)


def _carrier_by(frame: ImageFrame, operation: Operation, crs: str | None) -> Carrier:
    transform = frame._placed()
    return Carrier(
        to_map=lambda xy: _applied(transform, xy),
        from_map=lambda xy: _unapplied(transform, xy),
        operation=operation,
        image_crs=frame._located(),
        target_crs=crs,
        outline=_outline(frame.width, frame.height, 8),
        centre=frame._centre(),
        gsd=frame.gsd,
    )


@lru_cache(maxsize=512)
def _operation(frame: ImageFrame, crs: str) -> Operation:
    own = frame._located()
    if same_crs(own, crs):
        return NO_OPERATION
    if frame.operation is None:
        return choose_operation(own, crs, _area(frame))
    recorded = recorded_operation(frame.operation)
    _check_fit(frame, recorded)
    if same_crs(crs, LONLAT):
        return recorded
    return recorded.then(choose_operation(LONLAT, crs, _area(frame)))


def _check_fit(frame: ImageFrame, recorded: Operation) -> None:
    """Refuse a recorded operation that sends the image to another part of the world."""
    centre = frame._centre()
    here = _own_carrier(frame).from_pixel(centre)
    there = recorded.forward(frame.pixel_to_map(centre))
    what = "its result is no longitude and latitude"
    if np.isfinite(there).all() and abs(there[0, 1]) <= 90.0:
        distance = geodesic_lengths_m(here, there, *ellipsoid_axes(frame._located()))[0]
        if distance <= _FARTHEST_DATUM_SHIFT_M:
            return
        what = f"it moves the image by {distance / 1000.0:.0f} km"
    raise FrameError(
        f"the recorded operation doesn't fit the CRS {frame.crs}: {what} ({frame.operation})",
        mend="record the operation from the image's CRS to EPSG:4326 in degrees, or null",
    )


def _area(frame: ImageFrame) -> Area | None:
    """Return west, south, east, north of the image in degrees, None where it spans the world."""
    outline = _outline(frame.width, frame.height, 8)
    lon, lat = _own_carrier(frame).from_pixel_or_inf(outline).T
    good = np.isfinite(lon) & np.isfinite(lat)
    if not good.any():
        return None
    west, east = float(lon[good].min()), float(lon[good].max())
    south, north = max(float(lat[good].min()), -90.0), min(float(lat[good].max()), 90.0)
    if east - west > 180.0 or south > north:
        return None
    return _within_world(west), south, _within_world(east), north


def _within_world(longitude: float) -> float:
    return (longitude + 180.0) % 360.0 - 180.0 if abs(longitude) > 180.0 else longitude
