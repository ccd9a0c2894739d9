"""Which pixels lie in polygons, from edges straight to runs: geometry.scan row by row.

Edges cut rows into crossings, sorted within each row; what changes from row to row is put in
order by columns. Positions are whole numbers, so only the crossings must be rounded as GDAL's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .compiling import kernel

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Worked on at once, to bound memory.
_MOST_CROSSINGS = 1 << 21
_MOST_ROWS = 1 << 16
# A crossing is a key: its polygon, then its column.
_COLUMN_BITS = 32
_COLUMN = (1 << _COLUMN_BITS) - 1
_MANY_COLUMNS = 1 << 16
_MOVES = 8  # a value, on average, beyond which insertion is given up


@kernel
def _whole(value: float, most: int) -> int:
    """Return a whole number cut to [0, most], compared while still floating."""
    if value <= 0:
        return 0
    return most if value >= most else np.int64(value)


@kernel
def _band(rows: Ints, done: int, height: int) -> tuple[int, int, int]:
    """Return the next rows [top, bottom) to be worked on, and how many crossings are in them."""
    top, bottom = height, 0
    for k in range(len(rows)):
        if rows[k, 1] > done:
            top = min(top, max(rows[k, 0], done))
            bottom = max(bottom, rows[k, 1])
    bottom = min(bottom, top + _MOST_ROWS)
    while True:
        crossings = 0
        for k in range(len(rows)):
            crossings += max(0, min(rows[k, 1], bottom) - max(rows[k, 0], top))
        if crossings <= _MOST_CROSSINGS or bottom - top == 1:
            return top, bottom, crossings
        bottom = (top + bottom) // 2


@kernel
def _crossings(
    edges: Floats, rows: Ints, top: int, bottom: int, count: int, width: int
) -> tuple[Ints, Ints]:
    """Return the keys of all crossings, row by row, and where each row's begin (rows + 1)."""
    begin = np.zeros(bottom - top + 2, np.int64)
    for k in range(len(rows)):
        first, last = max(rows[k, 0], top), min(rows[k, 1], bottom)
        if first < last:
            begin[first - top + 1] += 1
            begin[last - top + 1] -= 1
    for row in range(1, len(begin)):  # now how many edges cut each row
        begin[row] += begin[row - 1]
    for row in range(1, len(begin)):  # now how many crossings there are up to its end
        begin[row] += begin[row - 1]
    keys, to = np.empty(count, np.int64), begin[:-1].copy()
    for k in range(len(rows)):
        x, y, dx, dy = edges[k, 0], edges[k, 1], edges[k, 2], edges[k, 3]
        plane = rows[k, 2] << _COLUMN_BITS
        for row in range(max(rows[k, 0], top), min(rows[k, 1], bottom)):
            # The order of operations is GDAL's: another one rounds other centres out.
            column = np.floor((row + 0.5 - y) * dx / dy + x + 0.5)
            keys[to[row - top]] = plane | _whole(column, width)
            to[row - top] += 1
    return keys, begin[:-1]


@kernel
def _sort(values: Ints, begin: int, end: int) -> None:
    """Sort values[begin:end] in place, by insertion unless they are many and far from sorted."""
    moves = _MOVES * (end - begin)
    for k in range(begin + 1, end):
        own, to = values[k], k
        while to > begin and values[to - 1] > own:
            values[to] = values[to - 1]
            to -= 1
        values[to] = own
        moves -= k - to
        if moves < 0:
            values[begin:end].sort()
            return


@kernel
def _spans(keys: Ints, begin: int, end: int, ends: Ints, spans: Ints) -> int:
    """Write the bounds of one row's filled columns; return how many there are.

    keys[begin:end]: its crossings, written over; ends: scratch.
    """
    _sort(keys, begin, end)
    count = 0
    for k in range(begin, end, 2):
        left, right = keys[k] & _COLUMN, keys[k + 1] & _COLUMN
        if left < right:
            keys[begin + count], ends[count] = left, right
            count += 1
    # Sorted apart: there is a gap where the next start is beyond as many ends (intervals.united).
    _sort(keys, begin, begin + count)
    _sort(ends, 0, count)
    found = 0
    for k in range(count):
        if k == 0 or keys[begin + k] > ends[k - 1]:
            spans[found] = keys[begin + k]
            found += 2
        spans[found - 1] = ends[k]
    return found


