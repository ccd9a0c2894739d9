"""A place that can't be read is listed and the job goes on; a source that can't is said at once."""

import json

import pytest

from ovearth_core.cli.main import main
from ovearth_core.collection.imagery import ImagerySpec
from ovearth_core.collection.patches import PatchJob, PatchShape, Place, plan_patches
from ovearth_core.errors import InputError

from . import stac_worlds
from .framing import framed
from .loopback import Answer, serving
from .patch_jobs import dataset_at, imagery, images, run
from .patch_jobs import served as files_served
from .stac_worlds import LAT, LON
from .tile_worlds import numbers, world

pytest.importorskip("httpx", reason="servers need httpx: pip install 'ovearth[collect]'")

PIXELS = [(800, 600), (20_000, 600), (40_000, 600), (60_000, 600)]
BROKEN = Answer(b"no disk", 500, "text/plain")


class FirstFails:
    """Tiles of the world, but for so many places in the order of asking."""

    def __init__(self, count, answer=BROKEN):
        self._left, self._answer, self._bad = count, answer, set()
        self._world = world()

    def __call__(self, path, body):
        if path not in self._bad and self._left:
            self._left -= 1
            self._bad.add(path)
        return self._answer if path in self._bad else self._world(path, body)


def patches(dataset, server, *options):
    spec = f"xyz:{server.url}/{{z}}/{{x}}/{{y}}.png#max_zoom=16&attempts=1&backoff=0"
    return main(["patches", str(dataset.folder), "--size", "64", "--imagery", spec, *options])


def report_of(dataset):
    return json.loads((dataset.folder / "patches-report.json").read_text(encoding="utf-8"))


def test_a_bad_first_place_is_listed_and_the_others_are_there(tmp_path, capsys):
    dataset = dataset_at(tmp_path, PIXELS)
    with serving(FirstFails(1)) as server:
        assert patches(dataset, server) == 2
        said = capsys.readouterr().err
        assert "about 1 place that can't be read" in said
        assert "1 of 4 patches failed (the first: status 500" in said
        report = report_of(dataset)
        assert [entry["reference"] for entry in report["failed"]] == ["osm:way/0"]
        assert len(report["fetched"]) == len(images(dataset)) == 3
    with serving(world()) as server:
        assert patches(dataset, server) == 0


def test_five_in_a_row_stop_it(tmp_path, capsys):
    dataset = dataset_at(tmp_path, [(x * 20_000, 600) for x in range(8)])
    with serving(lambda *_: BROKEN) as server:
        assert patches(dataset, server) == 2
    assert "5 of 8 patches failed" in capsys.readouterr().err
    assert report_of(dataset)["counts"]["failed"] == 5


@pytest.mark.parametrize(("status", "most"), [(401, 1), (403, 5)])
def test_a_wrong_key_is_said_before_the_job_begins(tmp_path, capsys, status, most):
    """403 may be about one place: a few are asked about."""
    dataset = dataset_at(tmp_path, [(x * 20_000, 600) for x in range(8)])
    with serving(lambda *_: Answer(b"", status)) as server:
        assert patches(dataset, server) == 2
        assert len(server.asked) == most
    assert f"error: status {status}" in capsys.readouterr().err
    assert not (dataset.folder / "patches-report.json").exists()


@pytest.mark.parametrize(("status", "most"), [(401, 1), (403, 5)])
def test_a_key_that_is_revoked_in_the_middle_stops_the_job(
    tmp_path, monkeypatch, capsys, status, most
):
    """At once where the status says so; 403 may be about a place, and stops it as faults do."""
    # Of two places under way the second may be served before the first: then not all that fail
    # are in a row.
    monkeypatch.setenv("OVEARTH_THREADS", "1")
    dataset = dataset_at(tmp_path, [(x * 20_000, 600) for x in range(12)])
    whole, tiles, is_revoked = world(), set(), True

    def answer(path, body):
        tiles.add(path)
        return Answer(b"", status) if is_revoked and len(tiles) > 5 else whole(path, body)

    with serving(answer) as server:
        assert patches(dataset, server, "--jobs", "1") == 2
        said = capsys.readouterr().err
        counts = report_of(dataset)["counts"]
        assert counts["failed"] == most
        assert f"{most} of 12 patches failed (the first: status {status}" in said
        assert said.rstrip().endswith("run it again for the rest")
        assert 0 < counts["fetched"] == len(images(dataset)) < 6
        is_revoked = False
        assert patches(dataset, server) == 0
    counts = report_of(dataset)["counts"]
    assert counts["already"] + counts["fetched"] + sum(counts["refused"].values()) == 12


