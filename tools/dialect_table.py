"""Writes what docs/dialects.md says of each dialect anew, as the registry has it."""

from __future__ import annotations

import re
from pathlib import Path

from ovearth_core.predictions.dialects import Dialect, dialect_names, find_dialect

PAGE = Path(__file__).resolve().parents[1] / "docs" / "dialects.md"
BEGIN, END = "### ", "## Map products"
FAMILIES, AFTER = "## Whose dialect is which\n", "## The dialects\n"


def section(dialect: Dialect) -> str:
    """Return a dialect's section of the page."""
    options = ", ".join(f"`--{name.replace('_', '-')}`" for name in dialect.options)
    lines = [
        f"### {dialect.name}",
        f"{', '.join(dialect.families)}. Kind: {dialect.kind}.",
        f"Reads {escaped(dialect.reads)}.",
        f"Options of its own: {options or 'none'}. Source: {escaped(dialect.source)}.",
    ]
    return "\n\n".join(lines) + "\n\n"


def escaped(text: str) -> str:
    """Return a text as Markdown shows it unchanged, addresses left as they are."""
    return re.sub(r"[<*\[\]]", lambda found: "\\" + found[0], text)


def families() -> str:
    """Return the table of everybody who speaks a dialect, by name."""
    spoken: dict[str, list[str]] = {}
    for name in dialect_names():
        for family in find_dialect(name).families:
            spoken.setdefault(family, []).append(f"[`{name}`](#{name.replace('.', '')})")
    rows = [
        f"| {family} | {', '.join(spoken[family])} |" for family in sorted(spoken, key=str.casefold)
    ]
    return "\n".join(["| model or format | dialect |", "| --- | --- |", *rows])


def page() -> str:
    """Return the whole page, the table and the sections of all dialects anew."""
    text = PAGE.read_text(encoding="utf-8")
    start, _, rest = text.partition(FAMILIES)
    text = f"{start}{FAMILIES}\n{families()}\n\n{AFTER}{rest.partition(AFTER)[2]}"
    before, _, rest = text.partition(BEGIN) if BEGIN in text else text.partition("DIALECTS\n")
    after = rest[rest.index(END) :]
    return before + "".join(section(find_dialect(name)) for name in dialect_names()) + after


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
