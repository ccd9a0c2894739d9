"""Sheets that can't be taken in: one line says which row and how to mend it, nothing is stored."""

import io
import sys
import zipfile

import pytest
from openpyxl import load_workbook

from ovearth_core.cli.main import main
from ovearth_core.queries.sheet import csv_file, reading, workbook_pictures, workbook_reading

from .sheets import dataset_of, exported, filled, judgements, ran, rows_of, state, write_rows

YES = {"answer": "yes"}


@pytest.fixture
def dataset(tmp_path):
    return dataset_of(tmp_path)


@pytest.fixture
def refused(dataset, capsys):
    """Take a sheet in that must be refused; return the one line that says why."""

    def refused(path, *options):
        before = state(dataset), judgements(dataset)
        capsys.readouterr()
        assert ran(dataset.folder, "--import", path, "--by", "anna", *options) == 2
        printed = capsys.readouterr()
        assert printed.out == "" and printed.err.count("\n") == 1
        assert printed.err.startswith("error: ") and "Traceback" not in printed.err
        assert (state(dataset), judgements(dataset)) == before
        return printed.err

    return refused


@pytest.fixture
def sheet(dataset, tmp_path):
    return exported(dataset, tmp_path / "sheet.csv")


def changed(sheet, tmp_path, change, answers=None):
    def apply(rows):
        change(rows)
        return rows

    return filled(sheet, tmp_path / "bad.csv", {"v2": YES} | (answers or {}), apply)


@pytest.mark.parametrize(
    ("column", "value", "words"),
    [
        ("row id", "", "row 3: no row id, copy it from the export, or remove the row"),
        ("row id", "17", "row 3: '17' is no row id, copy it from the export"),
        ("row id", "2of8-Q77-AAAAA-AAAAA", "row 3: '2of8-Q77-AAAAA-AAAAA' names no text of this"),
        ("row id", "2of8-Q2-AAAAA-AAAAA", "was retyped or is another dataset's"),
        ("query id", "n9", "row 3: the query id 'n9' was retyped, write 'n1'"),
        ("text", "another silo", "row 3: its text was changed in place, write it into the column"),
        ("decision", "keep", "row 3: no decision 'keep', give accept, edit, remove"),
        ("answer", "maybe", "row 3: no answer 'maybe', give yes, no, unsure"),
        ("new text", "other", "row 3: no decision, choose accept, edit or remove"),
        ("reason", "so", "row 3: no decision, choose accept, edit or remove"),
        ("decision", "remove", "row 3: 'remove' without a reason, give one, or answer"),
        ("decision", "edit", "row 3: 'edit' without a new text, write one, or choose remove"),
    ],
)
def test_a_row_is_refused_by_its_number_with_how_to_mend_it(
    refused, sheet, tmp_path, column, value, words
):
    def change(rows):
        rows[1][column] = value

    line = refused(changed(sheet, tmp_path, change))
    assert words in line
    assert line.endswith("bad.csv, nothing was imported\n")


def test_all_bad_rows_are_counted_and_the_first_named(refused, sheet, tmp_path):
    def change(rows):
        for row in rows[:7]:
            row["row id"] = "x"

    line = refused(changed(sheet, tmp_path, change))
    assert "row 2: " in line and "row 6: " in line and "row 7" not in line
    assert "; and 2 more rows" in line


def test_a_row_that_is_there_twice_is_refused(refused, sheet, tmp_path):
    path = changed(sheet, tmp_path, lambda rows: rows.append(dict(rows[0])))
    assert "row 10: the same text as row 2, remove one of them" in refused(path)


def test_the_sheet_of_another_dataset_is_refused(refused, tmp_path):
    other = dataset_of(tmp_path / "other", places=((60, 60),))
    with other.writing() as edit:
        from ovearth_core.dataset import QueryRow

        edit.remove_target(1)
        made = edit.open_target(1, 7)
        edit.add(QueryRow("x", made.id, "vocabulary", "positive", "tank"))
    path = exported(other, tmp_path / "theirs.csv")
    assert "row 2: " in refused(filled(path, tmp_path / "b.csv", {"x": YES}))


