"""The place that a comment is pinned to: given in pixels or in degrees, kept in EPSG:4326."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...errors import OVEarthError, UsageError
from ...frame import ImageFrame

# A point on the border, carried to degrees and back, may come back this far outside.
_ROUNDING_PX = 1e-5


@dataclass(frozen=True)
class Pin:
    """A point of an image: x, y in its pixels, or longitude, latitude where `in_degrees`."""

    x: float
    y: float
    in_degrees: bool = False

    def lonlat(self, frame: ImageFrame) -> tuple[float, float]:
        """Return longitude and latitude; UsageError where the point is not on the image."""
        here = np.array([[self.x, self.y]])
        try:
            pixel = frame.lonlat_to_pixel(here) if self.in_degrees else here
            degrees = here if self.in_degrees else frame.pixel_to_lonlat(here)
        except OVEarthError:
            raise self._outside(frame, None) from None
        size = np.array([frame.width, frame.height])
        # Written so that NaN is outside too.
        if not ((pixel >= -_ROUNDING_PX) & (pixel <= size + _ROUNDING_PX)).all():
            raise self._outside(frame, pixel[0].tolist())
        longitude, latitude = degrees[0].tolist()
        return longitude, latitude

    def _outside(self, frame: ImageFrame, pixel: list[float] | None) -> UsageError:
        kind = "longitude, latitude" if self.in_degrees else "x, y in pixels"
        found = f", at pixel {pixel[0]:.1f}, {pixel[1]:.1f}" if pixel and self.in_degrees else ""
        return UsageError(
            f"the point {self.x:g}, {self.y:g} ({kind}) is not on the image{found}",
            mend=f"the image has {frame.width} by {frame.height} pixels",
        )
