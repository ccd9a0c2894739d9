"""`ovearth init`."""

from __future__ import annotations

from pathlib import Path

import typer


def add_to(app: typer.Typer) -> None:
    """Add this module's command."""
    app.command()(init)


def init(
    dataset: Path = typer.Argument(help="The folder to make the dataset in."),
    taxonomy: Path | None = typer.Option(
        None, "--taxonomy", help="A taxonomy file of your own instead of ours."
    ),
) -> None:
    """Make a new dataset: dataset.gpkg with the taxonomy's categories, and images/ beside it."""
    from ..dataset.categories import init_dataset
    from ..taxonomy import load, read_taxonomy

    whole = load() if taxonomy is None else read_taxonomy(taxonomy)
    made = init_dataset(dataset, whole)
    typer.echo(f"{made.path}: {len(whole)} categories of taxonomy {whole.name}")
