"""However a job ends, every file has its row, and the report has each place once."""

import json
import os
import signal

import pytest

from ovearth_core.cli.main import main
from ovearth_core.collection.imagery import ImagerySpec
from ovearth_core.collection.patches import (
    PatchJob,
    PatchShape,
    dataset_places,
    extract_patches,
    plan_patches,
)
from ovearth_core.engine import Engine
from ovearth_core.errors import InterruptedWorkError

from .patch_jobs import dataset_at, imagery, images

PIXELS = [(200, 200), (500, 500), (800, 800), (-300, 500)]
LISTS = ("fetched", "there", "refused", "failed", "left")


def press():
    os.kill(os.getpid(), signal.SIGINT)


class PressedWhileClosing(Engine):
    def close(self):
        press()
        press()


def extract(dataset, path, progress=None, engine=None):
    job = PatchJob(ImagerySpec(str(path)), PatchShape(size_px=128))
    plan = plan_patches(dataset, dataset_places(dataset), job)
    return extract_patches(dataset, plan, job, progress=progress, engine=engine or Engine())


def files(dataset):
    return {path.name for path in (dataset.folder / "images").glob("*")}


def rows(dataset):
    return {row.file_name.split("/")[1] for row in images(dataset)}


def reported(dataset):
    """The report, in which each place is to be once."""
    report = json.loads((dataset.folder / "patches-report.json").read_text())
    keys = [entry["key"] for name in LISTS for entry in report[name]]
    assert len(keys) == len(set(keys)) == len(PIXELS)
    return {name: len(report[name]) for name in LISTS if report[name]}


def test_ctrl_c_while_a_patch_is_kept_waits_until_it_has_its_row(tmp_path):
    dataset = dataset_at(tmp_path, PIXELS)
    with pytest.raises(InterruptedWorkError, match="stopped after 2 of 4 patches"):
        extract(dataset, imagery(tmp_path), lambda number, *_: press() if number == 2 else None)
    assert len(rows(dataset)) == 2
    assert files(dataset) == rows(dataset)
    assert reported(dataset) == {"fetched": 2, "left": 2}


def test_ctrl_c_while_the_last_workers_end_loses_nothing(tmp_path):
    dataset = dataset_at(tmp_path, PIXELS)
    extract(dataset, imagery(tmp_path), engine=PressedWhileClosing())
    assert files(dataset) == rows(dataset)
    assert reported(dataset) == {"fetched": 3, "refused": 1}


def test_ctrl_c_again_and_again_while_a_job_ends_loses_nothing(tmp_path):
    dataset = dataset_at(tmp_path, PIXELS)
    with pytest.raises(InterruptedWorkError):
        extract(dataset, imagery(tmp_path), lambda *_: press(), PressedWhileClosing())
    assert files(dataset) == rows(dataset)
    assert reported(dataset) == {"fetched": 1, "left": 3}


def test_a_job_that_goes_on_reports_what_was_there_already_with_its_files(tmp_path):
    dataset, path = dataset_at(tmp_path, PIXELS), imagery(tmp_path)
    with pytest.raises(InterruptedWorkError):
        extract(dataset, path, lambda *_: press())
    extract(dataset, path)
    assert reported(dataset) == {"fetched": 2, "there": 1, "refused": 1}
    extract(dataset, path)
    assert reported(dataset) == {"there": 3, "refused": 1}
    report = json.loads((dataset.folder / "patches-report.json").read_text())
    assert {entry["file"].split("/")[1] for entry in report["there"]} == files(dataset)
    assert report["counts"]["already"] == 3


def report_at(dataset, path, place):
    arguments = ["patches", str(dataset.folder), "--imagery", str(path), "--size", "128"]
    return main([*arguments, "--report", str(place)])


@pytest.mark.parametrize(
    "name", ["dataset.gpkg", "dataset.gpkg-journal", "scene.tif", "places.csv"]
)
def test_a_report_never_takes_the_place_of_anything_else(tmp_path, capsys, name):
    dataset, path = dataset_at(tmp_path, PIXELS), imagery(tmp_path)
    place = dataset.folder / name
    if name == "scene.tif":
        place = path
    elif name == "places.csv":
        place.write_text("lon,lat\n")
    before = place.read_bytes() if place.exists() else None
    assert report_at(dataset, path, place) == 2
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert said[0].startswith("error: ")
    assert (place.read_bytes() if place.exists() else None) == before
    assert images(dataset) == []


def test_a_folder_is_refused_as_a_report_before_anything_is_read(tmp_path, capsys):
    dataset = dataset_at(tmp_path, PIXELS)
    assert report_at(dataset, imagery(tmp_path), tmp_path) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
    assert images(dataset) == []


def test_a_report_takes_the_place_of_an_earlier_one(tmp_path):
    dataset, path = dataset_at(tmp_path, PIXELS), imagery(tmp_path)
    place = tmp_path / "new" / "report.json"
    assert report_at(dataset, path, place) == 0
    assert report_at(dataset, path, place) == 0
    assert json.loads(place.read_text())["counts"]["already"] == 3
