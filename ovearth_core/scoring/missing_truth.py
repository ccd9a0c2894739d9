"""Refuses to score what the benchmark has no truth for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ..benchmark import Benchmark, Truth
from ..benchmark.truth import has_no_area
from ..errors import InputError

_SHOWN = 10


def check_truth(
    benchmark: Benchmark,
    truth: Truth,
    modalities: Sequence[str],
    tasks: Sequence[str],
    box_crs: Callable[[int], str | None] = lambda target_id: None,
) -> None:
    """Raise InputError when a target that is asked for lacks the truth of a scored modality.

    Asked for: it has a positive query of one of `tasks`. The message counts them and names the
    first ten. `box_crs` gives the CRS in which a target's horizontal boxes are compared.
    """
    asked = asked_targets(benchmark, tasks)
    for modality in modalities:
        lacking = [
            target_id
            for target_id in asked
            if lacks_truth(benchmark, truth, modality, target_id, box_crs)
        ]
        if lacking:
            raise _lacking(benchmark, modality, lacking)


def asked_targets(benchmark: Benchmark, tasks: Sequence[str]) -> list[int]:
    """Return the ids of targets with a positive query of one of `tasks`, ascending."""
    return sorted(
        {
            query.target_id
            for query in benchmark.queries
            if query.is_positive and query.task in tasks
        }
    )


def lacks_truth(
    benchmark: Benchmark,
    truth: Truth,
    modality: str,
    target_id: int,
    box_crs: Callable[[int], str | None] = lambda target_id: None,
) -> bool:
    """Whether the target has no mask, or no boxes or one without area where it needs boxes."""
    if modality == "mask":
        return truth.mask_area(target_id) == 0
    if not benchmark.is_instanceable(benchmark.target_by_id[target_id]):
        return False
    boxes = truth.hbb(target_id, box_crs(target_id)) if modality == "hbb" else truth.obb(target_id)
    instances = benchmark.instances_by_target.get(target_id, ())
    wanted = sum(not instance.is_crowd for instance in instances)
    return len(boxes) == 0 or len(boxes) < wanted or bool(has_no_area(boxes).any())


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
