"""Where the data files of OVEarth are: taxonomy, and what later parts bring.

In a checkout and in the QGIS plugin the folder `resources` lies beside the core; in an installed
package it is inside, as `data`.
"""

from __future__ import annotations

from pathlib import Path

from .errors import InputError

_HERE = Path(__file__).resolve().parent
_FOLDERS = (_HERE / "data", _HERE.parent / "resources")


def resource(name: str) -> Path:
    """Return the path of a data file such as `taxonomy/ovearth.json`."""
    for folder in _FOLDERS:
        path = folder / name
        if path.exists():
            return path
    raise InputError(f"the data file {name!r} is missing", str(_FOLDERS[-1]), "install it anew")
