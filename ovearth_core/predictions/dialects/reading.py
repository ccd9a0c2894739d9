"""One reading of a source: its benchmark, its options, and what is left out of it on the way."""

from __future__ import annotations

from collections import Counter
from functools import cached_property

import numpy as np

from ...benchmark import Benchmark, Image, Query
from ...errors import FrameError, GeometryError, InputError, OVEarthError
from .mapping import OutputMapping, read_output_mapping
from .options import DialectOptions, read_classes_file

_OF_THE_SOURCE = (InputError, GeometryError, FrameError)
POINTS = "points, which have no area"
PARTLY_SCORED = "answers whose boxes have scores only in part: kept as attributes, none is used"


class Reading:
    """What a dialect reads with. `left_out`, `warnings`: why, and how many, of this iteration."""

    def __init__(self, benchmark: Benchmark, options: DialectOptions) -> None:
        self.benchmark = benchmark
        self.options = options
        self.left_out: Counter[str] = Counter()
        self.warnings: Counter[str] = Counter()

    def begin(self) -> None:
        """Count anew."""
        self.left_out.clear()
        self.warnings.clear()

    def refuse(self, fault: OVEarthError, what: str) -> None:
        """Raise the fault of something malformed or, where lenient, count it as `what` (plural).

        What is no fault of the source (a missing package, a wrong option) is raised always.
        """
        if not isinstance(fault, _OF_THE_SOURCE):
            raise fault
        if not self.options.lenient:
            raise InputError(fault.what, fault.where, fault.mend) from None
        self.left_out[what] += 1

    def query(self, query_id: str) -> Query | None:
        """Return the query that an answer is for, by its id or its request's; None if unknown."""
        place = self._place(query_id)
        return None if place is None else self.benchmark.queries[place]

    def image(self, query_id: str) -> Image | None:
        """Return the image that a query, or a blind request, is about; None for an unknown one."""
        place = self._place(query_id)
        if place is None:
            return None
        target = self.benchmark.target_places[place]
        return self.benchmark.image_by_id[int(self.benchmark.columns.targets.image_ids[target])]

    @cached_property
    def mapping(self) -> OutputMapping:
        """What the mapping file says; nothing without one."""
        path = self.options.mapping
        return OutputMapping({}, "") if path is None else read_output_mapping(path)

    @cached_property
    def classes(self) -> list[str] | None:
        """The class list of --classes, if given."""
        path = self.options.classes
        return None if path is None else read_classes_file(path)

    @cached_property
    def queries_of_image(self) -> dict[int, list[int]]:
        """Places of the queries on each image, in the benchmark's order."""
        images = self.benchmark.columns.targets.image_ids[self.benchmark.target_places]
        order = np.argsort(images, kind="stable")
        ids, starts = np.unique(images[order], return_index=True)
        parts = np.split(order, starts[1:])
        return {int(i): part.tolist() for i, part in zip(ids, parts, strict=True)}

    def _place(self, query_id: str) -> int | None:
        wanted: str | None = query_id
        if self.options.query_ids is not None:
            wanted = self.options.query_ids.get(query_id)
        return None if wanted is None else self.benchmark.query_index.get(wanted)
