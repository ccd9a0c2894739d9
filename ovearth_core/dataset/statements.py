"""SQL put together from this package's own names of tables and columns, never from input."""

from __future__ import annotations

from collections.abc import Sequence


def insert(table: str, columns: Sequence[str]) -> str:
    """Return a statement that inserts one row."""
    marks = ", ".join("?" for _ in columns)
    return " ".join(["INSERT INTO", table, "(", ", ".join(columns), ") VALUES (", marks, ")"])


def update(table: str, columns: Sequence[str], key: str) -> str:
    """Return a statement that changes columns of the row with a key, which comes last."""
    changes = ", ".join(" ".join([column, "= ?"]) for column in columns)
    return " ".join(["UPDATE", table, "SET", changes, "WHERE", key, "= ?"])


def delete(table: str, key: str) -> str:
    """Return a statement that deletes the rows with a key."""
    return " ".join(["DELETE FROM", table, "WHERE", key, "= ?"])


def select(columns: Sequence[str], source: str, conditions: Sequence[str], order: str) -> str:
    """Return a query with every condition met, in an order."""
    parts = ["SELECT", ", ".join(columns), "FROM", source]
    if conditions:
        parts += ["WHERE", " AND ".join(conditions)]
    return " ".join([*parts, "ORDER BY", order])
