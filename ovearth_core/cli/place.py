"""What a path names: a dataset, a benchmark file, or a release with one."""

from __future__ import annotations

from pathlib import Path

import typer

DATASET_OR_BENCHMARK = typer.Argument(
    help="Dataset (its folder or dataset.gpkg), benchmark (ovearth-benchmark/1, plain COCO), or"
    " a release's folder."
)

# Named here too: their own modules take long to import.
_DATASET, _BENCHMARK, _SUMS = "dataset.gpkg", "benchmark.json", "SHA256SUMS"


def is_dataset(place: Path) -> bool:
    """Whether a path is meant as a dataset: a folder that is no release, or a GeoPackage."""
    return (place.is_dir() and not is_release(place)) or place.suffix.lower() == ".gpkg"


def is_release(place: Path) -> bool:
    """Whether a path is the folder of a frozen release, which has checksums and no dataset."""
    return (place / _SUMS).is_file() and not (place / _DATASET).exists()


def benchmark_file(place: Path) -> Path:
    """Return the benchmark that a path names: the file itself, or a release's."""
    return place / _BENCHMARK if is_release(place) else place


def kept_safe(place: Path) -> Path:
    """Return the file that no output may replace."""
    return place / _DATASET if is_dataset(place) and place.is_dir() else benchmark_file(place)
