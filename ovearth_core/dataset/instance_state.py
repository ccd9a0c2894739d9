"""An instance's row exactly as it stands in the file: to tell what changed, and to undo it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from . import statements
from .blob import polygons_of_blob
from .shapes import geojson_of

_COLUMNS = (
    "geom", "target_id", "iscrowd", "origin", "origin_note", "changes", "created_by",
    "created_at", "changed_by", "changed_at", "bbox", "obb", "segmentation", "pixels", "extra",
)  # fmt: skip
# What a person draws; the rest follows from it, or says who did it and when.
_DRAWN = ("geom", "target_id", "iscrowd")


@dataclass(frozen=True)
class InstanceState:
    """The columns of one instance, as SQLite has them, by name; its id apart."""

    id: int
    values: Mapping[str, Any]

    @property
    def target_id(self) -> int:
        """The target that it belongs to."""
        return int(self.values["target_id"])

    def is_drawn_like(self, other: InstanceState | None) -> bool:
        """Whether another state shows the same polygon of the same target, to the last bit."""
        return other is not None and all(self.values[name] == other.values[name] for name in _DRAWN)

    def geojson(self) -> dict[str, Any] | None:
        """Return the polygon in EPSG:4326, None where there is none; InputError if broken."""
        geometry = self.values["geom"]
        if geometry is None:
            return None
        return geojson_of(polygons_of_blob(bytes(geometry)), is_multi=True)


def read_states(
    connection: sqlite3.Connection, instance_ids: Iterable[int]
) -> dict[int, InstanceState]:
    """Return the states of those instances that are there, by id."""
    found = {}
    statement = statements.select(_COLUMNS, "instances", ["id = ?"], "id")
    for instance_id in instance_ids:
        row = connection.execute(statement, (instance_id,)).fetchone()
        if row is not None:
            values = dict(zip(_COLUMNS, row, strict=True))
            found[instance_id] = InstanceState(instance_id, values)
    return found


def put_state(
    connection: sqlite3.Connection, state: InstanceState, who: str | None, when: str
) -> None:
    """Put an instance back as it was, signed as a change; removed since, under its own id."""
    values = {**state.values, "changed_by": who, "changed_at": when}
    is_there = connection.execute("SELECT 1 FROM instances WHERE id = ?", (state.id,)).fetchone()
    if is_there:
        # The file counts the change by itself.
        del values["changes"]
        statement = statements.update("instances", list(values), "id")
        connection.execute(statement, [*values.values(), state.id])
        return
    values = {"id": state.id, **values, "changes": state.values["changes"] + 1}
    connection.execute(statements.insert("instances", list(values)), list(values.values()))
