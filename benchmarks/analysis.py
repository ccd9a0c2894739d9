"""Time category subsets against a loop of pandas and SciPy doing the same, in one run.

Usage: python benchmarks/analysis.py [MODELS SUBSETS]     default: 49 1000
The peer groups by model and takes means on each subset, ranks, and correlates: on fewer subsets
where asked, its time taken as proportional to their number.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import spearmanr

sys.path.insert(0, str(Path(__file__).parents[1]))

from ovearth_core.analysis.significance import significance
from ovearth_core.analysis.slices import slices
from ovearth_core.analysis.stability import SIZES, stability
from ovearth_core.benchmark import read_benchmark
from tests.core.made_runs import random_runs
from tests.core.making import write_benchmark
from tests.core.paper_benchmark import paper_benchmark

_PEER_SHARE = 10


def timed(name: str, work: Callable[[], Any]) -> float:
    """Do the work, print and return the seconds that it took."""
    start, busy = time.perf_counter(), time.process_time()
    work()
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    print(f"{name:44} {seconds:8.2f} s, {busy:8.2f} s of a core", flush=True)
    return busy


def peer(frame: pd.DataFrame, subsets: int) -> None:
    """Rank the models on random category subsets by pandas' group-by, one subset at a time."""
    rng = np.random.default_rng(0)
    categories = frame.category.unique()
    full = frame.groupby("model").iou.mean()
    best = set(full.nlargest(5).index)
    for size in SIZES:
        rhos, shares = [], []
        for _ in range(subsets):
            chosen = rng.choice(categories, size, replace=False)
            scores = frame[frame.category.isin(chosen)].groupby("model").iou.mean()
            rhos.append(spearmanr(scores, full).statistic)
            shares.append(len(best & set(scores.nlargest(5).index)) / 5)
        np.percentile(rhos, [50, 2.5, 97.5]), np.percentile(shares, [50, 2.5, 97.5])


def main(models: int, subsets: int) -> None:
    """Time both sides on a benchmark with the paper's counts."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        benchmark = read_benchmark(write_benchmark(Path(folder), paper_benchmark()))
        evaluated = random_runs(benchmark, models, modalities=("mask", "hbb"))
        rows = evaluated.positive("vocabulary")
        category = evaluated.facts.category_ids[rows]
        frame = pd.concat(
            pd.DataFrame({"model": run.model, "category": category, "iou": run.iou[rows]})
            for run in evaluated.runs
        )
        print(f"{models} runs, {len(SIZES)} sizes, {subsets} subsets, {len(rows)} queries")
        stability(evaluated, subsets=1)  # imports
        ours = min(timed("stability", lambda: stability(evaluated, subsets=subsets)) for _ in "123")
        few = max(1, subsets // _PEER_SHARE)
        theirs = timed(f"pandas' group-by, {few} subsets", lambda: peer(frame, few))
        theirs *= subsets / few
        print(f"ratio {theirs / ours:.0f} (pandas {theirs:.0f} s for {subsets} subsets)")
        timed("significance, all pairs of six tasks", lambda: significance(evaluated))
        timed("slices, all groupings", lambda: slices(evaluated))


if __name__ == "__main__":
    main(*(int(number) for number in sys.argv[1:3] or (49, 1000)))
