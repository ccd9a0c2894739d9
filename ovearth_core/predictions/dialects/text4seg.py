"""Text4Seg: patch labels as row-wise run-length text, `<seg>others *9| tank *7\\n …</seg>`.

What is not labelled `others` is foreground, whatever its label. A patch covers its share of the
image: a pixel belongs to the one that its centre lies in.

Source: mc-lan/Text4Seg, llava/eval/utils.py, decode_mask and translate_sequence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ...geometry import Runs
from .answer import Answer, empty_answer
from .dialect import Dialect
from .entries import entries
from .reading import Reading
from .resampling import nearest_array
from .text import answer_text, kept_fields, refuse_other_syntax

_BACKGROUND = ("others", "other", "background")
_OPEN, _CLOSE = "<seg>", "</seg>"
# Far more patches a side than any model has.
_MOST = 512
_COUNT = re.compile(r"\d{1,4}", re.ASCII)
_BROKEN = "rows of labels that are malformed or cut off"
_KNOWN = ("query_id", "text", "task", "input_size")


class PatchesError(InputError):
    """Text that is no grid of labels: `rows` are those before the fault, `count` how many lack."""

    def __init__(self, what: str, rows: list[list[bool]], count: int) -> None:
        super().__init__(what, mend="mend it, or keep the whole rows: --lenient")
        self.rows = rows
        self.count = count

    def __reduce__(self) -> tuple[type[PatchesError], tuple[str, list[list[bool]], int]]:
        return PatchesError, (self.what, self.rows, self.count)


def patches_of(text: str) -> NDArray[np.bool_] | None:
    """Return which patches (rows, columns) are foreground, None for an answer without a grid.

    Rows must be equally long and, as the model's grids are square, as many as columns. Raises
    PatchesError for anything else; takes linear time for any text.
    """
    start = text.find(_OPEN)
    if start < 0:
        return None
    start += len(_OPEN)
    end = text.find(_CLOSE, start)
    is_cut = end < 0
    lines = text[start : None if is_cut else end].strip().split("\n")
    if not any(line.strip() for line in lines):
        if is_cut:
            raise PatchesError("cut off: nothing behind <seg>", [], 1)
        return None
    rows: list[list[bool]] = []
    for number, line in enumerate(lines, 1):
        row = _row(line)
        if row is None or (rows and len(row) != len(rows[0])) or number > _MOST:
            what = f"row {number} of the labels is " + _fault_of(row, rows, number)
            raise PatchesError(what, rows, max(len(lines) - number + 1, 1))
        rows.append(row)
    columns = len(rows[0])
    if len(rows) != columns:
        what = f"{len(rows)} rows of {columns} labels, where there are as many rows as columns"
        what = f"cut off after {what}" if is_cut else what
        raise PatchesError(what, rows[:columns], abs(columns - len(rows)))
    return np.array(rows, np.bool_)


def _row(line: str) -> list[bool] | None:
    """Return whether each label of a row is foreground, None for a malformed row."""
    row: list[bool] = []
    for token in line.split("|"):
        label, star, count = token.rpartition("*")
        number = count.strip()
        if not star or not label.strip() or not _COUNT.fullmatch(number):
            return None
        if not 0 < int(number) <= _MOST - len(row):
            return None
        row += [label.strip().lower() not in _BACKGROUND] * int(number)
    return row


def _fault_of(row: list[bool] | None, rows: list[list[bool]], number: int) -> str:
    if number > _MOST:
        return f"one more than the {_MOST} of any model"
    if row is None:
        return "not 'label *count| label *count'"
    return f"{len(row)} labels long, the first {len(rows[0])}"


def read(source: Path, reading: Reading) -> Iterator[Answer]:
    """Yield the masks of JSON Lines `{"query_id", "text"}`; see `Reader`."""
    for number, query_id, entry in entries(source, reading):
        image = reading.image(query_id)
        if image is None:
            yield empty_answer(query_id, number, "mask")
            continue
        try:
            text = answer_text(entry)
            patches = patches_of(text)
            if patches is None:
                refuse_other_syntax(text, "text4seg", entry, reading)
        except PatchesError as fault:
            reading.refuse(InputError(fault.what, entry.where, fault.mend), _BROKEN)
            reading.left_out[_BROKEN] += fault.count - 1
            patches = _whole_rows(fault.rows)
        except InputError as fault:
            reading.refuse(fault, "records that are malformed")
            continue
        mask = None
        if patches is not None and patches.any():
            whole = nearest_array(patches, image.height, image.width)
            mask = Runs.from_array(whole).to_rle()
        fields = kept_fields(entry, _KNOWN)
        yield Answer(query_id, number, frozenset({"mask"}), mask, attributes=fields)


def _whole_rows(rows: list[list[bool]]) -> NDArray[np.bool_] | None:
    """Return the grid with its whole rows and nothing in the others."""
    if not rows:
        return None
    side = len(rows[0])
    patches = np.zeros((side, side), np.bool_)
    kept = rows[:side]
    patches[: len(kept)] = kept
    return patches


DIALECTS = (
    Dialect(
        "text4seg",
        ("Text4Seg",),
        "text",
        "rows of 'label *count| label *count' between <seg> and </seg>, as many as a row has"
        " labels; all but 'others' is foreground, a pixel is in the patch that its centre is in",
        "https://github.com/mc-lan/Text4Seg llava/eval/utils.py at"
        " c8f50bf37380510ec84be028dc92357a7ed87235",
        read,
    ),
)
