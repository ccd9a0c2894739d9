"""A review sheet goes out, is filled in by people, and comes back as judgements."""

import io
import json
import re
import warnings
from dataclasses import replace
from zipfile import ZipFile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from openpyxl import load_workbook
from PIL import Image

from ovearth_core.dataset import QueryRow
from ovearth_core.dataset.review import Person
from ovearth_core.queries.sheet import importing
from ovearth_core.queries.sheet.cell_text import cell_of, seen, text_of
from ovearth_core.queries.sheet.row_id import RowId

from .sheets import (
    dataset_of,
    exported,
    filled,
    judgements,
    ran,
    rows_of,
    state,
    write_rows,
)

KINDS = pytest.mark.parametrize("kind", ["csv", "xlsx"])
EDIT = {"answer": "no", "decision": "edit", "new text": "tank", "reason": "too narrow"}
REMOVE = {"decision": "remove", "reason": "there is one"}


@pytest.fixture
def dataset(tmp_path):
    return dataset_of(tmp_path)


def taken_in(dataset, path, by, *options):
    assert ran(dataset.folder, "--import", path, "--by", by, *options) == 0


def stops_after(count, action):
    """Let an action be done so often, and be interrupted the next time."""
    left = iter(range(count))

    def stopping(*words):
        if next(left, None) is None:
            raise KeyboardInterrupt
        return action(*words)

    return stopping


