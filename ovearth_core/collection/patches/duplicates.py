"""Near-duplicates: patches that look alike and show the same ground."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...dataset import Dataset, ImageRow
from ...dhash import ALIKE_BITS, dhash, differing_bits
from ...errors import OVEarthError
from ...frame import ImageFrame
from ...geometry import quad_iou
from ...raster_pixels import RasterFile, UnreadableError

_EARTH_M = 6_371_000.0
# A picture is read no larger than this to be looked at.
_LOOK_PX = 512


@dataclass
class _Known:
    file_name: str
    frame: ImageFrame
    location_group: str | None
    look: int | None


class KnownLooks:
    """The patches that there are, and those that are taken in one by one.

    A picture taken on another day (one of the same location_group) is never a duplicate.
    """

    def __init__(self, read_look: Callable[[str], int | None] = lambda _: None) -> None:
        self._read_look = read_look
        self._known: list[_Known] = []
        # Middles as unit vectors and half diagonals in metres; rows beyond len(_known) are spare.
        self._middles: NDArray[np.float64] = np.empty((64, 3))
        self._reaches: NDArray[np.float64] = np.empty(64)

    def add(
        self, file_name: str, frame: ImageFrame, location_group: str | None, look: int | None
    ) -> None:
        """Take a patch in. look: None where it is to be found out from its file when needed."""
        count = len(self._known)
        if count == len(self._reaches):
            self._middles = np.vstack([self._middles, np.empty_like(self._middles)])
            self._reaches = np.concatenate([self._reaches, np.empty_like(self._reaches)])
        self._middles[count], self._reaches[count] = _middle_and_reach(frame)
        self._known.append(_Known(file_name, frame, location_group, look))

    def twin(self, frame: ImageFrame, location_group: str | None, look: int) -> str | None:
        """Return the file name of a patch that looks alike and overlaps this one, if any."""
        count = len(self._known)
        if not count:
            return None
        middle, reach = _middle_and_reach(frame)
        chords = np.linalg.norm(self._middles[:count] - middle, axis=1) * _EARTH_M
        # A chord is shorter than the way along the ground: none that overlaps is missed.
        for number in np.flatnonzero(chords <= self._reaches[:count] + reach):
            other = self._known[number]
            if location_group is not None and location_group == other.location_group:
                continue
            if other.look is None:
                other.look = self._read_look(other.file_name)
            if other.look is None or differing_bits(look, other.look) > ALIKE_BITS:
                continue
            if overlap(frame, other.frame):
                return other.file_name
        return None


def looks_of(dataset: Dataset, rows: list[ImageRow]) -> KnownLooks:
    """Return the looks of a dataset's images; those that don't carry one are read when needed."""
    known = KnownLooks(lambda name: _look_of_file(dataset, name))
    for row in rows:
        written = row.extra.get("dhash")
        try:
            look = int(written, 16) if isinstance(written, str) else None
            known.add(row.file_name, row.frame(), row.location_group, look)
        except (ValueError, OVEarthError):
            # An image that lies nowhere overlaps nothing; `ovearth check` tells of it.
            continue
    return known


def overlap(first: ImageFrame, second: ImageFrame) -> bool:
    """Whether two frames have ground in common, by the second's corners in the first's pixels."""
    whole = np.array(_corners(first))[None]
    try:
        corners = first.lonlat_to_pixel(second.pixel_to_lonlat(_corners(second)))
    except OVEarthError:
        return False  # too far away for the first one's projection
    return bool(quad_iou(whole, corners[None])[0, 0] > 0.0)


def _corners(frame: ImageFrame) -> list[list[float]]:
    w, h = float(frame.width), float(frame.height)
    return [[0.0, 0.0], [w, 0.0], [w, h], [0.0, h]]


def _middle_and_reach(frame: ImageFrame) -> tuple[NDArray[np.float64], float]:
    w, h = frame.width / 2.0, frame.height / 2.0
    points = np.vstack([[[w, h]], _corners(frame)])
    lon, lat = np.radians(frame.pixel_to_lonlat(points)).T
    xyz = np.column_stack([np.cos(lat) * np.cos(lon), np.cos(lat) * np.sin(lon), np.sin(lat)])
    reach = np.linalg.norm(xyz[1:] - xyz[0], axis=1).max() * _EARTH_M
    # Chords again, and a sphere for the Earth: a little is added so that none is missed.
    return xyz[0], float(reach * 1.02)


def _look_of_file(dataset: Dataset, file_name: str) -> int | None:
    path = dataset.folder / file_name
    if not path.is_file():
        return None
    try:
        with RasterFile(path, "images") as image:
            size = image.size
            shrink = max(1, min(size.width, size.height) // _LOOK_PX)
            shape = (size.height // shrink, size.width // shrink)
            small = image.read(min(size.count, 3), shape)
    except UnreadableError:
        return None
    return dhash(np.moveaxis(small, 0, 2))
