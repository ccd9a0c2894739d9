"""SAM 3: instances as COCO RLE with scores, boxes and presence, one record a query.

Masks of all instances are united, boxes are kept one by one; without boxes, those around the masks.

Source: facebookresearch/sam3, sam3/agent/client_sam3.py: pred_masks (the RLE's counts), pred_boxes
(x, y, width, height in shares of the image), pred_scores, orig_img_h and orig_img_w.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...benchmark import Image
from ...entry import Entry, are_numbers, describe
from ...errors import InputError, OVEarthError
from ...geometry import Runs
from .answer import Answer, empty_answer
from .dialect import Dialect
from .entries import LINES, entries
from .mask_values import mask_of
from .reading import Reading
from .records import check_score, first_of, listed, optional_list, upright
from .text import kept_fields

Floats = NDArray[np.float64]

_MASKS = ("pred_masks", "masks", "segmentations")
_SCORES = ("pred_scores", "scores")
_SHARES, _CORNERS = "pred_boxes", "boxes"
_SIZE = ("orig_img_h", "orig_img_w")
_KNOWN = ("query_id", *_MASKS, *_SCORES, _SHARES, _CORNERS, *_SIZE)
_INSTANCES = "instances that are malformed"
_BELOW = "instances with a score below the threshold"


def read(source: Path, reading: Reading) -> Iterator[Answer]:
    """Yield the answers; see `Reader`."""
    folder = source if source.is_dir() else source.parent
    for number, query_id, entry in entries(source, reading):
        image = reading.image(query_id)
        if image is None:
            yield empty_answer(query_id, number, "mask", "hbb")
            continue
        try:
            instances = _Instances(entry, image)
        except InputError as fault:
            reading.refuse(fault, LINES)
            continue
        yield instances.answer(query_id, number, reading, folder)


class _Instances:
    """The lists of one record, equally long."""

    def __init__(self, entry: Entry, image: Image) -> None:
        self.entry = entry
        self.image = image
        key, value = first_of(entry, _MASKS)
        self.masks = listed(entry, key, value)
        count = len(self.masks)
        self.scores = optional_list(entry, _SCORES, count)
        self.shares = optional_list(entry, (_SHARES,), count)
        self.corners = optional_list(entry, (_CORNERS,), count)
        given = [entry.fields.get(key) for key in _SIZE]
        self.size = [image.height, image.width] if None in given else given

    def answer(self, query_id: str, number: int, reading: Reading, folder: Path) -> Answer:
        """Return them as one answer, those left out that are malformed or below the threshold."""
        masks: list[Runs] = []
        boxes: list[Floats] = []
        scores: list[float] = []
        least = reading.options.threshold
        for k in range(len(self.masks)):
            try:
                score = None if self.scores is None else check_score(self.scores[k])
                if least is not None and score is not None and score < least:
                    reading.left_out[_BELOW] += 1
                    continue
                mask = mask_of(self._mask(k), self.image, reading, folder)
                box = self._box(k, mask)
            except OVEarthError as fault:
                where = f"{self.entry.where}, instance {k + 1}"
                reading.refuse(InputError(fault.what, where, fault.mend), _INSTANCES)
                continue
            masks.append(mask)
            if box is not None:
                boxes.append(box)
                scores += [] if score is None else [score]
        whole = Runs.union(masks) if masks else None
        return Answer(
            query_id,
            number,
            frozenset({"mask", "hbb"}),
            None if whole is None or whole.is_empty else whole.to_rle(),
            np.array(boxes, np.float64).reshape(-1, 4),
            scores=scores,
            attributes=kept_fields(self.entry, _KNOWN),
        )

    def _mask(self, k: int) -> Any:
        mask = self.masks[k]
        # The agent's files hold an RLE's counts alone.
        is_counts = isinstance(mask, str) or (isinstance(mask, list) and are_numbers(mask))
        return {"size": self.size, "counts": mask} if is_counts else mask

    def _box(self, k: int, mask: Runs) -> Floats | None:
        """Return the box in pixels; None for an instance without box and pixels."""
        if self.corners is not None:
            return upright(_four(self.corners[k]))
        if self.shares is not None:
            size = [self.image.width, self.image.height]
            x, y, width, height = _four(self.shares[k]) * np.array(size * 2, np.float64)
            return upright(np.array([x, y, x + width, y + height]))
        return box_around(mask)


def box_around(mask: Runs) -> Floats | None:
    """Return the envelope (4,) of a mask's pixels, None for an empty mask."""
    points = mask.corner_points()
    return np.concatenate([points.min(axis=0), points.max(axis=0)]) if len(points) else None


def _four(value: Any) -> Floats:
    if not isinstance(value, list) or len(value) != 4 or not are_numbers(value):
        raise InputError(f"a box is {describe(value)}", mend="write four numbers")
    numbers = np.array(value, np.float64)
    if not (np.abs(numbers) <= 1e15).all():
        raise InputError("a box that is not finite", mend="write finite numbers")
    return numbers


DIALECTS = (
    Dialect(
        "sam3",
        ("SAM 3", "SAM3-Agent", "SegEarth-OV3"),
        "records",
        '{"query_id", "pred_masks": RLEs or their counts, "pred_scores", "pred_boxes": x, y, w, h'
        ' in shares of the image, or "boxes": pixel corners}; masks are united, boxes kept',
        "https://github.com/facebookresearch/sam3 sam3/agent/client_sam3.py at"
        " 153914f8209d165b16933037697b837abdbc5e3f",
        read,
        ("resize", "threshold"),
    ),
)
