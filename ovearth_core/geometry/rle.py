"""COCO's run-length encoding: counts of background, foreground, background, … by columns.

In the compressed form each count is written in groups of five bits, lowest first, one character
from chr(48) a group: 0x20 says that another group follows, 0x10 of the last is the sign. From the
fourth count on, the difference to the count two before is written (`rleToString` in COCO's
maskApi.c).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from ..errors import GeometryError
from ..kernels import compiled_body
from .coordinates import shown
from .intervals import IntArray, unpaired

_LONGEST_SIDE = 2**31 - 1  # what raster formats can state
_LARGEST = 2**53  # pixels; the sums of a few are exact in 64 bits, and in floating point
_BASE = 48
_CONTINUES, _SIGN, _PAYLOAD, _BITS = 0x20, 0x10, 0x1F, 5
_MOST_GROUPS = 11  # 55 bits: any difference of two counts, and no overflow
# What compiled readers may look ahead into: the longest number, of characters that end one.
MARGIN = "0" * _MOST_GROUPS
_REACH = np.array([1 << (_BITS * n - 1) for n in range(1, _MOST_GROUPS + 1)], np.int64)
_WRITE_AGAIN = "write the RLE again from the mask"


def image_size(height: Any, width: Any) -> tuple[int, int]:
    """Return height and width as ints; GeometryError unless they are those of an image."""
    whole = _is_whole_type(type(height)) and _is_whole_type(type(width))
    if not whole or min(height, width) < 1:
        raise GeometryError(
            f"a mask of {shown(height)} rows and {shown(width)} columns",
            mend="give two positive whole numbers, [height, width]",
        )
    rows, columns = int(height), int(width)
    if max(rows, columns) > _LONGEST_SIDE or rows * columns > _LARGEST:
        raise GeometryError(
            f"a mask of {rows} rows and {columns} columns is larger than any image",
            mend="give the image's size, [height, width]",
        )
    return rows, columns


def read_rle(rle: object) -> tuple[int, int, IntArray]:
    """Return height, width and column-major foreground bounds of an RLE object.

    rle: {"size": [height, width], "counts": str, bytes or list of int}. Counts of zero, legal
    anywhere, leave no trace. GeometryError says what is wrong with a malformed one.
    """
    if not isinstance(rle, Mapping) or "size" not in rle or "counts" not in rle:
        raise GeometryError(
            "an RLE without size and counts", mend='give {"size": [height, width], "counts": …}'
        )
    size: Any = rle["size"]
    if not isinstance(size, (list, tuple, np.ndarray)) or len(size) != 2:
        raise GeometryError(f"RLE size {shown(size)}", mend="give [height, width]")
    height, width = image_size(*size)
    counts = rle["counts"]
    compressed = isinstance(counts, (str, bytes))
    if compressed and (parse := compiled_body("rle_bounds")) is not None:
        bounds: IntArray = parse(_characters(_with_margin(counts)), height * width)
        if len(bounds) % 2 == 0:
            return height, width, bounds
    numbers = decode_counts(counts) if compressed else _in_range(_listed(counts))
    return height, width, _bounds(numbers, height, width)


def write_rle(bounds: IntArray, height: int, width: int) -> dict[str, Any]:
    """Return the RLE object, counts as a string, byte for byte what COCO's own API writes."""
    size = height * width
    ends_inside = not len(bounds) or bounds[-1] < size
    edges = np.concatenate(([0], bounds, [size] if ends_inside else [])).astype(np.int64)
    return {"size": [height, width], "counts": encode_counts(np.diff(edges))}


def decode_counts(text: str | bytes) -> IntArray:
    """Return the counts (N,) that COCO's compressed string holds; GeometryError if malformed."""
    groups = _groups(text)
    if not len(groups):
        return np.empty(0, np.int64)
    last = np.flatnonzero(groups < _CONTINUES)
    if not len(last) or last[-1] != len(groups) - 1:
        raise GeometryError("RLE counts end in the middle of a number", mend=_WRITE_AGAIN)
    first = np.concatenate(([0], last[:-1] + 1))
    length = last - first + 1
    longest = int(np.max(length))
    if longest > _MOST_GROUPS:
        raise GeometryError(
            f"RLE counts hold a number of {longest} characters, no pixel count is that long",
            mend=_WRITE_AGAIN,
        )
    groups &= _PAYLOAD
    groups[last] = (groups[last] ^ _SIGN) - _SIGN
    counts = groups[first]
    for place in range(1, longest):
        longer = np.flatnonzero(length > place)
        counts[longer] += groups[first[longer] + place] << (_BITS * place)
    return _summed(counts)


