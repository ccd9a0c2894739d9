"""Benchmarks and runs made for tests, as the JSON documents that stand in files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from ovearth_core.benchmark import Benchmark, read_benchmark
from ovearth_core.predictions import predictions_from
from ovearth_core.scoring import Options, Scores, evaluate

# An answer of every pixel, and the record with it that a test of something else needs.
FULL = {"size": [80, 100], "counts": [0, 8000]}
GOOD = {"query_id": "v1", "mask": FULL}


def square(x: float, y: float, size: float) -> list[list[float]]:
    """A COCO segmentation: one square with its upper-left corner at x, y."""
    return [[x, y, x + size, y, x + size, y + size, x, y + size]]


def image(image_id: int, width: int = 100, height: int = 80, **fields: Any) -> dict[str, Any]:
    return {
        "id": image_id,
        "file_name": f"images/{image_id}.tif",
        "width": width,
        "height": height,
        **fields,
    }


def query(
    query_id: str, target_id: int, task: str = "vocabulary", polarity: str = "positive"
) -> dict[str, Any]:
    return {
        "id": query_id,
        "target_id": target_id,
        "task": task,
        "polarity": polarity,
        "text": f"text of {query_id}",
    }


def annotation(
    annotation_id: int, target_id: int, segmentation: Any = None, **fields: Any
) -> dict[str, Any]:
    """An instance on image 1 of category 1 unless `fields` say otherwise."""
    return {
        "id": annotation_id,
        "target_id": target_id,
        "image_id": 1,
        "category_id": 1,
        "segmentation": segmentation,
        **fields,
    }


def benchmark(**lists: Any) -> dict[str, Any]:
    """A small benchmark: image 1, an instanceable target 1 with two squares, a field 2."""
    return {
        "info": {"format": "ovearth-benchmark/1", "version": "test"},
        "categories": [
            {"id": 1, "name": "tank", "supercategory": "industrial, mining and storage"},
            {"id": 2, "name": "field", "supercategory": "plant", "instanceable": False},
        ],
        "images": [image(1)],
        "targets": [
            {"id": 1, "image_id": 1, "category_id": 1},
            {"id": 2, "image_id": 1, "category_id": 2},
        ],
        "annotations": [
            annotation(1, 1, square(10, 10, 20)),
            annotation(2, 1, square(50, 10, 20)),
            annotation(3, 2, square(10, 50, 25), category_id=2),
        ],
        "queries": [
            query("v1", 1),
            query("v2", 2),
            query("n1", 1, polarity="negative"),
            query("n2", 2, polarity="negative"),
            query("f1", 1, "referring"),
            query("s1", 2, "reasoning"),
        ],
        **lists,
    }


def write_benchmark(folder: Path, document: dict[str, Any] | None = None) -> Path:
    path = folder / "benchmark.json"
    path.write_text(json.dumps(benchmark() if document is None else document), encoding="utf-8")
    return path


def write_run(folder: Path, *records: Any, name: str = "run.jsonl") -> Path:
    path = folder / name
    lines = [line if isinstance(line, str) else json.dumps(line) for line in records]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def read(folder: Path, document: dict[str, Any]) -> Benchmark:
    return read_benchmark(write_benchmark(folder, document))


def score(
    folder: Path, document: dict[str, Any], records: list[dict[str, Any]], **options: Any
) -> Scores:
    return evaluate(read(folder, document), predictions_from(records), options=Options(**options))
