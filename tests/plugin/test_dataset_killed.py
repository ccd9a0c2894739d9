"""QGIS edits a dataset while another writer is killed again and again: both lose nothing."""

import os
import random
import subprocess
import sys
import time

from qgis.core import QgsGeometry, QgsVectorLayerUtils

from .conftest import BUILD, commit
from .test_dataset import WRITER

KILLS = 100 if os.environ.get("OVEARTH_TEST_FULL") else 5
LONGEST_S = 0.15


def killed_writer(dataset, after_s):
    """Start another writer, kill it some time after its first commit; return what it committed."""
    child = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(dataset.path), "1000000"],
        env={**os.environ, "PYTHONPATH": str(BUILD)}, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    said = [child.stdout.readline()]
    time.sleep(after_s)
    child.kill()
    said += child.stdout.readlines()
    child.stdout.close()
    child.wait(20)
    return len(said)


def test_a_writer_killed_beside_qgis_takes_nothing_along(layers, dataset, record_property):
    layer, images = layers["instances"], layers["images"]
    drawn = QgsGeometry(next(layer.getFeatures()).geometry())
    moments = random.Random(11)
    others = ours = 0
    for _ in range(KILLS):
        # QGIS has the layer in edit mode while the other one dies.
        layer.startEditing()
        values = {layer.fields().indexOf("target_id"): 1}
        layer.addFeature(QgsVectorLayerUtils.createFeature(layer, drawn, values))
        said = killed_writer(dataset, moments.uniform(0, LONGEST_S))
        commit(layer)
        ours += 1
        with dataset.reading() as view:
            there = sum(row.created_by == "other" for row in view.instances())
            assert view.counts()["instances"] == 1 + ours + there
        # The kill may come between COMMIT and the word of it: one more at most.
        assert there - others - said in {0, 1}
        others = there
        assert len(list(layer.getFeatures())) == 1 + ours + others
        assert len(list(images.getFeatures())) == 1
    # QGIS keeps the file in WAL mode: no journal tells which kills hit a COMMIT.
    record_property("kills", f"{KILLS}; {ours} edits of QGIS, {others} of others")
