"""Changing a dataset, inside one transaction: drawing, changes of state, and removal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ..errors import UsageError
from . import mapping, statements
from .instance_state import InstanceState, put_state
from .rows import OPEN_STATES, ImageRow, InstanceRow, QueryRow, TargetRow
from .shapes import as_polygons
from .view import Faults, missing
from .writer import Writer, now_text


@dataclass(frozen=True)
class Removed:
    """What a removal took away: the rows as they were, without geometry that can't be read."""

    images: tuple[ImageRow, ...] = ()
    targets: tuple[TargetRow, ...] = ()
    instances: tuple[InstanceRow, ...] = ()
    queries: tuple[QueryRow, ...] = ()


class Edit(Writer):
    """One transaction of changes, which also sees them; made by `Dataset.writing`.

    Whoever it was made for signs what is changed, with a role ("annotator", "manager"), in the
    rows and in the log.
    """

    # Targets and their instances

    def add_instance(
        self,
        image_id: int,
        category_id: int,
        shape: object,
        *,
        target_id: int | None = None,
        origin: str = "drawn",
        **more: Any,
    ) -> InstanceRow:
        """Store a polygon drawn on an image, in pixels; the first of a category makes the target.

        shape: a ring (N, 2), GeoJSON, or polygons as tuples of rings; an area of a category
        without instances may have several parts. It joins the target of that category that is
        draft or returned; UsageError where all of them are past that. With `target_id` it joins
        that target whatever its state. more: other fields of InstanceRow.
        """
        if target_id is None:
            target_id = self.open_target(image_id, category_id).id
        polygons, is_multi = as_polygons(shape)
        made = InstanceRow(None, target_id or 0, polygons, is_multi, origin=origin, **more)
        return replace(self.add(made), image_id=image_id, category_id=category_id)

    def open_target(self, image_id: int, category_id: int, *, is_drawn: bool = True) -> TargetRow:
        """Return the image's target of a category that can still be drawn on, made where needed.

        is_drawn: whether whoever signs draws it, and so becomes its annotator. UsageError where
        there are targets, all of them submitted, approved or rejected.
        """
        found = [t for t in self.targets(image_id, category_id) if t.rival_of is None]
        for target in found:
            if target.state in OPEN_STATES:
                return target
        if found:
            raise UsageError(
                f"target {found[0].id} is {found[0].state}",
                f"image {image_id}, category {category_id}",
                "return it first",
            )
        annotator = self._who if is_drawn else None
        return self.add(TargetRow(None, image_id, category_id, annotator=annotator))

    def set_state(self, target_id: int, state: str, why: str | None = None) -> TargetRow:
        """Change a target's state; the file logs who, when, from, to and why by itself.

        Any change is taken: who may do what is for `review` to say. InputError for no such state.
        """
        changed = self._signed_change(replace(self.target(target_id), state=state))
        return self._put(replace(changed, changed_why=why))

    # Removing

    def remove_image(self, image_id: int, *, with_targets: bool = False) -> Removed:
        """Take an image out of the dataset, its file left alone; return all that went with it.

        UsageError while targets hang on it, unless told to take them along.
        """
        image = self.image(image_id)
        targets = list(self.targets(image_id))
        if targets and not with_targets:
            raise UsageError(
                f"{len(targets)} targets hang on image {image_id} ({image.file_name})",
                mend="remove them too (with_targets), or keep it",
            )
        removed = [self.remove_target(target.id or 0) for target in targets]
        self._delete("images", "id", image_id)
        return Removed(
            (image,),
            tuple(targets),
            tuple(row for part in removed for row in part.instances),
            tuple(row for part in removed for row in part.queries),
        )

    def remove_target(self, target_id: int) -> Removed:
        """Remove a target, its instances and queries; return them. Its log stays."""
        target = self.target(target_id)
        faults: Faults = []
        instances = list(self.instances(target_id, faults=faults))
        instances += [InstanceRow(instance_id, target_id) for instance_id, _ in faults]
        queries = tuple(self.queries(target_id))
        for table in ("instances", "queries"):
            self._delete(table, "target_id", target_id)
        self._sign_removal(target)
        self._delete("targets", "id", target_id)
        return Removed((), (target,), tuple(instances), queries)

    def put_instance(self, state: InstanceState) -> None:
        """Put an instance back as it was read with `instance_states`, also one removed since.

        Signed as a change, and counted as one.
        """
        put_state(self._connection, state, self._who, now_text())
        self._touched.add("instances")
        self._grow("instances", state.values["geom"])

    def remove_instance(self, instance_id: int) -> None:
        """Remove an instance and the boxes derived from it; its target stays."""
        self._delete_one("instances", "id", instance_id)

    def remove_query(self, query_id: str) -> None:
        """Remove a query for good (`state="removed"` keeps it for the counts)."""
        self._delete_one("queries", "id", query_id)

    def remove_poi(self, poi_id: int) -> None:
        """Remove a place of interest; images made from it stay."""
        self._delete_one("pois", "id", poi_id)

    def remove_category(self, category_id: int) -> None:
        """Remove a category; InputError while targets have it."""
        self._delete_one("categories", "id", category_id)

    def remove_boxes(self, kind: str, instance_id: int | None = None) -> None:
        """Remove the derived boxes of a kind ("hbb" or "obb"), all or those of an instance."""
        table = mapping.BOXES[kind].name
        if instance_id is None:
            self._connection.execute(" ".join(["DELETE FROM", table]))
        else:
            self._delete(table, "instance_id", instance_id)

    def _sign_removal(self, target: TargetRow) -> None:
        self._connection.execute(
            "UPDATE targets SET changed_by = ?, changed_role = ?, changed_why = NULL WHERE id = ?",
            (self._who, self._role, target.id),
        )

    def _delete(self, table: str, key: str, value: object) -> int:
        self._touched.add(table)
        return self._connection.execute(statements.delete(table, key), (value,)).rowcount

    def _delete_one(self, table: str, key: str, value: object) -> None:
        if not self._delete(table, key, value):
            raise missing(table, value)
