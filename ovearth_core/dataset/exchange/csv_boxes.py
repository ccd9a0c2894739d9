"""CSV of boxes, a line a box, its columns known by their names and not by their order.

Upright boxes (xmin, ymin, xmax, ymax) or oriented ones (x1, y1 … x4, y4), in pixels. A line
without any number says that its image was looked at and holds nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from ...errors import InputError
from ...labels.csv_rows import rows_of
from ...labels.label_text import line_place, numbers_of
from ...labels.model import ImageLookup, Label, LabelledImage, ReadOptions

_IMAGE = ("image_path", "image", "file_name", "filename", "image_name", "path")
_CLASS = ("label", "class", "class_name", "category", "category_name", "name")
_SIZE = {"width": ("width", "image_width"), "height": ("height", "image_height")}
_UPRIGHT = tuple(
    (name, f"{name[0]}_{name[1:]}", f"bbox_{name}") for name in ("xmin", "ymin", "xmax", "ymax")
)
_UPRIGHT_SHORT = ("x1", "y1", "x2", "y2")
_ORIENTED = ("x1", "y1", "x2", "y2", "x3", "y3", "x4", "y4")
_WANTED = "image_path, xmin, ymin, xmax, ymax (or x1, y1 … x4, y4) and label"


class _Columns:
    """Where in a line things stand."""

    def __init__(self, header: Sequence[str], options: ReadOptions, path: Path) -> None:
        self._header = [name.strip() for name in header]
        self._path = path
        self._lower = [name.lower() for name in self._header]
        twice = next((n for n in self._lower if n and self._lower.count(n) > 1), None)
        if twice is not None:
            raise InputError(f"two columns {twice!r}", line_place(path, 1), "rename one")
        self.image = self._named("image", _IMAGE, options.image_column, "--image-column")
        self.kind = self._named("class", _CLASS, options.class_column, "--class-column")
        self.width, self.height = (self._any(names) for names in _SIZE.values())
        self.numbers, self.is_oriented = self._corners()
        known = {self.image, self.kind, self.width, self.height, *self.numbers}
        self.others = {name: at for at, name in enumerate(self._header) if name and at not in known}

    @property
    def count(self) -> int:
        return len(self._header)

    def _any(self, names: Sequence[str]) -> int | None:
        return next((self._lower.index(name) for name in names if name in self._lower), None)

    def _named(self, noun: str, names: Sequence[str], chosen: str | None, option: str) -> int:
        found = self._any(names if chosen is None else [chosen.strip().lower()])
        if found is None:
            raise self._lacking(f"no column {chosen!r}" if chosen else f"no {noun} column", option)
        return found

    def _corners(self) -> tuple[list[int], bool]:
        oriented = [self._any([name]) for name in _ORIENTED]
        upright = [self._any(names) for names in _UPRIGHT]
        short = [self._any([name]) for name in _UPRIGHT_SHORT]
        for found, is_oriented in ((oriented, True), (upright, False), (short, False)):
            whole = [at for at in found if at is not None]
            if len(whole) == len(found):
                return whole, is_oriented
        raise self._lacking("no four or eight columns of a box", "")

    def _lacking(self, what: str, option: str) -> InputError:
        listed = ", ".join(name or "(unnamed)" for name in self._header[:20])
        mend = f"write a first line that names {_WANTED}" + (
            f", or give {option}" if option else ""
        )
        return InputError(f"{what} (there are: {listed})", line_place(self._path, 1), mend)


def read(source: Path, images: ImageLookup, options: ReadOptions) -> Iterator[LabelledImage]:
    """Yield the images of a CSV, as often as its lines change from one to another."""
    rows = rows_of(source)
    first = next(rows, None)
    if first is None:
        raise InputError("an empty file", str(source), f"write a first line that names {_WANTED}")
    columns = _Columns(first[1], options, source)
    for name, group in groupby(rows, key=lambda row: row[1][columns.image].strip()):
        lines = list(group)
        if not name:
            raise InputError("no image name", line_place(source, lines[0][0]), "write it there")
        yield _image(name, lines, columns, source)


def _image(
    name: str, rows: Sequence[tuple[int, list[str]]], columns: _Columns, path: Path
) -> LabelledImage:
    labels = [label for row in rows if (label := _label(row, columns, path)) is not None]
    number, cells = rows[0]
    where = line_place(path, number)
    width, height = (_size(cells, at, where) for at in (columns.width, columns.height))
    return LabelledImage(name, tuple(labels), width, height, where=where)


def _label(row: tuple[int, list[str]], columns: _Columns, path: Path) -> Label | None:
    number, cells = row
    where = line_place(path, number)
    words = [cells[at].strip() for at in columns.numbers]
    if not any(words):
        return None
    numbers = numbers_of(words, where)
    class_name = cells[columns.kind].strip()
    if not class_name:
        raise InputError("no class", where, "write it there")
    extra = _extra(cells, columns.others)
    if columns.is_oriented:
        return Label(class_name, obb=numbers, extra=extra, where=where)
    x0, y0, x1, y1 = numbers
    if not (x0 < x1 and y0 < y1):
        what = f"a box without area: {x0:g} to {x1:g}, {y0:g} to {y1:g}"
        raise InputError(what, where, "write xmin below xmax and ymin below ymax")
    return Label(class_name, box=(x0, y0, x1, y1), extra=extra, where=where)


def _extra(cells: Sequence[str], others: Mapping[str, int]) -> dict[str, Any]:
    return {name: cells[at] for name, at in others.items() if cells[at]}


def _size(cells: Sequence[str], at: int | None, where: str) -> int | None:
    if at is None or not cells[at].strip():
        return None
    (value,) = numbers_of([cells[at].strip()], where)
    if value != int(value) or value < 1:
        raise InputError(f"an image size of {value:g}", where, "write whole pixels")
    return int(value)
