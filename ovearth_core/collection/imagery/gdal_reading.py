"""Reading through GDAL: how it is set up, and its faults as one line that names the raster."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ...errors import InputError
from .address import without_secrets
from .raster_library import environment, faults, open_dataset
from .server_errors import ForbiddenError

# What GDAL may do, and for how long it waits for a server.
_ENVIRONMENT = {
    "GDAL_HTTP_TIMEOUT": 60,
    "GDAL_HTTP_CONNECTTIMEOUT": 15,
    "GDAL_HTTP_MAX_RETRY": 3,
    "GDAL_HTTP_RETRY_DELAY": 1,
    "GDAL_HTTP_MULTIPLEX": "YES",
    "GDAL_HTTP_MERGE_CONSECUTIVE_RANGES": "YES",
    "GDAL_VRT_ENABLE_PYTHON": "NO",
    "VSI_CACHE": "TRUE",
}
# Asking a server for a folder's listing costs requests, and most have none.
_ONLINE = {**_ENVIRONMENT, "GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR"}
# What has been learnt of any server is to be asked for again.
_ANEW = {**_ONLINE, "CPL_VSIL_CURL_NON_CACHED": "/vsicurl/", "GDAL_HTTP_MAX_RETRY": 0}
_ON_SERVER = re.compile(r"^(https?|s3|gs|az|oss|swift)://|/vsi(curl|s3|gs|az|oss|swift)", re.I)
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
    ("resolve host", "check the address and the network"),
)


@dataclass(frozen=True)
class GdalReading:
    """How one raster is read. path: what GDAL opens. shown: what people may see of it."""

    path: str
    shown: str

    @property
    def is_online(self) -> bool:
        """Whether GDAL asks a server for it."""
        return _ON_SERVER.search(self.path) is not None

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Set GDAL up for the length of a block.

        Raises InputError for its faults, ForbiddenError where a server wants a key or a login, or
        no longer takes the one it was given.
        """
        try:
            with environment(_ONLINE if self.is_online else _ENVIRONMENT):
                yield
        except faults() as fault:
            raise self._said(fault) from None

    def _said(self, fault: Exception) -> InputError:
        said = self._words(fault)
        # Of a read that fails GDAL doesn't say what the server said: opening it anew does.
        if self.is_online and "code: " not in said and (anew := self._fault_of_opening()):
            said = self._words(anew)
        mend = next((mend for sign, mend in _MENDS if sign in said), _HOW_TO_MEND)
        kind = ForbiddenError if any(sign in said for sign in _FORBIDDEN) else InputError
        return kind(f"can't be read ({said})", self.shown, mend)

    def _words(self, fault: Exception) -> str:
        return without_secrets(str(fault.__cause__ or fault).replace(self.path, self.shown))

    def _fault_of_opening(self) -> Exception | None:
        try:
            with environment(_ANEW):
                open_dataset(self.path).close()
        except faults() as fault:
            found: Exception = fault
            return found
        return None
