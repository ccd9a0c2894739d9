"""XYZ tiles: an address with `{z}`, `{x}` and `{y}` in it."""

from __future__ import annotations

import re
from typing import Any

from pyproj import CRS

from ...errors import MissingPackageError, UsageError
from ...frame import ImageFrame
from ...spelling import nearest
from .address import Address, AddressTemplate, hidden
from .server_options import Parsers, address_and_options, read_options, words_of, yes_or_no
from .source import About, ImagerySpec, Source
from .tile_level import TileLevel
from .tiled_source import Pyramid, TiledSource

_DEFAULT_FINEST = 19
_OPTIONS: Parsers = {
    "min_zoom": int,
    "max_zoom": int,
    "zoom": int,
    "tile_size": int,
    "tms": yes_or_no,
    "retina": yes_or_no,
    "subdomains": words_of,
    "grid": str,
    "blank": {"keep": True, "drop": False}.__getitem__,
}
# As JOSM and its lists of imagery write it.
_SWITCH = re.compile(r"\{switch:([^{}]+)\}")
_PLACES = {"z", "x", "y", "-y", "q", "s", "r"}


def open_(spec: ImagerySpec) -> Source:
    """Open XYZ tiles; nothing is fetched yet. Raises UsageError for an address that can't be."""
    options, rules = read_options(spec, _OPTIONS)
    text, _ = address_and_options(spec)
    text, hosts = _without_switch(text)
    if hosts:
        options.setdefault("subdomains", hosts)
    _check_places(text)
    template = AddressTemplate(text)
    grid = _grid(options.get("grid", "WebMercatorQuad"))
    levels = tuple(_level(grid, zoom, options.get("tile_size")) for zoom in _zooms(grid, options))
    pyramid = Pyramid(levels, _Addresses(template, grid, options).of, template.published)
    about = About(template.published)
    return TiledSource(spec, about, pyramid, rules, options.get("blank", False))


class _Addresses:
    """Fills in an address for a tile."""

    def __init__(self, template: AddressTemplate, grid: Any, options: dict[str, Any]) -> None:
        hosts = options.get("subdomains", ("a", "b", "c"))
        # As other programs write them: one letter each.
        self._hosts = tuple(hosts[0]) if len(hosts) == 1 else hosts
        self._template = template
        self._grid = grid
        self._is_tms = options.get("tms", False)
        self._retina = "@2x" if options.get("retina", False) else ""

    def of(self, level: TileLevel, column: int, row: int) -> Address:
        """Return the address of a tile; row counts from the north."""
        from morecantile import Tile

        zoom = int(level.name)
        flipped = self._grid.matrix(zoom).matrixHeight - 1 - row
        return self._template.fill(
            {
                "z": str(zoom),
                "x": str(column),
                "y": str(flipped if self._is_tms else row),
                "-y": str(flipped),
                "q": self._grid.quadkey(Tile(column, row, zoom)) if self._grid.is_quadtree else "",
                "s": self._hosts[(column + row) % len(self._hosts)],
                "r": self._retina,
            }
        )


def _without_switch(text: str) -> tuple[str, tuple[str, ...]]:
    """Return an address with {s} in place of {switch:a,b,c}, and what that names."""
    found = _SWITCH.search(text)
    if found is None:
        return text, ()
    return text.replace(found[0], "{s}"), words_of(found[1])


def _check_places(text: str) -> None:
    found = set(re.findall(r"(?<!\$)\{([^}]*)\}", text))
    for name in sorted(found - _PLACES):
        raise UsageError(
            f"unknown place {{{name}}} in the address",
            hidden(text),
            "known are {z} {x} {y} {-y} {q} {s} {r}",
        )
    if not ({"q"} <= found or ({"z", "x"} <= found and found & {"y", "-y"})):
        raise UsageError(
            "the address names no tile", hidden(text), "write {z}, {x} and {y} into it, or {q}"
        )


def _grid(name: str) -> Any:
    try:
        import morecantile
    except ImportError:
        raise MissingPackageError(
            "tiles need morecantile", mend="pip install 'ovearth[collect]'"
        ) from None
    known = morecantile.tms.list()
    if name not in known:
        raise UsageError(
            "unknown grid of tiles", f"imagery option grid={name}", nearest(name, known)
        )
    return morecantile.tms.get(name)


def _zooms(grid: Any, options: dict[str, Any]) -> range:
    if "zoom" in options:
        first = last = options["zoom"]
    else:
        first = options.get("min_zoom", grid.minzoom)
        last = options.get("max_zoom", min(_DEFAULT_FINEST, grid.maxzoom))
    if not grid.minzoom <= first <= last <= grid.maxzoom:
        raise UsageError(
            f"zoom {first} to {last}", "imagery options",
            f"the grid has {grid.minzoom} to {grid.maxzoom}",
        )  # fmt: skip
    return range(first, last + 1)


def _level(grid: Any, zoom: int, tile_size: int | None) -> TileLevel:
    """Return a zoom level; tile_size: pixels of a tile, where they aren't those of the grid."""
    from morecantile import Tile

    matrix = grid.matrix(zoom)
    corner = grid.xy_bounds(Tile(0, 0, zoom))
    crs = CRS.from_wkt(grid.crs.to_wkt())
    epsg = 4326 if crs.to_authority() == ("OGC", "CRS84") else crs.to_epsg()
    width, height = matrix.tileWidth, matrix.tileHeight
    pixel = matrix.cellSize
    if tile_size is not None:
        if not 16 <= tile_size <= 4096:
            raise UsageError(f"tiles of {tile_size} pixels", "tile_size", "give 16 to 4096")
        pixel, width, height = pixel * width / tile_size, tile_size, tile_size
    frame = ImageFrame(
        f"EPSG:{epsg}" if epsg else crs.to_wkt(),
        (pixel, 0.0, corner.left, 0.0, -pixel, corner.top),
        width * matrix.matrixWidth,
        height * matrix.matrixHeight,
    )
    return TileLevel(str(zoom), frame, width, height)
