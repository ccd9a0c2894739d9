"""Presence counted image by image, so that images can be drawn anew."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .evaluated import Evaluated
from .evaluated_run import EvaluatedRun

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def counts_of_images(
    evaluated: Evaluated, run: EvaluatedRun, rows: Ints, modality: str, image: Ints, images: int
) -> Floats:
    """Return true and false positives, true and false negatives of each image, (4, images).

    rows: the queries; image: (N,), the place of each one's image.
    """
    positive = evaluated.benchmark.columns.queries.is_positive[rows]
    present = run.present[modality][rows]
    kinds = (positive & present, ~positive & present, ~positive & ~present, positive & ~present)
    return np.array([np.bincount(image[kind], minlength=images) for kind in kinds], np.float64)


def mcc_of(counts: Floats) -> Floats:
    """Return the MCC (M, R) of such counts (M, 4, R), or of (4,); NaN where it is undefined.

    In floating point: the product of the factors leaves 64 bits once they pass 55,000.
    """
    tp, fp, tn, fn = np.moveaxis(counts, -2 if counts.ndim > 1 else -1, 0)
    product = (tp + fp) * (tp + fn) * (tn + fp) * (tn + fn)
    root = np.sqrt(np.where(product > 0, product, 1.0))
    found: Floats = np.where(product > 0, (tp * tn - fp * fn) / root, np.nan)
    return found
