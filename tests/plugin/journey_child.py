"""QGIS on the journey, to be killed at any moment; it goes on from whatever it finds there.

It says what another connection sees committed, again and again, and "arrived" when a target was
returned from Inspect.
"""

import importlib
import json
import os
import sys
import warnings
from pathlib import Path


def say(word, what=None):
    sys.stdout.write(f"{word} {json.dumps(what)}\n")
    sys.stdout.flush()


def main(folder, model, *places):
    sys.path[:0] = places
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pyproj.datadir
    pyproj.datadir.set_data_dir(str(Path(sys.base_prefix) / "share" / "proj"))
    from qgis.core import QgsApplication

    application = QgsApplication([], True)
    application.initQgis()
    from tests.plugin.inspecting import Window
    from tests.plugin.reviewing import give_drawing_tool

    package = importlib.import_module("ovearth")
    window = Window(package)
    give_drawing_tool(window, package)
    window.show()
    journey = Journey(window, Path(folder), model)
    say("ready")
    journey.begin()
    journey.go()
    journey.stop()
    say("arrived")
    # Without a word of what QGIS and Qt take apart in which order.
    os._exit(0)


def committed(dataset):
    """Return what a connection of its own sees in the file."""
    with dataset.reading() as view:
        return {
            "pois": {str(row.id): row.state for row in view.pois()},
            "images": {row.file_name: row.sha256 for row in view.images()},
            "instances": [row.id for row in view.instances()],
            "targets": [row.id for row in view.targets()],
            "queries": {row.id: row.state for row in view.queries()},
            "reviews": len(list(view.reviews())),
        }


class Journey:
    """The steps that are left, one after the other."""

    def __init__(self, window, folder, model):
        from tests.plugin import journey

        self.window = window
        self.folder = folder
        self.model = model
        self.steps = journey
        self.dataset = None
        self.core = importlib.import_module("ovearth.ovearth_core.dataset")

    def begin(self):
        from qgis.PyQt.QtCore import QTimer

        from tests.plugin.collecting import open_dataset

        if (self.folder / "dataset.gpkg").exists():
            self.dataset = open_dataset(self.window, self.folder)
        else:
            self.dataset = self.steps.make_dataset(self.window, self.folder)
            assert self.dataset.folder == self.folder
        self.timer = QTimer()
        self.timer.timeout.connect(lambda: say("sees", committed(self.dataset)))
        self.timer.start(100)

    def stop(self):
        self.timer.stop()

    def go(self):
        """Go on to the end."""
        window, steps = self.window, self.steps
        self.collect()
        while self.review():
            pass
        steps.derive_boxes(window)
        benchmark = self.folder / "benchmark.json"
        run = steps.write_run(self.folder / "tiny.jsonl", steps.export(self.dataset, benchmark))
        steps.score(benchmark, run, self.folder / "scores.json")
        steps.inspect(window, benchmark, run)
        steps.return_from_inspect(window, "it begins further right")

    def collect(self):
        from tests.plugin.collecting import images, serving, states

        window, steps, dataset = self.window, self.steps, self.dataset
        steps.to_front(window)
        if not states(dataset):
            steps.search_places(window)
        if "candidate" in states(dataset):
            steps.show_map(window, *steps.AREA)
            steps.accept_places(window, dataset)
        scene = self.folder.parent / "scene/scene.tif"
        if not scene.exists():
            steps.write_scene(scene, dataset)
        if len(images(dataset)) < steps.ACCEPTED:
            steps.cut_from_raster(window, scene)
        if len(images(dataset)) < 2 * steps.ACCEPTED:
            with serving(steps.winter(scene)) as served:
                steps.cut_from_server(window, served)

    def review(self):
        """Do what the first target that isn't approved needs; return whether there was any."""
        window, steps = self.window, self.steps
        with self.dataset.reading() as view:
            targets = {row.image_id: row for row in view.targets()}
            texts = {row.target_id: row.state for row in view.queries()}
        for image_id in range(1, steps.ACCEPTED + 1):
            target = targets.get(image_id)
            if target is None:
                self.draw(image_id)
            elif target.state in ("draft", "returned"):
                self.mend(target)
            elif target.state == "submitted":
                self.decide(target)
            elif texts.get(target.id) != "accepted":
                steps.review_as(window, "mia", "manager")
                steps.propose_texts(window, self.core, self.dataset)
                steps.accept_text(window, target)
            else:
                continue
            return True
        return False

    def draw(self, image_id):
        window, steps = self.window, self.steps
        steps.review_as(window, "anna")
        self.go_to(image_id)
        if self.model and image_id == 2:
            steps.click_polygon(window, self.model, steps.MIDDLE, steps.MIDDLE, "fuel station")
        else:
            steps.draw(window, steps.SQUARE, "fuel station")
        steps.submit(window)

    def mend(self, target):
        window, steps = self.window, self.steps
        steps.review_as(window, "anna")
        self.go_to(target.image_id, target.id)
        if target.state == "returned":
            steps.correct(window, steps.WIDER)
        steps.submit(window)

    def decide(self, target):
        window, steps = self.window, self.steps
        steps.review_as(window, "mia", "manager")
        self.go_to(target.image_id, target.id)
        with self.dataset.reading() as view:
            returns = sum(row.action == "return" for row in view.reviews(target.id))
        if target.image_id == 1 and returns % 2 == 0:
            steps.send_back(window, "the roof is wider", (100, 100))
        else:
            steps.approve(window)

    def go_to(self, image_id, target_id=None):
        self.window.dock.review.state.go_to(image_id, target_id)
        self.steps.idle(self.window)


if __name__ == "__main__":
    main(*sys.argv[1:])
