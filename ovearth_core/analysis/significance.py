"""How sure is a score, and how sure the difference of two? Bootstrap, resampled by image."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..benchmark import MODALITIES, TASKS
from ..errors import UsageError
from ..scoring import THRESHOLDS
from ..scoring.error_kinds import DEFAULT_THRESHOLD
from .evaluated import Evaluated
from .evaluated_run import EvaluatedRun
from .notes import left_out
from .ranking import TIE, best_first
from .scores import MAIN_METRIC, main_score

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

LEVEL = 0.05
# By Holm's method the least p is multiplied by the pairs: fewer could never be significant.
_LEAST_RESAMPLES, _RESAMPLES_A_PAIR, _MOST_RESAMPLES = 2_000, 40, 100_000
# Images drawn at once.
_MOST_DRAWN = 1 << 22


def significance(
    evaluated: Evaluated, seed: int = 0, resamples: int | None = None
) -> dict[str, Any]:
    """Return bootstrap intervals of each run's score, and paired tests between each two runs.

    By modality and task: `metric`; `runs`, best first: `score` and `low`, `high`, the 2.5 and 97.5
    percentiles of the score over the resamples. Images are drawn with replacement, as many as
    there are with a query, the same for every run. `pairs`: `delta`, first − second; `p`: the
    share of resamples whose difference is as far from `delta` as `delta` is from 0, (1 + hits) /
    (1 + resamples); `p_holm`: corrected for all pairs of that task by Holm's method;
    `is_significant`: it is below 0.05. Reproducible by `seed`. resamples: unless given, enough
    for any difference of so many pairs to be significant.

    Raises UsageError for fewer than two runs, and fewer than one resample.
    """
    if len(evaluated.runs) < 2:
        raise UsageError("fewer than two runs, nothing to compare", "here", "name two or more")
    pairs = len(evaluated.runs) * (len(evaluated.runs) - 1) // 2
    if resamples is None:
        resamples = min(max(_LEAST_RESAMPLES, _RESAMPLES_A_PAIR * pairs), _MOST_RESAMPLES)
    if resamples < 1:
        raise UsageError("fewer than one resample", "here", "ask for 1 or more")
    notes: list[str] = []
    if pairs / (1 + resamples) >= LEVEL:
        notes.append(f"{resamples} resamples: too few for any of {pairs} pairs to be significant")
    found: dict[str, dict[str, Any]] = {}
    for modality in MODALITIES:
        for task in TASKS:
            rows, runs = evaluated.asked(task, modality), evaluated.runs_of(task, modality)
            if len(rows) and runs:
                notes += left_out(evaluated, runs, task, modality)
                of_task = _of_task(evaluated, runs, rows, modality, (seed, resamples))
                found.setdefault(modality, {})[task] = of_task
                if of_task["images"] < 2:
                    notes.append(f"{task}, {modality}: all queries are of one image, no intervals")
    return {"seed": seed, "resamples": resamples, "modalities": found, "notes": notes}


def _of_task(
    evaluated: Evaluated,
    runs: Sequence[EvaluatedRun],
    rows: Ints,
    modality: str,
    drawing: tuple[int, int],
) -> dict[str, Any]:
    names = [run.model for run in runs]
    scores = [main_score(run, rows, modality) or 0.0 for run in runs]
    order = best_first(names, scores)
    runs, names = [runs[place] for place in order], [names[place] for place in order]
    own = np.array([scores[place] for place in order])
    images, of_row = np.unique(evaluated.facts.image_places[rows], return_inverse=True)
    sums = [_sums(run, rows, modality, of_row, len(images)) for run in runs]
    if len(images) < 2:
        return {
            "metric": MAIN_METRIC[modality],
            "images": len(images),
            "runs": [
                {"model": name, "score": score, "low": None, "high": None}
                for name, score in zip(names, own.tolist(), strict=True)
            ],
            "pairs": [],
        }
    drawn = np.concatenate(list(_resampled(np.array(sums), *drawing)), axis=1)
    low, high = np.percentile(drawn, [2.5, 97.5], axis=1).tolist()
    return {
        "metric": MAIN_METRIC[modality],
        "images": len(images),
        "runs": [
            {"model": name, "score": score, "low": least, "high": most}
            for name, score, least, most in zip(names, own.tolist(), low, high, strict=True)
        ],
        "pairs": _pairs(names, own, drawn),
    }


def _sums(run: EvaluatedRun, rows: Ints, modality: str, of_row: Ints, images: int) -> Floats:
    """Return (2, I): over the queries of each image, what is divided and what divides."""
    if modality == "mask":
        parts = [run.iou[rows], np.ones(len(rows))]
    else:
        boxes = run.boxes[modality]
        matched = boxes.tp[rows, THRESHOLDS.index(DEFAULT_THRESHOLD)]
        both = boxes.truths[rows] + boxes.predictions[rows]
        parts = [2.0 * matched, both.astype(np.float64)]
    return np.array([np.bincount(of_row, weights=part, minlength=images) for part in parts])


def _resampled(sums: Floats, seed: int, resamples: int) -> Iterator[Floats]:
    """Yield the scores (M, some) of resamples, from sums (M, 2, I)."""
    models, _, images = sums.shape
    # One flat product: NumPy takes eight times as long for a stack of small ones.
    flat = sums.reshape(-1, images)
    random = np.random.default_rng(seed)
    at_once = max(1, _MOST_DRAWN // images)
    for start in range(0, resamples, at_once):
        count = min(at_once, resamples - start)
        drawn = random.integers(0, images, (count, images)) + images * np.arange(count)[:, None]
        weights = np.bincount(drawn.reshape(-1), minlength=count * images).reshape(count, images)
        summed = (flat @ weights.T.astype(np.float64)).reshape(models, 2, count)
        divided, dividing = summed[:, 0], summed[:, 1]
        yield divided / np.where(dividing > 0, dividing, 1.0)


def _pairs(names: Sequence[str], own: Floats, drawn: Floats) -> list[dict[str, Any]]:
    pairs = list(combinations(range(len(names)), 2))
    resamples = drawn.shape[1]
    deltas, chances = [], []
    for first, second in pairs:
        delta = own[first] - own[second]
        far = np.abs(drawn[first] - drawn[second] - delta) >= np.abs(delta) - TIE
        deltas.append(float(delta))
        chances.append((1 + int(np.count_nonzero(far))) / (1 + resamples))
    return [
        {
            "first": names[first],
            "second": names[second],
            "delta": delta,
            "p": chance,
            "p_holm": corrected,
            "is_significant": corrected < LEVEL,
        }
        for (first, second), delta, chance, corrected in zip(
            pairs, deltas, chances, holm(chances), strict=True
        )
    ]


def holm(chances: Sequence[float]) -> list[float]:
    """Return p-values corrected by Holm's step-down method (Scandinavian J. of Statistics 1979)."""
    order = np.argsort(chances, kind="stable")
    factors = np.arange(len(chances), 0, -1)
    raised = np.maximum.accumulate(np.asarray(chances, dtype=np.float64)[order] * factors)
    corrected = np.empty(len(chances))
    corrected[order] = np.minimum(raised, 1.0)
    return [float(chance) for chance in corrected]
