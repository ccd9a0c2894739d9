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
