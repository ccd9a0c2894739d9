"""The files that the benchmarks read: benchmarks and runs of a stated size, the same every time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ovearth_core.geometry import Runs

SIDE = 1600
RUNS = 6


def masks_workload(folder: Path, queries: int = 2880) -> tuple[Path, list[Path]]:
    """Return a benchmark and six runs of masks, all different, about 3 kB of RLE each."""
    rng = np.random.default_rng(0)
    outlines = [_blob(rng) for _ in range(queries)]
    benchmark = {
        **_start(),
        "targets": [
            {"id": n, "image_id": 0, "category_id": 0, "segmentation": _rle(outline)}
            for n, outline in enumerate(outlines)
        ],
        "annotations": [],
        "queries": [_query(n) for n in range(queries)],
    }
    runs = []
    for run in range(RUNS):
        records = (
            {"query_id": f"q{n}", "mask": _rle(outline + 40 * rng.random((1, 2)) * (1 + run))}
            for n, outline in enumerate(outlines)
        )
        runs.append(_write_run(folder / f"masks-{run}.jsonl", records))
    return _write(folder / "masks.json", benchmark), runs


def boxes_workload(
    folder: Path, queries: int = 3235, truths: int = 5517, boxes: int = 7051
) -> tuple[Path, list[Path]]:
    """Return a benchmark and six runs of horizontal boxes; most queries have one truth."""
    rng = np.random.default_rng(1)
    of_truth = _spread(rng, queries, truths)
    corners = _boxes(rng, truths)
    benchmark = {
        **_start(),
        "targets": [{"id": n, "image_id": 0, "category_id": 0} for n in range(queries)],
        "annotations": [
            {
                "id": n,
                "target_id": int(target),
                "image_id": 0,
                "category_id": 0,
                "bbox": [x0, y0, x1 - x0, y1 - y0],
            }
            for n, (target, (x0, y0, x1, y1)) in enumerate(
                zip(of_truth, corners.tolist(), strict=True)
            )
        ],
        "queries": [_query(n) for n in range(queries)],
    }
    by_query: list[list[int]] = [[] for _ in range(queries)]
    for index, query in enumerate(of_truth):
        by_query[query].append(index)
    runs = []
    for run in range(RUNS):
        records = (
            {"query_id": f"q{n}", "hbb": _near(rng, corners[by_query[n]], count, run)}
            for n, count in enumerate(np.bincount(_spread(rng, queries, boxes), minlength=queries))
        )
        runs.append(_write_run(folder / f"boxes-{run}.jsonl", records))
    return _write(folder / "boxes.json", benchmark), runs


def quads_workload(images: int = 1000, truths: int = 40, boxes: int = 60) -> tuple[np.ndarray, ...]:
    """Return (images, 40, 4, 2) and (images, 60, 4, 2): about 90 pairs an image overlap."""
    rng = np.random.default_rng(2)
    return _rectangles(rng, images * truths).reshape(images, truths, 4, 2), _rectangles(
        rng, images * boxes
    ).reshape(images, boxes, 4, 2)


def polygons_workload(count: int = 100_000) -> list[np.ndarray]:
    """Return polygons of 4 to 30 vertices at UTM coordinates."""
    rng = np.random.default_rng(3)
    polygons = []
    for vertices in rng.integers(4, 31, count):
        angles = np.sort(rng.random(vertices)) * 2 * np.pi
        radius = (5 + 20 * rng.random(vertices))[:, None]
        centre = np.array([512_000.0, 4_323_000.0]) + 1000 * rng.random(2)
        polygons.append(centre + radius * np.column_stack([np.cos(angles), np.sin(angles)]))
    return polygons


def _start() -> dict[str, Any]:
    return {
        "info": {"format": "ovearth-benchmark/1"},
        "categories": [{"id": 0, "name": "thing"}],
        "images": [{"id": 0, "file_name": "0.tif", "width": SIDE, "height": SIDE}],
    }


def _query(number: int) -> dict[str, Any]:
    return {
        "id": f"q{number}",
        "target_id": number,
        "task": "vocabulary",
        "polarity": "positive",
        "text": f"thing {number}",
    }


def _blob(rng: np.random.Generator) -> np.ndarray:
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    radius = 290 * (0.8 + 0.35 * rng.random(60))
    centre = 500 + 500 * rng.random(2)
    return centre + radius[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])


def _rle(outline: np.ndarray) -> dict[str, Any]:
    return Runs.from_polygons([outline], SIDE, SIDE).to_rle()


def _spread(rng: np.random.Generator, queries: int, items: int) -> np.ndarray:
    """Return the query of each item: one each, the rest crowded on few."""
    rest = (queries * rng.random(items - queries) ** 4).astype(int)
    return np.sort(np.concatenate([np.arange(queries), rest]))


def _boxes(rng: np.random.Generator, count: int) -> np.ndarray:
    low = (SIDE - 100) * rng.random((count, 2))
    return np.hstack([low, low + 20 + 60 * rng.random((count, 2))]).round(2)


def _near(rng: np.random.Generator, truths: np.ndarray, count: int, run: int) -> list[list[float]]:
    """Return boxes near the query's truths, as far as there are any, and anywhere for the rest."""
    near = truths[:count] + (2 + 2 * run) * (rng.random((min(len(truths), count), 4)) - 0.5)
    return np.vstack([near, _boxes(rng, count - len(near))]).round(2).tolist()


def _rectangles(rng: np.random.Generator, count: int) -> np.ndarray:
    angle = 2 * np.pi * rng.random(count)
    along = np.column_stack([np.cos(angle), np.sin(angle)])
    across = np.column_stack([-along[:, 1], along[:, 0]])
    centre, size = 1000 * rng.random((count, 2)), 40 + 160 * rng.random((count, 2))
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.stack(
        [centre + (u * size[:, :1] * along + v * size[:, 1:] * across) / 2 for u, v in signs],
        axis=1,
    )


def _write(path: Path, document: dict[str, Any]) -> Path:
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def _write_run(path: Path, records: Iterator[dict[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8") as file:
        for record in records:
            file.write(json.dumps(record) + "\n")
    return path
