"""Are areas and lines harder than things that can be counted? (Figure 11.)"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..benchmark import TASKS
from .evaluated import Evaluated
from .notes import left_out
from .scores import main_score

PARTS = ("instanceable", "non_instanceable")
_NAMES = {"instanceable": "an instanceable", "non_instanceable": "a non-instanceable"}


def instanceability(evaluated: Evaluated) -> dict[str, Any]:
    """Return `ma_iou` over instanceable and non-instanceable targets apart.

    By task that some run has masks for: how many `targets`, `queries` and `categories` each part
    has; `runs` in the order given with the overall `ma_iou` and the score of each part, None where
    the part has no query, their `delta` (non-instanceable − instanceable), and the `interface` that
    the run declares.
    """
    notes: list[str] = []
    tasks = {}
    for task in TASKS:
        runs = evaluated.runs_of(task)
        rows = evaluated.positive(task)
        if not len(rows) or not runs:
            continue
        notes += left_out(evaluated, runs, task)
        is_instanceable = evaluated.facts.is_instanceable[rows]
        parts = {"instanceable": rows[is_instanceable], "non_instanceable": rows[~is_instanceable]}
        for part, places in parts.items():
            if not len(places):
                notes.append(f"{task}: no query of {_NAMES[part]} target")
        scored = []
        for run in runs:
            scores = {part: main_score(run, places) for part, places in parts.items()}
            one, other = (scores[part] for part in PARTS)
            delta = None if one is None or other is None else other - one
            interface = run.attributes.get("interface")
            scored.append(
                {
                    "model": run.model, "ma_iou": main_score(run, rows), **scores, "delta": delta,
                    "interface": interface,
                }
            )  # fmt: skip
        tasks[task] = {
            "parts": {
                part: {
                    "queries": len(places),
                    "targets": len(np.unique(evaluated.facts.target_ids[places])),
                    "categories": len(np.unique(evaluated.facts.category_ids[places])),
                }
                for part, places in parts.items()
            },
            "runs": scored,
        }
    return {"tasks": tasks, "notes": notes}
