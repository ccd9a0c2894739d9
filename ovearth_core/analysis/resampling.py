"""The bootstrap: images drawn with replacement, and what is tested by them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .ranking import TIE

Floats = NDArray[np.float64]

LEVEL = 0.05
# Images drawn at once.
_MOST_DRAWN = 1 << 22


def resampled(sums: Floats, seed: int, resamples: int) -> Iterator[Floats]:
    """Yield the sums (M, P, some) over resamples of I images, from those of each (M, P, I).

    As many images are drawn as there are, the same for every one of M models.
    """
    models, parts, images = sums.shape
    # One flat product: NumPy takes eight times as long for a stack of small ones.
    flat = sums.reshape(-1, images)
    random = np.random.default_rng(seed)
    at_once = max(1, _MOST_DRAWN // images)
    for start in range(0, resamples, at_once):
        count = min(at_once, resamples - start)
        drawn = random.integers(0, images, (count, images)) + images * np.arange(count)[:, None]
        weights = np.bincount(drawn.reshape(-1), minlength=count * images).reshape(count, images)
        yield (flat @ weights.T.astype(np.float64)).reshape(models, parts, count)


def interval(drawn: Floats) -> tuple[float | None, float | None]:
    """Return the 2.5 and 97.5 percentiles of the scores (R,) that are defined; None without any."""
    defined = drawn[~np.isnan(drawn)]
    if not len(defined):
        return None, None
    low, high = np.percentile(defined, [2.5, 97.5]).tolist()
    return low, high


def paired_tests(names: Sequence[str], own: Floats, drawn: Floats) -> list[dict[str, Any]]:
    """Return the test of each two models, from their scores (M,) and those of resamples (M, R).

    Resamples in which either score is undefined, NaN, are left out of `p`.
    """
    pairs = list(combinations(range(len(names)), 2))
    deltas, chances = [], []
    for first, second in pairs:
        delta = own[first] - own[second]
        differences = drawn[first] - drawn[second]
        defined = len(differences) - int(np.count_nonzero(np.isnan(differences)))
        far = np.abs(differences - delta) >= np.abs(delta) - TIE
        deltas.append(float(delta))
        chances.append((1 + int(np.count_nonzero(far))) / (1 + defined))
    return [
        {
            "first": names[first],
            "second": names[second],
            "delta": delta,
            "p": chance,
            "p_holm": corrected,
            "is_significant": corrected < LEVEL,
        }
        for (first, second), delta, chance, corrected in zip(
            pairs, deltas, chances, holm(chances), strict=True
        )
    ]


def holm(chances: Sequence[float]) -> list[float]:
    """Return p-values corrected by Holm's step-down method (Scandinavian J. of Statistics 1979)."""
    order = np.argsort(chances, kind="stable")
    factors = np.arange(len(chances), 0, -1)
    raised = np.maximum.accumulate(np.asarray(chances, dtype=np.float64)[order] * factors)
    corrected = np.empty(len(chances))
    corrected[order] = np.minimum(raised, 1.0)
    return [float(chance) for chance in corrected]
