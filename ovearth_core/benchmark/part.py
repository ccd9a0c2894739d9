"""The part of a benchmark that some targets need, to be sent where they are looked at."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from .model import Benchmark, Query


def part_of(benchmark: Benchmark, target_ids: Iterable[int], queries: Sequence[Query]) -> Benchmark:
    """Return a benchmark of these targets and queries, with what they refer to, and no more."""
    targets = [benchmark.target_by_id[target_id] for target_id in dict.fromkeys(target_ids)]
    instances = benchmark.instances_by_target
    image_ids = dict.fromkeys(target.image_id for target in targets)
    category_ids = dict.fromkeys(target.category_id for target in targets)
    return replace(
        benchmark,
        categories=tuple(benchmark.category_by_id[category_id] for category_id in category_ids),
        images=tuple(benchmark.image_by_id[image_id] for image_id in image_ids),
        targets=tuple(targets),
        instances=tuple(item for target in targets for item in instances.get(target.id, ())),
        queries=tuple(queries),
        info={},
        licenses=(),
        given_columns=None,
    )
