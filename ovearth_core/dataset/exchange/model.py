"""What every format is written from, its options, and a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from ..view import View


def _nothing() -> None:
    """Do nothing: nobody asked to be told of steps."""


@dataclass(frozen=True, slots=True)
class WriteOptions:
    """What a writer is told.

    states: of the targets that go out. folder: the dataset's, where image paths start. release:
    the version to freeze, None for none (the benchmark writer's). step: called for each image or
    row that was looked at; what it raises ends the writing, and nothing is written.
    """

    folder: Path
    states: tuple[str, ...] = ("approved",)
    release: str | None = None
    step: Callable[[], None] = _nothing


@dataclass(frozen=True, slots=True)
class Report:
    """What went in or out. counts: of what (plural) how many. left_out: why, and how many."""

    counts: Mapping[str, int]
    left_out: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def lines(self) -> list[str]:
        """Return it as lines for people; nothing is left out without being said."""
        told = [", ".join(f"{count} {what}" for what, count in self.counts.items())]
        told += [f"left out: {count} {why}" for why, count in self.left_out.items() if count]
        return [line for line in (*told, *self.notes) if line]


class LabelWriter(Protocol):
    """Writes what a dataset holds, atomically (`AtomicFiles`), and says what it left out."""

    def __call__(self, view: View, out: Path, options: WriteOptions) -> Report:
        """Write to `out`; iterate with `outgoing(view, options)`."""
