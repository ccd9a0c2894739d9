"""Folders that are filled beside their place, and what killed exports have left of them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from ...errors import OVEarthError, UsageError
from ...one_at_a_time import held

_LOCK = ".lock"


@contextmanager
def folder_beside(place: Path) -> Iterator[Path]:
    """Make a folder to fill beside a place; it is gone after the block, unless it was moved.

    Those that were left by exports to the same place, killed since, go first. OSError where it
    can't be made.
    """
    place.parent.mkdir(parents=True, exist_ok=True)
    for stale in _earlier(place):
        _remove_if_left(stale)
    filling = place.parent / f".{place.name[:100]}.{uuid4().hex}"
    # Held as long as this process lives: so the next one sees that nobody fills it any more.
    with held(_lock_of(filling), UsageError("is being written", str(place), "wait for its end")):
        try:
            filling.mkdir()
            yield filling
        finally:
            shutil.rmtree(filling, ignore_errors=True)


def _earlier(place: Path) -> Iterator[Path]:
    name = re.compile(re.escape(f".{place.name[:100]}.") + "[0-9a-f]{32}(" + _LOCK + ")?")
    for path in sorted(place.parent.iterdir()):
        if name.fullmatch(path.name):
            yield path.with_name(path.name.removesuffix(_LOCK))


def _remove_if_left(stale: Path) -> None:
    try:
        with held(_lock_of(stale), UsageError("is being written", str(stale))):
            shutil.rmtree(stale, ignore_errors=True)
    except OVEarthError:
        pass  # another export fills it, or it isn't ours to remove


def _lock_of(filling: Path) -> Path:
    return filling.with_name(filling.name + _LOCK)
