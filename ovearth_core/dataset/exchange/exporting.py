"""Writes a dataset in a format, from a copy of its file as of one moment."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import count
from pathlib import Path

from ...errors import OutputError, UsageError
from ...spelling import nearest
from ..rows import STATES
from ..store import Dataset
from ..view import View
from .formats import writer_of
from .model import Report, WriteOptions
from .outgoing import outgoing
from .snapshot import snapshot

# Which rows the writers go through one by one, for progress.
_BY_IMAGE = ("images",)
_PASSED = {
    "benchmark": ("categories", "images", "targets", "instances", "queries"),
    "coco": ("images", "instances"),
}


def export_dataset(
    dataset: Dataset,
    out: Path,
    format_name: str,
    states: Sequence[str] = ("approved",),
    release: str | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Write the targets that are in `states` to `out`; the report says what stays behind.

    Polygons that another program drew have their exact pixels kept first, so that the next export
    is the same. release: the version to freeze (benchmark only). progress: called with how much
    is done (rows, or images where a format goes by them) and how much there is; what it raises ends
    the export with nothing written. UsageError for an unknown format or state.
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
        options = replace(options, step=_steps(view, options, format_name, progress))
        inexact = _inexact(view, options)
        if not inexact:
            return writer(view, out, options)
    # Where it can't be written to, what comes out is right to a millionth of a pixel all the same.
    with suppress(OutputError):
        dataset.write_all(inexact, lambda edit, instance_id: edit.keep_pixels(instance_id))
    with snapshot(dataset) as view:
        return writer(view, out, options)


def _steps(
    view: View,
    options: WriteOptions,
    format_name: str,
    progress: Callable[[int, int], None] | None,
) -> Callable[[], None]:
    """Return what counts the steps of a writer, and tells of them."""
    if progress is None:
        return options.step
    rows = view.counts()
    # A release copies the images before it writes their rows.
    copied = () if options.release is None else ("images",)
    total = sum(rows[name] for name in (*_PASSED.get(format_name, _BY_IMAGE), *copied))
    done = count(1)
    return lambda: progress(min(next(done), total), total)


def _inexact(view: View, options: WriteOptions) -> list[int]:
    """Return the instances that go out whose pixels were never kept."""
    takes = outgoing(view, options).takes
    targets = [target.id for target in view.targets() if takes(target)]
    return [found for target_id in targets for found in view.inexact_instances(target_id)]
