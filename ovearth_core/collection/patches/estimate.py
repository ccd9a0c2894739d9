"""What a job will take, said before anything is read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import FrameError, InputError, UsageError
from ...spelling import counted
from ..imagery import ImagerySpec, Source, open_source
from ..imagery.server_errors import is_of_source
from ..imagery.source import Cost, Refusing
from .extraction import Task
from .grid import patch_frame
from .refusal import MOST_FAULTS_IN_A_ROW, too_coarse
from .shared_parts import shares_to_read

# Tasks that are looked at; the others are taken to be like them.
_SAMPLE = 48
# Of whose places it is told what they share; the others are taken to share as much.
_MOST_PLACED = 4096
MOST_PIXELS = 20_000_000_000
_MOST_SOURCE_PIXELS = 20 * MOST_PIXELS
# A server may well shut out who asks for more in one go.
MOST_REQUESTS = 20_000


@dataclass(frozen=True)
class Estimate:
    """Patches, their pixels (a band), the bytes of their values, and what is read for them.

    places: how many are asked for. Of these, outside: so many seem to lie outside of the imagery,
    unreadable: to fail, coarse: to lie where its pixels are larger than wanted.
    """

    places: int
    patches: int
    pixels: int
    bytes: int
    source_pixels: int
    source_bytes: int
    requests: int
    outside: int = 0
    unreadable: int = 0
    coarse: int = 0

    def as_json(self) -> dict[str, Any]:
        """Return it as the report has it."""
        return asdict(self)

    def line(self) -> str:
        """Say it in one line."""
        if not self.places:
            return "nothing is left to be made"
        parts = [counted(self.patches, "patch", "patches")]
        if self.patches:
            parts.append(f"{_amount(self.pixels)} megapixels")
            parts.append(f"about {_amount(self.bytes)} MB before compression")
        if self.requests:
            requests = counted(self.requests, "request", "requests")
            parts.append(f"about {requests} for {_amount(self.source_bytes)} MB")
        for number, why in (
            (self.outside, "outside of the imagery"),
            (self.coarse, "where the imagery is too coarse"),
            (self.unreadable, "that can't be read"),
        ):
            if number:
                parts.append(f"about {counted(number, 'place', 'places')} {why}")
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


# What is told of each task and summed: all but how many there are.
_SUMMED = tuple(field.name for field in fields(Estimate) if field.name != "places")
_READ = [_SUMMED.index("source_bytes"), _SUMMED.index("requests")]


def _of_one_task(**sums: float) -> NDArray[np.float64]:
    """Return what one task adds to an Estimate, in the order of _SUMMED."""
    return np.array([sums.get(name, 0.0) for name in _SUMMED])


def _amount(number: float) -> str:
    """Return millions of something: whole ones where there are many, two digits otherwise."""
    millions = number / 1e6
    if millions >= 10.0:
        return f"{millions:,.0f}"
    return f"{millions:.2g}" if millions >= 0.01 or not number else "less than 0.01"


def estimate(tasks: Sequence[Task], workers: int = 1) -> Estimate:
    """Return what tasks will take, from some of them; each worker keeps what it has read itself.

    A place that can't be read is left to the job, which lists it. Raises InputError for what would
    be the same at every place.
    """
    if not tasks:
        return Estimate(0, 0, 0, 0, 0, 0, 0)
    picked = [tasks[i] for i in np.unique(np.linspace(0, len(tasks) - 1, _SAMPLE).astype(int))]
    found: list[_Look] = []
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
                found.append(_Look(_of_one_task(unreadable=1)))
                faults_in_a_row += 1
            if faults_in_a_row >= MOST_FAULTS_IN_A_ROW:
                break
        refusal = sources.refusal()
        if refusal is not None:
            raise refusal
    sums = np.sum([look.sums for look in found], axis=0) * len(tasks) / len(found)
    sums[_READ] *= _shares_to_read(tasks, found, workers)
    counts = (int(value) for value in np.rint(sums))
    return Estimate(len(tasks), **dict(zip(_SUMMED, counts, strict=True)))


def _shares_to_read(
    tasks: Sequence[Task], found: Sequence[_Look], workers: int
) -> tuple[float, float]:
    """Return which part of the bytes, and of the requests, is new: the rest is kept from others."""
    parted = [look for look in found if look.part_m > 0.0]
    costs = [look.cost for look in parted if look.cost is not None]
    if not costs:
        return 1.0, 1.0
    # Work is dealt out in turn: this is what one of them gets.
    dealt = tasks[: _MOST_PLACED * workers : workers]
    of_parts, of_rows = shares_to_read(
        [(task.place.lon, task.place.lat, task.spec.text) for task in dealt],
        float(np.mean([look.side_m for look in parted])),
        float(np.mean([look.part_m for look in parted])),
        costs[0].most_kept,
    )
    return of_parts, of_rows if costs[0].by_rows else of_parts


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


@dataclass(frozen=True)
class _Look:
    """What one task takes. sums: see _SUMMED. side_m, part_m: of the patch, and of a part that it
    shares with others, in metres of true ground.
    """

    sums: NDArray[np.float64]
    side_m: float = 0.0
    part_m: float = 0.0
    cost: Cost | None = None


def _one(task: Task, source: Source) -> _Look:
    try:
        native_m = source.native_gsd_m(task.place.lon, task.place.lat)
        if native_m is None:
            return _Look(_of_one_task(outside=1))
        if too_coarse(native_m, task.shape.gsd_m) is not None:
            return _Look(_of_one_task(coarse=1))
        frame = patch_frame(task.place, source, task.shape, task.usual_m, native_m)
        if frame is None:
            return _Look(_of_one_task(outside=1))
        cost = source.cost(frame)
    except FrameError:
        return _Look(_of_one_task(outside=1))
    pixels = frame.width * frame.height
    a_pixel: float | None = cost.pixel_bytes
    if a_pixel is None:
        a_pixel = cost.bytes / cost.source_pixels if cost.source_pixels else 1.0
    sums = _of_one_task(
        patches=1, pixels=pixels, bytes=pixels * a_pixel, source_pixels=cost.source_pixels,
        source_bytes=cost.bytes, requests=cost.requests,
    )  # fmt: skip
    gsd_m = task.shape.gsd_m or native_m
    return _Look(sums, sqrt(pixels) * gsd_m, cost.part_px * gsd_m, cost)
