"""Rasters over HTTP, also those of a STAC catalogue, whose servers misbehave: one line each.

GDAL waits for a server with the interpreter's lock: it is a process of its own (`range_server`).
"""

import json

import numpy as np
import pytest

from ovearth_core.cli.main import main
from ovearth_core.collection.imagery import ImagerySpec, open_source
from ovearth_core.collection.patches import Place
from ovearth_core.errors import InputError

from . import rasters, stac_worlds
from .framing import framed
from .loopback import Answer
from .loopback import serving as serving_here
from .patch_jobs import dataset_at, images, run, served

FRAME = framed("EPSG:32633", 15.0, 50.0, 1.0, width=60, height=60)
# How the server answers, and what the one line says.
WAYS = {
    "429": "429", "wait": "429", "500": "500", "503": "503", "404": "404", "401": "401",
    "hang-up": "connection was cut", "half": "can't be read", "slow": "can't be read",
    "page": r"a web page came \(Please log in\)",
}  # fmt: skip


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    folder = tmp_path_factory.mktemp("scene")
    frame = framed("EPSG:32633", 15.0, 50.0, 1.0, width=900, height=900)
    values = rasters.picture(900, 900)
    return rasters.write(folder / "scene.tif", values, frame.crs, frame.transform)


@pytest.fixture(scope="module")
def server(scene):
    with served(scene.parent) as server:
        yield server


@pytest.mark.parametrize("after", [0, 2])
@pytest.mark.parametrize("how", WAYS)
def test_each_way_is_one_line_from_the_start_and_in_the_middle(server, how, after):
    """At most two requests are answered well: what describes the file, but not its pixels."""
    server.refuse(how, after)
    address = f"{server.address}/scene.tif?{how}{after}"
    with pytest.raises(InputError, match=WAYS[how]) as fault:
        open_source(ImagerySpec(f"{address}#attempts=1&timeout=1")).read(FRAME)
    assert "\n" not in str(fault.value)
    assert "scene.tif" in str(fault.value)


@pytest.mark.parametrize("how", ["429", "wait", "503"])
def test_a_job_that_a_server_puts_off_is_one_line_and_does_the_rest_later(
    server, tmp_path, capsys, how
):
    dataset = dataset_at(tmp_path, [])
    (tmp_path / "places.csv").write_text(f"lon,lat,source_id\n15.0,50.0,{how}\n15.002,50.0,b\n")
    spec = f"{server.address}/scene.tif?job{how}#attempts=1&timeout=2"
    command = ["patches", str(dataset.folder), "--pois", str(tmp_path / "places.csv"),
               "--imagery", spec, "--size", "64"]  # fmt: skip
    server.refuse(how)
    assert main(command) == 2
    said = capsys.readouterr().err.strip().splitlines()
    assert [line for line in said if line.startswith("error: ")] == said[-1:]
    assert images(dataset) == []
    server.refuse(0)
    assert main(command) == 0
    assert len(images(dataset)) == 2


def test_what_may_pass_is_asked_for_again(server, scene):
    """GDAL waits a second and asks once more, without being told how long."""
    here = open_source(ImagerySpec(str(scene))).read(FRAME)
    server.refuse("429-once")
    source = open_source(ImagerySpec(f"{server.address}/scene.tif?once#attempts=3&timeout=5"))
    assert np.array_equal(source.read(FRAME).values, here.values)


class TestStac:
    """The catalogue is well, and its rasters are not; or the other way round."""

    @pytest.fixture
    def catalogue(self, tmp_path):
        folder = tmp_path / "stac"
        folder.mkdir()
        stac_worlds.make(folder)
        with served(folder) as server:
            yield folder, server

    @pytest.mark.parametrize("how", ["429", "wait", "hang-up", "half", "slow", "page"])
    def test_a_raster_of_it_that_is_not_sent_is_listed(self, catalogue, tmp_path, how):
        pytest.importorskip("pystac_client", reason="needs pystac-client")
        folder, server = catalogue
        dataset = dataset_at(tmp_path, [])
        place = [Place(stac_worlds.LON, stac_worlds.LAT)]
        server.refuse(how)
        with serving_here(json_of(folder, server.address)) as described:
            spec = f"stac:{described.url}/catalog.json?date=2022-07-20#attempts=1&timeout=1"
            with pytest.raises(InputError, match=r"1 of 1 patch failed") as fault:
                run(dataset, spec, places=place, size_px=32)
            assert "\n" not in str(fault.value)
            server.refuse(0)
            run(dataset, spec, places=place, size_px=32)
        assert len(images(dataset)) == 1

    @pytest.mark.parametrize("answer", [
        Answer(b"", 429), Answer(b"", 429, headers={"Retry-After": "3600"}),
        Answer(b'{"type": "Catalog"', length=4000), Answer(b"{" * 500, drip_s=0.2),
        Answer(b"<html><body>hi</body></html>", kind="application/json"),
    ])  # fmt: skip
    def test_a_catalogue_that_is_not_sent_is_one_line(self, tmp_path, answer):
        pytest.importorskip("pystac_client", reason="needs pystac-client")
        dataset = dataset_at(tmp_path, [])
        with serving_here(lambda *_: answer) as described, pytest.raises(InputError) as fault:
            spec = f"stac:{described.url}/catalog.json#attempts=1&timeout=1"
            run(dataset, spec, places=[Place(15.0, 50.0)], size_px=32)
        assert "\n" not in str(fault.value)
        assert described.url in str(fault.value)


def json_of(folder, files_url):
    """Answer with a catalogue whose rasters are served elsewhere; some call JSON text."""

    def answer(path, _):
        content = json.loads((folder / path.partition("?")[0].lstrip("/")).read_text())
        for asset in content.get("assets", {}).values():
            asset["href"] = files_url + asset["href"].removeprefix(".")
        return Answer(json.dumps(content).encode(), kind="text/html")

    return answer
