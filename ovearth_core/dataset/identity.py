"""Whether a file is a dataset of ours, and of which version."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from ..errors import InputError
from .database import read_transaction
from .tables import VERSION

_APPLICATION_ID = 0x47504B47


def stored_version(path: Path) -> int:
    """Return the version of a dataset's file; InputError where it is none, or a newer one."""
    with read_transaction(path) as connection:
        version = version_in(connection, path)
    if version > VERSION:
        raise InputError(
            f"the dataset has version {version}, this OVEarth knows up to {VERSION}",
            str(path),
            "update OVEarth",
        )
    return version


def version_in(connection: sqlite3.Connection, path: Path) -> int:
    """Return the version of the dataset's tables; InputError where it is none of ours."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    ours = connection.execute(
        "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'ovearth_dataset'"
    ).fetchone()[0]
    if application != _APPLICATION_ID or not ours:
        if not application and not connection.execute("SELECT 1 FROM sqlite_master").fetchone():
            raise InputError(
                "is empty: no dataset was ever written into it", str(path),
                "restore a backup, or remove it and make one: ovearth init",
            )  # fmt: skip
        kind = "GeoPackage" if application == _APPLICATION_ID else "SQLite file"
        raise InputError(
            f"is a {kind}, but no dataset of OVEarth",
            str(path),
            "import its layers (ovearth import --format vector)",
        )
    found = connection.execute("SELECT value FROM ovearth_dataset WHERE key = 'version'").fetchone()
    try:
        return int(found[0])
    except (TypeError, ValueError):
        raise InputError("the dataset has no version", str(path), "restore a backup") from None
