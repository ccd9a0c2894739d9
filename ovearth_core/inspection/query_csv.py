"""The table of queries as CSV, in the order and with the filter that is on the screen."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from typing import TextIO

from .query_table import Column, QueryTable, Value


def write_query_csv(table: QueryTable, rows: Iterable[int], file: TextIO) -> None:
    """Write the rows under the columns' names, fractions in full; what is undefined is empty."""
    columns = (Column.QUERY, *(column for column in table.columns if column is not Column.QUERY))
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([column.value for column in columns])
    for row in rows:
        writer.writerow([_cell(table.value(column, row)) for column in columns])


def _cell(value: Value) -> str | float | int:
    if value is None:
        return ""
    return int(value) if isinstance(value, bool) else value
