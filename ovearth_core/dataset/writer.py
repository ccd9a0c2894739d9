"""Writing rows of any kind inside one transaction: signed, with their geometry."""

from __future__ import annotations

import json
import sqlite3
from dataclasses import fields, replace
from datetime import datetime, timezone
from typing import Any, TypeVar

import numpy as np

from ..errors import InputError, OVEarthError, UsageError
from . import mapping, statements
from .blob import Envelope, Polygons, envelope_of_blob, exact_pixels, point_blob, polygons_blob
from .geometries import geometries
from .mapping import Table, to_json
from .project import write_project
from .rows import (
    OPEN_STATES,
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
from .shapes import as_polygons, to_lonlat
from .styles import write_styles
from .view import View, missing

RowT = TypeVar(
    "RowT",
    CategoryRow,
    ImageRow,
    PoiRow,
    TargetRow,
    InstanceRow,
    QueryRow,
    ReviewRow,
    BoxRow,
    QueryRunRow,
    JudgementRow,
)

_TABLES: dict[type[Any], Table] = {
    CategoryRow: mapping.CATEGORIES,
    ImageRow: mapping.IMAGES,
    PoiRow: mapping.POIS,
    TargetRow: mapping.TARGETS,
    InstanceRow: mapping.INSTANCES,
    QueryRow: mapping.QUERIES,
    QueryRunRow: mapping.QUERY_RUNS,
    ReviewRow: mapping.REVIEWS,
    JudgementRow: mapping.JUDGEMENTS,
}
# Of each edge of a footprint: straight edges bend in longitude and latitude.
_SEGMENTS = 8


class Writer(View):
    """Adds and changes rows; who and role sign them."""

    def __init__(
        self, connection: sqlite3.Connection, who: str | None = None, role: str | None = None
    ) -> None:
        super().__init__(connection)
        self._who = who
        self._role = role
        self._grown: dict[str, Envelope] = {}
        self._touched: set[str] = set()

    def add(self, row: RowT, geometry: bytes | None = None) -> RowT:
        """Store a new row and return it as stored: with its id, who made it and when.

        geometry: of an instance or a box, made with `geometries` of its closed polygons and those
        of others, before others wait. An id that is given is kept. InputError where it is taken,
        or names what isn't there.
        """
        row = self._signed_new(row)
        table = _table_of(row)
        values: dict[str, Any] = self._values(table, row, geometry)
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
        if isinstance(row, (ReviewRow, JudgementRow)):
            raise UsageError("the log can only be added to", _table_of(row).name, "add a line")
        return self._put(self._signed_change(row))

    def _put(self, row: RowT) -> RowT:
        table = _table_of(row)
        key = getattr(row, table.key)
        values: dict[str, Any] = self._values(table, row)
        statement = statements.update(table.name, list(values), table.key)
        if self._connection.execute(statement, [*values.values(), key]).rowcount != 1:
            raise missing(table.name, key)
        self._touched.add(table.name)
        if isinstance(row, TargetRow):
            self._settle(row)
        return row

    def keep_pixels(self, instance_id: int) -> bool:
        """Keep the pixels that an instance's polygon has now; False where it can't be read.

        Computed anew on another machine, they may differ in their last bits.
        """
        try:
            row = self.instance(instance_id)
        except OVEarthError:
            return False
        if row.polygons is not None:
            geometry = self._stored_geometry(instance_id)
            pixels = exact_pixels(row.polygons, as_multi=row.is_multi, geometry=geometry)
            # A moved copy has the outline and boxes of another one in its columns.
            values: dict[str, Any] = {"pixels": pixels}
            for name in ("segmentation", "bbox", "obb"):
                values[name] = to_json(getattr(row, name))
            self._connection.execute(
                statements.update("instances", list(values), "id"), [*values.values(), instance_id]
            )
        return True

    def _settle(self, target: TargetRow) -> None:
        """Keep the exact pixels of a target that is no longer drawn on."""
        if target.id is not None and target.state not in OPEN_STATES:
            for instance_id in list(self.inexact_instances(target.id)):
                self.keep_pixels(instance_id)

    def set_note(self, key: str, value: Any) -> None:
        """Keep a value (anything JSON can say) with the dataset under a key; None forgets it."""
        if value is None:
            self._connection.execute(statements.delete("ovearth_dataset", "key"), ("note:" + key,))
            return
        self._connection.execute(
            "INSERT INTO ovearth_dataset (key, value) VALUES (?, ?) "
            "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            ("note:" + key, json.dumps(value, ensure_ascii=False)),
        )

    def finish(self) -> None:
        """Tell the GeoPackage's table of contents what was changed, right before COMMIT."""
        if "categories" in self._touched:
            # The forms name them.
            write_styles(self._connection)
            write_project(self._connection)
        for table in sorted(self._touched):
            west, east, south, north = self._grown.get(table, (None, None, None, None))
            self._connection.execute(
                "UPDATE gpkg_contents SET last_change = ?, "
                "min_x = min(coalesce(min_x, ?), coalesce(?, min_x)), "
                "max_x = max(coalesce(max_x, ?), coalesce(?, max_x)), "
                "min_y = min(coalesce(min_y, ?), coalesce(?, min_y)), "
                "max_y = max(coalesce(max_y, ?), coalesce(?, max_y)) WHERE table_name = ?",
                (now_text(), west, west, east, east, south, south, north, north, table),
            )

    # What is stored beside a row's plain columns

    def _values(self, table: Table, row: object, geometry: bytes | None = None) -> dict[str, Any]:
        plain = dict(zip(table.names, table.values(row), strict=True))
        return plain | self._geometry(row, geometry)

    def _geometry(self, row: object, geometry: bytes | None) -> dict[str, Any]:
        if isinstance(row, ImageRow):
            outline = row.frame().footprint(_SEGMENTS)
            found = {"geom": polygons_blob(((outline,),), as_multi=False)}
        elif isinstance(row, PoiRow):
            found = {"geom": point_blob(row.lon, row.lat)}
        elif isinstance(row, InstanceRow):
            found = self._instance_geometry(row, geometry)
        elif isinstance(row, BoxRow):
            found = {"geom": geometry or self._box_geometry(row)}
        else:
            return {}
        self._grow(_table_of(row).name, found.get("geom"))
        return found

    def _instance_geometry(self, row: InstanceRow, geometry: bytes | None) -> dict[str, Any]:
        if row.polygons is None:
            return {"geom": None, "pixels": None}
        if geometry is not None:
            pixels = exact_pixels(row.polygons, as_multi=row.is_multi, geometry=geometry)
            return {"geom": geometry, "pixels": pixels}
        polygons, _ = as_polygons(row.polygons)
        geometry = self._same_geometry(row.id, polygons)
        if geometry is None:
            frame = self.frame(self.target(row.target_id).image_id)
            try:
                geometry = polygons_blob(to_lonlat(frame, polygons))
            except OVEarthError as fault:
                raise fault.at(f"target {row.target_id}") from None
        pixels = exact_pixels(polygons, as_multi=row.is_multi, geometry=geometry)
        return {"geom": geometry, "pixels": pixels}

    def _same_geometry(self, instance_id: int | None, polygons: Polygons) -> bytes | None:
        """Return the stored geometry where it is that of these polygons, to the last bit."""
        if instance_id is None:
            return None
        try:
            stored = self.instance(instance_id).polygons
        except OVEarthError:
            return None
        if stored is None or [len(p) for p in stored] != [len(p) for p in polygons]:
            return None
        rings = zip((r for p in stored for r in p), (r for p in polygons for r in p), strict=True)
        if not all(np.array_equal(old, new) for old, new in rings):
            return None
        return self._stored_geometry(instance_id)

    def _stored_geometry(self, instance_id: int) -> bytes:
        (blob,) = self._connection.execute(
            "SELECT geom FROM instances WHERE id = ?", (instance_id,)
        ).fetchone()
        return bytes(blob)

    def _box_geometry(self, row: BoxRow) -> bytes:
        instance = self.instance(row.instance_id)
        (made,) = geometries(self.frame(instance.image_id or 0), [row.polygons()], as_multi=False)
        return made

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
            signed["created_at"] = getattr(row, "created_at", None) or now_text()
            signed["created_by"] = getattr(row, "created_by", None) or self._who
        if isinstance(row, TargetRow):
            signed["changed_role"] = row.changed_role or self._role
        if isinstance(row, ReviewRow):
            signed = {"at": row.at or now_text(), "who": row.who or self._who,
                      "role": row.role or self._role}  # fmt: skip
        if isinstance(row, JudgementRow):
            signed = {"at": row.at or now_text(), "who": row.who or self._who}
        return replace(row, **signed)

    def _signed_change(self, row: RowT) -> RowT:
        names = {field.name for field in fields(row)}
        signed: dict[str, Any] = {}
        if "changed_at" in names:
            signed = {"changed_at": now_text(), "changed_by": self._who}
        if isinstance(row, TargetRow):
            # The log tells a new signature from that of the change before: forget that one.
            self._connection.execute(
                "UPDATE targets SET changed_at = NULL, changed_why = NULL WHERE id = ?", (row.id,)
            )
            signed |= {"changed_role": self._role, "changed_why": None}
        return replace(row, **signed)


def _table_of(row: object) -> Table:
    if isinstance(row, BoxRow):
        try:
            return mapping.BOXES[row.kind]
        except KeyError:
            raise InputError(f"there is no kind of box {row.kind!r}", mend="hbb or obb") from None
    return _TABLES[type(row)]


def now_text() -> str:
    """Return this moment as the file keeps it: ISO 8601, UTC, to the millisecond."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
