"""`ovearth convert`: a run in another shape."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from ..segment.run_masks import MaskReport

# Boxes without a mask that are named one by one.
_MOST_NAMED = 20


def add_to(app: typer.Typer) -> None:
    """Add this module's command."""
    app.command()(convert)


def convert(
    source: Path = typer.Argument(help="A run: any that ovearth score reads."),
    benchmark: Path = typer.Option(..., help="Benchmark: ovearth-benchmark/1 or plain COCO."),
    out: Path = typer.Option(..., help="The run to write, JSON Lines."),
    masks_from_boxes: str | None = typer.Option(
        None,
        metavar="MODEL",
        help="Make a mask of each box by a SAM or SAM 2 model: encoder.onnx,decoder.onnx, a folder"
        " with both, or a server's address (its key in OVEARTH_SEGMENT_KEY).",
    ),
    images: list[Path] = typer.Option(
        [], help="Another folder to look for the benchmark's images in; may be repeated."
    ),
) -> None:
    """Turn the boxes of a run into masks.

    Boxes and scores stay beside them. A run broken off goes on when it is started again.
    """
    from ..errors import UsageError

    if masks_from_boxes is None:
        raise UsageError(
            "nothing to convert to", "on the command line", "give --masks-from-boxes MODEL"
        )
    from ..segment.run_masks import masks_from_boxes as made
    from .progress import fraction

    with fraction("images") as progress:
        report = made(source, benchmark, out, masks_from_boxes, images, progress)
    _tell(report)
    typer.echo(f"{out}: {report}")


def _tell(report: MaskReport) -> None:
    """Name the boxes without a mask on standard error."""
    for query_id, box, why in report.unmasked[:_MOST_NAMED]:
        typer.echo(f"no mask: query {query_id}, box {box + 1}: {why}", err=True)
    left = len(report.unmasked) - _MOST_NAMED
    if left > 0:
        typer.echo(f"no mask: {left} more", err=True)
