"""Scores as one flat CSV: a line for each run, section and task, fractions in full precision."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from typing import Any

_KEYS = ("model", "section", "task", "modality")
_METRICS = (
    *("queries", "ma_p", "ma_r", "ma_iou", "mi_iou", "ann_miou", "cat_miou"),
    *("tp_50", "fp_50", "fn_50", "mi_p_50", "mi_r_50", "mi_f1_50", "mi_f1_50_95"),
    *("tp", "fp", "tn", "fn", "mcc"),
)


def scores_csv(document: Mapping[str, Any]) -> str:
    """Return an `ovearth-scores/1` document as CSV; what is undefined or absent is empty."""
    out = io.StringIO()
    writer = csv.DictWriter(out, [*_KEYS, *_METRICS], lineterminator="\n")
    writer.writeheader()
    for run in document["runs"]:
        writer.writerows(_rows(run))
    return out.getvalue()


def _rows(run: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for section, modality in (("segmentation", "mask"), ("hbb", "hbb"), ("obb", "obb")):
        for task, metrics in run.get(section, {}).items():
            name = "segmentation" if modality == "mask" else "detection"
            yield {
                "model": run["model"],
                "section": name,
                "task": task,
                "modality": modality,
                **metrics,
            }
    for modality, counts in run.get("presence", {}).items():
        yield {
            "model": run["model"],
            "section": "presence",
            "task": "vocabulary",
            "modality": modality,
            **counts,
        }
