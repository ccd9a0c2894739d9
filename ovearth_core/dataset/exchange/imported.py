"""Which label files a dataset has taken in: the same ones a second time would double everything."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from datetime import datetime, timezone
from pathlib import Path

from ...errors import UsageError
from ...raster_file import file_sha256
from ..view import View

IMPORTED_NOTE = "imported"

_LABEL_ENDINGS = (".txt", ".json", ".csv", ".yaml", ".yml", ".xml")


def source_sha256(source: Path) -> str | None:
    """Return the checksum of a label file, or of all label files of a folder; None without any."""
    if source.is_file():
        return file_sha256(source)
    whole = hashlib.sha256()
    names = list(_label_files(source))
    for path in names:
        whole.update(f"{path.relative_to(source).as_posix()} {file_sha256(path)}\n".encode())
    return whole.hexdigest() if names else None


def check_is_new(view: View, source: Path, checksum: str | None, *, again: bool) -> None:
    """Raise UsageError where the same labels were imported before, unless they may be again."""
    if again or checksum is None:
        return
    for line in view.note(IMPORTED_NOTE) or []:
        if line["sha256"] == checksum:
            raise UsageError(
                f"the same labels were imported before ({line['source']}, {line['at'][:10]})",
                str(source),
                "say --again to have them all a second time",
            )


def line_of(source: Path, checksum: str | None) -> Mapping[str, str] | None:
    """Return what is noted of an import in the dataset."""
    if checksum is None:
        return None
    at = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {"source": source.name, "sha256": checksum, "at": at}


def _label_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() in _LABEL_ENDINGS and path.is_file():
            yield path
