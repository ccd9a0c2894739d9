"""LabelMe files as predictions: one JSON file an image, its shapes in pixels, perhaps with scores.

Source: https://github.com/wkentaro/labelme, labelme/label_file.py; X-AnyLabeling adds "score".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...benchmark import Image
from ...errors import InputError, OVEarthError
from ...frame import ImageFrame
from ...geometry import Polygon, Runs, check_quads
from ...labels.labelme import read as read_labelme
from ...labels.model import Label, LabelledImage, ReadOptions
from .answer import Answer
from .class_names import ClassNames, Concept
from .dialect import Dialect
from .image_names import ImageNames
from .polygon_shapes import shapes_of
from .reading import Reading
from .records import check_score
from .sam3 import box_around
from .scene import Detection, scene_answers

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

    kinds = (reading.options.modality or "hbb",)
    yield from scene_answers(detections, reading, names, kinds, _in_both_forms)


def _in_both_forms(found: list[Detection]) -> list[Detection]:
    """Return the detections for one query, upright ones as corners too if others are oriented.

    They are different objects, and a record's two lists of boxes are of the same ones.
    """
    if all(each.obb is None for each in found):
        return found
    return [
        replace(each, obb=_corners(each.hbb)) if each.obb is None and each.hbb is not None else each
        for each in found
    ]


def _corners(box: NDArray[np.float64]) -> NDArray[np.float64]:
    x0, y0, x1, y1 = box.tolist()
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])


def _of_file(
    path: Path, number: int, reading: Reading, names: ClassNames, images: ImageNames
) -> Iterator[Detection]:
    told = ReadOptions()
    try:
        labelled = list(read_labelme(path, _Frames(images), told))
    except OVEarthError as fault:
        reading.refuse(fault if fault.where else fault.at(str(path)), _FILES)
        return
    reading.left_out.update(Counter(told.left_out))
    for image in labelled:
        found = images.of(image.file_name, image.where)
        try:
            _check_size(image, found)
        except InputError as fault:
            reading.refuse(fault, _FILES)
            continue
        for label in image.labels if found is not None else ():
            number += 1
            concepts = names.of_name(label.class_name, label.where)
            if not concepts or found is None:
                continue
            try:
                yield _detection(label, found.id, concepts, number, reading)
            except OVEarthError as fault:
                reading.refuse(fault if fault.where else fault.at(label.where), "bad shapes")


def _check_size(labelled: LabelledImage, image: Image | None) -> None:
    """Refuse shapes that were drawn on a picture of another size: their pixels are others."""
    if image is None:
        return
    for key, said, real in (
        ("imageWidth", labelled.width, image.width),
        ("imageHeight", labelled.height, image.height),
    ):
        if said is not None and said != real:
            what = f"{key!r} is {said}, the benchmark's image has {real}"
            raise InputError(what, labelled.where, "write shapes in pixels of that image")


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
        ("modality",),
    ),
)
