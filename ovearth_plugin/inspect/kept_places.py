"""Where the returned list of each benchmark is: as a person chose, or for the time being."""

from __future__ import annotations

import hashlib
from pathlib import Path

from qgis.core import QgsApplication

from ..settings import store, stored

_KEY = "returned/"
_FOLDER = "ovearth_returned"


def chosen_file(benchmark: Path) -> Path | None:
    """Return the file that was chosen for a benchmark's list, None where none was."""
    name = stored(_KEY + _name_of(benchmark))
    return Path(name) if name else None


def choose_file(benchmark: Path, file: Path | None) -> None:
    """Keep the choice; None forgets it."""
    store(_KEY + _name_of(benchmark), "" if file is None else str(file))


def rescue_file(benchmark: Path) -> Path:
    """Return where entries wait, in QGIS's profile, that can't be saved where they belong."""
    folder = Path(QgsApplication.qgisSettingsDirPath()) / _FOLDER
    return folder / f"{benchmark.stem[:80]}-{_name_of(benchmark)}.json"


def _name_of(benchmark: Path) -> str:
    return hashlib.sha256(str(benchmark.resolve()).encode()).hexdigest()[:16]
