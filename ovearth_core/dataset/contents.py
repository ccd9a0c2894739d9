"""Tables that the GeoPackage's table of contents names, but that no program offers as a layer."""

from __future__ import annotations

import sqlite3


def register_hidden(connection: sqlite3.Connection, table: str, description: str) -> None:
    """Enter a table of our own: its kind is one that other programs don't know."""
    connection.execute(
        "INSERT INTO gpkg_contents (table_name, data_type, identifier, description, srs_id) "
        "VALUES (?, 'ovearth', ?, ?, 0)",
        (table, table, description),
    )
