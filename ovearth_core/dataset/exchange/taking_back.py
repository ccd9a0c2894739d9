"""What an import that didn't end has written, taken out of the dataset again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import Any

from ...errors import InputError
from ..edit import Edit
from ..store import Dataset
from ..view import View

Ranges = dict[str, list[list[int]]]

IMPORT_NOTE = "import"


def block_note(number: int) -> str:
    """Return the name of the note that says which ids are an import's, by its number."""
    return f"{IMPORT_NOTE}:{number}"


def unfinished(view: View) -> str | None:
    """Return the source of an import that was cut off, or is going on; None without one."""
    note = view.note(IMPORT_NOTE)
    return None if note is None else str(note["source"])


def forget(edit: Edit, blocks: int) -> None:
    """Remove the notes that an import keeps while it lasts."""
    for number in range(blocks):
        edit.set_note(block_note(number), None)
    edit.set_note(IMPORT_NOTE, None)


def take_back(dataset: Dataset, who: str | None = None) -> str | None:
    """Remove what an import that didn't end has left, and return its source, None without one.

    What people have worked on since stays: a polygon that was changed, a target that was moved,
    assigned, commented on or asked something of, with all of its instances, and what it hangs on.
    """
    with dataset.reading() as view:
        note = view.note(IMPORT_NOTE)
        blocks = [view.note(block_note(n)) or {} for n in range(note["blocks"])] if note else []
    if note is None:
        return None
    with dataset.writing(who) as edit:
        # Some of it is gone from here on: it can't be carried on any more.
        edit.set_note(IMPORT_NOTE, note | {"rows": None})
    removal = _Removal(f"imported from {PurePath(note['source']).name}")
    for name, remove in removal.steps:
        dataset.write_all(_ids(blocks, name), remove, who)
    with dataset.writing(who) as edit:
        forget(edit, len(blocks))
    return str(note["source"])


def _ids(blocks: list[Ranges], name: str) -> Iterator[int]:
    return (n for block in blocks for low, high in block.get(name, [])
            for n in range(low, high + 1))  # fmt: skip


class _Removal:
    """Removes rows one by one, unless people have worked on them. origin: of the import's own."""

    def __init__(self, origin: str) -> None:
        self._origin = origin
        # What hangs on something goes before it.
        self.steps: tuple[tuple[str, Callable[[Edit, int], None]], ...] = (
            ("instances", self._instance),
            ("targets", self._target),
            ("images", _image),
            ("categories", _category),
        )

    def _instance(self, edit: Edit, instance_id: int) -> None:
        row = _found(edit.instance, instance_id)
        if row is None or row.changes:
            return
        if not self._is_worked_on(edit, row.target_id, row.created_at or ""):
            edit.remove_instance(instance_id)

    def _target(self, edit: Edit, target_id: int) -> None:
        row = _found(edit.target, target_id)
        if row is None or self._is_worked_on(edit, target_id, row.created_at or ""):
            return
        if next(edit.instances(target_id=target_id), None) is None:
            edit.remove_target(target_id)

    def _is_worked_on(self, edit: Edit, target_id: int, since: str) -> bool:
        """Whether people did something with a target after a moment, as the file writes it."""
        changed_at = edit.target(target_id).changed_at
        lines = (line.at for line in edit.reviews(target_id) if line.action != "created")
        queries = (
            query.changed_at or query.created_at
            for query in edit.queries(target_id)
            if query.changed_at is not None or query.origin != self._origin
        )
        return any(at is not None and at > since for at in (changed_at, *lines, *queries))


def _image(edit: Edit, image_id: int) -> None:
    if _found(edit.image, image_id) is None:
        return
    if next(edit.targets(image_id=image_id), None) is None:
        edit.remove_image(image_id)


def _category(edit: Edit, category_id: int) -> None:
    if _found(edit.category, category_id) is None:
        return
    if next(edit.targets(category_id=category_id), None) is None:
        edit.remove_category(category_id)


def _found(row_of: Callable[[int], Any], row_id: int) -> Any:
    try:
        return row_of(row_id)
    except InputError:
        return None  # taken away already
