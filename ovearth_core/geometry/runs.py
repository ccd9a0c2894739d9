"""Masks as runs: what COCO's run-length encoding holds, sorted and never decoded to score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import GeometryError
from .intervals import IntArray, merged, shared, shared_length
from .rings import Polygon, polygons_of
from .rle import image_size, read_rle, write_rle
from .scan import covered


@dataclass(frozen=True, slots=True, eq=False)
class Runs:
    """The foreground pixels of an image of height x width.

    bounds: int64 [start0, end0, start1, end1, …), end excluded, strictly increasing, of positions
    column * height + row: column by column, as in COCO's RLE. No run is empty and none touches
    the next, so equal masks have equal bounds. Read-only. Make one by the class methods.
    """

    height: int
    width: int
    bounds: IntArray

    def __post_init__(self) -> None:
        self.bounds.setflags(write=False)

    def __reduce__(self) -> tuple[type[Runs], tuple[int, int, IntArray]]:
        # Through __init__, so that a mask sent to another process stays read-only there.
        return Runs, (self.height, self.width, self.bounds)

    @classmethod
    def empty(cls, height: int, width: int) -> Runs:
        """Return the mask without foreground; GeometryError for a size that is none."""
        return cls(*image_size(height, width), np.empty(0, np.int64))

    @classmethod
    def from_polygons(cls, shapes: Sequence[Any], height: int, width: int) -> Runs:
        """Return the union of shapes in pixel coordinates, by the project's pixel rule (`scan`).

        shapes: GeoJSON objects with polygons in them, or rings (N, 2) of x and y. What sticks out
        of the image doesn't count; a shape that covers no pixel centre is an empty mask.
        GeometryError for what is no polygon, and for a size that is none.
        """
        return cls.from_rings(polygons_of(shapes), height, width)

    @classmethod
    def from_rings(cls, polygons: Sequence[Polygon], height: int, width: int) -> Runs:
        """Return the union of polygons as `polygons_from_geojson` gives them, by the pixel rule."""
        rows, columns = image_size(height, width)
        return cls(rows, columns, covered(polygons, rows, columns))

    @classmethod
    def from_rle(cls, rle: object) -> Runs:
        """Return the mask of {"size": [height, width], "counts": str, bytes or list of int}.

        GeometryError, in a sentence, for any that is malformed.
        """
        return cls(*read_rle(rle))

    @classmethod
    def from_array(cls, mask: npt.ArrayLike) -> Runs:
        """Return the mask of a (height, width) array: foreground is what is not zero.

        What a masked array hides is background. GeometryError for other shapes and for NaN, which
        is neither foreground nor background.
        """
        pixels = _unmasked(mask)
        if pixels.ndim != 2 or pixels.dtype.kind not in "biuf":
            raise GeometryError(
                f"a mask array of shape {pixels.shape} and type {pixels.dtype}",
                mend="give one band of numbers, (height, width)",
            )
        height, width = image_size(*pixels.shape)
        if pixels.dtype.kind == "f" and np.isnan(pixels).any():
            raise GeometryError("a mask array with NaN in it", mend="set it to zero")
        foreground = (pixels != 0).ravel(order="F")
        changes = np.flatnonzero(foreground[1:] != foreground[:-1]) + 1
        before = [0] if foreground[0] else []
        after = [height * width] if foreground[-1] else []
        return cls(height, width, np.concatenate((before, changes, after)).astype(np.int64))

    @classmethod
    def union(cls, masks: Sequence[Runs]) -> Runs:
        """Return the pixels of any mask; GeometryError if there are none or sizes differ."""
        if not masks:
            raise GeometryError("a union of no masks", mend="use Runs.empty(height, width)")
        first = masks[0]
        for other in masks[1:]:
            _check_sizes(first, other)
        return cls(first.height, first.width, merged([mask.bounds for mask in masks]))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Runs):
            return NotImplemented
        same_size = (self.height, self.width) == (other.height, other.width)
        return same_size and np.array_equal(self.bounds, other.bounds)

    def __hash__(self) -> int:
        return hash((self.height, self.width, self.bounds.tobytes()))

    def __or__(self, other: Runs) -> Runs:
        return Runs.union([self, other])

    def __and__(self, other: Runs) -> Runs:
        _check_sizes(self, other)
        return Runs(self.height, self.width, shared(self.bounds, other.bounds))

    @property
    def area(self) -> int:
        """Number of foreground pixels."""
        return int((self.bounds[1::2] - self.bounds[0::2]).sum())

    @property
    def is_empty(self) -> bool:
        """Whether there is no foreground."""
        return not len(self.bounds)

    def to_rle(self) -> dict[str, Any]:
        """Return {"size", "counts"} with counts as a string, as pycocotools' encode writes them."""
        return write_rle(self.bounds, self.height, self.width)

    def to_array(self) -> npt.NDArray[np.bool_]:
        """Return the mask as (height, width) of bool, C-contiguous."""
        edges = np.concatenate(([0], self.bounds, [self.height * self.width]))
        colour = np.arange(len(edges) - 1) % 2 == 1
        columns = np.repeat(colour, np.diff(edges)).reshape(self.width, self.height)
        return np.ascontiguousarray(columns.T)

    def corner_points(self) -> npt.NDArray[np.float64]:
        """Return (K, 2) pixel coordinates x, y with the convex hull of all foreground pixels.

        They are outer corners of pixels: of the top and bottom one in each column, so the
        envelope and hull are right after any affine map too. At most four a column; (0, 2) for an
        empty mask.
        """
        left, right, top, bottom = _column_extents(self)
        x = np.stack((left, right, right, left), axis=1)
        y = np.stack((top, top, bottom, bottom), axis=1)
        return np.stack((x.ravel(), y.ravel()), axis=1).astype(np.float64)


