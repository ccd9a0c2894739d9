"""What docs/imagery.md shows runs, against small servers in the place of those it names."""

import re
import shlex
from contextlib import ExitStack

import pytest

from ovearth_core.cli.main import main
from ovearth_core.collection.imagery import server_options, stac, wms_service, wmts, xyz

from . import stac_worlds
from .loopback import Answer, encoded, noise, serving
from .map_services import wms
from .map_services import wmts as a_wmts
from .patch_jobs import dataset_at, images, served
from .shared import CHECKOUT
from .tile_worlds import numbers

for package in ("httpx", "morecantile", "owslib", "pystac_client"):
    pytest.importorskip(package, reason="needs pip install 'ovearth[collect]'")

PAGE = (CHECKOUT / "docs" / "imagery.md").read_text(encoding="utf-8")


def test_the_commands_of_the_page_run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = [line[2:] for line in PAGE.splitlines() if line.startswith("$ ovearth ")]
    assert len(commands) == 5
    (tmp_path / "stac").mkdir()
    stac_worlds.make(tmp_path / "stac")
    with ExitStack() as stack:
        hosts = {
            "tiles": stack.enter_context(
                serving(lambda path, _: Answer(encoded(noise(numbers(path)), "JPEG")))
            ).url,
            "wms": stack.enter_context(serving(wms(17))).url,
            "wmts": stack.enter_context(serving(a_wmts(17))).url,
            "stac": stack.enter_context(served(tmp_path / "stac")).address,
        }
        for number, command in enumerate(commands):
            text = re.sub(r"https://(\w+)\.example\.org", lambda m: hosts[m[1]], command)
            dataset = dataset_at(tmp_path / str(number), [(800, 600)])
            arguments = shlex.split(text.replace("my-dataset", str(dataset.folder)))[1:]
            assert main(arguments) == 0, command
            rows = images(dataset)
            assert len(rows) >= (4 if "seasons" in command else 1), command


def test_every_option_is_on_the_page():
    for module in (xyz, wms_service, wmts, stac):
        for name in module._OPTIONS:
            if name not in ("layers", "srs", "datetime", "min_zoom"):
                assert re.search(rf"\b{name}\b", PAGE), name
    for name in server_options._POLITENESS:
        assert f"`{name}`" in PAGE


@pytest.mark.parametrize(("answer", "line"), [
    (Answer(b"<html><body>Log in</body></html>"), "a web page came (Log in)"),
    (Answer(b"", 403), "status 403: it forbids this"),
    (Answer(b"\x89PNG\r\n\x1a\nhalf"), "a PNG came that ends before its end"),
])  # fmt: skip
def test_a_server_that_fails_is_one_line_and_leaves_nothing_half_written(
    tmp_path, capsys, answer, line
):
    dataset = dataset_at(tmp_path, [(800, 600), (400, 300)])
    with serving(lambda *_: answer) as server:
        code = main(["patches", str(dataset.folder), "--size", "64", "--gsd", "0.8",
                     "--imagery", f"xyz:{server.url}/{{z}}/{{x}}/{{y}}"])  # fmt: skip
    said = capsys.readouterr().err.splitlines()
    assert code == 2
    assert len([text for text in said if text.startswith("error: ")]) == 1
    assert line in said[-1]
    assert not list(dataset.folder.rglob("*.tif"))


def test_processes_share_the_work(tmp_path):
    places = [(x, y) for x in (300, 900, 1500) for y in (200, 800)]
    dataset = dataset_at(tmp_path, places)
    with serving(lambda path, _: Answer(encoded(noise(numbers(path)), "JPEG"))) as server:
        code = main(["patches", str(dataset.folder), "--size", "64", "--gsd", "0.8", "--jobs", "2",
                     "--imagery", f"xyz:{server.url}/{{z}}/{{x}}/{{y}}#per_host=2"])  # fmt: skip
        assert server.most_at_once <= 4
    rows = images(dataset)
    assert code == 0
    assert len(rows) == len(places)
    assert {row.source for row in rows} == {f"{server.url}/{{z}}/{{x}}/{{y}}"}
