"""The pixel grid of a raster layer as the core's ImageFrame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qgis.core import QgsRasterLayer

if TYPE_CHECKING:
    from ...ovearth_core.frame import ImageFrame


def image_frame(layer: QgsRasterLayer) -> ImageFrame:
    """Return the frame of a raster in a file, which may be rotated: QGIS's own extent isn't.

    Raises the core's errors for a file that lies nowhere, naming it.
    """
    from pathlib import Path

    from ...ovearth_core.raster_file import placed_frame

    return placed_frame(Path(layer.source().split("|")[0]))
