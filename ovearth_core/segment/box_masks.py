"""Masks for the boxes of a run's answers about one image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..benchmark import Image
from ..predictions import Placing, Record
from .image_pixels import FilePixels
from .looking import Looking
from .prompt import Prompt
from .segmenter import Segmenter

Floats = NDArray[np.float64]

# Boxes are looked at cell by cell of this many pixels, so that those near share a view.
_CELL_PX = 1024


class Unmasked(NamedTuple):
    """A box without a mask: its query, its place in the query's list from 0, and why."""

    query_id: str
    box: int
    why: str


class BoxMasks:
    """A model that is shown the boxes of one image after the other."""

    def __init__(self, model: Segmenter, placing: Placing, most_px: int) -> None:
        self._model = model
        self._placing = placing
        self._most = most_px

    def has_boxes(self, record: Record) -> bool:
        """Whether an answer has a box at all."""
        return any(boxes is not None and len(boxes) for boxes in (record.hbb, record.obb))

    def results(
        self, image: Image, pixels: FilePixels | None, records: Sequence[Record]
    ) -> dict[str, Any]:
        """Return the answers with masks, as JSON, and what became of their boxes.

        pixels: of the image, None where no answer has boxes.
        """
        prompts = [
            (nth, place, box)
            for nth, record in enumerate(records)
            for place, box in enumerate(self._pixel_boxes(image, record))
        ]
        masks: list[list[dict[str, Any]]] = [[] for _ in records]
        found = {
            (nth, place): rle
            for nth, place, rle in self._masked(image, pixels, sorted(prompts, key=_cell))
        }
        unmasked: list[Unmasked] = []
        for nth, place, _ in prompts:
            rle = found[nth, place]
            if isinstance(rle, str):
                unmasked.append(Unmasked(records[nth].query_id, place, rle))
            else:
                masks[nth].append(rle)
        return {
            "records": [
                self._document(image, record, own)
                for record, own in zip(records, masks, strict=True)
            ],
            "boxes": len(prompts),
            "replaced": sum(_is_replaced(record) for record in records),
            "unmasked": unmasked,
        }

    def _masked(
        self,
        image: Image,
        pixels: FilePixels | None,
        prompts: Sequence[tuple[int, int, Floats]],
    ) -> list[tuple[int, int, dict[str, Any] | str]]:
        """Return of each box the RLE of its mask, or why it has none."""
        if pixels is None:
            return []
        looking = Looking(self._model, pixels, self._most)
        return [(nth, place, _mask_of(looking, image, box)) for nth, place, box in prompts]

    def _pixel_boxes(self, image: Image, record: Record) -> Floats:
        """Return the boxes (N, 4) of an answer in pixels, the envelopes of what they are there."""
        if record.hbb is not None and len(record.hbb):
            if not self._placing.header.in_map:
                return record.hbb
            corners = record.hbb[:, [0, 1, 2, 1, 2, 3, 0, 3]].reshape(-1, 4, 2)
        elif record.obb is not None and len(record.obb):
            corners = record.obb
        else:
            return np.empty((0, 4))
        placed = self._placing.points(image, corners.reshape(-1, 2)).reshape(-1, 4, 2)
        return np.concatenate([placed.min(axis=1), placed.max(axis=1)], axis=1)

    def _document(
        self, image: Image, record: Record, masks: list[dict[str, Any]]
    ) -> dict[str, Any]:
        """Return an answer as it stands in a file; one that never had boxes keeps its mask."""
        document: dict[str, Any] = {"query_id": record.query_id}
        if record.given & {"hbb", "obb"}:
            document["mask"] = masks or None
        elif "mask" in record.given:
            own = record.mask is not None
            document["mask"] = self._placing.mask(image, record.mask).to_rle() if own else None
        for key, boxes in (("hbb", record.hbb), ("obb", record.obb)):
            if key in record.given:
                document[key] = None if boxes is None else [box.ravel().tolist() for box in boxes]
        if record.scores is not None:
            document["scores"] = record.scores.tolist()
        return document


def _mask_of(looking: Looking, image: Image, box: Floats) -> dict[str, Any] | str:
    size = np.array([image.width, image.height], np.float64)
    inside = np.concatenate([np.clip(box[:2], 0.0, size), np.clip(box[2:], 0.0, size)])
    if not (inside[2:] > inside[:2]).all():
        return "no area" if (box[2:] <= box[:2]).any() else "outside of the image"
    view, masks, _ = looking.answer(Prompt.checked([], [], inside))
    runs = view.runs_in_image(masks[0], image.width, image.height)
    return "the model found nothing" if runs.is_empty else runs.to_rle()


def _cell(prompt: tuple[int, int, Floats]) -> tuple[float, float, int, int]:
    nth, place, box = prompt
    row, column = (box[1] + box[3]) // (2 * _CELL_PX), (box[0] + box[2]) // (2 * _CELL_PX)
    return float(row), float(column), nth, place


def _is_replaced(record: Record) -> bool:
    return record.mask is not None and bool(record.given & {"hbb", "obb"})
