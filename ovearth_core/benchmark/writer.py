"""Writes a benchmark file, one element a line, so that messages about lines help."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..atomic import AtomicFiles
from .model import FORMAT, Benchmark, Category, Image, Instance, Query, Target
from .shelf import loaded


def write_benchmark(benchmark: Benchmark, path: Path) -> None:
    """Write `ovearth-benchmark/1` at `path`, whole or not at all. Nulls are left out."""
    with AtomicFiles() as files:
        add_benchmark(files, benchmark, path)


def add_benchmark(files: AtomicFiles, benchmark: Benchmark, path: Path) -> None:
    """Write the benchmark as one of several files that appear together."""
    add_documents(files, path, {"format": FORMAT, **benchmark.info}, _documents(benchmark))


def add_documents(
    files: AtomicFiles,
    path: Path,
    info: Mapping[str, Any],
    lists: Mapping[str, Iterable[Mapping[str, Any]]],
    members: Mapping[str, Any] | None = None,
) -> None:
    """Write a benchmark's or a COCO file's lists, streamed, and other members after them."""
    with files.open(path) as file:
        file.write('{"info": ' + _json(info))
        for name, documents in lists.items():
            file.write(f",\n{_json(name)}: [")
            for number, document in enumerate(documents):
                file.write((",\n" if number else "\n") + _json(document))
            file.write("\n]")
        for name, value in (members or {}).items():
            file.write(f",\n{_json(name)}: {_json(value)}")
        file.write("}\n")


def _documents(benchmark: Benchmark) -> dict[str, Iterator[Mapping[str, Any]]]:
    return {
        "licenses": iter(benchmark.licenses),
        "categories": map(_category, benchmark.categories),
        "images": map(_image, benchmark.images),
        "targets": map(_target, benchmark.targets),
        "annotations": map(_instance, benchmark.instances),
        "queries": map(_query, benchmark.queries),
    }


def _category(category: Category) -> dict[str, Any]:
    return _without_nulls(
        {
            "id": category.id,
            "name": category.name,
            "supercategory": category.domain,
            "branch": category.branch,
            "instanceable": category.instanceable,
            **category.extra,
        }
    )


def _image(image: Image) -> dict[str, Any]:
    return _without_nulls(
        {
            "id": image.id,
            "file_name": image.file_name,
            "width": image.width,
            "height": image.height,
            "crs": image.crs,
            "transform": image.transform,
            "gsd": image.gsd_m,
            "operation": image.operation,
            **image.extra,
        }
    )


def _target(target: Target) -> dict[str, Any]:
    return _without_nulls(
        {
            "id": target.id,
            "image_id": target.image_id,
            "category_id": target.category_id,
            "segmentation": loaded(target.segmentation),
            **target.extra,
        }
    )


def _instance(instance: Instance) -> dict[str, Any]:
    return _without_nulls(
        {
            "id": instance.id,
            "target_id": instance.target_id,
            "image_id": instance.image_id,
            "category_id": instance.category_id,
            "iscrowd": int(instance.is_crowd),
            "segmentation": _segmentation(instance),
            "geometry": instance.geometry,
            "bbox": instance.bbox,
            "obb": instance.obb,
            **instance.extra,
        }
    )


def _segmentation(instance: Instance) -> Any:
    if isinstance(instance.segmentation, tuple):
        return [ring.reshape(-1).tolist() for ring in instance.segmentation]
    return instance.segmentation


def _query(query: Query) -> dict[str, Any]:
    return _without_nulls(
        {
            "id": query.id,
            "target_id": query.target_id,
            "task": query.task,
            "polarity": "positive" if query.is_positive else "negative",
            "text": query.text,
            **query.extra,
        }
    )


def _without_nulls(document: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in document.items() if value is not None}


def _json(document: Any) -> str:
    return json.dumps(document, ensure_ascii=False, allow_nan=False, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} has no place in a benchmark")
