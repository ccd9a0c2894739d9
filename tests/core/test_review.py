"""Review: who may do what with a target, what must be said along, and what the log then holds."""

from dataclasses import replace

import numpy as np
import pytest

from ovearth_core.dataset import QueryRow, TargetRow
from ovearth_core.dataset.database import connected
from ovearth_core.dataset.review import (
    Answers,
    Person,
    Pin,
    Said,
    history_json,
    history_rows,
    person_of,
    possible,
    replay,
    review_session,
)
from ovearth_core.errors import InputError, UsageError

from .datasets import FIELD, SQUARE, TANK, made
from .reviewing import (
    ANNA,
    BEN,
    GOOD,
    MIA,
    ZOE,
    acted,
    drawn_by,
    lines,
    moved,
    shifted,
    target,
    twice_drawn,
)


@pytest.fixture
def drawn(tmp_path):
    """A dataset, its image, and a target that Anna drew."""
    dataset, image = made(tmp_path)
    return dataset, image, drawn_by(dataset, image, ANNA)


class TestTheWay:
    def test_from_draft_over_submitted_to_approved_each_step_is_logged_with_its_person(self, drawn):
        dataset, _, target_id = drawn
        moved(dataset, ANNA, "submit", target_id, Said("done"))
        moved(dataset, MIA, "approve", target_id, GOOD)
        assert target(dataset, target_id).state == "approved"
        found = [(r.action, r.who, r.role, r.from_state, r.to_state, r.comment)
                 for r in lines(dataset, target_id)]  # fmt: skip
        assert found == [
            ("created", "Anna", "annotator", None, "draft", None),
            ("state", "Anna", "annotator", "draft", "submitted", "done"),
            ("approve", "mia", "manager", None, None, None),
            ("state", "mia", "manager", "submitted", "approved", None),
        ]
        answered = lines(dataset, target_id)[2]
        assert (answered.right_category, answered.good_boundary, answered.nothing_missed) == (
            True, True, True)  # fmt: skip

    def test_a_returned_target_is_mended_and_submitted_again(self, drawn):
        dataset, _, target_id = drawn
        moved(dataset, ANNA, "submit", target_id)
        said = Said("cut the shadow off", Answers(True, False, None), Pin(20, 15))
        moved(dataset, MIA, "return", target_id, said)
        assert target(dataset, target_id).changed_why == "cut the shadow off"
        line = lines(dataset, target_id)[2]
        assert (line.right_category, line.good_boundary, line.nothing_missed) == (True, False, None)
        with dataset.reading() as view:
            frame = view.frame(1)
        assert np.allclose(frame.lonlat_to_pixel([[line.lon, line.lat]]), [[20, 15]], atol=1e-6)
        moved(dataset, ANNA, "submit", target_id)
        assert target(dataset, target_id).state == "submitted"

    def test_an_annotator_takes_back_what_nobody_has_looked_at(self, drawn):
        dataset, _, target_id = drawn
        moved(dataset, ANNA, "submit", target_id)
        assert moved(dataset, ANNA, "withdraw", target_id).state == "draft"

    def test_an_approved_target_can_be_returned_and_a_rejected_one_brought_back(self, drawn):
        dataset, _, target_id = drawn
        moved(dataset, ANNA, "submit", target_id)
        moved(dataset, MIA, "approve", target_id, GOOD)
        moved(dataset, ZOE, "return", target_id, Said("the truth was wrong"))
        moved(dataset, ZOE, "reject", target_id, Said("no such thing there"))
        assert moved(dataset, MIA, "return", target_id, Said("there is")).state == "returned"

    def test_a_target_that_nobody_draws_becomes_that_of_who_submits_it(self, tmp_path):
        dataset, image = made(tmp_path)
        with dataset.writing("importer") as edit:
            target_id = edit.add(TargetRow(None, image.id, TANK)).id
            edit.add_instance(image.id, TANK, SQUARE, target_id=target_id, origin="imported")
        moved(dataset, BEN, "submit", target_id)
        assert target(dataset, target_id).annotator == "ben"

    def test_who_imported_a_polygon_did_not_draw_it_and_may_approve_it(self, tmp_path):
        dataset, image = made(tmp_path)
        with dataset.writing(MIA.name) as edit:
            target_id = edit.add(TargetRow(None, image.id, TANK, "submitted")).id
            edit.add_instance(image.id, TANK, SQUARE, target_id=target_id, origin="imported")
        assert moved(dataset, MIA, "approve", target_id, GOOD).state == "approved"


