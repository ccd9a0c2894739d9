"""Targets that are annotations of the same thing by different people: a first, and its rivals."""

from __future__ import annotations

from collections.abc import Iterable

from ..rows import TargetRow
from ..view import View


def groups(targets: Iterable[TargetRow]) -> dict[int, tuple[TargetRow, ...]]:
    """Return annotations of the same thing together, by the first one's id; single ones too.

    A rival whose first one is not among the targets makes a group of its own.
    """
    by_id = {target.id or 0: target for target in targets}
    found: dict[int, list[TargetRow]] = {}
    for target in by_id.values():
        found.setdefault(_first_id(target, by_id), []).append(target)
    return {first: tuple(members) for first, members in found.items()}


def group_of(view: View, target: TargetRow) -> tuple[TargetRow, ...]:
    """Return all annotations of what this target is one of, itself included, by id."""
    on_image = groups(view.targets(image_id=target.image_id))
    return next(
        members for members in on_image.values() if target.id in {member.id for member in members}
    )


def _first_id(target: TargetRow, by_id: dict[int, TargetRow]) -> int:
    # The table may be edited by hand: a circle must not hold us up.
    seen: set[int] = set()
    here = target
    while here.rival_of in by_id and here.rival_of not in seen and here.rival_of != here.id:
        seen.add(here.id or 0)
        here = by_id[here.rival_of]
    return min(seen | {here.id or 0}) if here.rival_of in seen else here.id or 0
