"""Shapes that can't be what somebody meant: broken, crossing themselves, too thin, outside."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..benchmark.model import Image, Instance
from ..benchmark.truth import outline, outline_points
from ..errors import OVEarthError
from ..geometry import Polygon, Runs, envelope
from ..geometry.validity import parts_left, validity_fault
from .finding import Finding
from .scope import Scope

# What a trip through longitude and latitude may leave of a vertex on the edge, in pixels.
_EDGE = 1e-5
_THIN_PX = 1.0
_THIN_SHAPE = 0.2


def outlines(scope: Scope) -> Iterator[Finding]:
    """Find what is wrong with each instance's own shape."""
    for instance in scope.benchmark.instances:
        image = scope.benchmark.image_by_id[instance.image_id]
        try:
            shape = outline(instance, image)
            points = outline_points(shape)
            runs = shape
            if isinstance(shape, list):
                runs = Runs.from_rings(shape, image.height, image.width)
        except OVEarthError as fault:
            yield scope.at_instance(instance, "outline", fault.what, fault.mend or "draw it anew")
            continue
        if points is None or not isinstance(runs, Runs):
            continue
        yield from _outside(scope, instance, image, points)
        if isinstance(shape, list):
            yield from _broken(scope, instance, shape)
        if runs.is_empty:
            what, mend = "covers no pixel centre", "draw it larger, or remove it"
            yield scope.at_instance(instance, "no-pixel", what, mend, points.mean(axis=0))


def _outside(
    scope: Scope, instance: Instance, image: Image, points: NDArray[np.float64]
) -> Iterator[Finding]:
    left, top, right, bottom = envelope(points)
    size = (image.width + _EDGE, image.height + _EDGE)
    if left < -_EDGE or top < -_EDGE or right > size[0] or bottom > size[1]:
        reach = f"x {left:g} to {right:g}, y {top:g} to {bottom:g}"
        what = f"reaches out of its image {image.id} ({reach})"
        beyond = np.maximum(-points, points - [image.width, image.height]).max(axis=1)
        place = points[int(np.argmax(beyond))]
        yield scope.at_instance(instance, "outside", what, "cut it at the image's edge", place)


def _broken(scope: Scope, instance: Instance, polygons: list[Polygon]) -> Iterator[Finding]:
    fault = validity_fault(polygons)
    if fault is not None:
        why, mend = _mend_of(polygons)
        what = f"has an outline that is not valid ({fault.what}{why})"
        yield scope.at_instance(instance, "invalid", what, mend, fault.place)
        return  # the halves of a figure of eight cancel out: its area says nothing
    for rings in polygons:
        if _is_sliver(rings[0]):
            what, mend = "is a sliver, narrower than a pixel", "draw it anew, or remove it"
            yield scope.at_instance(instance, "sliver", what, mend, rings[0].mean(axis=0))
            return


def _mend_of(polygons: list[Polygon]) -> tuple[str, str]:
    """Return why `check --fix` leaves crossing polygons alone, and what helps."""
    left = next((count for count in parts_left(polygons) if count != 1), 1)
    if left == 1:
        return "", "take the crossing out (check --fix does)"
    if left == 0:
        why = "; nothing is left where it is taken apart, so --fix leaves it alone"
        return why, "redraw it, or remove it"
    why = f"; it falls into {left} parts, and --fix can't tell which are meant"
    return why, "redraw it: as one outline, or each part as an instance of its own"


def _is_sliver(ring: NDArray[np.float64]) -> bool:
    """Whether a ring is narrower than a pixel on average, and many times as long."""
    points = ring - ring[0]
    x, y = points.T
    ahead = np.roll(points, -1, axis=0)
    area = abs(float((x * ahead[:, 1] - y * ahead[:, 0]).sum())) / 2.0
    around = float(np.hypot(*(ahead - points).T).sum())
    if around == 0.0:
        return True
    is_thin = 2.0 * area / around < _THIN_PX
    return is_thin and 4.0 * np.pi * area / around**2 < _THIN_SHAPE
