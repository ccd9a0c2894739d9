"""The proxy and the patience of whoever embeds the core: QGIS has settings of its own for both.

Without any, httpx and GDAL heed the environment (HTTP_PROXY, HTTPS_PROXY, NO_PROXY).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..errors import MissingPackageError, UsageError

if TYPE_CHECKING:
    import httpx


_PROXIES = "HTTP_PROXY, HTTPS_PROXY or ALL_PROXY in the environment"
_CERTIFICATES = "SSL_CERT_FILE or SSL_CERT_DIR in the environment"


@dataclass(frozen=True)
class Proxy:
    """A proxy: scheme `http` or `socks5`, and which addresses don't go through it.

    direct: beginnings of addresses, in any case of letters. The password is neither shown nor kept.
    """

    host: str
    port: int
    user: str = ""
    password: str = field(default="", repr=False)
    scheme: str = "http"
    direct: tuple[str, ...] = ()

    def passes_by(self, url: str) -> bool:
        """Whether an address is asked without it."""
        return url.lower().startswith(tuple(start.lower() for start in self.direct if start))

    @property
    def address(self) -> str:
        """Its address, without a login."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.scheme}://{host}:{self.port}"


@dataclass(frozen=True)
class Network:
    """How servers are reached. least_wait_s: what waits for them waits at least so long."""

    proxy: Proxy | None = None
    least_wait_s: float = 0.0


_used: list[Network] = [Network()]


def use_network(network: Network) -> None:
    """Reach servers like this from now on, in this process."""
    _used[0] = network


def network() -> Network:
    """Return how servers are reached now."""
    return _used[0]


def new_client(limits: httpx.Limits | None = None, **options: Any) -> httpx.Client:
    """Return an httpx.Client for the proxy in use, else for those of the environment.

    Raises MissingPackageError for a SOCKS proxy without socksio, UsageError where the environment
    names a proxy or certificates that are none.
    """
    import httpx

    said: dict[str, Any] = {} if limits is None else {"limits": limits}
    proxy = network().proxy
    try:
        if proxy is None:
            return httpx.Client(**said, **options)
        login = (proxy.user, proxy.password) if proxy.user else None
        proxied = httpx.HTTPTransport(proxy=httpx.Proxy(proxy.address, auth=login), **said)
        routed = _routed(proxy, proxied, httpx.HTTPTransport(**said))
        return httpx.Client(transport=routed, **options)
    except ImportError:
        raise MissingPackageError(
            "a SOCKS proxy needs socksio", "in this Python", "pip install 'httpx[socks]'"
        ) from None
    except (ValueError, httpx.InvalidURL):
        # Not in its own words: these may hold a password.
        mend = "write http://host:port or socks5://host:port"
        raise UsageError("a proxy without an address", _PROXIES, mend) from None
    except OSError as fault:
        what = f"no certificates can be read ({fault.strerror or fault})"
        raise UsageError(what, _CERTIFICATES, "name a file, or a folder, of certificates") from None


def gdal_proxy(url: str) -> dict[str, str]:
    """Return GDAL's settings for the proxy in use and an address; none where there is none."""
    proxy = network().proxy
    if proxy is None:
        return {}
    if proxy.passes_by(url):
        return {"GDAL_HTTP_PROXY": ""}
    login = {"GDAL_HTTP_PROXYUSERPWD": f"{proxy.user}:{proxy.password}"} if proxy.user else {}
    return {"GDAL_HTTP_PROXY": proxy.address, **login}


def _routed(
    proxy: Proxy, proxied: httpx.BaseTransport, direct: httpx.BaseTransport
) -> httpx.BaseTransport:
    """Return a transport that goes through a proxy, but where that is passed by."""
    import httpx

    class Routed(httpx.BaseTransport):
        def handle_request(self, request: httpx.Request) -> httpx.Response:
            way = direct if proxy.passes_by(str(request.url)) else proxied
            return way.handle_request(request)

        def close(self) -> None:
            direct.close()
            proxied.close()

    return Routed()
