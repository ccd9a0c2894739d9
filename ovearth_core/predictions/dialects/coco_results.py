"""COCO results: a list of {"image_id", "category_id", "bbox", "segmentation", "score"}.

Source: https://cocodataset.org/#format-results and pycocotools' COCO.loadRes, which takes the box
of a result without one from its mask. COCOeval sorts results by their scores, so that all have one;
a file in which none has, as truth written as results has it, is read too.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...benchmark import Image
from ...entry import Entry
from ...errors import OVEarthError
from ...geometry import Polygon, Runs, polygons_from_coco
from ...jsonstream import JsonStream
from .answer import Answer
from .class_names import ClassNames
from .dialect import Dialect
from .image_names import ImageNames
from .reading import Reading
from .records import check_score, upright
from .resampling import fitted_runs
from .sam3 import box_around
from .scene import Detection, scene_answers
from .score_rule import ScoreRule

Floats = NDArray[np.float64]

_LISTS = ("annotations", "results", "predictions")
_KNOWN = ("image_id", "category_id", "bbox", "segmentation", "score")
_BROKEN = "results that are malformed"


def read(source: Path, reading: Reading) -> Iterator[Answer]:
    """Yield the answers; see `Reader`. The file is read twice."""
    names, images = ClassNames(reading), ImageNames(reading)

    def detections() -> Iterator[Detection]:
        rule = ScoreRule(reading)
        for number, member in enumerate(JsonStream(source).elements(_LISTS), 1):
            where = f"{source} line {member.line}, result {number}"
            try:
                entry = Entry(member.value, where)
                image = images.of_id(entry.integer("image_id"), where)
                concepts = names.of_id(entry.integer("category_id"), where)
                rule.check("", entry.fields.get("score") is not None, f"result {number}")
                if image is not None and concepts:
                    yield _detection(entry, image, concepts, number, reading)
            except OVEarthError as fault:
                placed = fault if fault.where else fault.at(where)
                reading.refuse(placed, _BROKEN)

    yield from scene_answers(detections, reading, names, ("mask", "hbb"))


def _detection(
    entry: Entry, image: Image, concepts: tuple[int | str, ...], number: int, reading: Reading
) -> Detection:
    segmentation = entry.fields.get("segmentation")
    mask = None if segmentation is None else _mask(segmentation, image, reading)
    box = _box(entry) if entry.fields.get("bbox") is not None else None
    if box is None and mask is not None:
        runs = mask if isinstance(mask, Runs) else None
        box = box_around(runs) if runs is not None else _around(mask)  # type: ignore[arg-type]
    if box is None and mask is None:
        raise entry.fail("neither 'bbox' nor 'segmentation'", "add one")
    score = entry.fields.get("score")
    return Detection(
        image.id,
        concepts,
        number,
        entry.where,
        hbb=box,
        mask=mask,
        score=None if score is None else check_score(score),
        attributes={key: value for key, value in entry.fields.items() if key not in _KNOWN},
    )


def _mask(value: Any, image: Image, reading: Reading) -> Runs | list[Polygon]:
    if isinstance(value, dict):
        return fitted_runs(Runs.from_rle(value), image, reading, "its mask")
    return polygons_from_coco(value)


def _box(entry: Entry) -> Floats:
    x, y, width, height = entry.optional_numbers("bbox", 4) or (0.0,) * 4
    if width < 0 or height < 0:
        raise entry.fail("'bbox' has a negative width or height", "write x, y, width, height")
    return upright(np.array([x, y, x + width, y + height]))


def _around(polygons: list[Polygon]) -> Floats | None:
    points = [ring for polygon in polygons for ring in polygon]
    if not points:
        return None
    whole = np.concatenate(points)
    return np.concatenate([whole.min(axis=0), whole.max(axis=0)])


DIALECTS = (
    Dialect(
        "coco",
        ("COCO results",),
        "scene",
        'a JSON list of {"image_id", "category_id", "bbox": [x, y, width, height], "segmentation":'
        ' RLE or polygons, "score"}; the box of a result without one is that of its mask',
        "https://github.com/cocodataset/cocoapi PythonAPI/pycocotools/coco.py, loadRes, at"
        " 815c3594cb5c192f698ff9ed4dfcad0669c46437, and results published in its folder results",
        read,
        ("resize",),
    ),
)
