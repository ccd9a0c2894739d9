"""What reviewers make of a text: the majority decides, nothing is lost, and agreement is true."""

from collections import Counter
from dataclasses import replace
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.dataset import JudgementRow, QueryRow
from ovearth_core.dataset.judging import (
    alpha,
    check_judgement,
    contested_queries,
    human_pass,
    judge,
    question_of,
    settle,
    verdicts_of,
)
from ovearth_core.dataset.review import (
    Person,
    decide,
    edit_text,
    read_sample,
    review_session,
    take_correction,
)
from ovearth_core.errors import UsageError

from .datasets import SQUARE, TANK, made

WORDS = {
    "accept": {},
    "edit": {"new_text": "tank", "reason": "too narrow"},
    "remove": {"reason": "wrong"},
}


def said(who, decision="accept", text="white tank", query_id="q1", **more):
    return JudgementRow(
        None, query_id, 1, text, decision, **(WORDS[decision] | {"who": who} | more)
    )


@pytest.fixture
def dataset(tmp_path):
    dataset, image = made(tmp_path)
    with dataset.writing("anna") as edit:
        tank = edit.add_instance(image.id, TANK, SQUARE).target_id
        edit.add(QueryRow("q1", tank, "vocabulary", "positive", "white tank", state="proposed"))
        edit.add(QueryRow("n1", tank, "vocabulary", "negative", "silo", state="proposed"))
        edit.add(QueryRow("r1", tank, "referring", "positive", "left tank", state="proposed"))
    return dataset


def judged(dataset, *rows, needed=1):
    with dataset.writing() as edit:
        return [judge(edit, row, needed) for row in rows]


def query(dataset, query_id="q1"):
    with dataset.reading() as view:
        return view.query(query_id)


class TestOneJudgement:
    def test_each_kind_of_text_is_asked_what_the_papers_experts_are_asked(self):
        assert "granularity" in question_of("vocabulary", "positive").sentence
        assert "unambiguously absent" in question_of("vocabulary", "negative").sentence
        for task in ("referring", "reasoning"):
            assert "no other visible object" in question_of(task, "positive").sentence

    @pytest.mark.parametrize(
        ("decision", "more", "words"),
        [
            ("keep", {}, "no decision 'keep'"),
            ("accept", {"answer": "maybe"}, "no answer 'maybe'"),
            ("accept", {"answer": "no"}, "accepted, but the question is answered with no"),
            ("accept", {"new_text": "tank"}, "a new text, but the decision is 'accept'"),
            ("edit", {"reason": "r"}, "'edit' without a new text"),
            ("edit", {"reason": "r", "new_text": " white  tank "}, "the new text is the old one"),
            ("edit", {"reason": "r", "new_text": "a\nb"}, "control character"),
            ("edit", {"reason": "r", "new_text": "a" * 2001}, "2001 characters"),
            ("edit", {"new_text": "tank"}, "'edit' without a reason"),
            ("remove", {}, "'remove' without a reason"),
        ],
    )
    def test_one_that_contradicts_itself_is_refused(self, decision, more, words):
        with pytest.raises(UsageError, match=words):
            check_judgement(JudgementRow(None, "q1", 1, "white tank", decision, **more))

    def test_no_is_reason_enough(self):
        check_judgement(JudgementRow(None, "q1", 1, "white tank", "remove", answer="no"))

    def test_the_first_text_stays_whatever_is_edited(self, dataset):
        assert judged(dataset, said("anna", "edit")) == ["edited"]
        found = query(dataset)
        assert (found.text, found.original_text, found.state) == ("tank", "white tank", "accepted")

    def test_said_again_it_is_not_stored_again(self, dataset):
        assert judged(dataset, said("anna"), said("Anna ")) == ["accepted", "repeated"]
        with dataset.reading() as view:
            assert len(list(view.judgements())) == 1

    def test_what_the_check_found_goes_with_the_old_text_and_the_models_word_stays(self, dataset):
        with dataset.writing() as edit:
            edit.update(replace(edit.query("q1"), flags=("present", "doubled-text")))
        judged(dataset, said("anna"))
        assert query(dataset).flags == ("present", "doubled-text")
        judged(dataset, said("anna", "edit"))
        assert query(dataset).flags == ("present",)


