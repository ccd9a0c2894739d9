"""WMTS: tiles in the grids that a service describes, asked for by parameters or by path."""

from __future__ import annotations

import re
from typing import Any

from ...errors import UsageError
from ...frame import ImageFrame
from ...spelling import nearest
from .address import Address, AddressTemplate
from .capabilities import crs_of, fetch_capabilities, is_north_first, metres_a_unit, owslib
from .fetching import Politeness
from .server_errors import BadDescriptionError
from .server_options import Parsers, address_and_options, read_options
from .service_address import asking, parted
from .source import About, ImagerySpec, Source
from .tile_level import TileLevel
from .tiled_source import Pyramid, TiledSource

# A pixel on a screen, which scale denominators count in.
_SCREEN_PIXEL_M = 0.00028
_FORMATS = ("image/png", "image/webp", "image/jpeg", "image/jpg", "image/tiff")
_MERCATOR = "EPSG:3857"
_OPTIONS: Parsers = {
    "layer": str,
    "style": str,
    "tilematrixset": str,
    "format": str,
    "time": str,
    "encoding": {"rest": "rest", "kvp": "kvp"}.__getitem__,
    "max_level": str,
    "blank": {"keep": True, "drop": False}.__getitem__,
}


def open_(spec: ImagerySpec) -> Source:
    """Open a WMTS: what it says of itself is fetched. Raises UsageError, ServerError."""
    base, said = parted(address_and_options(spec)[0], {*_OPTIONS, "version"})
    said.pop("version", None)
    options, rules = read_options(spec, _OPTIONS, said)
    shown = AddressTemplate(base).published
    description = _described(base, shown, rules)
    layer = _layer(description, options.get("layer"), shown)
    grid = _grid(description, layer, options.get("tilematrixset"), shown)
    template = _template(base, description, layer, grid, options, shown)
    levels = _levels(grid, layer, options.get("max_level"), shown)
    published = f"{shown}{'&' if '?' in shown else '?'}layer={layer.id}"

    def address(level: TileLevel, column: int, row: int) -> Address:
        return template.fill(
            {"TileMatrix": level.name, "TileRow": str(row), "TileCol": str(column)}
        )

    about = About(published, date_captured=options.get("time"))
    pyramid = Pyramid(levels, address, published)
    return TiledSource(spec, about, pyramid, rules, options.get("blank", False))


def _described(base: str, shown: str, rules: Politeness) -> Any:
    if _is_document(base):
        address = AddressTemplate(base)
    else:
        address = asking(
            base, {"service": "WMTS", "version": "1.0.0", "request": "GetCapabilities"}
        )
    body = fetch_capabilities(address, rules)
    if b"Capabilities" not in body[:4000]:
        raise BadDescriptionError("this is no description of a WMTS", shown, "check the address")
    module = owslib("wmts")
    try:
        return module.WebMapTileService(base, xml=body)
    except Exception as fault:  # OWSLib raises whatever its parsing meets
        raise BadDescriptionError(
            f"its description can't be read ({type(fault).__name__}: {fault})",
            shown,
            "tell its owner",
        ) from None


def _is_document(base: str) -> bool:
    return base.partition("?")[0].lower().endswith(".xml")


def _layer(description: Any, name: str | None, shown: str) -> Any:
    known = description.contents
    if name is None and len(known) == 1:
        return next(iter(known.values()))
    if name is None:
        some = ", ".join(list(known)[:8])
        raise UsageError("no layer is named", shown, f"add layer=NAME; there are: {some}")
    if name not in known:
        raise UsageError(f"there is no layer {name!r}", shown, nearest(name, tuple(known)))
    return known[name]


def _grid(description: Any, layer: Any, name: str | None, shown: str) -> Any:
    """Return the tile matrix set: the one that is named, else web Mercator, else the first."""
    linked = [link for link in layer.tilematrixsetlinks if link in description.tilematrixsets]
    if name is not None and name not in linked:
        raise UsageError(
            f"the layer has no tile matrix set {name!r}", shown, nearest(name, tuple(linked))
        )
    known = [description.tilematrixsets[link] for link in ([name] if name else linked)]
    usable = [grid for grid in known if crs_of(grid.crs) is not None]
    if not usable:
        raise BadDescriptionError("its tiles are in no CRS that is known", shown, "name another")
    found: Any = next((grid for grid in usable if crs_of(grid.crs) == _MERCATOR), usable[0])
    return found