class TestWhatGoesOut:
    @KINDS
    def test_each_text_has_a_row_with_its_question(self, dataset, tmp_path, kind):
        rows = rows_of(exported(dataset, tmp_path / f"sheet.{kind}"))
        assert [row["query id"] for row in rows] == [k + n for n in "12" for k in "vnfs"]
        first, second, third, fourth = rows[:4]
        assert "granularity" in first["question"] and "absent" in second["question"]
        assert "no other visible" in third["question"] and third["question"] == fourth["question"]
        assert (first["text"], first["category"]) == ("white tank 1", "Storage tank")
        assert all(row["decision"] == row["answer"] == "" for row in rows)

    def test_removed_texts_and_rejected_targets_are_left_out(self, dataset, tmp_path):
        with dataset.writing() as edit:
            edit.update(replace(edit.query("v1"), state="removed"))
            edit.set_state(2, "rejected")
        rows = rows_of(exported(dataset, tmp_path / "sheet.csv"))
        assert [row["query id"] for row in rows] == ["n1", "f1", "s1"]
        assert rows[0]["row id"].startswith("1of3-Q2-")

    def test_what_checks_and_the_verifying_model_found_is_shown(self, dataset, tmp_path):
        with dataset.writing() as edit:
            edit.update(replace(edit.query("f1"), flags=("corrected",), correction="the south one",
                                verified_why="it is below"))  # fmt: skip
        rows = rows_of(exported(dataset, tmp_path / "sheet.csv"))
        assert rows[2]["found"] == "corrected; better: the south one; it is below"

    def test_every_row_has_a_thumbnail_with_the_target_outlined_in_red(self, dataset, tmp_path):
        book = load_workbook(exported(dataset, tmp_path / "sheet.xlsx"))
        shown = {image.anchor._from.row: image for image in book["Texts"]._images}
        assert sorted(shown) == list(range(1, 9))
        # The whole image, for a negative: the outline is where the tank was drawn.
        for row, (x, y) in ((2, (60, 60)), (6, (140, 120))):
            pixels = np.asarray(Image.open(io.BytesIO(shown[row]._data())).convert("RGB"), int)
            is_red = pixels[..., 0] - pixels[..., 1:].max(axis=2) > 60
            for found, middle in zip(np.nonzero(is_red), (y, x), strict=True):
                at = (found + 0.5) * 200 / 160
                assert abs((at.min() + at.max()) / 2 - middle) < 1
                assert 30 < np.ptp(at) < 38

    def test_large_pictures_are_on_their_own_sheet_a_click_away(self, dataset, tmp_path):
        book = load_workbook(exported(dataset, tmp_path / "sheet.xlsx"))
        assert len(book["Pictures"]._images) >= 2
        links = {c.value: c.hyperlink.location for c in book["Texts"]["C"][1:]}
        assert links == {"1": "Pictures!A2", "2": "Pictures!A3"}
        assert [c.value for c in book["Pictures"]["A"]] == ["target", "1", "2"]

    def test_a_picture_is_stored_once_however_many_rows_show_it(self, dataset, tmp_path):
        with ZipFile(exported(dataset, tmp_path / "sheet.xlsx")) as archive:
            names = [name for name in archive.namelist() if "media" in name]
        assert len(names) == len(set(names)) < 16

    def test_answers_come_from_lists_and_only_they_can_be_filled_in(self, dataset, tmp_path):
        sheet = load_workbook(exported(dataset, tmp_path / "sheet.xlsx"))["Texts"]
        heads = {cell.value: cell for cell in sheet[1]}
        lists = {str(v.sqref): v.formula1 for v in sheet.data_validations.dataValidation}
        letter = {name: cell.column_letter for name, cell in heads.items()}
        assert lists == {
            f"{letter['answer']}2:{letter['answer']}9": '"yes,no,unsure"',
            f"{letter['decision']}2:{letter['decision']}9": '"accept,edit,remove"',
        }
        assert sheet.protection.sheet
        is_open = {name for name, cell in heads.items()
                   if not sheet[f"{cell.column_letter}5"].protection.locked}  # fmt: skip
        assert is_open == {"answer", "decision", "new text", "reason"}

    def test_a_target_whose_picture_is_lost_has_its_rows_all_the_same(
        self, dataset, tmp_path, capsys
    ):
        (dataset.folder / "images" / "1.tif").unlink()
        path = exported(dataset, tmp_path / "sheet.xlsx")
        assert "no picture: target 1: the image's file is not at hand" in capsys.readouterr().err
        assert len(rows_of(path)) == 8

    def test_without_pictures_it_needs_no_image(self, dataset, tmp_path, capsys):
        (dataset.folder / "images" / "1.tif").unlink()
        path = exported(dataset, tmp_path / "sheet.xlsx", "--no-pictures")
        assert capsys.readouterr().err == ""
        assert not load_workbook(path)["Texts"]._images

    @KINDS
    def test_no_text_of_anybody_is_a_formula(self, dataset, tmp_path, kind):
        texts = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "＝1", "'=1", "#N/A", '=HYPERLINK("x")']
        with dataset.writing() as edit:
            for number, text in enumerate(texts):
                edit.add(QueryRow(f"=q{number}", 1, "vocabulary", "positive", text))
        path = exported(dataset, tmp_path / f"sheet.{kind}")
        rows = [row for row in rows_of(path) if row["query id"].startswith("'=q")]
        assert [text_of(row["text"]) for row in rows] == [seen(text) for text in texts]
        if kind == "xlsx":
            cells = [cell for row in load_workbook(path)["Texts"] for cell in row]
            assert {cell.data_type for cell in cells} == {"s", "n"}
            assert all(cell.value is None for cell in cells if cell.data_type == "n")
        else:
            assert not any(value[:1] in "=+-@\t" for row in rows for value in row.values() if value)
        # And they come back as what they are.
        filled_in = filled(path, tmp_path / f"b.{kind}", {f"'=q{n}": {"answer": "yes"}
                           for n in range(len(texts))})  # fmt: skip
        taken_in(dataset, filled_in, "ben")
        assert [row.text for row in judgements(dataset)] == texts


