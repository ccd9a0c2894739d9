"""Time and memory of boxes, check and stats on a dataset of many images and polygons.

Usage: python benchmarks/quality.py [IMAGES POLYGONS]     default: 5000 50000, no image files
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ovearth_core.checking.dataset_rows import check_dataset
from ovearth_core.checking.near_duplicates import near_duplicates
from ovearth_core.dataset import CategoryRow, Dataset, ImageRow, QueryRow
from ovearth_core.dataset.boxes import derive_boxes
from ovearth_core.frame import ImageFrame
from ovearth_core.statistics.counting import dataset_statistics

TANK = 7
SIDE = 1024


def made(folder: Path, images: int, polygons: int) -> Dataset:
    """Return a dataset of images on a grid, each overlapping the next, with tilted octagons."""
    dataset = Dataset.create(folder, [CategoryRow(TANK, "tank", "storage tank", "Industry")])
    rng = np.random.default_rng(0)
    angles = np.arange(8) * np.pi / 4
    octagon = np.column_stack([np.cos(angles), 0.6 * np.sin(angles)])
    each = polygons // images

    def write(edit: Any, number: int) -> None:
        column, row = number % 100, number // 100
        place = (0.3, 0.0, 400000 + 250.0 * column, 0.0, -0.3, 5500000 - 310.0 * row)
        frame = ImageFrame("EPSG:32633", place, SIDE, SIDE)
        operation = frame.operation_to("EPSG:4326").proj
        image = edit.add(
            ImageRow(None, f"images/{number}.tif", SIDE, SIDE, frame.crs, place, operation, 0.3)
        )
        target_id = edit.open_target(image.id, TANK).id
        for place_px in rng.uniform(60, SIDE - 60, (each, 2)):
            shape = place_px + octagon * rng.uniform(10, 40)
            edit.add_instance(image.id, TANK, shape, target_id=target_id)
        edit.add(QueryRow(f"q{number}", target_id, "vocabulary", "positive", "storage tank"))
        edit.set_state(target_id, "approved")

    dataset.write_all(range(images), write)
    return dataset


def timed(name: str, work: Callable[[], Any]) -> Any:
    """Do the work, and print its time and the memory that the process has ever had."""
    start, busy = time.perf_counter(), time.process_time()
    result = work()
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{name:30} {seconds:8.1f} s, {busy:6.1f} s of one core   {most:6.0f} MB at most",
        flush=True,
    )
    return result


def main(images: int, polygons: int) -> None:
    """Time all of it on one dataset."""
    with tempfile.TemporaryDirectory() as folder:
        dataset = timed("make", lambda: made(Path(folder) / "d", images, polygons))
        print(timed("boxes, pixel", lambda: derive_boxes(dataset)))
        timed("boxes, nothing to do", lambda: derive_boxes(dataset))
        with dataset.reading() as view:
            rows = list(view.images())
        timed("near-duplicates, hashes known", lambda: list(near_duplicates(rows, lambda _: 1)))
        timed("stats", lambda: dataset_statistics(dataset))
        kinds = timed("check", lambda: Counter(f.kind for f in check_dataset(dataset)))
        print(dict(kinds))


if __name__ == "__main__":
    main(*(int(number) for number in sys.argv[1:3] or (5000, 50000)))
