"""What a path names: a dataset or a benchmark file."""

from __future__ import annotations

from pathlib import Path

import typer

DATASET_OR_BENCHMARK = typer.Argument(
    help="Dataset (its folder or dataset.gpkg), or benchmark (ovearth-benchmark/1, plain COCO)."
)


def is_dataset(place: Path) -> bool:
    """Whether a path is meant as a dataset: a folder, or a GeoPackage."""
    return place.is_dir() or place.suffix.lower() == ".gpkg"


def kept_safe(place: Path) -> Path:
    """Return the file that no output may replace."""
    return place / "dataset.gpkg" if place.is_dir() else place
