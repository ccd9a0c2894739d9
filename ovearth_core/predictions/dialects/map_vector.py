"""A vector file without query ids: objects by the images that they lie in and by their class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...benchmark import MODALITIES, Image
from ...crs import geographic_period
from ...errors import FrameError, InputError, OVEarthError
from ...frame import ImageFrame
from ...geometry import Polygon, min_area_rect
from ...spelling import nearest
from ..features import SCORE, Table, column_named, feature_place
from ..map_shapes import check_simple, in_one_piece, map_box, map_polygons, map_quad, mask_polygons
from ..sources import VECTOR_ENDINGS, vector_tables
from ..vector_run import common_crs
from .answer import Answer
from .class_names import ClassNames
from .duplicates import kept_of
from .image_names import ImageNames
from .reading import Reading
from .records import check_score
from .scene import Detection, query_answers, scene_answers

Floats = NDArray[np.float64]

_CLASS = ("class", "label", "category", "class_name", "category_name", "phrase", "text", "name")
_IMAGE = ("image", "image_path", "file_name", "image_id")
_DUPLICATES = 0.5
_BROKEN = "features that are malformed"
_NOWHERE = "features outside of every image"
_EMPTY = "features without geometry"


def opened_tables(source: Path) -> Sequence[Table]:
    """Return the layers of a vector file; InputError for another file, and a dataset's own."""
    from ...dataset.exchange.vector import refuse_dataset

    refuse_dataset(source)
    tables = vector_tables(source)
    if not tables:
        raise InputError("no vector file", str(source), f"name one of {', '.join(VECTOR_ENDINGS)}")
    return tables


def vector_answers(source: Path, reading: Reading) -> Iterator[Answer]:
    """Yield the answers of a vector file, in its CRS; by query id where a column has it."""
    tables = opened_tables(source)
    crs = common_crs(source, tables)
    names = ClassNames(reading)
    readers = [_Layer(table, crs, reading, names) for table in tables]
    with_ids = [reader for reader in readers if reader.query is not None]

    def answered() -> Iterator[tuple[str, Detection]]:
        number = 0
        for reader in with_ids:
            for query_id, found in reader.answers():
                number += 1
                yield query_id, replace(found, line=number)

    def detections() -> Iterator[Detection]:
        number = 0
        for reader in readers:
            for found in reader.detections():
                number += 1
                yield replace(found, line=number)

    if with_ids:
        yield from query_answers(answered, reading)
        return
    least = reading.options.duplicates
    kinds = (reading.options.modality,) if reading.options.modality else MODALITIES
    yield from scene_answers(
        detections,
        reading,
        names,
        kinds,
        lambda some: _without_doubles(some, _DUPLICATES if least is None else least),
    )


