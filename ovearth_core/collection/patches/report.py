"""The report of a job: what was fetched, what was refused and why; the next run reads it too."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...atomic import AtomicFiles
from ...dataset import ImageRow, PoiRow
from ...errors import OutputError, UsageError
from ...spelling import counted
from ...version import VERSION
from .extraction import Outcome, Task
from .refusal import DUPLICATE, FAILED, LASTING, Refusal

FORMAT = "ovearth-patches-report/1"
FILE_NAME = "patches-report.json"
_LARGEST_BYTES = 1 << 28
# A report says so in the first line or two.
_LONGEST_START = 200


@dataclass
class Report:
    """What a job has done so far. settings: how patches are made, and what is refused.

    Each place of a job is in it once, and once for each date of a search: fetched, there (from an
    earlier run), refused, failed, or left, where the job ended before it.
    """

    settings: dict[str, Any]
    estimate: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    interrupted: bool = False
    fetched: list[dict[str, Any]] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)
    failed: list[dict[str, Any]] = field(default_factory=list)
    there: list[dict[str, Any]] = field(default_factory=list)
    left: list[dict[str, Any]] = field(default_factory=list)

    @property
    def already(self) -> int:
        """How many were there already."""
        return len(self.there)

    def find(self, task: Task, file_name: str) -> None:
        """Note that a task's patch is there already."""
        self.there.append({**_entry(task), "file": file_name})

    def leave(self, tasks: Iterable[Task]) -> None:
        """Note which of a job's tasks it ended before."""
        met = (self.fetched, self.there, self.refused, self.failed)
        known = {entry["key"] for entries in met for entry in entries}
        self.left = [_entry(task) for task in tasks if task.key not in known]

    def take(self, outcome: Outcome) -> None:
        """Note what became of a task."""
        entry = _entry(outcome.task)
        refusal = outcome.refusal
        if refusal is None and outcome.row is not None:
            row = outcome.row
            entry |= {
                "file": row.file_name, "width": row.width, "height": row.height,
                "gsd_m": row.gsd_m, "crs": row.crs, "bytes": outcome.size,
            }  # fmt: skip
            self.fetched.append(entry)
        elif refusal is not None:
            entry |= {"reason": refusal.reason, "detail": refusal.detail}
            (self.failed if refusal.reason == FAILED else self.refused).append(entry)

    def take_back(self, row: ImageRow, poi: PoiRow | None, refusal: Refusal) -> None:
        """Note that a patch, of this job or an earlier one, is refused after all."""
        mine = [entry for entry in self.fetched if entry["file"] == row.file_name]
        self.fetched = [entry for entry in self.fetched if entry["file"] != row.file_name]
        history = row.extra.get("patch")
        known = history if isinstance(history, dict) else {}
        entry = mine[0] if mine else {
            "key": known.get("key"), "poi": row.poi_id, "category": known.get("category"),
            "reference": known.get("poi"), "name": poi and poi.name, "file": row.file_name,
            "lon": poi and poi.lon, "lat": poi and poi.lat,
        }  # fmt: skip
        self.there = [entry for entry in self.there if entry["file"] != row.file_name]
        self.refused.append({**entry, "reason": refusal.reason, "detail": refusal.detail})

    def keep_refused(self, task: Task, refusal: Refusal) -> None:
        """Note a refusal of an earlier run, which is not looked into again."""
        entry = {**_entry(task), "reason": refusal.reason, "detail": refusal.detail}
        self.refused.append(entry)

    def counts(self) -> dict[str, Any]:
        """Return how many were fetched, were there already, were refused by reason, or failed."""
        return {
            "fetched": len(self.fetched),
            "already": self.already,
            "refused": dict(sorted(Counter(entry["reason"] for entry in self.refused).items())),
            "failed": len(self.failed),
            "left": len(self.left),
        }

    @property
    def is_vain(self) -> bool:
        """Whether places were asked for, and there is a patch of none.

        A duplicate is of ground that the dataset has a patch of.
        """
        is_there = any(entry["reason"] == DUPLICATE for entry in self.refused)
        return not (self.fetched or self.already or is_there) and bool(self.refused or self.failed)

    def as_json(self) -> dict[str, Any]:
        """Return it as it is written."""
        return {
            "format": FORMAT, "tool": f"ovearth {VERSION}", "settings": self.settings,
            "estimate": self.estimate, "warnings": self.warnings, "interrupted": self.interrupted,
            "counts": self.counts(), "fetched": self.fetched, "refused": self.refused,
            "failed": self.failed, "there": self.there, "left": self.left,
        }  # fmt: skip

    def write(self, path: Path) -> None:
        """Write it whole; OutputError where that can't be done."""
        # Piece by piece: the text of a long job would take as much memory as the job.
        with AtomicFiles() as files, files.open(path) as file:
            json.dump(self.as_json(), file, indent=1, ensure_ascii=False)
            file.write("\n")

    def line(self) -> str:
        """Say it in one line."""
        counts = self.counts()
        parts = [counted(counts["fetched"], "patch", "patches")]
        if self.already:
            parts.append(f"{self.already} there already")
        if self.refused:
            reasons = ", ".join(f"{n} {reason}" for reason, n in counts["refused"].items())
            parts.append(f"{len(self.refused)} refused ({reasons})")
        if self.failed:
            parts.append(f"{len(self.failed)} failed")
        return ", ".join(parts)


def check_place(path: Path, dataset: Path) -> None:
    """Raise OutputError, UsageError where a report is not to be written; before there is one.

    Only another report may be replaced. dataset: the dataset's GeoPackage.
    """
    AtomicFiles([dataset]).check(path)
    home = next(folder for folder in path.absolute().parents if folder.exists())
    if not (home.is_dir() and os.access(home, os.W_OK)):
        raise OutputError("no report can be written there", str(path), "name another folder")
    # Whoever opens and closes a dataset's files lets go of locks on them.
    if path.name.startswith(dataset.name) or (path.exists() and not _may_be_replaced(path)):
        raise UsageError(
            "there is another file, which is no report of patches", str(path), "name another file"
        )


def _may_be_replaced(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            start = file.read(_LONGEST_START)
    except OSError as fault:
        raise OutputError(
            f"can't be read ({fault.strerror})", str(path), "name another file"
        ) from None
    return not start or FORMAT.encode() in start


def lasting_refusals(path: Path, settings: dict[str, Any]) -> dict[str, Refusal]:
    """Return by task key what an earlier run with the same settings refused for good.

    Nothing where there is no such report: it is no more than a saving.
    """
    try:
        if path.stat().st_size > _LARGEST_BYTES:
            return {}
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        return {}
    if document.get("settings") != json.loads(json.dumps(settings)):
        return {}
    return {
        str(entry["key"]): Refusal(str(entry["reason"]), str(entry.get("detail", "")))
        for entry in document.get("refused", ())
        if isinstance(entry, dict) and entry.get("reason") in LASTING and "key" in entry
    }


def _entry(task: Task) -> dict[str, Any]:
    place = task.place
    return {
        "key": task.key, "poi": place.id, "reference": place.reference, "name": place.name,
        "category": place.category, "lon": place.lon, "lat": place.lat,
    }  # fmt: skip
