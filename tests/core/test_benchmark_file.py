"""A benchmark that is read and written holds what it held."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ovearth_core.benchmark import read_benchmark, write_benchmark

from . import making
from .random_benchmarks import random_benchmark


@given(st.integers(0, 10**9))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_field_comes_back_those_of_others_too(tmp_path, seed):
    document = random_benchmark(seed)
    document["images"][0].update(license=1, date_captured="2025-07-14", note={"any": [1, None]})
    document["annotations"][0].update(area=12.5, attributes={"difficult": True})
    document["info"]["year"] = 2025
    document["licenses"] = [{"id": 1, "name": "CC0"}]
    path, again = tmp_path / "again.json", tmp_path / "twice.json"
    write_benchmark(read_benchmark(making.write_benchmark(tmp_path, document)), path)
    written = json.loads(path.read_text())
    for name, items in document.items():
        if isinstance(items, list):
            for before, after in zip(items, written[name], strict=True):
                assert {k: v for k, v in before.items() if v is not None}.items() <= after.items()
        else:
            assert items.items() <= written[name].items()
    write_benchmark(read_benchmark(path), again)
    assert again.read_bytes() == path.read_bytes()


def test_plain_coco_becomes_targets_and_queries_by_category_name(tmp_path):
    document = making.benchmark()
    coco = {key: document[key] for key in ("images", "categories", "annotations")}
    coco["annotations"] = [
        {key: value for key, value in item.items() if key != "target_id"}
        for item in coco["annotations"]
    ]
    benchmark = read_benchmark(making.write_benchmark(tmp_path, coco))
    found = [(query.id, query.text, query.task, query.is_positive) for query in benchmark.queries]
    assert found == [("1:1", "tank", "vocabulary", True), ("1:2", "field", "vocabulary", True)]
    assert [len(benchmark.instances_by_target[t.id]) for t in benchmark.targets] == [2, 1]


def test_a_file_that_can_not_be_written_leaves_the_old_one(tmp_path):
    path = making.write_benchmark(tmp_path)
    before = path.read_bytes()
    benchmark = read_benchmark(path)
    benchmark.info["value"] = object()
    with pytest.raises(TypeError):
        write_benchmark(benchmark, path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
