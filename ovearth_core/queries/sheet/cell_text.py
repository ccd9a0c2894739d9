"""Texts in cells: none is taken for a formula, and each comes back as it went in."""

from __future__ import annotations

# What spreadsheets take for the beginning of a formula, full width too; and the prefix itself.
_RISKY = frozenset("=+-@\t\r\n＝＋－＠'")
_PREFIX = "'"
_UNSEEN = "�"
LONGEST = 32_767


def cell_of(text: str) -> str:
    """Return a text as a cell holds it: an apostrophe in front where it might be a formula."""
    plain = seen(text)
    return _PREFIX + plain if plain[:1] in _RISKY and plain else plain


def text_of(cell: str) -> str:
    """Return the text of a cell, whether or not a program took the apostrophe away."""
    return cell[1:] if cell[:1] == _PREFIX and cell[1:2] in _RISKY and cell[1:] else cell


def seen(text: str) -> str:
    """Return a text with what no cell can hold replaced, control characters and halves of pairs."""
    return "".join(c if _can_hold(c) else _UNSEEN for c in text)


def _can_hold(letter: str) -> bool:
    code = ord(letter)
    return (code >= 0x20 and not 0x7F <= code <= 0x9F and not 0xD800 <= code <= 0xDFFF
            and code not in (0xFFFE, 0xFFFF))  # fmt: skip
