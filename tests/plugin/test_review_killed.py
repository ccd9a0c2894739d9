"""QGIS is killed again and again while it draws: nothing saved is lost, and it goes on."""

import os
import random
import subprocess
import sys
import time
from pathlib import Path

from .conftest import BUILD, REPOSITORY

KILLS = 30 if os.environ.get("OVEARTH_TEST_FULL") else 3
LONGEST_S = 1.5
CHILD = Path(__file__).with_name("review_child.py")


def killed(dataset, after_s):
    """Start QGIS, kill it some time after it is ready; return what it said."""
    child = subprocess.Popen(
        [sys.executable, CHILD, dataset.folder, BUILD, REPOSITORY],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    said = []
    for line in child.stdout:
        said.append(line.split())
        if said[-1] == ["ready"]:
            break
    time.sleep(after_s)
    assert child.poll() is None, said
    child.kill()
    said += [line.split() for line in child.stdout]
    child.stdout.close()
    child.wait(20)
    return said


def test_nothing_saved_is_lost_and_no_half_of_a_step_is_left(dataset, core, record_property):
    from ovearth.ovearth_core.checking.dataset_rows import check_dataset
    from ovearth.ovearth_core.dataset.review import replay

    with dataset.writing("anna") as edit:
        row = edit.image(1)
        for number in range(30):
            place = (*row.transform[:2], row.transform[2] + 200 * number, *row.transform[3:])
            edit.add(core.ImageRow(None, f"images/{number}.tif", 1000, 800, row.crs, place,
                                   row.operation, row.gsd_m))  # fmt: skip
    moments = random.Random(8)
    saved = 0
    for _ in range(KILLS):
        said = killed(dataset, moments.uniform(0, LONGEST_S))
        ids = [int(word) for words in said if words[0] == "saved" for word in words[1:]]
        saved += len(ids)
        undone = sum(words == ["undone"] for words in said)
        opened = core.Dataset.open(dataset.folder)
        with opened.reading() as view:
            rows = {row.id: row for row in view.instances()}
            lines = list(view.reviews())
            targets = list(view.targets())
        # An undo may be killed between its COMMIT and the word of it.
        assert len(set(ids) - set(rows)) <= undone + 1
        assert all(target.id in {row.target_id for row in rows.values()} for target in targets)
        assert replay(lines).gaps == ()
        assert all(row.created_by == "anna" for row in rows.values())
        # Images lack their files here, and targets have no texts; nothing else is wrong.
        kinds = {finding.kind for finding in check_dataset(opened)}
        assert kinds <= {"no-file", "no-checksum", "no-query", "overlap", "duplicate-instance"}
    assert saved
    record_property("kills", f"{KILLS}; {saved} polygons said to be saved")
