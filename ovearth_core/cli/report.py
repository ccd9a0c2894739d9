"""`ovearth report`: one page on several runs, to be read without OVEarth."""

from __future__ import annotations

from pathlib import Path

import typer

from .progress import staged


def add_to(app: typer.Typer) -> None:
    """Add this module's command."""
    app.command()(report)


def report(
    benchmark: Path = typer.Argument(help="Benchmark: ovearth-benchmark/1 or plain COCO."),
    runs: list[Path] = typer.Argument(
        help="Runs: predictions, or per-query files of ovearth score (without pictures)."
    ),
    out: Path = typer.Option(..., help="Folder for index.html and what --add needs."),
    add: bool = typer.Option(
        False, "--add", help="Add the runs to the report there; its own aren't scored again."
    ),
    attributes: Path | None = typer.Option(
        None, help="What is known of models: JSON by model, or CSV with a column 'model'."
    ),
    images: list[Path] | None = typer.Option(
        None, help="Folder of images, where they aren't beside the benchmark; repeat for several."
    ),
    seed: int | None = typer.Option(
        None, min=0, help="Of what is drawn at random; 0 unless given."
    ),
) -> None:
    """Put runs on one HTML page, with analyses and pictures.

    It needs nothing else: it opens from a file, offline, on a phone, in print.
    """
    from ..report.page.making import make_report
    from ..report.page.wanted import Wanted

    wanted = Wanted(benchmark, runs, out, add, attributes, images or (), seed)
    with staged() as progress:
        made = make_report(wanted, progress=progress)
    for note in made.notes:
        typer.echo(note, err=True)
    typer.echo(str(made))