@pytest.mark.parametrize("column", ["row id", "text", "answer", "decision", "new text", "reason"])
def test_a_lost_column_is_named(refused, sheet, tmp_path, column):
    rows = rows_of(sheet)
    path = write_rows(tmp_path / "bad.csv", rows, [name for name in rows[0] if name != column])
    assert f"no column '{column}'" in refused(path)


class TestFiles:
    @pytest.mark.parametrize(
        ("name", "whole", "words"),
        [
            ("a.csv", b"", "an empty sheet"),
            ("a.csv", "Größe".encode("cp1252"), "not UTF-8"),
            ("a.csv", b'row id,text,answer,decision,new text,reason\n"1', "no CSV"),
            ("a.xlsx", b"no zip", "no workbook"),
            ("a.ods", b"", "save it as .xlsx or CSV"),
            ("a.pdf", b"", "not the name of a sheet"),
        ],
    )
    def test_what_is_no_sheet_is_refused(self, refused, tmp_path, name, whole, words):
        path = tmp_path / name
        path.write_bytes(whole)
        assert words in refused(path)

    def test_a_file_that_is_not_there_is_named(self, refused, tmp_path):
        for name in ("a.csv", "a.xlsx"):
            assert f"{name}, check the path" in refused(tmp_path / name)

    def test_a_cut_off_workbook_is_refused(self, refused, dataset, tmp_path):
        whole = exported(dataset, tmp_path / "s.xlsx").read_bytes()
        (tmp_path / "cut.xlsx").write_bytes(whole[: len(whole) // 2])
        assert "no workbook" in refused(tmp_path / "cut.xlsx")

    @pytest.mark.parametrize("entry", ["xl/worksheets/sheet1.xml", "xl/styles.xml",
                                       "xl/workbook.xml", "[Content_Types].xml"])  # fmt: skip
    def test_entities_in_any_part_are_refused_and_never_read(
        self, refused, dataset, tmp_path, entry
    ):
        secret = tmp_path / "secret.txt"
        secret.write_text("hidden word")
        attack = f'<!DOCTYPE x [<!ENTITY e SYSTEM "{secret.as_uri()}">]>'.encode()
        path = rezipped(
            exported(dataset, tmp_path / "s.xlsx"), tmp_path / "bad.xlsx",
            {entry: lambda whole: put_first(whole, attack)},
        )  # fmt: skip
        line = refused(path)
        assert "a document type or entities in its XML" in line and "hidden" not in line

    def test_a_zip_bomb_is_refused_before_it_is_unpacked(
        self, refused, dataset, tmp_path, monkeypatch
    ):
        monkeypatch.setattr(workbook_reading, "MOST_XML_BYTES", 10_000_000)
        path = rezipped(
            exported(dataset, tmp_path / "s.xlsx"), tmp_path / "bad.xlsx",
            {"xl/worksheets/sheet1.xml": lambda whole: whole + b" " * 20_000_000},
        )  # fmt: skip
        assert path.stat().st_size < 200_000
        assert "too much for a review sheet" in refused(path)

    def test_a_formula_in_a_cell_is_refused_not_computed(self, refused, dataset, tmp_path):
        path = exported(dataset, tmp_path / "s.xlsx", "--no-pictures")
        book = load_workbook(path)
        names = [cell.value for cell in book["Texts"][1]]
        book["Texts"].cell(4, names.index("new text") + 1).value = '=WEBSERVICE("http://x")'
        book.save(path)
        line = refused(path)
        assert (
            "a formula or an error ('=WEBSERVICE(\"http://x\")') in the column 'new text'" in line
        )
        assert "s.xlsx row 4, write a text in its place" in line

    def test_too_many_rows_are_refused(self, refused, sheet, tmp_path, monkeypatch):
        monkeypatch.setattr(csv_file, "MOST_READ_ROWS", 5)
        assert "more than 5 rows" in refused(sheet)
        monkeypatch.setattr(workbook_reading, "MOST_READ_ROWS", 5)
        path = write_rows(tmp_path / "a.xlsx", rows_of(sheet))
        assert "more than 5 rows" in refused(path)
        assert reading.MOST_READ_ROWS > 5


class TestMissingPackages:
    @pytest.mark.parametrize(
        ("package", "option", "name", "words"),
        [
            ("openpyxl", "--export", "s.xlsx", "pip install openpyxl, or export a .csv"),
            ("PIL", "--export", "s.xlsx", "pip install pillow, or --no-pictures"),
            ("openpyxl", "--import", "there.xlsx", "pip install openpyxl defusedxml, or"),
            ("defusedxml", "--import", "there.xlsx", "pip install openpyxl defusedxml, or"),
        ],
    )
    def test_a_missing_package_is_named_with_another_way(
        self, dataset, tmp_path, monkeypatch, capsys, package, option, name, words
    ):
        exported(dataset, tmp_path / "there.xlsx", "--no-pictures")
        capsys.readouterr()
        for module in [m for m in sys.modules if m.partition(".")[0] == package]:
            monkeypatch.delitem(sys.modules, module)
        monkeypatch.setitem(sys.modules, package, None)
        assert ran(dataset.folder, option, tmp_path / name) == 2
        printed = capsys.readouterr()
        assert words in printed.err and printed.err.count("\n") == 1
        assert not (tmp_path / "s.xlsx").exists()

    def test_csv_needs_none_of_them(self, dataset, tmp_path, monkeypatch):
        for package in ("openpyxl", "PIL", "defusedxml", "krippendorff"):
            monkeypatch.setitem(sys.modules, package, None)
        sheet = exported(dataset, tmp_path / "s.csv")
        mine = filled(sheet, tmp_path / "m.csv", {"v1": YES})
        assert ran(dataset.folder, "--import", mine, "--by", "anna") == 0
        assert ran(dataset.folder, "--stats") == 0


class TestExports:
    def test_a_failed_export_leaves_nothing_half_written(
        self, dataset, tmp_path, capsys, monkeypatch
    ):
        monkeypatch.setattr(workbook_pictures, "MOST_BYTES", 1000)
        assert ran(dataset.folder, "--export", tmp_path / "new" / "s.xlsx") == 2
        assert "MB of pictures" in (line := capsys.readouterr().err) and line.count("\n") == 1
        assert not (tmp_path / "new").exists()

    @pytest.mark.parametrize(
        ("options", "words"),
        [
            ([], "give one of --export, --import, --stats"),
            (["--export", "a.csv", "--stats"], "give one of --export, --import, --stats"),
            (["--export", "a.ods"], "give an .xlsx or a .csv file"),
            (["--export", "a.csv", "--target", "99"], "there is no target 99"),
            (["--export", "a.csv", "--state", "approved"], "there are no texts to judge"),
            (["--export", "a.xlsx", "--side", "9"], "give 256 to 4096"),
            (["--import", "a.csv", "--needed", "0"], "0 reviewers, --needed"),
            (["--import", "a.csv", "--by", " "], "an empty name"),
        ],
    )
    def test_bad_use_is_said_in_one_line(
        self, dataset, tmp_path, monkeypatch, capsys, options, words
    ):
        monkeypatch.chdir(tmp_path)
        assert main(["queries", "sheet", str(dataset.folder), *options]) == 2
        printed = capsys.readouterr()
        assert words in printed.err and printed.err.count("\n") == 1 and printed.out == ""
        assert [path.name for path in tmp_path.iterdir()] == ["dataset"]


def put_first(whole, attack):
    """Put a document type behind the XML declaration, where there is one."""
    head, mark, rest = whole.partition(b"?>") if whole.startswith(b"<?xml") else (b"", b"", whole)
    return head + mark + attack + rest


def rezipped(source, path, changes):
    out = io.BytesIO()
    with (
        zipfile.ZipFile(source) as old,
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for entry in old.namelist():
            whole = old.read(entry)
            new.writestr(entry, changes[entry](whole) if entry in changes else whole)
    path.write_bytes(out.getvalue())
    return path
