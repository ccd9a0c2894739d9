"""`ovearth images`."""

from __future__ import annotations

from pathlib import Path

import typer


def add_to(app: typer.Typer) -> None:
    """Add this module's command."""
    app.command()(images)


def images(
    dataset: Path = typer.Argument(help="The dataset's folder, or its dataset.gpkg."),
    files: list[Path] = typer.Argument(help="Georeferenced images; those elsewhere are copied."),
    source: str | None = typer.Option(None, help="Where they come from."),
    license_name: str | None = typer.Option(None, "--license", help="Under which licence."),
    attribution: str | None = typer.Option(None, help="How to name the source."),
    date: str | None = typer.Option(None, help="When they were taken, as 2024-06-30."),
    location_group: str | None = typer.Option(
        None, help="A name that ties images of one place at several dates."
    ),
    who: str | None = typer.Option(
        None, help="Who signs it; OVEARTH_USER or the login name unless given."
    ),
) -> None:
    """Take images into a dataset, all of them or none, to draw on.

    One that has no place on the ground, or can't be read whole, is refused by name.
    """
    from ..dataset import Dataset
    from ..dataset.adding import add_images
    from ..dataset.review.person import person_of

    added = add_images(
        Dataset.open(dataset),
        files,
        person_of(who).name,
        source=source,
        license=license_name,
        attribution=attribution,
        date_captured=date,
        location_group=location_group,
    )
    for image in added.images:
        gsd = "–" if image.gsd_m is None else f"{image.gsd_m:.3f} m"
        typer.echo(f"image {image.id}: {image.file_name}, {image.width} x {image.height}, {gsd}")
    known = f", {added.known} were in already" if added.known else ""
    typer.echo(f"{len(added.images)} images taken in{known}")
