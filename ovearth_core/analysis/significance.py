"""How sure is a score, and how sure the difference of two? Bootstrap, resampled by image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..benchmark import MODALITIES, TASKS
from ..errors import UsageError
from .evaluated import Evaluated
from .evaluated_run import EvaluatedRun
from .notes import left_out, named
from .presence_counts import counts_of_images, mcc_of
from .ranking import best_first
from .resampling import LEVEL, interval, paired_tests, resampled
from .scores import MAIN_METRIC, main_score, score_sums

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# By Holm's method the least p is multiplied by the pairs: fewer could never be significant.
_LEAST_RESAMPLES, _RESAMPLES_A_PAIR, MOST_RESAMPLES = 2_000, 40, 100_000
_TASK = "vocabulary"  # of which presence is asked


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

    `presence`: the same by modality of the presence MCC over vocabulary queries of both
    polarities, of the runs whose MCC is defined; `undefined` resamples of a run are left out.

    Raises UsageError for fewer than two runs, and fewer than one resample.
    """
    if len(evaluated.runs) < 2:
        raise UsageError("fewer than two runs, nothing to compare", "here", "name two or more")
    pairs = len(evaluated.runs) * (len(evaluated.runs) - 1) // 2
    if resamples is None:
        resamples = min(max(_LEAST_RESAMPLES, _RESAMPLES_A_PAIR * pairs), MOST_RESAMPLES)
    if resamples < 1:
        raise UsageError("fewer than one resample", "here", "ask for 1 or more")
    notes: list[str] = []
    if pairs / (1 + resamples) >= LEVEL:
        notes.append(f"{resamples} resamples: too few for any of {pairs} pairs to be significant")
    drawing = (seed, resamples)
    found: dict[str, dict[str, Any]] = {}
    for modality in MODALITIES:
        for task in TASKS:
            rows, runs = evaluated.asked(task, modality), evaluated.runs_of(task, modality)
            if len(rows) and runs:
                notes += left_out(evaluated, runs, task, modality)
                of_task = _of_task(evaluated, runs, rows, modality, drawing)
                found.setdefault(modality, {})[task] = of_task
                if of_task["images"] < 2:
                    notes.append(f"{task}, {modality}: all queries are of one image, no intervals")
    presence = {
        modality: of_modality
        for modality in MODALITIES
        if (of_modality := _of_presence(evaluated, modality, drawing, notes)) is not None
    }
    return {
        "seed": seed,
        "resamples": resamples,
        "modalities": found,
        "presence": presence,
        "notes": notes,
    }


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
    images, of_row = np.unique(evaluated.facts.image_places[rows], return_inverse=True)
    sums = [score_sums(runs[place], rows, modality, of_row, len(images)) for place in order]
    return {
        "metric": MAIN_METRIC[modality],
        **_tested(
            [names[place] for place in order],
            np.array([scores[place] for place in order]),
            _drawn_scores(np.array(sums), drawing) if len(images) > 1 else None,
        ),
        "images": len(images),
    }


def _drawn_scores(sums: Floats, drawing: tuple[int, int]) -> Floats:
    """Return the scores (M, R) of resamples, from what is divided and what divides (M, 2, I)."""
    parts = (
        drawn[:, 0] / np.where(drawn[:, 1] > 0, drawn[:, 1], 1.0)
        for drawn in resampled(sums, *drawing)
    )
    return np.concatenate(list(parts), axis=1)


def _of_presence(
    evaluated: Evaluated, modality: str, drawing: tuple[int, int], notes: list[str]
) -> dict[str, Any] | None:
    """Return None where no run has a defined MCC."""
    rows = evaluated.queries(_TASK)
    images, of_row = np.unique(evaluated.facts.image_places[rows], return_inverse=True)
    counts = {
        run.model: counts_of_images(evaluated, run, rows, modality, of_row, len(images))
        for run in evaluated.runs_of(_TASK, modality)
    }
    own = {model: float(mcc_of(each.sum(axis=-1))) for model, each in counts.items()}
    names = [model for model, value in own.items() if not np.isnan(value)]
    if not names:
        return None
    undefined = [model for model in own if model not in names]
    if undefined:
        notes.append(f"presence, {modality}: MCC undefined, left out: {named(undefined)}")
    order = best_first(names, [own[name] for name in names])
    ranked = [names[place] for place in order]
    drawn = None
    if len(images) > 1:
        sums = np.array([counts[name] for name in ranked])
        parts = [mcc_of(some) for some in resampled(sums, *drawing)]
        drawn = np.concatenate(parts, axis=1)
    tested = _tested(ranked, np.array([own[name] for name in ranked]), drawn)
    for place, run in enumerate(tested["runs"]):
        run["undefined"] = 0 if drawn is None else int(np.count_nonzero(np.isnan(drawn[place])))
    return {"metric": "mcc", **tested, "images": len(images)}


def _tested(names: Sequence[str], own: Floats, drawn: Floats | None) -> dict[str, Any]:
    """Return `runs` and `pairs`; without intervals and pairs where nothing could be drawn."""
    ends = [(None, None)] * len(names) if drawn is None else [interval(each) for each in drawn]
    return {
        "runs": [
            {"model": name, "score": score, "low": low, "high": high}
            for name, score, (low, high) in zip(names, own.tolist(), ends, strict=True)
        ],
        "pairs": [] if drawn is None else paired_tests(names, own, drawn),
    }
