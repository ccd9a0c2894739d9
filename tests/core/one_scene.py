"""One image whose pixels say where they lie, and small services of our own that draw it."""

import numpy as np
from pyproj import Transformer

from . import rasters
from .framing import WORLD_MERCATOR
from .loopback import Answer, png
from .map_services import wms, wmts
from .tile_worlds import numbers

ZOOM = 18
PIXEL = 2 * WORLD_MERCATOR / 256 / 2**ZOOM
# The ramp lies in the middle, further from the edges than a tile is wide: a tile that holds an edge
# QGIS Server stretches by up to one pixel, where its rounded grid and the image's differ by 1e-4.
RAMP, EDGE = 126, 280
SIDE = EDGE + RAMP + EDGE
# Half a pixel is one of the values, which are whole.
FINE = 2
# Where its first pixel is in the level of web Mercator that its grid is: column, row.
FIRST = (
    round((1_670_000 + WORLD_MERCATOR) / PIXEL),
    round((WORLD_MERCATOR - 6_446_000) / PIXEL),
)
TRANSFORM = (
    PIXEL, 0.0, FIRST[0] * PIXEL - WORLD_MERCATOR, 0.0, -PIXEL, WORLD_MERCATOR - FIRST[1] * PIXEL
)  # fmt: skip


def values_of(column, row):
    """Values (3,…) of the image's pixels: red is twice the ramp's column, green its row."""
    x, y = (np.clip(np.floor(part) - EDGE, 0, RAMP - 1) for part in (column, row))
    return np.stack([x * FINE, y * FINE, 255 - x])


def position_of(values):
    """Columns and rows (2,…) of the middles of pixels, from their values; on the ramp only."""
    return values[:2].astype(float) / FINE + EDGE + 0.5


def write_scene(folder):
    """Write the image in EPSG:3857; return its path, and its middle's longitude and latitude."""
    row, column = np.mgrid[0:SIDE, 0:SIDE]
    path = folder / "scene.tif"
    rasters.write(
        path, values_of(column, row).astype(np.uint8), "EPSG:3857", TRANSFORM, overviews=[2]
    )
    a, _, c, _, e, f = TRANSFORM
    middle = (c + a * SIDE / 2, f + e * SIDE / 2)
    return path, *Transformer.from_crs(3857, 4326, always_xy=True).transform(*middle)


def _tile(level, x, y):
    row, column = np.mgrid[0:256, 0:256]
    return values_of(column + 256 * x - FIRST[0], row + 256 * y - FIRST[1]).astype(np.uint8)


def scene_by_xyz():
    """Answer with tiles of the one level that the image's grid is."""

    def answer(path, _):
        z, x, y = numbers(path)
        return Answer(png(_tile(z, x, y))) if z == ZOOM else Answer(b"", 404)

    return answer


def scene_by_wms():
    """Answer as a WMS that takes the nearest pixel of the image, as they do."""
    return wms(ZOOM, at=lambda column, row: values_of(column - FIRST[0], row - FIRST[1]))


def scene_by_wmts():
    """Answer as a WMTS in web Mercator."""
    return wmts(ZOOM, sets=("m",), drawn=_tile)
