"""Tables of texts: aligned as rich aligns them, one line a row, nothing cut."""

import io
from contextlib import redirect_stdout

from hypothesis import given
from hypothesis import strategies as st
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ovearth_core.report.plain_table import print_plain_table

CELLS = st.text(st.sampled_from("ab 1–日é…"), max_size=9).map(str.strip)


def by_rich(headings, rows, numbers):
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for place, heading in enumerate(headings):
        table.add_column(heading, justify="right" if place in numbers else "left", no_wrap=True)
    for row in rows:
        table.add_row(*map(Text, row))
    out = io.StringIO()
    Console(file=out, width=1000, highlight=False).print(table)
    return out.getvalue()


def printed(capsys, *arguments):
    capsys.readouterr()
    print_plain_table(*arguments)
    return capsys.readouterr().out


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), max_size=5), st.frozensets(st.integers(0, 2)))
def test_rows_stand_as_rich_sets_them(rows, numbers):
    out = io.StringIO()
    with redirect_stdout(out):
        print_plain_table(("one", "two", "three"), rows, numbers)
    expected = by_rich(("one", "two", "three"), rows, numbers)
    assert [line.rstrip() for line in out.getvalue().splitlines()] == [
        line.rstrip() for line in expected.splitlines()
    ]


def test_a_cell_with_several_lines_or_control_characters_stays_in_its_row(capsys):
    out = printed(capsys, ("a", "b"), [("one\ntwo", "\x1b[31m\t")])
    assert len(out.splitlines()) == 5
    assert r"one\ntwo" in out
    assert r"\x1b[31m\t" in out


def test_a_long_cell_is_not_cut(capsys):
    assert "x" * 5000 in printed(capsys, ("a", "b"), [("x" * 5000, "1")])
