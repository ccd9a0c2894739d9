"""LaTeX tables: every sign stays itself, whatever a model is called, and TeX sets the file."""

import shutil
import subprocess
import sys
import unicodedata
from pathlib import Path

import pytest

from ovearth_core.report.latex import escaped
from ovearth_core.report.table import Column, Kind, make_table
from ovearth_core.report.table_files import tables_text

from .test_table_files import table

PDFLATEX = shutil.which("pdflatex")
COLUMNS = (Column("model", "model"), Column("iou", "IoU", Kind.PERCENT, 1))
NAMES = (
    "<script>alert(1)</script>", "A & B_50% $x$ \\foo{}", "模型 ünïcödé ąĐ", "نموذج عربي", "*star",
    "[bracketed]", "~t^|\"q\"'`", "--dash--", "---", "?`x", "\u202eback", "→ ρ ≥ µ", "C #1", "-1.5",
    "e\u0301 i\u0307 x\u0301", "🙂", "\x1b[31m", "ﬁ ß ø Œ",
)  # fmt: skip


def written(*tables):
    return tables_text(tables, Path("t.tex"))


def named(names):
    rows = [[name, number / 1000] for number, name in enumerate(names)]
    return make_table("t", f"all of {NAMES[1]}", COLUMNS, rows, notes=NAMES)


def test_it_is_booktabs_with_bold_and_a_dash():
    lines = written(table()).splitlines()
    assert lines[0] == r"% \usepackage{booktabs}"
    assert lines[3] == r"\caption{IoU \& more}"
    assert lines[4] == r"\begin{tabular}{llrrr}"
    assert lines[5:9] == [
        r"\toprule",
        r"task & model & IoU & p & $\Delta$ \\",
        r"\midrule",
        r"vocabulary & a\_b \& c & 12.35 & \textbf{0.200} & $-$1.00 \\",
    ]
    assert lines[9] == r" & d\textbar{}e & \textbf{50.00} & -- & +1.00 \\"
    assert r" & 50 \% & -- & \textbf{0.250} & +0.00 \\" in lines
    assert [line for line in lines if line.endswith("rule")] == [
        r"\toprule", r"\midrule", r"\midrule", r"\bottomrule",
    ]  # fmt: skip


def test_more_rows_than_a_page_holds_may_break_to_the_next():
    short, long = (written(named([f"m{n}" for n in range(count)])) for count in (40, 41))
    assert r"\begin{tabular}" in short and "longtable" not in short
    assert r"\begin{longtable}" in long and r"\begin{table}" not in long
    assert long.startswith(r"% \usepackage{booktabs,longtable}" + "\n")
    assert long.count(r"\endhead") == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("*a", "{*}a"), ("[a]", "{[}a{]}"), ("--", "-{}-"), ("a-b", "a-b"), ("-1.5", "$-$1.5"),
        ("-x", "-x"), ('"', r"\char34{}"), ("ü", "ü"), ("u\u0308", "ü"),
        ("a模型b", r"a\ifdefined\Umathchar 模型\else U+6A21 U+578B\fi{}b"),
    ],
)  # fmt: skip
def test_a_sign_with_a_meaning_of_its_own_stays_a_sign(text, expected):
    assert escaped(text) == expected


@pytest.mark.skipif(
    PDFLATEX is None or sys.platform == "win32", reason="no pdflatex: texlive-latex-recommended"
)
@pytest.mark.parametrize("fonts", ["", r"\usepackage[T1]{fontenc}"])
def test_tex_sets_whatever_a_model_is_called(tmp_path, fonts):
    ranges = (range(0x20, 0x250), range(0x370, 0x400), range(0x2010, 0x2040), range(0x2190, 0x2200))
    signs = [chr(code) for part in ranges for code in part]
    each = [sign for sign in signs if unicodedata.category(sign) != "Cn"]
    tables = (named(NAMES), named([f"{sign}x{sign}{sign}" for sign in each]))
    (tmp_path / "t.tex").write_text(written(*tables), encoding="utf-8")
    (tmp_path / "whole.tex").write_text(
        r"\documentclass{article}\usepackage{booktabs,longtable}" + fonts
        + r"\begin{document}\input{t.tex}\end{document}",
        encoding="utf-8",
    )  # fmt: skip
    run = subprocess.run(
        [PDFLATEX, "-no-shell-escape", "-draftmode", "-interaction=nonstopmode", "whole.tex"],
        check=False, cwd=tmp_path, capture_output=True, timeout=120,
    )  # fmt: skip
    log = (tmp_path / "whole.log").read_text(encoding="utf-8", errors="replace")
    assert [line for line in log.splitlines() if line.startswith("!")] == []
    assert run.returncode == 0
    assert "Float too large" not in log
