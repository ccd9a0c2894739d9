"""Boxes of one image's instances in a frame, and their size on the ground, many at a time.

PROJ and the search for the smallest rectangle take many shapes at once for little more than one.
What comes out of many is, to the bit, what comes out of one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import FrameError
from ..frame import ImageFrame
from ..geometry import corner_orders, min_area_rects, quad_areas
from ..ground import azimuths_deg
from .model import Image, Instance
from .truth import Truth

SIZES = ("width_m", "length_m", "azimuth_deg", "area_m2")

Floats = NDArray[np.float64]
Rows = NDArray[np.intp]
Size = dict[str, float | None]
# Points (N, 2), and whose of M instances each is (N,), there or back.
Way = Callable[[Floats, Rows], Floats]


class ImageShapes:
    """Outlines and boxes in pixels of some instances of one image, in their order.

    points: what each one's hull is made from, None without an outline. given: its given oriented
    box (4, 2). hulls: `points`, else the corners of the box that is given in their place.
    Raises TruthError for a shape that is none.
    """

    def __init__(self, truth: Truth, instances: Sequence[Instance], image: Image) -> None:
        self.image = image
        self.points = [truth.instance_points(instance, image) for instance in instances]
        self.given = [truth.instance_given_obb(instance) for instance in instances]
        flat = [truth.instance_hbb_corners(instance) for instance in instances]
        self.hulls = [_first(*pair) for pair in zip(self.points, flat, strict=True)]
        upright = [
            box if instance.bbox is not None else hull
            for instance, box, hull in zip(instances, flat, self.hulls, strict=True)
        ]
        self.hbbs = _spread(upright, _envelopes)

    @cached_property
    def obbs(self) -> list[Floats | None]:
        """The oriented boxes (4, 2), given ones first; None without any."""
        bare = [
            points if given is None else None
            for points, given in zip(self.points, self.given, strict=True)
        ]
        derived = _spread(bare, min_area_rects)
        return [_first(*pair) for pair in zip(self.given, derived, strict=True)]

    @cached_property
    def middles(self) -> Floats:
        """The middles (M, 2) of the upright boxes, not finite without one."""
        none = np.full(4, np.nan)
        boxes = np.array([none if hbb is None else hbb for hbb in self.hbbs]).reshape(-1, 4)
        middles: Floats = (boxes[:, :2] + boxes[:, 2:]) / 2
        return middles


@dataclass(frozen=True)
class FramedBoxes:
    """The boxes of some instances in one frame, in their order; None for one that has none.

    hbbs: (4,) xmin, ymin, xmax, ymax along the frame's axes. obbs: (4, 2) corners, in the order
    that they have in pixels. origins: of frames that lie about each instance.
    """

    name: str
    image: Image
    crs: str | None
    origins: list[list[float] | None]
    hbbs: list[Floats | None]
    obbs: list[Floats | None]
    to_pixel: Way

    def corners_px(self, kind: str) -> list[Floats | None]:
        """Return the corners (4, 2) in pixels of each "hbb" or "obb", in their order there."""
        if kind == "obb":
            return _carried(self.obbs, self.to_pixel)
        upright = [None if hbb is None else _corners(hbb) for hbb in self.hbbs]
        return _spread(_carried(upright, self.to_pixel), _in_pixel_order)

    def sizes(self, corners_px: Sequence[Floats | None]) -> list[Size]:
        """Return size and direction on the ground of boxes by their corners (4, 2) in pixels.

        Sides are geodesics from corner to corner, opposite ones averaged; area and azimuth are
        those of the quadrilateral in the metric frame about its middle. Nulls for an image that
        lies nowhere, and for a box that reaches beyond what its CRS can say.
        """
        if not _is_placed(self.image):
            return [dict.fromkeys(SIZES) for _ in corners_px]
        frame = self.image.frame()
        return _spread_sizes(corners_px, lambda quads: _measured(frame, np.array(quads)))


def framed_boxes(shapes: ImageShapes, name: str) -> FramedBoxes:
    """Return boxes in the frame "pixel" (given ones first), "map" or "ground".

    Raises FrameError for an image that can't be placed in it.
    """
    return _FRAMES[name](shapes)


def _in_pixels(shapes: ImageShapes) -> FramedBoxes:
    return FramedBoxes(
        "pixel", shapes.image, None, [None] * len(shapes.points), shapes.hbbs, shapes.obbs, _same
    )


def _on_map(shapes: ImageShapes) -> FramedBoxes:
    frame = _placed(shapes.image)

    def to_pixel(xy: Floats, _: Rows) -> Floats:
        return frame.map_to_pixel(xy)

    hbbs, obbs = _derived(shapes, lambda xy, _: frame.pixel_to_map(xy), to_pixel)
    origins: list[list[float] | None] = [None] * len(hbbs)
    return FramedBoxes("map", shapes.image, shapes.image.crs, origins, hbbs, obbs, to_pixel)


def _on_ground(shapes: ImageShapes) -> FramedBoxes:
    frame = _placed(shapes.image)

    def to_pixel(xy: Floats, rows: Rows) -> Floats:
        return frame.ground_to_pixel(xy, shapes.middles[rows])

    def to_frame(xy: Floats, rows: Rows) -> Floats:
        return frame.pixel_to_ground(xy, shapes.middles[rows])

    hbbs, obbs = _derived(shapes, to_frame, to_pixel)
    middles = [None if hbb is None else shapes.middles[k] for k, hbb in enumerate(hbbs)]
    found = _spread(middles, lambda chosen: frame.own_lonlat(np.array(chosen)))
    origins = [None if place is None else [float(v) for v in place] for place in found]
    return FramedBoxes("ground", shapes.image, None, origins, hbbs, obbs, to_pixel)


_FRAMES = {"pixel": _in_pixels, "map": _on_map, "ground": _on_ground}


def _derived(
    shapes: ImageShapes, to_frame: Way, to_pixel: Way
) -> tuple[list[Floats | None], list[Floats | None]]:
    """Return the boxes in a frame's own axes, the corners in their order in pixels.

    A given oriented box is carried over by its corners; all else comes from the outline.
    """
    carried = _carried(shapes.hulls, to_frame)
    given = _carried(shapes.given, to_frame)
    bare = [
        hull if points is not None and box is None else None
        for hull, points, box in zip(carried, shapes.points, shapes.given, strict=True)
    ]
    rectangles = _spread(bare, min_area_rects)
    orders = _spread(_carried(rectangles, to_pixel), lambda quads: corner_orders(np.array(quads)))
    ordered = [
        None if rectangle is None or order is None else rectangle[order]
        for rectangle, order in zip(rectangles, orders, strict=True)
    ]
    obbs = [_first(*pair) for pair in zip(given, ordered, strict=True)]
    return _spread(carried, _envelopes), obbs


def _spread_sizes(
    corners: Sequence[Floats | None], measure: Callable[[list[Floats]], Floats]
) -> list[Size]:
    try:
        found = _spread(corners, measure)
    except FrameError:
        if len(corners) == 1:
            return [dict.fromkeys(SIZES)]
        return [size for each in corners for size in _spread_sizes([each], measure)]
    return [
        dict.fromkeys(SIZES) if row is None else dict(zip(SIZES, row.tolist(), strict=True))
        for row in found
    ]


def _measured(frame: ImageFrame, quads: Floats) -> Floats:
    """Return width, length, azimuth and area (M, 4) of corners (M, 4, 2) in pixels."""
    lonlat = frame.own_lonlat(quads.reshape(-1, 2)).reshape(-1, 4, 2)
    after = np.roll(lonlat, -1, axis=1)
    sides = frame.geodesics_m(lonlat.reshape(-1, 2), after.reshape(-1, 2)).reshape(-1, 4)
    two = (sides[:, :2] + sides[:, 2:]) / 2.0
    about = np.repeat(quads.mean(axis=1), 4, axis=0)
    ground = frame.pixel_to_ground(quads.reshape(-1, 2), about).reshape(-1, 4, 2)
    longer = (two[:, 1] > two[:, 0]).astype(np.intp)
    every = np.arange(len(quads))
    # Where a box is not quite a rectangle on the ground, its long sides have two directions: the
    # line between the middles of its short ones goes between them.
    middles = (ground + np.roll(ground, -1, axis=1)) / 2.0
    azimuths = azimuths_deg(middles[every, longer - 1], middles[every, longer + 1])
    return np.column_stack([two.min(axis=1), two.max(axis=1), azimuths, quad_areas(ground)])


def _spread(values: Sequence[Any], work: Callable[[list[Any]], Any]) -> list[Any]:
    """Return what `work` makes of all values that there are, at once; None stays None."""
    there = [value for value in values if value is not None]
    made = iter(work(there)) if there else iter(())
    return [None if value is None else next(made) for value in values]


def _carried(points: Sequence[Floats | None], way: Way) -> list[Floats | None]:
    """Return points (N, 2) of each instance carried along a way, all in one go."""
    counts = [0 if each is None else len(each) for each in points]
    rows = np.repeat(np.arange(len(points)), counts)

    def work(there: list[Floats]) -> list[Floats]:
        ends = np.cumsum([len(each) for each in there])
        return np.split(way(np.concatenate(there), rows), ends[:-1])

    return _spread(points, work)


def _envelopes(points: list[Floats]) -> Floats:
    """Return xmin, ymin, xmax, ymax (M, 4) of each one's points (N, 2)."""
    counts = np.array([len(each) for each in points])
    xy, starts = np.concatenate(points), np.cumsum(counts) - counts
    return np.hstack([np.minimum.reduceat(xy, starts), np.maximum.reduceat(xy, starts)])


def _in_pixel_order(quads: list[Floats]) -> Floats:
    corners = np.array(quads)
    return np.take_along_axis(corners, corner_orders(corners)[..., None], axis=1)


def _corners(hbb: Floats) -> Floats:
    left, top, right, bottom = hbb
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


def _first(one: Floats | None, other: Floats | None) -> Floats | None:
    return other if one is None else one


def _same(points: Floats, _: Rows) -> Floats:
    return points


def _is_placed(image: Image) -> bool:
    return image.crs is not None and image.transform is not None


def _placed(image: Image) -> ImageFrame:
    if not _is_placed(image):
        lacking = "CRS" if image.crs is None else "transform"
        raise FrameError(
            f"image {image.id} has no {lacking}", mend="use --frame pixel, or georeference it"
        )
    return image.frame()
