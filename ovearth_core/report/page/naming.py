"""Files as a page names them: to be found by others, without this machine's folders."""

from __future__ import annotations

import os
from pathlib import Path


def shown_path(path: Path, benchmark: Path) -> str:
    """Return how a page names a file.

    As it was given, where that and the benchmark were given from the working folder; else from
    the benchmark's folder, or from the working folder where the benchmark was given from there.
    """
    if not path.is_absolute() and not benchmark.is_absolute():
        return path.as_posix()
    start = benchmark.parent if benchmark.is_absolute() else Path.cwd()
    try:
        return Path(os.path.relpath(path, start)).as_posix()
    except ValueError:  # on another drive
        return path.name
