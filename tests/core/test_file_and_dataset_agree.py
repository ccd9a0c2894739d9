"""A benchmark file, and the dataset that it is imported into, have the same faults."""

from copy import deepcopy

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ovearth_core.benchmark import read_benchmark
from ovearth_core.checking.benchmark_file import check_benchmark
from ovearth_core.checking.dataset_rows import check_dataset
from ovearth_core.checking.mending import mend_dataset
from ovearth_core.dataset import Dataset
from ovearth_core.dataset.exchange.benchmark_in import import_benchmark
from ovearth_core.dataset.exchange.exporting import export_dataset

from .making import write_benchmark
from .random_benchmarks import random_benchmark

# What only a dataset can know: of files that aren't at hand here, and of columns left empty.
OF_DATASETS = {"no-file", "no-gsd"}


def faults(findings):
    """Kinds and places; what a file calls an annotation is an instance in a dataset."""
    return sorted(
        (
            f.kind,
            f.item.replace("annotation", "instance"),
            f.id,
            f.what.replace("annotation", "instance"),
        )
        for f in findings
        if f.kind not in OF_DATASETS
    )


def both(folder, document):
    path = write_benchmark(folder, document)
    import_benchmark(folder / "dataset", path)
    dataset = Dataset.open(folder / "dataset")
    return faults(check_benchmark(read_benchmark(path))), faults(check_dataset(dataset)), dataset


def spoiled(seed):
    """A random benchmark with faults of many kinds."""
    rng = np.random.default_rng(seed)
    document = random_benchmark(seed, georeferenced=True)
    for annotation in document["annotations"]:
        geometry = annotation.get("geometry")
        if geometry is not None:
            outer, hole = geometry["coordinates"]
            if rng.random() < 0.4:
                hole.reverse()
            if rng.random() < 0.4:
                (outer if rng.random() < 0.5 else hole).pop()
        kind = rng.random()
        if kind < 0.1:
            annotation["bbox"] = [3, 4, 10, 12]
        elif kind < 0.2:
            annotation["obb"] = [3, 4, 13, 4, 13, 20, 3, 20]
        elif kind < 0.3:
            annotation.pop("geometry", None)
            annotation["segmentation"] = [[5, 5, 25, 25, 25, 5, 5, 25]]
        elif kind < 0.4:
            annotation.pop("geometry", None)
            annotation["segmentation"] = [[5, 5, 90, 5, 90, 5.2]]
    for query in document["queries"]:
        query["text"] = str(rng.choice([query["text"], "tank", " van ", " "]))
    return document


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.integers(0, 2**32))
def test_every_fault_of_a_file_is_found_in_its_import_and_no_other(tmp_path_factory, seed):
    in_file, in_dataset, _ = both(tmp_path_factory.mktemp("d"), spoiled(seed))
    assert in_file == in_dataset


HOLED = {
    "type": "Polygon",
    "coordinates": [
        [[5, 5], [40, 5], [40, 40], [5, 40], [5, 5]],
        [[10, 10], [20, 10], [20, 20], [10, 20], [10, 10]],
    ],
}


def holed(geometry):
    document = random_benchmark(3, georeferenced=True)
    document["targets"] = document["targets"][:1]
    document["queries"] = [q for q in document["queries"] if q["target_id"] == 0][:1]
    document["annotations"] = document["annotations"][:1]
    shape = {"segmentation": None, "geometry": geometry, "bbox": None, "obb": None}
    document["annotations"][0].update(shape)
    return document


@pytest.mark.parametrize("kind", ["ring-order", "unclosed-ring"])
def test_rings_are_found_in_both_and_mended_by_fix_until_the_export_is_sound(tmp_path, kind):
    geometry = deepcopy(HOLED)
    outer, hole = geometry["coordinates"]
    if kind == "unclosed-ring":
        hole.reverse()
        outer.pop()
    in_file, in_dataset, dataset = both(tmp_path, holed(geometry))
    assert [fault[0] for fault in in_file if fault[1] == "instance"] == [kind]
    assert in_dataset == in_file
    mend_dataset(dataset)
    export_dataset(dataset, tmp_path / "again.json", "benchmark")
    left = faults(check_benchmark(read_benchmark(tmp_path / "again.json")))
    assert kind not in {fault[0] for fault in left}
    assert left == faults(check_dataset(dataset))
