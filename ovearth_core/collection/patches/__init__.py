"""Patches: imagery cut out about places of interest, with their history.

Names are imported when they are asked for: a worker that only extracts needs neither the job nor
the dataset behind it, and a job waits for its workers to start.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .grid import PatchShape, metric_frame, patch_frame
    from .job import PatchJob, Plan, extract_patches, plan_patches, start_engine
    from .place import Place
    from .plan import dataset_places
    from .poi_file import read_places
    from .report import Report

__all__ = [
    "PatchJob",
    "PatchShape",
    "Place",
    "Plan",
    "Report",
    "dataset_places",
    "extract_patches",
    "metric_frame",
    "patch_frame",
    "plan_patches",
    "read_places",
    "start_engine",
]

_MODULES = {
    "PatchJob": "job",
    "PatchShape": "grid",
    "Place": "place",
    "Plan": "job",
    "Report": "report",
    "dataset_places": "plan",
    "extract_patches": "job",
    "metric_frame": "grid",
    "patch_frame": "grid",
    "plan_patches": "job",
    "read_places": "poi_file",
    "start_engine": "job",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_MODULES[name]}", __name__), name)
