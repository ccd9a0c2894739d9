"""CSV, a line an object: boxes in columns of pixels, or polygons as WKT in pixels.

Each line names its query, or its image and class. A line without numbers says that its query was
answered, and nothing found.

Source: the project's own; columns as DeepForest's predictions and RetinaNet's CSV have them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ...benchmark import Image
from ...errors import InputError, OVEarthError
from ...geometry import check_quads
from ...labels.csv_rows import rows_of
from ...labels.label_text import line_place, numbers_of
from .answer import Answer
from .class_names import ClassNames, Concept
from .dialect import Dialect
from .image_names import ImageNames
from .polygon_shapes import polygons_of_wkt, shapes_of
from .reading import Reading
from .records import upright
from .scene import Detection, query_answers, scene_answers

_QUERY = ("query_id",)
_IMAGE = ("image_path", "image", "file_name", "filename", "image_name", "image_id", "path")
_CLASS = ("label", "class", "class_name", "category", "category_name", "category_id", "name")
_SCORE = ("score", "scores", "confidence", "conf")
_WKT = ("wkt", "geometry", "geom", "the_geom", "wkt_geom")
_ORIENTED = ("x1", "y1", "x2", "y2", "x3", "y3", "x4", "y4")
_CORNERS = (("xmin", "ymin", "xmax", "ymax"), ("x_min", "y_min", "x_max", "y_max"), _ORIENTED[:4])
_EXTENT = (("x", "y", "width", "height"), ("x", "y", "w", "h"))
_BROKEN = "lines that are malformed"
_WANTED = "query_id (or image_path and label), and xmin, ymin, xmax, ymax, x1 … y4, or wkt"


class _Columns:
    """Where in a line things stand."""

    def __init__(self, header: Sequence[str], where: str) -> None:
        self.header = [name.strip() for name in header]
        self.lower = [name.lower() for name in self.header]
        twice = next((name for name in self.lower if name and self.lower.count(name) > 1), None)
        if twice is not None:
            raise InputError(f"two columns {twice!r}", where, "rename one")
        self.query, self.image, self.class_name, self.score, self.wkt = (
            self._any(names) for names in (_QUERY, _IMAGE, _CLASS, _SCORE, _WKT)
        )
        self.oriented = self._all(_ORIENTED)
        self.corners = next(filter(None, map(self._all, _CORNERS)), [])
        self.extent = next(filter(None, map(self._all, _EXTENT)), [])
        has_shape = self.oriented or self.corners or self.extent or self.wkt is not None
        names_it = self.query is not None or None not in (self.image, self.class_name)
        if not has_shape or not names_it:
            listed = ", ".join(self.header[:20])
            what = f"no column that says {'what is there' if names_it else 'which query it is for'}"
            raise InputError(f"{what} (there are: {listed})", where, f"name columns {_WANTED}")
        known = {self.query, self.image, self.class_name, self.score, self.wkt}
        known |= {*self.oriented, *self.corners, *self.extent}
        self.others = {name: at for at, name in enumerate(self.header) if name and at not in known}

    def _any(self, names: Sequence[str]) -> int | None:
        return next((self.lower.index(name) for name in names if name in self.lower), None)

    def _all(self, names: Sequence[str]) -> list[int]:
        found = [self._any([name]) for name in names]
        return [at for at in found if at is not None] if None not in found else []


def read(source: Path, reading: Reading) -> Iterator[Answer]:
    """Yield the answers; see `Reader`. The file is read twice."""

    rows = rows_of(source)
    first = next(rows, None)
    if first is None:
        raise InputError("an empty file", str(source), f"write a first line with {_WANTED}")
    columns = _Columns(first[1], line_place(source, first[0]))
    names, images = ClassNames(reading), ImageNames(reading)

    def lines() -> Iterator[tuple[str, Detection]]:
        body = rows_of(source)
        next(body, None)
        for number, cells in body:
            where = line_place(source, number)
            try:
                found = _line(cells, columns, number, where, reading, names, images)
            except OVEarthError as fault:
                reading.refuse(fault if fault.where else fault.at(where), _BROKEN)
                continue
            if found is not None:
                yield found

    if columns.query is not None:
        yield from query_answers(lines, reading)
    else:
        kinds = ("obb", "hbb") if columns.oriented else ("hbb",)
        yield from scene_answers(lambda: (found for _, found in lines()), reading, names, kinds)


def _line(
    cells: Sequence[str],
    columns: _Columns,
    number: int,
    where: str,
    reading: Reading,
    names: ClassNames,
    images: ImageNames,
) -> tuple[str, Detection] | None:
    query_id = ""
    concepts: tuple[Concept, ...] = ()
    image: Image | None
    label = None if columns.class_name is None else cells[columns.class_name].strip() or None
    if columns.query is not None:
        query_id = cells[columns.query].strip()
        image = reading.image(query_id)
        if not query_id:
            raise InputError("no query id", where, "write it there")
    else:
        image = images.of(cells[columns.image or 0], where)
        concepts = names.of_name(label or "", where) if image is not None else ()
        if image is None or not concepts:
            return None
    extra = {name: cells[at] for name, at in columns.others.items() if cells[at]}
    found = Detection(
        -1 if image is None else image.id, concepts, number, where, label=label, attributes=extra
    )
    return query_id, _shaped(found, cells, columns, reading)


def _shaped(
    found: Detection, cells: Sequence[str], columns: _Columns, reading: Reading
) -> Detection:

    score = None
    if columns.score is not None and cells[columns.score].strip():
        (score,) = numbers_of([cells[columns.score].strip()], found.where)
    if columns.wkt is not None:
        text = cells[columns.wkt].strip()
        if not text:
            return found
        polygons = polygons_of_wkt(text)
        if not polygons:
            # POLYGON EMPTY: asked, and nothing found.
            return found
        mask, hbb, obb = shapes_of(polygons, reading.options.modality)
        return replace(found, mask=mask, hbb=hbb, obb=obb, score=score)
    words = [cells[at].strip() for at in columns.oriented or columns.corners or columns.extent]
    if not any(words):
        return found
    numbers = np.array(numbers_of(words, found.where))
    if columns.oriented:
        quad = check_quads([numbers.tolist()])[0]
        around = np.concatenate([quad.min(axis=0), quad.max(axis=0)])
        return replace(found, hbb=around, obb=quad, score=score)
    if not columns.corners:
        numbers[2:] += numbers[:2]
    return replace(found, hbb=upright(numbers), score=score)


DIALECTS = (
    Dialect(
        "csv",
        ("CSV with pixel or WKT columns", "DeepForest"),
        "scene",
        "a line an object: query_id, or image_path and label; xmin, ymin, xmax, ymax, or x, y,"
        " width, height, or x1 … y4, or a polygon as wkt, all in pixels; score; other columns are"
        " kept",
        "https://github.com/weecology/DeepForest, predictions of predict_image written by"
        " pandas.DataFrame.to_csv",
        read,
        ("modality",),
    ),
)
