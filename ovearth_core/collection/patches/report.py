"""The report of a job: what was fetched, what was refused and why; the next run reads it too."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...atomic import AtomicFiles
from ...dataset import ImageRow, PoiRow
from ...spelling import counted
from ...version import VERSION
from .extraction import Outcome, Task
from .refusal import DUPLICATE, FAILED, LASTING, Refusal

FORMAT = "ovearth-patches-report/1"
FILE_NAME = "patches-report.json"
_LARGEST_BYTES = 1 << 28


@dataclass
class Report:
    """What a job has done so far. settings: how patches are made, and what is refused."""

    settings: dict[str, Any]
    estimate: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    already: int = 0
    interrupted: bool = False
    fetched: list[dict[str, Any]] = field(default_factory=list)
    refused: list[dict[str, Any]] = field(default_factory=list)
    failed: list[dict[str, Any]] = field(default_factory=list)

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
        if not mine and self.already:
            self.already -= 1
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
            "failed": self.failed,
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
