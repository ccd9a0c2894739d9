"""A review sheet as CSV: without pictures, for any spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

from ...errors import InputError
from .columns import COLUMNS
from .reading import MOST_READ_ROWS, Line
from .rows import SheetTarget

# Spreadsheets know by it that the file is UTF-8.
_MARK = "\ufeff"
_DELIMITERS = ",;\t"
MOST_BYTES = 200_000_000


def write_csv(targets: Iterable[SheetTarget], file: IO[str]) -> int:
    """Write the rows under the columns' names, and return how many."""
    file.write(_MARK)
    writer = csv.writer(file, lineterminator="\r\n")
    writer.writerow([column.name for column in COLUMNS])
    count = 0
    for target in targets:
        for row in target.rows:
            writer.writerow([row.get(column.name, "") for column in COLUMNS])
            count += 1
    return count


def read_csv(path: Path) -> Iterator[Line]:
    """Yield the lines of a CSV file, separated by commas, semicolons or tabs, the first too.

    InputError for a file that is none, not UTF-8, or too large.
    """
    text = _text_of(path)
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        for number, cells in enumerate(reader, 1):
            if number > MOST_READ_ROWS:
                raise InputError(
                    f"more than {MOST_READ_ROWS} rows", str(path), "import it in parts"
                )
            yield Line(number, tuple(cells))
    except csv.Error as fault:
        raise InputError(
            f"no CSV ({fault})", f"{path} line {reader.line_num}", "save it as CSV again"
        ) from None


def _text_of(path: Path) -> str:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise InputError(f"more than {MOST_BYTES} bytes", str(path), "import it in parts")
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("not UTF-8", str(path), "save it as 'CSV UTF-8', or as .xlsx") from None
    except OSError as fault:
        raise InputError(
            f"can't be read ({fault.strerror or fault})", str(path), "check the path"
        ) from None
