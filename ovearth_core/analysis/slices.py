"""Where are models weak: by domain, category, size, resolution, place, text and kind of error."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..benchmark import MODALITIES, TASKS
from ..errors import UsageError
from ..scoring.error_kinds import KINDS
from ..scoring.presence import mcc
from ..spelling import nearest
from .area import Area
from .evaluated import Evaluated
from .evaluated_run import EvaluatedRun
from .grouping import GROUPINGS, Grouping, by_area
from .hardest import hardest
from .notes import left_out
from .scores import MAIN_METRIC, error_kinds, main_score

Ints = NDArray[np.int64]

AREA = "area"


@dataclass(frozen=True)
class _Look:
    """One task of a modality, and the runs that attempt it."""

    task: str
    modality: str
    runs: tuple[EvaluatedRun, ...]


def slices(
    evaluated: Evaluated, by: Sequence[str] | None = None, area: Area | None = None
) -> dict[str, Any]:
    """Return each run's scores over parts of the queries.

    `by`: names of GROUPINGS, all unless given. area: adds a grouping into images that touch it,
    those that don't, and those that lie nowhere.

    `slices` by grouping, modality and task: groups in their order that have a query, each with
    `name`, `queries` (of which the modality is asked), `targets`, and `runs` by model: `score` (the
    modality's main metric, None without a query), `errors` (counts by kind, negative queries
    included), and of vocabulary `mcc`, None where it is undefined. Raises UsageError for an unknown
    grouping. `errors`: counts by kind over all of a task; `hardest`: see `hardest`.
    """
    for name in by or ():
        if name not in GROUPINGS:
            raise UsageError(f"no grouping {name!r}", "--by", nearest(name, GROUPINGS))
    notes: list[str] = []
    looks = []
    for modality in MODALITIES:
        for task in TASKS:
            runs = evaluated.runs_of(task, modality)
            if runs and len(evaluated.queries(task)):
                notes += left_out(evaluated, runs, task, modality)
                looks.append(_Look(task, modality, runs))
    groupings = {name: GROUPINGS[name] for name in by or GROUPINGS}
    if area is not None:
        groupings[AREA] = partial(by_area, area=area)
    found = {
        name: _grouped(evaluated, looks, make(evaluated.facts)) for name, make in groupings.items()
    }
    errors: dict[str, dict[str, Any]] = {}
    for look in looks:
        errors.setdefault(look.modality, {})[look.task] = _errors(evaluated, look)
    return {
        "metrics": {look.modality: MAIN_METRIC[look.modality] for look in looks},
        "kinds": list(KINDS),
        "slices": found,
        "errors": errors,
        "hardest": hardest(evaluated),
        "notes": notes,
    }


def _errors(evaluated: Evaluated, look: _Look) -> dict[str, dict[str, int]]:
    """Return how often each kind of error occurs in a task, by model."""
    rows = evaluated.queries(look.task)
    found = {}
    for run in look.runs:
        kinds = error_kinds(evaluated, run, look.modality)[rows]
        counted = np.bincount(kinds[kinds >= 0], minlength=len(KINDS)).tolist()
        found[run.model] = dict(zip(KINDS, counted, strict=True))
    return found


def _grouped(
    evaluated: Evaluated, looks: Sequence[_Look], grouping: Grouping
) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for look in looks:
        found.setdefault(look.modality, {})[look.task] = _groups(evaluated, look, grouping)
    return found


def _groups(evaluated: Evaluated, look: _Look, grouping: Grouping) -> list[dict[str, Any]]:
    asked = _by_group(evaluated.asked(look.task, look.modality), grouping)
    every = _by_group(evaluated.queries(look.task), grouping)
    kinds = {run.model: error_kinds(evaluated, run, look.modality) for run in look.runs}
    found = []
    for place, name in enumerate(grouping.names):
        if not len(every[place]):
            continue
        rows = asked[place]
        found.append(
            {
                "name": name,
                "queries": len(rows),
                "targets": len(np.unique(evaluated.facts.target_ids[rows])),
                "runs": {
                    run.model: _of_run(
                        evaluated, run, look, rows, every[place], kinds[run.model]
                    )
                    for run in look.runs
                },
            }
        )  # fmt: skip
    return found


def _by_group(rows: Ints, grouping: Grouping) -> list[Ints]:
    """Return the rows of each group, in their order."""
    places = grouping.places[rows]
    order = np.argsort(places, kind="stable")
    starts = np.searchsorted(places[order], np.arange(len(grouping.names) + 1))
    sorted_rows = rows[order]
    return [sorted_rows[a:b] for a, b in pairwise(starts)]


def _of_run(
    evaluated: Evaluated, run: EvaluatedRun, look: _Look, asked: Ints, every: Ints, kinds: Ints
) -> dict[str, Any]:
    own = kinds[every]
    counted = np.bincount(own[own >= 0], minlength=len(KINDS)).tolist()
    found: dict[str, Any] = {
        "score": main_score(run, asked, look.modality),
        "errors": dict(zip(KINDS, counted, strict=True)),
    }
    if look.task == "vocabulary":
        positive = evaluated.benchmark.columns.queries.is_positive[every]
        present = run.present[look.modality][every]
        tp, fp = int((positive & present).sum()), int((~positive & present).sum())
        fn, tn = int((positive & ~present).sum()), int((~positive & ~present).sum())
        found["mcc"] = mcc(tp, fp, tn, fn)
    return found
