"""Reading through GDAL: how it is set up, and its faults as one line that names the raster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from ...errors import InputError, OVEarthError
from ..network import gdal_proxy
from .address import Address, without_secrets
from .fetching import Politeness, fetch
from .gdal_settings import ON_SERVER, WEB, environment
from .raster_library import faults, open_dataset, set_up
from .saying import is_web_page, words
from .server_errors import ForbiddenError, LargeAnswerError, ServerError, WebPageError

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
    ("Range downloading", "its server gives no parts of files: fetch the whole file first"),
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
        # Of a read that fails GDAL doesn't say what the server said: opening it anew does. And it
        # has GDAL forget what it has learnt, or it would say the same until the program ends.
        if self.is_online and (anew := self._fault_of_opening()) and "code: " not in said:
            said = self._words(anew)
        if _NO_RASTER in said and WEB.match(self.path) and (other := self._fault_of_looking()):
            return other
        mend = next((mend for sign, mend in _MENDS if sign in said), _HOW_TO_MEND)
        kind = ForbiddenError if any(sign in said for sign in _FORBIDDEN) else InputError
        return kind(f"can't be read ({said})", self.shown, mend)

    def _fault_of_looking(self) -> InputError | None:
        """Return what is wrong with what came in place of the raster, if that can be told.

        Looked at once more without GDAL, to which all that fails is no raster.
        """
        try:
            body = fetch(Address(self.path, self.shown, ""), _ONE_LOOK).body
        except LargeAnswerError:
            return None
        except ServerError as fault:
            return fault
        except OVEarthError:
            return None
        if not is_web_page(body):
            return None
        page = without_secrets(words(body)) or "no words"
        return WebPageError(
            f"a web page came ({page})", self.shown, "check the address and its key"
        )

    def _words(self, fault: Exception) -> str:
        said = str(fault.__cause__ or fault)
        for path in (f"/vsicurl/{self.path}", self.path):
            said = said.replace(path, self.shown)
        return without_secrets(said)

    def _fault_of_opening(self) -> Exception | None:
        try:
            with set_up({**environment(True, self.rules), **self._proxy(), **_ANEW}):
                open_dataset(self.path).close()
        except faults() as fault:
            found: Exception = fault
            return found
        return None
