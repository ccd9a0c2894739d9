"""The sample as a dataset: what a benchmark is made from, to open in QGIS."""

from __future__ import annotations

from ..checking.dataset_rows import check_dataset
from ..dataset import Dataset
from ..dataset.boxes import derive_boxes
from ..dataset.exchange.benchmark_in import import_benchmark
from ..dataset.store import FILE_NAME
from .write import Sample

FOLDER = "dataset"
_WHO = "ovearth demo"


def sample_dataset(sample: Sample) -> Dataset:
    """Return the sample's dataset, made with its boxes beside the benchmark where it lacks.

    One that is there is left as it is: someone may have worked on it.
    """
    folder = sample.folder / FOLDER
    if (folder / FILE_NAME).exists():
        return Dataset.open(folder)
    import_benchmark(folder, sample.benchmark, sample.folder, _WHO)
    dataset = Dataset.open(folder)
    derive_boxes(dataset, "pixel")
    return dataset


def summary(dataset: Dataset) -> str:
    """Say in one line what the dataset holds, and what a check finds."""
    with dataset.reading() as view:
        counts = view.counts()
    problems = sum(1 for _ in check_dataset(dataset))
    found = f"{problems} problem(s) found" if problems else "nothing found"
    return (
        f"Dataset: {counts['images']} images, {counts['targets']} targets,"
        f" {counts['instances']} polygons, {counts['queries']} queries,"
        f" {counts['obb']} oriented boxes; check: {found}"
    )
