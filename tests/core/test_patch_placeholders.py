"""Tiles that say "no data here" are known across patches, processes and jobs; none stays."""

import json
from collections import Counter

import numpy as np
import pytest

from ovearth_core.collection.patches import Place
from ovearth_core.engine import EngineChoice

from .loopback import Answer, png, serving
from .patch_jobs import dataset_at, images, run
from .tile_worlds import numbers

pytest.importorskip("httpx", reason="servers need httpx: pip install 'ovearth[collect]'")

# Each in the middle of a tile of its own.
ZOOM = 16
STEP = 360.0 / 2**ZOOM
PLACES = [Place((9 * n + 0.5) * STEP, 0.5 * STEP, name=f"p{n}") for n in range(8)]
_Y, _X = np.mgrid[:256, :256]
EMPTY = png(np.stack([((_X // 16 + _Y // 16) % 2 * 60 + 120 + _X // 4)] * 3).astype(np.uint8))


def noise(path):
    z, x, y = numbers(path)
    values = np.random.default_rng([z, x, y]).integers(30, 220, (3, 256, 256))
    return png(values.astype(np.uint8))


def world(empty):
    """Tiles of noise, but for places (by number) that have no data."""
    columns = {32768 + 9 * number for number in empty}

    def answer(path, _):
        return Answer(EMPTY if numbers(path)[1] in columns else noise(path))

    return answer


def cut(dataset, server, places, choice=None, **options):
    spec = f"xyz:{server.url}/{{z}}/{{x}}/{{y}}.png#zoom={ZOOM}"
    return run(dataset, spec, choice, places=places, size_px=100, **options)


def kept(dataset):
    """Names of places with patches, row and file."""
    with dataset.reading() as view:
        found = [view.poi(row.poi_id).name for row in view.images()]
    files = {file.name for file in (dataset.folder / "images").iterdir()}
    assert files == {row.file_name.split("/")[1] for row in images(dataset)}
    return sorted(found)


@pytest.mark.parametrize("jobs", [1, 2])
def test_of_three_equal_ones_none_remains(tmp_path, jobs):
    dataset = dataset_at(tmp_path, [])
    with serving(world({0, 3, 6})) as server:
        report = cut(dataset, server, PLACES, EngineChoice(jobs=jobs))
    assert kept(dataset) == ["p1", "p2", "p4", "p5", "p7"]
    assert Counter(entry["reason"] for entry in report.refused) == {"placeholder": 3}
    assert {entry["name"] for entry in report.refused} == {"p0", "p3", "p6"}
    assert len(report.fetched) == 5
    written = json.loads((dataset.folder / "patches-report.json").read_text())
    assert written["counts"]["refused"] == {"placeholder": 3}


def test_what_an_earlier_job_kept_is_taken_back_and_said(tmp_path, caplog):
    dataset = dataset_at(tmp_path, [])
    with serving(world({0, 3, 6})) as server:
        cut(dataset, server, PLACES[:2])
        assert kept(dataset) == ["p0", "p1"]
        report = cut(dataset, server, PLACES[:4])
        assert kept(dataset) == ["p1", "p2"]
        assert {entry["name"] for entry in report.refused} == {"p0", "p3"}
        assert "1 patch taken back, a placeholder is known now" in caplog.text
        # A later job doesn't begin anew: the first that comes is known.
        report = cut(dataset, server, PLACES[4:])
        assert [entry["name"] for entry in report.refused] == ["p6"]
        assert report.refused[0]["detail"] == "100.0% is tiles that say 'no data here'"


def test_two_patches_of_one_tile_are_no_proof(tmp_path):
    dataset = dataset_at(tmp_path, [])
    near = Place(PLACES[0].lon + STEP / 5, PLACES[0].lat, name="near")
    with serving(world({0})) as server:
        cut(dataset, server, [PLACES[0], near, *PLACES[1:3]], keep_duplicates=True)
        assert kept(dataset) == ["near", "p0", "p1", "p2"]


def test_what_people_worked_on_is_kept(tmp_path, caplog):
    dataset = dataset_at(tmp_path, [])
    with serving(world({0, 3})) as server:
        cut(dataset, server, PLACES[:2])
        with dataset.writing() as edit:
            row = next(iter(edit.images()))
            edit.open_target(row.id, next(iter(edit.categories())).id)
        cut(dataset, server, PLACES[2:4])
    assert kept(dataset) == ["p0", "p1", "p2"]
    assert "has targets: kept" in caplog.text


def test_blank_keep_keeps_them(tmp_path):
    dataset = dataset_at(tmp_path, [])
    with serving(world({0, 3, 6})) as server:
        spec = f"xyz:{server.url}/{{z}}/{{x}}/{{y}}.png#zoom={ZOOM}&blank=keep"
        run(dataset, spec, places=PLACES, size_px=100)
    assert len(kept(dataset)) == 8
