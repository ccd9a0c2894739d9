"""Tables for LaTeX's booktabs, in signs that pdfLaTeX, XeLaTeX and LuaLaTeX all set."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from itertools import groupby

from ..errors import one_line
from .table import DASH, Cell, Table

# More rows than a page holds go into a longtable, which breaks.
_MOST_ROWS_OF_A_PAGE = 40
_LONG = "longtable"


def latex(tables: Sequence[Table]) -> str:
    """Return the tables, the best in bold; the first line says which packages they need.

    Letters that pdfLaTeX has none for stand by their numbers there, such as U+6A21, and as they
    are where XeLaTeX or LuaLaTeX set them, with a font that has them.
    """
    is_long = any(len(table.rows) > _MOST_ROWS_OF_A_PAGE for table in tables)
    packages = "booktabs,longtable" if is_long else "booktabs"
    needed = rf"% \usepackage{{{packages}}}" + "\n"
    return needed + "\n".join("\n".join(_table(table)) + "\n" for table in tables)


def _table(table: Table) -> Iterable[str]:
    is_long = len(table.rows) > _MOST_ROWS_OF_A_PAGE
    sides = "".join("r" if column.is_number else "l" for column in table.columns)
    caption = rf"\caption{{{escaped(table.title)}}}"
    heading = [r"\toprule", _row(map(escaped, table.headings)), r"\midrule"]
    if is_long:
        yield rf"\begin{{{_LONG}}}{{{sides}}}"
        yield rf"{caption} \\"
        yield from (*heading, r"\endhead", r"\bottomrule", r"\endfoot")
        yield from _rows(table)
        yield rf"\end{{{_LONG}}}"
        yield from _notes(table)
        return
    yield from (r"\begin{table}", r"\centering", caption, rf"\begin{{tabular}}{{{sides}}}")
    yield from (*heading, *_rows(table), r"\bottomrule", r"\end{tabular}")
    yield from _notes(table)
    yield r"\end{table}"


def _rows(table: Table) -> Iterable[str]:
    for number, row in enumerate(table.texts()):
        if table.grouped and number and row[0].text:
            yield r"\midrule"
        yield _row(map(_cell, row))


def _cell(cell: Cell) -> str:
    text = escaped(cell.text)
    return rf"\textbf{{{text}}}" if cell.is_best else text


def _row(cells: Iterable[str]) -> str:
    return rf"{' & '.join(cells)} \\"


def _notes(table: Table) -> Iterable[str]:
    # In braces: after a longtable, which is no group, what follows keeps its size.
    yield from (rf"{{\par\footnotesize {escaped(note)}\par}}" for note in table.notes)


_SIGNS = {
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
    # A command of the encoding T1 only; this sign is a quotation mark in every one.
    '"': r"\char34{}",
    DASH: "--", "—": "---", "−": "$-$", "…": r"\ldots{}", "ρ": r"$\rho$", "Δ": r"$\Delta$",
    "→": r"$\rightarrow$", "≥": r"$\geq$", "≤": r"$\leq$", "×": r"$\times$", "±": r"$\pm$",
    "²": r"$^2$", "°": r"$^\circ$", "µ": r"$\mu$", "μ": r"$\mu$",
    # After a row's end these would be its options.
    "[": "{[}", "]": "{]}", "*": "{*}",
    # No ligatures: two hyphens are no dash, ?` is no inverted question mark.
    "-": "-{}", "'": "'{}", ",": ",{}", "`": "{`}",
}  # fmt: skip
# Accents and letters that LaTeX has in its oldest encoding too.
_ACCENTS = frozenset("\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c\u0327")
_LAST_LETTER = "\u017f"
_LETTERS = frozenset("ßæÆœŒøØåÅłŁı‘’“”§¶©")


def escaped(text: str) -> str:
    """Return a text as LaTeX that shows it, on one line."""
    plain = one_line(text)
    if re.fullmatch(r"-\d[\d.]*", plain):
        return f"$-${plain[1:]}"
    runs = groupby(unicodedata.normalize("NFC", plain), key=_is_everywhere)
    found = "".join(
        "".join(_SIGNS.get(sign, sign) for sign in signs) if everywhere else _by_engine(signs)
        for everywhere, signs in runs
    )
    # Empty groups are needed between signs that would join only.
    return re.sub(r"(?<!\\)([-',])\{\}(?!\1)", r"\1", found)


def _is_everywhere(sign: str) -> bool:
    """Whether every engine sets a sign, in every encoding."""
    if sign.isascii() or sign in _SIGNS or sign in _LETTERS:
        return True
    base, *accents = list(unicodedata.normalize("NFD", sign))
    is_letter = base.isascii() and base.isalpha() and sign <= _LAST_LETTER
    return is_letter and len(accents) == 1 and accents[0] in _ACCENTS


def _by_engine(signs: Iterable[str]) -> str:
    """Return signs as they are for engines that know all letters, as numbers for pdfLaTeX."""
    known = "".join(signs)
    numbers = " ".join(f"U+{ord(sign):04X}" for sign in known)
    return rf"\ifdefined\Umathchar {known}\else {numbers}\fi{{}}"
