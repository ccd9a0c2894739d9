"""The options of a dialect, as `ovearth score` and `ovearth convert` share them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..predictions.dialects import DialectOptions

FROM = typer.Option(
    None,
    "--from",
    help="The dialect that it is written in; a model's name tells its dialect, any other"
    " word lists them all.",
)
LENIENT = typer.Option(
    False, "--lenient", help="Of a dialect: keep what is whole, and count what is not."
)
MAPPING = typer.Option(
    None,
    help="Of a dialect: JSON or CSV, of each output the query, or of each class the category;"
    " empty: leave it out.",
)
INPUT_SIZE = typer.Option(
    None, help="Of a dialect: width and height of the images as the model saw them."
)
RESIZE = typer.Option(
    None, help="Of a dialect: nearest, to bring masks of another size to their image's."
)
CLASSES = typer.Option(
    None, help="Of a dialect: the names of an index map's values, one a line, the first is 0."
)
THRESHOLD = typer.Option(None, help="Of a dialect: the least score of foreground.")
ANGLE = typer.Option(None, help="Of obb-angle: the convention, le90, le135 or oc.")
ANGLE_UNIT = typer.Option(None, help="Of obb-angle: radians (unless given) or degrees.")
DUPLICATES = typer.Option(
    None,
    help="Of map products: IoU from which on boxes of one class are one; 0.5 unless given, 0 keeps"
    " all.",
)


def dialect_options(
    lenient: bool,
    mapping: Path | None,
    input_size: tuple[int, int] | None,
    resize: str | None,
    classes: Path | None,
    threshold: float | None,
    angle: str | None,
    angle_unit: str | None,
    duplicates: float | None,
    modality: str | None,
    query_ids: Mapping[str, str] | None,
) -> DialectOptions:
    """Return what was given as options of a dialect."""
    from ..predictions.dialects import DialectOptions

    return DialectOptions(
        lenient=lenient,
        mapping=mapping,
        input_size=input_size,
        resize=resize,
        classes=classes,
        threshold=threshold,
        angle=angle,
        angle_unit=angle_unit,
        duplicates=duplicates,
        modality=modality,
        query_ids=query_ids,
    )


def tell_left_out(name: str, told: Mapping[str, Mapping[str, int]]) -> None:
    """Print, on standard error, what a dialect left out and warns of."""
    for why, count in told.get("left_out", {}).items():
        typer.echo(f"{name}: left out {count} {why}", err=True)
    for what, count in told.get("warnings", {}).items():
        typer.echo(f"{name}: {count} {what}", err=True)