class TestInReview:
    def test_what_is_decided_at_once_counts_as_a_judgement_too(self, dataset):
        with review_session(dataset, Person("anna")) as session:
            edit_text(session, "q1", "tank")
            decide(session, "q1", "accepted")
            decide(session, "q1", "accepted")
            decide(session, "n1", "removed")
        with dataset.reading() as view:
            rows = list(view.judgements())
            found = {each.kind: each for each in human_pass(view)}
        assert [(r.query_id, r.who, r.text, r.decision, r.new_text) for r in rows] == [
            ("q1", "anna", "white tank", "edit", "tank"),
            ("q1", "anna", "tank", "accept", None),
            ("n1", "anna", "silo", "remove", None),
        ]
        assert found["positive vocabulary"].judged == 1
        # Sheets that come in later are counted with it.
        outcomes = judged(dataset, said("b", "accept", "silo", "n1"))
        assert outcomes == ["contested"] and query(dataset, "n1").state == "proposed"

    def test_a_correction_is_taken_as_an_edit_and_the_first_text_stays(self, dataset):
        with dataset.writing() as edit:
            flags = ("corrected", "wrong-direction")
            edit.update(replace(edit.query("q1"), correction="grey tank", flags=flags))
        with review_session(dataset, Person("anna")) as session:
            take_correction(session, "q1")
            for query_id in ("q1", "n1"):
                with pytest.raises(UsageError, match="no other text is proposed"):
                    take_correction(session, query_id)
        found = query(dataset)
        assert (found.text, found.original_text) == ("grey tank", "white tank")
        assert (found.flags, found.correction) == (("corrected",), "grey tank")
        with dataset.reading() as view:
            (row,) = view.judgements("q1")
            logged = [(r.action, r.comment) for r in view.reviews(found.target_id)][-1]
        assert (row.decision, row.text, row.new_text) == ("edit", "white tank", "grey tank")
        assert logged == ("take correction", "'white tank' became 'grey tank'")

    def test_beside_a_text_stand_the_last_words_about_it(self, dataset):
        judged(dataset, said("a", "remove"), said("a"), said("b", "remove"))
        with dataset.reading() as view:
            sample = read_sample(view, Person("anna"), 1, 1)
        found = verdicts_of(sample.queries, sample.judgements)
        assert [row.who for row in found["q1"].last] == ["a", "b"]
        assert found["q1"].counts == (("accept", 1), ("remove", 1))
        assert (found["q1"].earlier, found["q1"].is_contested) == (1, True)
        assert found["n1"].counts == () and not found["n1"].is_contested


class TestThreeReviewers:
    def test_two_of_three_decide(self, dataset):
        outcomes = judged(dataset, said("a", "remove"), said("b", "edit"), said("c", "edit"))
        assert outcomes == ["removed", "contested", "edited"]
        assert (query(dataset).state, query(dataset).text) == ("accepted", "tank")

    def test_without_a_majority_the_text_is_open_as_it_was(self, dataset):
        rows = [said("a", "edit"), said("b", "edit", new_text="tanks"), said("c", "remove")]
        assert judged(dataset, *rows)[-1] == "contested"
        assert (query(dataset).state, query(dataset).text) == ("proposed", "white tank")
        with dataset.reading() as view:
            found = contested_queries(view.queries(), view.judgements())
        assert [each.id for each in found] == ["q1"]

    def test_a_final_word_settles_what_is_contested(self, dataset):
        judged(dataset, said("a"), said("b", "remove"))
        assert judged(dataset, said("mia", "remove", is_final=True), said("c")) == ["removed"] * 2
        assert query(dataset).state == "removed"

    def test_nothing_changes_before_as_many_have_judged_as_are_needed(self, dataset):
        assert judged(dataset, said("a"), said("b"), needed=3) == ["waiting", "waiting"]
        assert query(dataset).state == "proposed"
        assert judged(dataset, said("c", "remove"), needed=3) == ["accepted"]

    def test_who_changes_his_mind_counts_once(self, dataset):
        judged(dataset, said("a", "remove"), said("b", "remove"))
        assert judged(dataset, said("a"), said("b")) == ["contested", "accepted"]

    def test_what_is_said_of_a_text_that_changed_since_is_kept_without_effect(self, dataset):
        judged(dataset, said("a", "edit"), said("b", text="tank"))
        assert judged(dataset, said("c", "remove")) == ["stale"]
        assert (query(dataset).state, query(dataset).text) == ("accepted", "tank")
        with dataset.reading() as view:
            assert len(list(view.judgements("q1"))) == 3

    @given(
        st.lists(
            st.sampled_from([("accept", None), ("edit", "x"), ("edit", "y"), ("remove", None)]),
            min_size=1,
            max_size=5,
        )
    )
    def test_the_order_of_reviewers_does_not_matter_and_only_a_majority_settles(self, votes):
        rows = [
            JudgementRow(None, "q", 1, "t", decision, new_text=new, reason="r", who=str(number))
            for number, (decision, new) in enumerate(votes)
        ]
        (winner, count), *_ = Counter(votes).most_common(1)
        expected = ("proposed", "t", True)
        if count > len(votes) / 2:
            state = "removed" if winner[0] == "remove" else "accepted"
            expected = (state, winner[1] or "t", False)
        for order in list(permutations(rows))[:20]:
            found = settle("t", order)
            assert (found.state, found.text, found.is_contested) == expected


