"""WMS 1.1.1 and 1.3.0: pictures that a server draws of any box, asked for in whole pixels."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from math import ceil, floor

import numpy as np

from ...errors import FrameError
from ...frame import ImageFrame
from ...operation import seam
from .address import Address, AddressTemplate
from .capabilities import is_north_first, metres_a_unit
from .fetcher import Fetcher, Request
from .fetching import Politeness
from .looks import Looks
from .mapping import Mapping
from .mosaic import Mosaic, mosaic
from .resampling import resample
from .server_errors import PoleError, TooCoarseError
from .source import FORBIDDEN_TILES, About, Cost, ImagerySpec, Pixels, Source
from .tile_level import Piece, TileLevel
from .tiled_source import COLORS, extent_around, mapped
from .window import Extent
from .wms_service import WmsService, wms_service

# Of a picture as it travels, in what a service was asked for, and of its values.
_USUAL_BYTES_A_PIXEL = {"image/jpeg": 0.4, "image/webp": 0.3, "image/tiff": 3.0}
_USUAL_LOSSLESS = 2.0
_USUAL_PIXEL_BYTES = 3
_NEARLY = 1.005
# Pictures may have many megapixels: they aren't kept.
_KEPT = 1


def open_(spec: ImagerySpec) -> Source:
    """Open a WMS: what it says of itself is fetched. Raises UsageError, ServerError."""
    service, rules = wms_service(spec)
    return WmsSource(spec, service, rules)


# West, south, east, north in a CRS.
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Drawing:
    """A grid that pictures are asked for on. crs_name: as the service calls it."""

    crs_name: str
    level: TileLevel
    where: Mapping
    extent: Extent


class WmsSource:
    """A WMS that is open. See `Source` for what it can be asked."""

    def __init__(self, spec: ImagerySpec, service: WmsService, rules: Politeness) -> None:
        about = About(
            service.published, attribution=service.attribution, date_captured=service.time
        )
        self.about = spec.told(about)
        self._spec = spec
        self._service = service
        self._fetcher = Fetcher(rules, _KEPT)
        self._looks = Looks(service.keep_blank)

    def native_gsd_m(self, lon: float, lat: float) -> float | None:
        """Return the metres of true ground of a pixel, as it was told, None outside of the layer.

        A WMS draws at any scale and never says how fine its imagery is.
        """
        west, south, east, north = self._service.box
        inside = south <= lat <= north and (lon - west) % 360.0 <= east - west
        return self._service.gsd_m if inside else None

    def own_frame(self, lon: float, lat: float, width: int, height: int) -> ImageFrame | None:
        """Return None: a WMS has no grid of its own."""
        return None

    def cost(self, frame: ImageFrame) -> Cost:
        """Return what `read` would take."""
        drawing = self._drawing(frame, is_refused=False)
        rows, columns = drawing.extent.size
        requests = sum(1 for _ in self._pieces(drawing))
        a_pixel = _USUAL_BYTES_A_PIXEL.get(self._service.format, _USUAL_LOSSLESS)
        sent = int(rows * columns * a_pixel)
        return Cost(rows * columns, sent, requests, _USUAL_PIXEL_BYTES)

    def read(self, frame: ImageFrame) -> Pixels:
        """Return the pixels of a frame, from pictures at least as fine as it."""
        drawing = self._drawing(frame)
        extent = drawing.extent
        drawn = self._drawn(drawing)
        nodes = drawing.where.in_block(extent.left, extent.top, 1.0, 1.0)
        mask = None if drawn.valid.all() else drawn.valid
        name, shape = self._spec.resampling, (frame.height, frame.width)
        values, valid = resample(drawn.values, mask, nodes, shape, name, drawing.where.scale)
        extra = {
            **self.about.extra,
            "crs": drawing.crs_name,
            "requests": drawn.counts.tiles,
            "missing_tiles": drawn.counts.missing,
            FORBIDDEN_TILES: drawn.counts.forbidden,
            "placeholder_tiles": drawn.counts.placeholders,
        }
        about = replace(self.about, extra=extra)
        return Pixels(
            frame, values, valid, about, COLORS[len(values)], resampling=name, tiles=drawn.tiles,
            placeholder_share=drawn.placeholder_share,
        )  # fmt: skip

    def learn(self, placeholders: Iterable[str]) -> None:
        """Leave these pictures out from now on."""
        self._looks.learn(placeholders)

    def close(self) -> None:
        """Let go of threads; connections are kept for others."""
        self._fetcher.close()

    def _drawn(self, drawing: Drawing) -> Mosaic:
        requests = []
        for piece in self._pieces(drawing):
            box = _box(drawing, piece)
            requests.append(Request(piece, self._address(drawing, piece, box), self._place(box)))
        return mosaic(requests, drawing.extent, self._fetcher, self._looks, is_sure=True)

    def _drawing(self, frame: ImageFrame, is_refused: bool = True) -> Drawing:
        """Return the grid to draw on, in the first CRS of the layer that reaches the frame."""
        gsd_m = frame.gsd()
        if is_refused and gsd_m is not None and gsd_m * _NEARLY < self._service.gsd_m:
            raise TooCoarseError(
                f"its pixels have {self._service.gsd_m:g} m, {gsd_m:.3g} m are asked for",
                self._service.published, "ask for a coarser --gsd",
            )  # fmt: skip
        fault: PoleError | None = None
        for crs_name, crs in self._service.crs_names.items():
            try:
                return self._drawing_in(crs_name, crs, frame)
            except PoleError as found:
                fault = fault or found
        raise fault or PoleError("no CRS of the layer reaches there", self._service.published)

    def _drawing_in(self, crs_name: str, crs: str, frame: ImageFrame) -> Drawing:
        shown = self._service.published
        rough = (frame.gsd() or self._service.gsd_m) / metres_a_unit(crs)
        first = _grid(crs, rough, rough, frame, shown)
        scale = mapped(first, frame, shown).scale
        pixel_x, pixel_y = (rough * along / self._service.oversample for along in scale)
        level = _grid(crs, pixel_x, pixel_y, frame, shown)
        where = mapped(level, frame, shown)
        extent = level.clipped(extent_around(where, self._spec.resampling))
        if extent is None:
            raise PoleError(f"it lies where {crs_name} ends", shown, "use other imagery there")
        return Drawing(crs_name, level, where, extent)

    def _pieces(self, drawing: Drawing) -> Iterator[Piece]:
        most_width, most_height = self._service.most_pixels
        for top, bottom in parts(drawing.extent.top, drawing.extent.bottom, most_height, None):
            for left, right in parts(
                drawing.extent.left, drawing.extent.right, most_width, drawing.level.turn
            ):
                yield Piece(left, top, left, top, right - left, bottom - top)

    def _place(self, box: Box) -> str:
        """Name the ground of a picture, alike for boxes that lie on each other but for a little.

        A server that draws whole pixels of its image gives the same picture for all of those.
        """
        west, south, east, north = box
        column, row = west // (east - west), south // (north - south)
        return f"{self._service.published} {column:.0f} {row:.0f}"

    def _address(self, drawing: Drawing, piece: Piece, box: Box) -> Address:
        """Return the address of a picture."""
        west, south, east, north = box
        if self._service.version == "1.3.0" and is_north_first(drawing.crs_name):
            box = south, west, north, east
        template: AddressTemplate = self._service.drawing_of[drawing.crs_name]
        return template.fill(
            {
                "bbox": ",".join(f"{value:.15g}" for value in box),
                "width": str(piece.width),
                "height": str(piece.height),
            }
        )


def _box(drawing: Drawing, piece: Piece) -> Box:
    """Return a picture's box, within one turn of the world."""
    a, _, c, _, e, f = drawing.level.frame.transform or (1.0, 0.0, 0.0, 0.0, -1.0, 0.0)
    left = piece.left if drawing.level.turn is None else piece.left % drawing.level.turn
    west, north = c + a * left, f + e * piece.top
    return west, f + e * (piece.top + piece.height), c + a * (left + piece.width), north


