"""Changing a dataset, inside one transaction: rows added, changed and removed."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import dataclass, fields, replace
from datetime import datetime, timezone
from typing import Any, TypeVar

import numpy as np

from ..errors import InputError, OVEarthError, UsageError
from . import mapping, statements
from .blob import Envelope, envelope_of_blob, point_blob, polygons_blob, polygons_wkb
from .mapping import Table
from .rows import (
    BoxRow,
    CategoryRow,
    ImageRow,
    InstanceRow,
    PoiRow,
    QueryRow,
    ReviewRow,
    TargetRow,
)
from .shapes import as_polygons, to_lonlat
from .view import View, missing

RowT = TypeVar(
    "RowT", CategoryRow, ImageRow, PoiRow, TargetRow, InstanceRow, QueryRow, ReviewRow, BoxRow
)

_TABLES: dict[type[Any], Table] = {
    CategoryRow: mapping.CATEGORIES,
    ImageRow: mapping.IMAGES,
    PoiRow: mapping.POIS,
    TargetRow: mapping.TARGETS,
    InstanceRow: mapping.INSTANCES,
    QueryRow: mapping.QUERIES,
    ReviewRow: mapping.REVIEWS,
}
_OPEN_STATES = ("draft", "returned")
# Of each edge of a footprint: straight edges bend in longitude and latitude.
_SEGMENTS = 8


@dataclass(frozen=True)
class Removed:
    """What a removal took away: the rows as they were."""

    images: tuple[ImageRow, ...] = ()
    targets: tuple[TargetRow, ...] = ()
    instances: tuple[InstanceRow, ...] = ()
    queries: tuple[QueryRow, ...] = ()


class Edit(View):
    """One transaction of changes, which also sees them; made by `Dataset.writing`.

    who: signs what is changed, with a role ("annotator", "manager"), in the rows and in the log.
    """

    def __init__(
        self, connection: sqlite3.Connection, who: str | None = None, role: str | None = None
    ) -> None:
        super().__init__(connection)
        self._who = who
        self._role = role
        self._grown: dict[str, Envelope] = {}
        self._touched: set[str] = set()

    # Any row

    def add(self, row: RowT) -> RowT:
        """Store a new row and return it as stored: with its id, who made it and when.

        An id that is given is kept. InputError where it is taken, or names what isn't there.
        """
        row = self._signed_new(row)
        table = _table_of(row)
        values: dict[str, Any] = self._values(table, row)
        statement = statements.insert(table.name, list(values))
        cursor = self._connection.execute(statement, list(values.values()))
        self._touched.add(table.name)
        key: dict[str, Any] = {table.key: cursor.lastrowid}
        return replace(row, **key)

    def update(self, row: RowT) -> RowT:
        """Store a row in place of that of the same id, and return it as stored.

        Made with `dataclasses.replace` from one that was read. A polygon that is the same keeps
        its geometry to the last bit. InputError where there is no such row.
        """
        if isinstance(row, ReviewRow):
            raise UsageError("the log can only be added to", "reviews", "add a line")
        return self._put(self._signed_change(row))

    def _put(self, row: RowT) -> RowT:
        table = _table_of(row)
        key = getattr(row, table.key)
        values: dict[str, Any] = self._values(table, row)
        statement = statements.update(table.name, list(values), table.key)
        if self._connection.execute(statement, [*values.values(), key]).rowcount != 1:
            raise missing(table.name, key)
        self._touched.add(table.name)
        return row

    # Targets and their instances

    def add_instance(
        self,
        image_id: int,
        category_id: int,
        shape: object,
        *,
        target_id: int | None = None,
        origin: str = "drawn",
        **more: Any,
    ) -> InstanceRow:
        """Store a polygon drawn on an image, in pixels; the first of a category makes the target.

        shape: a ring (N, 2), GeoJSON, or polygons as tuples of rings; an area of a category
        without instances may have several parts. It joins the target of that category that is
        draft or returned; UsageError where all of them are past that. With `target_id` it joins
        that target whatever its state. more: other fields of InstanceRow.
        """
        if target_id is None:
            target_id = self.open_target(image_id, category_id).id
        polygons, is_multi = as_polygons(shape)
        made = InstanceRow(None, target_id or 0, polygons, is_multi, origin=origin, **more)
        return replace(self.add(made), image_id=image_id, category_id=category_id)

    def open_target(self, image_id: int, category_id: int) -> TargetRow:
        """Return the image's target of a category that can still be drawn on, made where needed.

        UsageError where there are targets, all of them submitted, approved or rejected.
        """
        found = [t for t in self.targets(image_id, category_id) if t.rival_of is None]
        for target in found:
            if target.state in _OPEN_STATES:
                return target
        if found:
            raise UsageError(
                f"target {found[0].id} is {found[0].state}",
                f"image {image_id}, category {category_id}",
                "return it first",
            )
        return self.add(TargetRow(None, image_id, category_id, annotator=self._who))

    def set_state(self, target_id: int, state: str, why: str | None = None) -> TargetRow:
        """Change a target's state; the file logs who, when, from, to and why by itself.

        Any change is taken: who may do what is for `review` to say. InputError for no such state.
        """
        changed = self._signed_change(replace(self.target(target_id), state=state))
        return self._put(replace(changed, changed_why=why))

    # Removing

    def remove_image(self, image_id: int, *, with_targets: bool = False) -> Removed:
        """Take an image out of the dataset, its file left alone; return all that went with it.

        UsageError while targets hang on it, unless told to take them along.
        """
        image = self.image(image_id)
        targets = list(self.targets(image_id))
        if targets and not with_targets:
            raise UsageError(
                f"{len(targets)} targets hang on image {image_id} ({image.file_name})",
                mend="remove them too (with_targets), or keep it",
            )
        removed = [self.remove_target(target.id or 0) for target in targets]
        self._delete("images", "id", image_id)
        return Removed(
            (image,),
            tuple(targets),
            tuple(row for part in removed for row in part.instances),
            tuple(row for part in removed for row in part.queries),
        )

    def remove_target(self, target_id: int) -> Removed:
        """Remove a target, its instances and queries; return them. Its log stays."""
        target = self.target(target_id)
        instances = tuple(self.instances(target_id, faults=[]))
        queries = tuple(self.queries(target_id))
        for table in ("instances", "queries"):
            self._delete(table, "target_id", target_id)
        self._sign_removal(target)
        self._delete("targets", "id", target_id)
        return Removed((), (target,), instances, queries)

    def remove_instance(self, instance_id: int) -> None:
        """Remove an instance and the boxes derived from it; its target stays."""
        self._delete_one("instances", "id", instance_id)

    def remove_query(self, query_id: str) -> None:
        """Remove a query for good (`state="removed"` keeps it for the counts)."""
        self._delete_one("queries", "id", query_id)

    def remove_poi(self, poi_id: int) -> None:
        """Remove a place of interest; images made from it stay."""
        self._delete_one("pois", "id", poi_id)

    def remove_category(self, category_id: int) -> None:
        """Remove a category; InputError while targets have it."""
        self._delete_one("categories", "id", category_id)

    def remove_boxes(self, kind: str, instance_id: int | None = None) -> None:
        """Remove the derived boxes of a kind ("hbb" or "obb"), all or those of an instance."""
        table = mapping.BOXES[kind].name
        if instance_id is None:
            self._connection.execute(" ".join(["DELETE FROM", table]))
        else:
            self._delete(table, "instance_id", instance_id)

    def set_note(self, key: str, value: Any) -> None:
        """Keep a value (anything JSON can say) with the dataset, under a key."""
        self._connection.execute(
            "INSERT INTO ovearth_dataset (key, value) VALUES (?, ?) "
            "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            ("note:" + key, json.dumps(value, ensure_ascii=False)),
        )

    def finish(self) -> None:
        """Tell the GeoPackage's table of contents what was changed, right before COMMIT."""
        for table in sorted(self._touched):
            west, east, south, north = self._grown.get(table, (None, None, None, None))
            self._connection.execute(
                "UPDATE gpkg_contents SET last_change = ?, "
                "min_x = min(coalesce(min_x, ?), coalesce(?, min_x)), "
                "max_x = max(coalesce(max_x, ?), coalesce(?, max_x)), "
                "min_y = min(coalesce(min_y, ?), coalesce(?, min_y)), "
                "max_y = max(coalesce(max_y, ?), coalesce(?, max_y)) WHERE table_name = ?",
                (_now(), west, west, east, east, south, south, north, north, table),
            )

    # What is stored beside a row's plain columns

    def _values(self, table: Table, row: object) -> dict[str, Any]:
        return dict(zip(table.names, table.values(row), strict=True)) | self._geometry(row)

    def _geometry(self, row: object) -> dict[str, Any]:
        if isinstance(row, ImageRow):
            outline = row.frame().footprint(_SEGMENTS)
            found = {"geom": polygons_blob(((outline,),), as_multi=False)}
        elif isinstance(row, PoiRow):
            found = {"geom": point_blob(row.lon, row.lat)}
        elif isinstance(row, InstanceRow):
            found = self._instance_geometry(row)
        elif isinstance(row, BoxRow):
            found = self._box_geometry(row)
        else:
            return {}
        self._grow(_table_of(row).name, found.get("geom"))
        return found

    def _instance_geometry(self, row: InstanceRow) -> dict[str, Any]:
        if row.polygons is None:
            return {"geom": None, "pixels": None}
        polygons, _ = as_polygons(row.polygons)
        pixels = polygons_wkb(polygons, as_multi=row.is_multi)
        if row.id is not None and (kept := self._same_shape(row.id, polygons)) is not None:
            return {"geom": kept, "pixels": pixels}
        frame = self.frame(self.target(row.target_id).image_id)
        try:
            return {"geom": polygons_blob(to_lonlat(frame, polygons)), "pixels": pixels}
        except OVEarthError as fault:
            raise fault.at(f"target {row.target_id}") from None

    def _same_shape(self, instance_id: int, polygons: Any) -> bytes | None:
        """Return the stored geometry where it is that of these polygons, to the last bit."""
        try:
            stored = self.instance(instance_id).polygons
        except OVEarthError:
            return None
        if stored is None or [len(p) for p in stored] != [len(p) for p in polygons]:
            return None
        rings = zip((r for p in stored for r in p), (r for p in polygons for r in p), strict=True)
        if not all(np.array_equal(old, new) for old, new in rings):
            return None
        (blob,) = self._connection.execute(
            "SELECT geom FROM instances WHERE id = ?", (instance_id,)
        ).fetchone()
        return bytes(blob)

    def _box_geometry(self, row: BoxRow) -> dict[str, Any]:
        instance = self.instance(row.instance_id)
        ring, _ = as_polygons(np.reshape(row.corners, (4, 2)))
        lonlat = to_lonlat(self.frame(instance.image_id or 0), ring)
        return {"geom": polygons_blob(lonlat, as_multi=False)}

    def _grow(self, table: str, blob: bytes | None) -> None:
        envelope = envelope_of_blob(blob) if blob else None
        if envelope is None:
            return
        west, east, south, north = self._grown.get(table, envelope)
        w, e, s, n = envelope
        self._grown[table] = (min(west, w), max(east, e), min(south, s), max(north, n))

    def _signed_new(self, row: RowT) -> RowT:
        names = {field.name for field in fields(row)}
        signed: dict[str, Any] = {}
        if "created_at" in names:
            signed["created_at"] = getattr(row, "created_at", None) or _now()
            signed["created_by"] = getattr(row, "created_by", None) or self._who
        if isinstance(row, TargetRow):
            signed["changed_role"] = row.changed_role or self._role
        if isinstance(row, ReviewRow):
            signed = {"at": row.at or _now(), "who": row.who or self._who,
                      "role": row.role or self._role}  # fmt: skip
        return replace(row, **signed)

    def _signed_change(self, row: RowT) -> RowT:
        names = {field.name for field in fields(row)}
        signed: dict[str, Any] = {}
        if "changed_at" in names:
            signed = {"changed_at": _now(), "changed_by": self._who}
        if isinstance(row, TargetRow):
            # The log tells a new signature from that of the change before: forget that one.
            self._connection.execute(
                "UPDATE targets SET changed_at = NULL, changed_why = NULL WHERE id = ?", (row.id,)
            )
            signed |= {"changed_role": self._role, "changed_why": None}
        return replace(row, **signed)

    def _sign_removal(self, target: TargetRow) -> None:
        self._connection.execute(
            "UPDATE targets SET changed_by = ?, changed_role = ?, changed_why = NULL WHERE id = ?",
            (self._who, self._role, target.id),
        )

    def _delete(self, table: str, key: str, value: object) -> int:
        self._touched.add(table)
        return self._connection.execute(statements.delete(table, key), (value,)).rowcount

    def _delete_one(self, table: str, key: str, value: object) -> None:
        if not self._delete(table, key, value):
            raise missing(table, value)


def _table_of(row: object) -> Table:
    if isinstance(row, BoxRow):
        try:
            return mapping.BOXES[row.kind]
        except KeyError:
            raise InputError(f"there is no kind of box {row.kind!r}", mend="hbb or obb") from None
    return _TABLES[type(row)]


def _now() -> str:
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
