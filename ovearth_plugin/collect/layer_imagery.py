"""Any raster layer of the project as imagery: files by GDAL, the rest drawn by QGIS's own provider.

QGIS's network settings, proxy, certificates and logins apply, since its provider does the asking.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import replace
from itertools import product
from urllib.parse import unquote

import numpy as np
from qgis.core import (
    Qgis,
    QgsDataProvider,
    QgsDataSourceUri,
    QgsProviderRegistry,
    QgsRasterBlockFeedback,
    QgsRasterDataProvider,
    QgsRasterLayer,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QCoreApplication

from ...ovearth_core.collection.imagery import ImagerySpec, Source
from ...ovearth_core.collection.imagery.address import hidden
from ...ovearth_core.collection.imagery.drawn import DrawnLayer, drawn_source
from ...ovearth_core.collection.imagery.raster import CRS_IF_NONE
from ...ovearth_core.collection.imagery.source import add_kind
from ...ovearth_core.collection.imagery.tile_level import TileLevel
from ...ovearth_core.errors import InputError
from ...ovearth_core.frame import ImageFrame
from ..compat import WIDENS_TILES
from ..crs_text import crs_text
from ..tasks import CanceledError

KIND = "layer"
_GSD = "gsd"
_TILE_PX = 256
# Where QGIS widens tiles by a pixel of the picture: so many of those make a pixel, of which the
# middle one is taken, off by a seventh at most; a part at a time, for they are 49 times as many.
_FINER, _PART_PX = 7, 256
# Corners of the tiles' grids that are known; others begin at the layer's own corner.
_WORLD_M = 40075016.68557849
_GRIDS = {
    "EPSG:3857": (-_WORLD_M / 2, _WORLD_M / 2, _WORLD_M, _WORLD_M),
    "EPSG:4326": (-180.0, 90.0, 360.0, 180.0),
}
# Parameters of a layer that decide over its pixels.
_TELLING = ("type", "layers", "styles", "format", "crs", "tileMatrixSet", "zmin", "zmax", "time")
# Of 32 bits: blue, green, red, alpha, in this order in memory.
_RGBA = [2, 1, 0, 3]

_prepared: dict[str, LayerImagery] = {}


class LayerImagery:
    """A layer made ready on the main thread, to be read in others until `release`.

    spec: names it to the core. Raises InputError for a layer that can't be imagery.
    """

    def __init__(self, layer: QgsRasterLayer, spec: ImagerySpec | None = None) -> None:
        given = spec or ImagerySpec("")
        self.title = layer.name()
        self._feedback = QgsRasterBlockFeedback()
        self._lock = threading.Lock()
        self._of_thread: dict[tuple[int, int | None], QgsRasterDataProvider] = {}
        self._provider: QgsRasterDataProvider | None = None
        if not layer.isValid():
            raise InputError(_tr("the layer can't be read"), self.title, _tr("mend its source"))
        if layer.providerType() == "gdal":
            # As the command line names it, so that either goes on where the other stopped.
            source = layer.source()
            plain = replace(given, text=source)
            self.spec = (
                plain if plain.kind() == "raster" else replace(given, text=f"raster:{source}")
            )
            self._follow_crs(layer)
            return
        self._prepare(layer, given)

    def _follow_crs(self, layer: QgsRasterLayer) -> None:
        """Take the layer's CRS where the file has none; InputError where it is another one."""
        own, chosen = layer.dataProvider().crs(), layer.crs()
        if not own.isValid():
            text = crs_text(chosen)
            if text is not None:
                self.spec = replace(self.spec, options=((CRS_IF_NONE, text),))
        elif chosen.isValid() and chosen != own:
            raise InputError(
                _tr("the layer was given the CRS {}, its file says {}").format(
                    chosen.authid() or chosen.description(), own.authid() or own.description()
                ),
                self.title,
                _tr("set the layer's CRS back, or mend the file (gdal_edit -a_srs)"),
            )

    def _prepare(self, layer: QgsRasterLayer, given: ImagerySpec) -> None:
        crs = crs_text(layer.crs())
        if crs is None:
            raise InputError(
                _tr("the layer has no CRS"), self.title, _tr("set it in the layer's properties")
            )
        provider = layer.dataProvider()
        if provider.dataType(1) not in _PICTURES:
            raise InputError(
                _tr("QGIS gives no pictures of this layer"), self.title,
                _tr("export it as GeoTIFF, and take that"),
            )  # fmt: skip
        extent = provider.extent()
        box = (extent.xMinimum(), extent.yMinimum(), extent.xMaximum(), extent.yMaximum())
        levels = _levels(provider, crs, box)
        text = f"{KIND}:{_name_of(layer)}"
        self.spec = replace(given, text=text, source=given.source or self.title)
        self.needs_gsd = not levels
        self._drawn = DrawnLayer(
            self.title, crs, box, _draw_of(text), _nothing, levels,
            attribution=_attribution(layer),
        )  # fmt: skip
        self._provider = provider.clone()
        uri = QgsDataSourceUri()
        uri.setEncodedUri(layer.source())
        if WIDENS_TILES and crs == "EPSG:3857" and uri.param("type") == "xyz":
            self._xyz = uri
        _prepared[text] = self

    needs_gsd = False
    _xyz: QgsDataSourceUri | None = None

    def with_gsd(self, gsd_m: float | None) -> ImagerySpec:
        """Return the spec, with how fine the layer is where only a person knows that."""
        if not self.needs_gsd or gsd_m is None:
            return self.spec
        return replace(self.spec, options=((_GSD, f"{gsd_m:.9g}"),))

    def open(self, spec: ImagerySpec) -> Source:
        """Open it for the core, in any thread."""
        gsd = dict(spec.options).get(_GSD)
        return drawn_source(spec, replace(self._drawn, gsd_m=None if gsd is None else float(gsd)))

    def draw(self, box: tuple[float, float, float, float], width: int, height: int) -> np.ndarray:
        """Return a picture (height, width, 4) of a box, red, green, blue and alpha."""
        west, south, east, north = box
        if self._xyz is None:
            rectangle = QgsRectangle(west, south, east, north)
            return _colours(*self._drawn_by(self._provider_here(None), rectangle, width, height))
        pixel_x, pixel_y = (east - west) / width, (north - south) / height
        provider = self._provider_here(round(math.log2(_WORLD_M / _TILE_PX / pixel_x)))
        picture = np.empty((height, width, 4), np.uint8)
        for top, left in product(range(0, height, _PART_PX), range(0, width, _PART_PX)):
            part = picture[top : top + _PART_PX, left : left + _PART_PX]
            rows, columns = part.shape[:2]
            x, y = west + left * pixel_x, north - top * pixel_y
            rectangle = QgsRectangle(x, y - rows * pixel_y, x + columns * pixel_x, y)
            raw, kind = self._drawn_by(provider, rectangle, _FINER * columns, _FINER * rows)
            part[:] = _colours(raw[_FINER // 2 :: _FINER, _FINER // 2 :: _FINER], kind)
        return picture

    def _drawn_by(
        self, provider: QgsRasterDataProvider, rectangle: QgsRectangle, width: int, height: int
    ) -> tuple[np.ndarray, Qgis.DataType]:
        """Return what the provider draws (height, width, 4), as it gives it, and its type."""
        if self._feedback.isCanceled():
            raise CanceledError
        block = provider.block(1, rectangle, width, height, self._feedback)
        if self._feedback.isCanceled():
            raise CanceledError
        if block is None or not block.isValid() or block.dataType() not in _PICTURES:
            said = provider.error().summary() or _tr("no reason is given")
            raise InputError(
                _tr("no picture came ({})").format(said), self.title, _tr("try again later")
            )
        # A view: what is drawn finer is 49 times as much, and copying it holds Python's lock.
        raw = np.frombuffer(block.data(), np.uint8).reshape(height, width, 4)
        return raw, block.dataType()

    def cancel(self) -> None:
        """Stop whatever is being waited for."""
        self._feedback.cancel()

    def release(self) -> None:
        """Let go of the layer: nothing is read any more."""
        if _prepared.get(self.spec.text) is self:
            del _prepared[self.spec.text]
        with self._lock:
            self._of_thread.clear()
            self._provider = None

    def _provider_here(self, level: int | None) -> QgsRasterDataProvider:
        """Return this thread's own provider: one may not be shared. level: the only one it has."""
        here = threading.get_ident(), level
        with self._lock:
            if self._provider is None:
                raise CanceledError
            if here not in self._of_thread:
                self._of_thread[here] = (
                    self._provider.clone() if level is None else _of_level(self._xyz, level)
                )
            return self._of_thread[here]


def _of_level(xyz: QgsDataSourceUri, level: int) -> QgsRasterDataProvider:
    """Return a provider of one level of tiles: it takes no finer one when it draws finer."""
    uri = QgsDataSourceUri()
    uri.setEncodedUri(bytes(xyz.encodedUri()).decode("ascii"))
    for name in ("zmin", "zmax"):
        uri.removeParam(name)
        uri.setParam(name, str(level))
    source = bytes(uri.encodedUri()).decode("ascii")
    options = QgsDataProvider.ProviderOptions()
    return QgsProviderRegistry.instance().createProvider("wms", source, options)


def _opened(spec: ImagerySpec) -> Source:
    if spec.text not in _prepared:
        raise InputError(
            _tr("the layer is not in the project"), spec.published, _tr("add it, and try again")
        )
    return _prepared[spec.text].open(spec)


def _draw_of(text: str) -> Callable:
    """Return what draws the layer of this name: sources are kept longer than a layer."""

    def draw(box, width: int, height: int) -> np.ndarray:
        if text not in _prepared:
            raise CanceledError
        return _prepared[text].draw(box, width, height)

    return draw


def _levels(
    provider: QgsRasterDataProvider, crs: str, box: tuple[float, float, float, float]
) -> tuple[TileLevel, ...]:
    """Return the levels of tiles that a provider has, coarse to fine; none where it draws."""
    west, south, east, north = box
    left, top, width, height = _GRIDS.get(crs, (west, north, east - west, north - south))
    levels = []
    for pixel in sorted(provider.nativeResolutions(), reverse=True):
        frame = ImageFrame(
            crs, (pixel, 0.0, left, 0.0, -pixel, top), round(width / pixel), round(height / pixel)
        )
        levels.append(TileLevel(f"{pixel:.9g}", frame, _TILE_PX, _TILE_PX))
    return tuple(levels)


def _attribution(layer: QgsRasterLayer) -> str | None:
    rights = [*layer.metadata().rights(), layer.attribution()]
    return next((text for text in rights if text), None)


def _colours(raw: np.ndarray, kind: Qgis.DataType) -> np.ndarray:
    """Return red, green, blue and alpha of pixels as QGIS lays them in memory."""
    picture = raw[:, :, _RGBA]
    return _unmixed(picture) if kind == Qgis.DataType.ARGB32_Premultiplied else picture


def _unmixed(picture: np.ndarray) -> np.ndarray:
    """Return colours that were multiplied by their alpha as they were before."""
    alpha = picture[:, :, 3:].astype(np.float32)
    if ((alpha == 0) | (alpha == 255)).all():
        return picture
    whole = np.minimum(picture[:, :, :3] * (255.0 / np.maximum(alpha, 1.0)) + 0.5, 255.0)
    return np.concatenate([whole.astype(np.uint8), picture[:, :, 3:]], axis=2)


def _name_of(layer: QgsRasterLayer) -> str:
    """Return what tells a layer from others, on any day: its source, without keys and logins."""
    uri = QgsDataSourceUri()
    uri.setEncodedUri(layer.source())
    url = uri.param("url")
    if not url:
        return f"{layer.providerType()}:{hidden(unquote(layer.source()))}"
    said = {name: ",".join(uri.params(name)) for name in _TELLING}
    more = "&".join(f"{name}={value}" for name, value in said.items() if value)
    return f"{layer.providerType()}:{hidden(unquote(url))}#{more}"


def _nothing() -> None:
    """Do nothing: the layer is let go of by whoever prepared it."""


def _tr(text: str) -> str:
    return QCoreApplication.translate("LayerImagery", text)


_PICTURES = (Qgis.DataType.ARGB32, Qgis.DataType.ARGB32_Premultiplied)
add_kind(KIND, _opened)
