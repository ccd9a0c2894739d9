"""What one query shows on the map, in the image's own CRS."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..benchmark import Image, Truth
from ..dataset.blob import Polygons, polygons_wkb
from ..frame import ImageFrame
from ..overlay import BoxComparison, OverlayFeature, QueryOverlay
from ..overlay.feature import quad_polygons
from ..predictions import Record
from .inspected import InspectedRun

Floats = NDArray[np.float64]

# The outlines of all true boxes, under what came of them.
TRUTH = "truth"


@dataclass(frozen=True, slots=True)
class Shape:
    """A multipolygon in well-known binary; outcome: matched, spurious, missed or truth.

    iou, score: as of an overlay's feature; None for truth.
    """

    outcome: str
    iou: float | None
    score: float | None
    wkb: bytes


@dataclass(frozen=True)
class Scene:
    """The shapes of one query. outline (5, 2): the image's edge, closed, in `image.crs`.

    Without a transform the image lies as QGIS shows it: x to the right, y upwards from -height.
    """

    row: int
    query_id: str
    text: str
    image: Image
    modality: str
    shapes: tuple[Shape, ...]
    outline: Floats


class SceneMaker:
    """Makes the scenes of one run. Not for two threads at once: its truth remembers."""

    def __init__(self, run: InspectedRun) -> None:
        benchmark = run.scores.benchmark
        self._run = run
        self._benchmark = benchmark
        self._overlay = QueryOverlay(
            benchmark, run.scores.predictions, run.scores.modalities, Truth(benchmark)
        )
        self._compared: tuple[tuple[int, str], BoxComparison | None] | None = None

    def scene(self, row: int, modality: str, threshold: float) -> Scene:
        """Return what the query at `row` shows; raises as reading its record does."""
        query = self._benchmark.queries[row]
        target = self._benchmark.target_by_id[query.target_id]
        image = self._benchmark.image_by_id[target.image_id]
        frame = image.frame()
        record = self._run.answers.get(query.id)
        shapes = self._shapes(row, query.id, record, modality, threshold)
        return Scene(
            row,
            query.id,
            query.text,
            image,
            modality,
            tuple(
                Shape(outcome, iou, score, polygons_wkb(on_map(frame, polygons)))
                for outcome, iou, score, polygons in shapes
            ),
            image_outline(frame),
        )

    def _shapes(
        self, row: int, query_id: str, record: Record | None, modality: str, threshold: float
    ) -> Iterator[tuple[str, float | None, float | None, Polygons]]:
        if modality == "mask":
            yield from map(_of_feature, self._overlay.mask_features(query_id, record))
            return
        # The same boxes are matched anew at each threshold: they are compared once.
        if self._compared is None or self._compared[0] != (row, modality):
            compared = self._overlay.compared_boxes(query_id, record, modality)
            self._compared = (row, modality), compared
        compared = self._compared[1]
        if compared is None:
            return
        # One shape for all: thousands more would hold up whoever adds them to a map.
        if len(compared.truths):
            outlines = [quad_polygons(corners)[0] for corners in compared.truths]
            yield TRUTH, None, None, tuple(outlines)
        for outcome, corners, iou, score in compared.outcomes(threshold):
            yield outcome, iou, score, quad_polygons(corners)


def image_outline(frame: ImageFrame) -> Floats:
    """Return the edge of an image (5, 2), closed, where its shapes are drawn."""
    width, height = frame.width, frame.height
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height], [0, 0]], dtype=np.float64)
    return on_map(frame, ((corners,),))[0][0]


def on_map(frame: ImageFrame, polygons: Polygons) -> Polygons:
    """Return polygons from pixels in the image's CRS, or where QGIS shows an image without one."""
    return tuple(tuple(_placed(frame, ring) for ring in rings) for rings in polygons)


def pixel_at(frame: ImageFrame, x: float, y: float) -> tuple[float, float]:
    """Return the pixel position of a place in the image's CRS, or as QGIS shows an image."""
    if frame.transform is None:
        return x, -y
    a, b, c, d, e, f = frame.transform
    determinant = a * e - b * d
    return (e * (x - c) - b * (y - f)) / determinant, (a * (y - f) - d * (x - c)) / determinant


def place_of(frame: ImageFrame, x_px: float, y_px: float) -> tuple[float, float]:
    """Return the place in the image's CRS, or as QGIS shows an image, of a pixel position."""
    x, y = _placed(frame, np.array([[x_px, y_px]], dtype=np.float64))[0].tolist()
    return x, y


def _placed(frame: ImageFrame, ring: Floats) -> Floats:
    return ring * np.array([1.0, -1.0]) if frame.transform is None else frame.pixel_to_map(ring)


def _of_feature(
    feature: OverlayFeature,
) -> tuple[str, float | None, float | None, Polygons]:
    return feature.outcome, feature.iou, feature.score, feature.polygons
