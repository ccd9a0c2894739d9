"""What a job will take, said before anything is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from ...errors import FrameError, InputError, UsageError
from ...spelling import counted
from ..imagery import ImagerySpec, Source, open_source
from ..imagery.server_errors import is_of_source
from ..imagery.source import Refusing
from .extraction import Task
from .grid import patch_frame
from .refusal import MOST_FAULTS_IN_A_ROW

# Tasks that are looked at; the others are taken to be like them.
_SAMPLE = 48
MOST_PIXELS = 20_000_000_000
_MOST_SOURCE_PIXELS = 20 * MOST_PIXELS
# A server may well shut out who asks for more in one go.
MOST_REQUESTS = 20_000
_OUTSIDE = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0])
_UNREADABLE = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Estimate:
    """Patches, their pixels (a band), the bytes of their values, and what is read for them.

    outside: of the patches, so many seem to lie outside of the imagery. unreadable: so many seem to
    fail.
    """

    patches: int
    pixels: int
    bytes: int
    source_pixels: int
    source_bytes: int
    requests: int
    outside: int = 0
    unreadable: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return it as the report has it."""
        return asdict(self)

    def line(self) -> str:
        """Say it in one line."""
        if not self.patches:
            return "nothing is left to be made"
        parts = [
            counted(self.patches, "patch", "patches"),
            f"{_amount(self.pixels)} megapixels",
            f"about {_amount(self.bytes)} MB before compression",
        ]
        if self.requests:
            requests = counted(self.requests, "request", "requests")
            parts.append(f"{requests} for {_amount(self.source_bytes)} MB")
        if self.outside:
            places = counted(self.outside, "place", "places")
            parts.append(f"about {places} outside of the imagery")
        if self.unreadable:
            places = counted(self.unreadable, "place", "places")
            parts.append(f"about {places} that can't be read")
        return ", ".join(parts)

    def check(self) -> None:
        """Raise UsageError for a job that is larger than anybody means."""
        if self.pixels > MOST_PIXELS or self.source_pixels > _MOST_SOURCE_PIXELS:
            raise UsageError(
                f"too much: {self.line()}, made from {self.source_pixels / 1e9:,.0f} gigapixels",
                "--size, --extent or --gsd",
                "check them, or lift the limit with --no-limit",
            )
        if self.requests > MOST_REQUESTS:
            raise UsageError(
                f"too many requests: {self.line()}",
                "--imagery",
                f"ask for less than {MOST_REQUESTS:,} at a time (fewer places, smaller patches, a"
                " coarser --gsd), or lift the limit with --no-limit",
            )


def _amount(number: float) -> str:
    """Return millions of something: whole ones where there are many, two digits otherwise."""
    millions = number / 1e6
    if millions >= 10.0:
        return f"{millions:,.0f}"
    return f"{millions:.2g}" if millions >= 0.01 or not number else "less than 0.01"


def estimate(tasks: Sequence[Task]) -> Estimate:
    """Return what tasks will take, from some of them.

    A place that can't be read is left to the job, which lists it. Raises InputError for what would
    be the same at every place.
    """
    if not tasks:
        return Estimate(0, 0, 0, 0, 0, 0)
    picked = [tasks[i] for i in np.unique(np.linspace(0, len(tasks) - 1, _SAMPLE).astype(int))]
    found: list[Any] = []
    faults_in_a_row = 0
    with _Sources() as sources:
        for task in picked:
            try:
                found.append(_one(task, sources.of(task.spec)))
                # One tile may be missing, all of them may not.
                faults_in_a_row = 0 if sources.refusal() is None else faults_in_a_row + 1
            except InputError as fault:
                if is_of_source(fault) or not (
                    task.spec.is_told_by_server or sources.has(task.spec)
                ):
                    raise
                found.append(_UNREADABLE)
                faults_in_a_row += 1
            if faults_in_a_row >= MOST_FAULTS_IN_A_ROW:
                break
        refusal = sources.refusal()
        if refusal is not None:
            raise refusal
    sums = np.sum(found, axis=0) * len(tasks) / len(found)
    return Estimate(len(tasks), *(int(value) for value in np.rint(sums)))


class _Sources:
    """Imagery that is open for the length of a block, each once."""

    def __init__(self) -> None:
        self._open: dict[ImagerySpec, Source] = {}

    def __enter__(self) -> _Sources:
        return self

    def __exit__(self, *fault: object) -> None:
        for source in self._open.values():
            source.close()

    def refusal(self) -> InputError | None:
        """Return that one of them has forbidden all tiles that were asked for, if so."""
        asked = (source for source in self._open.values() if isinstance(source, Refusing))
        return next((source.refusal for source in asked if source.refusal is not None), None)

    def has(self, spec: ImagerySpec) -> bool:
        """Whether it could be opened."""
        return spec in self._open

    def of(self, spec: ImagerySpec) -> Source:
        """Return the open source of a spec; what `open_source` raises."""
        if spec not in self._open:
            self._open[spec] = open_source(spec)
        return self._open[spec]


def _one(task: Task, source: Source) -> Any:
    """Return one task's part of the sums: what Estimate has after its number of patches."""
    try:
        frame = patch_frame(task.place, source, task.shape, task.usual_m)
        if frame is None:
            return _OUTSIDE
        cost = source.cost(frame)
    except FrameError:
        return _OUTSIDE
    pixels = frame.width * frame.height
    a_pixel: float | None = cost.pixel_bytes
    if a_pixel is None:
        a_pixel = cost.bytes / cost.source_pixels if cost.source_pixels else 1.0
    return np.array(
        [pixels, pixels * a_pixel, cost.source_pixels, cost.bytes, cost.requests, 0.0, 0.0]
    )
