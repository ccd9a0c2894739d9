"""`ovearth demo`: the embedded sample, scored, as a dataset, and as a place to collect from."""

from __future__ import annotations

from pathlib import Path

import typer

from .score import show_scores, write_scores


def add_to(app: typer.Typer) -> None:
    """Add this module's command."""
    app.command()(demo)


def demo(
    folder: Path = typer.Argument(Path("ovearth-demo"), help="Folder for the sample."),
) -> None:
    """Draw a sample, score two runs, make datasets of it."""
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
