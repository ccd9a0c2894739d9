"""Proxies are asked, the environment's and a named one, by searches and all ways to imagery."""

import base64
import json
from importlib.util import find_spec

import pytest

pytest.importorskip("httpx", reason="servers need httpx: pip install 'ovearth[collect]'")

from ovearth_core.collection.exchange import Exchange, Politeness, Request
from ovearth_core.collection.imagery import ImagerySpec, fetching, open_source
from ovearth_core.collection.network import Network, Proxy, network, use_network
from ovearth_core.collection.pois import area_of
from ovearth_core.collection.pois.asking import Asking
from ovearth_core.collection.pois.overpass import Overpass
from ovearth_core.collection.pois.source import no_progress
from ovearth_core.collection.service_errors import ServiceError
from ovearth_core.errors import MissingPackageError, UsageError
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


SECRET = "p@ss:wörd/1"


@pytest.fixture
def named(monkeypatch):
    """Name a server as the proxy, with a login; the environment has another that nobody runs."""
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    before = network()

    def name(address, *direct):
        host, port = address.removeprefix("http://").split(":")
        use_network(Network(Proxy(host, int(port), "anna", SECRET, direct=direct)))

    yield name
    use_network(before)


def login():
    return "Basic " + base64.b64encode(f"anna:{SECRET}".encode()).decode()


def ask(url):
    with Exchange(Politeness(attempts=1, connect_s=5.0)) as exchange:
        return exchange.ask(Request(url), lambda answer: answer.body)


def test_a_named_proxy_is_asked_with_its_login_by_all(named, tmp_path, monkeypatch):
    tiles, path = world(), patch_jobs.imagery(tmp_path)
    with serving(tiles) as proxy:
        named(proxy.url)
        source = open_source(ImagerySpec("xyz:http://tiles.invalid/{z}/{x}/{y}.png#max_zoom=16"))
        assert source.read(framed("EPSG:32633", 15.0, 50.0, 2.0, width=64, height=64)).valid.all()
        assert all(path.startswith("http://tiles.invalid/16/") for path in proxy.asked)
        assert set(proxy.logins) == {login()}
    with serving(lambda *_: Answer(b"yes")) as proxy:
        named(proxy.url)
        assert ask("http://places.invalid/api?q=1") == b"yes"
        assert (proxy.asked, proxy.logins) == (["http://places.invalid/api?q=1"], [login()])
    with patch_jobs.served(tmp_path) as proxy:
        named(proxy.address)
        source = open_source(ImagerySpec(f"http://others.invalid/{path.name}"))
        lon, lat = patch_jobs.FRAME.pixel_to_lonlat([[300.0, 300.0]])[0]
        assert source.read(source.own_frame(lon, lat, 64, 64)).valid.all()
        monkeypatch.delenv("http_proxy")
        assert f"http://others.invalid/{path.name}" in proxy.asked()


def test_what_passes_it_by_is_asked_directly(named):
    with serving(lambda *_: Answer(b"proxy")) as proxy, serving(lambda *_: Answer(b"own")) as own:
        named(proxy.url, f"{own.url.upper()}/inner", "")
        assert ask(f"{own.url}/inner/a") == b"own"
        assert ask(f"{own.url}/outer") == b"proxy"
        assert proxy.asked == [f"{own.url}/outer"]


def test_without_one_the_client_is_as_before_and_another_one_is_taken_at_once(named):
    with serving(world()) as one, serving(world()) as other:
        for proxy in (one, other):
            named(proxy.url)
            spec = ImagerySpec("xyz:http://tiles.invalid/{z}/{x}/{y}.png#max_zoom=16")
            open_source(spec).read(framed("EPSG:32633", 15.0, 50.0, 2.0, width=64, height=64))
            assert proxy.asked


def test_its_password_is_shown_nowhere(named, caplog):
    caplog.set_level(0)
    with serving(lambda *_: Answer(b"no", 407)) as proxy:
        named(proxy.url)
        with pytest.raises(ServiceError) as fault:
            ask("http://places.invalid/")
    named("http://127.0.0.1:9")
    with pytest.raises(ServiceError) as gone:
        ask("http://places.invalid/")
    said = f"{fault.value} {gone.value} {caplog.text} {network()!r}"
    for secret in (SECRET, login().split()[1], "w%C3%B6rd"):
        assert secret not in said


def test_who_is_told_to_be_patient_is_so_where_nobody_says_how_long(named):
    use_network(Network(least_wait_s=120.0))
    spec = "xyz:http://tiles.invalid/{z}/{x}/{y}.png#max_zoom=16"
    assert open_source(ImagerySpec(spec))._fetcher._rules.timeout_s == 120.0
    assert open_source(ImagerySpec(f"{spec}&timeout=5"))._fetcher._rules.timeout_s == 5.0


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("HTTP_PROXY", "foo://anna:hushhush@x", "HTTP_PROXY"),
        ("ALL_PROXY", "http://anna:hushhush@x:port", "ALL_PROXY"),
        ("SSL_CERT_FILE", "/no/such/file", "SSL_CERT_FILE"),
        ("SSL_CERT_FILE", __file__, "SSL_CERT_FILE"),
    ],
)
def test_what_the_environment_says_wrongly_is_named(monkeypatch, name, value, words):
    monkeypatch.setenv(name, value)
    with pytest.raises(UsageError, match=words) as fault:
        ask("https://places.invalid/")
    assert "hushhush" not in str(fault.value)


def test_a_socks_proxy_without_its_package_says_what_to_install(monkeypatch):
    if find_spec("socksio") is not None:
        pytest.skip("socksio is installed")
    monkeypatch.setenv("ALL_PROXY", "socks5://127.0.0.1:9")
    with pytest.raises(MissingPackageError, match=r"pip install 'httpx\[socks\]'"):
        ask("https://places.invalid/")