class TestWhatComesBack:
    @KINDS
    def test_accepted_edited_and_removed_with_the_first_text_kept(self, dataset, tmp_path, kind):
        sheet = exported(dataset, tmp_path / f"sheet.{kind}")
        answers = {"v1": {"answer": "yes"}, "f1": EDIT, "n1": REMOVE,
                   "s1": {"decision": "Accept ", "answer": "unsure"}}  # fmt: skip
        taken_in(dataset, filled(sheet, tmp_path / f"anna.{kind}", answers), "anna")
        found = state(dataset)
        assert found["v1"] == ("accepted", "white tank 1", None)
        assert found["f1"] == ("accepted", "tank", "the tank in the north 1")
        assert found["n1"] == ("removed", "silo 1", None)
        assert found["s1"][0] == "accepted" and found["v2"][0] == "proposed"
        said = {row.query_id: row for row in judgements(dataset)}
        assert (said["f1"].who, said["f1"].answer, said["f1"].reason) == (
            "anna", "no", "too narrow")  # fmt: skip
        assert said["f1"].text == "the tank in the north 1" and said["f1"].origin == "sheet"

    def test_three_reviewers_of_one_export_decide_by_majority(self, dataset, tmp_path, capsys):
        sheet = exported(dataset, tmp_path / "sheet.csv")
        for name, answers in (
            ("anna", {"n1": REMOVE, "f1": EDIT, "v1": {"answer": "yes"}}),
            ("ben", {"n1": {"decision": "accept"}, "f1": EDIT, "v1": EDIT}),
            ("cleo", {"n1": REMOVE, "f1": {"decision": "accept"}, "v1": REMOVE}),
        ):
            taken_in(dataset, filled(sheet, tmp_path / f"{name}.csv", answers), name)
        found = state(dataset)
        assert found["n1"][0] == "removed" and found["f1"][:2] == ("accepted", "tank")
        assert found["v1"] == ("proposed", "white tank 1", None)
        out = capsys.readouterr().out
        assert "by cleo: 3 judgements: 1 edited, 1 removed, 1 contested (no majority)" in out
        # What they don't agree about goes out alone, and one of them, or another, decides.
        open_texts = exported(dataset, tmp_path / "open.csv", "--contested")
        assert [row["query id"] for row in rows_of(open_texts)] == ["v1"]
        taken_in(dataset, filled(open_texts, tmp_path / "mia.csv", {"v1": {"answer": "yes"}}),
                 "mia", "--final")  # fmt: skip
        assert state(dataset)["v1"][0] == "accepted"
        assert ran(dataset.folder, "--export", tmp_path / "none.csv", "--contested") == 2

    def test_what_takes_three_waits_for_three(self, dataset, tmp_path):
        sheet = exported(dataset, tmp_path / "sheet.csv")
        for name, expected in (("a", "proposed"), ("b", "proposed"), ("c", "accepted")):
            mine = filled(sheet, tmp_path / f"{name}.csv", {"v1": {"answer": "yes"}})
            taken_in(dataset, mine, name, "--needed", 3)
            assert state(dataset)["v1"][0] == expected

    @KINDS
    def test_moved_rows_and_columns_are_found_by_their_ids(self, dataset, tmp_path, kind):
        sheet = exported(dataset, tmp_path / f"sheet.{kind}")
        answers = {"v1": {"answer": "yes"}, "n2": REMOVE}
        moved = filled(sheet, tmp_path / f"moved.{kind}", answers, lambda rows: [
            dict(reversed(row.items())) for row in reversed(rows)])  # fmt: skip
        taken_in(dataset, moved, "anna")
        assert state(dataset)["v1"][0] == "accepted" and state(dataset)["n2"][0] == "removed"

    def test_removed_rows_are_said_and_nothing_happens_to_their_texts(
        self, dataset, tmp_path, capsys
    ):
        sheet = exported(dataset, tmp_path / "sheet.csv")
        answers = {f"{k}1": {"answer": "yes"} for k in "vnfs"}
        short = filled(sheet, tmp_path / "s.csv", answers, lambda rows: rows[:1] + rows[2:5])
        taken_in(dataset, short, "anna")
        printed = capsys.readouterr()
        assert printed.err == (
            "note: 4 of the 8 rows exported are not in the sheet (2, 6, 7, 8), and are not judged\n"
        )
        assert "3 judgements: 3 accepted, 1 not filled in" in printed.out
        assert state(dataset)["n1"][0] == "proposed"

    def test_taken_in_twice_it_is_stored_once(self, dataset, tmp_path, capsys):
        sheet = exported(dataset, tmp_path / "sheet.csv")
        mine = filled(sheet, tmp_path / "m.csv", {"v1": {"answer": "yes"}, "f1": EDIT})
        taken_in(dataset, mine, "anna")
        before = judgements(dataset), state(dataset)
        taken_in(dataset, mine, "anna")
        assert (judgements(dataset), state(dataset)) == before
        assert "2 said before" in capsys.readouterr().out

    def test_stopped_in_the_middle_it_is_taken_in_again_and_nothing_counts_twice(
        self, dataset, tmp_path, monkeypatch
    ):
        sheet = exported(dataset, tmp_path / "sheet.csv")
        answers = {k + n: {"answer": "yes"} for n in "12" for k in "vnfs"}
        mine = filled(sheet, tmp_path / "m.csv", answers)
        with monkeypatch.context() as patch:
            patch.setattr(importing, "judge", stops_after(3, importing.judge))
            with pytest.raises(KeyboardInterrupt):
                checked = importing.check_sheet(dataset, mine, Person("anna"))
                importing.store_sheet(dataset, checked, Person("anna"))
        taken_in(dataset, mine, "anna")
        assert len(judgements(dataset)) == 8
        assert {found[0] for found in state(dataset).values()} == {"accepted"}

    def test_a_text_that_changed_since_keeps_what_was_said_of_the_old_one(
        self, dataset, tmp_path, capsys
    ):
        sheet = exported(dataset, tmp_path / "sheet.csv")
        with dataset.writing("mia") as edit:
            edit.update(replace(edit.query("v1"), text="tank of oil", state="accepted"))
        taken_in(dataset, filled(sheet, tmp_path / "m.csv", {"v1": REMOVE}), "anna")
        assert "1 about a text that was changed since" in capsys.readouterr().out
        assert state(dataset)["v1"][:2] == ("accepted", "tank of oil")
        assert judgements(dataset)[0].text == "white tank 1"

    def test_a_workbook_that_another_program_saved_without_styles_is_read_silently(
        self, dataset, tmp_path, capsys
    ):
        source = filled(exported(dataset, tmp_path / "s.xlsx"), tmp_path / "m.xlsx",
                        {"v1": {"answer": "yes"}})  # fmt: skip
        bare = tmp_path / "bare.xlsx"
        with ZipFile(source) as old, ZipFile(bare, "w") as new:
            for name in old.namelist():
                whole = old.read(name)
                if name == "xl/styles.xml":
                    whole = re.sub(rb"<cellStyles.*</cellStyles>", b"", whole)
                new.writestr(name, whole)
        capsys.readouterr()
        with warnings.catch_warnings(record=True) as heard:
            warnings.simplefilter("always")
            taken_in(dataset, bare, "anna")
        assert heard == [] and capsys.readouterr().err == ""
        assert state(dataset)["v1"][0] == "accepted"

    def test_a_column_of_a_reviewers_own_may_have_formulas(self, dataset, tmp_path):
        path = exported(dataset, tmp_path / "sheet.xlsx", "--no-pictures")
        book = load_workbook(path)
        sheet = book["Texts"]
        own = sheet.max_column + 1
        sheet.cell(1, own).value, sheet.cell(2, own).value = "mine", "=COUNTA(M:M)"
        place = [cell.value for cell in sheet[1]].index("answer") + 1
        sheet.cell(2, place).value = "yes"
        book.save(path)
        taken_in(dataset, path, "anna")
        assert state(dataset)["v1"][0] == "accepted"

    @pytest.mark.parametrize("delimiter", [";", "\t", ","])
    def test_semicolons_tabs_and_stripped_apostrophes_of_other_programs_are_read(
        self, dataset, tmp_path, delimiter
    ):
        with dataset.writing() as edit:
            edit.update(replace(edit.query("v1"), text="-1, or; so"))
        rows = rows_of(exported(dataset, tmp_path / "sheet.csv"))
        rows[0]["answer"], rows[0]["text"] = "yes", "-1, or; so"
        taken_in(dataset, write_rows(tmp_path / "m.csv", rows, delimiter=delimiter), "anna")
        assert judgements(dataset)[0].text == "-1, or; so"

    def test_statistics_say_what_people_changed_and_how_far_they_agree(
        self, dataset, tmp_path, capsys
    ):
        sheet = exported(dataset, tmp_path / "sheet.csv")
        yes = {"answer": "yes"}
        for name, answers in (
            ("a", {"f1": EDIT, "f2": yes, "n1": yes, "n2": REMOVE}),
            ("b", {"f1": EDIT, "f2": yes, "n1": yes}),
            ("c", {"f1": EDIT, "f2": EDIT, "n1": yes}),
        ):
            taken_in(dataset, filled(sheet, tmp_path / f"{name}.csv", answers), name)
        capsys.readouterr()
        assert ran(dataset.folder, "--stats", "--json", tmp_path / "s.json") == 0
        table = capsys.readouterr().out
        found = json.loads((tmp_path / "s.json").read_text())
        referring = found["positive_referring"]
        assert referring["changed_or_removed"] == {"count": 1, "of": 2, "share": 0.5}
        assert (referring["paper"], referring["reviewers"], referring["judged"]) == (0.573, 3, 2)
        # edit x 3; accept, accept, edit: observed 1/3, expected 8/15.
        assert referring["decisions"]["alpha"] == pytest.approx(1 - (1 / 3) / (8 / 15))
        assert found["negative_vocabulary"]["decisions"] == {"texts": 1, "same": 1, "alpha": None}
        assert found["negative_vocabulary"]["removed"]["count"] == 1
        assert "0.375" in table and "57.3 % changed or removed" in table and "–" in table


