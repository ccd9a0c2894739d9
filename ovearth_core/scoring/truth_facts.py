"""What must be known of the truth of targets before answers are scored against it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..benchmark import Benchmark, Truth
from ..predictions import Placing, Predictions

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class TruthFacts:
    """Of some targets: `areas` (T,), pixels of their masks, None where no mask is asked for.

    `lacking`: by modality, (T,), whether a target has no truth of it, or none with an area.
    """

    target_ids: Sequence[int]
    areas: Ints | None
    lacking: Mapping[str, Bools]


class FactFinder:
    """Looks at the truth of targets, in the frames in which the boxes of `run` are compared."""

    def __init__(self, benchmark: Benchmark, truth: Truth, run: Predictions) -> None:
        self.benchmark = benchmark
        self.truth = truth
        self._placing = Placing(benchmark, run.header, run.folder)

    def facts(self, target_ids: Sequence[int], modalities: Sequence[str]) -> TruthFacts:
        """Return the facts; raises TruthError for truth that can't be read."""
        areas = None
        lacking: dict[str, Bools] = {}
        for modality in modalities:
            if modality == "mask":
                areas = np.array([self.truth.mask_area(one) for one in target_ids], dtype=np.int64)
                lacking[modality] = areas == 0
            else:
                found = [self._lacks_boxes(modality, target_id) for target_id in target_ids]
                lacking[modality] = np.array(found, dtype=np.bool_)
        return TruthFacts(target_ids, areas, lacking)

    def _lacks_boxes(self, modality: str, target_id: int) -> bool:
        if not self.benchmark.is_instanceable(self.benchmark.target_by_id[target_id]):
            return False
        crs = self._box_crs(target_id) if modality == "hbb" else None
        return self.truth.lacks_boxes(modality, target_id, crs)

    def _box_crs(self, target_id: int) -> str | None:
        image = self.benchmark.image_by_id[self.benchmark.target_by_id[target_id].image_id]
        if image.crs is None or image.transform is None:
            return None  # an answer there is refused; without one, pixels say as much
        return self._placing.box_crs(image)
