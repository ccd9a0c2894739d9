"""Image files made for tests, georeferenced or not."""

import warnings

import numpy as np
import rasterio
from rasterio.control import GroundControlPoint
from rasterio.errors import NotGeoreferencedWarning

UTM = {"crs": "EPSG:32632", "transform": rasterio.Affine(0.3, 0, 512000.0, 0, -0.3, 4323000.0)}
GCPS = [GroundControlPoint(row, col, 9.0 + col / 1e5, 47.0 - row / 1e5)
        for row, col in ((0, 0), (0, 100), (80, 0))]  # fmt: skip


def write_image(path, width=100, height=80, seed=0, **place):
    """A GeoTIFF (or PNG, by its name) of noise; in UTM zone 32 unless `place` says otherwise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    driver = "PNG" if path.suffix == ".png" else "GTiff"
    pixels = np.random.default_rng(seed).integers(0, 255, (1, height, width), np.uint8)
    profile = {"driver": driver, "width": width, "height": height, "count": 1, "dtype": "uint8"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotGeoreferencedWarning)
        with rasterio.open(path, "w", **profile, **(place or UTM)) as image:
            image.write(pixels)
    return path
