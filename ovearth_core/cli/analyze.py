"""`ovearth analyze`: what the scores of several runs say together."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .score import progress_bar

if TYPE_CHECKING:
    from ..analysis.evaluated import Evaluated
    from ..atomic import AtomicFiles

# Named here too: their own modules take long to import.
_ABOUT = {
    "aggregation": "Average over queries, targets or categories.",
    "stability": "Rank on random subsets of the categories.",
    "query-forms": "Compare tasks on shared targets and models.",
    "instanceability": "Score areas apart from countable things.",
    "composition": "Show who leads, by kind of model.",
    "presence": "Rank localisation against presence.",
    "significance": "Bootstrap intervals and paired tests.",
    "slices": "Score parts of the queries, and list the hardest.",
}
_MOST_ROWS = 40

_BENCHMARK = typer.Argument(help="Benchmark: ovearth-benchmark/1 or plain COCO.")
_RUNS = typer.Argument(help="Runs: predictions, or per-query files of ovearth score.")
_ATTRIBUTES = typer.Option(
    None, help="What is known of models: JSON by model, or CSV with a column 'model'."
)
_AREA = typer.Option(
    None,
    help="Polygons in any CRS: only queries whose image touches them (slices: inside against"
    " outside).",
)
_MODALITY = typer.Option(
    None,
    help="Look at mask, hbb or obb only; unless given, at all, or at masks where it takes one.",
)
_SEED = typer.Option(0, min=0, help="Of what is drawn at random.")
_JSON = typer.Option(None, "--json", help="Write all numbers as JSON.")
_FIGURE = typer.Option(None, help="Draw it: .png, .svg or .pdf.")
_TABLE = typer.Option(None, help="Write the tables: .txt, .md, .csv, .tex or .json.")
_SUBSETS = typer.Option(1000, min=1, max=100_000, help="Subsets of each size.")
_RESAMPLES = typer.Option(
    None,
    min=1,
    max=100_000,
    help="Resamples of the bootstrap; unless given, as many as the pairs need.",
)
_BY = typer.Option(
    None,
    help="domain, branch, category, size, gsd, continent, image or words; repeat for several,"
    " all unless given.",
)
_PICTURES = typer.Option(
    None, help="Folder for pictures of the hardest queries, the truth outlined."
)
_MOST_PICTURES = 5


def add_to(app: typer.Typer) -> None:
    """Add this module's commands."""
    analyze = typer.Typer(
        help="Analyse several runs: tables and figures.",
        no_args_is_help=True,
    )
    commands: dict[str, Callable[..., None]] = {
        "stability": _stability,
        "significance": _significance,
        "slices": _slices,
    }
    for name, about in _ABOUT.items():
        command = commands.get(name) or _plain(name)
        analyze.command(name, help=about)(command)
    app.add_typer(analyze, name="analyze")


def _plain(name: str) -> Callable[..., None]:
    def command(
        benchmark: Path = _BENCHMARK,
        runs: list[Path] = _RUNS,
        attributes: Path | None = _ATTRIBUTES,
        area: Path | None = _AREA,
        modality: str | None = _MODALITY,
        seed: int = _SEED,
        json_file: Path | None = _JSON,
        figure: Path | None = _FIGURE,
        table: Path | None = _TABLE,
    ) -> None:
        files = (json_file, figure, table)
        _analyze(name, benchmark, runs, attributes, area, files, modality=modality, seed=seed)

    return command


def _stability(
    benchmark: Path = _BENCHMARK,
    runs: list[Path] = _RUNS,
    attributes: Path | None = _ATTRIBUTES,
    area: Path | None = _AREA,
    modality: str | None = _MODALITY,
    seed: int = _SEED,
    subsets: int = _SUBSETS,
    json_file: Path | None = _JSON,
    figure: Path | None = _FIGURE,
    table: Path | None = _TABLE,
) -> None:
    files = (json_file, figure, table)
    wishes: Any = {"modality": modality, "seed": seed, "subsets": subsets}
    _analyze("stability", benchmark, runs, attributes, area, files, **wishes)