class TestTextsInCells:
    @given(st.text(max_size=12))
    def test_a_text_comes_back_whether_or_not_a_program_takes_the_apostrophe(self, text):
        cell = cell_of(text)
        assert text_of(cell) == seen(text)
        assert cell[:1] not in tuple("=+-@＝＋－＠\t\r\n")
        if not text.startswith("'"):
            assert text_of(cell.removeprefix("'")) == seen(text)

    @given(st.integers(1, 10**6), st.integers(1, 10**9), st.text(max_size=9), st.text(max_size=9))
    def test_a_row_id_is_read_as_it_was_made_and_knows_its_text(self, place, number, query, text):
        made = RowId.made(place, 10**6, number, query, text)
        assert RowId.read(f" {made}\n") == made
        assert made.is_of(query) and made.has(text) and not made.has(text + " ")

    @given(st.data())
    def test_a_row_id_with_one_letter_retyped_is_no_longer_the_same_rows(self, data):
        made = str(RowId.made(12, 345, 6789, "q", "text"))
        at = data.draw(st.integers(0, len(made.rpartition("-")[0]) - 1))
        other = data.draw(st.sampled_from("0123456789ABCXYZof-Q").filter(lambda c: c != made[at]))
        read = RowId.read(made[:at] + other + made[at + 1 :])
        assert read is None or not read.is_of("q")


class TestPastedTexts:
    @KINDS
    def test_what_pasting_brings_along_unseen_is_taken_out(self, dataset, tmp_path, kind):
        sheet = exported(dataset, tmp_path / f"sheet.{kind}")
        pasted = {
            **EDIT,
            "new text": "the\u00a0white\u202ftank\u200b \ufeff",
            "reason": "too\u00a0wide",
        }
        taken_in(dataset, filled(sheet, tmp_path / f"a.{kind}", {"v1": pasted}), "anna")
        (judged,) = judgements(dataset)
        assert (judged.new_text, judged.reason) == ("the white tank", "too wide")
