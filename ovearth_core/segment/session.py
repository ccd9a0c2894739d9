"""Click-to-mask about one image: clicks in, a polygon in map coordinates out. Knows no window.

The clicks are a value (`Clicks`) that whoever shows them keeps and changes; `ClickSession.propose`
may run in a background task while the next click is made.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..frame import ImageFrame
from ..geometry.rings import Polygon
from .cleaning import mask_polygons
from .image_pixels import ImagePixels
from .looking import Looking
from .prompt import INSIDE, OUTSIDE, Prompt
from .segmenter import Segmenter
from .view import MOST_PX, View

Floats = NDArray[np.float64]
Point = tuple[float, float]
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Clicks:
    """What was pointed at, in pixels of the image: points, whether each is inside, and a box.

    `before`: the same without the last action, for undo.
    """

    points: tuple[Point, ...] = ()
    are_inside: tuple[bool, ...] = ()
    box: Box | None = None
    before: Clicks | None = None

    def with_point(self, x: float, y: float, is_inside: bool) -> Clicks:
        """Return the clicks with one more."""
        points = (*self.points, (float(x), float(y)))
        return Clicks(points, (*self.are_inside, is_inside), self.box, self)

    def with_box(self, box: Box) -> Clicks:
        """Return the clicks with a box xmin, ymin, xmax, ymax, in place of an earlier one."""
        low_x, low_y, high_x, high_y = map(float, box)
        return replace(self, box=(low_x, low_y, high_x, high_y), before=self)

    def undone(self) -> Clicks:
        """Return the clicks before the last point or box; without any, themselves."""
        return self.before or self

    @property
    def are_enough(self) -> bool:
        """Whether a model can answer: there is a box or a point inside."""
        return self.box is not None or any(self.are_inside)

    def prompt(self) -> Prompt:
        """Return them as a prompt, in pixels of the image; UsageError without any."""
        labels = [INSIDE if is_inside else OUTSIDE for is_inside in self.are_inside]
        return Prompt.checked(self.points, labels, self.box)


@dataclass(frozen=True, eq=False)
class Proposal:
    """What a model makes of clicks.

    pixels: polygons in pixels of the image; polygons: the same in map coordinates of the image's
    CRS, rings (N, 2) closed, the outer one first. score: the model's own guess of the IoU. origin:
    the model's name. is_cut: the thing goes on beyond what the model was shown.
    """

    pixels: Sequence[Polygon]
    polygons: Sequence[Polygon]
    score: float
    origin: str
    is_cut: bool

    def geojson(self) -> dict[str, Any]:
        """Return the map's polygons as a GeoJSON Polygon or MultiPolygon."""
        parts = [[ring.tolist() for ring in rings] for rings in self.polygons]
        if len(parts) == 1:
            return {"type": "Polygon", "coordinates": parts[0]}
        return {"type": "MultiPolygon", "coordinates": parts}


class ClickSession:
    """One image, seen by one model, of which things are clicked.

    frame: the image's, with a transform; its size is that of `image`. most_px: a longer side of
    what the model is shown; larger images are shown in parts.
    """

    def __init__(
        self, model: Segmenter, image: ImagePixels, frame: ImageFrame, most_px: int = MOST_PX
    ) -> None:
        self._looking = Looking(model, image, most_px)
        self._size = (image.width, image.height)
        self._frame = frame
        self._lock = Lock()

    def clicked(
        self, clicks: Clicks, xy: ArrayLike, is_inside: bool, crs: str | None = None
    ) -> Clicks:
        """Return the clicks with one at map coordinates (2,) of the image's CRS or another."""
        x, y = self._frame.map_to_pixel(np.asarray(xy, np.float64)[None], crs)[0]
        return clicks.with_point(x, y, is_inside)

    def boxed(
        self, clicks: Clicks, one: ArrayLike, other: ArrayLike, crs: str | None = None
    ) -> Clicks:
        """Return the clicks with the box whose opposite corners (2,) on the map are given.

        On an image that lies askew, the envelope of all four corners.
        """
        (x1, y1), (x2, y2) = np.asarray(one, np.float64), np.asarray(other, np.float64)
        corners = self._frame.map_to_pixel([[x1, y1], [x2, y1], [x2, y2], [x1, y2]], crs)
        low, high = corners.min(axis=0), corners.max(axis=0)
        return clicks.with_box((low[0], low[1], high[0], high[1]))

    def propose(self, clicks: Clicks) -> list[Proposal]:
        """Return what the model proposes, the best first; none where it finds nothing.

        Slow: for a background task. Raises UsageError for no clicks, and what the model and the
        image raise.
        """
        prompt = clicks.prompt()
        with self._lock:
            view, masks, scores = self._looking.answer(prompt)
        inside = view.from_image(prompt.points[prompt.labels == INSIDE])
        found = [
            self._proposal(view, mask, float(score), inside)
            for mask, score in zip(masks, scores, strict=True)
        ]
        return [proposal for proposal in found if proposal.pixels]

    def _proposal(
        self, view: View, mask: NDArray[np.bool_], score: float, inside: Floats
    ) -> Proposal:
        pixels = view.polygons_to_image(mask_polygons(mask, inside))
        on_map = [[self._frame.pixel_to_map(ring) for ring in rings] for rings in pixels]
        is_cut = view.cuts(mask, *self._size)
        return Proposal(pixels, on_map, score, self._looking.model.name, is_cut)
