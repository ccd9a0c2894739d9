"""Which queries a person wants to see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..benchmark import TASKS
from ..benchmark.object_size import SIZES
from ..scoring.error_kinds import KINDS
from .facts import QueryFacts

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class QueryFilter:
    """Words to filter by, each a collection of which one must apply; None lets all through.

    is_better: only queries at which the second run is better than the first.
    """

    tasks: Sequence[str] | None = None
    domains: Sequence[str] | None = None
    categories: Sequence[str] | None = None
    sizes: Sequence[str] | None = None
    kinds: Sequence[str] | None = None
    is_better: bool = False

    def passes(self, facts: QueryFacts, kinds: NDArray[np.int8]) -> Bools:
        """Return which queries pass, (N,), all but `is_better` looked at."""
        passing = np.ones(len(facts), dtype=np.bool_)
        for wanted, words, column in (
            (self.tasks, TASKS, facts.tasks),
            (self.domains, facts.domain_names, facts.domains),
            (self.categories, facts.category_names, facts.categories),
            (self.sizes, SIZES, facts.sizes),
            (self.kinds, KINDS, kinds),
        ):
            if wanted is not None:
                passing &= _chosen(words, wanted)[column]
        return passing


def _chosen(words: Sequence[str], wanted: Sequence[str]) -> Bools:
    """Return which words are wanted, and at the end, where -1 leads, that none is."""
    return np.array([*(word in wanted for word in words), False], dtype=np.bool_)
