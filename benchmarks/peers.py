"""What the benchmarks are measured against: the plain way with well-known libraries.

Usage: python benchmarks/peers.py masks|boxes BENCHMARK RUN...
"""

from __future__ import annotations

import json
import sys

import numpy as np

THRESHOLDS = [percent / 100 * (1 - 1e-6) for percent in range(50, 100, 5)]


def masks(benchmark: str, runs: list[str]) -> None:
    """Per query pycocotools' merge, intersection and areas, as precision, recall, IoU need."""
    from pycocotools import mask as coco

    with open(benchmark, encoding="utf-8") as file:
        document = json.load(file)
    truth = {target["id"]: target["segmentation"] for target in document["targets"]}
    asked = {query["id"]: truth[query["target_id"]] for query in document["queries"]}
    for run in runs:
        ious = []
        with open(run, encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                true, predicted = asked[record["query_id"]], coco.merge([record["mask"]])
                common = coco.merge([true, predicted], intersect=True)
                areas = [int(coco.area(mask)) for mask in (true, predicted, common)]
                ious.append(areas[2] / (areas[0] + areas[1] - areas[2]))
        print(run, np.mean(ious))


def boxes(benchmark: str, runs: list[str]) -> None:
    """Per query NumPy IoU, and SciPy's maximum matching at each of ten thresholds."""
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import maximum_bipartite_matching

    with open(benchmark, encoding="utf-8") as file:
        document = json.load(file)
    by_target: dict[int, list[list[float]]] = {}
    for annotation in document["annotations"]:
        x, y, width, height = annotation["bbox"]
        by_target.setdefault(annotation["target_id"], []).append([x, y, x + width, y + height])
    asked = {query["id"]: np.array(by_target[query["target_id"]]) for query in document["queries"]}
    for run in runs:
        matched, total = np.zeros(10, int), 0
        with open(run, encoding="utf-8") as lines:
            for record in map(json.loads, lines):
                truths, given = asked[record["query_id"]], np.array(record["hbb"])
                total += len(truths) + len(given)
                if not len(given):
                    continue
                iou = box_iou(truths, given)
                for k, threshold in enumerate(THRESHOLDS):
                    edges = csr_matrix(iou >= threshold)
                    pairs = maximum_bipartite_matching(edges, perm_type="column")
                    matched[k] += (pairs >= 0).sum()
        print(run, (2 * matched / total).mean())


def box_iou(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return the IoU (N, M) the way everybody writes it."""
    low, high = (
        np.maximum(a[:, None, :2], b[None, :, :2]),
        np.minimum(a[:, None, 2:], b[None, :, 2:]),
    )
    common = np.clip(high - low, 0, None).prod(axis=2)
    area_a, area_b = ((box[:, 2:] - box[:, :2]).prod(axis=1) for box in (a, b))
    return common / (area_a[:, None] + area_b[None] - common)


if __name__ == "__main__":
    {"masks": masks, "boxes": boxes}[sys.argv[1]](sys.argv[2], sys.argv[3:])