def _template(
    base: str, description: Any, layer: Any, grid: Any, options: dict[str, Any], shown: str
) -> AddressTemplate:
    style = options.get("style", _style(layer))
    format_ = _format(layer, options.get("format"), shown)
    pages = {
        page["format"]: page["template"]
        for page in layer.resourceURLs
        if page["resourceType"] == "tile"
    }
    by_path = options.get("encoding", "rest" if pages and _is_document(base) else "kvp") == "rest"
    dimensions = {name: found["default"] for name, found in layer.dimensions.items()}
    if "time" in options:
        dimensions[next((d for d in dimensions if d.lower() == "time"), "Time")] = options["time"]
    if by_path:
        if not pages:
            raise UsageError("it has no addresses by path", shown, "use encoding=kvp")
        text = pages.get(format_) or next(iter(pages.values()))
        values = {"style": style, "tilematrixset": grid.identifier}
        values |= {name.lower(): value for name, value in dimensions.items()}
        return AddressTemplate.told_by_server(_placed(text, values))
    is_told = _is_document(base)
    at = _tile_request(description, shown) if is_told else base
    return asking(at, _parameters(layer, style, format_, grid, dimensions), is_told)


def _parameters(
    layer: Any, style: str, format_: str, grid: Any, dimensions: dict[str, str]
) -> dict[str, str]:
    return {
        "service": "WMTS", "version": "1.0.0", "request": "GetTile", "layer": layer.id,
        "style": style, "format": format_, "tilematrixset": grid.identifier,
        "tilematrix": "{TileMatrix}", "tilerow": "{TileRow}", "tilecol": "{TileCol}",
        **dimensions,
    }  # fmt: skip


def _placed(text: str, values: dict[str, str]) -> str:
    """Return a path template with what is known filled in; names differ in case."""
    tiles = {"tilematrix": "{TileMatrix}", "tilerow": "{TileRow}", "tilecol": "{TileCol}"}
    known = {**values, **tiles}
    return re.sub(r"\{(\w+)\}", lambda m: known.get(m[1].lower(), m[0]), text)


def _tile_request(description: Any, shown: str) -> str:
    try:
        methods = description.getOperationByName("GetTile").methods
        return str(next(m["url"] for m in methods if m["type"].lower() == "get"))
    except (KeyError, StopIteration, TypeError, AttributeError):
        raise BadDescriptionError(
            "it names no address of its tiles", shown, "tell its owner"
        ) from None


def _style(layer: Any) -> str:
    styles = layer.styles
    default = next((name for name, style in styles.items() if style.get("isDefault")), None)
    return str(default or next(iter(styles), "") or "")


def _format(layer: Any, wanted: str | None, shown: str) -> str:
    offered = list(layer.formats)
    if wanted is not None and wanted not in offered:
        raise UsageError(f"no tiles as {wanted!r}", shown, f"there are: {', '.join(offered[:8])}")
    known = (name for name in _FORMATS if name in offered)
    return wanted or next(known, offered[0] if offered else "image/png")


def _levels(grid: Any, layer: Any, finest: str | None, shown: str) -> tuple[TileLevel, ...]:
    """Return the levels, coarse to fine, up to the one that is named."""
    crs = crs_of(grid.crs) or _MERCATOR
    matrices = sorted(grid.tilematrix.values(), key=lambda matrix: -matrix.scaledenominator)
    limits = layer.tilematrixsetlinks[grid.identifier].tilematrixlimits
    if limits:
        matrices = [matrix for matrix in matrices if matrix.identifier in limits] or matrices
    names = [matrix.identifier for matrix in matrices]
    if finest is not None:
        if finest not in names:
            raise UsageError(f"there is no level {finest!r}", shown, nearest(finest, tuple(names)))
        matrices = matrices[: names.index(finest) + 1]
    if not matrices:
        raise BadDescriptionError("its grid of tiles has no levels", shown, "tell its owner")
    return tuple(_level(grid, matrix, crs, limits.get(matrix.identifier)) for matrix in matrices)


def _level(grid: Any, matrix: Any, crs: str, limit: Any) -> TileLevel:
    pixel = matrix.scaledenominator * _SCREEN_PIXEL_M / metres_a_unit(crs)
    x, y = matrix.topleftcorner
    if is_north_first(grid.crs):
        x, y = y, x
    # Some servers write longitude first all the same: no grid begins at the south pole.
    if y <= -90.0 and crs == "EPSG:4326":
        x, y = y, x
    width, height = matrix.tilewidth, matrix.tileheight
    frame = ImageFrame(
        crs,
        (pixel, 0.0, x, 0.0, -pixel, y),
        width * matrix.matrixwidth,
        height * matrix.matrixheight,
    )
    box = limit and (limit.mintilecol, limit.mintilerow, limit.maxtilecol, limit.maxtilerow)
    return TileLevel(matrix.identifier, frame, width, height, box)
