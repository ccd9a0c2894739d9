"""A benchmark with the paper's own counts, where every statistic is known by construction."""

from __future__ import annotations

from itertools import cycle, islice
from typing import Any

from .making import annotation, image, square

IMAGES, TARGETS, CATEGORIES, AREAS = 520, 590, 172, 12
POSITIVE, NEGATIVE, REFERRING, REASONING = 1067, 2168, 732, 1056
UNIQUE_POSITIVE, UNIQUE_NEGATIVE, OF_BOTH = 425, 1029, 108
BOXES, SMALL, LARGE = 4810, 4414, 17
TASKS_OF_TARGETS = {
    "vocabulary+referring+reasoning": 478,
    "vocabulary+reasoning": 90,
    "vocabulary+referring": 17,
    "vocabulary": 5,
}
# Targets of categories that aren't instanceable, by the tasks that they support.
AREA_TARGETS = {
    "vocabulary+referring+reasoning": 31,
    "vocabulary+reasoning": 12,
    "vocabulary+referring": 1,
    "vocabulary": 1,
}
# Images are 100 by 100 pixels: one percent is 100 square pixels.
_SMALL_SIDE, _MIDDLE_SIDE, _LARGE_SIDE = 5, 20, 80


def paper_benchmark() -> dict[str, Any]:
    """The benchmark, as the JSON document that stands in a file."""
    targets = _targets()
    return {
        "info": {"format": "ovearth-benchmark/1", "version": "paper"},
        "categories": [
            {
                "id": number,
                "name": f"category {number}",
                "supercategory": f"domain {number % 8}",
                "branch": f"branch {number % 3}",
                "instanceable": number >= AREAS,
            }
            for number in range(CATEGORIES)
        ],
        "images": [image(number, 100, 100) for number in range(IMAGES)],
        "targets": [{key: target[key] for key in ("id", "image_id", "category_id")}
                    for target in targets],
        "annotations": _annotations(targets),
        "queries": _queries(targets),
    }  # fmt: skip


def _targets() -> list[dict[str, Any]]:
    areas, things = cycle(range(AREAS)), cycle(range(AREAS, CATEGORIES))
    targets: list[dict[str, Any]] = []
    for tasks, count in TASKS_OF_TARGETS.items():
        for number in range(count):
            is_area = number < AREA_TARGETS[tasks]
            targets.append(
                {
                    "id": len(targets),
                    "image_id": len(targets) % IMAGES,
                    "category_id": next(areas if is_area else things),
                    "tasks": tasks.split("+"),
                    "is_area": is_area,
                }
            )
    return targets


def _annotations(targets: list[dict[str, Any]]) -> list[dict[str, Any]]:
    things = [target for target in targets if not target["is_area"]]
    sides = [*[_LARGE_SIDE] * LARGE, *[_MIDDLE_SIDE] * (BOXES - SMALL - LARGE)]
    sides += [_SMALL_SIDE] * SMALL
    found = []
    for number, (side, target) in enumerate(
        zip(sides, islice(_places(things), BOXES), strict=True)
    ):
        place = number % (100 - side)
        found.append(_instance(number, target, square(place, place, side)))
    for target in targets:
        if target["is_area"]:
            found.append(_instance(len(found), target, square(10, 10, 60)))
    return found


def _places(things: list[dict[str, Any]]):
    """Yield the target of each box: one for each, then 14 with very many, a half with one only."""
    yield from things
    crowded, others = things[:14], things[14 : len(things) - 300]
    for target in crowded:
        yield from [target] * 45
    yield from cycle(others)


def _instance(number: int, target: dict[str, Any], shape: Any) -> dict[str, Any]:
    place = {key: target[key] for key in ("image_id", "category_id")}
    return annotation(number, target["id"], shape, **place)


def _queries(targets: list[dict[str, Any]]) -> list[dict[str, Any]]:
    positive = [f"phrase {number}" for number in range(UNIQUE_POSITIVE)]
    negative = positive[:OF_BOTH] + [
        f"absence {number}" for number in range(UNIQUE_NEGATIVE - OF_BOTH)
    ]
    wanted = (
        ("vocabulary", "positive", POSITIVE, positive),
        ("vocabulary", "negative", NEGATIVE, negative),
        ("referring", "positive", REFERRING, ["the one on the left", "the small one above it"]),
        ("reasoning", "positive", REASONING, ["where goods are kept dry", "what holds back water"]),
    )
    found = []
    for task, polarity, count, texts in wanted:
        asked = cycle(target for target in targets if task in target["tasks"])
        for number, text in zip(range(count), cycle(texts)):
            query_id = f"{task[:3]}-{polarity[:3]}-{number}"
            found.append(
                {
                    "id": query_id, "target_id": next(asked)["id"], "task": task,
                    "polarity": polarity, "text": text,
                }
            )  # fmt: skip
    return found