def test_tiles_that_are_forbidden_among_others_are_missing_and_looked_for_the_next_time(
    tmp_path, capsys
):
    dataset = dataset_at(tmp_path, PIXELS)
    whole = world()

    def answer(path, body):
        is_forbidden = numbers(path)[1] % 2
        return Answer(b"AccessDenied", 403) if is_forbidden else whole(path, body)

    with serving(answer) as server:
        size = ("--size", "400", "--jobs", "1")
        assert patches(dataset, server, *size) in (0, 1)
        report = report_of(dataset)
        assert report["failed"] == []
        assert set(report["counts"]["refused"]) == {"forbidden"}
        assert "where the server forbids" in report["refused"][0]["detail"]
        assert patches(dataset, server, *size, "--max-nodata", "0.9") == 0
        rows = images(dataset)
        assert len(rows) == len(PIXELS)
        for row in rows:
            more = row.extra["patch"]["more"]
            assert 0 < more["forbidden_tiles"] == more["missing_tiles"] < more["tiles"]


def test_a_refusal_for_forbidden_tiles_does_not_last(tmp_path):
    dataset = dataset_at(tmp_path, PIXELS[:2])
    whole, is_there = world(), False

    def answer(path, body):
        is_forbidden = not is_there and numbers(path)[1] % 2
        return Answer(b"", 403) if is_forbidden else whole(path, body)

    with serving(answer) as server:
        patches(dataset, server, "--size", "400", "--jobs", "1")
        assert len(report_of(dataset)["refused"]) == 2
        is_there = True
        assert patches(dataset, server, "--size", "400", "--jobs", "1") == 0
    assert len(images(dataset)) == 2


@pytest.mark.parametrize("status", [401, 403])
def test_a_file_that_is_forbidden_in_the_middle_stops_the_job_at_once(
    tmp_path, monkeypatch, status
):
    # Two at once would share the requests that are granted, and neither might get all it needs.
    monkeypatch.setenv("OVEARTH_THREADS", "1")
    frame = framed("EPSG:32633", 15.0, 50.0, 0.5, width=6000, height=600)
    dataset = dataset_at(tmp_path, [(x * 700 + 300, 300) for x in range(8)], frame)
    (tmp_path / "files").mkdir()
    picture = imagery(tmp_path / "files", frame=frame, blockxsize=128, blockysize=128)
    with files_served(picture.parent) as server:
        # Opening takes one or two, and each place some: the first is whole, the last is not.
        server.refuse(status, after=6)
        with pytest.raises(InputError, match=rf"1 of 8 patches failed .*code: {status}") as fault:
            run(dataset, f"{server.address}/{picture.name}", size_px=128)
        assert "the server" in str(fault.value)
        assert 0 < len(images(dataset)) < 7


def test_a_search_that_fails_at_a_place_is_listed_and_the_others_are_there(tmp_path):
    pytest.importorskip("pystac_client", reason="needs pystac-client")
    folder = tmp_path / "files"
    folder.mkdir()
    stac_worlds.make(folder)
    items = [json.loads((folder / f"{scene[0]}.json").read_text()) for scene in stac_worlds.SCENES]
    dataset = dataset_at(tmp_path, [])
    places = [Place(LON + step * 1e-5, LAT) for step in range(3)]
    with files_served(folder) as files:
        api = stac_worlds.api(items, files.address)
        failing = []

        def answer(path, body):
            if "/search" in path and not failing:
                failing.append(path)
                return BROKEN
            return api(path, body)

        with serving(answer) as server:
            api.url = server.url
            spec = f"stac:{server.url}/api#attempts=1&backoff=0"
            with pytest.raises(InputError, match="1 of 3 patches failed"):
                run(dataset, spec, places=places, keep_duplicates=True, size_px=32)
            assert len(images(dataset)) == 2
            assert report_of(dataset)["failed"][0]["lon"] == LON
    down = serving(lambda *_: BROKEN)
    with down as server, pytest.raises(InputError, match="status 500"):
        spec = ImagerySpec(f"stac:{server.url}/api#attempts=1&backoff=0")
        job = PatchJob(spec, PatchShape(size_px=32))
        plan_patches(dataset, [Place(LON + step, LAT) for step in range(6)], job)
