"""The proxies of the environment are asked, by searches and by all ways to imagery."""

import json

import pytest

pytest.importorskip("httpx", reason="servers need httpx: pip install 'ovearth[collect]'")

from ovearth_core.collection.imagery import ImagerySpec, fetching, open_source
from ovearth_core.collection.pois import area_of
from ovearth_core.collection.pois.asking import Asking
from ovearth_core.collection.pois.overpass import Overpass
from ovearth_core.collection.pois.source import no_progress
from ovearth_core.taxonomy import load

from . import patch_jobs
from .framing import framed
from .loopback import Answer, serving
from .misbehaving import HASTY
from .tile_worlds import world


@pytest.fixture
def through(monkeypatch):
    """Make a server the proxy of the environment."""

    def set_up(address):
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("http_proxy", address)
        # Its client is made once, with the proxies of that moment.
        monkeypatch.setattr(fetching, "_clients", [])

    return set_up


def test_overpass_is_asked_through_it(through):
    found = {"type": "node", "id": 7, "lat": 50.65, "lon": 26.25, "tags": {"amenity": "fuel"}}
    body = json.dumps({"elements": [found]}).encode()
    with serving(lambda *_: Answer(body, kind="application/json")) as proxy:
        through(proxy.url)
        source = Overpass("http://overpass.invalid/api/interpreter", Asking(HASTY))
        area = area_of(26.2, 50.6, 26.3, 50.7)
        (poi,) = source.search([load()["fuel-station"]], area, no_progress)
    assert poi.reference == "osm:node/7"
    assert proxy.asked == ["http://overpass.invalid/api/interpreter"]


def test_tiles_are_asked_for_through_it(through):
    with serving(world()) as proxy:
        through(proxy.url)
        source = open_source(ImagerySpec("xyz:http://tiles.invalid/{z}/{x}/{y}.png#max_zoom=16"))
        assert source.read(framed("EPSG:32633", 15.0, 50.0, 2.0, width=64, height=64)).valid.all()
    assert all(path.startswith("http://tiles.invalid/16/") for path in proxy.asked)


def test_rasters_are_read_through_it(through, tmp_path):
    path = patch_jobs.imagery(tmp_path)
    with patch_jobs.served(tmp_path) as proxy:
        through(proxy.address)
        source = open_source(ImagerySpec(f"http://rasters.invalid/{path.name}"))
        lon, lat = patch_jobs.FRAME.pixel_to_lonlat([[300.0, 300.0]])[0]
        assert source.read(source.own_frame(lon, lat, 64, 64)).valid.all()
        through("")
        assert f"http://rasters.invalid/{path.name}" in proxy.asked()
