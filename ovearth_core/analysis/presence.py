"""Does who places things well also know when there is nothing?"""

from __future__ import annotations

from typing import Any

from .evaluated import Evaluated
from .notes import few_runs, left_out, named, same_for_all
from .ranking import spearman
from .scores import MAIN_METRIC, main_score
from .scores import presence as presence_counts

_TASK = "vocabulary"


def presence(evaluated: Evaluated, modality: str = "mask") -> dict[str, Any]:
    """Return the main metric of vocabulary queries beside the presence MCC of the same answers.

    `metric`: its name, `ma_iou` for masks. `runs` in the order given: that metric by its name,
    counts, and `mcc`, None where it is undefined. `rho`: Spearman's, over the models with a defined
    MCC, of which there are `models`; None where it is undefined.
    """
    metric = MAIN_METRIC[modality]
    runs = evaluated.runs_of(_TASK, modality)
    rows, asked = evaluated.queries(_TASK), evaluated.asked(_TASK, modality)
    notes = left_out(evaluated, runs, _TASK, modality)
    scored: list[dict[str, Any]] = []
    for run in runs:
        counts = presence_counts(evaluated, run, rows, modality)
        scored.append({"model": run.model, metric: main_score(run, asked, modality), **counts})
    undefined = [run["model"] for run in scored if run["mcc"] is None]
    if undefined:
        notes.append(f"MCC undefined, left out of ρ: {named(undefined)}")
    both = [run for run in scored if run["mcc"] is not None and run[metric] is not None]
    score, mcc = [run[metric] for run in both], [run["mcc"] for run in both]
    notes += few_runs(len(both), "rank correlations", "models with a defined MCC")
    notes += same_for_all(score, metric) + same_for_all(mcc, "MCC")
    return {
        "modality": modality,
        "metric": metric,
        "rho": spearman(score, mcc),
        "models": len(both),
        "runs": scored,
        "notes": notes,
    }
