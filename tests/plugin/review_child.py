"""QGIS at work on a dataset, to be killed at any moment; it says what was saved.

Each round draws a polygon on the first image's target, and one on an image that nothing is drawn
on, which makes a target; it says "saved" with the ids of what its window has seen saved. Every
third round undoes one.
"""

import importlib
import sys
import warnings
from pathlib import Path


def say(*words):
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


def main(folder, *places):
    sys.path[:0] = places
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pyproj.datadir
    pyproj.datadir.set_data_dir(str(Path(sys.base_prefix) / "share" / "proj"))
    from qgis.core import QgsApplication

    application = QgsApplication([], True)
    application.initQgis()
    from tests.plugin.inspecting import Window, wait_until
    from tests.plugin.reviewing import idle

    window = Window(importlib.import_module("ovearth"))
    window.show()
    opened = []
    window.dock.open_dataset.opened.connect(lambda: opened.append(1))
    window.dock.open_dataset.open(Path(folder))
    wait_until(lambda: opened)
    idle(window)
    panel = window.dock.review
    panel.state.be("anna", "annotator")
    idle(window)
    panel.committer.committed.connect(lambda drawing: say("saved", *drawing.after))
    say("ready")
    for number in range(1000):
        for image_id in (1, 2 + number % 30):
            draw_on(window, image_id)
        if number % 3 == 2:
            panel.undo.undo()
            idle(window)
            say("undone")


def draw_on(window, image_id):
    from qgis.core import QgsGeometry, QgsRectangle, QgsVectorLayerUtils

    from tests.plugin.reviewing import idle

    panel = window.dock.review
    found = (entry for entry in panel.state.entries if entry.image_id == image_id)
    panel.state.go_to(image_id, next(found).target_id)
    idle(window)
    if panel.state.sample.target is None:
        panel.state.choose_category(panel.drawing.category._choices[-1].row)
    panel.digitising.edit(lambda: None)
    idle(window)
    layer = panel.digitising.layer
    x, y = panel.state.sample.image.frame().footprint().min(axis=0) + 2e-4
    shape = QgsGeometry.fromRect(QgsRectangle(x, y, x + 1e-4, y + 1e-4))
    layer.beginEditCommand("Add feature")
    layer.addFeature(QgsVectorLayerUtils.createFeature(layer, shape, {}))
    layer.endEditCommand()
    idle(window)


if __name__ == "__main__":
    main(*sys.argv[1:])
