"""Drawing as steps of a review: what an action did to polygons, logged, and undone as a new step.

Other programs write the polygons themselves; what they were before is read right before that, and
kept in the log, so that nothing that was ever drawn is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...errors import GeometryError, OVEarthError, UsageError
from ..blob import Polygons
from ..instance_state import InstanceState
from ..rows import InstanceRow
from ..shapes import as_polygons, to_pixels
from ..view import View
from .rules import Said, check_may_draw, place_of
from .session import ReviewSession

DREW, RESHAPED, ERASED, UNDID = "drew", "reshaped", "erased", "undid"


@dataclass(frozen=True)
class Drawing:
    """One finished action: the instances that it touched, as they were before and are after it.

    An instance that is in one of the two only was drawn or erased. new_target: the target that its
    first polygon made, None where it was there.
    """

    before: Mapping[int, InstanceState] = field(default_factory=dict)
    after: Mapping[int, InstanceState] = field(default_factory=dict)
    new_target: int | None = None

    def __post_init__(self) -> None:
        same = [
            instance_id
            for instance_id, state in self.before.items()
            if state.is_drawn_like(self.after.get(instance_id))
        ]
        for name in ("before", "after"):
            states = getattr(self, name)
            kept = {key: state for key, state in states.items() if key not in same}
            object.__setattr__(self, name, kept)

    @property
    def instance_ids(self) -> tuple[int, ...]:
        """The instances that it changed, by id."""
        return tuple(sorted({*self.before, *self.after}))

    @property
    def target_ids(self) -> tuple[int, ...]:
        """The targets whose polygons it changed, by id."""
        states = (*self.before.values(), *self.after.values())
        return tuple(sorted({state.target_id for state in states}))

    def steps(self) -> Iterator[tuple[str, InstanceState, InstanceState | None]]:
        """Yield for each instance what was done, where it is or was, and what it was before."""
        for instance_id in self.instance_ids:
            before, after = self.before.get(instance_id), self.after.get(instance_id)
            if after is not None:
                yield (DREW if before is None else RESHAPED), after, before
            elif before is not None:
                yield ERASED, before, before


def log_drawing(session: ReviewSession, drawing: Drawing) -> None:
    """Write a line for each polygon that another program drew, reshaped or erased.

    What was there before is kept in the line.
    """
    for action, state, before in drawing.steps():
        target = session.edit.target(state.target_id)
        geometry = None if before is None else _geometry(before)
        session.log(action, target, Said(_words(state.id)), instance=state.id, geometry=geometry)


def drawn_since(view: View, before: Mapping[int, InstanceState], ids: Iterable[int]) -> Drawing:
    """Return what has become of instances since `before` was read."""
    return Drawing(before, view.instance_states({*before, *ids}))


def draw(
    session: ReviewSession,
    image_id: int,
    category_id: int,
    shape: object,
    *,
    target_id: int | None = None,
    in_degrees: bool = False,
    origin: str = "drawn",
    origin_note: str | None = None,
) -> tuple[InstanceRow, Drawing]:
    """Store a polygon in one step with the target that it begins, where there is none to draw on.

    shape: GeoJSON, a ring or polygons, in pixels, or EPSG:4326 where `in_degrees`. target_id: to
    draw on this one. Raises UsageError where the person may not draw there, GeometryError and
    FrameError for a shape that is none or lies nowhere on the image's map.
    """
    edit, person = session.edit, session.person
    polygons = _on_image(session, image_id, shape) if in_degrees else shape
    known = {target.id for target in edit.targets(image_id)}
    if target_id is None:
        target_id = edit.open_target(image_id, category_id).id or 0
    target = edit.target(target_id)
    check_may_draw(edit, target, person)
    row = edit.add_instance(
        image_id, target.category_id, polygons, target_id=target_id, origin=origin,
        origin_note=origin_note,
    )  # fmt: skip
    instance_id = row.id or 0
    new = None if target_id in known else target_id
    drawing = Drawing({}, edit.instance_states([instance_id]), new)
    log_drawing(session, drawing)
    return row, drawing


def undo_drawing(session: ReviewSession, drawing: Drawing) -> None:
    """Put polygons back as they were before an action, and log it: nothing is forgotten.

    A target that the action began goes too, unless more hangs on it by now. UsageError where a
    polygon was changed since, or the person may no longer draw there.
    """
    edit = session.edit
    now = edit.instance_states(drawing.instance_ids)
    for target_id in drawing.target_ids:
        check_may_draw(edit, edit.target(target_id), session.person)
    for action, state, before in drawing.steps():
        target = edit.target(state.target_id)
        found = now.get(state.id)
        is_as_left = found is None if action == ERASED else state.is_drawn_like(found)
        if not is_as_left:
            raise UsageError(
                f"the polygon of {_words(state.id)} was changed since",
                place_of(target),
                "change it by hand",
            )
        if before is None:
            edit.remove_instance(state.id)
        else:
            edit.put_instance(before)
        session.log(
            UNDID, target, Said(f"{action}: {_words(state.id)}"), instance=state.id,
            geometry=None if action == ERASED else _geometry(state),
        )  # fmt: skip
        session.touched[target.id or 0] = None
    if drawing.new_target is not None:
        _remove_if_empty(session, drawing.new_target)


def _remove_if_empty(session: ReviewSession, target_id: int) -> None:
    edit = session.edit
    target = edit.target(target_id)
    has_more = (
        target.segmentation is not None
        or next(iter(edit.instances(target_id, faults=[])), None) is not None
        or next(iter(edit.queries(target_id)), None) is not None
        or any(other.rival_of == target_id for other in edit.targets(target.image_id))
    )
    if not has_more:
        edit.remove_target(target_id)


def _on_image(session: ReviewSession, image_id: int, shape: object) -> Polygons:
    polygons, _ = as_polygons(shape)
    found = to_pixels(session.edit.frame(image_id), polygons)
    if not all(np.isfinite(ring).all() for rings in found for ring in rings):
        raise GeometryError("the polygon lies nowhere on the image's map", mend="draw it there")
    return found


def _geometry(state: InstanceState) -> dict[str, Any] | None:
    try:
        return state.geojson()
    except OVEarthError:
        return None  # broken by another program: there is nothing to keep


def _words(instance_id: int) -> str:
    return f"instance {instance_id}"
