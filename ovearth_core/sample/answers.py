"""Two runs over the sample: what a careful and a hasty model might have answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Any

import numpy as np

from ..benchmark import MODALITIES, TASKS, Image, Query
from ..crs import LONLAT
from ..frame import ImageFrame
from ..geometry import Runs, envelope, min_area_rects
from ..predictions import Header
from .annotate import Annotation, Content, Rings
from .shapes import Ring

_LARGE_PX = 90.0  # the larger a thing, the less precise its outline, up to this size
_PIXEL_DECIMALS, _DEGREE_DECIMALS = 2, 9

Chance = Callable[[], float]
Record = dict[str, Any]


@dataclass(frozen=True)
class Temper:
    """How a model errs. Shares and chances are from 0 to 1.

    shift_px and shift_share: most that an outline is displaced, in pixels and of its size. scale:
    of its size, from and to. turn_deg: most that it is turned. The rest are chances: that a
    query is missed, that a thing of it is, that a thing is found twice, that one is invented, and
    that an answer is given for what isn't there, where that looks like the target or not.
    """

    seed: int
    shift_px: float
    shift_share: float
    scale: tuple[float, float]
    turn_deg: float
    misses_query: float
    misses_thing: float
    doubles: float
    invents: float
    takes_for: float
    hallucinates: float
    scores: tuple[float, float]


@dataclass(frozen=True)
class Found:
    """An answer: outlines in pixels, the shapes of the mask that have no box, one score each."""

    outlines: list[Rings]
    unboxed: list[Rings]
    scores: list[float]


@dataclass(frozen=True)
class Run:
    """A model's run: its header, how it errs, and how it writes down what it found."""

    header: Header
    temper: Temper
    write: Callable[[Found, Image, ImageFrame], Record]

    def lines(self, content: Content) -> Iterator[str]:
        """Yield the lines of the run's file, header first."""
        yield _line(self.header.document())
        benchmark = content.benchmark
        frames = {image.id: image.frame() for image in benchmark.images}
        for index, query in enumerate(benchmark.queries):
            if query.task not in (self.header.tasks or TASKS):
                continue
            image = benchmark.image_by_id[benchmark.target_by_id[query.target_id].image_id]
            found = _answer(self.temper, query, index, content.annotations[query.target_id])
            kept = _inside(found, image)
            yield _line({"query_id": query.id, **self.write(kept, image, frames[image.id])})


def _answer(temper: Temper, query: Query, index: int, truth: Sequence[Annotation]) -> Found:
    chance: Chance = np.random.default_rng([temper.seed, index]).random
    silence = 1 - (temper.takes_for if query.id.endswith("-neg-1") else temper.hallucinates)
    if query.is_positive:
        silence = temper.misses_query
    if chance() < silence:
        return Found([], [], [])
    outlines: list[Rings] = []
    for item in truth:
        if item.instance.is_crowd or (outlines and chance() < temper.misses_thing):
            continue
        outlines.append(_erring(item.rings, temper, chance))
        if chance() < temper.doubles:
            outlines.append(_erring(item.rings, temper, chance))
    if chance() < temper.invents and outlines:
        away = np.array([chance() - 0.5, chance() - 0.5]) * 260
        outlines.append([ring + away for ring in outlines[0]])
    low, high = temper.scores
    scores = [round(low + (high - low) * chance(), 3) for _ in outlines]
    crowds = [_erring(item.rings, temper, chance) for item in truth if item.instance.is_crowd]
    return Found(outlines, crowds, scores)


def _erring(rings: Sequence[Ring], temper: Temper, chance: Chance) -> Rings:
    """Return an outline displaced, turned and scaled about its middle."""
    low, high = rings[0].min(axis=0), rings[0].max(axis=0)
    middle = (low + high) / 2
    size = min(float(np.sqrt(np.prod(high - low))), _LARGE_PX)
    reach = temper.shift_px + temper.shift_share * size
    shift = np.array([2 * chance() - 1, 2 * chance() - 1]) * reach
    turn = radians((2 * chance() - 1) * temper.turn_deg)
    smallest, largest = temper.scale
    scale = smallest + (largest - smallest) * chance()
    matrix = scale * np.array([[cos(turn), sin(turn)], [-sin(turn), cos(turn)]])
    return [(ring - middle) @ matrix + middle + shift for ring in rings]


