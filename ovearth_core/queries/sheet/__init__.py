"""Review sheets: texts for people without QGIS, as spreadsheets, and what they say of them."""

from .exporting import export_sheet, plan_export
from .importing import Imported, import_sheet, read_sheet
from .rows import Planned, Wanted

__all__ = [
    "Imported", "Planned", "Wanted", "export_sheet", "import_sheet", "plan_export", "read_sheet",
]  # fmt: skip
