"""Measure how long QGIS's main thread stands still while OVEarth works in a task.

Run it with QGIS's Python after `make package`:
QT_QPA_PLATFORM=offscreen .venv-qgis/bin/python benchmarks/qgis_blocks.py SAMPLE
(the folder that `ovearth demo` writes). Also printed: the same without any work.
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

from heartbeat import Heart  # noqa: E402
from ovearth.ovearth_core.overlay import overlay_files  # noqa: E402
from ovearth.ovearth_core.scoreboard import score_files  # noqa: E402
from ovearth.ovearth_plugin.tasks import Tasks  # noqa: E402
from qgis.core import QgsApplication  # noqa: E402
from qgis.PyQt.QtCore import QEventLoop  # noqa: E402

SIDE = 512
SQUARE = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], float)


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


def measured(tasks: Tasks, work) -> str:
    """Return the longest block, the longest held, and the time that the work took, as text."""
    loop, heart, began = QEventLoop(), Heart(), time.perf_counter()
    tasks.start("benchmark", work, lambda _: None, print, ended=loop.quit)
    loop.exec()
    heart.stop()
    took = time.perf_counter() - began
    longest, held = 1000 * heart.longest_s, 1000 * heart.longest_held_s
    return f"{longest:6.0f} ms, held {held:4.0f} ms, in {took:5.1f} s"


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
        print(f"{'nothing':<32} {measured(tasks, lambda report: time.sleep(2))}")
        for title, (benchmark, run) in cases.items():
            size = benchmark.stat().st_size / 1e6

            def scoring(report, benchmark=benchmark, run=run):
                return score_files(benchmark, [run], progress=lambda *_: report.check())

            def overlay(report, benchmark=benchmark, run=run):
                return overlay_files(benchmark, run, 0.5, folder / "o.gpkg", report)

            for what, work in (("score", scoring), ("overlay", overlay)):
                line = f"{what} {title}"
                print(f"{line:<32} {measured(tasks, work)} ({size:.0f} MB)")
    application.exitQgis()


if __name__ == "__main__":
    main(sys.argv[1])
