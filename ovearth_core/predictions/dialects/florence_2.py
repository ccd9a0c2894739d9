"""Florence-2: `tank<loc_102><loc_204><loc_305><loc_407>`, bins of 1000, taken at their middle.

Its tasks of segmentation write outlines without a mark; no text tells them from several boxes.
Between `<poly>` and `</poly>`, or with `<sep>` in it, a run of tokens is a polygon or several, of
one object.

Source: transformers' models/florence2/processing_florence2.py, Florence2PostProcessor: dequantize
is (bin + 0.5) / 1000 of width or height.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .grid import Grid
from .items import BOX, BROKEN, Item, broken, label_of, of_numbers
from .location_tokens import Run, cut_token, fours, runs_of
from .text import text_dialect

_LOC = re.compile(r"<loc_(\d{1,9})>", re.ASCII)
_MARK = re.compile(r"</?poly>|<sep>")
_TAG = re.compile(r"<[^<>]{1,30}>")
_OPEN, _CLOSE, _NEXT = "<poly>", "</poly>", "<sep>"


def scan(text: str) -> Iterator[Item]:
    """Yield what an answer holds, unmarked runs of tokens being boxes; see `Scan`."""
    return _items(text, are_outlines=False)


def scan_masks(text: str) -> Iterator[Item]:
    """Yield what an answer holds, unmarked runs of more than four being outlines; see `Scan`."""
    return _items(text, are_outlines=True)


def _items(text: str, are_outlines: bool) -> Iterator[Item]:
    label: str | None = None
    group = last = 0
    was_polygon = is_told = False
    for run in runs_of(text, _LOC):
        marks = _MARK.findall(run.before[-200:])
        goes_on = was_polygon and _is_marks(run.before) and _OPEN not in marks
        if not goes_on:
            label = label_of(_TAG.sub(" ", run.before)) or (label if not run.before else None)
            group += 1
        is_polygon = goes_on or _OPEN in marks or _begins_mark(run.after)
        is_polygon = is_polygon or (are_outlines and len(run.numbers) > 4)
        last, was_polygon = run.at, is_polygon
        is_told = False
        for item in _polygon(run, label, group) if is_polygon else _boxes(run, label):
            is_told = item.kind == BROKEN
            yield item
    if cut_token(text, "<loc_") and not is_told:
        yield broken("cut off inside a location token", last)


def _polygon(run: Run, label: str | None, group: int) -> Iterator[Item]:
    is_whole = len(run.numbers) >= 6 and len(run.numbers) % 2 == 0
    if is_whole:
        found = of_numbers(run.numbers, run.at, label)
        yield Item(found.kind, found.at, found.numbers, label, group=group)
    elif run.ends or cut_token(run.after, "<loc_"):
        yield broken("cut off inside a polygon", run.at)
    else:
        yield broken(f"{len(run.numbers)} location tokens in a polygon", run.at)


def _boxes(run: Run, label: str | None) -> Iterator[Item]:
    for numbers in fours(run.numbers):
        yield Item(BOX, run.at, numbers, label)
    left = len(run.numbers) % 4
    if left and (run.ends or cut_token(run.after, "<loc_")):
        yield broken(f"cut off inside a box: {left} of its 4 location tokens", run.at)
    elif left:
        yield broken(f"{len(run.numbers)} location tokens where a box has four", run.at)


def _is_marks(between: str) -> bool:
    return not _MARK.sub("", between).strip()


def _begins_mark(after: str) -> bool:
    return after.lstrip().startswith((_CLOSE, _NEXT))


DIALECTS = (
    text_dialect(
        "florence-2",
        ("Florence-2",),
        scan,
        Grid(highest=999, per=1000, shift=0.5),
        "tokens <loc_0> to <loc_999> behind a label, four a box, (bin + 0.5) / 1000 of width or"
        " height; marked by <poly> or <sep> they are polygons, those of one label one mask;"
        " so are more than four unmarked ones where the record's task says segmentation (as in"
        " <REFERRING_EXPRESSION_SEGMENTATION>), or with --modality mask",
        "https://github.com/huggingface/transformers"
        " src/transformers/models/florence2/processing_florence2.py at"
        " 06053b84c14d72e9789fbf27844a75aa89b3ded7",
        scan_masks,
    ),
)
