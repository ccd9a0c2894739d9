"""What is known of each query before any run is looked at, in columns."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..benchmark import Benchmark, Truth
from ..benchmark.object_size import Progress, size_places, target_areas

Ints = NDArray[np.int64]
Places = NDArray[np.int32]
Bools = NDArray[np.bool_]

NO_DOMAIN = "–"

# Texts are ordered by their beginning: a million whole ones would need gigabytes.
_COMPARED = 48


@dataclass(frozen=True)
class QueryFacts:
    """Columns (N,) of a benchmark's queries.

    tasks: places in TASKS. categories, domains: places in category_names and domain_names, which
    are in the order of the alphabet. images: ids. areas_px: pixels of the target's mask, of its
    boxes where it has none, 0 where neither is there. sizes: places in SIZES. id_ranks,
    text_ranks: where ids and texts come in the order of the alphabet.
    """

    tasks: NDArray[np.int8]
    is_positive: Bools
    categories: Places
    domains: Places
    images: Ints
    areas_px: Ints
    sizes: NDArray[np.int8]
    id_ranks: Places
    text_ranks: Places
    category_names: tuple[str, ...]
    domain_names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.tasks)

    def domain_of(self, category: str) -> str:
        """Return the domain of a category by its name; the first, where two share the name."""
        place = self.category_names.index(category)
        found = np.flatnonzero(self.categories == place)
        return self.domain_names[int(self.domains[found[0]])] if len(found) else NO_DOMAIN


def query_facts(benchmark: Benchmark, truth: Truth, progress: Progress | None = None) -> QueryFacts:
    """Look at all queries and targets; TruthError where the truth can't be read."""
    queries, targets = benchmark.columns.queries, benchmark.columns.targets
    places = benchmark.target_places
    by_id = benchmark.category_by_id
    category_ids, of_target = np.unique(targets.category_ids, return_inverse=True)
    used = [by_id[int(category_id)] for category_id in category_ids]
    names, categories = _named([category.name for category in used])
    domain_names, domains = _named([category.domain or NO_DOMAIN for category in used])
    of_query = of_target.reshape(-1)[places]
    areas = target_areas(benchmark, truth, progress)[places]
    return QueryFacts(
        queries.tasks,
        queries.is_positive,
        categories[of_query],
        domains[of_query],
        targets.image_ids[places],
        areas,
        size_places(areas),
        _ranks(queries.ids, len(queries.ids)),
        _ranks((query.text for query in benchmark.queries), len(queries.ids)),
        names,
        domain_names,
    )


def _named(names: Sequence[str]) -> tuple[tuple[str, ...], Places]:
    """Return the different names in order, and where each of the given ones is among them."""
    different = tuple(sorted(set(names), key=lambda name: (name.casefold(), name)))
    place = {name: number for number, name in enumerate(different)}
    return different, np.array([place[name] for name in names], dtype=np.int32)


def _ranks(texts: Iterable[str], count: int) -> Places:
    # One array of fixed width: sorting it lets other threads run, sorting a list does not.
    beginnings = np.empty(count, dtype=f"U{_COMPARED}")
    for place, text in enumerate(texts):
        beginnings[place] = text[:_COMPARED].casefold()
    ranks = np.empty(count, dtype=np.int32)
    ranks[np.argsort(beginnings, kind="stable")] = np.arange(count, dtype=np.int32)
    return ranks
