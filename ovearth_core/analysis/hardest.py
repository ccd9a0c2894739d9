"""The queries that models answer worst."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..benchmark import MODALITIES, TASKS
from ..scoring import THRESHOLDS
from ..scoring.error_kinds import DEFAULT_THRESHOLD
from .evaluated import Evaluated
from .evaluated_run import EvaluatedRun

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MOST = 20


def hardest(evaluated: Evaluated, most: int = MOST) -> dict[str, Any]:
    """Return by modality and task the queries with the lowest mean over the runs, worst first.

    Of a positive query the mask's IoU or the boxes' F1 at 0.5; of a negative one 1 for no answer
    and 0 for any. Equal ones stand in the order of their best run's value, then of their ids. Each
    has `query_id`, `text`, `polarity`, `category`, `image_id`, `file_name`, `mean`, `best` and
    `best_model`, the first where several are best.
    """
    found: dict[str, dict[str, Any]] = {}
    for modality in MODALITIES:
        for task in TASKS:
            runs = evaluated.runs_of(task, modality)
            rows = looked_at(evaluated, task, modality)
            if runs and len(rows):
                of_task = _hardest(evaluated, runs, rows, modality, most)
                found.setdefault(modality, {})[task] = of_task
    return found


def looked_at(evaluated: Evaluated, task: str, modality: str) -> Ints:
    """Return the places of the task's queries that a modality can be right or wrong at."""
    every = evaluated.queries(task)
    negative = every[~evaluated.benchmark.columns.queries.is_positive[every]]
    return np.concatenate([evaluated.asked(task, modality), negative])


def _hardest(
    evaluated: Evaluated,
    runs: Sequence[EvaluatedRun],
    rows: Ints,
    modality: str,
    most: int,
) -> list[dict[str, Any]]:
    benchmark = evaluated.benchmark
    is_positive = benchmark.columns.queries.is_positive[rows]
    quality = np.array([answer_quality(run, rows, is_positive, modality) for run in runs])
    mean, best = quality.mean(axis=0), quality.max(axis=0)
    bound = np.sort(mean)[min(most, len(mean)) - 1]
    near = np.flatnonzero(mean <= bound).tolist()
    ids = benchmark.columns.queries.ids
    near.sort(key=lambda place: (mean[place], best[place], ids[int(rows[place])]))
    listed = []
    for place in near[:most]:
        query = benchmark.queries[int(rows[place])]
        target = benchmark.target_by_id[query.target_id]
        image = benchmark.image_by_id[target.image_id]
        listed.append(
            {
                "query_id": query.id,
                "text": query.text,
                "polarity": "positive" if query.is_positive else "negative",
                "category": benchmark.category_by_id[target.category_id].name,
                "image_id": image.id,
                "file_name": image.file_name,
                "mean": float(mean[place]),
                "best": float(best[place]),
                "best_model": runs[int(np.argmax(quality[:, place]))].model,
            }
        )
    return listed


def answer_quality(
    run: EvaluatedRun, rows: Ints, is_positive: NDArray[np.bool_], modality: str
) -> Floats:
    """Return how well queries (N,) at places `rows` are answered, as in `hardest`, 0 to 1."""
    absent = 1.0 - run.present[modality][rows]
    if modality == "mask":
        return np.where(is_positive, run.iou[rows], absent)
    boxes = run.boxes[modality]
    both = boxes.truths[rows] + boxes.predictions[rows]
    matched = boxes.tp[rows, THRESHOLDS.index(DEFAULT_THRESHOLD)]
    return np.where(is_positive, 2.0 * matched / np.maximum(both, 1), absent)
