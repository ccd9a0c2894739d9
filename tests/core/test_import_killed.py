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
from ovearth_core.dataset import Dataset, QueryRow, ReviewRow
from ovearth_core.dataset.exchange.benchmark_in import import_benchmark
from ovearth_core.dataset.exchange.cut_off import settle
from ovearth_core.dataset.exchange.exporting import export_dataset
from ovearth_core.dataset.exchange.import_lock import only_import
from ovearth_core.dataset.exchange.taking_back import take_back, unfinished
from ovearth_core.errors import OutputError, UsageError

from . import making
from .datasets import SQUARE
from .placed_images import write_image
from .random_benchmarks import PLACES
from .shared import CHECKOUT

KILLS = 100 if os.environ.get("OVEARTH_TEST_FULL") else 6
PLACE = PLACES[1]
IMPORTER = """
import sys
from ovearth_core.cli import exchange, main
from ovearth_core.dataset.exchange import benchmark_in, coco_labels, importing
print("ready", flush=True)
code = main.main(sys.argv[1:])
print("done", code, flush=True)
"""


def run(arguments, kill_after_s=None):
    """Run an import in a process of its own; return its exit code and time, None if killed."""
    child = subprocess.Popen(
        [sys.executable, "-c", IMPORTER, "import", *map(str, arguments)],
        cwd=CHECKOUT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert child.stdout.readline() == "ready\n"
    start = time.monotonic()
    if kill_after_s is not None:
        time.sleep(kill_after_s)
        child.kill()
    said = child.stdout.read()
    child.stdout.close()
    child.wait(60)
    code = int(said.split()[-1]) if "done" in said else None
    return code, time.monotonic() - start, said


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


def test_labels_are_there_once_after_any_number_of_kills(dataset, tmp_path):
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

    moments = random.Random(7)
    in_the_middle = 0
    for _ in range(KILLS):
        run([dataset.folder, *arguments], moments.uniform(0.0, whole_s))
        assert_sound(dataset)
        with dataset.reading() as view:
            in_the_middle += unfinished(view) == str(source)
        # Whatever comes next opens it, and finds all of the import or nothing.
        now = labels_of(Dataset.open(dataset.folder), tmp_path / "now.json")
        assert now in (before, wanted)
        assert not list(dataset.folder.glob(".import*"))
        if now == wanted:  # once more
            shutil.rmtree(dataset.folder)
            shutil.copytree(tmp_path / "pristine", dataset.folder)
    code, _, said = run([dataset.folder, *arguments])
    assert code == 0, said
    assert labels_of(dataset, tmp_path / "after.json") == wanted
    assert in_the_middle or KILLS < 20


KILLED_LANDING = """
import os, signal, sys
from ovearth_core.dataset.exchange import landing
from ovearth_core.cli import main
left = int(sys.argv.pop(1))
keep = landing.Landing._keep_notes
def kept(self, edit):
    global left
    keep(self, edit)
    left -= 1
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
some = landing.Landing._write_some
landing.Landing._keep_notes = kept
# A row a transaction.
landing.Landing._write_some = lambda self, rows: some(self, landing.deque([rows.popleft()]))
main.main(sys.argv[1:])
"""


def killed_import(folder, source, after_rows):
    """Import labels, killed in the transaction after so many rows."""
    write_image(source.parent / "pictures" / "0.tif")
    arguments = ["import", folder, source, "--format", "coco", "--keep-unmapped", "--who", "otto",
                 "--images", source.parent / "pictures"]  # fmt: skip
    child = subprocess.run(
        [sys.executable, "-c", KILLED_LANDING, str(after_rows), *map(str, arguments)],
        cwd=CHECKOUT, capture_output=True, timeout=60, check=False,
    )  # fmt: skip
    assert child.returncode == -9, child.stderr


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "labels.json"
    path.write_text(json.dumps(coco(images=1, each=12)))
    return path


@pytest.mark.parametrize("rows", [0, 1, 2, 3, 7, 13])
def test_the_next_command_finishes_an_import_that_was_killed_and_says_so(
    dataset, source, rows, capsys
):
    killed_import(dataset.folder, source, rows)
    assert main(["review", "list", str(dataset.folder)]) == 0
    said = capsys.readouterr().err
    with dataset.reading() as view:
        instances = [
            row for row in view.instances() if row.origin_note == f"imported from {source.name}"
        ]
        assert unfinished(view) is None
    if rows == 0:  # nothing of it was there yet
        assert (said, instances) == ("", [])
    else:
        assert f"an import of {source} that was cut off has been finished" in said
        assert f": {14 - rows} of its 14 rows were still to come" in said
        assert [row.created_by for row in instances] == ["otto"] * 12
    assert not list(dataset.folder.glob(".import*"))
    assert main(["review", "list", str(dataset.folder)]) == 0
    assert capsys.readouterr().err == ""


def test_what_people_did_on_half_an_import_meanwhile_is_there_when_it_is_finished(dataset, source):
    killed_import(dataset.folder, source, 8)
    # As QGIS does, which opens the file by itself.
    with dataset.writing("mia", "manager") as edit:
        target = next(t for t in edit.targets(state="draft"))
        edit.add(QueryRow("mine", target.id, "vocabulary", "positive", "tank"))
        edit.add(ReviewRow(None, target.id, comment="look here"))
        theirs = edit.add_instance(target.image_id, target.category_id, SQUARE)
    opened = Dataset.open(dataset.folder)
    with opened.reading() as view:
        assert view.query("mine").target_id == target.id
        assert "look here" in [line.comment for line in view.reviews(target.id)]
        assert view.instance(theirs.id).created_by == "mia"
        assert len([row for row in view.instances() if row.created_by == "otto"]) == 12


def test_half_an_import_that_can_not_be_finished_goes_but_for_what_was_approved(
    dataset, source, capsys
):
    with dataset.reading() as view:
        before = view.counts()
    killed_import(dataset.folder, source, 5)
    with dataset.writing("mia", "manager") as edit:
        targets = list(edit.targets(state="draft"))
        edit.add(QueryRow("mine", targets[0].id, "vocabulary", "positive", "tank"))
        edit.set_state(targets[0].id, "approved", "good")
        theirs = [row.id for row in edit.instances(targets[0].id)]
    assert len(theirs) == 3
    assert main(["review", "list", str(dataset.folder)]) == 0
    assert "has been taken back, but for what people have worked on" in capsys.readouterr().err
    with dataset.reading() as view:
        assert [row.id for row in view.instances(targets[0].id)] == theirs
        assert view.query("mine").target_id == view.target(targets[0].id).id
        now = view.counts()
        assert now["targets"] == before["targets"] + 1
        assert now["categories"] == before["categories"]
        assert now["instances"] == before["instances"] + len(theirs)


def test_half_an_import_whose_other_rows_are_gone_is_taken_back(dataset, source):
    with dataset.reading() as view:
        before = {name: n for name, n in view.counts().items() if name != "reviews"}
    killed_import(dataset.folder, source, 8)
    (dataset.folder / ".import.rows").unlink()
    with Dataset.open(dataset.folder).reading() as view:
        assert {name: n for name, n in view.counts().items() if name != "reviews"} == before


def test_whoever_opens_a_dataset_waits_for_an_import_that_is_still_being_written(dataset):
    with dataset.writing() as edit:
        edit.set_note("import", {"source": "labels.txt", "blocks": 0, "rows": None})
    with (
        only_import(dataset.folder),
        pytest.raises(OutputError, match=r"an import of .* is being written into it"),
    ):
        settle(dataset, patience_s=0.1)


def test_a_new_dataset_is_there_whole_or_not_at_all(tmp_path):
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
    moments = random.Random(8)
    for _ in range(KILLS):
        run([tmp_path / "cut", *arguments], moments.uniform(0.0, whole_s))
        if (tmp_path / "cut" / "dataset.gpkg").exists():
            assert benchmark_of(tmp_path / "cut") == wanted
            shutil.rmtree(tmp_path / "cut")
    code, _, said = run([tmp_path / "cut", *arguments])
    assert code == 0, said
    assert benchmark_of(tmp_path / "cut") == wanted
    assert [path.name for path in (tmp_path / "cut").iterdir()] == ["dataset.gpkg"]


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
