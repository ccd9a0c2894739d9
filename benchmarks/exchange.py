"""Time and memory of imports and exports of a dataset of many images and polygons.

Usage: python benchmarks/exchange.py [IMAGES POLYGONS]     default: 5000 50000, no image files
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from quality import made, timed

from ovearth_core.dataset import Dataset
from ovearth_core.dataset.exchange.benchmark_in import import_benchmark
from ovearth_core.dataset.exchange.exporting import export_dataset
from ovearth_core.dataset.exchange.formats import EXPORTED, reader_of
from ovearth_core.dataset.exchange.importing import import_labels


def main(images: int, polygons: int) -> None:
    """Write one dataset in each format; take its benchmark and its COCO file in again."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dataset = timed("make", lambda: made(folder / "d", images, polygons))
        for format_name in EXPORTED:
            timed(
                f"export, {format_name}",
                lambda fmt=format_name: export_dataset(dataset, folder / f"out.{fmt}", fmt),
            )
        timed(
            "import, benchmark, new dataset",
            lambda: import_benchmark(folder / "again", folder / "out.benchmark"),
        )
        bare = made(folder / "bare", images, 0)
        bare.write_all(range(1, images + 1), lambda edit, n: edit.set_state(n, "returned"))
        timed(
            "import, coco",
            lambda: import_labels(bare, reader_of("coco"), folder / "out.coco", who="anna"),
        )
        with Dataset.open(folder / "bare").reading() as view:
            print(view.counts())


if __name__ == "__main__":
    main(*(int(number) for number in sys.argv[1:3] or (5000, 50000)))
