"""`ovearth overlay`."""

from __future__ import annotations

from pathlib import Path

import typer


def add_to(app: typer.Typer) -> None:
    """Add this module's command."""
    app.command()(overlay)


def overlay(
    benchmark: Path = typer.Argument(help="Benchmark: ovearth-benchmark/1 or plain COCO."),
    predictions: Path = typer.Argument(help="A run: any that ovearth score reads."),
    threshold: float = typer.Option(0.5, help="IoU from which on boxes match."),
    out: Path = typer.Option(..., help="GeoPackage with the layers mask, hbb and obb."),
) -> None:
    """Draw what a run matched, missed and made up."""
    from ..overlay import overlay_files
    from .progress import fraction

    with fraction("drawing") as progress:
        counts = overlay_files(benchmark, predictions, threshold, out, progress)
    typer.echo(f"{out}: {counts}")
