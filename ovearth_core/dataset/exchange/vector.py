"""Any vector file with polygons, in any CRS: its shapes brought into the pixels of their images.

GeoPackage, GeoJSON, Shapefile, FlatGeobuf, GeoParquet, CSV with WKT. A shape goes to the image
that its image column names, else to the one that it lies in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, islice
from pathlib import Path
from typing import Any

from ...crs import shortest_name
from ...entry import describe
from ...errors import InputError, OVEarthError, UsageError
from ...foreign_file import refuse_dataset
from ...geometry import Polygon
from ...image_places import ImagePlaces, Placed
from ...labels.model import ImageLookup, Label, LabelledImage, ReadOptions
from ...predictions.features import Table, column_named, feature_place, plain
from ...predictions.map_shapes import in_one_piece, map_polygons, mask_polygons
from ...predictions.sources import VECTOR_ENDINGS, vector_tables
from ...spelling import nearest
from ..blob import Polygons
from .own_features import as_it_was, is_own, others, whole

OUTSIDE = ("refuse", "skip", "clip")
_CLASS = ("class", "category", "class_name", "category_name", "label")
_IMAGE = ("image", "image_path", "file_name", "filename", "image_name")
_CROWD = ("is_crowd", "iscrowd")
_AT_ONCE = 200

_NOWHERE = "features lie in no image, or cross an image's edge"
_EMPTY = "features without a polygon"
_ELSEWHERE = "parts of features at the edges of further images"
_UNPLACED = "images that have no place on the ground"
_BINARY = "attributes that are binary"
_CUT = "parts of features beyond an image's edge, cut off"


def read(source: Path, images: ImageLookup, options: ReadOptions) -> Iterator[LabelledImage]:
    """Yield the images of a vector file, each as often as its features follow one another.

    Raises InputError for a file without a CRS, a column that lacks, a feature whose class or
    geometry can't be read or that lies in several images; and, after the last feature, for those
    that lie in none, unless `options.outside` says otherwise.
    """
    if options.outside not in OUTSIDE:
        raise UsageError(
            f"no such choice {options.outside!r}", "--outside", nearest(options.outside, OUTSIDE)
        )
    counts: Counter[str] = Counter()
    first_lost: list[str] = []
    for table in _tables(source):
        reader = _LayerReader(table, images, options, counts, first_lost)
        for name, group in groupby(reader.labels(), key=lambda pair: pair[0]):
            while some := [label for _, label in islice(group, _AT_ONCE)]:
                number = reader.image_ids.get(name)
                yield LabelledImage(name, tuple(some), where=some[0].where, image_id=number)
    if first_lost and options.outside == "refuse":
        what = f"{counts[_NOWHERE]} {_NOWHERE}"
        mend = "leave them out (--outside skip), or cut them at the edge (--outside clip)"
        raise InputError(what, f"the first is {first_lost[0]}", mend)
    options.left_out.update(+counts)


class _LayerReader:
    """Reads one layer. `counts` takes what is left out, `first_lost` the place of the first."""

    def __init__(
        self,
        table: Table,
        images: ImageLookup,
        options: ReadOptions,
        counts: Counter[str],
        first_lost: list[str],
    ) -> None:
        self._table = table
        self._outside = options.outside
        self._counts = counts
        self._first_lost = first_lost
        self._where = str(table.path) if table.layer is None else f"{table.path} {table.layer!r}"
        self._class = self._column(options.class_column, _CLASS, "--class-column")
        if self._class is None:
            listed = ", ".join(table.columns[:20]) or "none"
            mend = f"name it with --class-column, or call it {_CLASS[0]!r}"
            raise InputError(f"no class column (there are: {listed})", self._where, mend)
        self._image = self._column(options.image_column, _IMAGE, "--image-column")
        self._crowd = self._column(None, _CROWD, "")
        self._is_own = is_own(table.columns) and options.class_column is None
        self.image_ids: dict[str, int | None] = {}
        if table.crs is None:
            raise InputError("its CRS is unknown", self._where, table.how_to_give_a_crs)
        try:
            self._places = ImagePlaces(images, shortest_name(table.crs))
        except OVEarthError as fault:
            raise fault.at(self._where) from None
        counts[_UNPLACED] = self._places.unplaced

    def labels(self) -> Iterator[tuple[str, Label]]:
        """Yield each label with the name of its image."""
        apart = self._table.geometry_column
        columns = [column for column in self._table.columns if column != apart]
        for number, (values, geometry) in enumerate(self._table.rows(columns, True), 1):
            where = f"{self._table.path} {feature_place(self._table.layer, number)}"
            properties = dict(zip(columns, values, strict=True))
            try:
                polygons = mask_polygons(map_polygons(geometry))
                if not polygons:
                    self._counts[_EMPTY] += 1
                    continue
                class_name = self._word(properties, self._class)
                if class_name is None:
                    raise InputError(f"no class in {self._class!r}", mend="write it there")
                placed = self._placed(self._word(properties, self._image), polygons)
                shapes = [(place.name, shape) for place in placed if (shape := place.clipped())]
                if self._is_own:
                    self.image_ids |= dict.fromkeys(
                        (name for name, _ in shapes), whole(properties, "image_id")
                    )
                labels = [
                    (name, self._label(class_name, shape, properties, where))
                    for name, shape in shapes
                ]
            except OVEarthError as fault:
                raise fault.at(where) from None
            if not labels:
                self._lose(where)
            yield from labels

    def _label(
        self, class_name: str, shape: Polygons, properties: Mapping[str, Any], where: str
    ) -> Label:
        is_crowd = self._crowd is not None and properties[self._crowd] == 1
        extra = self._extra(properties)
        label = Label(class_name, shape, is_crowd=is_crowd, extra=extra, where=where)
        return as_it_was(label, properties) if self._is_own else label

    def _placed(self, name: str | None, polygons: list[Polygon]) -> list[Placed]:
        """Return where a shape is taken; none where it is left out."""
        whole = in_one_piece(polygons, self._places.period)
        if name is not None:
            found = [self._places.in_image(name, whole)]
        else:
            found = self._places.holding(whole)
        if self._outside == "clip":
            self._counts[_CUT] += sum(not place.is_whole for place in found)
            return found
        within = [place for place in found if place.is_whole]
        if len(within) > 1:
            names = ", ".join(place.name for place in within[:10])
            what = f"a feature that lies in {len(within)} images ({names})"
            mend = "name its image in a column (--image-column), or --outside clip for all of them"
            raise InputError(what, mend=mend)
        if within:
            self._counts[_ELSEWHERE] += len(found) - 1
        return within

    def _lose(self, where: str) -> None:
        self._counts[_NOWHERE] += 1
        if not self._first_lost:
            self._first_lost.append(where)

    def _extra(self, properties: Mapping[str, Any]) -> dict[str, Any]:
        known = (self._class, self._image, self._crowd)
        kept = {}
        names = others(properties) if self._is_own else properties
        for key, value in ((name, properties[name]) for name in names):
            if isinstance(value, (bytes, memoryview)):
                self._counts[_BINARY] += 1
            elif key not in known and (told := plain(value)) is not None:
                kept[key] = told
        return kept

    def _column(self, chosen: str | None, names: Sequence[str], option: str) -> str | None:
        columns = self._table.columns
        if chosen is None:
            found = (column_named(columns, name) for name in names)
            return next((column for column in found if column is not None), None)
        column = chosen if chosen in columns else column_named(columns, chosen.lower())
        if column is None:
            listed = ", ".join(columns[:20]) or "none"
            what = f"no column {chosen!r} (there are: {listed})"
            raise InputError(what, self._where, f"name one of them with {option}")
        return column

    def _word(self, properties: Mapping[str, Any], column: str | None) -> str | None:
        value = None if column is None else properties[column]
        if value is None or value == "":
            return None
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            return str(value)
        raise InputError(f"{column!r} is {describe(value)}", mend="write a text or whole number")


def _tables(source: Path) -> Sequence[Table]:
    if source.is_dir() or not source.exists():
        mend = "name the file in it" if source.is_dir() else "check the path"
        raise InputError("no such file", str(source), mend)
    refuse_dataset(source)
    tables = vector_tables(source)
    if tables is None:
        raise InputError("no vector file", str(source), f"name one of {', '.join(VECTOR_ENDINGS)}")
    return tables
