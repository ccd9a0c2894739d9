"""All that is wrong with a benchmark file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..benchmark.model import Benchmark
from .benchmark_images import image_files
from .boxes import boxes
from .finding import Finding
from .frames import frames, missing_gsd, names
from .masks import masks
from .outlines import outlines
from .overlaps import overlaps
from .rings import ring_order
from .scope import Check, Scope
from .texts import texts

# What can be said of each image by itself.
IMAGE_CHECKS: tuple[Check, ...] = (frames, outlines, masks, boxes, overlaps, texts)
# A dataset asks about rings by itself: it knows them as they were drawn or imported.
_CHECKS: tuple[Check, ...] = (names, missing_gsd, *IMAGE_CHECKS, ring_order)


def check_benchmark(benchmark: Benchmark, folder: Path | None = None) -> Iterator[Finding]:
    """Yield the problems of a benchmark, in the order of its checks and items.

    folder: of the benchmark's file; the images that are there are held against what it says.
    """
    scope = Scope(benchmark)
    for check in _CHECKS:
        yield from check(scope)
    if folder is not None:
        yield from image_files(scope, folder)
