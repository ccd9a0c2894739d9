"""Vector files that OVEarth itself wrote: their columns, read back as what they were."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ...errors import InputError
from ...labels.model import Label
from ..blob import Polygons
from .outgoing_features import ATTRIBUTES

# Those that every feature of ours has.
_ALWAYS = frozenset(
    {"image", "category", "image_id", "category_id", "target_id", "instance_id", "state", "shape",
     "is_crowd", "origin"}
)  # fmt: skip
# Pixels come back through degrees and a projection: what is beyond these digits is their noise,
# and would make every file another one.
_DIGITS = 7


def is_own(columns: Collection[str]) -> bool:
    """Whether the columns are those that `export --format geojson` or `geoparquet` writes."""
    return set(columns) >= _ALWAYS


def others(columns: Collection[str]) -> list[str]:
    """Return the columns that somebody has added to ours."""
    return [name for name in columns if name not in ATTRIBUTES]


def as_it_was(label: Label, properties: Mapping[str, Any]) -> Label:
    """Return a label with the ids, boxes and fields that its feature brings.

    InputError for a column that holds something else than was written there.
    """
    told = _json(properties, "extra") or {}
    if not isinstance(told, dict):
        raise InputError("'extra' is no JSON object", mend="leave the column as it was written")
    kind = properties["shape"]
    return replace(
        label,
        polygons=None if kind in ("bbox", "obb") else _rounded(label.polygons or ()),
        bbox=_numbers(properties, "bbox", 4),
        obb=_numbers(properties, "obb", 8),
        label_id=whole(properties, "instance_id"),
        target_id=whole(properties, "target_id"),
        class_id=whole(properties, "category_id"),
        changed_at=str(properties["changed_at"]) if properties.get("changed_at") else None,
        extra={**told, **label.extra},
    )


def whole(properties: Mapping[str, Any], name: str) -> int | None:
    """Return a column's whole number, None where it has none."""
    value = properties.get(name)
    return int(value) if isinstance(value, (int, float)) and value == int(value) else None


def _rounded(polygons: Polygons) -> Polygons:
    return tuple(tuple(np.round(ring, _DIGITS) for ring in polygon) for polygon in polygons)


def _numbers(properties: Mapping[str, Any], name: str, count: int) -> Any:
    found = _json(properties, name)
    if found is None:
        return None
    try:
        numbers = tuple(float(value) for value in found)
    except (TypeError, ValueError):
        numbers = ()
    if len(numbers) != count:
        raise InputError(f"{name!r} is not {count} numbers", mend="leave it as it was written")
    return numbers


def _json(properties: Mapping[str, Any], name: str) -> Any:
    value = properties.get(name)
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        raise InputError(f"{name!r} is not JSON", mend="leave it as it was written") from None
