"""Would fewer categories give the same ranking? (Figure 6.)"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from .evaluated import Evaluated
from .evaluated_run import EvaluatedRun
from .notes import left_out, same_for_all
from .ranking import best_first, levels, rank_correlations
from .scores import ANSWERS, MAIN_METRIC, main_score, score_sums

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

SIZES = (5, 10, 20, 50, 100, 150)
SUBSETS = 1000
TOP = 5
_TASK = "vocabulary"


def stability(
    evaluated: Evaluated,
    seed: int = 0,
    subsets: int = SUBSETS,
    sizes: Sequence[int] = SIZES,
    modality: str = "mask",
) -> dict[str, Any]:
    """Return how rankings on random category subsets agree with the full one.

    `sizes` by K: median, 2.5 and 97.5 percentiles (linear) of `rho` (Spearman's, average ranks)
    and of `top5_recovery`, and how many ρ are `undefined` and left out. Each K has random numbers
    of its own, so that leaving one out changes no other. `full_ranking`: models, best first, by
    the modality's main `metric` over all positive vocabulary queries, ties by name: the mean IoU
    of masks; of boxes F1 at 0.5, their counts pooled over the subset.

    Raises UsageError for fewer than two runs with that modality of vocabulary queries.
    """
    runs = evaluated.runs_of(_TASK, modality)
    rows = evaluated.asked(_TASK, modality)
    if len(runs) < 2 or not len(rows):
        raise UsageError(
            f"fewer than two runs answer positive vocabulary queries with {ANSWERS[modality]}",
            f"{len(runs)} of {len(evaluated.runs)}",
            "name two or more",
        )
    if subsets < 1 or any(size < 1 for size in sizes):
        raise UsageError("fewer than one subset, or category in it", "here", "ask for 1 or more")
    names = [run.model for run in runs]
    scores = [main_score(run, rows, modality) or 0.0 for run in runs]
    order = best_first(names, scores)
    metric = MAIN_METRIC[modality]
    notes = [*left_out(evaluated, runs, _TASK, modality), *same_for_all(scores, metric)]
    sums = _by_category(evaluated, runs, rows, modality)
    categories = sums.shape[2]
    found: dict[str, Any] = {}
    for size in sizes:
        if size > categories:
            continue
        chosen = _subsets(seed, size, subsets, categories)
        found[str(size)] = _agreement(scores, names, order, sums, chosen)
        undefined = found[str(size)]["undefined"]
        if undefined:
            notes.append(
                f"K = {size}: ρ is undefined in {undefined} of {subsets} subsets, left out"
            )
    skipped = [size for size in sizes if size > categories]
    if skipped:
        which = ", ".join(map(str, skipped))
        have = "category has" if categories == 1 else "categories have"
        notes.append(f"K = {which} left out: {categories} {have} a positive query")
    return {
        "seed": seed,
        "modality": modality,
        "metric": metric,
        "subsets": subsets,
        "models": len(runs),
        "categories": categories,
        "sizes": found,
        "skipped": skipped,
        "full_ranking": [names[place] for place in order],
        "notes": notes,
    }


def _by_category(
    evaluated: Evaluated, runs: Sequence[EvaluatedRun], rows: Ints, modality: str
) -> Floats:
    """Return (M, 2, C): of the categories that have any queries, their scores' parts summed."""
    ids = evaluated.facts.category_ids[rows]
    categories, place = np.unique(ids, return_inverse=True)
    return np.array([score_sums(run, rows, modality, place, len(categories)) for run in runs])


def _subsets(seed: int, size: int, subsets: int, categories: int) -> Floats:
    """Return which categories are in each subset, (S, C) of 1 and 0, the same for every model."""
    random = np.random.default_rng([seed, size]).random((subsets, categories))
    chosen = np.zeros((subsets, categories))
    drawn = np.argpartition(random, size - 1, axis=1)[:, :size]
    np.put_along_axis(chosen, drawn, 1.0, axis=1)
    return chosen


def _agreement(
    scores: Sequence[float],
    names: Sequence[str],
    order: Sequence[int],
    sums: Floats,
    chosen: Floats,
) -> dict[str, Any]:
    divided, dividing = (chosen @ sums[:, part].T for part in (0, 1))
    subset_scores = divided / np.where(dividing > 0, dividing, 1.0)
    full_top = {names[place] for place in order[: min(TOP, len(names))]}
    rho = rank_correlations(levels(subset_scores), levels(scores))
    defined = rho[~np.isnan(rho)]
    return {
        "rho": spread(defined),
        "top5_recovery": spread(_recovery(subset_scores, names, full_top)),
        "undefined": len(rho) - len(defined),
    }


def _recovery(subset_scores: Floats, names: Sequence[str], full_top: set[str]) -> Floats:
    """Return the share (S,) of the full ranking's best that are among each subset's best."""
    # A stable sort leaves equals in the order of the columns: ties by name.
    by_name = sorted(range(len(names)), key=names.__getitem__)
    level = levels(subset_scores[:, by_name])
    best = np.argsort(-level, axis=1, kind="stable")[:, : len(full_top)]
    is_top = np.array([names[place] in full_top for place in by_name])
    share: Floats = is_top[best].mean(axis=1)
    return share


def spread(values: Floats) -> dict[str, float | None]:
    """Return median, 2.5 and 97.5 percentiles, linear; None of no values."""
    names = ("median", "p2_5", "p97_5")
    if not len(values):
        return dict.fromkeys(names)
    found = np.percentile(values, [50.0, 2.5, 97.5]).tolist()
    return dict(zip(names, found, strict=True))
