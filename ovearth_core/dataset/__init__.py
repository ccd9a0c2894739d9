"""The dataset: one GeoPackage for images, targets, instances, queries and their reviews."""

from .edit import Edit, Removed
from .rows import (
    BoxRow,
    CategoryRow,
    ImageRow,
    InstanceRow,
    JudgementRow,
    PoiRow,
    QueryRow,
    QueryRunRow,
    ReviewRow,
    TargetRow,
)
from .store import FILE_NAME, Dataset
from .view import View

__all__ = [
    "FILE_NAME",
    "BoxRow",
    "CategoryRow",
    "Dataset",
    "Edit",
    "ImageRow",
    "InstanceRow",
    "JudgementRow",
    "PoiRow",
    "QueryRow",
    "QueryRunRow",
    "Removed",
    "ReviewRow",
    "TargetRow",
    "View",
]