def encode_counts(counts: npt.ArrayLike) -> str:
    """Return COCO's compressed string of the counts (N,), each from 0 to 2**53."""
    numbers = _in_range(_listed(counts))
    written = numbers.copy()
    written[3:] -= numbers[1:-2]
    magnitude = written ^ (written >> 63)
    length = np.searchsorted(_REACH, magnitude, side="right") + 1
    end = np.cumsum(length)
    number = np.repeat(np.arange(len(written)), length)
    place = np.arange(len(number)) - (end - length)[number]
    groups = (written[number] >> (_BITS * place)) & _PAYLOAD
    groups[place < length[number] - 1] |= _CONTINUES
    characters: bytes = (groups + _BASE).astype(np.uint8).tobytes()
    return characters.decode("ascii")


def _groups(text: str | bytes) -> IntArray:
    """Return the six-bit value of each character, as 64-bit integers."""
    codes = _characters(text)
    # Below chr(48) the unsigned difference wraps to a large one.
    groups = codes - np.uint8(_BASE)
    if len(groups) and groups.max() > _CONTINUES | _PAYLOAD:
        place = int(np.argmax(groups > _CONTINUES | _PAYLOAD))
        raise _foreign(chr(codes[place]), place)
    wide: IntArray = groups.astype(np.int64)
    return wide


def _with_margin(text: str | bytes) -> str | bytes:
    return text + MARGIN if isinstance(text, str) else text + MARGIN.encode()


def _characters(text: str | bytes) -> npt.NDArray[np.uint8]:
    try:
        raw = text.encode("ascii") if isinstance(text, str) else text
    except UnicodeEncodeError as error:
        raise _foreign(error.object[error.start], error.start) from None
    return np.frombuffer(raw, np.uint8)


def _foreign(character: str, place: int) -> GeometryError:
    return GeometryError(
        f"RLE counts hold {character!r} at character {place}, which is none of COCO's",
        mend=_WRITE_AGAIN,
    )


def _summed(written: IntArray) -> IntArray:
    """Undo the differences: from the fourth count on, each was written less the one two before.

    Terms are below 2**54, so a sum that would wrap has first left the range that is checked.
    """
    written[1::2] = np.cumsum(written[1::2])
    written[2::2] = np.cumsum(written[2::2])
    return _in_range(written)


def _in_range(counts: IntArray) -> IntArray:
    if len(counts) and not (np.min(counts) >= 0 and np.max(counts) <= _LARGEST):
        place = int(np.argmax((counts < 0) | (counts > _LARGEST)))
        fault = "negative" if counts[place] < 0 else "larger than any image"
        raise GeometryError(
            f"RLE count {counts[place]} at position {place} is {fault}", mend=_WRITE_AGAIN
        )
    return counts


def _listed(counts: Any) -> IntArray:
    """Return counts given one by one as an array, refusing what is not whole."""
    if isinstance(counts, np.ndarray):
        if counts.dtype == np.int64 and counts.ndim == 1:
            return counts
        counts = counts.tolist()
    # By type and not by value: NumPy takes True for 1, and 1.5 for 1, without a word.
    if not isinstance(counts, (list, tuple)) or not all(
        map(_is_whole_type, set(map(type, counts)))
    ):
        raise GeometryError(
            f"RLE counts {shown(counts)} are neither a string nor a list of whole numbers",
            mend=_WRITE_AGAIN,
        )
    try:
        return np.array(counts, np.int64)
    except OverflowError:
        raise GeometryError("an RLE count is larger than any image", mend=_WRITE_AGAIN) from None


def _bounds(counts: IntArray, height: int, width: int) -> IntArray:
    """Return foreground bounds; each change of colour is a bound, zero counts cancel in pairs."""
    changes = np.cumsum(counts)
    size = height * width
    # A sum that wraps has first passed `size`, so the largest shows it.
    if not len(changes) or changes[-1] != size or np.max(changes) != size:
        total = sum(counts.tolist())
        raise GeometryError(
            f"RLE counts add up to {total} pixels, and size [{height}, {width}] has {size}",
            mend="give the size of the image, height first, and counts for all of it",
        )
    return unpaired(changes[: len(changes) // 2 * 2])


def _is_whole_type(kind: type) -> bool:
    return issubclass(kind, (int, np.integer)) and kind is not bool
