"""Whether a person may make a move with a target, or why not and what is possible instead."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...errors import UsageError
from ...spelling import nearest
from ..rows import OPEN_STATES, TargetRow
from ..view import Faults, View
from .answers import QUESTIONS, Answers
from .moves import ANNOTATOR, ANOTHERS, ASKED_FOR, MANAGER, MOVES, OWN, Move, moves_from
from .person import Person
from .pin import Pin
from .rivals import group_of

# Who imported a polygon, or took it from a run, didn't draw it.
DRAWN = ("drawn", "click-to-mask")
_DRAW = Move("drawing", ANNOTATOR, OPEN_STATES, "", OWN)


@dataclass(frozen=True)
class Said:
    """What a person says along with a move. alone: that nobody else is there to approve it."""

    comment: str | None = None
    answers: Answers = field(default_factory=Answers)
    pin: Pin | None = None
    alone: bool = False

    @property
    def text(self) -> str | None:
        """The comment without the spaces around it; None where nothing is left."""
        return (self.comment or "").strip() or None


def move_named(name: str) -> Move:
    """Return a move that can be asked for; UsageError with the nearest name where there is none."""
    if name not in ASKED_FOR:
        raise UsageError(f"no move {name!r}", mend=nearest(name, ASKED_FOR))
    return MOVES[name]


def check_move(view: View, move: Move, target: TargetRow, person: Person, said: Said) -> None:
    """Raise UsageError where the person may not make this move with this target, as it is now."""
    check_role(move, target, person)
    _check_state(move, target)
    _check_whose(view, move, target, person, alone=said.alone)
    if move.name == "submit":
        _check_drawn(view, target)
    if move.asks and target.state != move.to_state:
        _check_answers(move, target, said.answers)
    if move.needs_reason and said.text is None and not said.answers.failed:
        no = " or ".join(f"--{words[1].replace(' ', '-')}" for words in QUESTIONS.values())
        raise UsageError(
            f"{move.name} needs a reason", place_of(target), f"say --comment TEXT, or {no}"
        )
    if move.name == "approve":
        _check_alone_in_group(view, target)


def check_may_draw(view: View, target: TargetRow, person: Person) -> None:
    """Raise UsageError where the person may not change the target's polygons, as it is now."""
    check_move(view, _DRAW, target, person, Said())


def may_draw(view: View, target: TargetRow, person: Person) -> bool:
    """Whether the person may change the target's polygons."""
    try:
        check_may_draw(view, target, person)
    except UsageError:
        return False
    return True


def possible(view: View, target: TargetRow, person: Person) -> tuple[Move, ...]:
    """Return the moves that this person could make with this target, given the right answers."""
    found = []
    for move in moves_from(target.state, person.role):
        try:
            _check_whose(view, move, target, person, alone=False)
        except UsageError:
            continue
        if move.name != "choose" or len(group_of(view, target)) > 1:
            found.append(move)
    return tuple(found)


def drawers(view: View, target: TargetRow) -> tuple[str, ...]:
    """Return who drew a target: its annotator, who drew a polygon, who changed one."""
    faults: Faults = []
    names = [target.annotator]
    for instance in view.instances(target.id, faults=faults):
        names.append(instance.created_by if instance.origin in DRAWN else None)
        names.append(instance.changed_by if instance.changes else None)
    return tuple(dict.fromkeys(name for name in names if name is not None))


def check_role(move: Move, target: TargetRow, person: Person) -> None:
    """Raise UsageError where the move is for another role."""
    if person.role != move.role:
        raise UsageError(
            f"{move.name} is for a{'n' if move.role[0] in 'aeiou' else ''} {move.role},"
            f" {person.name} acts as {person.role}",
            place_of(target),
            f"say --role {move.role}, if so it is",
        )


def place_of(target: TargetRow) -> str:
    """Return where a target is to be found, for messages."""
    return f"target {target.id} of image {target.image_id}"


def _check_state(move: Move, target: TargetRow) -> None:
    if target.state in move.from_states:
        return
    now = ", ".join(f"{other.name} ({other.role})" for other in moves_from(target.state))
    raise UsageError(
        f"it is {target.state}, and {move.name} takes one that is {' or '.join(move.from_states)}",
        place_of(target),
        f"possible now: {now}",
    )


def _check_whose(view: View, move: Move, target: TargetRow, person: Person, *, alone: bool) -> None:
    if move.whose == OWN and target.annotator and not person.is_called(target.annotator):
        raise UsageError(
            f"{move.name} is for whoever draws it, {target.annotator}, not {person.name}",
            place_of(target),
            f"ask {target.annotator}, or let a {MANAGER} assign it to you",
        )
    if move.whose == ANOTHERS and not alone:
        check_not_drawer(view, move, target, target, person)


def check_not_drawer(
    view: View, move: Move, drawn: TargetRow, target: TargetRow, person: Person
) -> None:
    """Raise UsageError where a person drew what decides about `target`."""
    if any(person.is_called(name) for name in drawers(view, drawn)):
        what = "it" if drawn.id == target.id else f"target {drawn.id}"
        raise UsageError(
            f"{person.name} drew {what}, and {move.name} is for somebody else",
            place_of(target),
            "let another manager do it, or say --alone where there is none",
        )


def _check_drawn(view: View, target: TargetRow) -> None:
    faults: Faults = []
    drawn = target.segmentation is not None or any(
        True for _ in view.instances(target.id, faults=faults)
    )
    if not drawn and not faults:
        raise UsageError("nothing is drawn", place_of(target), "draw it, then submit it")


def _check_answers(move: Move, target: TargetRow, answers: Answers) -> None:
    if answers.failed:
        raise UsageError(
            f"{move.name} says yes to what is answered with no"
            f" ({', '.join(QUESTIONS[name][1] for name in answers.failed)})",
            place_of(target),
            "return it with a comment",
        )
    if answers.open:
        options = " ".join(f"--{QUESTIONS[name][0].replace(' ', '-')}" for name in answers.open)
        raise UsageError(
            f"{move.name} needs an answer to all three questions",
            place_of(target),
            f"add {options}",
        )


def _check_alone_in_group(view: View, target: TargetRow) -> None:
    for other in group_of(view, target):
        if other.id != target.id and other.state == "approved":
            raise UsageError(
                f"target {other.id} is another annotation of the same, and is approved",
                place_of(target),
                "choose one of them (review choose)",
            )
