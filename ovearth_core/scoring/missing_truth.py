"""Refuses to score what the benchmark has no truth for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ..benchmark import Benchmark
from ..errors import InputError
from .truth_facts import TruthFacts

_SHOWN = 10


def check_truth(benchmark: Benchmark, facts: Iterable[TruthFacts]) -> None:
    """Raise InputError when any of the targets lacks the truth of a modality.

    The message counts those that lack the first such one, and names the first ten.
    """
    lacking: dict[str, list[int]] = {}
    for some in facts:
        for modality, lacks in some.lacking.items():
            named = lacking.setdefault(modality, [])
            named.extend(some.target_ids[place] for place in lacks.nonzero()[0].tolist())
    for modality, target_ids in lacking.items():
        if target_ids:
            raise _lacking(benchmark, modality, target_ids)


def asked_targets(benchmark: Benchmark, tasks: Sequence[str]) -> list[int]:
    """Return the ids of targets with a positive query of one of `tasks`, ascending."""
    queries = benchmark.columns.queries
    asked: list[int] = np.unique(
        queries.target_ids[queries.is_positive & queries.of_tasks(tasks)]
    ).tolist()
    return asked


def _lacking(benchmark: Benchmark, modality: str, target_ids: list[int]) -> InputError:
    named = ", ".join(map(str, target_ids[:_SHOWN]))
    more = ", …" if len(target_ids) > _SHOWN else ""
    kind = "an empty mask or none" if modality == "mask" else f"no {modality}, or one of no area"
    count = f"{len(target_ids)} target" + ("s have" if len(target_ids) > 1 else " has")
    return InputError(
        f"{count} {kind} (id {named}{more})",
        benchmark.source,
        f"mend them ('ovearth check' lists all), or leave {modality} out with --modality",
    )
