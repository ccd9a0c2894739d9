"""From a query that is looked at back into the dataset that the benchmark was made from."""

from __future__ import annotations

from pathlib import PurePosixPath

import numpy as np

from ..benchmark import Truth
from ..dataset import Dataset, InstanceRow, TargetRow
from ..dataset.blob import Polygons
from ..dataset.review import MANAGER, Drawing, Person, Pin, Said, draw, review_session
from ..dataset.view import View
from ..errors import InputError
from ..overlay import QueryOverlay
from .inspected import InspectedRun
from .returned import ReturnedTarget

COMMENTED, RETURNED = "commented", "returned"


def target_asked(view: View, query_id: str, file_name: str) -> TargetRow:
    """Return the dataset's target that a query asks about.

    file_name: of the query's image in the benchmark. InputError where the dataset has no such
    query, or asks it about another image: the benchmark was not made from it.
    """
    mend = "open the dataset that the benchmark was exported from"
    try:
        target = view.target(view.query(query_id).target_id)
    except InputError:
        raise InputError(f"the dataset has no query {query_id}", "", mend) from None
    own = view.image(target.image_id).file_name
    if PurePosixPath(own).name != PurePosixPath(file_name).name:
        raise InputError(
            f"the dataset's query {query_id} is about {own}, the benchmark's about {file_name}",
            "", mend,
        )  # fmt: skip
    return target


def return_target(dataset: Dataset, person: Person, entry: ReturnedTarget) -> str:
    """Send a target back with its comment and pin; for an annotator, only log the comment.

    Returns RETURNED or COMMENTED. UsageError for a target that can't be returned now, InputError
    as `target_asked`.
    """
    pin = None if entry.x_px is None or entry.y_px is None else Pin(entry.x_px, entry.y_px)
    with review_session(dataset, person) as session:
        target = target_asked(session.edit, entry.query_id, entry.image)
        said = Said(entry.comment, pin=pin)
        if person.role == MANAGER:
            session.move("return", target.id or 0, said)
            return RETURNED
        session.comment(target.id or 0, said, entry.query_id)
    return COMMENTED


def predicted_at(
    run: InspectedRun, query_id: str, modality: str, x_px: float, y_px: float
) -> Polygons | None:
    """Return the predicted polygon or box over a place of the image, in pixels.

    The smallest one where several lie over it, None where none does. Raises as reading the run's
    record does.
    """
    overlay = QueryOverlay(
        run.scores.benchmark, run.scores.predictions, run.scores.modalities,
        Truth(run.scores.benchmark),
    )  # fmt: skip
    shapes = overlay.predicted(query_id, run.answers.get(query_id), modality)
    over = [shape for shape in shapes if _covers(shape, x_px, y_px)]
    return min(over, key=_area, default=None)


def take_as_draft(
    dataset: Dataset, person: Person, query_id: str, file_name: str, shape: Polygons, note: str
) -> tuple[InstanceRow, Drawing]:
    """Draw a predicted polygon on the target that a query asks about, as one of a model's run.

    note: the model. UsageError where the person may not draw on that target now.
    """
    with review_session(dataset, person) as session:
        target = target_asked(session.edit, query_id, file_name)
        return draw(
            session, target.image_id, target.category_id, shape, target_id=target.id,
            origin="run", origin_note=note,
        )  # fmt: skip


def _covers(shape: Polygons, x: float, y: float) -> bool:
    """Whether a pixel position lies in a shape, holes left out."""
    is_inside = False
    for rings in shape:
        for ring in rings:
            a, b = ring, np.roll(ring, -1, axis=0)
            crosses = (a[:, 1] > y) != (b[:, 1] > y)
            rise = np.where(crosses, b[:, 1] - a[:, 1], 1.0)
            at = a[:, 0] + (y - a[:, 1]) / rise * (b[:, 0] - a[:, 0])
            is_inside ^= bool(np.count_nonzero(crosses & (at > x)) % 2)
    return is_inside


def _area(shape: Polygons) -> float:
    total = 0.0
    for rings in shape:
        for place, ring in enumerate(rings):
            x, y = (ring - ring[0]).T
            area = abs(float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())) / 2.0
            total += -area if place else area
    return total