def _inside(found: Found, image: Image) -> Found:
    """Return the answer without what lies off the image, the rest pushed back to its edges."""
    size = (image.width, image.height)

    def pushed(rings: Rings) -> Rings:
        return [np.clip(ring, 0, size) for ring in rings]

    def is_seen(rings: Rings) -> bool:
        return bool((np.ptp(rings[0], axis=0) > 2).all())

    boxed = [
        (pushed(rings), score) for rings, score in zip(found.outlines, found.scores, strict=True)
    ]
    kept = [(rings, score) for rings, score in boxed if is_seen(rings)]
    unboxed = [rings for rings in map(pushed, found.unboxed) if is_seen(rings)]
    return Found([rings for rings, _ in kept], unboxed, [score for _, score in kept])


def _in_pixels(found: Found, image: Image, _: ImageFrame) -> Record:
    """Write exact outlines: an RLE, and the boxes of each in pixels."""
    shapes = [_polygon(rings) for rings in (*found.outlines, *found.unboxed)]
    runs = Runs.from_polygons(shapes, image.height, image.width)
    return {
        "mask": None if runs.is_empty else runs.to_rle(),
        **_boxes([rings[0] for rings in found.outlines], found.scores, _PIXEL_DECIMALS),
    }


def _in_degrees(found: Found, _: Image, frame: ImageFrame) -> Record:
    """Write coarse outlines, each the rectangle about it, as longitudes and latitudes."""
    outer = [rings[0] for rings in (*found.outlines, *found.unboxed)]
    corners = min_area_rects(outer).reshape(-1, 2)
    degrees = np.round(frame.pixel_to_crs(corners, LONLAT), _DEGREE_DECIMALS).reshape(-1, 4, 2)
    parts = [_polygon([ring])["coordinates"] for ring in degrees]
    mask = {"polygons": {"type": "MultiPolygon", "coordinates": parts}} if parts else None
    boxed = list(degrees[: len(found.outlines)])
    return {"mask": mask, **_boxes(boxed, found.scores, _DEGREE_DECIMALS)}


def _boxes(rings: Sequence[Ring], scores: Sequence[float], decimals: int) -> Record:
    return {
        "hbb": [np.round(envelope(ring), decimals).tolist() for ring in rings],
        "obb": np.round(min_area_rects(rings), decimals).reshape(-1, 8).tolist(),
        "scores": list(scores),
    }


def _polygon(rings: Sequence[Ring]) -> dict[str, Any]:
    closed = [np.concatenate([ring, ring[:1]]).tolist() for ring in rings]
    return {"type": "Polygon", "coordinates": closed}


def _line(document: Mapping[str, Any]) -> str:
    return json.dumps(document, separators=(",", ":")) + "\n"


CAREFUL = Run(
    Header(
        "careful",
        modalities=MODALITIES,
        tasks=TASKS,
        attributes={
            "interface": "mllm", "mllm": True, "eo_specific": False,
            "family": "sample", "variant": "careful",
        },
    ),
    Temper(
        seed=21, shift_px=0.7, shift_share=0.03, scale=(0.93, 1.0), turn_deg=1.5,
        misses_query=0.04, misses_thing=0.04, doubles=0.0, invents=0.08,
        takes_for=0.25, hallucinates=0.03, scores=(0.55, 0.99),
    ),
    _in_pixels,
)  # fmt: skip
HASTY = Run(
    Header(
        "hasty",
        in_map=True,
        crs=LONLAT,
        modalities=MODALITIES,
        tasks=("vocabulary", "referring"),
        attributes={
            "interface": "grounding", "mllm": False, "eo_specific": True,
            "family": "sample", "variant": "hasty", "baseline": "careful",
        },
    ),
    Temper(
        seed=4, shift_px=1.8, shift_share=0.12, scale=(0.85, 1.2), turn_deg=7,
        misses_query=0.16, misses_thing=0.15, doubles=0.3, invents=0.6,
        takes_for=0.85, hallucinates=0.45, scores=(0.2, 0.9),
    ),
    _in_degrees,
)  # fmt: skip
