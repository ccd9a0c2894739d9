"""Writes a dataset in a format, from a copy of its file as of one moment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ...errors import UsageError
from ...spelling import nearest
from ..rows import STATES
from ..store import Dataset
from .formats import writer_of
from .model import Report, WriteOptions
from .snapshot import snapshot


def export_dataset(
    dataset: Dataset,
    out: Path,
    format_name: str,
    states: Sequence[str] = ("approved",),
    release: str | None = None,
) -> Report:
    """Write the targets that are in `states` to `out`; the report says what stays behind.

    release: the version to freeze (benchmark only). UsageError for an unknown format or state.
    """
    writer = writer_of(format_name)
    for state in states:
        if state not in STATES:
            raise UsageError(f"there is no state {state!r}", "--state", nearest(state, STATES))
    if release is not None and format_name != "benchmark":
        raise UsageError("only a benchmark is released", "--release", "use --format benchmark")
    if out.resolve() == dataset.path.resolve():
        raise UsageError("output would replace the dataset", str(out), "name another file")
    options = WriteOptions(dataset.folder, tuple(states), release)
    with snapshot(dataset) as view:
        return writer(view, out, options)
