"""Writes a dataset as a benchmark file: the same bytes each time, as long as it is unchanged."""

from __future__ import annotations

from pathlib import Path

from ...atomic import AtomicFiles
from ..view import View
from .benchmark_content import add_benchmark_of
from .model import Report, WriteOptions
from .release import write_release


def write(view: View, out: Path, options: WriteOptions) -> Report:
    """Write `ovearth-benchmark/1`; what came from a benchmark file is written back as it was.

    Out go the categories, the targets in the wanted states with their instances and accepted
    queries, and the images of these, and those that a benchmark brought without any target.
    """
    if options.release is not None:
        return write_release(view, out, options)
    with AtomicFiles([options.folder / "dataset.gpkg"]) as files:
        return add_benchmark_of(files, view, out, options)