@kernel
def _note_changes(row: int, one: Ints, other: Ints, changes: Ints, found: int) -> int:
    """Note row, first and last column of what only one of two rows holds; return how many."""
    i, j, open_ = 0, 0, False
    while i < len(one) or j < len(other):
        if i < len(one) and j < len(other) and one[i] == other[j]:
            i += 1
            j += 1
            continue
        if j == len(other) or (i < len(one) and one[i] < other[j]):
            column = one[i]
            i += 1
        else:
            column = other[j]
            j += 1
        changes[found, 0], changes[found, 1 + open_] = row, column
        found += open_
        open_ = not open_
    return found


@kernel
def _first_places(changes: Ints, left: int, right: int) -> Ints:
    """Return where the changes of each column of [left, right] begin in the order of columns."""
    to = np.zeros(right - left + 2, np.int64)
    for k in range(len(changes)):
        to[changes[k, 1] - left + 1] += 1
        to[changes[k, 2] - left + 1] -= 1
    for column in range(1, len(to)):  # now how many changes each column has
        to[column] += to[column - 1]
    for column in range(1, len(to)):  # now how many there are before it
        to[column] += to[column - 1]
    return to


@kernel
def _by_column(changes: Ints, height: int) -> Ints:
    """Return the column-major bounds, from the changes in the order of their rows."""
    total, left, right = 0, changes[0, 1], changes[0, 2]
    for k in range(len(changes)):
        total += changes[k, 2] - changes[k, 1]
        left, right = min(left, changes[k, 1]), max(right, changes[k, 2])
    bounds, place = np.empty(total, np.int64), 0
    # Where columns are few and far between they are not counted.
    counted = right - left <= 4 * total + _MANY_COLUMNS
    to = _first_places(changes[: len(changes) if counted else 0], left, right if counted else left)
    for k in range(len(changes)):
        for column in range(changes[k, 1], changes[k, 2]):
            if counted:
                place = to[column - left]
                to[column - left] += 1
            bounds[place] = column * height + changes[k, 0]
            place += 1
    if not counted:
        bounds.sort()
    # The foot of one column and the head of the next are the same position, and cancel.
    found = 0
    for bound in bounds:
        if found and bounds[found - 1] == bound:
            found -= 1
        else:
            bounds[found] = bound
            found += 1
    return bounds[:found].copy()


@kernel
def _longer(changes: Ints, found: int, more: int) -> Ints:
    """Return the changes with room for more."""
    if found + more <= len(changes):
        return changes
    longer = np.empty((max(2 * len(changes), found + more), 3), np.int64)
    for k in range(found):
        for part in range(3):
            longer[k, part] = changes[k, part]
    return longer


@kernel
def covered_bounds(edges: Floats, rows: Ints, height: int, width: int) -> Ints:
    """Return the column-major bounds of the pixels that polygons cover.

    edges: x, y of the upper end, and the way to the lower one, (E, 4); rows (E, 3): the first and
    the last row that each cuts, excluded, and its polygon. As kernels.edges gives them.
    """
    changes, found = np.empty((256, 3), np.int64), 0
    before, nothing = np.empty(0, np.int64), np.empty(0, np.int64)
    done = 0
    while True:
        top, bottom, crossings = _band(rows, done, height)
        if top > done or crossings == 0:  # the row after those that are done holds nothing
            changes = _longer(changes, found, len(before))
            found = _note_changes(done, before, nothing, changes, found)
            before = nothing
        if crossings == 0:
            break
        keys, begin = _crossings(edges, rows, top, bottom, crossings, width)
        longest = 0
        for row in range(bottom - top):
            longest = max(longest, begin[row + 1] - begin[row])
        ends, pair = np.empty(longest, np.int64), np.empty((2, longest), np.int64)
        changes = _longer(changes, found, crossings + len(before))
        for row in range(top, bottom):
            spans = pair[row % 2]
            count = _spans(keys, begin[row - top], begin[row - top + 1], ends, spans)
            found = _note_changes(row, before, spans[:count], changes, found)
            before = spans[:count]
        before, done = before.copy(), bottom
    return _by_column(changes[:found], height) if found else nothing
