"""Draws what was matched, spurious and missed over an image."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import MissingPackageError
from ...overlay import OverlayFeature
from ...overlay.colours import COLOURS
from ..shown_pixels import Window

Floats = NDArray[np.float64]
Ring = Sequence[tuple[float, float]]

# Of a picture on the page, and how much larger it is drawn to smooth its lines.
LONGEST_SIDE = 360
_FINER = 2
_QUALITY = 78
_FILL = 110  # of 255
_LINE, _THIN = 2 * _FINER, 1 * _FINER
_DASH, _GAP = 7.0 * _FINER, 4.0 * _FINER
_WHITE = (255, 255, 255)
# Under yellow, which is lost on snow and roofs.
_CASINGS = {COLOURS["spurious"]: (60, 60, 60)}


def overlay_jpeg(
    pixels: NDArray[np.uint8],
    window: Window,
    features: Sequence[OverlayFeature],
    true_boxes: Iterable[Floats] = (),
) -> bytes:
    """Return a JPEG of an image with an overlay's masks or boxes.

    pixels (h, w, 3): of the window. features: of one modality. true_boxes (4, 2): corners in
    pixels of the image, drawn thin and white below. What was missed is dashed. Raises
    MissingPackageError without Pillow.
    """
    from_image = pillow("Image")
    size = _size(window)
    canvas = from_image.fromarray(np.ascontiguousarray(pixels)).convert("RGB").resize(size)
    drawing = _Drawing(canvas, window)
    drawing.masks([feature for feature in features if feature.modality == "mask"])
    for corners in true_boxes:
        drawing.ring(corners, _WHITE, _THIN)
    for feature in features:
        if feature.modality != "mask":
            drawing.outline(feature)
    small = drawing.canvas.resize((size[0] // _FINER, size[1] // _FINER), resample=1)  # Lanczos
    out = io.BytesIO()
    small.save(out, "JPEG", quality=_QUALITY, optimize=True)
    return out.getvalue()


def pillow(module: str) -> Any:
    """Return one of Pillow's modules; MissingPackageError without it."""
    try:
        from PIL import Image, ImageDraw
    except ImportError:
        raise MissingPackageError(
            "the gallery needs Pillow", "here", "pip install 'ovearth[report]'"
        ) from None
    return {"Image": Image, "ImageDraw": ImageDraw}[module]


def _size(window: Window) -> tuple[int, int]:
    _, _, width, height = window
    scale = LONGEST_SIDE / max(width, height)
    return _FINER * max(1, round(width * scale)), _FINER * max(1, round(height * scale))


class _Drawing:
    def __init__(self, canvas: Any, window: Window) -> None:
        self.canvas = canvas
        left, top, width, height = window
        self._origin = np.array([left, top], dtype=np.float64)
        self._scale = np.array(canvas.size) / np.array([width, height])

    def masks(self, features: Sequence[OverlayFeature]) -> None:
        """Fill and outline the pixels of each outcome."""
        image, drawer = pillow("Image"), pillow("ImageDraw")
        for feature in features:
            alpha = image.new("L", self.canvas.size, 0)
            draw = drawer.Draw(alpha)
            # What lies in a hole of another is smaller than that: it is drawn after it.
            for outer, *holes in sorted(feature.polygons, key=lambda rings: -_extent(rings[0])):
                draw.polygon(self._placed(outer), fill=_FILL)
                for hole in holes:
                    draw.polygon(self._placed(hole), fill=0)
            self.canvas.paste(COLOURS[feature.outcome], (0, 0), alpha)
        for feature in features:
            self.outline(feature)

    def outline(self, feature: OverlayFeature) -> None:
        """Draw along a feature's edge."""
        for rings in feature.polygons:
            for ring in rings:
                is_dashed = feature.outcome == "missed"
                self.ring(ring, COLOURS[feature.outcome], _LINE, is_dashed)

    def ring(
        self, ring: Floats, colour: tuple[int, int, int], width: int, is_dashed: bool = False
    ) -> None:
        """Draw a ring (N, 2)."""
        points = self._placed(ring)
        closed = [*points, points[0]]
        draw = pillow("ImageDraw").Draw(self.canvas)
        if colour in _CASINGS:
            draw.line(closed, fill=_CASINGS[colour], width=width + _THIN, joint="curve")
        for piece in _dashes(closed) if is_dashed else [closed]:
            draw.line(piece, fill=colour, width=width, joint="curve")

    def _placed(self, ring: Floats) -> list[tuple[float, float]]:
        placed = (np.asarray(ring) - self._origin) * self._scale
        # Pillow takes no coordinates of any size, and none is needed far outside.
        far = 4.0 * max(self.canvas.size)
        return [(float(x), float(y)) for x, y in np.clip(placed, -far, far)]


def _extent(ring: Floats) -> float:
    width, height = np.ptp(np.asarray(ring), axis=0).tolist()
    return float(width * height)


def _dashes(points: Ring) -> Iterable[Ring]:
    """Yield the pieces of a line that are drawn."""
    path = np.asarray(points)
    steps = np.hypot(*np.diff(path, axis=0).T)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    for start in np.arange(0.0, along[-1], _DASH + _GAP):
        stop = min(start + _DASH, along[-1])
        inner = along[(along > start) & (along < stop)]
        places = np.concatenate([[start], inner, [stop]])
        x, y = (np.interp(places, along, path[:, axis]) for axis in (0, 1))
        yield list(zip(x.tolist(), y.tolist(), strict=True))
