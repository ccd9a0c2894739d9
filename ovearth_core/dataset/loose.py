"""Rows that hang on nothing, and rows without what makes them whole.

The file's guards stop these; a program that drops triggers, and a kill between the layers that
QGIS saves one after another, don't ask them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from .database import read_transaction, write_transaction
from .store import Dataset


@dataclass(frozen=True)
class LooseRow:
    """One such row: its kind of fault, its table and key, what is wrong and how to mend it."""

    kind: str
    table: str
    key: int | str
    what: str
    mend: str


_REMOVE = "remove it, or restore what it hangs on"
_NOT_INDEXED = "geom IS NOT NULL AND id NOT IN (SELECT id FROM rtree_{table}_geom)"
_RULES = (
    ("no-target", "instances", "target_id NOT IN (SELECT id FROM targets)", "id",
     "is of a target that isn't there", _REMOVE),
    ("no-target", "queries", "target_id NOT IN (SELECT id FROM targets)", "id",
     "asks for a target that isn't there", _REMOVE),
    ("no-image", "targets", "image_id NOT IN (SELECT id FROM images)", "id",
     "is on an image that isn't there", _REMOVE),
    ("no-category", "targets", "category_id NOT IN (SELECT id FROM categories)", "id",
     "is of a category that isn't there", "give it one that is"),
    ("no-instance", "hbb", "instance_id NOT IN (SELECT id FROM instances)", "id",
     "is the box of an instance that isn't there", "remove it (check --fix)"),
    ("no-instance", "obb", "instance_id NOT IN (SELECT id FROM instances)", "id",
     "is the box of an instance that isn't there", "remove it (check --fix)"),
    ("no-shape", "instances",
     "geom IS NULL AND bbox IS NULL AND obb IS NULL AND segmentation IS NULL", "id",
     "has no shape", "draw it, or remove it"),
    ("no-shape", "pois", "geom IS NULL", "id", "has no point", "remove it"),
    ("no-shape", "images", "geom IS NULL", "id", "has no footprint", "take it in anew"),
    *(
        ("not-indexed", table,
         _NOT_INDEXED.replace("{table}", table), "id",
         "isn't in the spatial index: QGIS won't show it", "save it once more")
        for table in ("images", "instances", "pois", "hbb", "obb")
    ),
)  # fmt: skip


def loose_rows(dataset: Dataset) -> Iterator[LooseRow]:
    """Yield the rows that hang on nothing, or lack what makes them whole."""
    for kind, table, condition, key, what, mend in _RULES:
        statement = " ".join(["SELECT", key, "FROM", table, "WHERE", condition, "ORDER BY", key])
        with read_transaction(dataset.path) as connection:
            keys = [found for (found,) in connection.execute(statement)]
        for found in keys:
            yield LooseRow(kind, table, found, what, mend)


def remove_loose_boxes(dataset: Dataset) -> int:
    """Remove the derived boxes of instances that aren't there, and return how many."""
    with write_transaction(dataset.path) as connection:
        return sum(
            connection.execute(" ".join(["DELETE FROM", table, "WHERE", condition])).rowcount
            for kind, table, condition, *_ in _RULES
            if kind == "no-instance"
        )
