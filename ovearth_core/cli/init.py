"""`ovearth init`."""

from __future__ import annotations

from pathlib import Path

import typer

_GO_ON = """\
how to go on:
  ovearth images {0} FILE…   takes images in; draw on them in QGIS (project OVEarth in dataset.gpkg)
  ovearth import {0} LABELS --format NAME --images FOLDER   takes labels in, and their images
  ovearth check {0}   lists what would spoil the benchmark"""


def add_to(app: typer.Typer) -> None:
    """Add this module's command."""
    app.command()(init)


def init(
    dataset: Path = typer.Argument(help="The folder to make the dataset in."),
    taxonomy: Path | None = typer.Option(
        None, "--taxonomy", help="A taxonomy file of your own instead of ours."
    ),
) -> None:
    """Make a new dataset with the taxonomy's categories.

    It is a folder with dataset.gpkg, which QGIS opens too, and images/ for the images.
    """
    import shlex

    from ..dataset.categories import init_dataset
    from ..taxonomy import load, read_taxonomy

    whole = load() if taxonomy is None else read_taxonomy(taxonomy)
    made = init_dataset(dataset, whole)
    typer.echo(f"{made.path}: {len(whole)} categories of taxonomy {whole.name}")
    typer.echo(_GO_ON.format(shlex.quote(str(made.folder))))
