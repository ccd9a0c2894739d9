"""How each kind of row lies in its table: which column holds which field, and in what form."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ..errors import InputError
from .rows import (
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

Convert = Callable[[Any], Any]


@dataclass(frozen=True)
class Column:
    """One column: the field it holds, and how its values are written and read."""

    name: str
    field: str
    write: Convert
    read: Convert


@dataclass(frozen=True)
class Table:
    """One table: its plain columns (geometry and ids apart), its key, and its rows' class."""

    name: str
    row: type[Any]
    key: str
    columns: tuple[Column, ...]

    @property
    def names(self) -> list[str]:
        """Names of the columns, in order."""
        return [column.name for column in self.columns]

    def values(self, row: object) -> list[Any]:
        """Return what a row's columns hold."""
        return [column.write(getattr(row, column.field)) for column in self.columns]

    def fields(self, values: tuple[Any, ...]) -> dict[str, Any]:
        """Return the fields that a row's columns make; InputError names one that is broken."""
        made = {}
        for column, value in zip(self.columns, values, strict=False):
            try:
                made[column.field] = column.read(value)
            except (TypeError, ValueError) as fault:
                raise InputError(
                    f"the column {column.name} holds {str(value)[:80]!r} ({fault})",
                    f"{self.name} {values[0]}",
                    "mend it in the attribute table",
                ) from None
        return made


def to_json(value: object) -> str | None:
    """Return compact JSON, None for None; numbers come back as they were."""
    if value is None:
        return None
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def _as_is(value: Any) -> Any:
    return value


def _from_json(text: str | None) -> Any:
    return None if text is None or text == "" else json.loads(text)


def _to_object(value: Any) -> str | None:
    return to_json(dict(value)) if value else None


def _from_object(text: str | None) -> dict[str, Any]:
    found = _from_json(text)
    if found is None:
        return {}
    if not isinstance(found, dict):
        raise ValueError("no JSON object")
    return found


def _to_texts(values: Any) -> str | None:
    return to_json(list(values)) if values else None


def _from_texts(text: str | None) -> tuple[str, ...]:
    return tuple(str(value) for value in _from_json(text) or ())


def _to_numbers(values: Any) -> str | None:
    return None if values is None else to_json([float(value) for value in values])


def read_numbers(text: str | None) -> tuple[float, ...] | None:
    """Return the numbers of a JSON array, None for None."""
    found = _from_json(text)
    return None if found is None else tuple(float(value) for value in found)


def _six_numbers(text: str) -> tuple[float, ...]:
    found = read_numbers(text) or ()
    if len(found) != 6:
        raise ValueError("not six numbers")
    return found


def _to_flag(value: bool | None) -> int | None:
    return None if value is None else int(value)


def _from_flag(value: int | None) -> bool | None:
    return None if value is None else bool(value)


def _plain(*names: str) -> list[Column]:
    return [Column(name, name, _as_is, _as_is) for name in names]


def _flags(*names: str) -> list[Column]:
    return [Column(name, name, _to_flag, _from_flag) for name in names]


_EXTRA = Column("extra", "extra", _to_object, _from_object)
_MADE = ("created_by", "created_at", "changed_by", "changed_at")

CATEGORIES = Table("categories", CategoryRow, "id", (
    *_plain("id", "slug", "name", "domain", "branch"), *_flags("instanceable"),
    *_plain("definition"), _EXTRA,
))  # fmt: skip
IMAGES = Table("images", ImageRow, "id", (
    *_plain("id", "file_name", "width", "height", "crs"),
    Column("transform", "transform", _to_numbers, _six_numbers),
    *_plain("operation"), Column("gsd", "gsd_m", _as_is, _as_is),
    *_plain("source", "license", "attribution", "date_captured", "location_group", "continent",
            "sha256", "poi_id"), _EXTRA,
))  # fmt: skip
POIS = Table("pois", PoiRow, "id", (
    *_plain("id", "category_id", "name", "state", "source", "source_id"),
    Column("tags", "tags", _to_object, _from_object), *_plain(*_MADE), _EXTRA,
))  # fmt: skip
TARGETS = Table("targets", TargetRow, "id", (
    *_plain("id", "image_id", "category_id", "state"),
    Column("segmentation", "segmentation", to_json, _from_json),
    *_plain("annotator", "rival_of", *_MADE, "changed_role", "changed_why"), _EXTRA,
))  # fmt: skip
INSTANCES = Table("instances", InstanceRow, "id", (
    *_plain("id", "target_id"), Column("iscrowd", "is_crowd", _to_flag, _from_flag),
    Column("segmentation", "segmentation", to_json, _from_json),
    Column("bbox", "bbox", _to_numbers, read_numbers),
    Column("obb", "obb", _to_numbers, read_numbers),
    *_plain("origin", "origin_note", "changes", *_MADE), _EXTRA,
))  # fmt: skip
QUERIES = Table("queries", QueryRow, "number", (
    *_plain("number", "id", "target_id", "task", "polarity", "text", "original_text", "state",
            "origin"),
    Column("flags", "flags", _to_texts, _from_texts), *_plain(*_MADE), _EXTRA,
    *_plain("model", "prompt", "correction", "verified_model", "verified_prompt", "verified_at",
            "verified_why"),
))  # fmt: skip
QUERY_RUNS = Table("query_runs", QueryRunRow, "id", (
    *_plain("id", "target_id", "stage", "state", "model", "prompt", "at", "requests", "tokens_in",
            "tokens_out", "fault"), _EXTRA,
))  # fmt: skip
JUDGEMENTS = Table("query_judgements", JudgementRow, "id", (
    *_plain("id", "query_id", "target_id", "text", "decision", "answer", "new_text", "reason"),
    Column("final", "is_final", _to_flag, _from_flag), *_plain("who", "at", "origin"), _EXTRA,
))  # fmt: skip
REVIEWS = Table("reviews", ReviewRow, "id", (
    *_plain("id", "target_id", "action", "at", "who", "role", "from_state", "to_state", "comment",
            "lon", "lat"),
    *_flags("right_category", "good_boundary", "nothing_missed"), *_plain("query_id"), _EXTRA,
))  # fmt: skip
_BOX_COLUMNS = (
    *_plain("id", "instance_id"), Column("corners", "corners", _to_numbers, read_numbers),
    *_plain("frame", "width_m", "length_m", "azimuth_deg", "area_m2"),
)  # fmt: skip
HBB = Table("hbb", BoxRow, "id", _BOX_COLUMNS)
OBB = Table("obb", BoxRow, "id", _BOX_COLUMNS)
BOXES = {"hbb": HBB, "obb": OBB}
