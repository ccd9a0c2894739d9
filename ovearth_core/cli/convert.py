"""`ovearth convert`: a run in another shape."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

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
    THRESHOLD,
    dialect_options,
    tell_left_out,
)

if TYPE_CHECKING:
    from ..predictions.dialects import Converted, DialectOptions
    from ..segment.run_masks import MaskReport

# Boxes without a mask that are named one by one.
_MOST_NAMED = 20


def add_to(app: typer.Typer) -> None:
    """Add this module's command."""
    app.command()(convert)


def convert(
    source: Path = typer.Argument(
        help="What a model gave, in the dialect of --from; without it, a run that ovearth score"
        " reads."
    ),
    dialect: str | None = FROM,
    benchmark: Path = typer.Option(..., help="Benchmark: ovearth-benchmark/1 or plain COCO."),
    out: Path = typer.Option(..., help="The run to write, JSON Lines."),
    lenient: bool = LENIENT,
    mapping: Path | None = MAPPING,
    input_size: tuple[int, int] | None = INPUT_SIZE,
    resize: str | None = RESIZE,
    classes: Path | None = CLASSES,
    threshold: float | None = THRESHOLD,
    angle: str | None = ANGLE,
    angle_unit: str | None = ANGLE_UNIT,
    duplicates: float | None = DUPLICATES,
    modality: str | None = typer.Option(
        None, help="Of a dialect: mask, hbb or obb, where its shapes may be several of them."
    ),
    key: Path | None = typer.Option(None, help="Key of blind requests: query ids are request ids."),
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
    """Write what a model gave as a run.

    --masks-from-boxes makes masks of a run's boxes, which stay beside them with their scores; when
    that was broken off, it goes on when it is started again.
    """
    from ..errors import UsageError
    from ..requests import read_key

    told = dialect_options(
        *(lenient, mapping, input_size, resize, classes, threshold, angle, angle_unit, duplicates),
        *(modality, None if key is None else read_key(key, benchmark)),
    )
    if dialect is None:
        told.refuse_without_dialect()
        if masks_from_boxes is None:
            mend = "say what it is written in (--from), or give --masks-from-boxes MODEL"
            raise UsageError("nothing to convert", "on the command line", mend)
        typer.echo(f"{out}: {_with_masks(source, benchmark, out, masks_from_boxes, images)}")
    elif masks_from_boxes is None:
        _tell_converted(_converted(source, dialect, benchmark, out, told), source, out)
    else:
        _convert_with_masks(source, dialect, benchmark, out, told, masks_from_boxes, images)


def _converted(
    source: Path, dialect: str, benchmark: Path, out: Path, options: DialectOptions
) -> Converted:
    from ..benchmark import read_benchmark
    from ..predictions.dialects import convert_run, find_dialect
    from .progress import fraction

    found = find_dialect(dialect)
    options.check_modality(found.name, found.options)
    truth = read_benchmark(benchmark)
    with fraction("answers") as progress:
        return convert_run(
            source, found, truth, out, options, lambda done: progress(done, len(truth.queries))
        )


def _convert_with_masks(
    source: Path,
    dialect: str,
    benchmark: Path,
    out: Path,
    options: DialectOptions,
    model: str,
    images: list[Path],
) -> None:
    """Convert, make masks of the boxes, and give the answers back what they said besides."""
    import tempfile

    from ..atomic import AtomicFiles
    from ..predictions.dialects.converting import keep_attributes

    with AtomicFiles([source, benchmark, *options.files()]) as files:
        files.check(out)
    with tempfile.TemporaryDirectory() as folder:
        between = Path(folder) / out.name
        converted = _converted(source, dialect, benchmark, between, options)
        report = _with_masks(between, benchmark, out, model, images)
        keep_attributes(between, out)
    _tell_converted(converted, source, out)
    typer.echo(f"{out}: {report}")


def _with_masks(
    source: Path, benchmark: Path, out: Path, model: str, images: list[Path]
) -> MaskReport:
    from ..segment.run_masks import masks_from_boxes as made
    from .progress import fraction

    with fraction("images") as progress:
        report = made(source, benchmark, out, model, images, progress)
    for query_id, box, why in report.unmasked[:_MOST_NAMED]:
        typer.echo(f"no mask: query {query_id}, box {box + 1}: {why}", err=True)
    left = len(report.unmasked) - _MOST_NAMED
    if left > 0:
        typer.echo(f"no mask: {left} more", err=True)
    return report


def _tell_converted(converted: Converted, source: Path, out: Path) -> None:
    from ..spelling import counted

    tell_left_out(str(source), converted.told)
    typer.echo(f"{out}: {counted(converted.answers, 'answer', 'answers')}")
    if converted.attributes:
        listed = ", ".join(f"{name} ({count})" for name, count in converted.attributes.items())
        typer.echo(f"attributes kept: {listed}")
