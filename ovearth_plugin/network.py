"""QGIS's own network settings, handed to the core: what it asks over HTTP goes the same way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qgis.core import QgsNetworkAccessManager
from qgis.PyQt.QtNetwork import QNetworkProxy

if TYPE_CHECKING:
    from ..ovearth_core.collection.network import Proxy

_SCHEMES = {
    QNetworkProxy.ProxyType.HttpProxy: "http",
    QNetworkProxy.ProxyType.HttpCachingProxy: "http",
    QNetworkProxy.ProxyType.Socks5Proxy: "socks5",
}


def hand_over_network() -> None:
    """Let the core reach servers as QGIS does now; on the main thread, before work begins."""
    # Not before there is work: loading the plugin leaves the core alone.
    from ..ovearth_core.collection.network import Network, use_network

    use_network(Network(_proxy(), QgsNetworkAccessManager.timeout() / 1000.0))


def _proxy() -> Proxy | None:
    """Return the proxy of QGIS's settings, its login from QGIS's store; None where it has none.

    Where QGIS takes the system's, httpx and GDAL find that themselves.
    """
    from ..ovearth_core.collection.network import Proxy

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
