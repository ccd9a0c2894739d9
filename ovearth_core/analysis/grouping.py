"""Ways to divide the queries of a benchmark into groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..benchmark.object_size import SIZES
from ..collection.continents import CONTINENTS
from .area import Area
from .facts import BenchmarkFacts

Ints = NDArray[np.int64]

UNKNOWN = "unknown"
GSD_EDGES_M = (0.15, 0.3, 0.6, 1.2, 2.5, 10.0)
# The first number of words of each group but the first.
WORD_EDGES = (2, 3, 4, 7, 11, 16)


@dataclass(frozen=True)
class Grouping:
    """Groups in their order, and the place (N,) in `names` of each query's."""

    names: tuple[str, ...]
    places: Ints


def by_domain(facts: BenchmarkFacts) -> Grouping:
    """Group by the category's domain."""
    return _of_texts(facts.by_category(lambda category: category.domain))


def by_branch(facts: BenchmarkFacts) -> Grouping:
    """Group by the category's branch."""
    return _of_texts(facts.by_category(lambda category: category.branch))


def by_category(facts: BenchmarkFacts) -> Grouping:
    """Group by the category; two of one name are told apart by their ids."""
    categories = facts.benchmark.categories
    names = _told_apart([each.name for each in categories], [each.id for each in categories])
    named = dict(zip((each.id for each in categories), names, strict=True))
    return _of_texts(facts.by_category(lambda category: named[category.id]))


def by_size(facts: BenchmarkFacts) -> Grouping:
    """Group by COCO's sizes of the target in pixels."""
    return Grouping(SIZES, facts.sizes.astype(np.int64))


def by_gsd(facts: BenchmarkFacts) -> Grouping:
    """Group by metres of true ground per pixel."""
    edges = [f"{edge:g}" for edge in GSD_EDGES_M]
    inner = [f"{low}–{high} m" for low, high in pairwise(edges)]
    names = (f"< {edges[0]} m", *inner, f"≥ {edges[-1]} m", UNKNOWN)
    of_image = [
        len(names) - 1 if gsd is None else int(np.searchsorted(GSD_EDGES_M, gsd, side="right"))
        for gsd in facts.image_gsd_m
    ]
    return Grouping(names, np.array(of_image, dtype=np.int64)[facts.image_places])


def by_continent(facts: BenchmarkFacts) -> Grouping:
    """Group by the image's continent."""
    return _of_images(facts, facts.image_continents, CONTINENTS)


def by_image(facts: BenchmarkFacts) -> Grouping:
    """Group by image; two of one file are told apart by their ids."""
    images = facts.benchmark.images
    names = _told_apart([image.file_name for image in images], [image.id for image in images])
    return Grouping(tuple(names), facts.image_places)


def by_words(facts: BenchmarkFacts) -> Grouping:
    """Group by the number of words of the text."""
    bounds = pairwise((0, *WORD_EDGES))
    inner = [_words(max(low, 1), high - 1) for low, high in bounds]
    names = (*inner, f"{WORD_EDGES[-1]} or more")
    return Grouping(names, np.searchsorted(WORD_EDGES, facts.words, side="right").astype(np.int64))


def by_area(facts: BenchmarkFacts, area: Area) -> Grouping:
    """Group by whether the image touches the area."""
    inside = area.touches(facts.benchmark.images)
    of_image = [2 if touches is None else 0 if touches else 1 for touches in inside]
    names = ("inside", "outside", UNKNOWN)
    return Grouping(names, np.array(of_image, dtype=np.int64)[facts.image_places])


GROUPINGS: Mapping[str, Callable[[BenchmarkFacts], Grouping]] = {
    "domain": by_domain,
    "branch": by_branch,
    "category": by_category,
    "size": by_size,
    "gsd": by_gsd,
    "continent": by_continent,
    "image": by_image,
    "words": by_words,
}


def _words(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def _told_apart(names: Sequence[str], ids: Sequence[int]) -> list[str]:
    doubled = (
        {name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else ()
    )
    return [
        f"{name} ({own_id})" if name in doubled else name
        for name, own_id in zip(names, ids, strict=True)
    ]


def _of_texts(texts: Sequence[str | None]) -> Grouping:
    """Group by text, in the order of the alphabet, unknown last."""
    known = sorted({text for text in texts if text}, key=lambda text: (text.casefold(), text))
    names = (*known, UNKNOWN)
    place = {name: number for number, name in enumerate(known)}
    last = len(known)
    found = np.array([place.get(text or "", last) for text in texts], dtype=np.int64)
    return Grouping(names, found)


def _of_images(
    facts: BenchmarkFacts, values: Sequence[str | None], known: Sequence[str]
) -> Grouping:
    others = sorted({value for value in values if value and value not in known})
    names = (*known, *others, UNKNOWN)
    place = {name: number for number, name in enumerate(names)}
    of_image = np.array([place[value or UNKNOWN] for value in values], dtype=np.int64)
    return Grouping(names, of_image[facts.image_places])
