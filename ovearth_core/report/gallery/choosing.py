"""Which answers of a run are worth a picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...analysis.evaluated import Evaluated
from ...analysis.evaluated_run import EvaluatedRun
from ...analysis.hardest import answer_quality, looked_at

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

# Enough to find a few of different images among.
_MOST_LOOKED_AT = 2000


def best_and_worst(
    evaluated: Evaluated, run: EvaluatedRun, modality: str, has_image: Bools, most: int
) -> tuple[list[int], list[int]]:
    """Return the places of at most `most` queries that the run answers best, and worst.

    Quality as in `hardest`. has_image (N,): only those queries. The best are positive ones with
    any success. The worst are any with a fault, no more than a third of them negative ones where
    there are others; of those as bad as each other, wrong answers come before lacking ones. One
    query a target, and different images as far as there are.
    """
    rows = _attempted(evaluated, run, modality)
    rows = rows[has_image[rows]]
    positive = evaluated.benchmark.columns.queries.is_positive[rows]
    quality = answer_quality(run, rows, positive, modality)
    absent = ~run.present[modality][rows]
    best_first = np.lexsort((rows, -quality))
    worst_first = np.lexsort((rows, absent, quality))
    good = best_first[(positive & (quality > 0))[best_first]]
    bad = worst_first[(quality < 1)[worst_first]]
    best = _varied(evaluated, rows[good].tolist(), most)
    missed = [row for row in rows[bad[positive[bad]]].tolist() if row not in set(best)]
    made_up = _varied(evaluated, rows[bad[~positive[bad]]].tolist(), most)
    worst = _varied(evaluated, missed, most - min(len(made_up), most // 3))
    return best, worst + made_up[: most - len(worst)]


def _attempted(evaluated: Evaluated, run: EvaluatedRun, modality: str) -> Ints:
    of_tasks = [looked_at(evaluated, task, modality) for task in run.tasks]
    return np.concatenate(of_tasks) if of_tasks else np.zeros(0, np.int64)


def _varied(evaluated: Evaluated, rows: Sequence[int], most: int) -> list[int]:
    """Return the first `most` of different images, then of different targets, in their order."""
    facts = evaluated.facts
    chosen: list[int] = []
    for of_query in (facts.image_places, facts.target_ids):
        seen = {int(of_query[row]) for row in chosen}
        seen_targets = {int(facts.target_ids[row]) for row in chosen}
        for row in rows[:_MOST_LOOKED_AT]:
            if len(chosen) == most:
                break
            if int(of_query[row]) in seen or int(facts.target_ids[row]) in seen_targets:
                continue
            chosen.append(row)
            seen.add(int(of_query[row]))
            seen_targets.add(int(facts.target_ids[row]))
    return sorted(chosen, key=rows.index)