class TestRefusals:
    @pytest.mark.parametrize(
        ("person", "name", "said", "message"),
        [
            (ANNA, "approve", GOOD, r"approve is for a manager, Anna acts as annotator"),
            (MIA, "submit", Said(), r"submit is for an annotator, mia acts as manager"),
            (MIA, "approve", GOOD,
             r"it is draft, and approve .* submitted, target 1 of image 1, possible now: submit"),
            (BEN, "submit", Said(), r"submit is for whoever draws it, Anna, not ben"),
            (MIA, "reject", Said(), r"reject needs a reason"),
            (MIA, "reject", Said("  "), r"reject needs a reason"),
            (MIA, "aprove", GOOD, r"no move 'aprove', did you mean 'approve'"),
        ],
    )  # fmt: skip
    def test_a_move_that_is_not_allowed_says_why_and_what_is(
        self, drawn, person, name, said, message
    ):
        dataset, _, target_id = drawn
        with pytest.raises(UsageError, match=message):
            moved(dataset, person, name, target_id, said)
        assert len(lines(dataset)) == 1

    @pytest.mark.parametrize("answers", [
        Answers(), Answers(True, True, None), Answers(None, True, True)])  # fmt: skip
    def test_approving_takes_an_answer_to_every_question(self, drawn, answers):
        dataset, _, target_id = drawn
        moved(dataset, ANNA, "submit", target_id)
        with pytest.raises(UsageError, match="needs an answer to all three"):
            moved(dataset, MIA, "approve", target_id, Said("fine", answers))

    def test_approving_takes_no_no(self, drawn):
        dataset, _, target_id = drawn
        moved(dataset, ANNA, "submit", target_id)
        with pytest.raises(UsageError, match=r"\(bad boundary\).*return it with a comment"):
            moved(dataset, MIA, "approve", target_id, Said(answers=Answers(True, False, True)))

    def test_a_question_answered_with_no_is_reason_enough_to_return(self, drawn):
        dataset, _, target_id = drawn
        moved(dataset, ANNA, "submit", target_id)
        said = Said(answers=Answers(nothing_missed=False))
        assert moved(dataset, MIA, "return", target_id, said).state == "returned"

    def test_nobody_approves_what_he_drew_unless_he_says_that_he_is_alone(self, drawn):
        dataset, _, target_id = drawn
        moved(dataset, ANNA, "submit", target_id)
        herself = Person("anna", "manager")
        with pytest.raises(UsageError, match=r"anna drew it.*--alone"):
            moved(dataset, herself, "approve", target_id, GOOD)
        assert moved(dataset, herself, "approve", target_id, replace(GOOD, alone=True))
        assert lines(dataset, target_id)[-2].extra == {"alone": True}

    def test_a_manager_who_moved_a_vertex_has_drawn_too(self, drawn):
        dataset, _, target_id = drawn
        moved(dataset, ANNA, "submit", target_id)
        with dataset.writing(MIA.name, MIA.role) as edit:
            (instance,) = edit.instances(target_id)
            edit.update(replace(instance, polygons=((shifted(1),),)))
        with pytest.raises(UsageError, match="mia drew it"):
            moved(dataset, MIA, "approve", target_id, GOOD)
        assert moved(dataset, ZOE, "approve", target_id, GOOD).state == "approved"

    def test_nothing_drawn_is_nothing_to_submit(self, drawn):
        dataset, image, _ = drawn
        with dataset.writing("Anna") as edit:
            empty = edit.open_target(image.id, FIELD).id
        with pytest.raises(UsageError, match=f"nothing is drawn, target {empty}"):
            moved(dataset, ANNA, "submit", empty)

    def test_what_a_person_can_do_is_known_beforehand(self, drawn):
        dataset, _, target_id = drawn

        def names(person):
            with dataset.reading() as view:
                return [move.name for move in possible(view, view.target(target_id), person)]

        assert (names(ANNA), names(BEN), names(MIA)) == (["submit"], [], ["reject"])
        moved(dataset, ANNA, "submit", target_id)
        assert names(MIA) == ["approve", "return", "reject"]
        assert names(Person("Anna", "manager")) == ["return", "reject"]

    def test_several_steps_in_one_block_are_all_there_or_none(self, drawn):
        dataset, image, first = drawn
        other = drawn_by(dataset, image, BEN, FIELD)
        with pytest.raises(UsageError), review_session(dataset, ANNA) as session:
            session.move("submit", first)
            session.move("submit", other)
        assert target(dataset, first).state == "draft"

    @pytest.mark.parametrize(("name", "role"), [("", "annotator"), (" ", "manager"),
                                                ("a\nb", "manager"), ("a", "boss")])  # fmt: skip
    def test_a_person_has_a_name_and_a_role(self, name, role):
        with pytest.raises(UsageError):
            Person(name, role)

    def test_who_is_at_work_is_said_or_in_the_environment_or_logged_in(self, monkeypatch):
        monkeypatch.setenv("OVEARTH_USER", "eva")
        assert person_of() == Person("eva", "annotator")
        monkeypatch.setenv("OVEARTH_ROLE", "manager")
        assert person_of() == Person("eva", "manager")
        assert person_of("Anna", "annotator") == ANNA
        monkeypatch.delenv("OVEARTH_USER")
        monkeypatch.setenv("LOGNAME", "login")
        assert person_of().name == "login"


