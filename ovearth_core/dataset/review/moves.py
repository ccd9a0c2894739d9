"""What can happen to a target: from which states to which, by whom, and what must be said."""

from __future__ import annotations

from dataclasses import dataclass

ANNOTATOR, MANAGER = "annotator", "manager"
ROLES = (ANNOTATOR, MANAGER)
# Whose drawing it must be for a person to make a move.
OWN, ANOTHERS, ANYONES = "own", "another's", "anyone's"


@dataclass(frozen=True)
class Move:
    """One way from a state to another.

    role: who may. whose: whose drawing it must be. asks: the three questions must all be answered
    with yes. needs_reason: a comment, or a question answered with no.
    """

    name: str
    role: str
    from_states: tuple[str, ...]
    to_state: str
    whose: str = ANYONES
    asks: bool = False
    needs_reason: bool = False


MOVES = {
    move.name: move
    for move in (
        Move("submit", ANNOTATOR, ("draft", "returned"), "submitted", OWN),
        Move("withdraw", ANNOTATOR, ("submitted",), "draft", OWN),
        Move("approve", MANAGER, ("submitted",), "approved", ANOTHERS, asks=True),
        Move("return", MANAGER, ("submitted", "approved", "rejected"), "returned",
             needs_reason=True),
        Move("reject", MANAGER, ("draft", "submitted", "returned", "approved"), "rejected",
             needs_reason=True),
        # Among annotations of one target: the one that is taken, and each that is not.
        Move("choose", MANAGER, ("submitted", "approved", "rejected"), "approved", ANOTHERS,
             asks=True),
        Move("pass over", MANAGER, ("submitted", "approved"), "rejected"),
    )
}  # fmt: skip
# Moves that a person asks for by name; the others come along with one of these.
ASKED_FOR = tuple(name for name in MOVES if name != "pass over")


def moves_from(state: str, role: str | None = None) -> tuple[Move, ...]:
    """Return the moves that are possible in a state, those of one role where it is given."""
    return tuple(
        MOVES[name]
        for name in ASKED_FOR
        if state in MOVES[name].from_states and role in (None, MOVES[name].role)
    )


def is_allowed(from_state: str, to_state: str, role: str | None) -> bool:
    """Whether some move leads from the one state to the other, for someone in this role."""
    return any(
        move.role == role and from_state in move.from_states and move.to_state == to_state
        for move in MOVES.values()
    )
