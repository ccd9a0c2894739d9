"""`ovearth score` and `ovearth requests`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
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
from .progress import is_shown

if TYPE_CHECKING:
    from ..scoreboard import Progress, Scoreboard


def add_to(app: typer.Typer) -> None:
    """Add this module's commands."""
    app.command()(score)
    app.command()(requests)


def score(
    benchmark: Path = typer.Argument(help="Benchmark: ovearth-benchmark/1 or plain COCO."),
    predictions: list[Path] = typer.Argument(
        help="Runs: JSON Lines (gzip or not), vector files (GeoPackage, GeoJSON, Shapefile,"
        " FlatGeobuf, GeoParquet, CSV with WKT) or folders of masks; with --from, what a model"
        " really gave."
    ),
    modality: list[str] | None = typer.Option(
        None,
        help="mask, hbb or obb; repeat for several. One alone also says what a vector file without"
        " a column 'kind' holds.",
    ),
    task: list[str] | None = typer.Option(
        None, help="vocabulary, referring or reasoning; repeat for several."
    ),
    min_score: float | None = typer.Option(None, help="Drop boxes with a lower score."),
    key: Path | None = typer.Option(None, help="Key of blind requests: query ids are request ids."),
    ignore_unknown: bool = typer.Option(
        False, "--ignore-unknown", help="Count answers to unknown queries instead of refusing them."
    ),
    dialect: str | None = FROM,
    lenient: bool = LENIENT,
    mapping: Path | None = MAPPING,
    input_size: tuple[int, int] | None = INPUT_SIZE,
    resize: str | None = RESIZE,
    classes: Path | None = CLASSES,
    threshold: float | None = THRESHOLD,
    angle: str | None = ANGLE,
    angle_unit: str | None = ANGLE_UNIT,
    duplicates: float | None = DUPLICATES,
    json_file: Path | None = typer.Option(None, "--json", help="Write the scores as JSON."),
    csv_file: Path | None = typer.Option(None, "--csv", help="Write the scores as CSV."),
    per_query: Path | None = typer.Option(None, help="Folder for one JSON Lines file a run."),
    jobs: int = typer.Option(1, help="Processes of this machine to share the work."),
    engine: str = typer.Option("local", help="local, or dask for a cluster."),
    scheduler: str | None = typer.Option(None, help="The cluster's scheduler, tcp://HOST:PORT."),
) -> None:
    """Score runs against a benchmark, and show them side by side."""
    from ..engine import EngineChoice
    from ..requests import read_key
    from ..scoreboard import score_files
    from ..scoring import Options

    choice = EngineChoice(engine, jobs, scheduler)
    choice.check()
    options = Options(
        modalities=modality or None,
        tasks=task or None,
        min_score=min_score,
        ignore_unknown=ignore_unknown,
        query_ids=None if key is None else read_key(key, benchmark),
        keep_pairs=per_query is not None,
    )
    told = dialect_options(
        *(lenient, mapping, input_size, resize, classes, threshold, angle, angle_unit, duplicates),
        *(modality[0] if modality and len(set(modality)) == 1 else None, options.query_ids),
    )
    with progress_bar(len(predictions)) as progress:
        scoreboard = score_files(benchmark, predictions, options, progress, choice, dialect, told)
    read = [file for run in scoreboard.runs for file in run.predictions.files]
    inputs = [benchmark, *predictions, *read, *([] if key is None else [key])]
    write_scores(scoreboard, json_file, csv_file, per_query, inputs)
    show_scores(scoreboard)


def write_scores(
    scoreboard: Scoreboard,
    json_file: Path | None,
    csv_file: Path | None,
    per_query: Path | None,
    inputs: Sequence[Path] = (),
) -> None:
    """Write what was asked for, all or nothing, and nothing over an input."""
    from ..atomic import AtomicFiles
    from ..report.score_csv import scores_csv

    with AtomicFiles(inputs) as files:
        if json_file is not None:
            scoreboard.write(files, json_file)
        if csv_file is not None:
            files.write(csv_file, scores_csv(scoreboard.to_dict()))
        if per_query is not None:
            scoreboard.write_per_query(files, per_query)


def show_scores(scoreboard: Scoreboard) -> None:
    """Print the tables, and what was left out of them."""
    from ..report.score_table import print_tables

    document = scoreboard.to_dict()
    print_tables(document)
    for scores, run in zip(scoreboard.runs, document["runs"], strict=True):
        tell_left_out(scores.predictions.source, run)
        if run.get("ignored_unknown"):
            typer.echo(
                f"{run['model']}: {run['ignored_unknown']} answers to unknown queries ignored",
                err=True,
            )
        if run.get("ignored_tasks_not_attempted"):
            typer.echo(
                f"{run['model']}: {run['ignored_tasks_not_attempted']} answers to queries of other"
                " tasks not scored",
                err=True,
            )
        if run.get("ignored_modalities_not_declared"):
            names = ", ".join(run["ignored_modalities_not_declared"])
            typer.echo(f"{run['model']}: {names} in its records, but not declared", err=True)
    if document["benchmark"]["crowd"]:
        typer.echo(
            f"{document['benchmark']['crowd']} crowd annotation(s) joined masks, not boxes",
            err=True,
        )


@contextmanager
def progress_bar(runs: int) -> Iterator[Progress | None]:
    """Show a bar on standard error while scoring; nothing where that is no terminal."""
    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

    if not is_shown():
        yield None
        return
    columns = (SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        shown = bar.add_task("reading the benchmark", total=None)

        def step(run: int, records: int) -> None:
            bar.update(shown, description=f"run {run + 1} of {runs}: {records:,} records")

        yield step


def requests(
    benchmark: Path = typer.Argument(help="Benchmark: ovearth-benchmark/1 or plain COCO."),
    out: Path = typer.Option(..., help="JSON Lines file for whoever runs the model."),
    key: Path | None = typer.Option(
        None, help="File that keeps the way back to query ids (beside OUT unless given)."
    ),
) -> None:
    """Write blind requests: images and texts only, shuffled.

    Their ids give nothing away; the key leads from them back to the queries.
    """
    from ..benchmark import read_benchmark
    from ..requests import write_requests

    key_file = key if key is not None else out.with_name(f"{out.name}.key.json")
    count = write_requests(read_benchmark(benchmark), out, key_file)
    typer.echo(f"{count} requests in {out}; keep {key_file} to yourself, and score with --key")
