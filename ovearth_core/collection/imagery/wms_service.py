"""A WMS as it describes itself, and as a person wants it asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...errors import UsageError
from ...spelling import nearest
from .address import AddressTemplate
from .capabilities import crs_of, fetch_capabilities, owslib
from .fetching import Politeness
from .server_errors import BadDescriptionError
from .server_options import Parsers, address_and_options, read_options, words_of
from .service_address import asking, parted
from .source import ImagerySpec

VERSIONS = ("1.3.0", "1.1.1")
_MOST_PIXELS = 2048
# Servers take the nearest pixel of their imagery, up to half of one aside (QGIS Server a whole
# one): at twice the density that is half as much, and evens out.
_OVERSAMPLE = 2
# Lossless first; a server that has neither is asked for what it has.
_FORMATS = ("image/png", "image/png; mode=24bit", "image/webp", "image/jpeg", "image/tiff")
_CRS_NAMES = ("EPSG:3857", "EPSG:4326", "CRS:84")
_WHOLE_WORLD = (-180.0, -90.0, 180.0, 90.0)
_OPTIONS: Parsers = {
    "layers": words_of,
    "styles": str,
    "version": str,
    "crs": str,
    "srs": str,
    "format": str,
    "time": str,
    "gsd": float,
    "max_size": int,
    "oversample": int,
    "blank": {"keep": True, "drop": False}.__getitem__,
}


@dataclass(frozen=True)
class WmsService:
    """published: its address as it may be handed on. gsd_m: as it was told. box: west, south,
    east, north of the layers in degrees. crs_names: names of CRSs to ask in, and what they are.
    drawing_of: the address of a picture in each. most_pixels: width and height of a picture.
    oversample: how many times finer than wanted pictures are asked for, each way. format: of
    pictures, a media type.
    """

    published: str
    version: str
    gsd_m: float
    box: tuple[float, float, float, float]
    crs_names: Mapping[str, str]
    drawing_of: Mapping[str, AddressTemplate]
    most_pixels: tuple[int, int]
    attribution: str | None
    time: str | None
    keep_blank: bool
    oversample: int
    format: str = ""


def wms_service(spec: ImagerySpec) -> tuple[WmsService, Politeness]:
    """Return what a spec names, and how to ask it; UsageError for what the service hasn't got."""
    base, said = parted(address_and_options(spec)[0], _OPTIONS)
    options, rules = read_options(spec, _OPTIONS, said)
    published = AddressTemplate(base).published
    gsd_m = options.get("gsd")
    if gsd_m is None or not 0.0 < gsd_m < 1e6:
        raise UsageError(
            "a WMS doesn't say how fine its imagery is", published,
            "add #gsd=METRES to it",
        )  # fmt: skip
    version, description, body = _described(base, options.get("version"), rules)
    layers = _layers(description, options.get("layers", ()), published)
    crs_names = _crs_names(layers, options.get("crs", options.get("srs")), published)
    parameters = {
        "service": "WMS",
        "version": version,
        "request": "GetMap",
        "layers": ",".join(layer.name for layer in layers),
        "styles": options.get("styles", ""),
        "format": _format(description, options.get("format"), published),
        "transparent": "TRUE",
        "exceptions": "XML" if version == "1.3.0" else "application/vnd.ogc.se_xml",
        **({"time": options["time"]} if "time" in options else {}),
    }
    name = "crs" if version == "1.3.0" else "srs"
    where = {"bbox": "{bbox}", "width": "{width}", "height": "{height}"}
    drawing_of = {crs: asking(base, {**parameters, name: crs, **where}) for crs in crs_names}
    shown = f"{published}{'&' if '?' in published else '?'}layers={parameters['layers']}"
    most = options.get("max_size", _MOST_PIXELS)
    most_pixels = min(_most(body, b"MaxWidth"), most), min(_most(body, b"MaxHeight"), most)
    if min(most_pixels) < 16:
        raise UsageError(f"pictures of {min(most_pixels)} pixels", "max_size", "give 16 or more")
    attribution = (getattr(layers[0], "attribution", None) or {}).get("title")
    service = WmsService(
        shown, version, gsd_m, _box(layers), crs_names, drawing_of, most_pixels, attribution,
        options.get("time"), options.get("blank", False), _oversample(options),
        parameters["format"],
    )  # fmt: skip
    return service, rules


