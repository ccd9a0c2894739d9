"""Dataset statistics as tables on the screen; a dash for what can't be computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .plain_table import print_plain_table
from .score_table import DASH

_COUNTS = (
    ("images", "images"),
    ("targets", "targets"),
    ("boxes", "boxes"),
    ("categories", "categories"),
    ("positive_phrases", "positive phrases"),
    ("negative_phrases", "negative phrases"),
    ("unique_positive_phrases", "unique positive phrases"),
    ("unique_negative_phrases", "unique negative phrases"),
    ("phrases_of_both_polarities", "phrases of both polarities"),
    ("unique_phrases", "unique phrases"),
    ("referring", "referring expressions"),
    ("reasoning", "reasoning queries"),
)
_SPREADS = (
    ("image_width", "image width (px)", 1.0),
    ("image_height", "image height (px)", 1.0),
    ("gsd_m", "GSD (m)", 1.0),
    ("boxes_per_target", "boxes per target", 1.0),
    ("box_area_share", "HBB area (% of image)", 100.0),
    ("obb_angle_deg", "OBB angle (°)", 1.0),
)
_COLUMNS = ("min", "p5", "median", "mean", "p95", "max")


# Headings, rows, and which columns are numbers.
Listed = tuple[tuple[str, ...], list[tuple[str, ...]], frozenset[int]]


def print_statistics(document: Mapping[str, Any]) -> None:
    """Print what `ovearth stats --json` writes, as tables."""
    for headings, rows, numbers in statistics_lists(document):
        print_plain_table(headings, rows, numbers)


def statistics_lists(document: Mapping[str, Any]) -> Iterator[Listed]:
    """Yield what `ovearth stats --json` writes as tables of texts."""
    yield ("", "count", "share"), list(_counts(document)), frozenset((1, 2))
    yield ("", *_COLUMNS), list(_spreads(document["distributions"])), frozenset(range(1, 7))
    for key, heading in (
        ("categories_by_domain", "categories by domain"),
        ("continents", "images by continent"),
    ):
        counts = document["distributions"][key]
        total = sum(counts.values())
        rows: list[tuple[str, ...]] = [
            (name, str(count), _share(count, total)) for name, count in counts.items()
        ]
        yield (heading, "count", "share"), rows, frozenset((1, 2))


def _counts(document: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for key, words in _COUNTS:
        yield words, str(document[key]), ""
    for key, words in (
        ("boxes_below_1_percent", "boxes below 1 % of the image"),
        ("boxes_above_50_percent", "boxes above 50 % of the image"),
    ):
        count = document[key]
        yield words, DASH if count is None else str(count), _share(count, document["boxes"])
    for tasks, count in document["targets_by_tasks"].items():
        words = "targets with " + tasks.replace("+", ", ")
        yield words, str(count), _share(count, document["targets"])


def _spreads(distributions: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for key, words, factor in _SPREADS:
        yield words, *_numbers(distributions[key], factor)
    for task, spread in distributions["words_per_text"].items():
        yield f"words per {task} text", *_numbers(spread, 1.0)


def _numbers(spread: Mapping[str, Any], factor: float) -> Iterator[str]:
    for column in _COLUMNS:
        value = spread[column]
        yield DASH if value is None else f"{factor * value:.4g}"


def _share(count: int | None, total: int) -> str:
    return f"{100 * count / total:.1f} %" if count is not None and total else DASH
