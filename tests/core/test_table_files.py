"""Tables as text, Markdown, CSV, LaTeX and JSON: bold for the best, a dash for undefined."""

import csv
import io
import json
import math
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.errors import UsageError
from ovearth_core.report.table import Column, Kind, make_table
from ovearth_core.report.table_files import tables_text

COLUMNS = (
    Column("task", "task"),
    Column("model", "model"),
    Column("iou", "IoU", Kind.PERCENT, 1),
    Column("p", "p", Kind.DECIMAL, -1),
    Column("delta", "Δ", Kind.POINTS),
)
ROWS = [
    ["vocabulary", "a_b & c", 0.12345, 0.2, -0.01],
    ["vocabulary", "d|e", 0.5, None, 0.01],
    ["reasoning", "d|e", None, 0.25, None],
    ["reasoning", "50 %", None, 0.25, 0.0],
]
NOTE = "left out: x_1"


def table(rows=ROWS, grouped=True):
    return make_table("one", "IoU & more", COLUMNS, rows, grouped, [NOTE])


def text(ending, *tables):
    return tables_text(tables or [table()], Path(f"t{ending}"))


def test_text_is_aligned_with_stars_and_dashes():
    assert text(".txt").splitlines() == [
        "IoU & more",
        " task        model       IoU       p      Δ",
        " ──────────────────────────────────────────",
        " vocabulary  a_b & c   12.35  *0.200  -1.00",
        "             d|e      *50.00       –  +1.00",
        " reasoning   d|e           –  *0.250      –",
        "             50 %          –  *0.250  +0.00",
        NOTE,
    ]


def test_markdown_has_bold_and_escapes_what_would_mark_up():
    lines = text(".md").splitlines()
    assert lines[0] == r"**IoU \& more**"
    assert lines[2:5] == [
        "| task | model | IoU | p | Δ |",
        "| --- | --- | ---: | ---: | ---: |",
        r"| vocabulary | a\_b \& c | 12.35 | **0.200** | -1.00 |",
    ]
    assert lines[5] == r"|  | d\|e | **50.00** | – | +1.00 |"
    assert r"left out: x\_1" in lines


def test_what_rounds_to_nothing_has_no_minus():
    columns = [
        Column("a", "a", Kind.PERCENT),
        Column("b", "b", Kind.POINTS),
        Column("c", "c", Kind.DECIMAL),
    ]
    (row,) = make_table("t", "t", columns, [[-1e-9, -1e-9, -1e-9]]).rows
    assert [cell.text for cell in row] == ["0.00", "+0.00", "0.000"]
    (row,) = make_table("t", "t", columns, [[-1e-3, -1e-3, -1e-3]]).rows
    assert [cell.text for cell in row] == ["-0.10", "-0.10", "-0.001"]


def test_csv_has_full_fractions_and_nothing_for_undefined():
    rows = list(csv.reader(io.StringIO(text(".csv"))))
    assert rows[0] == ["task", "model", "iou", "p", "delta"]
    assert rows[1] == ["vocabulary", "a_b & c", "0.12345", "0.2", "-0.01"]
    assert rows[3] == ["reasoning", "d|e", "", "0.25", ""]


def test_several_tables_are_one_csv_with_their_names():
    other = make_table("two", "", [Column("n", "n", Kind.COUNT)], [[3]])
    rows = list(csv.DictReader(io.StringIO(text(".csv", table(), other))))
    assert [row["table"] for row in rows] == ["one"] * 4 + ["two"]
    assert rows[-1]["n"] == "3"
    assert rows[-1]["iou"] == rows[0]["n"] == ""


def test_json_tells_values_and_which_are_best():
    (found,) = json.loads(text(".json"))
    assert found["rows"][2] == {
        "task": "reasoning", "model": "d|e", "iou": None, "p": 0.25, "delta": None,
    }  # fmt: skip
    assert found["best"] == [["p"], ["iou"], ["p"], ["p"]]
    assert found["notes"] == [NOTE]
    assert found["columns"][2] == {"name": "iou", "heading": "IoU", "kind": "percent"}


def test_what_looks_equal_is_equally_best_and_one_row_has_no_best():
    both = make_table("t", "", COLUMNS[2:3], [[0.50001], [0.50002], [0.1]])
    assert [row[0].is_best for row in both.rows] == [True, True, False]
    alone = make_table("t", "", COLUMNS[2:3], [[0.5]])
    assert not alone.rows[0][0].is_best


def test_where_columns_are_compared_the_best_of_each_row_is_marked():
    columns = [Column("group", "group"), *(Column(m, m, Kind.PERCENT) for m in "abc")]
    rows = [["x", 0.1, 0.3, None], ["y", 0.20001, 0.1, 0.20002], ["z", None, None, None]]
    made = make_table("t", "", columns, rows, across=True)
    assert [[cell.is_best for cell in row] for row in made.rows] == [
        [False, False, True, False], [False, True, False, True], [False] * 4,
    ]  # fmt: skip


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_no_table_takes_what_is_no_number(value):
    with pytest.raises(ValueError, match="what is undefined is None"):
        make_table("t", "", COLUMNS[2:3], [[value]])


def test_another_ending_is_refused():
    with pytest.raises(UsageError, match=r"no table of kind '.xlsx'.*\.csv"):
        text(".xlsx")


SIGNS = st.text(st.sampled_from("ab \\&%$#_{}~^|*`[]<>\n\r\t\0\"'–é日"), max_size=12)


@given(st.lists(st.tuples(SIGNS, st.none() | st.floats(0, 1)), min_size=1, max_size=4))
def test_no_name_breaks_out_of_its_cell(rows):
    made = make_table("t", "", [Column("model", "model"), COLUMNS[2]], rows)
    for line in text(".tex", made).splitlines()[8 : 8 + len(rows)]:
        bare = re.sub(r"\\(textbackslash|[&%$#_{}])", "", line.removesuffix(r" \\"))
        assert bare.count("&") == 1
        assert not set("%#_~^") & set(bare)
    lines = [line for line in text(".md", made).splitlines() if line.startswith("|")]
    assert len(lines) == 2 + len(rows)
    for line in lines:
        assert len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 3
    assert len(list(csv.reader(io.StringIO(text(".csv", made))))) == 1 + len(rows)
    assert len(text(".txt", made).splitlines()) == 3 + len(rows)