class _Layer:
    """One layer, and where things stand in it."""

    def __init__(self, table: Table, crs: str, reading: Reading, names: ClassNames) -> None:
        self._table = table
        self._crs = crs
        self._reading = reading
        self._names = names
        self._images = ImageNames(reading)
        apart = table.geometry_column
        self._columns = [column for column in table.columns if column != apart]
        self.query = column_named(self._columns, "query_id")
        self._kind = column_named(self._columns, "kind")
        self._score = column_named(self._columns, SCORE)
        self._class = self._first(_CLASS)
        self._image = self._first(_IMAGE)
        known = (self.query, self._kind, self._score, self._class, self._image)
        self._others = [column for column in self._columns if column not in known]
        self._fallback = table.layer or table.path.stem

    def answers(self) -> Iterator[tuple[str, Detection]]:
        """Yield each feature with the query that it names, as it is."""
        period = geographic_period(self._crs)
        for where, fields, polygons in self._features():
            try:
                query_id = str(fields[str(self.query)] or "")
                if not query_id:
                    raise InputError("'query_id' is null", mend="every feature names its query")
                found = self._described(fields, where)
                if polygons:
                    whole = in_one_piece(polygons, period)
                    found = self._shaped(found, whole, self._kind_of(fields), None)
            except OVEarthError as fault:
                self._refuse(fault, where)
                continue
            yield query_id, found

    def detections(self) -> Iterator[Detection]:
        """Yield each feature once an image that it lies in, cut at its edge."""
        from ...dataset.exchange.image_places import ImagePlaces

        places = ImagePlaces(_Frames(self._reading), self._crs)
        if places.unplaced:
            self._reading.warnings["images without a place on the map, not looked at"] = (
                places.unplaced
            )
        for where, fields, polygons in self._features():
            if not polygons:
                self._reading.left_out[_EMPTY] += 1
                continue
            found: list[Detection] = []
            try:
                concepts = self._names.of_name(self._called(fields), where)
                kind = self._kind_of(fields)
                whole = in_one_piece(mask_polygons(polygons), places.period)
                check_simple(whole)
                for placed in self._placed(places, fields, whole, where) if concepts else ():
                    image_id = int(placed.name)
                    described = self._described(fields, where)
                    named = replace(described, image_id=image_id, concepts=concepts)
                    part = placed.clipped()
                    pixels = [list(polygon) for polygon in part]
                    if pixels and placed.is_whole:
                        shaped = self._shaped(named, whole, kind, (placed.frame, pixels))
                    elif pixels:
                        carried = [self._carried(placed.frame, polygon) for polygon in pixels]
                        shaped = self._cut(named, carried, kind, placed.frame, pixels)
                    else:
                        continue
                    found.append(replace(shaped, quad=map_quad(whole)))
            except OVEarthError as fault:
                self._refuse(fault, where)
                continue
            if not found and concepts:
                self._reading.left_out[_NOWHERE] += 1
            yield from found

    def _placed(
        self, places: Any, fields: Mapping[str, Any], polygons: list[Polygon], where: str
    ) -> list[Any]:
        named = None if self._image is None else fields[self._image]
        if named in (None, ""):
            return list(places.holding(polygons))
        image = self._images.of(str(named), where)
        return [] if image is None else [places.in_image(str(image.id), polygons)]

    def _features(self) -> Iterator[tuple[str, Mapping[str, Any], list[Polygon]]]:
        for number, (values, geometry) in enumerate(self._table.rows(self._columns, True), 1):
            where = f"{self._table.path} {feature_place(self._table.layer, number)}"
            try:
                polygons = map_polygons(geometry)
            except OVEarthError as fault:
                self._refuse(fault, where)
                continue
            yield where, dict(zip(self._columns, values, strict=True)), polygons

    def _refuse(self, fault: OVEarthError, where: str) -> None:
        self._reading.refuse(fault if fault.where else fault.at(where), _BROKEN)

    def _called(self, fields: Mapping[str, Any]) -> str:
        value = None if self._class is None else fields[self._class]
        return self._fallback if value in (None, "") else str(value)

    def _kind_of(self, fields: Mapping[str, Any]) -> str | None:
        if self._kind is None:
            in_name = self._table.layer if self._table.layer in MODALITIES else None
            return in_name or self._reading.options.modality
        kind = fields[self._kind]
        if kind not in MODALITIES:
            raise InputError(f"'kind' is {kind!r}", mend=nearest(str(kind), MODALITIES))
        return str(kind)

    def _described(self, fields: Mapping[str, Any], where: str) -> Detection:
        """Return what a feature is besides its shape."""
        from ...dataset.exchange.vector import plain

        score = None if self._score is None else fields[self._score]
        if isinstance(score, str):
            score = _number(score)
        kept = {name: plain(fields[name]) for name in self._others}
        return Detection(
            -1,
            (),
            0,
            where,
            score=None if score in (None, "") else check_score(plain(score)),
            label=self._called(fields) if self._class is not None else None,
            attributes={name: value for name, value in kept.items() if value is not None},
        )

    def _shaped(
        self,
        found: Detection,
        polygons: list[Polygon],
        kind: str | None,
        placed: tuple[ImageFrame, list[list[Floats]]] | None,
    ) -> Detection:
        """Return a feature with its shapes in the file's CRS, as the file has them."""
        if kind == "mask":
            return replace(found, mask=mask_polygons(polygons))
        if kind == "hbb":
            return replace(found, hbb=map_box(polygons))
        if kind == "obb":
            return replace(found, obb=map_quad(polygons))
        obb = map_quad(polygons) if placed is None else self._rectangle(*placed)
        return replace(found, mask=mask_polygons(polygons), hbb=map_box(polygons), obb=obb)

    def _cut(
        self,
        found: Detection,
        polygons: list[Polygon],
        kind: str | None,
        frame: ImageFrame,
        pixels: list[list[Floats]],
    ) -> Detection:
        """Return a feature with the shapes of the part of it that an image shows."""
        shapes: dict[str, Any] = {
            "mask": polygons,
            "hbb": map_box(polygons),
            "obb": self._rectangle(frame, pixels),
        }
        wanted = MODALITIES if kind is None else (kind,)
        return replace(found, **{name: shapes[name] for name in wanted})

    def _rectangle(self, frame: ImageFrame, pixels: list[list[Floats]]) -> Floats:
        """Return the rectangle of minimum area in the image's pixels, carried to the CRS."""
        corners = min_area_rect(np.concatenate([polygon[0] for polygon in pixels]))
        return frame.object_to_crs(corners, self._crs)

    def _carried(self, frame: ImageFrame, polygon: list[Floats]) -> Polygon:
        return [frame.object_to_crs(ring, self._crs) for ring in polygon]

    def _first(self, names: Sequence[str]) -> str | None:
        found = (column_named(self._columns, name) for name in names)
        return next((column for column in found if column is not None), None)


class _Frames:
    """The benchmark's images by their ids as text, as places are looked up."""

    def __init__(self, reading: Reading) -> None:
        self._by_id: Mapping[int, Image] = reading.benchmark.image_by_id

    def frame(self, file_name: str) -> ImageFrame:
        frame = self._by_id[int(file_name)].frame()
        if frame.crs is None or frame.transform is None:
            raise FrameError("an image without a place on the map", f"image {file_name}")
        return frame

    def names(self) -> tuple[str, ...]:
        return tuple(map(str, self._by_id))


def _without_doubles(found: list[Detection], least_iou: float) -> list[Detection]:
    """Return the detections for one query, each object once a kind of box."""
    if not least_iou:
        return found
    dropped: set[int] = set()
    for has_hbb, has_obb in ((True, True), (True, False), (False, True)):
        some = [
            k
            for k, each in enumerate(found)
            if (each.hbb is not None, each.obb is not None) == (has_hbb, has_obb)
            and each.quad is not None
        ]
        if len(some) > 1:
            quads = np.array([found[k].quad for k in some], np.float64)
            kept = kept_of(quads, [found[k].score for k in some], least_iou)
            dropped.update(set(some) - {some[k] for k in kept})
    return [each for k, each in enumerate(found) if k not in dropped]


def _number(text: str) -> Any:
    try:
        return float(text) if text else None
    except ValueError:
        return text
