"""Images that show the same ground and look the same: a model would be asked twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ..dataset import ImageRow
from ..dhash import ALIKE_BITS, differing_bits
from ..errors import OVEarthError
from ..geometry import quad_pairs
from .finding import Finding

# Tiles that share an edge overlap by rounding.
_LEAST_OVERLAP = 1e-6
# Images compared with all others at once; bounds the memory where many lie on one place.
_AT_ONCE = 256
# Degrees of longitude, within rounding: the footprint of an image with a pole inside.
_AROUND = 360.0 - 1e-6

HashOf = Callable[[ImageRow], int | None]
Quads = NDArray[np.float64]


def near_duplicates(images: Sequence[ImageRow], hash_of: HashOf) -> Iterator[Finding]:
    """Find images at most 5 of 64 bits apart whose footprints overlap.

    Never between dates of one `location_group`. hash_of: an image's dHash, None where its file
    can't be read; asked only for images that overlap others. Each is told once, with the first
    that it is like.
    """
    kept_hash = lru_cache(maxsize=None)(lambda at: hash_of(images[at]))
    told: set[int] = set()
    for earlier, later in _overlapping(images):
        if later in told or _are_dates_of_one_place(images[earlier], images[later]):
            continue
        one, other = kept_hash(earlier), kept_hash(later)
        if one is None or other is None or differing_bits(one, other) > ALIKE_BITS:
            continue
        told.add(later)
        image, like = images[later], images[earlier]
        what = (
            f"looks like image {like.id} ({like.file_name}) and overlaps it"
            f" ({differing_bits(one, other)} of 64 bits differ)"
        )
        mend = "keep one, or give both one location_group and their dates"
        yield Finding("near-duplicate", "image", image.id, what, mend, image.id)


def _are_dates_of_one_place(one: ImageRow, other: ImageRow) -> bool:
    if one.location_group is None or one.location_group != other.location_group:
        return False
    return one.date_captured is None or one.date_captured != other.date_captured


def _overlapping(images: Sequence[ImageRow]) -> Iterator[tuple[int, int]]:
    """Yield places of two images in the list, the earlier first, whose footprints overlap."""
    places, quads, at_poles = _footprints(images)
    for places_at_pole in at_poles:
        yield from combinations(places_at_pole, 2)
    for start in range(0, len(quads), _AT_ONCE):
        i, j, iou = quad_pairs(quads[start : start + _AT_ONCE], quads)
        for one, other in zip(places[i[iou > _LEAST_OVERLAP] + start],
                              places[j[iou > _LEAST_OVERLAP]], strict=True):  # fmt: skip
            if one > other:
                yield int(other), int(one)


def _footprints(
    images: Sequence[ImageRow],
) -> tuple[NDArray[np.int64], Quads, tuple[list[int], list[int]]]:
    """Return whose (N,) corners (N, 4, 2) in longitude and latitude these are, and those at poles.

    An image across ±180 is there twice, on either side. Those over the south pole and the north
    pole have no four corners and are listed apart: all at one pole overlap there (with images
    beside the pole they aren't compared). Those that lie nowhere, or whose edge runs through a
    pole, are left out.
    """
    at_poles: tuple[list[int], list[int]] = ([], [])
    places: list[int] = []
    quads: list[Quads] = []
    for place, image in enumerate(images):
        try:
            ring = image.frame().footprint(1)
        except OVEarthError:
            continue
        if len(ring) != 5:
            if np.ptp(ring[:, 0]) >= _AROUND:
                at_poles[int(ring[:, 1].mean() > 0.0)].append(place)
            continue
        corners = ring[:4].copy()
        corners[:, 0] -= 360.0 * np.round(corners[:, 0].mean() / 360.0)
        places.append(place)
        quads.append(corners)
        for side in (-180.0, 180.0):
            if corners[:, 0].min() < side < corners[:, 0].max():
                places.append(place)
                quads.append(corners - [np.copysign(360.0, side), 0.0])
    corner_table = np.array(quads, dtype=np.float64).reshape(-1, 4, 2)
    return np.array(places, dtype=np.int64), corner_table, at_poles
