"""`ovearth overlay`."""

from __future__ import annotations

from pathlib import Path

import typer

from .dialect_options import (
    ANGLE,
    ANGLE_UNIT,
    CLASSES,
    DUPLICATES,
    FROM,
    INPUT_SIZE,
    LENIENT,
    MAPPING,
    RESIZE,
    dialect_options,
    tell_left_out,
)


def add_to(app: typer.Typer) -> None:
    """Add this module's command."""
    app.command()(overlay)


def overlay(
    benchmark: Path = typer.Argument(help="Benchmark: ovearth-benchmark/1 or plain COCO."),
    predictions: Path = typer.Argument(help="A run: any that ovearth score reads."),
    dialect: str | None = FROM,
    threshold: float = typer.Option(0.5, help="IoU from which on boxes match."),
    out: Path = typer.Option(..., help="GeoPackage with the layers mask, hbb and obb."),
    lenient: bool = LENIENT,
    mapping: Path | None = MAPPING,
    input_size: tuple[int, int] | None = INPUT_SIZE,
    resize: str | None = RESIZE,
    classes: Path | None = CLASSES,
    mask_threshold: float | None = typer.Option(
        None, help="Of a dialect: the least score of foreground, --threshold of ovearth score."
    ),
    angle: str | None = ANGLE,
    angle_unit: str | None = ANGLE_UNIT,
    duplicates: float | None = DUPLICATES,
    modality: str | None = typer.Option(
        None, help="Of a dialect: mask, hbb or obb, where its shapes may be several of them."
    ),
) -> None:
    """Draw what a run matched, missed and made up."""
    from ..overlay import overlay_files
    from .progress import fraction

    told = dialect_options(
        *(lenient, mapping, input_size, resize, classes, mask_threshold),
        *(angle, angle_unit, duplicates, modality, None),
    )
    with fraction("drawing") as progress:
        counts = overlay_files(benchmark, predictions, threshold, out, progress, dialect, told)
    tell_left_out(str(predictions), counts.told)
    typer.echo(f"{out}: {counts}")
