"""Several masks of one answer as the one that a record has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...benchmark import Image
from ...geometry import Polygon, Runs


def united(masks: Sequence[Runs | Sequence[Polygon]], image: Image) -> Any:
    """Return masks as a record has them: polygons where all are, else one RLE."""
    runs = [mask for mask in masks if isinstance(mask, Runs)]
    polygons = [polygon for mask in masks if not isinstance(mask, Runs) for polygon in mask]
    if not runs:
        rings = [[ring.tolist() for ring in polygon] for polygon in polygons]
        return {"polygons": {"type": "MultiPolygon", "coordinates": rings}} if rings else None
    if polygons:
        runs.append(Runs.from_rings(polygons, image.height, image.width))
    whole = Runs.union(runs)
    return None if whole.is_empty else whole.to_rle()
