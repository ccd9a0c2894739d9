"""LISA and its kin: text with `[SEG]` tokens, and the masks that belong to them.

An answer without a token says that nothing is there, whatever masks lie beside it.

Source: dvlab-research/LISA, chat.py: a mask for each [SEG], written as a JPEG of 0 and 100.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...entry import Entry
from ...errors import InputError, OVEarthError
from ...geometry import Runs
from .answer import Answer, empty_answer
from .dialect import Dialect
from .entries import LINES, entries
from .mask_values import mask_of
from .reading import Reading
from .text import kept_fields, refuse_other_syntax

# [SEG], [seg], [SEG0], [SEG:0], <SEG>, <|seg|> and SAMTok's; <seg012> is PaliGemma's.
_SPELLINGS = re.compile(
    r"\[seg[:_]?\d{0,4}\]|<seg>|<\|seg\|>|<\|mt_start\|>", re.ASCII | re.IGNORECASE
)
_KEYS = ("masks", "mask", "segmentation")
_KNOWN = ("query_id", "text", "task", "input_size", *_KEYS)
_BROKEN = "masks that are malformed"
_UNANNOUNCED = "masks of answers without a [SEG] token, which say that nothing is there"
_LACKING = "[SEG] tokens without a mask"


def read(source: Path, reading: Reading) -> Iterator[Answer]:
    """Yield the answers; see `Reader`."""
    folder = source if source.is_dir() else source.parent
    for number, query_id, entry in entries(source, reading):
        image = reading.image(query_id)
        if image is None:
            yield empty_answer(query_id, number, "mask")
            continue
        try:
            masks = _masks(entry, reading)
        except InputError as fault:
            reading.refuse(fault, LINES)
            continue
        found: list[Runs] = []
        for k, value in enumerate(masks):
            try:
                found.append(mask_of(value, image, reading, folder))
            except OVEarthError as fault:
                where = f"{entry.where}, mask {k + 1}"
                reading.refuse(InputError(fault.what, where, fault.mend), _BROKEN)
        whole = Runs.union(found) if found else None
        yield Answer(
            query_id,
            number,
            frozenset({"mask"}),
            None if whole is None or whole.is_empty else whole.to_rle(),
            attributes=kept_fields(entry, _KNOWN),
        )


def _masks(entry: Entry, reading: Reading) -> list[Any]:
    """Return the masks that the text has a token for; all where there is no text."""
    masks = _listed(entry)
    text = entry.optional_text("text")
    if text is None:
        return masks
    tokens = len(_SPELLINGS.findall(text))
    if tokens and len(masks) < tokens:
        what = f"{tokens} [SEG] tokens and {len(masks)} masks"
        reading.refuse(entry.fail(what, "write a mask for each"), _LACKING)
        reading.left_out[_LACKING] += tokens - len(masks) - 1
    if tokens:
        return masks
    if masks:
        reading.left_out[_UNANNOUNCED] += len(masks)
    else:
        refuse_other_syntax(text, "seg-token", entry, reading)
    return []


def _listed(entry: Entry) -> list[Any]:
    for key in _KEYS:
        value = entry.fields.get(key)
        if value is None:
            continue
        # Rows of numbers are one mask, anything else in a list is several.
        if key == "masks":
            return value if isinstance(value, list) else [value]
        is_several = isinstance(value, list) and value and not isinstance(value[0], list)
        return list(value) if is_several else [value] if value else []
    return []


DIALECTS = (
    Dialect(
        "seg-token",
        (
            *("LISA", "Sa2VA", "UniPixel", "SAMTok", "X2SAM", "SELF1E", "ALToLLM"),
            *("GeoPixel", "RemoteSAM", "SegEarth-R1", "SegEarth-R2", "UniGeoSeg"),
        ),
        "records",
        '{"query_id", "text": with [SEG] tokens (also [seg], [SEG0], [SEG:0], <SEG>, <|seg|>,'
        ' of SAMTok <|mt_start|>), "masks": [RLE, path of PNG, TIFF, JPEG or NumPy'
        " file, or rows of 0 and 1]}; masks are united, and none counts without a token",
        "https://github.com/dvlab-research/LISA chat.py at"
        " 23930126323a0effb75929a5cc88c75c0d7bfbc2; bytedance/Sa2VA"
        " projects/sa2va/evaluation/refcoco_eval.py (masks united, none without [SEG], RLE) at"
        " 0d8f983602bf7eb135150db3523b471d8f4756eb; earth-insights/SegEarth-R1"
        " segearth_r1/eval_and_test/eval.py at 4b32e941282cbe0a5b2f322daeff836ac0bce1ce;"
        " earth-insights/SegEarth-R2 segearth_r2/eval/eval.py at"
        " 3646d722803e834ee07cb41e3f1b56ed1e8b41b6; MiliLab/UniGeoSeg"
        " unigeoseg/eval_and_test/eval.py (PNG of 0 and 255) at"
        " 6d5663a9e9b1c1e71c02a6acd21ecda4a289eae8; UniPixel, SAMTok, X2SAM, SELF1E, ALToLLM,"
        " GeoPixel and RemoteSAM, as they build on these, unverified",
        read,
        ("resize",),
    ),
)
