"""Review sheets: texts for people without QGIS, as spreadsheets, and what they say of them."""

from .exporting import export_sheet, plan_export
from .importing import CheckedSheet, Imported, check_sheet, read_sheet, store_sheet
from .rows import Planned, Wanted

__all__ = [
    "CheckedSheet",
    "Imported",
    "Planned",
    "Wanted",
    "check_sheet",
    "export_sheet",
    "plan_export",
    "read_sheet",
    "store_sheet",
]
