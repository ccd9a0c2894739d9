"""What a job will take, said before anything is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ...errors import FrameError, UsageError
from ..imagery import ImagerySpec, Source, open_source
from .extraction import Task
from .grid import patch_frame

# Tasks that are looked at; the others are taken to be like them.
_SAMPLE = 48
MOST_PIXELS = 20_000_000_000
_MOST_SOURCE_PIXELS = 20 * MOST_PIXELS


@dataclass(frozen=True)
class Estimate:
    """Patches, their pixels (a band), the bytes of their values, and what is read for them.

    outside: of the patches, so many seem to lie outside of the imagery.
    """

    patches: int
    pixels: int
    bytes: int
    source_pixels: int
    source_bytes: int
    requests: int
    outside: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return it as the report has it."""
        return asdict(self)

    def line(self) -> str:
        """Say it in one line."""
        parts = [
            f"{self.patches:,} patches",
            f"{self.pixels / 1e6:,.0f} megapixels",
            f"about {self.bytes / 1e6:,.0f} MB before compression",
        ]
        if self.requests:
            parts.append(f"{self.requests:,} requests for {self.source_bytes / 1e6:,.0f} MB")
        if self.outside:
            parts.append(f"about {self.outside:,} places outside of the imagery")
        return ", ".join(parts)

    def check(self) -> None:
        """Raise UsageError for a job that is larger than anybody means."""
        if self.pixels > MOST_PIXELS or self.source_pixels > _MOST_SOURCE_PIXELS:
            raise UsageError(
                f"too much: {self.line()}, made from {self.source_pixels / 1e9:,.0f} gigapixels",
                "--size, --extent or --gsd",
                "check them, or lift the limit with --no-limit",
            )


def estimate(tasks: Sequence[Task]) -> Estimate:
    """Return what tasks will take, from some of them."""
    if not tasks:
        return Estimate(0, 0, 0, 0, 0, 0)
    picked = [tasks[i] for i in np.unique(np.linspace(0, len(tasks) - 1, _SAMPLE).astype(int))]
    sums = np.zeros(6)
    sources: dict[ImagerySpec, Source] = {}
    try:
        for task in picked:
            if task.spec not in sources:
                sources[task.spec] = open_source(task.spec)
            sums += _one(task, sources[task.spec])
    finally:
        for source in sources.values():
            source.close()
    pixels, bytes_, source_pixels, source_bytes, requests, outside = np.rint(
        sums * len(tasks) / len(picked)
    ).astype(np.int64)
    return Estimate(
        len(tasks), int(pixels), int(bytes_), int(source_pixels), int(source_bytes), int(requests),
        int(outside),
    )  # fmt: skip


def _one(task: Task, source: Source) -> Any:
    try:
        frame = patch_frame(task.place, source, task.shape, task.usual_m)
        if frame is None:
            return np.array([0, 0, 0, 0, 0, 1.0])
        cost = source.cost(frame)
    except FrameError:
        return np.array([0, 0, 0, 0, 0, 1.0])
    pixels = frame.width * frame.height
    a_pixel = cost.bytes / cost.source_pixels if cost.source_pixels else 1.0
    return np.array([pixels, pixels * a_pixel, cost.source_pixels, cost.bytes, cost.requests, 0.0])
