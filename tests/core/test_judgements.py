"""Judgements of texts stand in the dataset, each by its own, whoever writes to the file."""

import sqlite3
from contextlib import closing

import pytest

from ovearth_core.dataset import JudgementRow, QueryRow
from ovearth_core.errors import InputError, UsageError

from .datasets import SQUARE, TANK, made


@pytest.fixture
def dataset(tmp_path):
    """One target with one text, q1."""
    dataset, image = made(tmp_path)
    with dataset.writing("anna") as edit:
        tank = edit.add_instance(image.id, TANK, SQUARE)
        edit.add(QueryRow("q1", tank.target_id, "vocabulary", "positive", "white tank"))
    return dataset


def stored(dataset, **more):
    given = {"query_id": "q1", "target_id": 1, "text": "white tank", "decision": "accept"} | more
    with dataset.writing("anna") as edit:
        return edit.add(JudgementRow(None, **given))


def test_a_judgement_comes_back_as_it_was_stored_signed_and_dated(dataset):
    row = stored(
        dataset, decision="edit", new_text="tank", answer="no", reason="all", is_final=True
    )
    assert row.who == "anna" and row.at.endswith("Z") and row.id == 1
    with dataset.reading() as view:
        assert list(view.judgements("q1")) == [row]
        assert list(view.judgements("q2")) == []


REPLACE = (
    "REPLACE INTO query_judgements (id, who, query_id, target_id, text, decision) "
    "VALUES (1, 'ben', 'q1', 1, 'white tank', 'remove')"
)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE query_judgements SET decision = 'remove'",
        "DELETE FROM query_judgements",
        REPLACE,
    ],
)
def test_no_program_can_change_remove_or_replace_a_judgement(dataset, statement):
    row = stored(dataset)
    refusal = pytest.raises(sqlite3.IntegrityError, match="judgements can only be added to")
    with closing(sqlite3.connect(dataset.path)) as connection, refusal:
        connection.execute(statement)
    with dataset.reading() as view:
        assert list(view.judgements()) == [row]
    with pytest.raises(UsageError, match="can only be added to"), dataset.writing() as edit:
        edit.update(row)


@pytest.mark.parametrize(
    "wrong",
    [
        {"query_id": "q9"},
        {"decision": "perhaps"},
        {"answer": "perhaps"},
        {"decision": "edit"},
        {"new_text": "tank"},
    ],
)
def test_a_judgement_that_makes_no_sense_is_refused_by_the_file(dataset, wrong):
    with pytest.raises(InputError):
        stored(dataset, **wrong)


def test_judgements_outlive_the_text_and_the_target_that_they_are_about(dataset):
    row = stored(dataset)
    with dataset.writing("anna") as edit:
        edit.remove_target(1)
    with dataset.reading() as view:
        assert list(view.judgements()) == [row]
