"""Carrying points between an image's pixels and a CRS, there and back, past the antimeridian.

A Carrier is an affine map followed by a coordinate operation. Where an x axis closes around the
world it unrolls it, so that an image has one continuous piece of it; back in pixels every point
is the one whose forward image was given.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .crs import LONLAT, Seam, geographic_period
from .errors import FrameError
from .operation import Operation, Points, own_lonlat, seam
from .refinement import refined_inverse

_FULL_TURN = Seam(360.0, linear=True)
_AT_POLE = 1e-9
_ENOUGH_PX = 2.5e-7
# What double precision leaves of an angle on the Earth's surface after a dozen steps of PROJ:
# more than a millionth of a pixel where pixels are smaller than five centimetres.
_NOISE_M = 5e-8


@dataclass(frozen=True)
class Carrier:
    """The way between pixels and a CRS (`target_crs` None: the image CRS's own lon/lat).

    to_map, from_map: the affine part. outline (N,2), centre (1,2): of the image, in pixels.
    gsd: metres per pixel, asked for when points are first brought back.
    """

    to_map: Callable[[Points], Points]
    from_map: Callable[[Points], Points]
    operation: Operation
    image_crs: str
    target_crs: str | None
    outline: Points
    centre: Points
    gsd: Callable[[], float | None]

    def from_pixel(self, xy: Points) -> Points:
        """Return the target coordinates of pixel positions; FrameError where there are none."""
        carried = self.from_pixel_or_inf(xy)
        _refuse_lost(_finite(carried), xy, "the pixel position", self._target_name)
        return carried

    def object_from_pixel(self, xy: Points) -> Points:
        """Return `from_pixel` of one object's points, in one piece about the first of them."""
        return self.objects_from_pixel(xy, np.array([len(xy)]))

    def objects_from_pixel(self, xy: Points, counts: NDArray[np.intp]) -> Points:
        """Return the same of several objects' points, end to end; counts (M,): of each object."""
        carried = self.from_pixel(xy)
        if self._target_seam is None or self.is_linear or not len(carried):
            return carried
        # An object without points has no first one, and nothing to be turned to it.
        starts = np.minimum(np.cumsum(counts) - counts, len(carried) - 1)
        about = np.repeat(carried[starts, 0], counts)
        return _unrolled(carried, about, self._target_seam.period)

    def from_pixel_or_inf(self, xy: Points) -> Points:
        """Return the target coordinates of pixel positions, not finite where there are none."""
        image_xy = self.to_map(xy)
        if not self.operation.pipelines:
            return image_xy
        image_xy = self._not_beyond_pole(image_xy)
        carried = self.operation.forward(image_xy)
        if self.target_crs is None:
            carried = _on_earth(carried)
        if self._target_seam is None:
            return carried
        return _unrolled(carried, self._expected_x(image_xy), self._target_seam.period)

    def to_pixel(self, points: Points) -> Points:
        """Return the pixel positions whose target coordinates are `points`, within 1e-6 pixel.

        Raises FrameError, naming one point, where there is no such position.
        """
        points = self.turned_to_image(points)
        if not self.operation.pipelines:
            return self.from_map(points)
        found, good = refined_inverse(
            self.from_pixel_or_inf,
            self._roughly_to_pixel if self.operation.has_inverse else None,
            points,
            self.centre[0],
            turn=self._target_seam.period if self._target_seam else None,
            tolerance_px=self._tolerance_px,
        )
        _refuse_lost(good, points, "the point", "pixels of the image")
        return found

    @property
    def is_linear(self) -> bool:
        """Whether x of both sides are longitudes, or linear functions of them."""
        here, there = self._image_seam, self._target_seam
        return bool(here and there and here.linear and there.linear)

    @cached_property
    def _image_seam(self) -> Seam | None:
        return seam(self.image_crs)

    @cached_property
    def _target_seam(self) -> Seam | None:
        return seam(self.target_crs) if self.target_crs else _FULL_TURN

    @property
    def _target_name(self) -> str:
        return self.target_crs or "longitude and latitude"

    def _not_beyond_pole(self, image_xy: Points) -> Points:
        """Return map points with rounding beyond a pole taken back, which PROJ carries nowhere.

        90 - 900 · 0.2 is a little less than -90.
        """
        if self._pole is None:
            return image_xy
        beyond = np.abs(image_xy[:, 1]) - self._pole
        at_pole = (beyond > 0.0) & (beyond < self._pole / 90.0 * _AT_POLE)
        if not at_pole.any():
            return image_xy
        kept: Points = image_xy.copy()
        kept[at_pole, 1] = np.copysign(self._pole, kept[at_pole, 1])
        return kept

    @cached_property
    def _pole(self) -> float | None:
        """The latitude of the pole in the image's own units, None unless its y is a latitude."""
        period = geographic_period(self.image_crs)
        return period / 4.0 if period else None

    @cached_property
    def _centre_map_x(self) -> float:
        return float(self.to_map(self.centre)[0, 0])

    @cached_property
    def _centre_x(self) -> float:
        """The target's x at the image's centre, on the image's own turn around the world."""
        image_xy = self.to_map(self.centre)
        carried = self.operation.forward(image_xy)
        good = _finite(carried)
        _refuse_lost(good, image_xy, "the image's centre", self._target_name)
        if not (self.target_crs and self._keeps_longitudes):
            return float(carried[0, 0])
        # A geographic image at 190° E stays there, whatever PROJ makes of its longitudes.
        own = own_lonlat(self.image_crs).forward(image_xy)[:, 0]
        period = geographic_period(self.target_crs) or 360.0
        return float(_unrolled(carried, own * (period / 360.0), period)[0, 0])

    @property
    def _keeps_longitudes(self) -> bool:
        both = geographic_period(self.image_crs) and geographic_period(self.target_crs or LONLAT)
        return bool(both and self.is_linear)

    def _expected_x(self, image_xy: Points) -> Points:
        """Return x (N,) in the target, to within half a turn, for points of the image's CRS."""
        if self._image_seam and self._target_seam and self.is_linear:
            ratio = self._target_seam.period / self._image_seam.period
            return np.asarray(self._centre_x + ratio * (image_xy[:, 0] - self._centre_map_x))
        return np.full(len(image_xy), self._centre_x)

    def _roughly_to_pixel(self, points: Points) -> Points:
        image_xy = self.operation.backward(points)
        if self._image_seam:
            expected = np.full(len(points), self._centre_map_x)
            if self._target_seam and self.is_linear:
                ratio = self._image_seam.period / self._target_seam.period
                expected += ratio * (points[:, 0] - self._centre_x)
            image_xy = _unrolled(image_xy, expected, self._image_seam.period)
            if self._pole is not None:
                # Every longitude leads to the pole: one is as good as another, if it is the same.
                at_pole = np.abs(image_xy[:, 1]) > self._pole * (1.0 - _AT_POLE / 90.0)
                image_xy[at_pole, 0] = self._centre_map_x
        with np.errstate(invalid="ignore"):
            return self.from_map(image_xy)

    @cached_property
    def _tolerance_px(self) -> float:
        return max(_ENOUGH_PX, _NOISE_M / (self.gsd() or 1.0))

    @cached_property
    def _half_extent(self) -> float:
        """How far from the image's centre x may be before it belongs to another turn."""
        x = self.from_pixel_or_inf(self.outline)[:, 0]
        reach = np.abs(x[np.isfinite(x)] - self._centre_x)
        half_turn = abs(self._target_seam.period) / 2.0 if self._target_seam else 0.0
        return float(max(half_turn, reach.max(initial=0.0)) * (1.0 + 1e-9))

    def turned_to_image(self, points: Points) -> Points:
        """Return target points with x shifted by whole turns towards the image's centre."""
        if self._target_seam is None:
            return points
        away = np.abs(points[:, 0] - self._centre_x) > self._half_extent
        if not away.any():
            return points
        turned: Points = points.copy()
        centre = np.full(int(away.sum()), self._centre_x)
        turned[away] = _unrolled(points[away], centre, self._target_seam.period)
        return turned


def checked_points(xy: ArrayLike) -> Points:
    """Return points as (N,2) float64; FrameError for another shape or a number that is none."""
    try:
        points = np.asarray(xy, dtype=np.float64)
    except (TypeError, ValueError):
        raise FrameError("the points are not numbers", mend="give an array (N, 2)") from None
    if points.shape == (0,):
        return points.reshape(0, 2)
    if points.ndim != 2 or points.shape[1] != 2:
        raise FrameError(f"points of shape {points.shape} are no (N, 2)", mend="give x, y in rows")
    finite = _finite(points)
    if not finite.all():
        row = int(np.flatnonzero(~finite)[0])
        raise FrameError(f"the point {_shown(points[row])} is not finite", mend="leave it out")
    return points


def double_at_poles(ring: Points) -> Points:
    """Return a ring whose vertices at a pole stand twice, at their neighbours' longitudes."""
    at_pole = np.abs(np.abs(ring[:, 1]) - 90.0) < _AT_POLE
    if not at_pole.any() or at_pole.all():
        return ring
    # A closed ring that begins at the pole begins there again at its end: start elsewhere.
    start = int(np.flatnonzero(~at_pole[:-1])[0])
    vertices = np.roll(ring[:-1], -start, axis=0)
    vertices = np.vstack([vertices, vertices[:1]])
    doubled: list[Points] = [vertices[:1]]
    for before, vertex, after in zip(vertices, vertices[1:], vertices[2:], strict=False):
        if abs(abs(vertex[1]) - 90.0) < _AT_POLE:
            doubled.append(np.array([[before[0], vertex[1]], [after[0], vertex[1]]]))
        else:
            doubled.append(vertex[None])
    return np.vstack([*doubled, vertices[-1:]])


def closed_around_pole(vertices: Points, turns: int, pole: float) -> Points:
    """Return the ring of an open line (N,2) once around the world, closed over the pole."""
    lon = (vertices[:, 0] + 180.0) % 360.0 - 180.0
    start = int(np.argmin(lon) if turns > 0 else np.argmax(lon))
    line = np.vstack([vertices[start:], vertices[:start], vertices[start : start + 1]])
    line[:, 0] = np.unwrap(line[:, 0], period=360.0)
    line[:, 0] += lon[start] - line[0, 0]
    over_pole = [[line[-1, 0], pole], [line[0, 0], pole], line[0]]
    return np.vstack([line, np.array(over_pole)])


def _unrolled(points: Points, expected_x: Points, period: float) -> Points:
    """Return points with x shifted by whole periods to within half a period of `expected_x`."""
    with np.errstate(invalid="ignore"):
        turns = (expected_x - points[:, 0]) / period
        # Exactly half a turn away is near enough on either side: both edges of a world map stay.
        whole = np.where(np.abs(turns) > 0.5 + 1e-9, np.round(turns), 0.0)
    unrolled: Points = points.copy()
    far = np.isfinite(whole) & (whole != 0.0)
    unrolled[far, 0] += whole[far] * period
    return unrolled


def _on_earth(lonlat: Points) -> Points:
    """Return points with rounding beyond a pole taken back, and inf for all farther beyond."""
    beyond = np.abs(lonlat[:, 1]) - 90.0
    kept = np.where(beyond > _AT_POLE, np.inf, np.clip(lonlat[:, 1], -90.0, 90.0))
    return np.column_stack([lonlat[:, 0], kept])


def _finite(points: Points) -> NDArray[np.bool_]:
    return np.asarray(np.isfinite(points).all(axis=1))


def _refuse_lost(good: NDArray[np.bool_], points: Points, what: str, where_to: str) -> None:
    lost = np.flatnonzero(~good)
    if len(lost):
        others = f" (and {len(lost) - 1} others)" if len(lost) > 1 else ""
        raise FrameError(
            f"{what} {_shown(points[lost[0]])}{others} can't be carried to {where_to}",
            mend="check the CRS, the transform and the point: it lies outside of what they reach",
        )


def _shown(point: Points) -> str:
    return f"({point[0]:.10g}, {point[1]:.10g})"
