"""Patches: imagery cut out about places of interest, with their history."""

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
