"""Presence: does a model say that something is there, whatever it points at."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray


def mcc(tp: int, fp: int, tn: int, fn: int) -> float | None:
    """Return the Matthews correlation coefficient, None where a factor of its root is 0.

    The product is taken in Python's whole numbers: it leaves 64 bits once the factors pass 55,000.
    """
    product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    return (tp * tn - fp * fn) / math.sqrt(product) if product else None


def presence_metrics(
    is_positive: NDArray[np.bool_], is_present: NDArray[np.bool_]
) -> dict[str, Any]:
    """Return counts and MCC over (N,) queries: whether each is positive, and was answered."""
    tp = int(np.count_nonzero(is_positive & is_present))
    fp = int(np.count_nonzero(~is_positive & is_present))
    fn = int(np.count_nonzero(is_positive)) - tp
    tn = len(is_positive) - tp - fp - fn
    return {"tp": tp, "fp": fp, "tn": tn, "fn": fn, "mcc": mcc(tp, fp, tn, fn)}