def _significance(
    benchmark: Path = _BENCHMARK,
    runs: list[Path] = _RUNS,
    attributes: Path | None = _ATTRIBUTES,
    area: Path | None = _AREA,
    modality: str | None = _MODALITY,
    seed: int = _SEED,
    resamples: int | None = _RESAMPLES,
    json_file: Path | None = _JSON,
    figure: Path | None = _FIGURE,
    table: Path | None = _TABLE,
) -> None:
    files = (json_file, figure, table)
    wishes: Any = {"modality": modality, "seed": seed, "resamples": resamples}
    _analyze("significance", benchmark, runs, attributes, area, files, **wishes)


def _slices(
    benchmark: Path = _BENCHMARK,
    runs: list[Path] = _RUNS,
    attributes: Path | None = _ATTRIBUTES,
    area: Path | None = _AREA,
    modality: str | None = _MODALITY,
    seed: int = _SEED,
    by: list[str] | None = _BY,
    pictures: Path | None = _PICTURES,
    json_file: Path | None = _JSON,
    figure: Path | None = _FIGURE,
    table: Path | None = _TABLE,
) -> None:
    files = (json_file, figure, table)
    wishes: Any = {"modality": modality, "seed": seed, "by": by or None}
    _analyze("slices", benchmark, runs, attributes, area, files, pictures, **wishes)


def _analyze(
    name: str,
    benchmark: Path,
    runs: list[Path],
    attributes: Path | None,
    area: Path | None,
    files: tuple[Path | None, Path | None, Path | None],
    pictures: Path | None = None,
    **wishes: Any,
) -> None:
    from ..analysis.area import read_area
    from ..analysis.attributes import read_attributes, unused_attributes
    from ..analysis.loading import load_evaluated
    from ..atomic import AtomicFiles
    from ..report.analyses import ANALYSES, Wishes
    from ..report.drawing import figure_format
    from ..report.table_files import check_ending, tables_text

    json_file, figure, table = files
    # Before the work, which may take long.
    if table is not None:
        check_ending(table)
    kind = None if figure is None else figure_format(figure.name)
    known = None if attributes is None else read_attributes(attributes)
    place = None if area is None else read_area(area)
    with progress_bar(len(runs)) as progress:
        evaluated = load_evaluated(benchmark, runs, known, progress, wishes["modality"])
    analysis = ANALYSES[name]
    document = analysis.document(evaluated, Wishes(area=place, **wishes))
    tables = list(analysis.tables(document))
    inputs = [benchmark, *runs, *(path for path in (attributes, area) if path is not None)]
    with AtomicFiles(inputs) as out:
        if json_file is not None:
            text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)
            out.write(json_file, text + "\n")
        if table is not None:
            out.write(table, tables_text(tables, table))
        if figure is not None and kind is not None:
            out.write_bytes(figure, analysis.figure(document, kind))
        if pictures is not None:
            _write_pictures(out, pictures, benchmark, evaluated, document)
    unused = unused_attributes(known or {}, (run.model for run in evaluated.runs))
    _show(tables, analysis.sentence(document), [*unused, *document["notes"]])


def _write_pictures(
    out: AtomicFiles,
    folder: Path,
    benchmark: Path,
    evaluated: Evaluated,
    document: dict[str, Any],
) -> None:
    from ..inspection.image_files import ImageFiles
    from ..report.hardest_pictures import hardest_pictures

    lacking = 0
    for name, drawn in hardest_pictures(
        evaluated.benchmark, ImageFiles(benchmark), document["hardest"], _MOST_PICTURES
    ):
        if drawn is None:
            lacking += 1
        else:
            out.write_bytes(folder / name, drawn)
    if lacking:
        document["notes"].append(f"{lacking} pictures left out: no image file beside the benchmark")


def _show(tables: list[Any], sentence: str, notes: list[str]) -> None:
    from rich.console import Console

    from ..errors import one_line
    from ..report.table_terminal import print_table

    console = Console(highlight=False)
    for table in tables:
        left = print_table(table, console, _MOST_ROWS)
        if left:
            console.print(f"… and {left} more rows: see --table or --json")
    typer.echo(one_line(sentence))
    for note in notes:
        typer.echo(one_line(note), err=True)
