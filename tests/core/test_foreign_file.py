"""A file that is something else is told as what it is, and left alone."""

import json

import numpy as np
import pytest
import rasterio

from ovearth_core.benchmark import read_benchmark
from ovearth_core.dataset import Dataset
from ovearth_core.errors import InputError
from ovearth_core.predictions import read_predictions
from ovearth_core.sample.write import write_sample


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    folder = tmp_path_factory.mktemp("sample")
    write_sample(folder)
    return folder


@pytest.mark.parametrize("driver", ["GTiff", "PNG", "JPEG"])
@pytest.mark.parametrize("read", [read_benchmark, read_predictions])
@pytest.mark.parametrize("name", ["picture", "picture.json", "picture.jsonl"])
def test_an_image_is_told_as_one_whatever_it_is_called(tmp_path, driver, read, name):
    path = tmp_path / name
    size = {"width": 16, "height": 16, "count": 1, "dtype": "uint8"}
    with rasterio.open(path, "w", driver=driver, **size) as file:
        file.write(np.zeros((1, 16, 16), dtype=np.uint8))
    with pytest.raises(InputError, match=r"image, no (benchmark|run)") as fault:
        read(path)
    assert "choose" in fault.value.mend


@pytest.mark.parametrize("read", [read_benchmark, read_predictions])
def test_a_dataset_is_told_as_one_and_keeps_the_lock_that_is_held_on_it(tmp_path, read):
    dataset = Dataset.create(tmp_path / "dataset", [])
    with dataset.writing("anna", "annotator"):
        with pytest.raises(InputError, match="is an OVEarth dataset"):
            read(dataset.path)
        # A file that was opened and closed in this process would not be locked any more.
        with open("/proc/locks", encoding="ascii") as locks:  # noqa: PTH123
            assert str(dataset.path.stat().st_ino) in locks.read()


def test_the_folder_of_a_dataset_is_no_folder_of_masks(tmp_path):
    Dataset.create(tmp_path / "dataset", [])
    with pytest.raises(InputError, match="is an OVEarth dataset, no run"):
        read_predictions(tmp_path / "dataset")


def test_any_other_geopackage_is_no_benchmark(tmp_path):
    (tmp_path / "roads.gpkg").touch()
    with pytest.raises(InputError, match="is a GeoPackage, no benchmark"):
        read_benchmark(tmp_path / "roads.gpkg")


def test_a_run_opened_as_a_benchmark_is_told_as_a_run(sample, tmp_path):
    bare = tmp_path / "bare.jsonl"
    bare.write_text('{"query_id": "a", "hbb": []}\n')
    for path in (*(sample / "runs").iterdir(), bare):
        with pytest.raises(InputError, match="is a run of a model, no benchmark"):
            read_benchmark(path)


def test_a_benchmark_added_as_a_run_is_refused_by_name(sample, tmp_path):
    document = json.loads((sample / "benchmark.json").read_text(encoding="utf-8"))
    (tmp_path / "one-line.json").write_text(json.dumps(document))
    for path in (sample / "benchmark.json", tmp_path / "one-line.json"):
        with pytest.raises(InputError, match="is a benchmark, no run"):
            read_predictions(path)
