"""Does who places things well also know when there is nothing?"""

from __future__ import annotations

from typing import Any

from .evaluated import Evaluated
from .notes import few_runs, left_out, named, same_for_all
from .ranking import spearman
from .scores import main_score
from .scores import presence as presence_counts

_TASK = "vocabulary"


def presence(evaluated: Evaluated) -> dict[str, Any]:
    """Return `ma_iou` of vocabulary queries beside the presence MCC of the same masks.

    `runs` in the order given: `ma_iou`, counts, and `mcc`, None where it is undefined. `rho`:
    Spearman's, over the models with a defined MCC, of which there are `models`; None where it is
    undefined.
    """
    runs = evaluated.runs_of(_TASK)
    rows, positive = evaluated.queries(_TASK), evaluated.positive(_TASK)
    notes = left_out(evaluated, runs, _TASK)
    scored: list[dict[str, Any]] = []
    for run in runs:
        counts = presence_counts(evaluated, run, rows, "mask")
        scored.append({"model": run.model, "ma_iou": main_score(run, positive), **counts})
    undefined = [run["model"] for run in scored if run["mcc"] is None]
    if undefined:
        notes.append(f"MCC undefined, left out of ρ: {named(undefined)}")
    both = [run for run in scored if run["mcc"] is not None and run["ma_iou"] is not None]
    iou, mcc = [run["ma_iou"] for run in both], [run["mcc"] for run in both]
    notes += few_runs(len(both), "a rank correlation: models with a defined MCC")
    notes += same_for_all(iou, "ma_iou") + same_for_all(mcc, "MCC")
    return {"rho": spearman(iou, mcc), "models": len(both), "runs": scored, "notes": notes}
