"""What a report is asked to be about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Wanted:
    """What a report is to be about.

    runs: predictions or per-query files. add: to the report that is there. attributes: a file of
    what is known of models. images: folders that are looked in after the benchmark's own.
    seed: of what is drawn at random; None for that of the report added to, or 0.
    """

    benchmark: Path
    runs: Sequence[Path]
    folder: Path
    add: bool = False
    attributes: Path | None = None
    images: Sequence[Path] = ()
    seed: int | None = None
