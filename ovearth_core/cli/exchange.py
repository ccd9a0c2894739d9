"""`ovearth import` and `ovearth export`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .progress import is_shown

if TYPE_CHECKING:
    from ..dataset.exchange.model import Report
    from ..labels.model import ReadOptions

_FORMAT = typer.Option(..., "--format", help="The format's name; an unknown one lists them all.")


def add_to(app: typer.Typer) -> None:
    """Add this module's commands."""
    app.command("import")(import_)
    app.command()(export)


def import_(
    dataset: Path = typer.Argument(help="The dataset; --format benchmark makes it if it lacks."),
    source: Path = typer.Argument(help="The label file, or the folder of them."),
    format_name: str = _FORMAT,
    images: Path | None = typer.Option(
        None, help="Where images lie that the dataset hasn't yet; they are copied into it."
    ),
    mapping: Path | None = typer.Option(
        None,
        help="JSON or CSV: of each class the category, by id or name; empty: leave it out.",
    ),
    keep_unmapped: bool = typer.Option(
        False, "--keep-unmapped", help="Add classes that are no categories as categories."
    ),
    class_column: str | None = typer.Option(
        None, help="Of a table: the column that the class is in."
    ),
    image_column: str | None = typer.Option(
        None, help="Of a table: the column that the image's name is in."
    ),
    outside: str | None = typer.Option(
        None,
        help="Shapes of a vector file beyond the images: refuse (unless given), skip or clip.",
    ),
    again: bool = typer.Option(
        False, "--again", help="Take in labels that were imported before: a second time."
    ),
    who: str | None = typer.Option(
        None, help="Who signs it; OVEARTH_USER or the login name unless given."
    ),
) -> None:
    """Take labels into a dataset, all of a file or nothing.

    Formats: benchmark, coco, dota, yolo-obb, labelme, vector, csv.
    """
    from ..dataset.exchange.formats import BENCHMARK, IMPORTED, check_format, check_options
    from ..dataset.review.person import person_of
    from ..labels.model import ReadOptions

    who = person_of(who).name
    check_format(format_name, IMPORTED)
    told = {
        "--mapping": mapping,
        "--keep-unmapped": keep_unmapped or None,
        "--class-column": class_column,
        "--image-column": image_column,
        "--outside": outside,
        "--again": again or None,
    }
    check_options(format_name, [option for option, value in told.items() if value is not None])
    if format_name == BENCHMARK:
        from ..dataset.exchange.benchmark_in import import_benchmark

        with _busy(f"importing {source}"):
            report = import_benchmark(dataset, source, images, who)
    else:
        options = ReadOptions(class_column, image_column, outside or "refuse")
        with _busy(f"importing {source}"):
            report = _import_labels(
                dataset, source, format_name, images, mapping, keep_unmapped, who, options, again
            )
    _tell(report)


def _import_labels(
    dataset: Path,
    source: Path,
    format_name: str,
    images: Path | None,
    mapping: Path | None,
    keep_unmapped: bool,
    who: str | None,
    options: ReadOptions,
    again: bool,
) -> Report:
    from ..dataset import Dataset
    from ..dataset.exchange.class_mapping import read_mapping
    from ..dataset.exchange.formats import reader_of
    from ..dataset.exchange.importing import import_labels

    return import_labels(
        Dataset.open(dataset),
        reader_of(format_name),
        source,
        images,
        None if mapping is None else read_mapping(mapping),
        keep_unmapped=keep_unmapped,
        who=who,
        options=options,
        again=again,
    )


def export(
    dataset: Path = typer.Argument(help="The dataset's folder, or its dataset.gpkg."),
    out: Path = typer.Argument(help="The file to write, or the folder where a format has several."),
    format_name: str = _FORMAT,
    state: list[str] = typer.Option(
        ["approved"], help="Take targets of this state; give it several times for several."
    ),
    release: str | None = typer.Option(
        None, help="Freeze a benchmark under this version: a folder with images and checksums."
    ),
) -> None:
    """Write a dataset's targets; says how many stay behind, and why.

    Formats: benchmark, coco, dota, yolo-obb, geojson, geoparquet, stac.
    """
    from ..dataset import Dataset
    from ..dataset.exchange.exporting import export_dataset

    with _busy(f"writing {out}"):
        report = export_dataset(Dataset.open(dataset), out, format_name, state, release)
    _tell(report)
    typer.echo(f"written: {out}")


@contextmanager
def _busy(text: str) -> Iterator[None]:
    """Show on a terminal, and nowhere else, that something is going on."""
    from rich.console import Console

    if not is_shown():
        yield
        return
    with Console(stderr=True).status(text):
        yield


def _tell(report: Report) -> None:
    for line in report.lines():
        typer.echo(line)
