"""A review sheet as a workbook (.xlsx): pictures, drop-down lists, and columns that are locked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import IO, TYPE_CHECKING
from zipfile import ZIP_DEFLATED

from ...dataset.judging import QUESTIONS
from ...errors import MissingPackageError
from . import columns as col
from .rows import SheetTarget
from .workbook_pictures import OnceZip, PackedPicture, PictureStore, place

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.worksheet.worksheet import Worksheet

TEXTS, PICTURES, HELP = "Texts", "Pictures", "How to"
_THUMBNAIL_PX = 160
# A character is some seven pixels wide.
_PICTURE = col.Column("picture", 24)
_COLUMNS = tuple(
    each
    for column in col.COLUMNS
    for each in ((_PICTURE, column) if column is col.TEXT else (column,))
)
_NAMES = [column.name for column in _COLUMNS]
_PICTURE_PLACE, _TARGET_PLACE = _NAMES.index(_PICTURE.name) + 1, _NAMES.index(col.TARGET.name) + 1

_HELP = (
    "Judge each text by its own row on the sheet Texts.",
    "Only the columns answer, decision, new text and reason can be filled in.",
    "The red line runs around what the text should be about, just outside of it.",
    "Larger pictures are on the sheet Pictures: click the number of the target.",
    *(f"{question.name.capitalize()}: {question.sentence}" for question in QUESTIONS),
    "accept: the text is good as it is. The answer yes alone accepts it too.",
    "edit: another text should stand in its place. Write it into new text, and say why.",
    "remove: it should not be asked. Say why; the answer no is reason enough.",
    "A row without an answer and a decision is not judged. Rows may be sorted and left out.",
)


def write_workbook(targets: Iterable[SheetTarget], file: IO[bytes]) -> int:
    """Write the rows of targets into a workbook, and return how many.

    Raises MissingPackageError without openpyxl or Pillow, UsageError for too many pictures.
    """
    try:
        from openpyxl import Workbook
        from openpyxl.writer.excel import ExcelWriter
    except ImportError:
        raise MissingPackageError(
            "a workbook needs openpyxl", mend="pip install openpyxl, or export a .csv"
        ) from None
    book = Workbook()
    sheet = _Sheet(book)
    for target in targets:
        sheet.add(target)
    sheet.finish()
    with OnceZip(file, "w", ZIP_DEFLATED) as archive:
        ExcelWriter(book, archive).save()
    return sheet.count


class _Sheet:
    """The workbook's sheets while they are filled."""

    def __init__(self, book: Workbook) -> None:
        from openpyxl.styles import Alignment, PatternFill, Protection

        self._texts: Worksheet = book.active
        self._texts.title = TEXTS
        self._pictures: Worksheet = book.create_sheet(PICTURES)
        self._help: Worksheet = book.create_sheet(HELP)
        self._store = PictureStore()
        self._wrapped = Alignment(wrap_text=True, vertical="top")
        self._open = Protection(locked=False)
        self._bright = PatternFill("solid", fgColor="FFF9E5")
        self.count = 0
        self._shown = 1
        self._put(self._texts, 1, _NAMES)
        self._put(self._pictures, 1, ["target", "category", "whole image", "near by"])

    def add(self, target: SheetTarget) -> None:
        """Add a target's rows and pictures."""
        large = self._store.pack(target.pictures, 4096)
        small = self._store.pack(target.pictures, _THUMBNAIL_PX)
        if large:
            self._add_large(target, large)
        for cells, is_near in zip(target.rows, target.is_near, strict=True):
            self.count += 1
            row = self.count + 1
            self._put(self._texts, row, [cells.get(name, "") for name in _NAMES])
            for number, column in enumerate(_COLUMNS, 1):
                if column.is_filled_in:
                    cell = self._texts.cell(row, number)
                    cell.protection, cell.fill = self._open, self._bright
            if small:
                self._link(row)
                place(self._texts, small[-1 if is_near else 0], row, _PICTURE_PLACE)

    def finish(self) -> None:
        """Set widths, lists, locks and the page of help."""
        from openpyxl.styles import Font
        from openpyxl.utils import get_column_letter
        from openpyxl.worksheet.datavalidation import DataValidation

        for number, column in enumerate(_COLUMNS, 1):
            letter = get_column_letter(number)
            self._texts.column_dimensions[letter].width = column.width
            self._texts.cell(1, number).font = Font(bold=True)
            if column.choices:
                listed = DataValidation(
                    "list", formula1='"' + ",".join(column.choices) + '"', allow_blank=True,
                    showErrorMessage=True, errorTitle=column.name,
                    error="Choose " + ", ".join(column.choices), showInputMessage=True,
                    promptTitle=column.name, prompt=column.about,
                )  # fmt: skip
                listed.add(f"{letter}2:{letter}{self.count + 1}")
                self._texts.add_data_validation(listed)
        for sheet in (self._texts, self._pictures, self._help):
            self._lock(sheet)
        self._texts.freeze_panes = "A2"
        self._fit_pages()
        self._texts.auto_filter.ref = self._texts.dimensions
        for letter, width in (("A", 8), ("B", 18), ("C", 76), ("D", 76)):
            self._pictures.column_dimensions[letter].width = width
        self._help.column_dimensions["A"].width = 110
        for row, line in enumerate(_HELP, 1):
            self._put(self._help, row, [line])

    def _add_large(self, target: SheetTarget, large: list[PackedPicture]) -> None:
        self._shown += 1
        # A category's name is anybody's: it is written as every text is.
        self._put(self._pictures, self._shown, [str(target.target_id), target.category])
        for number, packed in enumerate(large):
            place(self._pictures, packed, self._shown, 3 + number)

    def _link(self, row: int) -> None:
        """Let the number of a row's target lead to its large pictures."""
        from openpyxl.styles import Font
        from openpyxl.worksheet.hyperlink import Hyperlink

        cell = self._texts.cell(row, _TARGET_PLACE)
        cell.hyperlink = Hyperlink(ref="", location=f"{PICTURES}!A{self._shown}")
        cell.font = Font(underline="single", color="0563C1")

    def _put(self, sheet: Worksheet, row: int, texts: Iterable[str]) -> None:
        for number, text in enumerate(texts, 1):
            cell = sheet.cell(row, number)
            if text:
                cell.value = text
                # Never a formula, nor one of the words that spreadsheets have for errors.
                cell.data_type = "s"
            cell.alignment = self._wrapped

    def _fit_pages(self) -> None:
        """Print all columns on one page's width, their names on every page."""
        from openpyxl.worksheet.properties import PageSetupProperties

        self._texts.page_setup.orientation = "landscape"
        self._texts.page_setup.fitToHeight = 0
        self._texts.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
        self._texts.print_title_rows = "1:1"

    def _lock(self, sheet: Worksheet) -> None:
        sheet.protection.sheet = True
        for allowed in ("formatColumns", "formatRows", "sort", "autoFilter"):
            setattr(sheet.protection, allowed, False)
