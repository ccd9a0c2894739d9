"""LabelMe files as predictions: one JSON file an image, its shapes in pixels, perhaps with scores.

Source: https://github.com/wkentaro/labelme, labelme/label_file.py; X-AnyLabeling adds "score".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...errors import InputError, OVEarthError
from ...frame import ImageFrame
from ...geometry import Polygon, Runs, check_quads
from .answer import Answer
from .class_names import ClassNames, Concept
from .dialect import Dialect
from .image_names import ImageNames
from .polygon_shapes import shapes_of
from .reading import Reading
from .records import check_score
from .sam3 import box_around
from .scene import Detection, scene_answers

if TYPE_CHECKING:
    from ...dataset.exchange.model import Label

_FILES = "files that can't be read"


class _Frames:
    """The benchmark's images, as LabelMe's reader asks for them."""

    def __init__(self, images: ImageNames) -> None:
        self._images = images

    def frame(self, file_name: str) -> ImageFrame:
        found = self._images.find(file_name)
        if len(found) != 1:
            raise InputError(f"there is no image {file_name!r}", mend="mend its imagePath")
        return found[0].frame()

    def names(self) -> tuple[str, ...]:
        return ()


def read(source: Path, reading: Reading) -> Iterator[Answer]:
    """Yield the answers of a file, or of all in a folder; see `Reader`. Files are read twice."""
    names, images = ClassNames(reading), ImageNames(reading)
    files = sorted(source.rglob("*.json")) if source.is_dir() else [source]
    if not files:
        raise InputError("no LabelMe file (*.json) in it", str(source), "name their folder")

    def detections() -> Iterator[Detection]:
        number = 0
        for path in files:
            for found in _of_file(path, number, reading, names, images):
                number = found.line
                yield found

    yield from scene_answers(detections, reading, names, (reading.options.modality or "hbb",))


def _of_file(
    path: Path, number: int, reading: Reading, names: ClassNames, images: ImageNames
) -> Iterator[Detection]:
    from ...dataset.exchange.labelme import read as read_labelme
    from ...dataset.exchange.model import ReadOptions

    told = ReadOptions()
    try:
        labelled = list(read_labelme(path, _Frames(images), told))
    except OVEarthError as fault:
        reading.refuse(fault if fault.where else fault.at(str(path)), _FILES)
        return
    reading.left_out.update(Counter(told.left_out))
    for image in labelled:
        found = images.of(image.file_name, image.where)
        for label in image.labels if found is not None else ():
            number += 1
            concepts = names.of_name(label.class_name, label.where)
            if not concepts or found is None:
                continue
            try:
                yield _detection(label, found.id, concepts, number, reading)
            except OVEarthError as fault:
                reading.refuse(fault if fault.where else fault.at(label.where), "bad shapes")


def _detection(
    label: Label, image_id: int, concepts: tuple[Concept, ...], number: int, reading: Reading
) -> Detection:
    extra = dict(label.extra)
    score = extra.pop("score", None)
    mask: Runs | Sequence[Polygon] | None = None
    hbb, obb = None, None
    if label.polygons is not None:
        kind = reading.options.modality
        polygons = [[np.asarray(ring) for ring in polygon] for polygon in label.polygons]
        mask, hbb, obb = shapes_of(polygons, kind)
        obb = obb if kind == "obb" else None
    elif label.segmentation is not None:
        runs = Runs.from_rle(label.segmentation)
        mask, hbb = runs, box_around(runs)
    elif label.obb is not None:
        obb = check_quads([list(label.obb)])[0]
        hbb = np.concatenate([obb.min(axis=0), obb.max(axis=0)])
    elif label.box is not None:
        hbb = np.array(label.box, np.float64)
    return Detection(
        image_id,
        concepts,
        number,
        label.where,
        hbb=hbb,
        obb=obb,
        mask=mask,
        score=None if score is None else check_score(score),
        label=label.class_name,
        attributes=extra,
    )


DIALECTS = (
    Dialect(
        "labelme",
        ("LabelMe", "X-AnyLabeling"),
        "scene",
        "a JSON file an image: polygons, circles and masks become masks and their envelopes boxes,"
        " rectangles boxes, rotated ones oriented boxes; a shape's score is kept, points and lines"
        " are left out and counted",
        "https://github.com/wkentaro/labelme labelme/label_file.py",
        read,
    ),
)