def intersection_area(a: Runs, b: Runs) -> int:
    """Return the number of pixels that both masks hold; GeometryError if their sizes differ."""
    _check_sizes(a, b)
    return shared_length(a.bounds, b.bounds)


def _unmasked(mask: npt.ArrayLike) -> npt.NDArray[Any]:
    return mask.filled(0) if isinstance(mask, np.ma.MaskedArray) else np.asarray(mask)


def _check_sizes(a: Runs, b: Runs) -> None:
    if a.height != b.height or a.width != b.width:
        raise GeometryError(
            f"masks of different sizes, [{a.height}, {a.width}] and [{b.height}, {b.width}]",
            mend="give both at the size of the image, [height, width]",
        )


def _column_extents(mask: Runs) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return left, right, top and bottom of rectangles with the mask's hull, left to right."""
    if mask.is_empty:
        nothing = np.empty(0, np.int64)
        return nothing, nothing, nothing, nothing
    first, top = np.divmod(mask.bounds[0::2], mask.height)
    last, bottom = np.divmod(mask.bounds[1::2] - 1, mask.height)
    several, many = last > first, last > first + 1
    # A run over several columns: its first to the foot, those between as one block, its last.
    full = np.full(np.count_nonzero(many), mask.height)
    zero = np.zeros(np.count_nonzero(several), np.int64)
    lefts = np.concatenate((first, first[many] + 1, last[several]))
    rights = np.concatenate((first + 1, last[many], last[several] + 1))
    tops = np.concatenate((top, zero[: len(full)], zero))
    bottoms = np.concatenate(
        (np.where(several, mask.height, bottom + 1), full, bottom[several] + 1)
    )
    order = np.argsort(lefts, kind="stable")
    lefts, rights, tops, bottoms = lefts[order], rights[order], tops[order], bottoms[order]
    new = np.flatnonzero(np.concatenate(([True], lefts[1:] != lefts[:-1])))
    highest, lowest = np.minimum.reduceat(tops, new), np.maximum.reduceat(bottoms, new)
    return lefts[new], rights[new], highest, lowest
