"""Differences between the variants of a family, and between models and their baselines."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from .evaluated_run import EvaluatedRun


def family_differences(
    runs: Sequence[EvaluatedRun], scores: Mapping[str, float]
) -> list[dict[str, Any]]:
    """Return for each two variants of a family the later one's score less the earlier one's.

    Variants are in the order of the numbers in their names, so that 8B comes after 2B; a model
    without a variant goes by its name.
    """
    families: dict[str, list[EvaluatedRun]] = {}
    for run in runs:
        if run.attributes.get("family"):
            families.setdefault(run.attributes["family"], []).append(run)
    return [
        {
            "family": family,
            "from": earlier.model,
            "to": later.model,
            "delta": scores[later.model] - scores[earlier.model],
        }
        for family, members in sorted(families.items())
        for earlier, later in combinations(sorted(members, key=_variant_order), 2)
    ]


def baseline_differences(
    runs: Sequence[EvaluatedRun], scores: Mapping[str, float]
) -> list[dict[str, Any]]:
    """Return the score of each model less that of the baseline that it names, if that has one."""
    return [
        {
            "model": run.model,
            "baseline": run.attributes["baseline"],
            "delta": scores[run.model] - scores[run.attributes["baseline"]],
        }
        for run in runs
        if run.attributes.get("baseline") in scores
    ]


def _variant_order(run: EvaluatedRun) -> tuple[list[tuple[float, str]], str]:
    name = str(run.attributes.get("variant") or run.model)
    parts = re.findall(r"(\d+(?:\.\d+)?)|(\D+)", name.casefold())
    return [(float(number), "") if number else (-1.0, word) for number, word in parts], run.model
