"""A benchmark with the paper's counts gives the paper's statistics back, exactly."""

import json

from ovearth_core.analysis.instanceability import instanceability
from ovearth_core.analysis.query_forms import query_forms
from ovearth_core.cli.main import main

from .made_runs import random_runs


def test_the_papers_counts_come_back(paper, tmp_path):
    out = tmp_path / "statistics.json"
    assert main(["stats", paper.source, "--json", str(out)]) == 0
    found = json.loads(out.read_text())
    spreads = found.pop("distributions")
    assert found == {
        "images": 520, "targets": 590, "boxes": 4810, "categories": 172,
        "positive_phrases": 1067, "negative_phrases": 2168,
        "unique_positive_phrases": 425, "unique_negative_phrases": 1029,
        "phrases_of_both_polarities": 108, "unique_phrases": 1346,
        "referring": 732, "reasoning": 1056,
        "boxes_below_1_percent": 4414, "boxes_above_50_percent": 17,
        "targets_by_tasks": {
            "vocabulary+referring+reasoning": 478, "vocabulary+referring": 17,
            "vocabulary+reasoning": 90, "vocabulary": 5,
        },
    }  # fmt: skip
    boxes = spreads["boxes_per_target"]
    assert (boxes["count"], boxes["median"], round(boxes["mean"], 1)) == (590, 1, 8.2)


def test_the_papers_shared_targets_come_back(paper):
    found = query_forms(random_runs(paper, 3))
    assert [(pair["first"], pair["second"], pair["targets"]) for pair in found["pairs"]] == [
        ("vocabulary", "referring", 495),
        ("vocabulary", "reasoning", 568),
        ("referring", "reasoning", 478),
    ]


def test_the_papers_areas_come_back(paper):
    found = instanceability(random_runs(paper, 2))
    parts = {task: each["parts"]["non_instanceable"] for task, each in found["tasks"].items()}
    assert {task: part["targets"] for task, part in parts.items()} == {
        "vocabulary": 45, "referring": 32, "reasoning": 43,
    }  # fmt: skip
    assert {part["categories"] for part in parts.values()} == {12}
