"""What the checks look at: a benchmark, or the part of one that a single image is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..benchmark.model import Benchmark, Image, Instance, Query, Target
from ..benchmark.truth import Truth, outline
from ..errors import OVEarthError
from ..geometry import Polygon, Runs
from .finding import Finding


@dataclass(frozen=True)
class Scope:
    """A benchmark and its truth. noun: what its instances are called ("annotation")."""

    benchmark: Benchmark
    noun: str = "annotation"

    @cached_property
    def truth(self) -> Truth:
        """Masks and boxes of the benchmark."""
        return Truth(self.benchmark)

    @cached_property
    def queries_by_target(self) -> dict[int, list[Query]]:
        """Queries of each target that has any."""
        found: dict[int, list[Query]] = {}
        for query in self.benchmark.queries:
            found.setdefault(query.target_id, []).append(query)
        return found

    @cached_property
    def targets_by_image(self) -> dict[int, list[Target]]:
        """Targets of each image that has any."""
        found: dict[int, list[Target]] = {}
        for target in self.benchmark.targets:
            found.setdefault(target.image_id, []).append(target)
        return found

    def at_image(self, image: Image, kind: str, what: str, mend: str) -> Finding:
        """Return a finding about an image."""
        return Finding(kind, "image", image.id, what, mend, image.id)

    def at_target(self, target: Target, kind: str, what: str, mend: str) -> Finding:
        """Return a finding about a target."""
        return Finding(kind, "target", target.id, what, mend, target.image_id)

    def at_instance(
        self,
        instance: Instance,
        kind: str,
        what: str,
        mend: str,
        pixel: NDArray[np.float64] | None = None,
    ) -> Finding:
        """Return a finding about an instance, at a position in pixels (2,) where there is one."""
        place = None if pixel is None else (float(pixel[0]), float(pixel[1]))
        return Finding(kind, self.noun, instance.id, what, mend, instance.image_id, place)

    def shapes(self) -> Iterator[tuple[Instance, Image, list[Polygon] | Runs]]:
        """Yield the instances that have a shape that can be read, and it."""
        for instance in self.benchmark.instances:
            image = self.benchmark.image_by_id[instance.image_id]
            try:
                shape = outline(instance, image)
            except OVEarthError:
                continue
            if shape is not None:
                yield instance, image, shape


Check = Callable[[Scope], Iterator[Finding]]
