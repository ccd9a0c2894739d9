"""Measure how long QGIS's main thread stands still while OVEarth works in a task.

Run it with QGIS's Python after `make package`:
QT_QPA_PLATFORM=offscreen .venv-qgis/bin/python benchmarks/qgis_blocks.py SAMPLE
(the folder that `ovearth demo` writes). A timer of a millisecond ticks on the main thread: the
longest time between two ticks is the longest block. Also printed: the same without any work.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

warnings.simplefilter("ignore")
import pyproj.datadir  # noqa: E402

pyproj.datadir.set_data_dir(str(Path(sys.base_prefix) / "share" / "proj"))
sys.path.insert(0, "build")

from ovearth.ovearth_core.overlay import overlay_files  # noqa: E402
from ovearth.ovearth_core.scoreboard import score_files  # noqa: E402
from ovearth.ovearth_plugin.tasks import Tasks  # noqa: E402
from qgis.core import QgsApplication  # noqa: E402
from qgis.PyQt.QtCore import QEventLoop, QTimer  # noqa: E402

SIDE = 512
SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)


class Watch:
    """Notes the longest time between two ticks."""

    def __init__(self) -> None:
        self.longest = 0.0
        self._last = time.perf_counter()
        self._timer = QTimer()
        self._timer.timeout.connect(self._tick)
        self._timer.start(1)

    def _tick(self) -> None:
        now = time.perf_counter()
        self.longest = max(self.longest, now - self._last)
        self._last = now

    def stop(self) -> float:
        """Return the longest block in milliseconds."""
        self._tick()
        self._timer.stop()
        return 1000 * self.longest


def made(folder: Path, targets: int, boxes: int, corners: int) -> tuple[Path, Path]:
    """Write a benchmark of `targets` masks with `boxes` instances in all, and a run that is off."""
    rng = np.random.default_rng(0)
    per_target = -(-boxes // targets)
    angles = np.linspace(0, 2 * np.pi, corners, endpoint=False)
    images, truths, annotations, queries, records = [], [], [], [], []
    for target in range(targets):
        images.append({
            "id": target, "file_name": f"{target}.tif", "width": SIDE, "height": SIDE,
            "crs": "EPSG:32632", "transform": [0.5, 0.1, 500000, 0.1, -0.5, 5200000],
        })  # fmt: skip
        truths.append({"id": target, "image_id": target, "category_id": 1})
        found = []
        for _ in range(per_target):
            centre, radius = rng.uniform(40, SIDE - 40, 2), rng.uniform(5, 25)
            wave = radius * (1 + 0.2 * np.sin(5 * angles))
            ring = centre + np.stack([wave * np.cos(angles), wave * np.sin(angles)], axis=1)
            annotations.append({
                "id": len(annotations), "target_id": target, "image_id": target, "category_id": 1,
                "segmentation": [ring.ravel().tolist()],
            })  # fmt: skip
            low, high = ring.min(axis=0) + 2, ring.max(axis=0) + 2
            found.append([*low, *high])
        queries.append({"id": f"q{target}", "target_id": target, "task": "vocabulary",
                        "polarity": "positive", "text": "x"})  # fmt: skip
        polygons = [[[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]] for x0, y0, x1, y1 in found]
        mask = {"polygons": {"type": "MultiPolygon", "coordinates": [[p] for p in polygons]}}
        quads = [[x for corner in p[:4] for x in corner] for p in polygons]
        records.append({"query_id": f"q{target}", "mask": mask, "hbb": found, "obb": quads})
    document = {
        "info": {"format": "ovearth-benchmark/1", "version": "b"},
        "categories": [{"id": 1, "name": "thing", "supercategory": "s"}],
        "images": images, "targets": truths, "annotations": annotations, "queries": queries,
    }  # fmt: skip
    benchmark, run = folder / f"b{targets}.json", folder / f"r{targets}.jsonl"
    benchmark.write_text(json.dumps(document), encoding="utf-8")
    run.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return benchmark, run


def measured(tasks: Tasks, work) -> tuple[float, float]:
    """Return the longest block in milliseconds and the seconds that the work took."""
    loop, watch, began = QEventLoop(), Watch(), time.perf_counter()
    tasks.start("benchmark", work, lambda _: None, print, ended=loop.quit)
    loop.exec()
    return watch.stop(), time.perf_counter() - began


def main(sample: str) -> None:
    """Print a line for each."""
    application = QgsApplication([], False)
    application.initQgis()
    tasks = Tasks(print)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        runs = sorted((Path(sample) / "runs").glob("careful*"))
        cases = {
            "sample": (Path(sample) / "benchmark.json", runs[0]),
            "600 masks, 5,000 boxes": made(folder, 600, 5000, 24),
            "60 MB benchmark": made(folder, 2000, 16000, 90),
        }
        idle = measured(tasks, lambda report: time.sleep(2))
        print(f"{'nothing':<28} {idle[0]:6.0f} ms in {idle[1]:5.1f} s")
        for title, (benchmark, run) in cases.items():
            size = benchmark.stat().st_size / 1e6

            def scoring(report, benchmark=benchmark, run=run):
                return score_files(benchmark, [run], progress=lambda *_: report.check())

            def overlay(report, benchmark=benchmark, run=run):
                return overlay_files(benchmark, run, 0.5, folder / "o.gpkg", report)

            for what, work in (("score", scoring), ("overlay", overlay)):
                block, took = measured(tasks, work)
                line = f"{what} {title}"
                print(f"{line:<32} {block:6.0f} ms in {took:5.1f} s ({size:.0f} MB)")
    application.exitQgis()


if __name__ == "__main__":
    main(sys.argv[1])
