"""A progress bar on a terminal, and none elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def counted(what: str, count: int) -> Iterator[Callable[[], None]]:
    """Show how many of `count` steps are done; the function that comes tells of one more."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=count)
        yield lambda: bar.advance(task)
