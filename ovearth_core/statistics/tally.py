"""Counts of what benchmarks hold, added up part by part, as `metrics.md` defines them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..benchmark.columns import TASKS
from ..benchmark.model import Benchmark, Image, Instance, Query, Target
from ..benchmark.truth import Truth
from ..errors import FrameError
from ..geometry import quad_areas
from .distribution import Distribution

_SMALL_SHARE, _LARGE_SHARE = 0.01, 0.5
_NEARLY_90_DEG = 0.001
_ANGLES = [float(edge) for edge in range(0, 91, 5)]
_SHARES = [10.0**power for power in np.arange(-7.0, 0.25, 0.25)]
_UNKNOWN = "unknown"
_NO_TASK = "none"


class Tally:
    """What was counted so far. Parts hold different images, targets and queries."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()
        self._categories: dict[str, set[int]] = {}
        self._phrases: dict[bool, set[str]] = {True: set(), False: set()}
        self._phrase_counts: Counter[bool] = Counter()
        self._tasks: Counter[str] = Counter()
        self._targets_by_tasks: Counter[tuple[str, ...]] = Counter()
        self._continents: Counter[str] = Counter()
        self._targets_by_domain: Counter[str] = Counter()
        self._widths, self._heights = Distribution(), Distribution()
        self._gsd, self._boxes_per_target = Distribution(), Distribution()
        self._shares, self._angles = Distribution(_SHARES), Distribution(_ANGLES)
        self._words = {task: Distribution() for task in TASKS}

    def add(self, benchmark: Benchmark) -> None:
        """Count a benchmark, or a part of one. Images without a target don't count.

        TruthError, naming its place, for boxes that are none.
        """
        with_target = {target.image_id for target in benchmark.targets}
        for image in benchmark.images:
            if image.id in with_target:
                self._add_image(image)
        tasks: dict[int, set[str]] = {}
        for query in benchmark.queries:
            self._add_query(query)
            if query.is_positive:
                tasks.setdefault(query.target_id, set()).add(query.task)
        truth = Truth(benchmark)
        for target in benchmark.targets:
            self._add_target(benchmark, target, tasks.get(target.id, set()))
            self._add_boxes(truth, target)

    def as_json(self) -> dict[str, Any]:
        """Return the numbers under the keys of `ovearth stats --json`; null is unknown."""
        positive, negative = self._phrases[True], self._phrases[False]
        boxes = self._counts["boxes"]
        known = len(self._shares) > 0 or not boxes
        return {
            "images": self._counts["images"],
            "targets": self._counts["targets"],
            "boxes": boxes,
            "categories": len(set().union(*self._categories.values())),
            "positive_phrases": self._phrase_counts[True],
            "negative_phrases": self._phrase_counts[False],
            "unique_positive_phrases": len(positive),
            "unique_negative_phrases": len(negative),
            "phrases_of_both_polarities": len(positive & negative),
            "unique_phrases": len(positive | negative),
            "referring": self._tasks["referring"],
            "reasoning": self._tasks["reasoning"],
            "boxes_below_1_percent": self._counts["small"] if known else None,
            "boxes_above_50_percent": self._counts["large"] if known else None,
            "targets_by_tasks": self._by_tasks(),
            "distributions": self._distributions(),
        }

    def _by_tasks(self) -> dict[str, int]:
        def order(tasks: Sequence[str]) -> tuple[int, list[int]]:
            return -len(tasks), [TASKS.index(task) for task in tasks]

        listed = sorted(self._targets_by_tasks, key=order)
        return {"+".join(tasks) or _NO_TASK: self._targets_by_tasks[tasks] for tasks in listed}

    def _distributions(self) -> dict[str, Any]:
        return {
            "image_width": self._widths.as_json(),
            "image_height": self._heights.as_json(),
            "gsd_m": self._gsd.as_json(),
            "boxes_per_target": self._boxes_per_target.as_json(),
            "box_area_share": self._shares.as_json(),
            "words_per_text": {task: words.as_json() for task, words in self._words.items()},
            "obb_angle_deg": self._angles.as_json(),
            "continents": _by_count(self._continents),
            "categories_by_domain": _by_count(
                {name: len(ids) for name, ids in self._categories.items()}
            ),
            "targets_by_domain": _by_count(self._targets_by_domain),
        }

    def _add_image(self, image: Image) -> None:
        self._counts["images"] += 1
        self._widths.add(image.width)
        self._heights.add(image.height)
        gsd = _gsd(image)
        if gsd is not None:
            self._gsd.add(gsd)
        continent = image.extra.get("continent")
        self._continents[continent if isinstance(continent, str) else _UNKNOWN] += 1

    def _add_query(self, query: Query) -> None:
        self._tasks[query.task] += 1
        self._words[query.task].add(len(query.text.split()))
        if query.task == "vocabulary":
            self._phrase_counts[query.is_positive] += 1
            self._phrases[query.is_positive].add(query.text)

    def _add_target(self, benchmark: Benchmark, target: Target, tasks: set[str]) -> None:
        domain = benchmark.category_by_id[target.category_id].domain or _UNKNOWN
        self._counts["targets"] += 1
        self._categories.setdefault(domain, set()).add(target.category_id)
        self._targets_by_domain[domain] += 1
        self._targets_by_tasks[tuple(sorted(tasks, key=TASKS.index))] += 1

    def _add_boxes(self, truth: Truth, target: Target) -> None:
        benchmark = truth.benchmark
        boxed = [
            instance
            for instance in benchmark.instances_by_target.get(target.id, ())
            if benchmark.is_instanceable(target) and not instance.is_crowd
        ]
        self._counts["boxes"] += len(boxed)
        self._boxes_per_target.add(len(boxed))
        for instance in boxed:
            self._add_box(truth, instance, benchmark.image_by_id[target.image_id])

    def _add_box(self, truth: Truth, instance: Instance, image: Image) -> None:
        hbb, obb = truth.instance_hbb(instance, image), truth.instance_obb(instance, image)
        if hbb is not None:
            share = float((hbb[2] - hbb[0]) * (hbb[3] - hbb[1])) / (image.width * image.height)
            self._counts["small"] += share < _SMALL_SHARE
            self._counts["large"] += share > _LARGE_SHARE
            self._shares.add(share)
        if obb is not None and quad_areas(obb[None])[0] > 0:
            self._angles.add(angle_deg(obb))


def angle_deg(obb: NDArray[np.float64]) -> float:
    """Return the direction of a side of an oriented box (4, 2), from +x towards +y, in [0, 90)."""
    x, y = obb[1] - obb[0]
    angle = float(np.degrees(np.arctan2(y, x))) % 90.0
    return 0.0 if angle >= 90.0 - _NEARLY_90_DEG else angle


def _gsd(image: Image) -> float | None:
    """Return the metres of true ground per pixel: of the transform, else as given, else None."""
    try:
        return image.frame().gsd() or image.gsd_m
    except FrameError:
        return image.gsd_m


def _by_count(counts: Mapping[str, int]) -> dict[str, int]:
    return dict(sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])))
