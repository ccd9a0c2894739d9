"""A review sheet written: a workbook or CSV, by the file's name."""

from __future__ import annotations

from pathlib import Path

from ...atomic import AtomicFiles
from ...dataset import Dataset
from ...errors import UsageError
from .csv_file import write_csv
from .rows import Planned, Progress, Wanted, plan_sheet, sheet_targets
from .workbook import write_workbook


def plan_export(dataset: Dataset, path: Path, wanted: Wanted) -> Planned:
    """Return what will be in a sheet; UsageError for another name than .xlsx or .csv."""
    if path.suffix.lower() not in (".xlsx", ".csv"):
        raise UsageError("not the name of a sheet", str(path), "give an .xlsx or a .csv file")
    return plan_sheet(dataset, wanted)


def export_sheet(
    dataset: Dataset, path: Path, wanted: Wanted, planned: Planned, progress: Progress
) -> int:
    """Write a sheet, whole or not at all, and return how many rows it has."""
    targets = sheet_targets(dataset, wanted, planned, progress)
    with AtomicFiles([dataset.path]) as files:
        if path.suffix.lower() == ".csv":
            wanted.side = None
            with files.open(path) as file:
                return write_csv(targets, file)
        with files.open_bytes(path) as raw:
            return write_workbook(targets, raw)
