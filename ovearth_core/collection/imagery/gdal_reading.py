"""Reading through GDAL: how it is set up, and its faults as one line that names the raster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from ...errors import InputError, OVEarthError
from ..network import gdal_proxy
from .address import Address, without_secrets
from .fetching import Politeness, fetch
from .gdal_settings import ON_SERVER, WEB, environment
from .raster_library import faults, open_dataset, set_up
from .saying import is_web_page, words
from .server_errors import ForbiddenError, WebPageError

# What has been learnt of any server is to be asked for again.
_ANEW = {"CPL_VSIL_CURL_NON_CACHED": "/vsicurl/", "GDAL_HTTP_MAX_RETRY": 0}
_NO_RASTER = "not recognized"
_ONE_LOOK = Politeness(timeout_s=15.0, attempts=1, most_bytes=1 << 20)
_UNREACHABLE = (
    *("resolve host", "resolve proxy", "Connection refused", "connect to", "timed out", "timeout"),
    *("TLS", "SSL", "certificate"),
)
_HOW_TO_MEND = "check the file, or fetch it again"
_FORBIDDEN = ("code: 401", "code: 403")
# What GDAL says, and what to do about it.
_MENDS = (
    ("code: 404", "the server has no such file: check the address"),
    (
        "code: 401",
        "the server wants a key or a login: write ${NAME} for it, and set the variable NAME",
    ),
    ("code: 403", "the server forbids it: check the address, and the key it may need"),
    ("No such file", "check the path"),
    *((sign, "check the address and the network") for sign in _UNREACHABLE),
)


@dataclass(frozen=True)
class GdalReading:
    """How one raster is read.

    path: what GDAL opens. shown: what people may see of it. rules: how its server is asked.
    """

    path: str
    shown: str
    rules: Politeness = field(default_factory=Politeness)

    @property
    def is_online(self) -> bool:
        """Whether GDAL asks a server for it."""
        return ON_SERVER.search(self.path) is not None

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Set GDAL up for the length of a block.

        Raises InputError for its faults, ForbiddenError where a server wants a key or a login, or
        no longer takes the one it was given.
        """
        try:
            with set_up({**environment(self.is_online, self.rules), **self._proxy()}):
                yield
        except faults() as fault:
            raise self._said(fault) from None

    def _proxy(self) -> dict[str, str]:
        return gdal_proxy(self.path.removeprefix("/vsicurl/")) if self.is_online else {}

    def _said(self, fault: Exception) -> InputError:
        said = self._words(fault)
        # Of a read that fails GDAL doesn't say what the server said: opening it anew does.
        if self.is_online and "code: " not in said and (anew := self._fault_of_opening()):
            said = self._words(anew)
        if page := self._web_page(said):
            what = f"a web page came ({page})"
            return WebPageError(what, self.shown, "check the address and its key")
        mend = next((mend for sign, mend in _MENDS if sign in said), _HOW_TO_MEND)
        kind = ForbiddenError if any(sign in said for sign in _FORBIDDEN) else InputError
        return kind(f"can't be read ({said})", self.shown, mend)

    def _web_page(self, said: str) -> str | None:
        """Return the words of a page for people that came in place of the raster, if one did."""
        if _NO_RASTER not in said or not WEB.match(self.path):
            return None
        # Looked at once more without GDAL, which doesn't say what came; if that can't be done, so.
        with suppress(OVEarthError):
            body = fetch(Address(self.path, self.shown, ""), _ONE_LOOK).body
            if is_web_page(body):
                return without_secrets(words(body)) or "no words"
        return None

    def _words(self, fault: Exception) -> str:
        return without_secrets(str(fault.__cause__ or fault).replace(self.path, self.shown))

    def _fault_of_opening(self) -> Exception | None:
        try:
            with set_up({**environment(True, self.rules), **self._proxy(), **_ANEW}):
                open_dataset(self.path).close()
        except faults() as fault:
            found: Exception = fault
            return found
        return None
