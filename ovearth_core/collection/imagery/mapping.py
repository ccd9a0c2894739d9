"""Where the pixels of an output frame lie in a raster, exact at the nodes of a grid over it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...frame import ImageFrame
from ...operation import Points
from .placing import Placing
from .resampling import Floats, Nodes

_FIRST_STEP = 256
# Farthest that a position between nodes may be from the exact one, in output pixels.
_EXACT_PX = 0.004


@dataclass(frozen=True)
class Mapping:
    """Positions in a raster's pixels, at the nodes of an output frame.

    scale: raster pixels an output pixel, in x and y of the raster, at the frame's centre.
    """

    nodes: Nodes
    scale: tuple[float, float]

    def bounds(self) -> tuple[float, float, float, float]:
        """Return left, top, right, bottom of what the frame covers, in the raster's pixels."""
        x, y = self.nodes.x, self.nodes.y
        return float(x.min()), float(y.min()), float(x.max()), float(y.max())

    def in_block(self, left: float, top: float, factor_x: float, factor_y: float) -> Nodes:
        """Return the nodes in the pixels of a block: its corner, and raster pixels a pixel."""
        x = (self.nodes.x - left) / factor_x
        y = (self.nodes.y - top) / factor_y
        return Nodes(x, y, self.nodes.step_x, self.nodes.step_y)


def mapping(placing: Placing, frame: ImageFrame) -> Mapping:
    """Return where a frame lies in a raster; FrameError where a part of it lies nowhere.

    Between nodes positions are interpolated, to `_EXACT_PX` of what PROJ says: nodes are set as
    close as that takes.
    """
    step = _FIRST_STEP
    while True:
        nodes, scale = _nodes(placing, frame, step)
        if step == 1 or _error_px(placing, frame, nodes, scale) <= _EXACT_PX:
            return Mapping(nodes, scale)
        step //= 2


def _nodes(placing: Placing, frame: ImageFrame, step: int) -> tuple[Nodes, tuple[float, float]]:
    columns, rows = -(-frame.width // step) + 1, -(-frame.height // step) + 1
    x, y = np.linspace(0.0, frame.width, columns), np.linspace(0.0, frame.height, rows)
    pixels = np.column_stack([axis.ravel() for axis in np.meshgrid(x, y)])
    found = _positions(placing, frame, pixels)
    at_x, at_y = found[:, 0].reshape(rows, columns), found[:, 1].reshape(rows, columns)
    return Nodes(at_x, at_y, float(x[1]), float(y[1])), _scale(placing, frame)


def _scale(placing: Placing, frame: ImageFrame) -> tuple[float, float]:
    centre = np.array([frame.width / 2.0, frame.height / 2.0])
    half = np.array([[-0.5, 0.0], [0.5, 0.0], [0.0, -0.5], [0.0, 0.5]])
    west, east, north, south = _positions(placing, frame, centre + half)
    scale_x, scale_y = np.hypot(east - west, south - north)
    return float(scale_x), float(scale_y)


def _error_px(
    placing: Placing, frame: ImageFrame, nodes: Nodes, scale: tuple[float, float]
) -> float:
    """Return how far the middles of cells are from where they are interpolated, output pixels."""
    rows, columns = nodes.x.shape
    x = (np.arange(columns - 1) + 0.5) * nodes.step_x
    y = (np.arange(rows - 1) + 0.5) * nodes.step_y
    middles = np.column_stack([axis.ravel() for axis in np.meshgrid(x, y)])
    exact = _positions(placing, frame, middles)
    guess = np.column_stack([_middle(nodes.x).ravel(), _middle(nodes.y).ravel()])
    return float((np.abs(exact - guess) / np.maximum(scale, 1e-9)).max())


def _middle(nodes: Floats) -> Floats:
    return np.asarray((nodes[:-1, :-1] + nodes[1:, :-1] + nodes[:-1, 1:] + nodes[1:, 1:]) / 4.0)


def _positions(placing: Placing, frame: ImageFrame, pixels: Points) -> Points:
    """Return raster positions of output pixels, in one piece where the world closes on itself."""
    crs = frame.crs or ""
    centre = np.array([[frame.width / 2.0, frame.height / 2.0]])
    found = placing.to_pixel(frame.pixel_to_map(np.vstack([centre, pixels])), crs)
    if placing.turn is not None:
        turns = np.round((found - found[0]) @ placing.turn / (placing.turn @ placing.turn))
        found = found - turns[:, None] * placing.turn
    return found[1:]
