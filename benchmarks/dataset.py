"""Times a dataset of 5,000 images and 50,000 polygons: opening, single edits, reading, memory.

Usage: python benchmarks/dataset.py [IMAGES [POLYGONS_EACH]]
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import numpy as np

from ovearth_core.crs import LONLAT
from ovearth_core.dataset import CategoryRow, Dataset, Edit, ImageRow
from ovearth_core.frame import ImageFrame

EDITS = 200
CATEGORIES = [CategoryRow(n, f"category-{n}", f"Category {n}") for n in range(200)]


def image_rows(count: int) -> Iterator[ImageRow]:
    """Yield images of 1,000 by 1,000 pixels at 10 cm, side by side in Switzerland."""
    for number in range(count):
        transform = (0.1, 0, 2_600_000 + 100 * (number % 70), 0, -0.1, 1_200_000 + number // 70)
        frame = ImageFrame("EPSG:2056", transform, 1000, 1000)
        operation = frame.operation_to(LONLAT).proj
        yield ImageRow(None, f"images/{number}.tif", 1000, 1000, "EPSG:2056", transform, operation)


def circle(number: int) -> np.ndarray:
    """Return a polygon of 32 vertices somewhere on an image."""
    angles = np.linspace(0, 2 * np.pi, 32, endpoint=False)
    centre = np.random.default_rng(number).uniform(50, 950, 2)
    return centre + 20 * np.column_stack([np.cos(angles), np.sin(angles)])


def timed(what: Callable[[], object]) -> float:
    """Return how many seconds something takes."""
    start = time.perf_counter()
    what()
    return time.perf_counter() - start


def edits(dataset: Dataset, write: Callable[[Edit, int], object]) -> list[float]:
    """Return the times of single edits in milliseconds, each a transaction of its own."""

    def one(number: int) -> None:
        with dataset.writing("anna", "annotator") as edit:
            write(edit, number)

    return sorted(1000 * timed(lambda n=number: one(n)) for number in range(1, EDITS + 1))


def say(what: str, times: list[float]) -> None:
    """Print the middle, the 95th percentile and the longest of sorted times."""
    print(
        f"{what:34} median {median(times):6.1f} ms, p95 {times[int(0.95 * len(times))]:6.1f} ms, "
        f"longest {times[-1]:6.1f} ms"
    )


def peak_mb() -> float:
    """Return the most memory that this process has had, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def read_everything(dataset: Dataset) -> None:
    """Go through all polygons, as an export would."""
    with dataset.reading() as view:
        for _ in view.instances():
            pass


def main(images: int = 5000, each: int = 10) -> None:
    """Fill a dataset, then time it."""
    with TemporaryDirectory() as folder:
        dataset = Dataset.create(Path(folder) / "dataset", CATEGORIES)
        spent = timed(lambda: dataset.write_all(image_rows(images), Edit.add))
        print(f"{images} images written in {spent:.1f} s")
        wanted = ((1 + n // each, n % 200, circle(n)) for n in range(images * each))
        spent = timed(
            lambda: dataset.write_all(wanted, lambda edit, item: edit.add_instance(*item))
        )
        print(f"{images * each} polygons written in {spent:.1f} s, in transactions of some 30 ms")
        print(f"file: {dataset.path.stat().st_size / 1e6:.0f} MB")
        print(f"open: {1000 * timed(lambda: Dataset.open(dataset.folder)):.1f} ms")

        def first_look() -> None:
            with Dataset.open(dataset.folder).reading() as view:
                view.counts()
                list(view.instances(image_id=images // 2))

        print(f"open, count, and read an image: {1000 * timed(first_look):.1f} ms")
        say("draw a polygon", edits(dataset, lambda e, n: e.add_instance(n, 199, circle(n))))
        say("move a polygon", edits(dataset, lambda e, n: e.update(
            replace(e.instance(n), polygons=((circle(n + 7),),)))))  # fmt: skip
        say("change a state", edits(dataset, lambda e, n: e.set_state(n, "submitted")))
        before = peak_mb()
        print(f"read all polygons: {timed(lambda: read_everything(dataset)):.2f} s, "
              f"memory grew by {peak_mb() - before:.0f} MB")  # fmt: skip


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
