"""The work itself: tasks to workers, what they give to the keeper, in order, and an orderly end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace

from ...dataset import Dataset
from ...engine import Engine
from ...errors import InterruptedWorkError, OutputError
from ...interrupts import Interrupts
from ...spelling import counted
from .extraction import Outcome, Task, close_sources, extract
from .keeper import Keeper
from .report import Report

Progress = Callable[[int, int, Report], None]


def make_all(
    dataset: Dataset,
    tasks: Sequence[Task],
    keeper: Keeper,
    workers: Engine,
    progress: Progress | None,
    interrupts: Interrupts,
) -> None:
    """Do tasks until they are done, the source fails, or it can't go on.

    Ctrl-C is heard while workers are waited for: a file gets its row, and the end is an orderly
    one, whatever is pressed meanwhile. Raises OutputError, InterruptedWorkError.
    """
    # Whoever shares the disk writes there: what needn't be sent back costs nothing. Threads may
    # be left at work, and then must not write any more.
    folder = dataset.folder if workers.is_remote and workers.shares_disk else None
    placed = (
        replace(
            task, folder=folder, placeholders=keeper.placeholders.known, sharers=workers.processes
        )
        for task in tasks
    )
    report, number = keeper.report, 0

    def drop_parts() -> None:
        for task in tasks[max(number - 1, 0) :]:
            task.part(dataset.folder).drop()

    try:
        # From the last to the first, each also where another fails.
        with ExitStack() as at_the_end:
            at_the_end.callback(keeper.flush)
            at_the_end.callback(drop_parts)
            at_the_end.callback(close_sources)
            at_the_end.callback(workers.close)
            try:
                for outcome in _heard(workers.in_order(extract, placed), interrupts):
                    number += 1
                    keeper.take(outcome)
                    if progress is not None:
                        progress(number, len(tasks), report)
                    if keeper.is_over:
                        break
            except KeyboardInterrupt:
                workers.abandon()
                raise
    except KeyboardInterrupt:
        report.interrupted = True
        raise InterruptedWorkError(
            f"stopped after {_share(report, tasks)}",
            str(dataset.folder),
            "run it again for the rest",
        ) from None
    except OutputError as fault:
        raise OutputError(
            f"{fault.what}, after {_share(report, tasks)}",
            fault.where,
            f"{fault.mend}, and run it again for the rest",
        ) from None


def _heard(outcomes: Iterator[Outcome], interrupts: Interrupts) -> Iterator[Outcome]:
    """Yield outcomes; Ctrl-C is heard only while they are waited for."""
    while True:
        with interrupts.heard():
            outcome = next(outcomes, None)
        if outcome is None:
            return
        yield outcome


def _share(report: Report, tasks: Sequence[Task]) -> str:
    return f"{len(report.fetched)} of {counted(len(tasks), 'patch', 'patches')}"
