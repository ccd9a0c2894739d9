"""Benchmarks and runs drawn at random from a seed, with the awkward cases inside."""

from __future__ import annotations

from typing import Any

import numpy as np

from ovearth_core.geometry import Runs

from .making import annotation, image, query

# Frames that images may lie in: none, UTM north-up, rotated and sheared, south-up, degrees,
# Mercator, national grids, feet.
PLACES: list[dict[str, Any]] = [
    {},
    {"crs": "EPSG:32632", "transform": [0.3, 0, 512000.0, 0, -0.3, 4323000.0]},
    {"crs": "EPSG:32632", "transform": [0.29, 0.08, 512000.0, 0.08, -0.29, 4323000.0]},
    {"crs": "EPSG:32733", "transform": [0.5, 0, 400000.0, 0, 0.7, 7000000.0]},
    {"crs": "EPSG:4326", "transform": [1e-5, 2e-6, 9.5, 2e-6, -1e-5, 47.1]},
    {"crs": "EPSG:4326", "transform": [1e-5, 0, 179.9996, 0, -1e-5, -16.5]},
    {"crs": "EPSG:3857", "transform": [0.597, 0, 1058000.0, 0, -0.597, 5960000.0]},
    {"crs": "EPSG:2056", "transform": [0.1, 0.03, 2600000.0, 0.03, -0.1, 1200000.0]},
    {"crs": "EPSG:3413", "transform": [10.0, 0, -300.0, 0, -10.0, 250.0]},  # with the pole
    {"crs": "EPSG:3031", "transform": [9.0, 3.0, -250.0, 3.0, -9.0, 150.0]},
    {"crs": "EPSG:2230", "transform": [1.0, 0, 6300000.0, 0, -1.0, 1850000.0]},
]
WIDTH, HEIGHT = 64, 48


def random_benchmark(seed: int, georeferenced: bool = False) -> dict[str, Any]:
    """A benchmark of one to three images; with `georeferenced` all of them lie somewhere."""
    rng = np.random.default_rng(seed)
    places = PLACES[1:] if georeferenced else PLACES
    images = [
        image(number, WIDTH, HEIGHT, **places[rng.integers(len(places))])
        for number in range(int(rng.integers(1, 4)))
    ]
    categories = [
        {"id": 0, "name": "tank", "instanceable": True},
        {"id": 1, "name": "field", "instanceable": False},
        {"id": 2, "name": "van"},
    ]
    targets, annotations, queries = [], [], []
    for target_id in range(int(rng.integers(1, 6))):
        place = {
            "image_id": int(rng.integers(len(images))),
            "category_id": int(rng.integers(len(categories))),
        }
        target = {"id": target_id, **place}
        mine = [
            annotation(len(annotations) + number, target_id, **place, **_shape(rng))
            for number in range(int(rng.integers(1, 5)))
        ]
        if rng.random() < 0.2:
            mine.append(
                annotation(
                    len(annotations) + len(mine), target_id, _random_rle(rng), iscrowd=1, **place
                )
            )
        if rng.random() < 0.3:
            target["segmentation"] = _random_rle(rng)
        targets.append(target)
        annotations += mine
        queries.append(query(f"v{target_id}", target_id))
        for task, polarity in (
            ("vocabulary", "negative"),
            ("referring", "positive"),
            ("reasoning", "positive"),
        ):
            for number in range(int(rng.integers(0, 3))):
                name = f"{task}-{polarity}-{target_id}-{number}"
                queries.append(query(name, target_id, task, polarity))
    return {
        "info": {"format": "ovearth-benchmark/1"},
        "categories": categories,
        "images": images,
        "targets": targets,
        "annotations": annotations,
        "queries": queries,
    }


def random_run(seed: int, benchmark: dict[str, Any]) -> list[dict[str, Any]]:
    """A run in pixels: near misses of the truth, noise, empty and missing answers."""
    rng = np.random.default_rng([seed, 1])
    records: list[dict[str, Any]] = []
    for asked in benchmark["queries"]:
        kind = rng.random()
        if kind < 0.15 and records:  # a run without any answer is an error
            continue
        record: dict[str, Any] = {"query_id": asked["id"]}
        if kind < 0.25:
            record.update(mask=None, hbb=[], obb=None)
        else:
            record["mask"] = _random_rle(rng) if rng.random() < 0.8 else [_random_rle(rng)] * 2
            corners = [_random_quad(rng) for _ in range(int(rng.integers(0, 6)))]
            record["obb"] = [quad.reshape(-1).tolist() for quad in corners]
            if rng.random() < 0.8:
                record["hbb"] = [
                    [*quad.min(axis=0).tolist(), *quad.max(axis=0).tolist()] for quad in corners
                ]
            record["scores"] = rng.random(len(corners)).tolist()
        records.append(record)
    return records


def _shape(rng: np.random.Generator) -> dict[str, Any]:
    kind = rng.random()
    quad = _random_quad(rng)
    if kind < 0.2:
        return {"segmentation": _rle_of(quad)}
    if kind < 0.4:
        hole = (quad.mean(axis=0) + (quad - quad.mean(axis=0)) * 0.4).tolist()
        rings = [[*quad.tolist(), quad[0].tolist()], [*hole, hole[0]]]
        return {"geometry": {"type": "Polygon", "coordinates": rings}}
    # Vertices on pixel centres and corners, where a pixel may flip for a rounding error.
    return {"segmentation": [(np.round(quad * 2) / 2).reshape(-1).tolist()]}


def _random_quad(rng: np.random.Generator) -> np.ndarray:
    """A rotated rectangle of 6 to 20 pixels somewhere well inside the image."""
    angle = rng.random() * np.pi if rng.random() < 0.7 else 0.0
    width, height = 6 + 14 * rng.random(2)
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-np.sin(angle), np.cos(angle)])
    centre = np.array([14 + 36 * rng.random(), 14 + 20 * rng.random()])
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([centre + u * width / 2 * along + v * height / 2 * across for u, v in signs])


def _random_rle(rng: np.random.Generator) -> dict[str, Any]:
    return _rle_of(_random_quad(rng))


def _rle_of(quad: np.ndarray) -> dict[str, Any]:
    return Runs.from_polygons([quad], HEIGHT, WIDTH).to_rle()
