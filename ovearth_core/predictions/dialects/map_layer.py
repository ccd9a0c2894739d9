"""One layer of a vector file, its features read as what they show on the images."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...benchmark import MODALITIES, Image
from ...crs import geographic_period
from ...errors import FrameError, InputError, OVEarthError
from ...frame import ImageFrame
from ...geometry import Polygon
from ...image_places import ImagePlaces
from ...spelling import nearest
from ..features import SCORE, Table, column_named, feature_place, plain
from ..map_shapes import check_simple, in_one_piece, map_polygons, map_quad, mask_polygons
from .class_names import ClassNames
from .image_names import ImageNames
from .map_part import cut_feature, whole_feature
from .reading import Reading
from .records import check_score
from .scene import Detection
from .score_rule import ScoreRule

_CLASS = ("class", "label", "category", "class_name", "category_name", "phrase", "text", "name")
_IMAGE = ("image", "image_path", "file_name", "image_id")
_BROKEN = "features that are malformed"
_NOWHERE = "features outside of every image"
_EMPTY = "features without geometry"


class MapLayer:
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

    def answers(self, rule: ScoreRule) -> Iterator[tuple[str, Detection]]:
        """Yield each feature with the query that it names, as it is.

        rule: that of the boxes of one query, through all layers.
        """
        period = geographic_period(self._crs)
        for where, fields, polygons in self._features():
            try:
                query_id = str(fields[str(self.query)] or "")
                if not query_id:
                    raise InputError("'query_id' is null", mend="every feature names its query")
                found = self._described(fields, where)
                if polygons:
                    whole = in_one_piece(polygons, period)
                    kind = self._kind_of(fields)
                    if kind != "mask":
                        rule.check(query_id, found.score is not None, where)
                    found = whole_feature(found, whole, kind, self._crs)
            except OVEarthError as fault:
                self._refuse(fault, where)
                continue
            yield query_id, found

    def detections(self) -> Iterator[Detection]:
        """Yield each feature once an image that it lies in, cut at its edge."""
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
                    pixels = placed.clipped()
                    if not pixels:
                        continue
                    if placed.is_whole:
                        at = (placed.frame, pixels)
                        shaped = whole_feature(named, whole, kind, self._crs, at)
                    else:
                        shaped = cut_feature(named, kind, self._crs, placed.frame, pixels)
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


def _number(text: str) -> Any:
    try:
        return float(text) if text else None
    except ValueError:
        return text