def _oversample(options: dict[str, Any]) -> int:
    times = int(options.get("oversample", _OVERSAMPLE))
    if not 1 <= times <= 8:
        raise UsageError(f"{times} times finer", "oversample", "give 1 to 8")
    return times


def _described(base: str, version: str | None, rules: Politeness) -> tuple[str, Any, bytes]:
    """Return the version that the server speaks, its description, and that as it came."""
    if version is not None and version not in VERSIONS:
        raise UsageError(f"unknown version {version!r}", "version", f"use one of {VERSIONS}")
    wanted = version or VERSIONS[0]
    address = asking(base, {"service": "WMS", "version": wanted, "request": "GetCapabilities"})
    body = fetch_capabilities(address, rules)
    shown = address.published
    root = re.search(
        rb"<(?:\w+:)?(WMS_Capabilities|WMT_MS_Capabilities)\b[^>]*?\bversion=[\"']([\d.]+)", body
    )
    if root is None:
        raise BadDescriptionError("this is no description of a WMS", shown, "check the address")
    found = root[2].decode()
    if found not in VERSIONS:
        raise BadDescriptionError(f"it speaks WMS {found}", shown, f"one of {VERSIONS} is needed")
    module = owslib("wms")
    try:
        return found, module.WebMapService(base, version=found, xml=body), body
    except Exception as fault:  # OWSLib raises whatever its parsing meets
        raise BadDescriptionError(
            f"its description can't be read ({type(fault).__name__}: {fault})",
            shown,
            "tell its owner",
        ) from None


def _layers(description: Any, names: tuple[str, ...], shown: str) -> list[Any]:
    known = {name: layer for name, layer in description.contents.items() if layer.name}
    if not names and len(known) == 1:
        return list(known.values())
    if not names:
        some = ", ".join(list(known)[:8])
        raise UsageError("no layer is named", shown, f"add layers=NAME; there are: {some}")
    for name in names:
        if name not in known:
            raise UsageError(f"there is no layer {name!r}", shown, nearest(name, tuple(known)))
    return [known[name] for name in names]


def _crs_names(layers: list[Any], wanted: str | None, shown: str) -> dict[str, str]:
    """Return the names of CRSs that all layers have, those to try first in front."""
    offered = set.intersection(*(set(layer.crsOptions) for layer in layers))
    if wanted is not None:
        known = crs_of(wanted)
        if known is None:
            raise UsageError(f"unknown CRS {wanted!r}", shown, "write crs=EPSG:CODE")
        if wanted not in offered:
            raise UsageError(
                f"the layer isn't drawn in {wanted}", shown, f"there are: {_some(offered)}"
            )
        return {wanted: known}
    names = [name for name in _CRS_NAMES if name in offered] or sorted(offered)
    found = {name: crs for name in names if (crs := crs_of(name)) is not None}
    if not found:
        raise BadDescriptionError("it is drawn in no CRS that is known", shown, _some(offered))
    return found


def _some(names: set[str]) -> str:
    return ", ".join(sorted(names)[:8]) or "none"


def _format(description: Any, wanted: str | None, shown: str) -> str:
    offered = list(description.getOperationByName("GetMap").formatOptions)
    if wanted is not None and wanted not in offered:
        raise UsageError(
            f"no pictures as {wanted!r}", shown, f"there are: {', '.join(offered[:8])}"
        )
    return wanted or next((name for name in _FORMATS if name in offered), "image/png")


def _most(body: bytes, name: bytes) -> int:
    found = re.search(rb"<" + name + rb">\s*(\d{1,6})\s*<", body)
    return int(found[1]) if found else 1 << 20


def _box(layers: list[Any]) -> tuple[float, float, float, float]:
    """Return the box around all layers, the world where one doesn't say."""
    boxes = [layer.boundingBoxWGS84 for layer in layers]
    if any(box is None for box in boxes):
        return _WHOLE_WORLD
    west, south, east, north = zip(*boxes, strict=True)
    right = max(e if e >= w else e + 360.0 for w, e in zip(west, east, strict=True))
    return min(west), min(south), right, max(north)
