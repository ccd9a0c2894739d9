"""Takes the most memory of `ovearth patches`: few places and many, a usual picture and a huge one.

Pictures are 13,000² and 40,000² (sparse: only where the places lie are there any bytes). One
process does all the work. Usage: python benchmarks/patch_memory.py [FEW] [MANY]
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import rasterio
from rasterio.transform import Affine
from rasterio.windows import Window

from ovearth_core.dataset import CategoryRow, Dataset, PoiRow
from ovearth_core.frame import ImageFrame

SIDES = (13_000, 40_000)
CRS, CORNER, PIXEL = "EPSG:32633", (500_000.0, 5_540_000.0), 0.3
# Where the places lie, in pixels: from here on, so many.
LEFT, DRAWN = 512, 12_288
SIZE = 256
KINDS = {"own grid": ["--grid", "own"], "resampled": ["--gsd", "0.7"]}


def make_picture(path: Path, side: int) -> None:
    """Write a sparse picture with noise where the places lie."""
    random = np.random.default_rng(0)
    transform = Affine(PIXEL, 0, CORNER[0], 0, -PIXEL, CORNER[1])
    with rasterio.open(
        path, "w", driver="GTiff", width=side, height=side, count=3, dtype="uint8", crs=CRS,
        transform=transform, tiled=True, blockxsize=512, blockysize=512, sparse_ok=True,
        bigtiff="YES",
    ) as file:  # fmt: skip
        for top in range(LEFT, LEFT + DRAWN, 512):
            strip = random.integers(1, 255, (3, 512, DRAWN), dtype=np.uint8)
            file.write(strip, window=Window(LEFT, top, DRAWN, 512))


def make_dataset(folder: Path, count: int) -> Path:
    """Make a dataset with places where the pictures have pixels."""
    frame = ImageFrame(CRS, (PIXEL, 0, CORNER[0], 0, -PIXEL, CORNER[1]), SIDES[0], SIDES[0])
    random = np.random.default_rng(1)
    middles = LEFT + random.integers(2 * SIZE, DRAWN - 2 * SIZE, (count, 2))
    dataset = Dataset.create(folder, [CategoryRow(1, "airplane", "Airplane")])
    with dataset.writing() as edit:
        for lon, lat in frame.pixel_to_lonlat(middles.astype(float)):
            edit.add(PoiRow(None, lon, lat, 1))
    return folder


def run(dataset: Path, picture: Path, options: list[str]) -> tuple[float, float]:
    """Return the most memory of a command in MB, and its seconds."""
    command = [sys.executable, "-m", "ovearth_core.cli", "patches", str(dataset), "--imagery",
               str(picture), "--size", str(SIZE), *options]  # fmt: skip
    start = time.perf_counter()
    job = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(job.pid, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(command)}")
    return used.ru_maxrss / 1024, time.perf_counter() - start


def main() -> None:
    """Print a line for each."""
    counts = [int(text) for text in sys.argv[1:3]] or [100, 2_000]
    with TemporaryDirectory() as name:
        for side in SIDES:
            picture = Path(name) / f"{side}.tif"
            make_picture(picture, side)
            for title, options in KINDS.items():
                for count in counts:
                    dataset = make_dataset(Path(name) / f"{side}-{title[:3]}-{count}", count)
                    memory_mb, seconds = run(dataset, picture, options)
                    print(f"{side:,}², {title}, {count:,}: {memory_mb:.0f} MB, {seconds:.1f} s")


if __name__ == "__main__":
    main()
