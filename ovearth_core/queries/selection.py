"""Which targets of a dataset a job is about, read image by image."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from ..benchmark.truth import Truth
from ..dataset import Dataset, QueryRow, View
from ..dataset.parts import Part, parts
from ..dataset.rows import STATES, TargetRow
from ..errors import InputError, OVEarthError
from ..spelling import nearest
from .subject import Subject, subjects_of

LIVE_QUERIES = ("proposed", "accepted")


@dataclass(frozen=True)
class Selection:
    """Targets by id and state; empty for all. Rejected ones and second annotations are left out.

    Raises InputError for a state that there isn't.
    """

    target_ids: Collection[int] = ()
    states: Collection[str] = ()

    def __post_init__(self) -> None:
        for state in self.states:
            if state not in STATES:
                raise InputError(f"there is no state {state!r}", "--state", nearest(state, STATES))

    def takes(self, target: TargetRow) -> bool:
        """Whether a target is one of them."""
        if self.target_ids and target.id not in self.target_ids:
            return False
        if self.states:
            return target.state in self.states and target.rival_of is None
        return target.state != "rejected" and target.rival_of is None

    def check(self, dataset: Dataset) -> None:
        """Raise InputError for an id that there isn't."""
        with dataset.reading() as view:
            for target_id in self.target_ids:
                try:
                    view.target(target_id)
                except OVEarthError:
                    raise InputError(
                        f"there is no target {target_id}", str(dataset.path), "see review list"
                    ) from None


def scenes(dataset: Dataset, selection: Selection) -> Iterator[tuple[Part, list[Subject]]]:
    """Yield each image with its live targets that have a shape, those not selected too.

    A subject that isn't selected is there because the others' texts may speak of it.
    """
    for part in parts(dataset, Selection().takes, query_states=LIVE_QUERIES):
        if not any(selection.takes(target) for target in part.targets):
            continue
        queries: dict[int, tuple[QueryRow, ...]] = {}
        for query in part.queries:
            queries[query.target_id] = (*queries.get(query.target_id, ()), query)
        benchmark = part.benchmark
        with dataset.reading() as view:
            places = _places(view, part)
        yield part, list(subjects_of(benchmark, Truth(benchmark), queries, places))


def _places(view: View, part: Part) -> dict[int, str]:
    if part.image.poi_id is None:
        return {}
    try:
        name = view.poi(part.image.poi_id).name
    except OVEarthError:
        return {}
    return {part.image.id or 0: name} if name else {}
