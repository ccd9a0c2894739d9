"""How numbers are spread: kept packed, told by their quantiles and a histogram."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import Any

import numpy as np

_MOST_BINS = 40


class Distribution:
    """Numbers put in one by one, eight bytes each.

    edges: of the histogram's bins; None for bins of equal width from the least to the greatest.
    """

    def __init__(self, edges: Sequence[float] | None = None) -> None:
        self._numbers = array("d")
        self._edges = edges

    def add(self, number: float) -> None:
        """Put one number in."""
        self._numbers.append(number)

    def __len__(self) -> int:
        return len(self._numbers)

    def as_json(self) -> dict[str, Any]:
        """Return count, min, p5, median, mean, p95, max and a histogram; nulls where it is empty.

        A bin holds its lower edge but not its upper one, the last bin both.
        """
        numbers = np.frombuffer(self._numbers, dtype=np.float64)
        if not len(numbers):
            names = ("min", "p5", "median", "mean", "p95", "max", "histogram")
            return {"count": 0, **dict.fromkeys(names)}
        low, p5, median, p95, high = np.percentile(numbers, [0, 5, 50, 95, 100])
        counts, edges = np.histogram(numbers, self._bins(numbers))
        return {
            "count": len(numbers),
            "min": float(low),
            "p5": float(p5),
            "median": float(median),
            "mean": float(numbers.mean()),
            "p95": float(p95),
            "max": float(high),
            "histogram": {"edges": edges.tolist(), "counts": counts.tolist()},
        }

    def _bins(self, numbers: Any) -> Any:
        if self._edges is not None:
            return np.array(self._edges)
        span = float(np.ptp(numbers))
        if np.array_equal(numbers, np.round(numbers)) and span < _MOST_BINS:
            return np.arange(numbers.min() - 0.5, numbers.max() + 1.0)
        return np.histogram_bin_edges(numbers, min(_MOST_BINS, 1 + int(len(numbers) ** 0.5)))
