"""YOLO-OBB: one text file an image, a line an oriented box in shares of the image's size.

`class x1 y1 x2 y2 x3 y3 x4 y4`, class a number into the class list, coordinates from 0 to 1. They
come back from a round trip within 1e-9 pixel, but not beyond the image: boxes that reach over its
edge are written with those corners moved onto it, and counted.

Source: https://docs.ultralytics.com/datasets/obb/.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ...errors import InputError
from ...frame import ImageFrame
from ...labels.label_text import image_stem, label_files, line_place, lines_of, numbers_of
from ...labels.model import ImageLookup, Label, LabelledImage, ReadOptions
from ...labels.yolo_classes import (
    LABEL_FOLDER,
    NOT_LABELS,
    YoloClasses,
    read_classes,
    write_classes,
)
from ..rows import CategoryRow
from ..view import View
from .label_name import label_name
from .model import Report, WriteOptions
from .new_folder import new_folder
from .outgoing import outgoing
from .outgoing_boxes import BOXES_ONLY, Floats, OutgoingBoxes

_LINE = "class x1 y1 x2 y2 x3 y3 x4 y4"
# What a number with six decimals may be off.
_ROUNDING = 1e-6
_MOVED = "boxes reach beyond their image: their corners were moved onto its edge"
_WITHOUT_IMAGES = f"images are not copied: put or link them into images/ beside {LABEL_FOLDER}/"


def read(source: Path, images: ImageLookup, options: ReadOptions) -> Iterator[LabelledImage]:
    """Yield the images of a YOLO dataset's folder (or one label file), with its class list."""
    files = label_files(source, LABEL_FOLDER, NOT_LABELS)
    classes = read_classes(source)
    for path in files:
        stem = image_stem(path, source, LABEL_FOLDER)
        lines = list(lines_of(path))
        # Without a label there is no need for the image's size: let importing say what it knows.
        if not lines:
            yield LabelledImage(stem, where=str(path))
            continue
        try:
            frame = images.frame(stem)
        except InputError as fault:
            raise fault.at(str(path)) from None
        labels = (_label(text.split(), classes, frame, line_place(path, n)) for n, text in lines)
        yield LabelledImage(stem, tuple(labels), where=str(path))


def write(view: View, out: Path, options: WriteOptions) -> Report:
    """Write `labels/NAME.txt` for each image, `classes.txt` and `data.yaml`, into a new folder."""
    going = outgoing(view, options)
    boxes = OutgoingBoxes(going)
    numbers = {key: number for number, key in enumerate(boxes.categories)}
    taken: dict[str, str] = {}
    moved = 0
    with new_folder(out) as folder:
        write_classes(folder, _class_names(boxes.categories))
        (folder / LABEL_FOLDER).mkdir()
        for image, found in boxes:
            path = folder / LABEL_FOLDER / label_name(image, taken)
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = []
            for instance, corners in found:
                shares = corners / [image.width, image.height]
                within = np.clip(shares, 0.0, 1.0)
                moved += bool((np.abs(within - shares) > _ROUNDING).any())
                words = [repr(value) for value in within.ravel().tolist()]
                lines.append(" ".join([str(numbers[instance.category_id or 0]), *words]))
            path.write_text("".join(line + "\n" for line in lines), encoding="utf-8", newline="\n")
    notes = [BOXES_ONLY, _WITHOUT_IMAGES, *([f"{moved} {_MOVED}"] if moved else [])]
    return Report(boxes.counts, going.left_out() | boxes.left_out, tuple(notes))


def _label(words: list[str], classes: YoloClasses, frame: ImageFrame, where: str) -> Label:
    if len(words) != 9:
        hint = " (5 are an upright YOLO box, not an oriented one)" if len(words) == 5 else ""
        raise InputError(f"{len(words)} values{hint}", where, f"write {_LINE}")
    number, *shares = numbers_of(words, where)
    name = classes.name(number, where)
    outside = [value for value in shares if not -_ROUNDING <= value <= 1.0 + _ROUNDING]
    if outside:
        what = f"{outside[0]:g} is not between 0 and 1"
        mend = "divide x by the image's width and y by its height (boxes in pixels: dota)"
        raise InputError(what, where, mend)
    corners: Floats = np.array(shares).reshape(4, 2) * [frame.width, frame.height]
    return Label(name, obb=tuple(corners.ravel().tolist()), where=where)


def _class_names(categories: dict[int, CategoryRow]) -> list[str]:
    """Return one line a category: its name, with its slug where another one is called the same."""
    names = [" ".join(category.name.split()) for category in categories.values()]
    return [
        name if names.count(name) == 1 else category.slug
        for name, category in zip(names, categories.values(), strict=True)
    ]
