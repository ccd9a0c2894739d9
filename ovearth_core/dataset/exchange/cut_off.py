"""An import that was killed, put in order by whoever opens the dataset next."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from ...errors import OutputError, OVEarthError, UsageError
from ..store import Dataset
from . import arrivals
from .import_lock import is_left_over, only_import
from .landing import Landing
from .taking_back import IMPORT_NOTE, take_back

_PATIENCE_S, _PAUSE_S = 20.0, 0.05


def settle(dataset: Dataset, patience_s: float = _PATIENCE_S) -> str | None:
    """Finish an import that was cut off, or take it back; return what was done, for people.

    Of one that is still going on, the end is waited for; OutputError where it takes too long.
    None where there was nothing to do.
    """
    if _note(dataset) is None:
        _tidy(dataset)
        return None
    end = time.monotonic() + patience_s
    while True:
        try:
            with only_import(dataset.folder):
                return settle_alone(dataset)
        except UsageError:
            if (note := _note(dataset)) is None:
                return None
            if time.monotonic() > end:
                raise OutputError(
                    f"an import of {note['source']} is being written into it",
                    str(dataset.path), "wait for its end",
                ) from None  # fmt: skip
        time.sleep(_PAUSE_S)


def settle_alone(dataset: Dataset) -> str | None:
    """Do what `settle` does, for whoever holds the folder's import lock."""
    note = _note(dataset)
    if note is None:
        arrivals.clear(dataset.folder)
        return None
    source, who = note["source"], note.get("who")
    staged = arrivals.staged_in(dataset.folder, str(note.get("rows")))
    if staged is None:
        take_back(dataset, who)
        return _taken_back(source, "its other rows are gone")
    try:
        Landing(dataset, source, who).carry_on(staged, note)
    except OutputError:
        raise
    except OVEarthError as fault:
        # The dataset is another one by now; what was left is taken back already.
        return _taken_back(source, str(fault))
    finally:
        if _note(dataset) is None:
            arrivals.clear(dataset.folder)
    left = staged.count - int(note["done"])
    return (
        f"an import of {source} that was cut off has been finished:"
        f" {left} of its {staged.count} rows were still to come"
    )


def _taken_back(source: str, why: str) -> str:
    return (
        f"an import of {source} that was cut off has been taken back, but for what people have"
        f" worked on since ({why})"
    )


def _note(dataset: Dataset) -> Mapping[str, Any] | None:
    with dataset.reading() as view:
        note: Mapping[str, Any] | None = view.note(IMPORT_NOTE)
    return note


def _tidy(dataset: Dataset) -> None:
    """Remove what a killed import has left beside a dataset that has nothing of it."""
    waiting = dataset.folder / arrivals.FILE_NAME
    if not waiting.exists() and not is_left_over(dataset.folder):
        return
    try:
        with only_import(dataset.folder):
            if _note(dataset) is None:
                arrivals.clear(dataset.folder)
    except OVEarthError:
        pass  # an import is getting ready, or the folder is read only