class TestWhatIsSaidBesides:
    def test_a_comment_is_pinned_to_a_pixel_or_to_degrees_alike(self, drawn):
        dataset, _, target_id = drawn
        by_pixel = acted(dataset, BEN, "comment", target_id, Said("here", pin=Pin(1000, 800)))
        there = Pin(by_pixel.lon, by_pixel.lat, in_degrees=True)
        by_degrees = acted(dataset, BEN, "comment", target_id, Said("here", pin=there))
        assert (by_degrees.lon, by_degrees.lat) == (by_pixel.lon, by_pixel.lat)

    @pytest.mark.parametrize("pin", [
        Pin(-0.5, 3), Pin(1001, 3), Pin(3, 801), Pin(float("nan"), 3), Pin(50.0, 15.0, True),
        Pin(1e9, 1e9, True), Pin(float("inf"), 0, True)])  # fmt: skip
    def test_a_place_beside_the_image_is_refused(self, drawn, pin):
        dataset, _, target_id = drawn
        with pytest.raises(UsageError, match=r"is not on the image.*1000 by 800 pixels"):
            acted(dataset, BEN, "comment", target_id, Said("there", pin=pin))

    def test_a_comment_has_words_and_its_query_is_one_of_the_target(self, drawn):
        dataset, image, target_id = drawn
        other = drawn_by(dataset, image, BEN, FIELD)
        with dataset.writing() as edit:
            edit.add(QueryRow("q", other, "vocabulary", "positive", "field"))
        assert acted(dataset, MIA, "comment", other, Said("vague"), "q").query_id == "q"
        with pytest.raises(UsageError, match="query q is not one of its queries"):
            acted(dataset, MIA, "comment", target_id, Said("vague"), "q")
        with pytest.raises(InputError, match="no row x in queries"):
            acted(dataset, MIA, "comment", target_id, Said("vague"), "x")
        with pytest.raises(UsageError, match="without words"):
            acted(dataset, MIA, "comment", target_id, Said("\n"))

    def test_a_category_is_corrected_by_who_draws_or_by_a_manager_until_it_is_decided(self, drawn):
        dataset, _, target_id = drawn
        with pytest.raises(UsageError, match="recategorise is for whoever draws it"):
            acted(dataset, BEN, "recategorise", target_id, FIELD)
        acted(dataset, ANNA, "recategorise", target_id, FIELD)
        moved(dataset, ANNA, "submit", target_id)
        with pytest.raises(UsageError, match="it is submitted, and recategorise takes"):
            acted(dataset, ANNA, "recategorise", target_id, TANK)
        assert acted(dataset, MIA, "recategorise", target_id, TANK).category_id == TANK
        moved(dataset, MIA, "approve", target_id, GOOD)
        with pytest.raises(UsageError, match="it is approved, and keeps its category"):
            acted(dataset, MIA, "recategorise", target_id, FIELD)
        assert [r.who for r in lines(dataset) if r.action == "category"] == ["Anna", "mia"]

    def test_a_manager_hands_a_target_on_to_another_annotator(self, drawn):
        dataset, _, target_id = drawn
        with pytest.raises(UsageError, match="assign is for a manager"):
            acted(dataset, BEN, "assign", target_id, "ben")
        acted(dataset, MIA, "assign", target_id, "ben")
        assert lines(dataset, target_id)[-1].comment == "from Anna to ben"
        moved(dataset, BEN, "submit", target_id)
        with pytest.raises(UsageError, match="it is submitted, and assign takes"):
            acted(dataset, MIA, "assign", target_id, "Anna")


