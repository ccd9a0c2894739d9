"""Ultralytics text: one file an image, a line an object, in shares of the image's size.

`class cx cy w h [confidence]` (detect), `class x1 y1 x2 y2 x3 y3 x4 y4 [confidence]` (obb), or
`class x1 y1 x2 y2 … [confidence]` (segment). Four positions may be either of the last two: they are
an oriented box, unless --modality mask says that all are outlines.

Source: ultralytics/ultralytics, engine/results.py, Results.save_txt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...benchmark import Image
from ...errors import InputError, OVEarthError
from ...geometry import check_quads
from ...geometry.rings import ring_from_positions
from ...labels.label_text import image_stem, label_files, line_place, lines_of, numbers_of
from ...labels.yolo_classes import LABEL_FOLDER, NOT_LABELS, YoloClasses, read_classes
from .answer import Answer
from .class_names import ClassNames
from .dialect import Dialect
from .image_names import ImageNames
from .reading import Reading
from .records import upright
from .scene import Detection, scene_answers

Floats = NDArray[np.float64]

_BROKEN = "lines that are malformed"
_FARTHEST = 2.0
_BOX, _QUAD = 4, 8


def read(source: Path, reading: Reading) -> Iterator[Answer]:
    """Yield the answers of a file, or of a folder's; see `Reader`. Files are read twice."""

    names, images = ClassNames(reading), ImageNames(reading)
    files = label_files(source, LABEL_FOLDER, NOT_LABELS)
    class_name = _class_names(source, reading)

    def detections() -> Iterator[Detection]:
        number = 0
        for path in files:
            image = images.of(image_stem(path, source, LABEL_FOLDER), str(path))
            if image is None:
                continue
            for line, text in lines_of(path):
                number += 1
                where = line_place(path, line)
                try:
                    found = _detection(text, image, number, where, names, class_name, reading)
                except OVEarthError as fault:
                    reading.refuse(fault if fault.where else fault.at(where), _BROKEN)
                    continue
                if found is not None:
                    yield found

    yield from scene_answers(detections, reading, names, (reading.options.modality or "hbb",))


def _class_names(source: Path, reading: Reading) -> Callable[[float, str], str]:
    """Return what gives a class's name: by --classes, else by the list beside the labels."""

    if reading.classes is not None:
        return YoloClasses(dict(enumerate(reading.classes)), str(reading.options.classes)).name
    try:
        return read_classes(source).name
    except InputError:
        if reading.options.mapping is None:
            raise
    # A mapping file alone may say what the numbers are.
    return lambda number, where: f"{number:g}"


def _detection(
    text: str,
    image: Image,
    number: int,
    where: str,
    names: ClassNames,
    class_name: Callable[[float, str], str],
    reading: Reading,
) -> Detection | None:

    class_number, *values = numbers_of(text.split(), where)
    label = class_name(class_number, where)
    concepts = names.of_name(label, where)
    if not concepts:
        return None
    score = values.pop() if len(values) % 2 else None
    if any(abs(value) > _FARTHEST for value in values):
        raise InputError("a number that is no share of the image", where, "divide by its size")
    size = np.array([image.width, image.height], np.float64)
    pairs = np.array(values, np.float64).reshape(-1, 2) * size
    found = Detection(image.id, concepts, number, where, score=score, label=label)
    return _shaped(found, pairs, is_outline=reading.options.modality == "mask")


def _shaped(found: Detection, pairs: Floats, is_outline: bool) -> Detection:
    from dataclasses import replace

    count = pairs.size
    if count == _BOX and not is_outline:
        centre, extent = pairs
        if (extent < 0).any():
            raise InputError("a negative width or height", mend="write cx cy w h")
        hbb = upright(np.concatenate([centre - extent / 2, centre + extent / 2]))
        return replace(found, hbb=hbb)
    if count < 6:
        raise InputError(f"{count} numbers behind the class", mend="write four, eight or more")
    around = np.concatenate([pairs.min(axis=0), pairs.max(axis=0)])
    if count == _QUAD and not is_outline:
        return replace(found, hbb=around, obb=check_quads(pairs.reshape(1, 8))[0])
    return replace(found, hbb=around, mask=[[ring_from_positions(pairs)]])


DIALECTS = (
    Dialect(
        "ultralytics",
        ("Ultralytics YOLO: detect, obb and segment",),
        "scene",
        "NAME.txt an image, lines of class, numbers in shares of the image and perhaps a"
        " confidence: cx cy w h, four corners, or an outline (four positions are corners unless"
        " --modality mask); classes by --classes, classes.txt or data.yaml",
        "https://github.com/ultralytics/ultralytics ultralytics/engine/results.py, save_txt, at"
        " 82698db3e056ed91226f17bfb72ae414e42fa249",
        read,
        ("classes", "modality"),
    ),
)
