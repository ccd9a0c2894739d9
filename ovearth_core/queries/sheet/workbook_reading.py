"""A workbook that people filled in, read as plain texts: nothing in it is run or followed."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

from ...errors import InputError, MissingPackageError
from .cell_text import LONGEST
from .columns import ROW
from .reading import MOST_READ_ROWS, Line, Unusable

MOST_FILE_BYTES = 500_000_000
# Of all its XML, unpacked; pictures aren't looked at.
MOST_XML_BYTES = 400_000_000
MOST_ENTRIES = 200_000
_MOST_COLUMNS = 100
_CHUNK = 1 << 20
_XML = (".xml", ".rels", ".vml")
_SAVE = "save it as .xlsx or CSV again"


def read_workbook(path: Path) -> list[Line]:
    """Return the lines of the sheet that has the column of row ids.

    Cells with formulas or spreadsheets' errors are Unusable. Raises InputError for a file that is
    no workbook, too large, or has a DTD; MissingPackageError without openpyxl and defusedxml.
    """
    _check_packages()
    _check_file(path)
    with warnings.catch_warnings():
        # Of styles and lists of other programs, which play no part here.
        warnings.simplefilter("ignore")
        return _read(path)


def _read(path: Path) -> list[Line]:
    from openpyxl import load_workbook

    try:
        book = load_workbook(path, read_only=True, keep_links=False)
    except Exception as fault:  # it raises whatever its parsers raise
        raise _broken(path, fault) from None
    try:
        return list(_lines(_sheet_of(book, path), path))
    finally:
        book.close()


def _check_packages() -> None:
    try:
        import defusedxml.ElementTree
        import openpyxl  # noqa: F401
    except ImportError:
        raise MissingPackageError(
            "reading a workbook needs openpyxl and defusedxml",
            mend="pip install openpyxl defusedxml, or save it as CSV",
        ) from None
    del defusedxml


def _check_file(path: Path) -> None:
    """Refuse what isn't a workbook, would unpack to too much, or has a DTD in it."""
    try:
        if path.stat().st_size > MOST_FILE_BYTES:
            raise InputError(f"more than {MOST_FILE_BYTES} bytes", str(path), "import it in parts")
        with ZipFile(path) as archive:
            entries = archive.infolist()
            xml = [entry for entry in entries if entry.filename.lower().endswith(_XML)]
            total = sum(entry.file_size for entry in xml)
            if len(entries) > MOST_ENTRIES or total > MOST_XML_BYTES:
                raise InputError(
                    f"{len(entries)} parts, {total} bytes of XML: too much for a review sheet",
                    str(path), "import it in parts",
                )  # fmt: skip
            for entry in xml:
                _check_xml(archive, entry.filename, path)
    except OSError as fault:
        raise InputError(
            f"can't be read ({fault.strerror or fault})", str(path), "check the path"
        ) from None
    except InputError:
        raise
    except Exception as fault:  # a broken ZIP raises a dozen kinds, broken XML more
        raise _broken(path, fault) from None


def _check_xml(archive: ZipFile, name: str, path: Path) -> None:
    from defusedxml.ElementTree import DefusedXMLParser

    parser = DefusedXMLParser(target=_Nothing(), forbid_dtd=True)
    with archive.open(name) as part:
        while chunk := part.read(_CHUNK):
            parser.feed(chunk)
    parser.close()


class _Nothing:
    """Takes a parser's events and keeps none."""

    def start(self, *_: Any) -> None: ...
    def end(self, *_: Any) -> None: ...
    def data(self, *_: Any) -> None: ...
    def close(self) -> None: ...


def _sheet_of(book: Any, path: Path) -> Any:
    for sheet in book.worksheets:
        # What a file says of its own size may be wrong.
        sheet.reset_dimensions()
        for cells in sheet.iter_rows(max_row=1, max_col=_MOST_COLUMNS, values_only=True):
            if ROW.name in (str(value).strip().lower() for value in cells):
                return sheet
    raise InputError(
        f"no sheet with the column {ROW.name!r} in its first row", str(path),
        "give it the names that the export had",
    )  # fmt: skip


def _lines(sheet: Any, path: Path) -> Iterator[Line]:
    try:
        for number, row in enumerate(sheet.iter_rows(max_col=_MOST_COLUMNS), 1):
            if number > MOST_READ_ROWS:
                raise InputError(
                    f"more than {MOST_READ_ROWS} rows", str(path), "import it in parts"
                )
            yield Line(number, tuple(_text(cell, f"{path} row {number}") for cell in row))
    except InputError:
        raise
    except Exception as fault:  # it raises whatever its parsers raise
        raise _broken(path, fault) from None


def _text(cell: Any, where: str) -> str:
    value = cell.value
    if value is None:
        return ""
    if cell.data_type in ("f", "e"):
        return Unusable(value)
    text = str(value)
    if len(text) > LONGEST:
        raise InputError(f"a cell of {len(text)} characters", where, "shorten it")
    return text


def _broken(path: Path, fault: Exception) -> InputError:
    if type(fault).__module__.startswith("defusedxml"):
        return InputError("a document type or entities in its XML", str(path), _SAVE)
    kind = "no workbook" if isinstance(fault, BadZipFile) else "a broken workbook"
    return InputError(f"{kind} ({fault or type(fault).__name__})", str(path), _SAVE)
