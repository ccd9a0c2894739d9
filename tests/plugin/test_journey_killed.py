"""QGIS is killed again and again on its journey: nothing committed is lost, and it goes on."""

import hashlib
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

from .collecting import needs_osm
from .conftest import BUILD, REPOSITORY

KILLS = 30 if os.environ.get("OVEARTH_TEST_FULL") else 3
LONGEST_S = 8.0
CHILD = Path(__file__).with_name("journey_child.py")
# Of a target whose person was killed between erasing and drawing anew, or that has no text yet.
UNFINISHED = {"mask", "no-box", "no-query"}


def started(folder, model, said):
    """Start QGIS on its journey."""
    return subprocess.Popen(
        [sys.executable, CHILD, folder, model, BUILD, REPOSITORY],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, stdout=subprocess.PIPE,
        stderr=said, text=True,
    )  # fmt: skip


def killed(folder, model, after_s, errors):
    """Start QGIS, kill it some time after it is ready.

    Return what it saw committed last, and whether it had arrived.
    """
    with errors.open("w") as said:
        child = started(folder, model, said)
        assert child.stdout.readline().startswith("ready"), errors.read_text()
        time.sleep(after_s)
        is_alive = child.poll() is None
        child.kill()
    lines = [line.partition(" ") for line in child.stdout if line.endswith("\n")]
    child.stdout.close()
    child.wait(20)
    has_arrived = any(word == "arrived" for word, *_ in lines)
    assert is_alive or has_arrived, errors.read_text()
    seen = [json.loads(rest) for word, _, rest in lines if word == "sees"]
    return (seen[-1] if seen else None), has_arrived


def loses_nothing(core, folder, seen):
    """All that was seen committed is there, or the log says who took it away.

    Return how many polygons were erased without a word of it: QGIS saves first, and what was done
    is logged then, so that a kill right between the two takes the line along, of one action.
    """
    from ovearth.ovearth_core.dataset.review import replay

    with core.Dataset.open(folder).reading() as view:
        pois = {str(row.id): row.state for row in view.pois()}
        images = {row.file_name: row.sha256 for row in view.images()}
        instances = {row.id for row in view.instances()}
        targets = {row.id for row in view.targets()}
        texts = {row.id: row.state for row in view.queries()}
        lines = list(view.reviews())
    decided = {name: state for name, state in seen["pois"].items() if state != "candidate"}
    assert decided.items() <= pois.items()
    assert seen["pois"].keys() <= pois.keys()
    assert seen["images"].items() <= images.items()
    for name, sha256 in images.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == sha256
    erased = {line.comment for line in lines if line.action == "erased"}
    unlogged = {f"instance {row}" for row in set(seen["instances"]) - instances} - erased
    assert len(unlogged) <= 1
    assert set(seen["targets"]) <= targets
    assert {name for name, state in seen["queries"].items() if state == "accepted"} <= {
        name for name, state in texts.items() if state == "accepted"
    }
    assert seen["reviews"] <= len(lines)
    assert replay(lines).gaps == ()
    return len(unlogged)


def is_mended(core, folder):
    """`ovearth check --fix` leaves nothing but what is unfinished; return what it mended."""
    from ovearth.ovearth_core.checking.dataset_rows import check_dataset
    from ovearth.ovearth_core.checking.mending import mend_dataset

    dataset = core.Dataset.open(folder)
    mended = [str(one) for one in mend_dataset(dataset)]
    with dataset.reading() as view:
        being_drawn = {row.id for row in view.targets() if row.state in ("draft", "returned")}
    for finding in check_dataset(dataset):
        assert finding.kind in UNFINISHED, str(finding)
        assert finding.item == "target", str(finding)
        assert finding.kind == "no-query" or finding.id in being_drawn, str(finding)
    return mended


@needs_osm
def test_a_journey_that_is_killed_anywhere_loses_nothing_and_goes_on(
    core, model, tmp_path, record_property
):
    errors = tmp_path / "errors.txt"
    moments = random.Random(5)
    mended, journeys, unlogged = [], 0, 0
    for _ in range(KILLS):
        # Each journey from an empty folder; the next one begins when one has arrived.
        folder = tmp_path / str(journeys) / "stations"
        folder.mkdir(parents=True, exist_ok=True)
        seen, has_arrived = killed(folder, model, moments.uniform(0.0, LONGEST_S), errors)
        if not (folder / "dataset.gpkg").exists():
            assert seen is None
            continue
        if seen is not None:
            unlogged += loses_nothing(core, folder, seen)
        mended += is_mended(core, folder)
        for name in ("benchmark.json", "scores.json"):
            if (folder / name).exists():
                json.loads((folder / name).read_text(encoding="utf-8"))
        journeys += has_arrived
    with errors.open("w") as said:
        child = started(folder, model, said)
        out = child.communicate(timeout=300)[0].splitlines()
    assert out[-1].startswith("arrived"), errors.read_text()
    assert is_mended(core, folder) == []
    said = f"{KILLS}; arrived {journeys + 1} times; {unlogged} erased unlogged; mended: {mended}"
    record_property("kills", said)
