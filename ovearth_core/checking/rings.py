"""Rings that are not closed, and holes that turn the same way as the ring around them.

Some programs fill such a hole. Which way an outer ring turns is free: formats differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..dataset.blob import Polygons, Ring
from ..errors import OVEarthError
from ..geometry import polygons_from_geojson
from ..geometry.validity import made_valid, validity_fault
from .finding import Finding
from .scope import Scope

Fault = tuple[str, str, NDArray[np.float64]]


def ring_faults(polygons: Sequence[Sequence[Ring]]) -> Iterator[Fault]:
    """Yield the kind of fault, what it is, and a place (2,), of rings that --fix can mend."""
    for rings in polygons:
        for ring in rings:
            if not _is_closed(ring):
                yield "unclosed-ring", "has a ring that isn't closed", ring[-1]
        for hole in rings[1:]:
            if _turns(hole) == _turns(rings[0]):
                what = "has a hole that turns the same way as its outer ring"
                yield "ring-order", what, hole[0]


def ring_order(scope: Scope) -> Iterator[Finding]:
    """Find the same in a file's GeoJSON; COCO's rings have no holes, and close by themselves."""
    for instance in scope.benchmark.instances:
        if instance.geometry is None:
            continue
        try:
            polygons = polygons_from_geojson(instance.geometry)
        except OVEarthError:
            continue  # found as its outline
        for kind, what, place in ring_faults(polygons):
            mend = "turn or close it (import it into a dataset, check --fix, export it)"
            yield scope.at_instance(instance, kind, what, mend, place)


def mended_polygons(polygons: Sequence[Sequence[Ring]]) -> tuple[Polygons, tuple[str, ...]]:
    """Return polygons with what has one right answer mended, and what was done.

    Rings are closed, holes turned against their outer rings, and crossings taken apart where one
    polygon is left of each, of the same pixels.
    """
    kinds = {kind for kind, _, _ in ring_faults(polygons)}
    told = [text for kind, text in _REASONS if kind in kinds]
    mended = [[_closed(ring) for ring in rings] for rings in polygons]
    if validity_fault(mended) is not None and (valid := made_valid(mended)) is not None:
        mended = valid
        told.append("made valid")
    return tuple(tuple(holes_turned(rings)) for rings in mended), tuple(told)


_REASONS = (("unclosed-ring", "rings closed"), ("ring-order", "holes turned"))


def holes_turned(rings: Sequence[Ring]) -> list[Ring]:
    """Return the rings, the outer first, with every hole turning against it."""
    outer = _turns(rings[0])
    return [rings[0], *(hole[::-1] if _turns(hole) == outer else hole for hole in rings[1:])]


def _turns(ring: Ring) -> bool:
    """Whether a ring turns from +x towards +y."""
    points = ring - ring[0]
    x, y = points.T
    ahead_x, ahead_y = np.roll(points, -1, axis=0).T
    return float((x * ahead_y - y * ahead_x).sum()) > 0.0


def _is_closed(ring: Ring) -> bool:
    return bool(np.array_equal(ring[0], ring[-1]))


def _closed(ring: Ring) -> Ring:
    return ring if _is_closed(ring) else np.vstack([ring, ring[:1]])
