"""DOTA text: one file an image, a line an oriented box, with the image's source and GSD above.

`x1 y1 x2 y2 x3 y3 x4 y4 class difficult`, in pixels with fractions; the flag may lack. Class names
have no spaces. Numbers are written so that they come back to the last bit.

Source: https://captain-whu.github.io/DOTA/dataset.html and its DOTA_devkit.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...errors import InputError
from ...labels.label_text import image_stem, label_files, line_place, lines_of, numbers_of
from ...labels.model import ImageLookup, Label, LabelledImage, ReadOptions
from ..rows import CategoryRow, ImageRow
from ..view import View
from .label_name import label_name
from .model import Report, WriteOptions
from .new_folder import new_folder
from .outgoing import outgoing
from .outgoing_boxes import BOXES_ONLY, OutgoingBoxes

LABEL_FOLDER = "labelTxt"
_LINE = "x1 y1 x2 y2 x3 y3 x4 y4 class difficult"
_CORNERS = 8
_HEADERS = ("imagesource", "gsd")
_UNKNOWN = ("", "null", "none", "nan")


def read(source: Path, images: ImageLookup, options: ReadOptions) -> Iterator[LabelledImage]:
    """Yield the images of a DOTA label file, or of a folder of them (or with `labelTxt` in it)."""
    for path in label_files(source, LABEL_FOLDER, ()):
        yield _image(path, image_stem(path, source, LABEL_FOLDER))


def write(view: View, out: Path, options: WriteOptions) -> Report:
    """Write `labelTxt/NAME.txt` for each image; `out` must not hold anything yet."""
    going = outgoing(view, options)
    boxes = OutgoingBoxes(going)
    names = {key: _class_name(category) for key, category in boxes.categories.items()}
    taken: dict[str, str] = {}
    with new_folder(out) as folder:
        for image, found in boxes:
            path = folder / LABEL_FOLDER / label_name(image, taken)
            path.parent.mkdir(parents=True, exist_ok=True)
            lines = _header(image)
            for instance, corners in found:
                numbers = [_shortest(value) for value in corners.ravel().tolist()]
                flag = str(_difficult(instance.extra))
                lines.append(" ".join([*numbers, names[instance.category_id or 0], flag]))
            path.write_text("\n".join([*lines, ""]), encoding="utf-8", newline="\n")
    return Report(boxes.counts, going.left_out() | boxes.left_out, (BOXES_ONLY,))


def _image(path: Path, stem: str) -> LabelledImage:
    extra: dict[str, Any] = {}
    labels: list[Label] = []
    for number, text in lines_of(path):
        where = line_place(path, number)
        key, colon, value = text.partition(":")
        if colon and key.strip().lower() in _HEADERS and not labels:
            extra.update(_said_above(key.strip().lower(), value.strip(), where))
        else:
            labels.append(_label(text.split(), where))
    return LabelledImage(stem, tuple(labels), extra=extra, where=str(path))


def _said_above(key: str, value: str, where: str) -> dict[str, Any]:
    if value.lower() in _UNKNOWN:
        return {}
    return {key: numbers_of([value], where)[0] if key == "gsd" else value}


def _label(words: list[str], where: str) -> Label:
    if not _CORNERS < len(words) <= _CORNERS + 2:
        before_class = next((n for n, word in enumerate(words) if not _is_number(word)), len(words))
        what = f"{before_class} numbers and {len(words) - before_class} more words"
        raise InputError(f"{what} where a box belongs", where, f"write {_LINE}")
    numbers = numbers_of(words[:_CORNERS], where)
    extra = {}
    if len(words) == _CORNERS + 2:
        if not words[-1].isdecimal():
            raise InputError(f"the difficult flag is {words[-1]!r}", where, "write 0 or 1")
        extra = {"difficult": int(words[-1])}
    return Label(words[_CORNERS], obb=numbers, extra=extra, where=where)


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


def _class_name(category: CategoryRow) -> str:
    return "-".join((category.slug or category.name).split())


def _header(image: ImageRow) -> list[str]:
    source = image.extra.get("imagesource") or image.source
    # The true one, from the image's transform, whatever a label file once said.
    gsd = "null" if image.gsd_m is None else _shortest(image.gsd_m)
    return [f"imagesource:{' '.join(str(source).split()) if source else 'null'}", f"gsd:{gsd}"]


def _difficult(extra: Mapping[str, Any]) -> int:
    value = extra.get("difficult", 0)
    return value if isinstance(value, int) and value >= 0 else 0


def _shortest(value: float) -> str:
    """Return the shortest text that reads back as the same number."""
    return repr(value).removesuffix(".0")
