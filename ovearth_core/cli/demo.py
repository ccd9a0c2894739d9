"""`ovearth demo`: the embedded sample, scored, as datasets, and a report on it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .progress import staged
from .score import show_scores, write_scores

if TYPE_CHECKING:
    from ..sample import Sample
    from ..scoreboard import Scoreboard


def add_to(app: typer.Typer) -> None:
    """Add this module's command."""
    app.command()(demo)


def demo(
    folder: Path = typer.Argument(Path("ovearth-demo"), help="Folder for the sample."),
) -> None:
    """Draw a sample, score two runs, make datasets of it, report."""
    from ..sample import collection, write_sample
    from ..sample.dataset import sample_dataset, summary
    from ..scoreboard import score_files

    sample = write_sample(folder)
    scoreboard = score_files(sample.benchmark, sample.runs)
    write_scores(scoreboard, folder / "scores.json", folder / "scores.csv", folder / "per-query")
    show_scores(scoreboard)
    typer.echo(summary(sample_dataset(sample)))
    typer.echo(collection.summary(*collection.collect(sample)))
    typer.echo(f"images, benchmark, runs, scores and both datasets are in {folder}")
    _report(sample, scoreboard)


def _report(sample: Sample, scoreboard: Scoreboard) -> None:
    from ..errors import MissingPackageError
    from ..report.page.making import make_report
    from ..report.page.wanted import Wanted

    wanted = Wanted(sample.benchmark, sample.runs, sample.folder / "report")
    try:
        with staged() as progress:
            made = make_report(wanted, scoreboard.runs, progress)
    except MissingPackageError as lacking:
        typer.echo(f"no report: {lacking}", err=True)
        return
    # Not how large it is: that hangs on Matplotlib's version.
    typer.echo(f"report: {made.page}")
