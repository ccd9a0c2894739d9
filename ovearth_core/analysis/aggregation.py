"""Does it matter whether queries, targets or categories count alike? (Tables 6, 7 and 8.)"""

from __future__ import annotations

from typing import Any

from ..benchmark import TASKS
from .evaluated import Evaluated
from .notes import few_runs, left_out, same_for_all
from .ranking import best_first, ranks, spearman, top_overlap
from .scores import localization

METRICS = ("ma_iou", "ann_miou", "cat_miou")
_OTHERS = {"target": "ann_miou", "category": "cat_miou"}
_TOP = 10


def aggregation(evaluated: Evaluated) -> dict[str, Any]:
    """Return scores and ranks by query-, target- and category-macro IoU, and how they agree.

    By task that some run has masks for: `runs`, best first by `ma_iou`, each with the three
    metrics as fractions and `ranks` (1 is the best, equal ones share it); `rho` of the query-macro
    ranking with the two others, None where it is undefined; `top` models, at most ten, by each,
    and how many of these are the same.
    """
    notes: list[str] = []
    tasks = {}
    for task in TASKS:
        found = _of_task(evaluated, task, notes)
        if found is not None:
            tasks[task] = found
    return {"tasks": tasks, "notes": notes}


def _of_task(evaluated: Evaluated, task: str, notes: list[str]) -> dict[str, Any] | None:
    rows = evaluated.positive(task)
    runs = evaluated.runs_of(task)
    if not len(rows) or not runs:
        return None
    notes += left_out(evaluated, runs, task)
    scored = [localization(evaluated, run, rows, "mask") or {} for run in runs]
    by_metric = {metric: [float(found[metric]) for found in scored] for metric in METRICS}
    names = [run.model for run in runs]
    placed = {metric: ranks(scores) for metric, scores in by_metric.items()}
    order = {metric: best_first(names, scores) for metric, scores in by_metric.items()}
    top = {key: [names[place] for place in places[:_TOP]] for key, places in order.items()}
    notes += few_runs(len(runs), f"{task}: rank correlations")
    for metric, scores in by_metric.items():
        notes += same_for_all(scores, f"{task}: {metric}")
    first = by_metric["ma_iou"]
    return {
        "queries": len(rows),
        "runs": [
            {
                "model": names[place],
                **{metric: scores[place] for metric, scores in by_metric.items()},
                "ranks": {metric: given[place] for metric, given in placed.items()},
            }
            for place in order["ma_iou"]
        ],
        "rho": {key: spearman(first, by_metric[metric]) for key, metric in _OTHERS.items()},
        "top": min(_TOP, len(runs)),
        "top_overlap": {
            key: top_overlap(top["ma_iou"], top[metric]) for key, metric in _OTHERS.items()
        },
    }
