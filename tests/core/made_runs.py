"""Evaluated runs drawn at random over a benchmark, without predictions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ovearth_core.analysis.evaluated import Evaluated
from ovearth_core.analysis.evaluated_run import BoxCounts, EvaluatedRun, MaskColumns
from ovearth_core.benchmark import TASKS, Benchmark

TRUE_PX = 400


def made_run(
    benchmark: Benchmark,
    model: str,
    iou: Any,
    tasks: Sequence[str] = TASKS,
    modalities: Sequence[str] = ("mask",),
    present: Any = None,
    seed: int = 0,
    **attributes: Any,
) -> EvaluatedRun:
    """A run with (about) these IoUs (N,) of masks: 400 true pixels, none predicted falsely."""
    columns = benchmark.columns.queries
    attempted = columns.of_tasks(tasks)
    asked = attempted & columns.is_positive
    common = np.where(asked, np.rint(np.asarray(iou) * TRUE_PX), 0).astype(np.int64)
    masks = MaskColumns(
        (common > 0).astype(np.float64), common / TRUE_PX, common, np.where(asked, TRUE_PX, 0)
    )
    shown = (common > 0) if present is None else np.asarray(present, dtype=np.bool_)
    rng = np.random.default_rng(seed)
    return EvaluatedRun(
        model,
        f"{model}.jsonl",
        tuple(tasks),
        tuple(modalities),
        dict.fromkeys(modalities, shown & attempted),
        masks if "mask" in modalities else None,
        {
            name: _boxes(benchmark, attempted & benchmark.has_boxes, rng)
            for name in modalities
            if name != "mask"
        },
        attributes,
    )


def random_runs(benchmark: Benchmark, models: int, seed: int = 0, **options: Any) -> Evaluated:
    """Runs of models that differ in skill, over targets that differ in difficulty."""
    rng = np.random.default_rng(seed)
    count = len(benchmark.queries)
    easy = rng.normal(0, 0.15, len(benchmark.categories))
    category_ids = benchmark.columns.targets.category_ids[benchmark.target_places]
    place = {category.id: number for number, category in enumerate(benchmark.categories)}
    of_query = np.array([place[category_id] for category_id in category_ids.tolist()])
    runs = []
    for number in range(models):
        skill = 0.1 + 0.4 * rng.random()
        own = rng.normal(0, 0.1, len(easy))
        iou = np.clip(skill + (easy + own)[of_query] + rng.normal(0, 0.2, count), 0, 1)
        present = rng.random(count) < 0.7
        name = f"model {number:02d}"
        runs.append(made_run(benchmark, name, iou, present=present, seed=number, **options))
    return Evaluated(benchmark, tuple(runs))


def _boxes(benchmark: Benchmark, asked: Any, rng: np.random.Generator) -> BoxCounts:
    truths = np.where(asked, benchmark.box_counts[benchmark.target_places], 0)
    predictions = np.where(asked, rng.integers(0, 6, len(asked)), 0)
    most = np.minimum(truths, predictions)
    shares = -np.sort(-rng.random((len(asked), 10)), axis=1)
    tp = np.floor(most[:, None] * shares + 0.5).astype(np.int64)
    return BoxCounts(truths, predictions, tp[:, 0] > 0, tp)
