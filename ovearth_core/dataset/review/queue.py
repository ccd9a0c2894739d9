"""Which targets are to be looked at: chosen by state, category, image and person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from ...errors import InputError, UsageError
from ...spelling import nearest
from ...taxonomy.words import Likeness
from ..categories import find_category
from ..rows import STATES, ImageRow, TargetRow
from ..view import View
from .moves import ANNOTATOR
from .person import Person, same_name

_NEEDED = {"annotator": ("draft", "returned"), "manager": ("submitted",)}


@dataclass(frozen=True)
class Choice:
    """What to choose targets by; None lets everything through.

    states: any of them. category: id, slug, name or synonym. image: id, or file name with or
    without its folder. annotator: a name. waiting_for: a person who has something to do with it.
    """

    states: tuple[str, ...] = ()
    category: str | None = None
    image: str | None = None
    annotator: str | None = None
    waiting_for: Person | None = None


def states_named(names: Iterable[str]) -> tuple[str, ...]:
    """Return names of states; UsageError with the nearest for one that is none."""
    found = tuple(names)
    for name in found:
        if name not in STATES:
            raise UsageError(f"no state {name!r}", "--state", nearest(name, STATES))
    return found


def chosen_targets(view: View, choice: Choice) -> Iterator[TargetRow]:
    """Yield the targets of a choice by id; InputError for no such category or image."""
    category = None if choice.category is None else find_category(view, choice.category).id
    image = None if choice.image is None else find_image(view, choice.image).id
    for target in view.targets(image_id=image, category_id=category):
        if _is_chosen(target, choice):
            yield target


def find_image(view: View, text: str) -> ImageRow:
    """Return an image by id or file name; InputError with the three nearest where there is none."""
    if text.isascii() and text.isdigit():
        return view.image(int(text))
    exact = view.image_of_file(text)
    if exact is not None:
        return exact
    named = [row for row in view.images() if text == PurePosixPath(row.file_name).name]
    if len(named) == 1:
        return named[0]
    if named:
        among = ", ".join(row.file_name for row in named[:3])
        raise InputError(f"{len(named)} images are called {text!r}", mend=f"say which: {among}")
    likeness = Likeness(text)
    near = sorted((row.file_name for row in view.images()), key=lambda name: -likeness.to(name))
    mend = f"nearest are {', '.join(map(repr, near[:3]))}" if near else "there is none yet"
    raise InputError(f"unknown image {text!r}", "in the dataset", mend)


def _is_chosen(target: TargetRow, choice: Choice) -> bool:
    if choice.states and target.state not in choice.states:
        return False
    # Not who made it: whoever imports polygons didn't draw them.
    owner = target.annotator or ""
    if choice.annotator is not None and not same_name(owner, choice.annotator):
        return False
    return choice.waiting_for is None or _waits_for(choice.waiting_for, target)


def _waits_for(person: Person, target: TargetRow) -> bool:
    if target.state not in _NEEDED[person.role]:
        return False
    if person.role == ANNOTATOR:
        return target.annotator is None or person.is_called(target.annotator)
    return not person.is_called(target.annotator)
