"""Going to the next sample, and the longest block of QGIS's main thread while Review works.

With 5,000 images and 50,000 polygons. Run it with QGIS's own Python, in the checkout's folder,
after `make package`:
    QT_QPA_PLATFORM=offscreen .venv-qgis/bin/python benchmarks/review_responsiveness.py
"""

from __future__ import annotations

import importlib
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, "build")
sys.path.insert(1, ".")

import numpy as np
from heartbeat import Heart
from osgeo import gdal, osr
from qgis.core import (
    QgsApplication,
    QgsCoordinateReferenceSystem,
    QgsGeometry,
    QgsProject,
    QgsRectangle,
    QgsVectorLayerUtils,
)
from qgis.gui import QgsLayerTreeMapCanvasBridge
from qgis.PyQt.QtTest import QTest

IMAGES, POLYGONS_EACH, SIDE = 5000, 10, 1024
STEPS = 40


def write(folder: Path):
    """Write the dataset; the images are one file under many names."""
    dataset_module = importlib.import_module("ovearth.ovearth_core.dataset")
    frame_module = importlib.import_module("ovearth.ovearth_core.frame")
    bare = frame_module.ImageFrame("EPSG:32632", (0.3, 0, 5e5, 0, -0.3, 5.2e6), SIDE, SIDE)
    operation = bare.operation_to("EPSG:4326").proj
    categories = [dataset_module.CategoryRow(n, f"c{n}", f"Category {n}") for n in range(100)]
    dataset = dataset_module.Dataset.create(folder / "dataset", categories)
    (folder / "dataset/images").mkdir()
    rng = np.random.default_rng(0)

    def one(edit, number: int) -> None:
        transform = (0.3, 0, 5e5 + 400 * (number % 70), 0, -0.3, 5.2e6 + 400 * (number // 70))
        image = edit.add(
            dataset_module.ImageRow(
                None, f"images/{number}.tif", SIDE, SIDE, "EPSG:32632", transform, operation, 0.3
            )
        )
        for category in (number % 100, (number + 1) % 100):
            for corner in rng.uniform(0, SIDE - 60, (POLYGONS_EACH // 2, 2)):
                angle = np.linspace(0, 2 * np.pi, 24, endpoint=False)
                ring = corner + 30 + 25 * np.column_stack([np.cos(angle), np.sin(angle)])
                edit.add_instance(image.id, category, ring)

    dataset.write_all(range(IMAGES), one, "anna", "annotator")
    for number in range(STEPS + 5):
        _write_image(folder / f"dataset/images/{number}.tif", number, rng)
    return dataset


def _write_image(path: Path, number: int, rng: np.random.Generator) -> None:
    image = gdal.GetDriverByName("GTiff").Create(str(path), SIDE, SIDE, 3)
    image.SetGeoTransform(
        (5e5 + 400 * (number % 70), 0.3, 0, 5.2e6 + 400 * (number // 70), 0, -0.3)
    )
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(32632)
    image.SetProjection(reference.ExportToWkt())
    for band in (1, 2, 3):
        image.GetRasterBand(band).WriteArray(rng.integers(0, 255, (SIDE, SIDE), dtype=np.uint8))
    image.FlushCache()


class Bench:
    """A window with Review, and what is measured in it."""

    def __init__(self) -> None:
        inspecting = importlib.import_module("tests.plugin.inspecting")
        self.window = inspecting.Window(importlib.import_module("ovearth"))
        crs = QgsCoordinateReferenceSystem("EPSG:3857")
        QgsProject.instance().setCrs(crs)
        self.window.canvas.setDestinationCrs(crs)
        root = QgsProject.instance().layerTreeRoot()
        self.bridge = QgsLayerTreeMapCanvasBridge(root, self.window.canvas)
        self.bridge.setAutoSetupOnFirstLayer(False)
        self.window.show()
        self.panel = self.window.dock.review
        self.shared = self.window.dock.open_dataset
        self.window.dock.tabs.setCurrentWidget(self.panel)
        self.heart = Heart()

    def settle(self) -> None:
        """Wait until nothing is being done any more."""
        panel = self.panel
        while self.window.tasks.running or panel.desk.is_busy or panel.committer._timer.isActive():
            QTest.qWait(2)

    def measured(self, name: str, act) -> None:
        """Print the longest block while something is done, and how long it all takes."""
        QTest.qWait(100)
        self.heart.reset()
        start = time.perf_counter()
        act()
        QTest.qWait(1)
        self.settle()
        QTest.qWait(60)
        whole = time.perf_counter() - start
        longest, held = 1000 * self.heart.longest_s, 1000 * self.heart.longest_held_s
        print(f"{name:40} longest {longest:5.0f} ms, held {held:4.0f} ms, in all {whole:6.2f} s")

    def open(self, folder: Path) -> None:
        """Open the dataset and wait for its layers."""
        opened: list[int] = []
        self.shared.opened.connect(lambda: opened.append(1))
        self.shared.open(folder)
        while not opened:
            QTest.qWait(2)

    def step(self) -> None:
        """Go from sample to sample, and print how long each takes until it is on the map."""
        shown: list[float] = []
        self.panel.scene.shown.connect(lambda: shown.append(time.perf_counter()))
        times, blocks, held = [], [], []
        for _ in range(STEPS):
            self.settle()
            self.window.canvas.waitWhileRendering()
            QTest.qWait(30)
            shown.clear()
            self.heart.reset()
            start = time.perf_counter()
            self.panel.queue.next.click()
            while not shown:
                QTest.qWait(1)
            times.append(1000 * (shown[0] - start))
            self.settle()
            QTest.qWait(30)
            blocks.append(1000 * self.heart.longest_s)
            held.append(1000 * self.heart.longest_held_s)
        for name, numbers in (("next sample", times), ("longest block", blocks), ("held", held)):
            found = sorted(numbers)
            print(
                f"{name}: median {found[STEPS // 2]:.0f} ms, 95 % below"
                f" {found[int(STEPS * 0.95)]:.0f} ms, the most {found[-1]:.0f} ms"
            )

    def draw(self) -> None:
        """Draw a polygon, as QGIS's tool does when its last click is made."""
        x, y = self.panel.state.sample.image.frame().footprint().min(axis=0) + 2e-4
        shape = QgsGeometry.fromRect(QgsRectangle(x, y, x + 1e-4, y + 1e-4))
        layer = self.panel.digitising.layer
        layer.addFeature(QgsVectorLayerUtils.createFeature(layer, shape, {}))


def main() -> None:
    """Measure, and print a line for each kind of work."""
    application = QgsApplication([], True)
    application.initQgis()
    bench = Bench()
    panel = bench.panel
    with tempfile.TemporaryDirectory() as folder:
        dataset = write(Path(folder))
        with dataset.reading() as view:
            print(view.counts())
        bench.measured("open the dataset", lambda: bench.open(dataset.folder))
        bench.measured("say who I am", lambda: panel.state.be("anna", "annotator"))
        bench.step()
        panel.digitising.edit(lambda: None)
        bench.settle()
        bench.measured("draw a polygon, saved and checked", bench.draw)
        bench.measured("draw another", bench.draw)
        bench.measured("take it back", panel.undo.undo)
        bench.measured("submit", panel.drawing.submit.click)
        bench.measured("derive boxes (none approved)", panel.boxes.derive.click)
        bench.window.stop()
        QgsProject.instance().clear()


if __name__ == "__main__":
    main()
