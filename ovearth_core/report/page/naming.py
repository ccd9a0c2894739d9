"""Files as a page names them: to be found by others, without this machine's folders."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path


def as_named(paths: Sequence[str]) -> list[str]:
    """Return paths as they are, absolute ones from the folder that holds all of those on."""
    absolute = [path for path in paths if Path(path).is_absolute()]
    try:
        parent = os.path.commonpath([str(Path(path).parent) for path in absolute])
    except ValueError:  # none, or on several drives
        return [Path(path).name if path in absolute else path for path in paths]
    return [os.path.relpath(path, parent) if path in absolute else path for path in paths]
