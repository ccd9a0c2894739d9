"""The images of the place: their CRS, transform, date, and how the scene falls into them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import cos, radians, sin

import numpy as np
from numpy.typing import NDArray

from ..benchmark import Image
from ..crs import LONLAT
from ..frame import ImageFrame, Transform
from .scene import PLACE, SUMMER, WINTER, Thing
from .shapes import Ring

_DECIMALS = 3  # of a pixel: finer than anybody draws, and the same on every machine


@dataclass(frozen=True)
class View:
    """One image: where it lies and when it was taken.

    origin: map coordinates of the upper-left corner. step: map units along a row and along a
    column of pixels. turn_deg: from the CRS's axes, counter-clockwise. group: of one place.
    """

    id: int
    name: str
    crs: str
    size: tuple[int, int]
    origin: tuple[float, float]
    step: tuple[float, float]
    date: str
    turn_deg: float = 0.0
    season: str = SUMMER
    group: str | None = None

    @property
    def file_name(self) -> str:
        """The image's path, relative to the benchmark."""
        return f"images/{self.name}.tif"

    @property
    def transform(self) -> Transform:
        """The affine [a, b, c, d, e, f] that takes pixels to map coordinates."""
        (x, y), (right, down) = self.origin, self.step
        c, s = cos(radians(self.turn_deg)), sin(radians(self.turn_deg))
        return right * c, -down * s, x, right * s, down * c, y

    @cached_property
    def frame(self) -> ImageFrame:
        """The image's frame, with the operation between its CRS and EPSG:4326 recorded."""
        bare = ImageFrame(self.crs, self.transform, *self.size)
        return replace(bare, operation=bare.operation_to(LONLAT).proj)

    def outlines(self, shown: Sequence[Thing]) -> list[list[Ring]]:
        """Return the pixel coordinates of things' rings, all carried over at once."""
        rings = [ring for thing in shown for ring in thing.rings]
        if not rings:
            return []
        found = self.frame.lonlat_to_pixel(PLACE.to_lonlat(np.concatenate(rings)))
        # Adding 0 makes -0.0, which files would spell differently, a plain zero.
        found = np.round(found, _DECIMALS) + 0.0
        parts = iter(np.split(found, np.cumsum([len(ring) for ring in rings])[:-1]))
        return [[next(parts) for _ in thing.rings] for thing in shown]

    @cached_property
    def metres_of_pixel(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The affine that takes pixels to metres of the place: matrix (2, 2) and offset (2,).

        True to millimetres in the image; for textures and culling, not for outlines.
        """
        width, height = self.size
        ends = np.array([[0, 0], [width, 0], [0, height]], dtype=np.float64)
        origin, right, down = PLACE.from_lonlat(self.frame.pixel_to_lonlat(ends))
        return np.column_stack([(right - origin) / width, (down - origin) / height]), origin

    @cached_property
    def pixels_of_metre(self) -> NDArray[np.float64]:
        """The matrix (2, 2) that takes differences in metres to differences in pixels."""
        return np.asarray(np.linalg.inv(self.metres_of_pixel[0]))

    def shows(self, thing: Thing, margin_m: float = 0.0) -> bool:
        """Whether a thing is there at the date, with its box in view or within a margin of it."""
        if self.season not in thing.seasons:
            return False
        ring = (thing.rings[0] - self.metres_of_pixel[1]) @ self.pixels_of_metre.T
        margin = margin_m * float(np.abs(self.pixels_of_metre).max())
        low, high = ring.min(axis=0) - margin, ring.max(axis=0) + margin
        return bool((high > 0).all() and (low < self.size).all())

    def image(self) -> Image:
        """Return the image's entry in the benchmark."""
        extra = {
            "source": "ovearth_core.sample",
            "license": 1,
            "attribution": "OVEarth embedded sample, drawn by program",
            "date_captured": self.date,
            "location_group": self.group,
            "continent": "Europe",
        }
        return Image(
            self.id,
            self.file_name,
            *self.size,
            crs=self.crs,
            transform=self.transform,
            gsd_m=self.frame.gsd(),
            operation=self.frame.operation,
            extra={key: value for key, value in extra.items() if value is not None},
        )


VIEWS = (
    View(1, "works-summer", "EPSG:32632", (640, 560), (424060.0, 5228032.0), (0.3, -0.3),
         "2025-07-14", group="works"),
    View(2, "works-winter", "EPSG:2056", (600, 560), (2642336.0, 1227818.0), (0.3, 0.3),
         "2024-01-21", season=WINTER, group="works"),
    View(3, "market", "EPSG:32632", (620, 620), (424263.7, 5228031.0), (0.28, -0.28),
         "2025-06-02", turn_deg=17.0),
    View(4, "homes", "EPSG:3857", (600, 600), (890277.0, 5974759.0), (0.44, -0.44), "2025-08-09"),
    View(5, "farm", "EPSG:4326", (640, 520), (8.0004936, 47.1998966), (3.2e-6, -3.2e-6),
         "2025-07-14"),
    View(6, "crossing", "EPSG:3034", (480, 420), (3853322.0, 2286271.0), (0.29, -0.387),
         "2025-06-02"),
)  # fmt: skip
