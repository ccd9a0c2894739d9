"""The truth written as a run: scored, it must give exactly 1 in every defined metric."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..benchmark import MODALITIES, TASKS, Benchmark, Image, Truth
from ..benchmark.truth import outline
from ..frame import ImageFrame
from ..geometry import Runs, envelope, min_area_rect
from .header import FORMAT

Floats = NDArray[np.float64]


def truth_run(
    benchmark: Benchmark, in_map: bool = False, crs: str | None = None
) -> Iterator[dict[str, Any]]:
    """Yield the header and the records of the truth run, as they stand in a file.

    In pixels, masks are RLEs. With `in_map`, polygons and boxes are in `crs`, or in each image's
    own. Negative queries are left unanswered, which is an empty prediction.
    """
    header: dict[str, Any] = {
        "format": FORMAT,
        "model": "truth",
        "coordinates": "map" if in_map else "pixel",
        "modalities": list(MODALITIES),
        "tasks": list(TASKS),
    }
    if crs is not None:
        header["crs"] = crs
    yield header
    answers = _TruthAnswers(benchmark, in_map, crs)
    for query in benchmark.queries:
        if query.is_positive:
            yield {"query_id": query.id, **answers.of(query.target_id)}


class _TruthAnswers:
    def __init__(self, benchmark: Benchmark, in_map: bool, crs: str | None) -> None:
        self.benchmark = benchmark
        self.truth = Truth(benchmark)
        self.in_map = in_map
        self.crs = crs

    def of(self, target_id: int) -> dict[str, Any]:
        target = self.benchmark.target_by_id[target_id]
        image = self.benchmark.image_by_id[target.image_id]
        frame = image.frame() if self.in_map else None
        crs = None if frame is None else self.crs or frame.crs
        if self.benchmark.is_instanceable(target):
            hbb, obb = self.truth.hbb(target_id, crs), self.truth.obb(target_id)
        else:
            points = self._mask(target_id).corner_points()
            obb = min_area_rect(points)[None]
            hbb = envelope(_carried(points, frame, crs))[None]
        return {
            "mask": self._mask_document(target_id, image, frame, crs),
            "hbb": hbb.tolist(),
            "obb": _carried(obb.reshape(-1, 2), frame, crs).reshape(-1, 8).tolist(),
        }

    def _mask(self, target_id: int) -> Runs:
        image = self.benchmark.image_by_id[self.benchmark.target_by_id[target_id].image_id]
        mask = self.truth.mask(target_id)
        return Runs.empty(image.height, image.width) if mask is None else mask

    def _mask_document(
        self, target_id: int, image: Image, frame: ImageFrame | None, crs: str | None
    ) -> Any:
        target = self.benchmark.target_by_id[target_id]
        if frame is None or target.segmentation is not None:
            return self._mask(target_id).to_rle()
        parts: list[Any] = []
        for instance in self.benchmark.instances_by_target.get(target_id, ()):
            shape = outline(instance, image)
            if isinstance(shape, Runs):
                parts.append(shape.to_rle())
            elif shape:
                polygons = [
                    [_carried(ring, frame, crs).tolist() for ring in rings] for rings in shape
                ]
                parts.append({"polygons": {"type": "MultiPolygon", "coordinates": polygons}})
        return parts


def _carried(points: Floats, frame: ImageFrame | None, crs: str | None) -> Floats:
    return points if frame is None or crs is None else frame.pixel_to_crs(points, crs)
