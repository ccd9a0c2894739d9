"""What an analysis couldn't do, said in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import one_line
from ..spelling import counted, shortened
from .evaluated import Evaluated
from .evaluated_run import EvaluatedRun
from .ranking import levels

_MOST_NAMED = 5


def named(models: Sequence[str]) -> str:
    """Return the names in a row, long ones cut, those beyond the first few counted."""
    shown = ", ".join(shortened(one_line(name)) for name in models[:_MOST_NAMED])
    rest = len(models) - _MOST_NAMED
    return f"{shown} and {rest} more" if rest > 0 else shown


def left_out(
    evaluated: Evaluated, runs: Sequence[EvaluatedRun], task: str, modality: str = "mask"
) -> list[str]:
    """Say which runs lack because they don't attempt the task in the modality."""
    kept = {run.model for run in runs}
    lacking = [run.model for run in evaluated.runs if run.model not in kept]
    if not lacking:
        return []
    return [f"{task}, {modality}: {named(lacking)} left out, not attempted"]


def few_runs(count: int, what: str, of: str = "runs") -> list[str]:
    """Say that a comparison needs two runs."""
    return [f"{what} need two {of}, there is {count or 'none'}"] if count < 2 else []


def score_filters(runs: Sequence[EvaluatedRun]) -> list[str]:
    """Say of which runs boxes were dropped by their scores: they compete with fewer boxes."""
    by_bound: dict[float, list[str]] = {}
    for run in runs:
        if run.min_score is not None:
            by_bound.setdefault(run.min_score, []).append(run.model)
    rest = len(runs) - sum(map(len, by_bound.values()))
    told = [
        f"boxes that scored below {bound:g} were dropped (--min-score): {named(models)}"
        for bound, models in sorted(by_bound.items())
    ]
    if told and rest:
        told[-1] += f"; none of the other {counted(rest, 'run', 'runs')}"
    return told


def same_for_all(scores: Sequence[float], what: str) -> list[str]:
    """Say that scores without a difference rank nothing."""
    if len(scores) < 2 or levels(scores).any():
        return []
    return [f"{what} is the same for all runs, so that they can't be ranked"]
