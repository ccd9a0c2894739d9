"""Makes the gallery of one run from its predictions and the images beside the benchmark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...analysis.evaluated import Evaluated
from ...analysis.evaluated_run import EvaluatedRun
from ...analysis.scores import error_kinds
from ...benchmark import Image, Query, Truth
from ...errors import InputError
from ...inspection.image_files import ImageFiles
from ...overlay import QueryOverlay
from ...predictions import Predictions, Record
from ...scoring import THRESHOLDS
from ...scoring.error_kinds import DEFAULT_THRESHOLD, KINDS
from ..shown_pixels import shown_pixels
from ..words import percent
from .choosing import best_and_worst
from .frame import window_about
from .overlaying import LONGEST_SIDE, overlay_jpeg
from .picture import Gallery, Picture

MOST = 4  # best ones, and worst ones, of each modality that is pictured
_MODALITY_WORDS = {"mask": "mask", "hbb": "horizontal boxes", "obb": "oriented boxes"}

Floats = NDArray[np.float64]


class GalleryMaker:
    """Makes galleries of runs over one benchmark. Not for two threads: its truth remembers."""

    def __init__(self, evaluated: Evaluated, files: ImageFiles) -> None:
        self._evaluated = evaluated
        self._benchmark = evaluated.benchmark
        self._files = files
        self._truth = Truth(evaluated.benchmark)

    def gallery(
        self,
        run: EvaluatedRun,
        predictions: Predictions,
        most: int = MOST,
        check: Callable[[], None] = lambda: None,
    ) -> Gallery:
        """Return the gallery of a run.

        Images that aren't found, or can't be read, are told in its notes. check: called now and
        then; whatever it raises stops the work. Raises as reading the predictions does.
        """
        chosen: list[tuple[int, str, bool]] = []
        for modality in _pictured(run.modalities):
            best, worst = best_and_worst(self._evaluated, run, modality, self._has_image, most)
            chosen += [(row, modality, True) for row in best]
            chosen += [(row, modality, False) for row in worst]
        ids = self._benchmark.columns.queries.ids
        records = _records(predictions, {ids[row] for row, _, _ in chosen}, check)
        overlay = QueryOverlay(self._benchmark, predictions, run.modalities, self._truth)
        pictures, faults = [], Counter[str]()
        for row, modality, is_best in chosen:
            check()
            try:
                picture = self._picture(run, overlay, records.get(ids[row]), row, modality, is_best)
            except _ImageError as fault:
                faults[str(fault)] += 1
            else:
                pictures.append(picture)
        return Gallery(tuple(pictures), (*self._lacking, *_told(faults)))

    @cached_property
    def _lacking(self) -> tuple[str, ...]:
        count = int(np.count_nonzero(~self._image_found))
        if not count:
            return ()
        return (f"{count} of {len(self._image_found)} images are not beside the benchmark",)

    @cached_property
    def _image_found(self) -> NDArray[np.bool_]:
        found = [self._files.path(image) is not None for image in self._benchmark.images]
        return np.array(found, dtype=np.bool_)

    @cached_property
    def _has_image(self) -> NDArray[np.bool_]:
        return self._image_found[self._evaluated.facts.image_places]

    def _picture(
        self,
        run: EvaluatedRun,
        overlay: QueryOverlay,
        record: Record | None,
        row: int,
        modality: str,
        is_best: bool,
    ) -> Picture:
        query = self._benchmark.queries[row]
        target = self._benchmark.target_by_id[query.target_id]
        image = self._benchmark.image_by_id[target.image_id]
        true_boxes: tuple[Floats, ...] = ()
        if modality == "mask":
            features = list(overlay.mask_features(query.id, record))
        else:
            threshold = DEFAULT_THRESHOLD
            features = list(overlay.box_features(query.id, record, modality, threshold))
            compared = overlay.compared_boxes(query.id, record, modality)
            true_boxes = () if compared is None else tuple(compared.truths)
        rings = [ring for feature in features for polygon in feature.polygons for ring in polygon]
        window = window_about([*rings, *true_boxes], image)
        pixels = self._pixels(image, window)
        kind = KINDS[int(error_kinds(self._evaluated, run, modality)[row])]
        return Picture(
            query_id=query.id,
            text=query.text,
            task=query.task,
            polarity="positive" if query.is_positive else "negative",
            category=self._benchmark.category_by_id[target.category_id].name,
            image=image.file_name,
            modality=modality,
            kind=kind,
            score=_score(run, query, row, modality),
            is_best=is_best,
            is_part=window != (0, 0, image.width, image.height),
            jpeg=overlay_jpeg(pixels, window, features, true_boxes),
        )

    def _pixels(self, image: Image, window: tuple[int, int, int, int]) -> NDArray[np.uint8]:
        file = self._files.path(image)
        if file is None:
            raise _ImageError("the file is gone")
        try:
            return shown_pixels(file, image, 2 * LONGEST_SIDE, window)
        except InputError as fault:
            raise _ImageError(f"{fault.what}, {image.file_name}") from None


def _pictured(modalities: Sequence[str]) -> list[str]:
    """Return masks, and of two kinds of boxes the tighter: pictures of both look alike."""
    return [name for name in modalities if name != "hbb" or "obb" not in modalities]


class _ImageError(Exception):
    """An image that can't be shown."""


def _records(
    predictions: Iterable[Record], wanted: set[str], check: Callable[[], None]
) -> dict[str, Record]:
    found: dict[str, Record] = {}
    for count, record in enumerate(predictions):
        if len(found) == len(wanted):
            break
        if record.query_id in wanted:
            found[record.query_id] = record
        if count % 1000 == 0:
            check()
    return found


def _told(faults: Counter[str]) -> list[str]:
    return [f"{count} pictures left out: {fault}" for fault, count in faults.items()]


def _score(run: EvaluatedRun, query: Query, row: int, modality: str) -> str:
    """Say how a query was answered."""
    words = _MODALITY_WORDS[modality]
    if not query.is_positive:
        answered = bool(run.present[modality][row])
        return f"{words}: nothing is there, {'something' if answered else 'nothing'} was answered"
    if modality == "mask":
        return f"{words}: IoU {percent(float(run.iou[row]))}"
    boxes = run.boxes[modality]
    matched = int(boxes.tp[row, THRESHOLDS.index(DEFAULT_THRESHOLD)])
    spurious = int(boxes.predictions[row]) - matched
    missed = int(boxes.truths[row]) - matched
    return f"{words}: {matched} matched, {spurious} spurious, {missed} missed"
