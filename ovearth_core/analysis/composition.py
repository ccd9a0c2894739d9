"""Who is at the top, and how far behind are the others? (Figure 10, Table 11.)"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..benchmark import MODALITIES, TASKS
from ..predictions.header import INTERFACES
from .evaluated import Evaluated
from .evaluated_run import EvaluatedRun
from .families import baseline_differences, family_differences
from .notes import left_out, named
from .ranking import best_first, levels
from .scores import MAIN_METRIC, localization

TOP = 10
BEST_OF_INTERFACE = 2
# Of the interfaces, those whose masks come straight from the model.
_SEGMENTING = tuple(name for name in INTERFACES if name != "grounding")
UNKNOWN = "unknown"

# How models are grouped: each attribute's values and the groups' names.
GROUPINGS: Mapping[str, Mapping[Any, str]] = {
    "interface": {name: name for name in INTERFACES},
    "mllm": {True: "MLLM", False: "no MLLM"},
    "eo_specific": {True: "EO-specific", False: "general"},
}


def composition(evaluated: Evaluated) -> dict[str, Any]:
    """Return who leads each task, by what the runs' attributes say of them.

    By modality and task: `ranking`, best first, by the modality's main `metric`; `top`: its first
    ten; `groups` by attribute: how many are in the `top`, the `best` model, its score, and its
    `gap` to the task's best, as fractions; `leaders`: all with the best score;
    `best_of_interface`: the best two of each with their metrics; of masks, `paradigms`: the best
    two that ground boxes first against the best two that segment, place by place, `delta` being
    grounding − segmentation; `families` and `baselines`: see `families`. Models without an
    attribute are counted as unknown, and said.
    """
    notes: list[str] = []
    found: dict[str, dict[str, Any]] = {}
    for modality in MODALITIES:
        for task in TASKS:
            of_task = _of_task(evaluated, task, modality, notes)
            if of_task is not None:
                found.setdefault(modality, {})[task] = of_task
    for attribute in GROUPINGS:
        lacking = [run.model for run in evaluated.runs if run.attributes.get(attribute) is None]
        if lacking:
            notes.append(f"{attribute} unknown: {named(lacking)}")
    names = {run.model for run in evaluated.runs}
    for run in evaluated.runs:
        baseline = run.attributes.get("baseline")
        if baseline is not None and baseline not in names:
            notes.append(f"the baseline {baseline!r} of {named([run.model])} is no run here")
    return {"modalities": found, "notes": notes}


def _of_task(
    evaluated: Evaluated, task: str, modality: str, notes: list[str]
) -> dict[str, Any] | None:
    rows = evaluated.asked(task, modality)
    runs = evaluated.runs_of(task, modality)
    if not len(rows) or not runs:
        return None
    notes += left_out(evaluated, runs, task, modality)
    metric = MAIN_METRIC[modality]
    metrics = [localization(evaluated, run, rows, modality) or {} for run in runs]
    order = best_first([run.model for run in runs], [found[metric] for found in metrics])
    ranked = [(runs[place], metrics[place]) for place in order]
    scores = {run.model: float(found[metric]) for run, found in ranked}
    level = levels(list(scores.values())).tolist()
    paradigms = {"paradigms": _paradigms(ranked, scores)} if modality == "mask" else {}
    return {
        "metric": metric,
        "queries": len(rows),
        "ranking": [
            {
                "model": run.model,
                "score": scores[run.model],
                **{attribute: _group(run, attribute) for attribute in GROUPINGS},
            }
            for run, _ in ranked
        ],
        "top": min(TOP, len(ranked)),
        "leaders": [model for model, own in zip(scores, level, strict=True) if own == level[0]],
        "groups": {
            attribute: _groups([run for run, _ in ranked], scores, attribute)
            for attribute in GROUPINGS
        },
        "best_of_interface": _best_of_interface(ranked),
        **paradigms,
        "families": family_differences(runs, scores),
        "baselines": baseline_differences(runs, scores),
    }


def _group(run: EvaluatedRun, attribute: str) -> str:
    return GROUPINGS[attribute].get(run.attributes.get(attribute), UNKNOWN)


def _groups(
    ranked: Sequence[EvaluatedRun], scores: Mapping[str, float], attribute: str
) -> list[dict[str, Any]]:
    """Return the groups that any model is of, in the order of GROUPINGS, the unknown last."""
    in_top = Counter(_group(run, attribute) for run in ranked[:TOP])
    best: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for run in ranked:
        best.setdefault(_group(run, attribute), run.model)
        counts[_group(run, attribute)] += 1
    leader = scores[ranked[0].model]
    return [
        {
            "group": group,
            "models": counts[group],
            "in_top": in_top[group],
            "best": best[group],
            "score": scores[best[group]],
            "gap": leader - scores[best[group]],
        }
        for group in (*GROUPINGS[attribute].values(), UNKNOWN)
        if group in best
    ]


def _best_of_interface(
    ranked: Sequence[tuple[EvaluatedRun, Mapping[str, Any]]],
) -> list[dict[str, Any]]:
    found = []
    for interface in INTERFACES:
        members = [each for each in ranked if each[0].attributes.get("interface") == interface]
        for place, (run, metrics) in enumerate(members[:BEST_OF_INTERFACE], 1):
            found.append({"interface": interface, "place": place, "model": run.model, **metrics})
    return found


def _paradigms(
    ranked: Sequence[tuple[EvaluatedRun, Mapping[str, Any]]], scores: Mapping[str, float]
) -> list[dict[str, Any]]:
    """Return the best against the best, the second against the second, where there are both."""
    by_paradigm = [
        [run.model for run, _ in ranked if run.attributes.get("interface") in interfaces]
        for interfaces in (("grounding",), _SEGMENTING)
    ]
    pairs = zip(*(models[:BEST_OF_INTERFACE] for models in by_paradigm), strict=False)
    return [
        {
            "place": place,
            "grounding": grounding,
            "grounding_score": scores[grounding],
            "segmentation": segmentation,
            "segmentation_score": scores[segmentation],
            "delta": scores[grounding] - scores[segmentation],
        }
        for place, (grounding, segmentation) in enumerate(pairs, 1)
    ]
