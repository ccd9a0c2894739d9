"""`ovearth check` and `ovearth boxes`."""

from __future__ import annotations

from pathlib import Path

import typer


def add_to(app: typer.Typer) -> None:
    """Add this module's commands."""
    app.command()(check)
    app.command()(boxes)


def check(
    benchmark: Path = typer.Argument(help="Benchmark: ovearth-benchmark/1 or plain COCO."),
    json_file: Path | None = typer.Option(None, "--json", help="Write the findings as JSON."),
) -> None:
    """List everything that would spoil the benchmark; exit 1 where something does."""
    from ..atomic import write_text
    from ..benchmark import read_benchmark
    from ..checking.benchmark_file import check_benchmark
    from ..checking.finding import findings_json

    findings = list(check_benchmark(read_benchmark(benchmark)))
    if json_file is not None:
        write_text(json_file, findings_json(findings), [benchmark])
    for finding in findings:
        typer.echo(str(finding))
    if findings:
        typer.echo(f"{len(findings)} problem(s) in {benchmark}")
        raise typer.Exit(1)
    typer.echo(f"{benchmark}: nothing found")


def boxes(
    benchmark: Path = typer.Argument(help="Benchmark: ovearth-benchmark/1 or plain COCO."),
    frame: str = typer.Option("pixel", help="pixel, map or ground."),
    out: Path | None = typer.Option(
        None, help="JSON Lines, or CSV where its name ends so; standard output unless given."
    ),
) -> None:
    """Derive horizontal and oriented boxes of every instance, with their size on the ground."""
    from ..atomic import write_text
    from ..benchmark import read_benchmark
    from ..benchmark.box_table import box_rows, boxes_text

    rows = box_rows(read_benchmark(benchmark), frame)
    if out is None:
        typer.echo(boxes_text(rows, as_csv=False), nl=False)
        return
    write_text(out, boxes_text(rows, as_csv=out.suffix.lower() == ".csv"), [benchmark])
    typer.echo(f"boxes in {out}")
