"""Targets that someone wants sent back to review, kept beside the benchmark."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from ..atomic import write_text
from ..errors import InputError

FORMAT = "ovearth-returned/1"


@dataclass(frozen=True)
class ReturnedTarget:
    """One wish: look at this target's truth again.

    query_id: where it was noticed. x_px, y_px: pixels of the place that was pointed at, or None.
    run: the model whose answer was looked at, or None. returned_at: ISO 8601, UTC.
    """

    target_id: int
    query_id: str
    image: str
    category: str
    comment: str
    returned_at: str
    x_px: float | None = None
    y_px: float | None = None
    run: str | None = None


def returned_path(benchmark_path: Path) -> Path:
    """Return where the list of a benchmark is kept."""
    name = benchmark_path.name
    for ending in (".gz", ".json"):
        name = name.removesuffix(ending)
    return benchmark_path.with_name(f"{name}.returned.json")


def now_text() -> str:
    """Return this second as ISO 8601, UTC."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def read_returned(path: Path) -> tuple[ReturnedTarget, ...]:
    """Return the list in a file, none without a file; InputError for one that is no list."""
    if not path.exists():
        return ()
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        if document["format"] != FORMAT:
            raise ValueError(document["format"])
        return tuple(_entry(entry) for entry in document["targets"])
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise InputError(
            f"it is no list of returned targets ({fault})", str(path), "mend it or move it away"
        ) from None


def write_returned(path: Path, targets: Sequence[ReturnedTarget]) -> None:
    """Write the list whole, or leave what was there; OutputError where it can't be written."""
    document = {"format": FORMAT, "targets": [asdict(target) for target in targets]}
    write_text(path, json.dumps(document, indent=1, ensure_ascii=False) + "\n")


def _entry(entry: dict[str, Any]) -> ReturnedTarget:
    known = {field.name for field in fields(ReturnedTarget)}
    return ReturnedTarget(**{key: value for key, value in entry.items() if key in known})
