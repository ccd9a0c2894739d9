"""Reading a dataset: rows streamed out of one transaction, which sees one consistent state."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ..errors import InputError, OVEarthError
from ..frame import ImageFrame
from . import mapping, statements
from .blob import has_exact_pixels, point_of_blob, polygons_of_blob, polygons_of_exact_pixels
from .instance_state import InstanceState, read_states
from .mapping import Table
from .rows import (
    BoxBasis,
    BoxRow,
    CategoryRow,
    ImageRow,
    InstanceRow,
    JudgementRow,
    PoiRow,
    QueryRow,
    QueryRunRow,
    ReviewRow,
    TargetRow,
)
from .shapes import to_pixels

Faults = list[tuple[int, OVEarthError]]

_CHUNK = 500
_KEPT_FRAMES = 256


class View:
    """What a dataset holds, as of one moment. Rows come in the order of their ids, as stored.

    Filters that are None let everything through. Iterators read on while they are used, and must
    be used up before the transaction ends.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._frame_of_image = lru_cache(_KEPT_FRAMES)(self._read_frame)

    # Many rows

    def categories(self) -> Iterator[CategoryRow]:
        """Yield the categories."""
        for values in self._select(mapping.CATEGORIES):
            yield CategoryRow(**mapping.CATEGORIES.fields(values))

    def images(self) -> Iterator[ImageRow]:
        """Yield the images."""
        for values in self._select(mapping.IMAGES):
            yield ImageRow(**mapping.IMAGES.fields(values))

    def file_names(self) -> dict[int, str]:
        """Return the images' relative paths by id, without reading anything else of them."""
        return dict(self._run(["id", "file_name"], "images", {}, "id"))

    def pois(self, state: str | None = None) -> Iterator[PoiRow]:
        """Yield the places of interest, of one state."""
        for *values, geometry in self._select(mapping.POIS, ["geom"], {"state = ?": state}):
            yield _poi(tuple(values), geometry)

    def targets(
        self,
        image_id: int | None = None,
        category_id: int | None = None,
        state: str | None = None,
    ) -> Iterator[TargetRow]:
        """Yield the targets of an image, a category, a state."""
        chosen = {"image_id = ?": image_id, "category_id = ?": category_id, "state = ?": state}
        for values in self._select(mapping.TARGETS, filters=chosen):
            yield TargetRow(**mapping.TARGETS.fields(values))

    def instances(
        self,
        target_id: int | None = None,
        image_id: int | None = None,
        state: str | None = None,
        faults: Faults | None = None,
    ) -> Iterator[InstanceRow]:
        """Yield the instances of a target, an image, or targets in a state.

        One whose geometry can't be read, or lies where its image's CRS doesn't reach, raises an
        error that names it; with a list of `faults` it is put in there with its id, and left out.
        """
        chosen = {
            "instances.target_id = ?": target_id,
            "targets.image_id = ?": image_id,
            "targets.state = ?": state,
        }
        for values in self._select_instances(chosen):
            try:
                yield self._instance(values)
            except OVEarthError as fault:
                if faults is None:
                    raise
                faults.append((values[0], fault))

    def instance_changes(self) -> Iterator[tuple[str, int]]:
        """Yield the origin of each instance and how often its polygon was changed."""
        columns = ["instances.origin", "instances.changes"]
        yield from self._run(columns, "instances", {}, "instances.id")

    def instance_states(self, instance_ids: Iterable[int]) -> dict[int, InstanceState]:
        """Return the rows of instances exactly as stored, by id; those that are not there lack."""
        return read_states(self._connection, instance_ids)

    def inexact_instances(self, target_id: int | None = None) -> Iterator[int]:
        """Yield the ids of instances, of a target, whose polygon is only there in degrees.

        Another program drew or moved them; `Edit.keep_pixels` keeps what they are in pixels.
        """
        columns = ["instances.id", "instances.pixels", "instances.geom"]
        chosen = {"target_id = ?": target_id}
        for instance_id, pixels, geometry in self._run(columns, "instances", chosen, "id"):
            if geometry is not None and not has_exact_pixels(pixels, geometry):
                yield instance_id

    def basis_of_boxes(self, instance_id: int) -> BoxBasis | None:
        """Return what an instance's boxes hang on, without its polygon; None where it is gone."""
        names = ("changes", "iscrowd", "bbox", "obb")
        columns = [*("instances." + name for name in names), "targets.state", "targets.rival_of"]
        source = "instances JOIN targets ON targets.id = instances.target_id"
        for changes, crowd, bbox, obb, state, rival in self._run(
            columns, source, {"instances.id = ?": instance_id}, "instances.id"
        ):
            given = (mapping.read_numbers(bbox), mapping.read_numbers(obb))
            return BoxBasis(changes, bool(crowd), *given, state, rival)
        return None

    def queries(self, target_id: int | None = None) -> Iterator[QueryRow]:
        """Yield the queries of a target, in the order in which they were stored."""
        for values in self._select(mapping.QUERIES, filters={"target_id = ?": target_id}):
            yield _query(values)

    def query_runs(
        self, target_id: int | None = None, stage: str | None = None
    ) -> Iterator[QueryRunRow]:
        """Yield when language models were asked of a target, at a stage, oldest first."""
        chosen = {"target_id = ?": target_id, "stage = ?": stage}
        for values in self._select(mapping.QUERY_RUNS, filters=chosen):
            yield QueryRunRow(**mapping.QUERY_RUNS.fields(values))

    def judgements(self, query_id: str | None = None) -> Iterator[JudgementRow]:
        """Yield what reviewers say of a query, oldest first."""
        for values in self._select(mapping.JUDGEMENTS, filters={"query_id = ?": query_id}):
            yield JudgementRow(**mapping.JUDGEMENTS.fields(values))

    def reviews(self, target_id: int | None = None) -> Iterator[ReviewRow]:
        """Yield the log's lines, of a target, oldest first."""
        for values in self._select(mapping.REVIEWS, filters={"target_id = ?": target_id}):
            yield ReviewRow(**mapping.REVIEWS.fields(values))

    def boxes(self, kind: str, image_id: int | None = None) -> Iterator[BoxRow]:
        """Yield the derived boxes of one kind ("hbb" or "obb"), of an image."""
        table = mapping.BOXES[kind]
        columns = [".".join([kind, name]) for name in table.names]
        source = " ".join([kind, "JOIN instances ON instances.id =", kind + ".instance_id",
                           "JOIN targets ON targets.id = instances.target_id"])  # fmt: skip
        more = ["targets.id", "targets.image_id", "targets.category_id"]
        chosen = {"targets.image_id = ?": image_id}
        for values in self._run(columns + more, source, chosen, kind + ".id"):
            ids = dict(zip(("target_id", "image_id", "category_id"), values[-3:], strict=True))
            yield BoxRow(kind=kind, **table.fields(values), **ids)

    # One row

    def category(self, category_id: int) -> CategoryRow:
        """Return a category; InputError where there is none."""
        return CategoryRow(**self._one(mapping.CATEGORIES, category_id))

    def image(self, image_id: int) -> ImageRow:
        """Return an image; InputError where there is none."""
        return ImageRow(**self._one(mapping.IMAGES, image_id))

    def image_of_file(self, file_name: str) -> ImageRow | None:
        """Return the image of a file, given by its relative path, if any."""
        for values in self._select(mapping.IMAGES, filters={"file_name = ?": file_name}):
            return ImageRow(**mapping.IMAGES.fields(values))
        return None

    def poi(self, poi_id: int) -> PoiRow:
        """Return a place of interest; InputError where there is none."""
        for *values, geometry in self._select(mapping.POIS, ["geom"], {"id = ?": poi_id}):
            return _poi(tuple(values), geometry)
        raise missing("pois", poi_id)

    def next_poi(self, state: str, after: int) -> PoiRow | None:
        """Return the first place of interest in a state with an id above, None where there is none.

        Its reading ends there: quick in a dataset of any size.
        """
        chosen: dict[str, object] = {"state = ?": state, "id > ?": after}
        for *values, geometry in self._select(mapping.POIS, ["geom"], chosen):
            return _poi(tuple(values), geometry)
        return None

    def tally(self, table: str, *columns: str) -> Iterator[tuple[Any, ...]]:
        """Yield each set of values that some columns of a table have, and in how many rows."""
        names = ", ".join(columns)
        words = ["SELECT", names + ", count(*) FROM", table, "GROUP BY", names]
        yield from self._connection.execute(" ".join(words))

    def last_poi(self) -> int:
        """Return the largest id of a place of interest, 0 where there is none."""
        (last,) = self._connection.execute("SELECT max(id) FROM pois").fetchone()
        return int(last or 0)

    def target(self, target_id: int) -> TargetRow:
        """Return a target; InputError where there is none."""
        return TargetRow(**self._one(mapping.TARGETS, target_id))

    def instance(self, instance_id: int) -> InstanceRow:
        """Return an instance; InputError where there is none, or its geometry can't be read."""
        for values in self._select_instances({"instances.id = ?": instance_id}):
            return self._instance(values)
        raise missing("instances", instance_id)

    def query(self, query_id: str) -> QueryRow:
        """Return a query; InputError where there is none."""
        for values in self._select(mapping.QUERIES, filters={"id = ?": query_id}):
            return _query(values)
        raise missing("queries", query_id)

    def frame(self, image_id: int) -> ImageFrame:
        """Return an image's frame, kept while the view lasts."""
        return self._frame_of_image(image_id)

    def frames_of_crss(self, most: int) -> list[ImageFrame]:
        """Return the frame of one image in each CRS, of at most so many; broken ones left out."""
        found = self._connection.execute(
            "SELECT min(id) FROM images GROUP BY crs LIMIT ?", (most,)
        ).fetchall()
        frames = []
        for (image_id,) in found:
            with suppress(OVEarthError):
                frames.append(self.frame(image_id))
        return frames

    def counts(self) -> dict[str, int]:
        """Return how many rows each table has."""
        names = ("categories", "pois", "images", "targets", "instances", "queries", "reviews",
                 "hbb", "obb")  # fmt: skip
        found = {}
        for name in names:
            (count,) = self._connection.execute(" ".join(["SELECT count(*) FROM", name])).fetchone()
            found[name] = int(count)
        return found

    def note(self, key: str) -> Any:
        """Return a value that was kept with `Edit.set_note`, None where there is none."""
        found = self._connection.execute(
            "SELECT value FROM ovearth_dataset WHERE key = ?", ("note:" + key,)
        ).fetchone()
        return None if found is None else json.loads(found[0])

    def _select(
        self,
        table: Table,
        more: list[str] | None = None,
        filters: Mapping[str, object] | None = None,
    ) -> Iterator[tuple[Any, ...]]:
        return self._run(table.names + (more or []), table.name, filters or {}, table.key)

    def _select_instances(self, filters: Mapping[str, object]) -> Iterator[tuple[Any, ...]]:
        columns = ["instances." + name for name in mapping.INSTANCES.names]
        more = ["instances.geom", "instances.pixels", "targets.image_id", "targets.category_id"]
        source = "instances JOIN targets ON targets.id = instances.target_id"
        return self._run(columns + more, source, filters, "instances.id")

    def _run(
        self, columns: list[str], source: str, filters: Mapping[str, object], order: str
    ) -> Iterator[tuple[Any, ...]]:
        kept = {condition: value for condition, value in filters.items() if value is not None}
        statement = statements.select(columns, source, list(kept), order)
        cursor = self._connection.execute(statement, list(kept.values()))
        while rows := cursor.fetchmany(_CHUNK):
            yield from rows

    def _one(self, table: Table, key: object) -> dict[str, Any]:
        for values in self._select(table, filters={table.key + " = ?": key}):
            return table.fields(values)
        raise missing(table.name, key)

    def _instance(self, values: tuple[Any, ...]) -> InstanceRow:
        *_, geometry, pixels, image_id, category_id = values
        row = InstanceRow(
            **mapping.INSTANCES.fields(values), image_id=image_id, category_id=category_id
        )
        if geometry is None:
            return row
        try:
            exact = polygons_of_exact_pixels(pixels, geometry) if pixels else None
            if exact is not None:
                return replace(row, polygons=exact[0], is_multi=exact[1])
            polygons = to_pixels(self.frame(image_id), polygons_of_blob(geometry))
        except OVEarthError as fault:
            raise fault.at(f"instance {row.id} of image {image_id}") from None
        # Drawn anew by another program, it is no longer what was imported.
        row = replace(row, polygons=polygons, is_multi=len(polygons) != 1, segmentation=None)
        # With the pixels of another polygon it is a copy of that one's row, moved since.
        return row if pixels is None else replace(row, bbox=None, obb=None)

    def _read_frame(self, image_id: int) -> ImageFrame:
        return self.image(image_id).frame()


def missing(table: str, key: object) -> InputError:
    """Return the error that says that there is no such row."""
    return InputError(f"there is no row {key} in {table}", mend="look it up in the dataset")


def _poi(values: tuple[Any, ...], geometry: bytes | None) -> PoiRow:
    if geometry is None:
        raise InputError("a place of interest without a point", f"pois {values[0]}", "remove it")
    try:
        lon, lat = point_of_blob(geometry)
    except OVEarthError as fault:
        raise fault.at(f"pois {values[0]}") from None
    return PoiRow(lon=lon, lat=lat, **mapping.POIS.fields(values))


def _query(values: tuple[Any, ...]) -> QueryRow:
    return QueryRow(**mapping.QUERIES.fields(values))
