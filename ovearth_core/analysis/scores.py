"""The protocol's numbers over some queries of a run, the same as `ovearth score` gives."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..benchmark import TASKS
from ..scoring import THRESHOLDS
from ..scoring.detection import detection_metrics
from ..scoring.error_kinds import DEFAULT_THRESHOLD, KINDS, negative_kinds
from ..scoring.presence import presence_metrics
from ..scoring.segmentation import mean, overlap_metrics
from .evaluated import Evaluated
from .evaluated_run import EvaluatedRun

Ints = NDArray[np.int64]

# The one metric of each modality that models are compared by.
MAIN_METRIC = {"mask": "ma_iou", "hbb": "mi_f1_50", "obb": "mi_f1_50"}
METRIC_NAMES = {"ma_iou": "ma-IoU", "mi_f1_50": "mi-F1 50"}
ANSWERS = {"mask": "masks", "hbb": "horizontal boxes", "obb": "oriented boxes"}


def localization(
    evaluated: Evaluated, run: EvaluatedRun, rows: Ints, modality: str
) -> dict[str, Any] | None:
    """Return the metrics of a modality over queries that it is asked of; None without any."""
    if not len(rows):
        return None
    if modality != "mask":
        boxes = run.boxes[modality]
        tp = boxes.tp[rows].astype(np.int32)
        return dict(detection_metrics(boxes.truths[rows], boxes.predictions[rows], tp))
    if run.masks is None:
        raise ValueError(f"{run.model} attempts no masks")
    masks, facts = run.masks, evaluated.facts
    return dict(
        overlap_metrics(
            masks.precision[rows],
            masks.recall[rows],
            masks.intersection[rows],
            masks.union[rows],
            facts.target_ids[rows],
            facts.category_ids[rows],
        )
    )


def main_score(run: EvaluatedRun, rows: Ints, modality: str = "mask") -> float | None:
    """Return the modality's main metric over queries that it is asked of; None without any.

    `ma_iou` for masks, `mi_f1_50` for boxes.
    """
    if not len(rows):
        return None
    if modality == "mask":
        return mean(run.iou[rows].tolist())
    boxes = run.boxes[modality]
    both = int(boxes.truths[rows].sum()) + int(boxes.predictions[rows].sum())
    matched = int(boxes.tp[rows, THRESHOLDS.index(DEFAULT_THRESHOLD)].sum())
    return 2 * matched / both if both else 0.0


def score_sums(
    run: EvaluatedRun, rows: Ints, modality: str, group: Ints, groups: int
) -> NDArray[np.float64]:
    """Return (2, groups): what is divided and what divides, in the main metric of each group.

    group: (N,), that of each of the rows. Scores of several groups are the quotients of their
    sums, but for the last bits.
    """
    if modality == "mask":
        parts = [run.iou[rows], np.ones(len(rows))]
    else:
        boxes = run.boxes[modality]
        matched = boxes.tp[rows, THRESHOLDS.index(DEFAULT_THRESHOLD)]
        both = boxes.truths[rows] + boxes.predictions[rows]
        parts = [2.0 * matched, both.astype(np.float64)]
    return np.array([np.bincount(group, weights=part, minlength=groups) for part in parts])


def presence(evaluated: Evaluated, run: EvaluatedRun, rows: Ints, modality: str) -> dict[str, Any]:
    """Return counts and MCC over vocabulary queries of both polarities."""
    is_positive = evaluated.benchmark.columns.queries.is_positive
    return presence_metrics(is_positive[rows], run.present[modality][rows])


def error_kinds(evaluated: Evaluated, run: EvaluatedRun, modality: str) -> Ints:
    """Return the place in KINDS (N,) of each query's kind, -1 where it has none.

    Queries of tasks that the run doesn't attempt have none, nor have positive queries of which
    boxes aren't asked.
    """
    columns = evaluated.benchmark.columns.queries
    positive = columns.is_positive
    kinds = np.where(positive, run.kinds(modality), negative_kinds(run.present[modality]))
    has_kind = columns.of_tasks(run.tasks)
    if modality != "mask":
        has_kind = has_kind & (~positive | evaluated.benchmark.has_boxes)
    return np.where(has_kind, kinds, -1)


def run_entry(evaluated: Evaluated, run: EvaluatedRun) -> dict[str, Any]:
    """Return the run's entry in `runs` of an `ovearth-scores/1` file.

    Without the frame, and what the scorer counted besides, which no per-query file tells.
    """
    document: dict[str, Any] = {
        "model": run.model,
        "predictions_sha256": run.predictions_sha256,
        **run.attributes,
        "modalities": list(run.modalities),
        "tasks": list(run.tasks),
    }
    for modality in run.modalities:
        section = "segmentation" if modality == "mask" else modality
        by_task = {
            task: localization(evaluated, run, evaluated.asked(task, modality), modality)
            for task in run.tasks
        }
        document[section] = {task: found for task, found in by_task.items() if found is not None}
    if "vocabulary" in run.tasks:
        rows = evaluated.queries("vocabulary")
        document["presence"] = {
            name: presence(evaluated, run, rows, name) for name in run.modalities
        }
    document["errors"] = {name: _error_counts(evaluated, run, name) for name in run.modalities}
    return document


def _error_counts(
    evaluated: Evaluated, run: EvaluatedRun, modality: str
) -> dict[str, dict[str, int]]:
    kinds = error_kinds(evaluated, run, modality)
    counts = {}
    for task in (task for task in TASKS if task in run.tasks):
        of_task = kinds[evaluated.queries(task)]
        counted = np.bincount(of_task[of_task >= 0], minlength=len(KINDS))
        counts[task] = dict(zip(KINDS, counted.tolist(), strict=True))
    return counts
