"""Rankings of models by a score, and how far two of them agree."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import MissingPackageError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Scores that differ by less are equal: sums in another order differ by as much.
TIE = 1e-12


def levels(scores: ArrayLike) -> Ints:
    """Return whole numbers (…, M) that rise with the scores along the last axis, equal ones equal.

    Scores are in order where each is more than TIE above the one before.
    """
    values = np.asarray(scores, dtype=np.float64)
    order = np.argsort(values, axis=-1, kind="stable")
    steps = np.zeros(values.shape, dtype=np.int64)
    steps[..., 1:] = np.diff(np.take_along_axis(values, order, -1), axis=-1) > TIE
    found = np.empty_like(steps)
    np.put_along_axis(found, order, np.cumsum(steps, axis=-1), -1)
    return found


def best_first(names: Sequence[str], scores: Sequence[float]) -> list[int]:
    """Return the places of the models, the best first, ties by name."""
    level = levels(scores).tolist() if len(names) else []
    return sorted(range(len(names)), key=lambda place: (-level[place], names[place]))


def ranks(scores: Sequence[float]) -> list[int]:
    """Return each score's rank, 1 for the best; equal ones share the best of theirs."""
    level = levels(scores) if len(scores) else np.zeros(0, dtype=np.int64)
    return [1 + int(np.count_nonzero(level > own)) for own in level.tolist()]


def spearman(first: Sequence[float], second: Sequence[float]) -> float | None:
    """Return Spearman's ρ of two scores of the same models, average ranks for ties.

    None where it is undefined: fewer than two models, or one of the scores the same for all.
    """
    if len(first) < 2:
        return None
    rho = float(rank_correlations(levels(first), levels(second)))
    return None if np.isnan(rho) else rho


def rank_correlations(first: Ints, second: Ints) -> Floats:
    """Return Spearman's ρ (…) of levels (…, M) with levels (M,), NaN where it is undefined.

    The sums are of whole numbers, so that a ranking with itself gives exactly 1.
    """
    a, b = _doubled_ranks(first), _doubled_ranks(second)
    count = a.shape[-1]
    covariance = count * (a * b).sum(-1) - a.sum(-1) * b.sum(-1)
    spread_a = count * np.square(a).sum(-1) - np.square(a.sum(-1))
    spread_b = count * np.square(b).sum(-1) - np.square(b.sum(-1))
    root = np.sqrt(spread_a.astype(np.float64) * spread_b)
    undefined = (spread_a == 0) | (spread_b == 0)
    return np.where(undefined, np.nan, covariance / np.where(undefined, 1.0, root))


def top_overlap(first: Iterable[str], second: Iterable[str]) -> int:
    """Return how many models are in both."""
    return len(set(first) & set(second))


def _doubled_ranks(level: Ints) -> Ints:
    """Return twice the average ranks, which are whole."""
    try:
        from scipy.stats import rankdata
    except ImportError:
        raise MissingPackageError(
            "rank correlations need SciPy", "here", "pip install 'ovearth[report]'"
        ) from None
    doubled: Ints = np.rint(2 * rankdata(level, axis=-1)).astype(np.int64)
    return doubled
