"""Files of a frozen release that aren't what they were."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..dataset.exchange.release import verify_release
from .finding import Finding


def check_release(folder: Path) -> Iterator[Finding]:
    """Yield the files of a release that lack, were changed, or don't belong to it."""
    for fault in verify_release(folder):
        yield Finding("release-file", "file", fault.file, fault.what, fault.mend)
