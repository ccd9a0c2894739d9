"""Laws of the review: whoever does whatever, only allowed states are reached, and all is logged."""

import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from ovearth_core.dataset.review import (
    MANAGER,
    MOVES,
    Answers,
    Person,
    Said,
    groups,
    is_allowed,
    possible,
    replay,
    review_session,
)
from ovearth_core.dataset.review.moves import ASKED_FOR
from ovearth_core.errors import OVEarthError

from .datasets import FIELD, TANK, made
from .reviewing import ANNA, BEN, GOOD, MIA, ZOE, drawn_by, lines, twice_drawn

PEOPLE = (ANNA, BEN, MIA, ZOE, Person("Anna", MANAGER), Person("mia"))
SAID = (
    Said(),
    GOOD,
    replace(GOOD, alone=True),
    Said("no", Answers(False, True, None)),
    Said("why"),
)
RIGHT = {"approve": GOOD, "choose": GOOD, "return": Said("why"), "reject": Said("why")}
OTHER_ACTIONS = {
    "comment": lambda session, target_id, said: session.comment(target_id, said),
    "assign": lambda session, target_id, said: session.assign(target_id, said.comment or "ben"),
    "recategorise": lambda session, target_id, said: session.recategorise(
        target_id, FIELD if said.comment else TANK
    ),
    "open_second": lambda session, target_id, said: session.open_second(target_id),
    "draw": lambda session, target_id, said: session.edit.add_instance(
        1, TANK, [(1, 1), (9, 1), (9, 9)], target_id=target_id
    ),
}
BLIND = st.tuples(
    st.sampled_from((*ASKED_FOR, *OTHER_ACTIONS)),
    st.sampled_from(PEOPLE),
    st.integers(1, 5),
    st.sampled_from(SAID),
)
# Blind steps are mostly refused: a number stands for one of those that somebody could take.
STEPS = st.lists(
    st.one_of(st.integers(0, 10_000), st.integers(0, 10_000), BLIND), min_size=12, max_size=40
)


def meant(dataset, step):
    """The step that a number stands for, as things are now."""
    if not isinstance(step, int):
        return step
    with dataset.reading() as view:
        steps = [
            (move.name, person, target.id, RIGHT.get(move.name, Said()))
            for target in view.targets()
            for person in PEOPLE
            for move in possible(view, target, person)
        ]
        steps += [
            (name, person, target.id, Said("ben"))
            for target in view.targets()
            for person in PEOPLE[:2]
            for name in ("open_second", "draw")
        ]
    return steps[step % len(steps)]


def take(dataset, step):
    """Take one step as its person would; False where it is refused."""
    name, person, target_id, said = step
    try:
        with review_session(dataset, person) as session:
            if name in MOVES:
                session.move(name, target_id, said)
            else:
                OTHER_ACTIONS[name](session, target_id, said)
    except OVEarthError as fault:
        assert "\n" not in str(fault)
        return False
    return True


def image_of(dataset):
    with dataset.reading() as view:
        return view.image(1)


def state_of_all(dataset):
    with dataset.reading() as view:
        return list(view.targets()), list(view.reviews())


@settings(max_examples=60, deadline=None)
@given(STEPS)
def test_no_one_brings_a_target_where_the_table_forbids_and_the_log_tells_every_state(steps):
    with tempfile.TemporaryDirectory() as folder:
        dataset, *_ = twice_drawn(Path(folder))
        drawn_by(dataset, image_of(dataset), BEN, FIELD)
        before = state_of_all(dataset)
        for step in steps:
            if not take(dataset, meant(dataset, step)):
                assert state_of_all(dataset) == before
            before = state_of_all(dataset)
        targets, log = before
        replayed = replay(log)
        assert replayed.states == {target.id: target.state for target in targets}
        assert replayed.gaps == ()
        for line in log:
            if line.action == "state":
                assert is_allowed(line.from_state, line.to_state, line.role), line
                assert line.who in {person.name for person in PEOPLE}
        for members in groups(targets).values():
            assert Counter(target.state for target in members)["approved"] <= 1


@settings(max_examples=40, deadline=None)
@given(STEPS, st.sampled_from(PEOPLE))
def test_what_is_said_to_be_possible_is_and_nothing_else(steps, person):
    with tempfile.TemporaryDirectory() as folder:
        dataset, image = made(Path(folder))
        drawn_by(dataset, image, ANNA)
        for step in steps:
            take(dataset, meant(dataset, step))
        with dataset.reading() as view:
            target = view.target(1)
            names = {move.name for move in possible(view, target, person)}
        for name in ASKED_FOR:
            done = take(dataset, (name, person, 1, RIGHT.get(name, Said())))
            # What hangs on other annotations of the same is told only when it is tried.
            assert done <= (name in names)
            if done:
                break


def test_every_state_but_the_first_is_reached_and_left_by_some_move():
    reached = {move.to_state for move in MOVES.values()}
    left = {state for move in MOVES.values() for state in move.from_states}
    assert reached == left == {"draft", "submitted", "returned", "approved", "rejected"}


def test_a_step_that_fails_in_the_middle_leaves_no_line(tmp_path):
    dataset, image = made(tmp_path)
    target_id = drawn_by(dataset, image, ANNA)
    count = len(lines(dataset))
    assert not take(dataset, ("return", MIA, target_id, Said("why")))
    assert len(lines(dataset)) == count
