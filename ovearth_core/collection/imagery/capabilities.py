"""What a WMS or WMTS says of itself, fetched with care and read by OWSLib."""

from __future__ import annotations

import re
from typing import Any

from pyproj import CRS
from pyproj.exceptions import CRSError

from ...errors import MissingPackageError
from .address import AddressTemplate, without_secrets
from .fetching import Politeness, fetch
from .saying import is_web_page, service_exception, words
from .server_errors import BadDescriptionError, ServiceExceptionError, WebPageError

_MEND = "check the address: it must be the service's own"
# Declared by a document, these can be made to fill the memory.
_ENTITY = re.compile(rb"<!ENTITY", re.I)
_NORTH_FIRST = {("north", "east"), ("north", "west"), ("south", "east")}
_EPSG = re.compile(r"EPSG:.*?(\d{4,6})$", re.I)


def fetch_capabilities(address: AddressTemplate, rules: Politeness) -> bytes:
    """Return a description as XML that is safe to be read; a ServerError says what came instead."""
    where = address.fill()
    arrival = fetch(where, rules, is_empty=lambda _: False)
    body, shown = arrival.body, where.shown
    said = service_exception(body)
    if said is not None:
        raise ServiceExceptionError(f"the server says {without_secrets(said)!r}", shown, _MEND)
    if is_web_page(body):
        raise WebPageError(f"a web page came ({without_secrets(words(body))})", shown, _MEND)
    if not body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<") or b"\x00" in body:
        raise BadDescriptionError("no XML came", shown, _MEND)
    if _ENTITY.search(body):
        raise BadDescriptionError("its XML defines entities, which is not safe", shown, _MEND)
    return body


def owslib(service: str) -> Any:
    """Return OWSLib's module for "wms" or "wmts"; MissingPackageError where it isn't there."""
    try:
        from importlib import import_module

        return import_module(f"owslib.{service}")
    except ImportError:
        raise MissingPackageError(
            f"reading a {service.upper()} needs OWSLib", mend="pip install 'ovearth[collect]'"
        ) from None


def crs_of(name: str) -> str | None:
    """Return a CRS as frames have it (x first), None for what isn't known here."""
    if re.search(r"CRS:?:?84$|CRS:1.3:84$", name, re.I):
        return "EPSG:4326"
    found = _EPSG.search(name)
    code = {"900913": "3857", "3785": "3857"}.get(found[1], found[1]) if found else None
    if code is None:
        return None
    try:
        CRS.from_epsg(int(code))
    except CRSError:
        return None
    return f"EPSG:{code}"


def is_north_first(name: str) -> bool:
    """Whether a CRS as a service names it puts northing or latitude before easting."""
    crs = crs_of(name)
    if crs is None or "CRS84" in name.upper() or name.upper() == "CRS:84":
        return False
    first, second = CRS(crs).axis_info[:2]
    # Around a pole both run the same way: names tell them apart, as PROJ does.
    if first.direction == second.direction:
        return first.name.lower().startswith("northing")
    return (first.direction, second.direction) in _NORTH_FIRST


def metres_a_unit(crs: str) -> float:
    """Return what a unit of a CRS is in metres; a degree is one of the equator, as in WMTS."""
    axis = CRS(crs).axis_info[0]
    if "degree" in axis.unit_name:
        return 6378137.0 * 3.141592653589793 / 180.0
    return float(axis.unit_conversion_factor)
