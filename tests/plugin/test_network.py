"""QGIS's proxy and time-out, as a person sets them in its options, hold for the core's servers."""

import importlib

import pytest
from qgis.core import QgsNetworkAccessManager, QgsSettings

from .collecting import serving
from .inspecting import wait_until


def core(name):
    """A module of the core, as it lies in the plugin."""
    return importlib.import_module(f"ovearth.ovearth_core.{name}")


@pytest.fixture
def settings():
    """QGIS's settings of its proxy, put back afterwards."""
    found = QgsSettings()
    manager = QgsNetworkAccessManager.instance()

    def set_up(time_out_ms=60_000, **said):
        for name, value in said.items():
            found.setValue(f"proxy/{name}", value)
        QgsNetworkAccessManager.setTimeout(time_out_ms)
        # As QGIS does when its options are closed.
        manager.setupDefaultProxyAndCache()

    yield set_up
    found.remove("proxy")
    set_up()


def handed_over(window):
    """Start work, as any button does, and return how the core reaches servers then."""
    reading = core("collection.network")
    heard = []
    window.tasks.start("look", lambda _: reading.network(), heard.append)
    wait_until(lambda: heard)
    return heard[0]


def test_host_port_login_and_what_passes_it_by_are_handed_over(window, settings):
    settings(
        proxyEnabled=True, proxyType="HttpProxy", proxyHost="proxy.example", proxyPort="8123",
        proxyUser="anna", proxyPassword="p@ss", proxyExcludedUrls=["http://localhost/inner"],
        time_out_ms=90_000,
    )  # fmt: skip
    found = handed_over(window)
    assert found.least_wait_s == 90.0
    proxy = found.proxy
    assert (proxy.address, proxy.user, proxy.password) == (
        "http://proxy.example:8123", "anna", "p@ss",
    )  # fmt: skip
    assert proxy.passes_by("http://LOCALHOST/inner/a")
    assert not proxy.passes_by("http://localhost/")
    assert "p@ss" not in repr(found)


def test_a_socks_proxy_and_none_at_all_are_too(window, settings):
    said = {"proxyEnabled": True, "proxyHost": "proxy.example", "proxyPort": "1080"}
    settings(proxyType="Socks5Proxy", **said)
    assert handed_over(window).proxy.address == "socks5://proxy.example:1080"
    settings(proxyType="DefaultProxy")
    assert handed_over(window).proxy is None
    settings(proxyType="HttpProxy", proxyEnabled=False)
    assert handed_over(window).proxy is None


def test_a_server_is_asked_through_it(window, settings):
    pytest.importorskip("httpx", reason="servers need httpx")
    pytest.importorskip("tenacity", reason="servers need tenacity")
    exchange = core("collection.exchange")
    with serving(lambda _: (b"yes", "text/plain")) as served:
        port = str(served.port)
        settings(proxyEnabled=True, proxyType="HttpProxy", proxyHost="127.0.0.1", proxyPort=port)
        handed_over(window)
        with exchange.Exchange(exchange.Politeness(attempts=1)) as asking:
            request = exchange.Request("http://places.invalid/api")
            assert asking.ask(request, lambda answer: answer.body)
        assert served.asked == ["http://places.invalid/api"]