def direct_alpha(units):
    """Alpha from its definition: values of all units that have two, each pair of them counted."""
    units = [unit for unit in units if len(unit) > 1]
    values = [value for unit in units for value in unit]
    n = len(values)
    observed = sum(
        sum(a != b for i, a in enumerate(unit) for j, b in enumerate(unit) if i != j)
        / (len(unit) - 1)
        for unit in units
    )
    expected = sum(a != b for i, a in enumerate(values) for j, b in enumerate(values) if i != j)
    return None if not expected else 1.0 - (observed / n) / (expected / (n * (n - 1)))


class TestAgreement:
    @given(st.lists(st.lists(st.sampled_from("aer"), max_size=4), max_size=12))
    def test_alpha_is_what_its_definition_gives(self, units):
        expected, found = direct_alpha(units), alpha(units)
        assert (found is None) == (expected is None)
        if expected is not None:
            assert found == pytest.approx(expected, abs=1e-12)

    def test_alpha_is_that_of_a_published_example(self):
        # Krippendorff 2011, "Computing Krippendorff's Alpha-Reliability", nominal data, section C.
        rows = ["*****3 4 1 2 1 1 3 3 * 3", "1 * 2 1 3 3 4 3 * * * * * * *",
                "* * 2 1 3 4 4 * 2 1 1 3 3 * 4"]  # fmt: skip
        rows[0] = "* * * * * 3 4 1 2 1 1 3 3 * 3"
        units = [[v for v in unit if v != "*"] for unit in zip(*map(str.split, rows), strict=True)]
        assert alpha(units) == pytest.approx(0.691358, abs=1e-6)

    def test_the_last_word_of_each_counts_and_what_nobody_else_judged_does_not(self, dataset):
        judged(
            dataset, said("a"), said("b", "remove"), said("b"), said("c", "remove"),
            said("a", "remove", "silo", "n1"), said("b", "remove", "silo", "n1"),
            said("a", "accept", "left tank", "r1"),
        )  # fmt: skip
        with dataset.reading() as view:
            found = {each.kind: each for each in human_pass(view)}
        first = found["positive vocabulary"]
        assert (first.reviewers, first.judged, first.contested) == (3, 1, 0)
        assert first.decisions.alpha == pytest.approx(direct_alpha([["a", "a", "r"]]))
        negative = found["negative vocabulary"]
        assert (negative.decisions.texts, negative.decisions.same) == (1, 1)
        assert negative.decisions.alpha is None and "–" in negative.cells()
        assert found["positive referring"].decisions.texts == 0

    def test_what_people_changed_is_counted_by_kind_beside_the_papers_shares(self, dataset):
        judged(dataset, said("a", "remove", "left tank", "r1"), said("a", "accept", "silo", "n1"))
        with dataset.reading() as view:
            found = {each.kind: each for each in human_pass(view)}
        referring, negative = found["positive referring"], found["negative vocabulary"]
        assert referring.shares["changed or removed"].share == 1.0 and referring.paper == 0.573
        assert negative.shares["changed"].share == 0.0 and negative.paper == 0.16
        assert found["positive vocabulary"].shares["changed"].share is None
        assert "57.3 % changed or removed" in referring.cells()
