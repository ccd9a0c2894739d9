"""QGIS's own network settings, handed to the core: what it asks over HTTP goes the same way."""

from __future__ import annotations

from qgis.core import QgsNetworkAccessManager
from qgis.PyQt.QtNetwork import QNetworkProxy

from ..ovearth_core.collection.network import Network, Proxy, use_network

_SCHEMES = {
    QNetworkProxy.ProxyType.HttpProxy: "http",
    QNetworkProxy.ProxyType.HttpCachingProxy: "http",
    QNetworkProxy.ProxyType.Socks5Proxy: "socks5",
}


def hand_over_network() -> None:
    """Let the core reach servers as QGIS does now; on the main thread, before work begins."""
    use_network(Network(_proxy(), QgsNetworkAccessManager.timeout() / 1000.0))


def _proxy() -> Proxy | None:
    """Return the proxy of QGIS's settings, its login from QGIS's store; None where it has none.

    Where QGIS takes the system's, httpx and GDAL find that themselves.
    """
    manager = QgsNetworkAccessManager.instance()
    proxy = manager.fallbackProxy()
    scheme = _SCHEMES.get(proxy.type())
    if scheme is None or not proxy.hostName():
        return None
    direct = (*manager.excludeList(), *manager.noProxyList())
    return Proxy(
        proxy.hostName(), proxy.port(), proxy.user(), proxy.password(), scheme,
        tuple(str(start) for start in direct),
    )  # fmt: skip
