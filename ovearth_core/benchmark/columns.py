"""What is asked of every query and target, in columns: a benchmark's tables without its objects."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

TASKS = ("vocabulary", "referring", "reasoning")


@dataclass(frozen=True)
class QueryColumns:
    """Of N queries: ids, (N,) ids of their targets, places of their tasks in TASKS, polarity."""

    ids: Sequence[str]
    target_ids: Ints
    tasks: NDArray[np.int8]
    is_positive: Bools

    def of_task(self, task: str) -> Bools:
        """Return which queries are of the task, (N,)."""
        is_of: Bools = self.tasks == TASKS.index(task)
        return is_of

    def of_tasks(self, tasks: Sequence[str]) -> Bools:
        """Return which queries are of any of the tasks, (N,)."""
        return np.isin(self.tasks, [TASKS.index(task) for task in tasks])


@dataclass(frozen=True)
class TargetColumns:
    """Of T targets: (T,) ids of themselves, their images and categories."""

    ids: Ints
    image_ids: Ints
    category_ids: Ints

    def places(self, target_ids: Ints) -> Ints:
        """Return where the targets with these ids are; they must be there."""
        return places_of(target_ids, self.ids)


@dataclass(frozen=True)
class InstanceColumns:
    """Of I instances: (I,) ids of their targets, and whether they are crowd."""

    target_ids: Ints
    is_crowd: Bools


@dataclass(frozen=True)
class Columns:
    """The columns of a whole benchmark."""

    queries: QueryColumns
    targets: TargetColumns
    instances: InstanceColumns


def places_of(wanted: Ints, ids: Ints) -> Ints:
    """Return where in `ids`, all different, each of the wanted ones is; they must be there."""
    order = np.argsort(ids, kind="stable")
    places: Ints = order[np.searchsorted(ids[order], wanted)]
    return places
