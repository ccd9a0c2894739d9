"""Writes what docs/dialects.md says of each dialect anew, as the registry has it."""

from __future__ import annotations

import re
from pathlib import Path

from ovearth_core.predictions.dialects import Dialect, dialect_names, find_dialect

PAGE = Path(__file__).resolve().parents[1] / "docs" / "dialects.md"
BEGIN, END = "### ", "## Map products"


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


def page() -> str:
    """Return the whole page, the sections of all dialects anew."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN) if BEGIN in text else text.partition("DIALECTS\n")
    after = rest[rest.index(END) :]
    return before + "".join(section(find_dialect(name)) for name in dialect_names()) + after


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