class TestRivals:
    def test_a_second_annotation_is_by_somebody_else(self, drawn):
        dataset, _, target_id = drawn
        with pytest.raises(UsageError, match="Anna draws it already"):
            acted(dataset, ANNA, "open_second", target_id)
        second = acted(dataset, BEN, "open_second", target_id)
        assert (second.rival_of, second.annotator, second.state) == (target_id, "ben", "draft")
        with pytest.raises(UsageError, match="ben draws it already"):
            acted(dataset, BEN, "open_second", second.id)
        third = acted(dataset, Person("cleo"), "open_second", second.id)
        assert third.rival_of == target_id
        with pytest.raises(UsageError, match="ben draws it already"):
            acted(dataset, MIA, "assign", third.id, "ben")

    def test_choosing_approves_one_rejects_the_other_and_brings_the_queries_along(self, tmp_path):
        dataset, first, other = twice_drawn(tmp_path, shifted(2))
        moved(dataset, MIA, "choose", other, replace(GOOD, comment="finer outline"))
        states = (target(dataset, first).state, target(dataset, other).state)
        assert states == ("rejected", "approved")
        assert target(dataset, first).changed_why == f"target {other} was chosen over it"
        with dataset.reading() as view:
            assert {query.target_id for query in view.queries()} == {other}
            assert len(list(view.instances(first))) == 1
        (line,) = (r for r in lines(dataset, other) if r.action == "choose")
        assert line.extra == {"over": [first], "queries_moved": ["v", "n"]}

    def test_a_choice_can_be_made_anew(self, tmp_path):
        dataset, first, other = twice_drawn(tmp_path)
        moved(dataset, MIA, "choose", other, GOOD)
        moved(dataset, ZOE, "choose", first, GOOD)
        states = (target(dataset, first).state, target(dataset, other).state)
        assert states == ("approved", "rejected")

    def test_two_annotations_of_the_same_are_never_both_approved(self, tmp_path):
        dataset, first, other = twice_drawn(tmp_path)
        moved(dataset, MIA, "approve", first, GOOD)
        with pytest.raises(UsageError, match=f"target {first} is another .* is approved.*choose"):
            moved(dataset, MIA, "approve", other, GOOD)

    def test_who_drew_one_of_them_does_not_choose(self, tmp_path):
        dataset, first, other = twice_drawn(tmp_path)
        for chosen, drawer in ((first, other), (other, first)):
            for name in ("Ben", "anna"):
                with pytest.raises(UsageError, match=rf"drew (it|target {drawer}), and choose"):
                    moved(dataset, Person(name, "manager"), "choose", chosen, GOOD)

    def test_what_is_still_drawn_is_waited_for(self, tmp_path):
        dataset, first, other = twice_drawn(tmp_path)
        moved(dataset, MIA, "return", other, Said("sloppy"))
        with pytest.raises(UsageError, match=f"target {other}, .* is returned.*wait until"):
            moved(dataset, MIA, "choose", first, GOOD)

    def test_one_alone_is_no_choice(self, drawn):
        dataset, _, target_id = drawn
        moved(dataset, ANNA, "submit", target_id)
        with pytest.raises(UsageError, match="no other annotation"):
            moved(dataset, MIA, "choose", target_id, GOOD)

    def test_rivals_in_a_circle_made_by_hand_hold_nobody_up(self, tmp_path):
        dataset, first, other = twice_drawn(tmp_path)
        with dataset.writing() as edit:
            edit.update(replace(edit.target(first), rival_of=other))
        moved(dataset, MIA, "choose", other, GOOD)
        assert target(dataset, first).state == "rejected"


def test_a_log_that_was_added_to_by_hand_shows_where_it_does_not_fit(tmp_path):
    dataset, first, _ = twice_drawn(tmp_path)
    assert replay(lines(dataset)).gaps == ()
    forged = replace(lines(dataset)[0], id=99, action="state", from_state="approved",
                     to_state="rejected")  # fmt: skip
    assert replay([*lines(dataset), forged]).gaps == (99,)
    assert replay([*lines(dataset), forged]).states[first] == "rejected"


def test_what_another_program_changed_without_a_name_stands_in_the_history_as_such(drawn):
    dataset, _, target_id = drawn
    with connected(dataset.path) as connection:
        connection.execute("UPDATE targets SET state = 'submitted' WHERE id = ?", (target_id,))
    row = list(history_rows(lines(dataset, target_id)))[-1]
    assert row[2:5] == ("unknown (edited without a name)", "–", "draft → submitted")
    assert replay(lines(dataset)).states == {target_id: "submitted"}


def test_the_history_of_a_removed_target_stays(drawn):
    dataset, _, target_id = drawn
    acted(dataset, MIA, "comment", target_id, Said("gone soon", pin=Pin(5, 5)))
    with dataset.writing(MIA.name, MIA.role) as edit:
        edit.remove_target(target_id)
    with dataset.reading() as view:
        document = history_json(view, view.reviews(target_id))
    assert [line["action"] for line in document] == ["created", "comment", "removed"]
    assert [line["pixel"] for line in document] == [None, None, None]
    assert replay(lines(dataset)).states == {}
