"""The queue as a list to go through: light rows, images without a target among them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..view import View
from .moves import ANNOTATOR
from .person import Person
from .queue import Choice, chosen_targets, find_image

# Of an image that nothing is drawn on yet.
UNTOUCHED = "untouched"


@dataclass(frozen=True, slots=True)
class Entry:
    """One line: a target, or an image without any. needs_me: whether the person has to act."""

    image_id: int
    file_name: str
    target_id: int | None = None
    state: str = UNTOUCHED
    category: str = ""
    annotator: str | None = None
    needs_me: bool = False

    @property
    def key(self) -> tuple[int, int]:
        """What the list is in the order of."""
        return self.image_id, self.target_id or 0


def worklist(view: View, person: Person, choice: Choice) -> list[Entry]:
    """Return the chosen targets by image, and the images that nothing is drawn on.

    Such images are there where nothing in the choice speaks against them: no category, no
    annotator, and no states but `UNTOUCHED`; an annotator has to act on them. InputError for a
    category or an image that there isn't.
    """
    names = view.file_names()
    categories = {row.id: row.name for row in view.categories()}
    waiting = {target.id for target in chosen_targets(view, replace(choice, waiting_for=person))}
    entries = [
        Entry(
            target.image_id, names[target.image_id], target.id, target.state,
            categories[target.category_id], target.annotator, target.id in waiting,
        )
        for target in chosen_targets(view, choice)
    ]  # fmt: skip
    if _takes_untouched(choice):
        entries += _untouched(view, person, choice, names)
    return sorted(entries, key=lambda entry: entry.key)


def next_entry(entries: Sequence[Entry], after: tuple[int, int] | None) -> Entry | None:
    """Return the next entry that needs the person, after a key and then from the start."""
    waiting = [entry for entry in entries if entry.needs_me and entry.key != after]
    later = (entry for entry in waiting if after is None or entry.key > after)
    return next(later, next(iter(waiting), None))


def _takes_untouched(choice: Choice) -> bool:
    is_open = choice.category is None and choice.annotator is None
    return is_open and (not choice.states or UNTOUCHED in choice.states)


def _untouched(view: View, person: Person, choice: Choice, names: dict[int, str]) -> list[Entry]:
    touched = {target.image_id for target in view.targets()}
    images = list(names)
    if choice.image is not None:
        images = [find_image(view, choice.image).id or 0]
    needs_me = person.role == ANNOTATOR
    return [
        Entry(image_id, names[image_id], needs_me=needs_me)
        for image_id in images
        if image_id not in touched
    ]
