"""Is one form of query harder than another, on the same targets? (Tables 9 and 10.)"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from ..benchmark import TASKS
from .evaluated import Evaluated
from .evaluated_run import EvaluatedRun
from .notes import few_runs, left_out, same_for_all
from .ranking import TIE, spearman
from .scores import MAIN_METRIC, main_score


def query_forms(evaluated: Evaluated, modality: str = "mask") -> dict[str, Any]:
    """Return, for each pair of tasks, how the models that ran both score on the targets of both.

    `pairs`: `first` and `second` task; how many `targets` have positive queries of both;
    `first_higher`, `first_lower` and `equal`: models by the sign of first − second; `rho`: of the
    overall rankings, None where it is undefined; `runs` in the order given: both scores on those
    targets and `delta`, second − first, as fractions. Scores are the modality's main `metric`, and
    targets those that it is asked of.
    """
    notes: list[str] = []
    pairs = []
    for first, second in combinations(TASKS, 2):
        found = _pair(evaluated, modality, (first, second), notes)
        if found is not None:
            pairs.append(found)
    return {
        "modality": modality,
        "metric": MAIN_METRIC[modality],
        "pairs": pairs,
        "notes": notes,
    }


def _pair(
    evaluated: Evaluated, modality: str, tasks: tuple[str, str], notes: list[str]
) -> dict[str, Any] | None:
    first, second = tasks
    rows = {task: evaluated.asked(task, modality) for task in tasks}
    name = f"{first}–{second}"
    if not all(map(len, rows.values())):
        return None
    runs = [run for run in evaluated.runs_of(first, modality) if run.attempts(second, modality)]
    target_ids = evaluated.facts.target_ids
    shared = np.intersect1d(target_ids[rows[first]], target_ids[rows[second]])
    if not len(shared):
        notes.append(f"{name}: no target has positive queries of both")
        return None
    notes += left_out(evaluated, runs, name, modality)
    if not runs:
        return None
    notes += few_runs(len(runs), f"{name}: rank correlations")
    on_shared = {task: places[np.isin(target_ids[places], shared)] for task, places in rows.items()}
    overall = {
        task: [_score(run, places, modality) for run in runs] for task, places in rows.items()
    }
    for task, scores in overall.items():
        notes += same_for_all(scores, f"{name}: {MAIN_METRIC[modality]} of {task} queries")
    one, other = on_shared[first], on_shared[second]
    compared = [
        (run.model, _score(run, one, modality), _score(run, other, modality)) for run in runs
    ]
    deltas = np.array([b - a for _, a, b in compared])
    return {
        "first": first,
        "second": second,
        "targets": len(shared),
        "models": len(runs),
        "rho": spearman(overall[first], overall[second]),
        "first_higher": int(np.count_nonzero(deltas < -TIE)),
        "first_lower": int(np.count_nonzero(deltas > TIE)),
        "equal": int(np.count_nonzero(np.abs(deltas) <= TIE)),
        "runs": [
            {"model": model, "first": a, "second": b, "delta": b - a} for model, a, b in compared
        ],
    }


def _score(run: EvaluatedRun, rows: Any, modality: str) -> float:
    score = main_score(run, rows, modality)
    if score is None:
        raise ValueError("a score of no queries")
    return score
