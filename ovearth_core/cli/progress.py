"""A progress bar on a terminal, and none elsewhere."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


def is_shown() -> bool:
    """Whether there is a terminal that can redraw a line; nobody's wish for colours makes one."""
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    return is_terminal and os.environ.get("TERM", "") not in ("dumb", "unknown")


@contextmanager
def counted(what: str, count: int) -> Iterator[Callable[[], None]]:
    """Show how many of `count` steps are done; the function that comes tells of one more."""
    if not is_shown():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=count)
        yield lambda: bar.advance(task)


@contextmanager
def fraction(what: str) -> Iterator[Callable[[int, int], None]]:
    """Show how much is done; the function that comes takes what is done and how much there is."""
    if not is_shown():
        yield lambda done, count: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, count: bar.update(task, completed=done, total=count)


@contextmanager
def staged() -> Iterator[Callable[[float, str], None]]:
    """Show a share from 0 to 1 and what is being done; the function that comes takes both."""
    if not is_shown():
        yield lambda share, what: None
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=1.0)
        yield lambda share, what: bar.update(task, completed=share, description=escape(what))
