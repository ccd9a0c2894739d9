"""The longest block of QGIS's main thread while Inspect works, measured with large input.

Run it with QGIS's own Python, in the checkout's folder, after `make package`:
    QT_QPA_PLATFORM=offscreen .venv-qgis/bin/python benchmarks/inspect_responsiveness.py
"""

from __future__ import annotations

import importlib
import json
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, "build")

from heartbeat import Heart
from qgis.core import QgsApplication
from qgis.gui import QgsMapCanvas, QgsMessageBar
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QMainWindow

SIZE = 4000


def squares(count: int, rng: np.random.Generator) -> list[list[float]]:
    """Return boxes on a grid, each moved a little."""
    side = int(np.ceil(np.sqrt(count)))
    step = SIZE / side
    place = np.arange(count)
    x = (place % side) * step + rng.uniform(0, step / 8, count)
    y = (place // side) * step + rng.uniform(0, step / 8, count)
    return np.column_stack([x, y, x + step / 2, y + step / 2]).round(3).tolist()


def ring(box: list[float]) -> list[float]:
    """Return a circle of 40 vertices in a box."""
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    x = (box[0] + box[2]) / 2 + (box[2] - box[0]) / 2 * np.cos(angle)
    y = (box[1] + box[3]) / 2 + (box[3] - box[1]) / 2 * np.sin(angle)
    return np.column_stack([x, y]).round(2).ravel().tolist()


def write(folder: Path) -> tuple[Path, Path]:
    """Write a benchmark of 100,002 queries, two of them large, and a run."""
    rng = np.random.default_rng(0)
    many, masks = squares(5000, rng), squares(600, rng)
    image = {"width": SIZE, "height": SIZE, "crs": "EPSG:32632", "gsd": 0.5}
    images = [
        {"id": n, "file_name": f"{n}.tif", "transform": [0.5, 0, 5e5, 0, -0.5, 5e6 + n], **image}
        for n in range(3)
    ]
    annotations = [
        {"id": n, "target_id": 0, "image_id": 0, "category_id": 0, "iscrowd": 0,
         "bbox": [b[0], b[1], b[2] - b[0], b[3] - b[1]],
         "segmentation": [[b[0], b[1], b[2], b[1], b[2], b[3], b[0], b[3]]]}
        for n, b in enumerate(many)
    ]  # fmt: skip
    annotations += [
        {"id": 10_000 + n, "target_id": 1, "image_id": 1, "category_id": 0, "iscrowd": 0,
         "segmentation": [ring(b)]}
        for n, b in enumerate(masks)
    ]  # fmt: skip
    small = [100.0, 100.0, 160.0, 150.0]
    targets = [{"id": n, "image_id": min(n, 2), "category_id": n % 50} for n in range(1000)]
    annotations += [
        {"id": 20_000 + n, "target_id": n, "image_id": 2, "category_id": n % 50, "iscrowd": 0,
         "segmentation": [ring(small)]}
        for n in range(2, 1000)
    ]  # fmt: skip
    for annotation in annotations:
        annotation["category_id"] = annotation["target_id"] % 50
    queries = [
        {"id": f"q{n}", "target_id": n if n < 2 else 2 + n % 998, "task": "vocabulary",
         "polarity": "positive" if n % 3 or n < 2 else "negative", "text": f"thing number {n}"}
        for n in range(100_002)
    ]  # fmt: skip
    benchmark, run = folder / "benchmark.json", folder / "run.jsonl"
    benchmark.write_text(
        json.dumps(
            {
                "info": {"format": "ovearth-benchmark/1"},
                "categories": [{"id": n, "name": f"c{n}"} for n in range(50)],
                "images": images,
                "targets": targets,
                "annotations": annotations,
                "queries": queries,
            }
        )
    )
    moved = (np.array(small) + 5).tolist()
    with run.open("w") as file:
        file.write(json.dumps({"model": "run", "modalities": ["mask", "hbb"]}) + "\n")
        for n, query in enumerate(queries):
            boxes = squares(5000, rng) if n == 0 else masks if n == 1 else [moved]
            rings = masks if n == 1 else boxes[:1]
            polygons = {
                "type": "MultiPolygon",
                "coordinates": [[np.reshape(ring(b), (-1, 2)).tolist()] for b in rings],
            }
            record = {"query_id": query["id"], "hbb": boxes, "mask": {"polygons": polygons}}
            file.write(json.dumps(record) + "\n")
    return benchmark, run


def main() -> None:
    """Measure, and print a line for each kind of work."""
    application = QgsApplication([], True)
    application.initQgis()
    modules = [
        importlib.import_module(f"ovearth.ovearth_plugin.{n}") for n in ("messages", "tasks")
    ]
    panel_module = importlib.import_module("ovearth.ovearth_plugin.inspect.panel")
    window, canvas = QMainWindow(), QgsMapCanvas()
    window.setCentralWidget(canvas)
    messages = modules[0].Messages(QgsMessageBar())
    tasks = modules[1].Tasks(lambda failure: print(failure.details))
    panel = panel_module.InspectPanel(canvas, tasks, messages)
    window.resize(900, 700)
    panel.resize(600, 800)
    window.show()
    panel.show()
    heart = Heart()

    def measured(name: str, act) -> None:
        QTest.qWait(100)
        heart.reset()
        start = time.perf_counter()
        act()
        QTest.qWait(1)
        while tasks.running:
            QTest.qWait(2)
        QTest.qWait(60)
        whole = time.perf_counter() - start
        longest, held = 1000 * heart.longest_s, 1000 * heart.longest_held_s
        print(f"{name:32} longest {longest:5.0f} ms, held {held:4.0f} ms, in all {whole:6.2f} s")

    with tempfile.TemporaryDirectory() as folder:
        benchmark, run = write(Path(folder))
        size = benchmark.stat().st_size / 1e6, run.stat().st_size / 1e6
        print(f"benchmark {size[0]:.0f} MB, run {size[1]:.0f} MB")
        measured("open the benchmark", lambda: panel.loader.open_benchmark(benchmark))
        measured("score the run", lambda: panel.loader.add_runs([run]))
        state = panel.state
        state.choose_modality("hbb")
        measured("draw 5,000 boxes over 5,000", lambda: state.select(0))
        measured("move the threshold there", lambda: state.choose_step(12))
        measured("and again", lambda: state.choose_step(3))
        measured("sort 100,002 rows by text", lambda: state.sort(_column("TEXT")))
        measured("filter them", lambda: state.filter(kinds=("missed",)))
        measured("and let all through again", lambda: state.filter(kinds=None))
        state.choose_modality("mask")
        measured("draw 600 masks over 600", lambda: state.select(1))
        panel.stop()
    heart.stop()


def _column(name: str):
    return importlib.import_module("ovearth.ovearth_core.inspection.query_table").Column[name]


if __name__ == "__main__":
    main()
