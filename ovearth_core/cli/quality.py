"""`ovearth check`, `ovearth boxes` and `ovearth stats`, of a dataset or a benchmark file."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .place import DATASET_OR_BENCHMARK, benchmark_file, is_dataset, is_release, kept_safe

if TYPE_CHECKING:
    from ..checking.finding import Finding
    from ..dataset import Dataset


def add_to(app: typer.Typer) -> None:
    """Add this module's commands."""
    app.command()(check)
    app.command()(boxes)
    app.command()(stats)


def check(
    place: Path = DATASET_OR_BENCHMARK,
    json_file: Path | None = typer.Option(None, "--json", help="Write the findings as JSON."),
    fix: bool = typer.Option(
        False, "--fix", help="First mend what has one right answer (datasets only), and log it."
    ),
    who: str | None = typer.Option(None, help="Who signs what --fix mends, in the log."),
) -> None:
    """List everything that would spoil the benchmark.

    Each with its place and how to mend it. The exit code is 1 where there is anything.
    """
    from ..atomic import write_text
    from ..checking.finding import findings_json

    mended: list[Any] = []
    if is_dataset(place):
        findings, mended = _check_dataset(place, fix, who)
    elif fix:
        from ..errors import UsageError

        raise UsageError("--fix mends datasets", str(place), "import the benchmark, or mend it")
    else:
        findings = _check_benchmark(place)
    if json_file is not None:
        more = {"mended": [each.as_json() for each in mended]} if fix else {}
        write_text(json_file, findings_json(findings, **more), [kept_safe(place)])
    for each in (*mended, *findings):
        typer.echo(str(each))
    if findings:
        typer.echo(f"{len(findings)} problem(s) in {place}")
        raise typer.Exit(1)
    typer.echo(f"{place}: nothing found")


def _check_benchmark(place: Path) -> list[Finding]:
    from ..benchmark import read_benchmark
    from ..checking.benchmark_file import check_benchmark
    from ..checking.release import check_release
    from ..dataset.exchange.checksums import sums_beside

    found: list[Finding] = []
    file = benchmark_file(place)
    if is_release(place) or sums_beside(file):
        found = list(check_release(file.parent))
        if not file.is_file():
            return found
    return [*found, *check_benchmark(read_benchmark(file), file.parent)]


def _check_dataset(place: Path, fix: bool, who: str | None) -> tuple[list[Finding], list[Any]]:
    from ..checking.dataset_rows import check_dataset
    from ..checking.mending import mend_dataset
    from ..dataset import Dataset
    from ..dataset.review.person import person_of

    dataset = Dataset.open(place)
    signed = None if who is None else person_of(who).name
    mended = mend_dataset(dataset, signed) if fix else []
    with _counted("checking", dataset) as step:
        return list(check_dataset(dataset, step)), mended


def _counted(what: str, dataset: Dataset) -> AbstractContextManager[Callable[[], None]]:
    from .progress import counted

    with dataset.reading() as view:
        return counted(what, view.counts()["images"])


def boxes(
    place: Path = DATASET_OR_BENCHMARK,
    frame: str = typer.Option(
        "pixel", help="In which axes a box is upright or smallest: pixel, map or ground."
    ),
    out: Path | None = typer.Option(
        None,
        help="JSON Lines, or CSV where its name ends so. Unless given: a dataset's boxes go into"
        " its layers only, a benchmark's to standard output.",
    ),
) -> None:
    """Derive horizontal and oriented boxes of every instance.

    With their size on the ground. A dataset keeps those of its approved targets in its layers hbb
    and obb.
    """
    from ..benchmark.box_table import box_rows, boxes_text
    from ..benchmark.reader import read_benchmark

    if is_dataset(place):
        from ..dataset import Dataset
        from ..dataset.boxes import dataset_box_rows, derive_boxes

        dataset = Dataset.open(place)
        with _counted("deriving boxes", dataset) as step:
            derived = derive_boxes(dataset, frame, progress=step)
        typer.echo(f"boxes: {derived}")
        if out is not None:
            _write_boxes(place, out, dataset_box_rows(dataset, frame))
        return
    rows = box_rows(read_benchmark(benchmark_file(place)), frame)
    if out is None:
        typer.echo(boxes_text(rows, as_csv=False), nl=False)
        return
    _write_boxes(place, out, rows)


def _write_boxes(place: Path, out: Path, rows: Iterable[dict[str, Any]]) -> None:
    from ..atomic import write_text
    from ..benchmark.box_table import boxes_text

    write_text(out, boxes_text(rows, as_csv=out.suffix.lower() == ".csv"), [kept_safe(place)])
    typer.echo(f"boxes in {out}")


def stats(
    place: Path = DATASET_OR_BENCHMARK,
    json_file: Path | None = typer.Option(None, "--json", help="Write the numbers as JSON."),
    out: Path | None = typer.Option(None, "--out", help="Folder for figures, PNG and SVG."),
) -> None:
    """Count what a benchmark or a dataset is made of.

    Of a dataset the approved targets, as an export would hold them.
    """
    import json

    from ..atomic import AtomicFiles
    from ..report.statistics_table import print_statistics

    document = _statistics(place)
    with AtomicFiles([kept_safe(place)]) as files:
        if json_file is not None:
            files.write(json_file, json.dumps(document, indent=1, ensure_ascii=False) + "\n")
        if out is not None:
            from ..report.statistics_figures import draw_statistics

            for name, drawn in draw_statistics(document):
                files.write_bytes(out / name, drawn)
    print_statistics(document)
    if out is not None:
        typer.echo(f"figures in {out}")


def _statistics(place: Path) -> dict[str, Any]:
    if is_dataset(place):
        from ..dataset import Dataset
        from ..statistics.counting import dataset_statistics

        dataset = Dataset.open(place)
        with _counted("counting", dataset) as step:
            return dataset_statistics(dataset, step)
    from ..benchmark import read_benchmark
    from ..statistics.counting import benchmark_statistics

    return benchmark_statistics(read_benchmark(benchmark_file(place)))
