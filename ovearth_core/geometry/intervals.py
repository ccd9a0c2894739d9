"""Sets of whole numbers as sorted bounds [start0, end0, start1, end1, ...), end excluded."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..kernels import compiled_body, same_kind

IntArray = npt.NDArray[np.int64]


def united(starts: IntArray, ends: IntArray) -> IntArray:
    """Return the bounds of the union of the intervals [starts, ends), each (N,), in any order.

    Empty intervals count for nothing, touching ones are joined: the bounds strictly increase.
    """
    if not len(starts):
        return np.empty(0, np.int64)
    # Stable is the kind that makes use of parts that are sorted, as they nearly always are.
    starts, ends = np.sort(starts, kind="stable"), np.sort(ends, kind="stable")
    # Sorted apart: once j intervals have ended and the next start is still to come, all j that
    # began have ended, so there is a gap; and every gap is found so.
    gap = starts[1:] > ends[:-1]
    starts = starts[np.concatenate(([True], gap))]
    ends = ends[np.concatenate((gap, [True]))]
    bounds = np.column_stack((starts, ends))[starts < ends]
    return bounds.reshape(-1)


def unpaired(ordered: IntArray) -> IntArray:
    """Return the values that occur an odd number of times in the sorted `ordered`, (N,), once."""
    if (body := compiled_body("unpaired")) is not None:
        left: IntArray = body(same_kind(ordered))
        return left
    differs = ordered[1:] != ordered[:-1]
    if differs.all():
        return ordered
    first = np.flatnonzero(np.concatenate(([True], differs)))
    times = np.diff(first, append=len(ordered))
    kept: IntArray = ordered[first[times % 2 == 1]]
    return kept


def complement(bounds: IntArray, size: int) -> IntArray:
    """Return the bounds of what `bounds` leaves of [0, size)."""
    return unpaired(np.concatenate(([0], bounds, [size])))


def merged(several: Sequence[IntArray]) -> IntArray:
    """Return the bounds of the union of one or more sets."""
    bounds = np.concatenate(several)
    if (body := compiled_body("merged_bounds")) is None:
        return united(bounds[0::2], bounds[1::2])
    union: IntArray = body(bounds, np.array([len(one) for one in several], np.int64))
    return union


def shared(a: IntArray, b: IntArray) -> IntArray:
    """Return the bounds of what the bounds `a` and `b` both hold."""
    if (body := compiled_body("shared_bounds")) is not None:
        both: IntArray = body(same_kind(a), same_kind(b))
        return both
    size = max([0, *a[-1:].tolist(), *b[-1:].tolist()])
    outside = np.concatenate([complement(one, size) for one in (a, b)])
    return complement(united(outside[0::2], outside[1::2]), size)


def shared_length(a: IntArray, b: IntArray) -> int:
    """Return how many numbers the strictly increasing bounds `a` and `b` both hold.

    The length L_b(x) of b below x is piecewise linear; the sum of L_b(end) - L_b(start) over the
    intervals of `a` is the answer, without the intersection itself.
    """
    if (body := compiled_body("shared_length")) is not None:
        return int(body(a, b))
    if len(a) > len(b):
        a, b = b, a
    before = np.searchsorted(b, a, side="right")
    # L_b(x) is the ends passed minus the starts passed, plus x while an interval is open.
    passed = np.zeros(len(b) + 1, np.int64)
    passed[1::2] = -b[0::2]
    passed[2::2] = b[1::2]
    length = passed.cumsum()[before] + a * (before & 1)
    return int(length[1::2].sum() - length[0::2].sum())
