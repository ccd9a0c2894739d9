"""An import that is killed at any moment and run again: all of it is there once, and no more."""

import json
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest

from ovearth_core.cli.main import main
from ovearth_core.dataset import Dataset
from ovearth_core.dataset.exchange.benchmark_in import import_benchmark
from ovearth_core.dataset.exchange.exporting import export_dataset
from ovearth_core.dataset.exchange.import_lock import only_import
from ovearth_core.dataset.exchange.landing import take_back, unfinished
from ovearth_core.errors import UsageError

from . import making
from .datasets import SQUARE
from .killing import ANNOUNCING, hit_commit, read_commits
from .placed_images import write_image
from .random_benchmarks import PLACES
from .shared import CHECKOUT

KILLS = 100 if os.environ.get("OVEARTH_TEST_FULL") else 6
LONGEST_COMMIT_S = 0.01
PLACE = PLACES[1]
IMPORTER = f"""
{ANNOUNCING}
import sys
from ovearth_core.cli import exchange, main
from ovearth_core.dataset.exchange import benchmark_in, coco_labels, importing
print("ready", flush=True)
code = main.main(sys.argv[1:])
print("done", code, flush=True)
"""


def run(arguments, kill_after_s=None, at_commit=0):
    """Run an import in a process of its own; return its exit code, None if killed, and time.

    at_commit: count the time from the commit of this number on. Last comes what it said.
    """
    child = subprocess.Popen(
        [sys.executable, "-c", IMPORTER, "import", *map(str, arguments)],
        cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert child.stdout.readline() == "ready\n"
    start = time.monotonic()
    said = "\n".join(read_commits(child.stdout, at_commit)) if at_commit else ""
    if kill_after_s is not None:
        time.sleep(kill_after_s)
        child.kill()
    said += child.stdout.read()
    child.stdout.close()
    child.wait(60)
    code = int(said.split()[-1]) if "done" in said else None
    return code, time.monotonic() - start, said


def moment(random, whole_s, commits):
    """Return a time to kill at, and from which commit on: half of them aimed inside COMMIT."""
    if random.random() < 0.5:
        return random.uniform(0.0, whole_s), 0
    return random.uniform(0.0, LONGEST_COMMIT_S), random.randint(1, commits)


def coco(images=8, each=40):
    document = {
        "categories": [{"id": 1, "name": "tank"}, {"id": 2, "name": "brand new"}],
        "images": [making.image(10 + n) | {"file_name": f"{n}.tif"} for n in range(images)],
        "annotations": [],
    }
    for number in range(images * each):
        document["annotations"].append(
            making.annotation(
                5 * number, 0, making.square(number % 60, number % 50, 9),
                image_id=10 + number % images, category_id=1 + number % 2,
            )
        )  # fmt: skip
        del document["annotations"][-1]["target_id"]
    return document


@pytest.fixture
def dataset(tmp_path):
    """A dataset with a benchmark in it and a polygon drawn since."""
    path = tmp_path / "first.json"
    path.write_text(json.dumps(making.benchmark(images=[making.image(1, **PLACE)])))
    import_benchmark(tmp_path / "dataset", path)
    dataset = Dataset.open(tmp_path / "dataset")
    with dataset.writing("anna") as edit:
        edit.add_instance(1, 1, SQUARE, target_id=1)
    return dataset


def labels_of(dataset, out):
    export_dataset(dataset, out, "coco", ("draft", "approved"))
    found = json.loads(out.read_text())
    return [sorted(json.dumps(one, sort_keys=True) for one in found[name])
            for name in ("categories", "images", "annotations")]  # fmt: skip


def assert_sound(dataset):
    with closing(sqlite3.connect(dataset.path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


def test_labels_are_there_once_after_any_number_of_kills(dataset, tmp_path, record_property):
    source = tmp_path / "coco.json"
    source.write_text(json.dumps(coco()))
    for number in range(8):
        write_image(tmp_path / "pictures" / f"{number}.tif")
    arguments = [source, "--format", "coco", "--images", tmp_path / "pictures", "--keep-unmapped"]
    before = labels_of(dataset, tmp_path / "before.json")
    shutil.copytree(dataset.folder, tmp_path / "pristine")
    shutil.copytree(dataset.folder, tmp_path / "other")
    code, whole_s, said = run([tmp_path / "other", *arguments])
    assert code == 0, said
    wanted = labels_of(Dataset.open(tmp_path / "other"), tmp_path / "wanted.json")

    moments, commits = random.Random(7), said.count("commit\n")
    in_the_middle = hits = 0
    for _ in range(KILLS):
        code, _, _ = run([dataset.folder, *arguments], *moment(moments, whole_s, commits))
        hits += hit_commit(dataset.folder)
        assert_sound(dataset)
        now = labels_of(dataset, tmp_path / "now.json")
        with dataset.reading() as view:
            is_cut_off = unfinished(view) == str(source)
        in_the_middle += is_cut_off
        if is_cut_off and moments.random() < 0.5:
            take_back(dataset, "anna")
            assert labels_of(dataset, tmp_path / "now.json") == before
        elif not is_cut_off:
            assert now in (before, wanted)
        if now == wanted and not is_cut_off:  # it was quicker than the kill: once more
            shutil.rmtree(dataset.folder)
            shutil.copytree(tmp_path / "pristine", dataset.folder)
    code, _, said = run([dataset.folder, *arguments])
    assert code == 0, said
    assert labels_of(dataset, tmp_path / "after.json") == wanted
    record_property("kills", f"{KILLS}, {in_the_middle} in the import, {hits} inside COMMIT")
    assert KILLS < 20 or (in_the_middle and hits)


def test_a_new_dataset_is_there_whole_or_not_at_all(tmp_path, record_property):
    document = making.benchmark(
        images=[making.image(1, **PLACE)],
        annotations=[making.annotation(n, 1, making.square(n % 50, n % 50, 9)) for n in range(600)],
    )
    source = tmp_path / "benchmark.json"
    source.write_text(json.dumps(document))
    arguments = [source, "--format", "benchmark"]
    code, whole_s, said = run([tmp_path / "whole", *arguments])
    assert code == 0, said
    wanted = benchmark_of(tmp_path / "whole")
    moments, commits = random.Random(8), said.count("commit\n")
    hits = 0
    for _ in range(KILLS):
        run([tmp_path / "cut", *arguments], *moment(moments, whole_s, commits))
        hits += hit_commit(tmp_path)
        if (tmp_path / "cut" / "dataset.gpkg").exists():
            assert benchmark_of(tmp_path / "cut") == wanted
            shutil.rmtree(tmp_path / "cut")
    code, _, said = run([tmp_path / "cut", *arguments])
    assert code == 0, said
    assert benchmark_of(tmp_path / "cut") == wanted
    assert [path.name for path in (tmp_path / "cut").iterdir()] == ["dataset.gpkg"]
    record_property("kills", f"{KILLS}, {hits} inside COMMIT")


def benchmark_of(folder):
    """The bytes of the benchmark that a sound dataset gives."""
    dataset = Dataset.open(folder)
    assert_sound(dataset)
    out = folder.parent / "out.json"
    export_dataset(dataset, out, "benchmark")
    return out.read_bytes()


def test_what_somebody_changed_of_a_cut_off_import_is_not_taken_back(dataset):
    with dataset.writing() as edit:
        made = edit.add_instance(1, 1, SQUARE, target_id=1)
        other = edit.add_instance(1, 1, SQUARE, target_id=1)
        edit.set_note("import", {"source": "labels.txt", "blocks": 1})
        edit.set_note("import:0", {"instances": [[made.id, other.id]], "targets": [[1, 1]]})
    with dataset.writing("anna") as edit:
        row = edit.instance(made.id)
        edit.update(type(row)(**{**_fields(row), "polygons": ((row.polygons[0][0] + 1,),)}))
    assert take_back(dataset) == "labels.txt"
    with dataset.reading() as view:
        ids = [row.id for row in view.instances()]
        assert made.id in ids
        assert other.id not in ids
        assert view.target(1).id == 1
        assert unfinished(view) is None


def test_check_tells_of_a_cut_off_import_and_fix_takes_it_back(dataset, capsys):
    with dataset.writing() as edit:
        other = edit.add_instance(1, 1, SQUARE, target_id=1)
        edit.set_note("import", {"source": "labels.txt", "blocks": 1})
        edit.set_note("import:0", {"instances": [[other.id, other.id]]})
    assert main(["check", str(dataset.folder)]) == 1
    told = capsys.readouterr().out
    assert "an import of labels.txt was cut off, or is still going on [cut-off-import]" in told
    # While one is really going on, nothing of it is taken away.
    with only_import(dataset.folder):
        assert main(["check", str(dataset.folder), "--fix"]) == 2
    assert "another import into it is running" in capsys.readouterr().err
    with dataset.reading() as view:
        assert view.instance(other.id).id == other.id
    main(["check", str(dataset.folder), "--fix"])
    told = capsys.readouterr().out
    assert "mended dataset: an import of labels.txt that was cut off taken back" in told
    assert "[cut-off-import]" not in told
    with dataset.reading() as view:
        assert other.id not in [row.id for row in view.instances()]
        assert unfinished(view) is None


def _fields(row):
    return {name: getattr(row, name) for name in type(row).__slots__}


def test_only_one_import_runs_into_a_folder_at_a_time(tmp_path):
    with (
        only_import(tmp_path),
        pytest.raises(UsageError, match="another import into it is running"),
        only_import(tmp_path),
    ):
        pass
    with only_import(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []
