"""Coordinates as callers hand them in, made (N, size) float64 or refused in one sentence.

NumPy alone would turn "1", True and None into numbers without a word; files hold all three.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import GeometryError

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]

_WORDS = {2: "two", 4: "four", 8: "eight"}
# Products of two squared lengths must neither overflow nor vanish.
_SAFE_EXPONENTS = (-240, 240)
_show = reprlib.Repr()
_show.maxlist = _show.maxtuple = 8


def finite_rows(values: object, size: int, noun: str, mend: str) -> Floats:
    """Return `values`, an array (N, size) or a list of rows of `size` numbers, as float64.

    noun: what one row is called in an error, `mend` how to mend it. The result may be the very
    array that was given, so it must not be written to. An empty list is (0, size).
    Raises GeometryError naming the first row that is not `size` finite numbers, and its values.
    """
    table = _table(values, size, noun, mend)
    if not np.isfinite(table).all():
        index = int(np.flatnonzero(~np.isfinite(table).all(axis=1))[0])
        raise refused(noun, index, table[index], "is not finite", mend)
    return table


def refused(noun: str, index: int, row: object, fault: str, mend: str) -> GeometryError:
    """Return the error that names row `index`, its values and its fault."""
    return GeometryError(f"{noun} {index} {shown(row)} {fault}", mend=mend)


def shown(value: object) -> str:
    """Return a value as a person would write it, long ones shortened."""
    return _show.repr(value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value)


def safe_exponent(largest: Floats) -> NDArray[np.int32]:
    """Return k such that coordinates times 2**-k can be multiplied safely; 0 nearly always.

    largest: the largest magnitude of each set of coordinates. Scaling by a power of two is exact.
    """
    exponent = np.frexp(largest)[1]
    lowest, highest = _SAFE_EXPONENTS
    safe = (exponent >= lowest) & (exponent <= highest)
    return np.where(safe | (largest == 0), 0, exponent).astype(np.int32)


def _table(values: object, size: int, noun: str, mend: str) -> Floats:
    if isinstance(values, np.ndarray) and values.dtype.kind in "fiu":
        return _numeric_table(values, size, noun, mend)
    if isinstance(values, np.ndarray) or hasattr(values, "__array__"):
        array = np.asarray(values)
        if array.dtype.kind in "fiu":
            return _numeric_table(array, size, noun, mend)
        values = array.tolist()
    if not isinstance(values, (list, tuple)):
        raise GeometryError(f"{shown(values)} is not a list with one row a {noun}", mend=mend)
    if not _is_plain(values, size):
        for index, row in enumerate(values):
            if fault := _fault(row, size):
                raise refused(noun, index, row, fault, mend)
        values = [list(row) for row in values]
    if not values:
        return np.zeros((0, size))
    try:
        return np.array(values, dtype=np.float64)
    except OverflowError:
        index = next(k for k, row in enumerate(values) if _overflows(row))
        raise refused(noun, index, values[index], "is not finite", mend) from None


def _numeric_table(array: NDArray[np.generic], size: int, noun: str, mend: str) -> Floats:
    if array.shape == (0,):
        return np.zeros((0, size))
    if array.ndim != 2:
        raise GeometryError(
            f"an array of shape {array.shape} does not hold one {noun} a row", mend=mend
        )
    if array.shape[1] != size:
        fault = f"has {array.shape[1]} numbers instead of {_WORDS[size]}"
        if len(array):
            raise refused(noun, 0, array[0], fault, mend)
        raise GeometryError(f"a {noun} {fault}", mend=mend)
    with np.errstate(over="ignore"):
        return np.asarray(array, dtype=np.float64)


def _is_plain(rows: Sequence[object], size: int) -> bool:
    """Tell at C speed whether all rows are lists, tuples or vectors of `size` numbers."""
    kinds = set(map(type, rows))
    if not kinds <= {list, tuple, np.ndarray}:
        return False
    if np.ndarray in kinds and any(isinstance(row, np.ndarray) and row.ndim != 1 for row in rows):
        return False
    sized: list[Sequence[object]] = list(rows)  # type: ignore[arg-type]
    if set(map(len, sized)) - {size}:
        return False
    return all(map(_is_number, set(map(type, chain.from_iterable(sized)))))


def _is_number(kind: type) -> bool:
    return issubclass(kind, (int, float, np.integer, np.floating)) and not issubclass(
        kind, (bool, np.timedelta64)
    )


def _fault(row: Any, size: int) -> str:
    """Return what keeps a row from being `size` numbers, or an empty string."""
    vector = row.ndim == 1 if isinstance(row, np.ndarray) else isinstance(row, (list, tuple))
    if not vector:
        return f"is not a list of {_WORDS[size]} numbers"
    if len(row) != size:
        return f"has {len(row)} numbers instead of {_WORDS[size]}"
    strangers = (value for value in row if not _is_number(type(value)))
    stranger = next(strangers, row)
    return "" if stranger is row else f"holds {shown(stranger)}, which is not a number"


def _overflows(row: Sequence[float]) -> bool:
    try:
        return not all(map(np.isfinite, map(float, row)))
    except OverflowError:
        return True


def windows(start: Indices, stop: Indices, cells: int) -> Iterator[tuple[Indices, Indices]]:
    """Yield (owner, member) for every member of [start, stop) of every owner, in that order.

    At most `cells` pairs at a time, or one owner's where it alone has more.
    """
    counts = stop - start
    ends = np.cumsum(counts)
    first = 0
    while first < len(counts):
        before = int(ends[first - 1]) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, before + cells, side="right")))
        some = counts[first:last]
        owner = np.repeat(np.arange(first, last), some)
        skipped = start[first:last] - (ends[first:last] - some) + before
        yield owner, np.arange(int(some.sum())) + np.repeat(skipped, some)
        first = last
