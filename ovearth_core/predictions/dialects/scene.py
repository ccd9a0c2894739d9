"""Outputs by image and class, gathered into an answer for each query that they are for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...benchmark import TASKS, Image
from ...errors import InputError
from ...geometry import Polygon, Runs
from .answer import Answer, empty_answer
from .class_names import ClassNames, Concept
from .reading import PARTLY_SCORED, Reading
from .united_masks import united

Floats = NDArray[np.float64]

DOUBLED = "duplicates where patches overlap"
NO_OUTPUT = "source without any output: taken for the answer that nothing is there"
NOT_ASKED = "outputs on images where no query asks for their class"


@dataclass(frozen=True, slots=True, eq=False)
class Detection:
    """One object, or one region, on one image.

    concepts: what its class means. line: its number in the source, where: its place for a message.
    hbb (4,), obb (4, 2), mask: a mask at the image's size, or polygons; those it has, in pixels
    unless the run is in map coordinates. quad (4, 2): the whole object's, where it may be doubled.
    """

    image_id: int
    concepts: tuple[Concept, ...]
    line: int
    where: str
    hbb: Floats | None = None
    obb: Floats | None = None
    mask: Runs | Sequence[Polygon] | None = None
    score: float | None = None
    label: str | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)
    quad: Floats | None = None


def scene_answers(
    detections: Callable[[], Iterator[Detection]],
    reading: Reading,
    names: ClassNames,
    kinds: Sequence[str],
    together: Callable[[list[Detection]], list[Detection]] | None = None,
) -> Iterator[Answer]:
    """Yield an answer for each query that a detection on its image is for.

    detections: read twice, for an image is done when all of its detections have been met. Memory:
    those of images that are not done. kinds: what a source without any detection answers, that
    there is nothing. together: drops the doubled ones among the detections for a query.
    """
    counts = Counter(detection.image_id for detection in detections())
    reading.begin()
    if not counts:
        reading.warnings[NO_OUTPUT] += 1
        yield from _nothing(reading, kinds)
    held: dict[int, list[Detection]] = {}
    for detection in detections():
        image_id = detection.image_id
        held.setdefault(image_id, []).append(detection)
        counts[image_id] -= 1
        if not counts[image_id]:
            yield from _of_image(image_id, held.pop(image_id), reading, names, together)
    if held:
        raise InputError("changed while it was read", "the source", "read it again")


def query_answers(
    found: Callable[[], Iterator[tuple[str, Detection]]], reading: Reading
) -> Iterator[Answer]:
    """Yield an answer for each query id that comes with detections; read twice, as scene_answers.

    A detection without a shape says that its query was answered, with boxes where others have them.
    """
    counts = Counter(query_id for query_id, _ in found())
    reading.begin()
    held: dict[str, list[Detection]] = {}
    for query_id, detection in found():
        held.setdefault(query_id, []).append(detection)
        counts[query_id] -= 1
        if counts[query_id]:
            continue
        some = held.pop(query_id)
        image = reading.image(query_id)
        shaped = [each for each in some if _has_shape(each)]
        if image is None or not shaped:
            yield empty_answer(query_id, some[0].line, "hbb")
        else:
            yield answer_of(query_id, image, shaped, reading)


def _has_shape(found: Detection) -> bool:
    return not (found.hbb is None and found.obb is None and found.mask is None)


def _nothing(reading: Reading, kinds: Sequence[str]) -> Iterator[Answer]:
    vocabulary = TASKS.index("vocabulary")
    columns = reading.benchmark.columns.queries
    for number, place in enumerate(np.flatnonzero(columns.tasks == vocabulary).tolist(), 1):
        yield empty_answer(columns.ids[place], number, *kinds)


def _of_image(
    image_id: int,
    found: list[Detection],
    reading: Reading,
    names: ClassNames,
    together: Callable[[list[Detection]], list[Detection]] | None,
) -> Iterator[Answer]:
    by_concept: dict[Concept, list[Detection]] = {}
    for detection in found:
        for concept in detection.concepts:
            by_concept.setdefault(concept, []).append(detection)
    asked: set[Concept] = set()
    doubled: set[int] = set()
    image = reading.benchmark.image_by_id[image_id]
    ids = reading.benchmark.columns.queries.ids
    for place in reading.queries_of_image.get(image_id, ()):
        concepts = [concept for concept in names.wanted[place] if concept in by_concept]
        asked.update(concepts)
        by_line = {each.line: each for concept in concepts for each in by_concept[concept]}
        some = [by_line[line] for line in sorted(by_line) if _has_shape(by_line[line])]
        if together is not None:
            kept = together(some)
            doubled |= {each.line for each in some} - {each.line for each in kept}
            some = kept
        if some:
            yield answer_of(ids[place], image, some, reading)
    _count(reading, NOT_ASKED, sum(asked.isdisjoint(each.concepts) for each in found))
    _count(reading, DOUBLED, len(doubled))


def _count(reading: Reading, what: str, count: int) -> None:
    if count:
        reading.left_out[what] += count


def answer_of(query_id: str, image: Image, found: Sequence[Detection], reading: Reading) -> Answer:
    """Return the detections for one query as its answer.

    Where boxes of both kinds are of different objects, which no record can hold, those of the
    chosen modality are kept. Where only some boxes have a score, which is warned of, and where a
    mask alone has one, it is kept as an attribute.
    """
    upright = [each for each in found if each.hbb is not None]
    oriented = [each for each in found if each.obb is not None]
    are_parallel = not upright or not oriented or upright == oriented
    only = reading.options.modality
    if not are_parallel and only in ("hbb", "obb"):
        upright, oriented = (upright, []) if only == "hbb" else ([], oriented)
        are_parallel = True
    masks = [each.mask for each in found if each.mask is not None]
    if _are_partly_scored(upright) or _are_partly_scored(oriented):
        reading.warnings[PARTLY_SCORED] += 1
    extra = _said_besides(found, upright, oriented)
    given = {"mask": masks, "hbb": upright, "obb": oriented}
    return Answer(
        query_id,
        found[0].line,
        frozenset(kind for kind, some in given.items() if some),
        united(masks, image) if masks else None,
        np.array([each.hbb for each in upright], np.float64).reshape(-1, 4) if upright else None,
        np.array([each.obb for each in oriented]).reshape(-1, 4, 2) if oriented else None,
        _scores(upright or oriented),
        [each.label for each in upright or oriented],
        {"objects": extra} if any(extra) else {},
        None if are_parallel else _scores(oriented),
        found[0].where,
    )


def _scores(boxes: Sequence[Detection]) -> Sequence[float]:
    scores = [each.score for each in boxes if each.score is not None]
    return scores if len(scores) == len(boxes) else ()


def _are_partly_scored(boxes: Sequence[Detection]) -> bool:
    return len({each.score is None for each in boxes}) > 1


def _said_besides(
    found: Sequence[Detection], upright: Sequence[Detection], oriented: Sequence[Detection]
) -> list[dict[str, Any]]:
    """Return the attributes of each detection, with its score where no box is given it."""
    used = {id(each) for boxes in (upright, oriented) if _scores(boxes) for each in boxes}
    return [
        dict(each.attributes)
        if each.score is None or id(each) in used
        else {"score": each.score, **each.attributes}
        for each in found
    ]
