"""A table of texts on standard output, aligned, never cut."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

_WIDE = 1000


def print_plain_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: frozenset[int] = frozenset()
) -> None:
    """Print rows of cells under their headings; the columns in `numbers` are set to the right."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    shown = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for place, heading in enumerate(headings):
        shown.add_column(heading, justify="right" if place in numbers else "left", no_wrap=True)
    for row in rows:
        shown.add_row(*map(Text, row))
    console = Console(highlight=False)
    console.width = max(console.width, Console(width=_WIDE).measure(shown).maximum)
    console.print(shown)
