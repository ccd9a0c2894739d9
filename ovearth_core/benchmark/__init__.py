"""The benchmark file: its values, its reader and writer, and the truth derived from it."""

from .columns import TASKS
from .model import (
    MODALITIES,
    Benchmark,
    Category,
    Image,
    Instance,
    Query,
    Target,
)
from .part import part_of
from .reader import read_benchmark
from .truth import Truth
from .writer import write_benchmark

__all__ = [
    "MODALITIES",
    "TASKS",
    "Benchmark",
    "Category",
    "Image",
    "Instance",
    "Query",
    "Target",
    "Truth",
    "part_of",
    "read_benchmark",
    "write_benchmark",
]