def _grid(crs: str, pixel_x: float, pixel_y: float, frame: ImageFrame, shown: str) -> TileLevel:
    """Return the grid of all of a CRS where its x axis closes, else of the frame's surroundings."""
    closing = seam(crs)
    if closing is not None and closing.linear:
        period = closing.period
        columns = ceil(period / pixel_x)
        top = 90.0 if period == 360.0 else period / 2.0
        rows = floor(2.0 * top / pixel_y)
        transform = (period / columns, 0.0, -period / 2.0, 0.0, -pixel_y, top)
        return TileLevel(crs, ImageFrame(crs, transform, columns, rows), columns, rows)
    try:
        across, down = np.meshgrid([0.0, 0.5, 1.0], [0.0, 0.5, 1.0])
        outline = np.column_stack([across.ravel() * frame.width, down.ravel() * frame.height])
        x, y = frame.pixel_to_crs(outline, crs).T
    except FrameError as fault:
        raise PoleError(
            f"the patch lies nowhere in {crs} ({fault})", shown, "name another crs"
        ) from None
    # Half as much again on each side: edges bend, and the kernel reaches over them.
    spare_x, spare_y = np.ptp(x) / 2.0 + 16.0 * pixel_x, np.ptp(y) / 2.0 + 16.0 * pixel_y
    left, top = float(x.min() - spare_x), float(y.max() + spare_y)
    columns, rows = (
        ceil((x.max() + spare_x - left) / pixel_x),
        ceil((top - y.min() + spare_y) / pixel_y),
    )
    frame = ImageFrame(crs, (pixel_x, 0.0, left, 0.0, -pixel_y, top), columns, rows)
    return TileLevel(crs, frame, columns, rows)


def parts(start: int, end: int, most: int, turn: int | None) -> Iterator[tuple[int, int]]:
    """Yield about equal parts, none longer than `most`, none across the seam of the world."""
    edges = [start, end]
    if turn is not None:
        seams = [number * turn for number in range(start // turn + 1, -(-end // turn))]
        edges = [start, *seams, end]
    for low, high in itertools.pairwise(edges):
        count = -(-(high - low) // most)
        cuts = [low + (high - low) * n // count for n in range(count + 1)]
        yield from itertools.pairwise(cuts)
