"""What click-to-mask costs beside the model: outlines against the usual way, and each step.

Run it with the test group installed: python benchmarks/segment.py
"""

from __future__ import annotations

import sys
import tempfile
import time
import tracemalloc
from pathlib import Path

import cv2
import numpy as np
import rasterio.features
import shapely

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from ovearth_core.segment import mask_polygons, open_model  # noqa: E402
from ovearth_core.segment.resizing import resized  # noqa: E402
from tests.core.sam_models import EXPORTS, spec  # noqa: E402

_TIMES = 5


def best(action):
    """Return the shortest of five times, in seconds, and what came of it."""
    times = []
    for _ in range(_TIMES):
        start = time.perf_counter()
        found = action()
        times.append(time.perf_counter() - start)
    return min(times), found


def blob(size, smoothness, seed=0):
    """Return a mask of smooth parts (size, size), a fifth of it foreground."""
    noise = np.random.default_rng(seed).standard_normal((size, size)).astype(np.float32)
    smooth = cv2.GaussianBlur(noise, (0, 0), smoothness)
    return smooth > np.quantile(smooth, 0.8)


def disc(size):
    """Return the mask of a disc (size, size)."""
    y, x = np.mgrid[:size, :size] + 0.5
    return np.hypot(x - size / 2, y - size / 2) < size * 0.3


def usual(mask):
    """Pixel edges by GDAL's polygonizer, simplified by half a pixel."""
    shapes = rasterio.features.shapes(mask.astype(np.uint8), mask=mask, connectivity=4)
    return [shapely.simplify(shapely.geometry.shape(shape), 0.5) for shape, _ in shapes]


def outlines():
    """Print what outlines of several masks cost."""
    print("outlines: seconds and vertices, beside rasterio.features.shapes and simplify(0.5)")
    masks = {
        "a disc, 1,024": disc(1024),
        "smooth parts, 1,024": blob(1024, 24.0),
        "many small parts, 1,024": blob(1024, 6.0),
    }
    for name, mask in masks.items():
        ours, polygons = best(lambda mask=mask: mask_polygons(mask))
        theirs, shapes = best(lambda mask=mask: usual(mask))
        vertices = sum(len(ring) - 1 for rings in polygons for ring in rings)
        usual_vertices = sum(shapely.get_num_coordinates(shape) for shape in shapes)
        print(
            f"  {name}: {ours:.3f} s, {vertices} vertices;"
            f" usual {theirs:.3f} s, {usual_vertices} vertices"
        )


def steps():
    """Print what images and clicks cost."""
    print("steps beside the model, seconds")
    for size in (1024, 2048):
        pixels = np.random.default_rng(0).integers(0, 256, (size, size, 3), dtype=np.uint8)
        took, _ = best(lambda pixels=pixels: resized(pixels, 1024, 1024))
        judge, _ = best(
            lambda pixels=pixels: cv2.resize(
                pixels.astype(np.float32), (1024, 1024), interpolation=cv2.INTER_AREA
            )
        )
        print(f"  resizing {size} x {size} to 1,024: {took:.3f} (cv2, in float: {judge:.3f})")
        for kind in ("sam", "sam2-samexporter"):
            with tempfile.TemporaryDirectory() as folder:
                model = open_model(spec(Path(folder), kind))
                first, _ = best(lambda model=model, size=size: new_image(model, size))
                model.set_image(pixels)
                again, _ = best(lambda model=model, pixels=pixels: model.set_image(pixels))
                click, _ = best(lambda model=model: model.predict([[300, 300]], [1]))
            print(
                f"  {kind}, {size} x {size}: a new image {first:.3f} (with the test's model),"
                f" the same again {again:.4f}, a click {click:.3f}, {EXPORTS[kind].count} masks"
            )


def new_image(model, size, rng=np.random.default_rng(1)):  # noqa: B008
    """Show a model an image that it has not seen."""
    model.set_image(rng.integers(0, 256, (size, size, 3), dtype=np.uint8))


def memory():
    """Print the memory that an outline takes."""
    mask = blob(2048, 24.0)
    tracemalloc.start()
    mask_polygons(mask)
    print(f"peak of an outline of 2,048 x 2,048: {tracemalloc.get_traced_memory()[1] >> 20} MB")


if __name__ == "__main__":
    outlines()
    steps()
    memory()
