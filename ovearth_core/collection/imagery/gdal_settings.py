"""What GDAL opens for a raster's name, what it may do there, and how long it waits."""

from __future__ import annotations

import re
from math import ceil
from typing import Any

from .address import filled_in, remember_keys
from .fetching import Politeness
from .server_options import address_and_options
from .source import ImagerySpec

# What GDAL may do.
_ENVIRONMENT = {
    "GDAL_HTTP_RETRY_DELAY": 1,
    "GDAL_HTTP_MULTIPLEX": "YES",
    "GDAL_HTTP_MERGE_CONSECUTIVE_RANGES": "YES",
    "GDAL_VRT_ENABLE_PYTHON": "NO",
    "VSI_CACHE": "TRUE",
}
# Asking a server for a folder's listing costs requests, and most have none.
_ONLINE = {**_ENVIRONMENT, "GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR"}
WEB = re.compile(r"https?://", re.I)
ON_SERVER = re.compile(r"^(https?|s3|gs|az|oss|swift)://|/vsi(curl|s3|gs|az|oss|swift)", re.I)


def path_and_options(spec: ImagerySpec) -> tuple[str, dict[str, str]]:
    """Return what GDAL opens, and the options after an address of the web."""
    text = spec.place()
    if spec.is_told_by_server:
        remember_keys(text)
        return text, {}
    # Any other path may have a # in its name.
    if WEB.match(text):
        address, options = address_and_options(spec)
        return filled_in(address), options
    return filled_in(text), {}


def environment(is_online: bool, rules: Politeness) -> dict[str, Any]:
    """Return GDAL's settings for reading, and for how long it waits for a server."""
    timeout_s = ceil(rules.timeout_s)
    return {
        **(_ONLINE if is_online else _ENVIRONMENT),
        "GDAL_HTTP_TIMEOUT": timeout_s,
        "GDAL_HTTP_CONNECTTIMEOUT": min(timeout_s, 15),
        "GDAL_HTTP_LOW_SPEED_LIMIT": 1,
        "GDAL_HTTP_LOW_SPEED_TIME": min(timeout_s, 30),
        "GDAL_HTTP_MAX_RETRY": rules.attempts - 1,
    }
