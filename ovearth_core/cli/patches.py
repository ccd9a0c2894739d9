"""`ovearth patches`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from .progress import is_shown

if TYPE_CHECKING:
    from ..collection.patches import PatchJob, Place, Report
    from ..collection.patches.job import Progress
    from ..dataset import Dataset
    from ..engine import EngineChoice


def add_to(app: typer.Typer) -> None:
    """Add this module's commands."""
    app.command()(patches)


def patches(
    dataset: Path = typer.Argument(help="The dataset's folder."),
    imagery: str = typer.Option(
        ...,
        help="Where pixels come from: a raster (anything GDAL reads), or xyz:…, wms:…, wmts:…,"
        " stac:… of a server.",
    ),
    pois: Path | None = typer.Option(
        None, help="Places from a file, instead of the dataset's own that are not rejected."
    ),
    size: int | None = typer.Option(None, help="Side of a patch in pixels."),
    extent: float | None = typer.Option(None, help="Side of a patch in metres of true ground."),
    gsd: float | None = typer.Option(
        None, help="Metres of true ground a pixel; the imagery's own if not given."
    ),
    grid: str = typer.Option(
        "auto", help="own: the imagery's pixels as they are; metric: north-up in local UTM."
    ),
    resampling: str = typer.Option("cubic", help="cubic, bilinear or nearest."),
    jitter: float = typer.Option(
        0.0, help="Move patches off their place by up to this part of half a side (0 to 1)."
    ),
    seed: int = typer.Option(0, help="Seed of the jitter."),
    max_nodata: float = typer.Option(0.05, help="The part of a patch that may be without data."),
    black_is_nodata: bool = typer.Option(
        False, "--black-is-nodata", help="Black reaching in from the edges holds no data."
    ),
    license_: str | None = typer.Option(None, "--license", help="The imagery's licence."),
    attribution: str | None = typer.Option(None, help="Who wants to be named."),
    date: str | None = typer.Option(None, help="When the imagery was taken, ISO 8601."),
    source: str | None = typer.Option(None, help="What to call the imagery's source."),
    compress: str = typer.Option("zstd", help="zstd or deflate; both lose nothing."),
    keep_duplicates: bool = typer.Option(
        False, "--keep-duplicates", help="Keep patches that look like one of the same ground."
    ),
    retry_refused: bool = typer.Option(
        False, "--retry-refused", help="Look again at what an earlier run refused."
    ),
    no_limit: bool = typer.Option(False, "--no-limit", help="However large the job is."),
    dry_run: bool = typer.Option(False, "--dry-run", help="Say what it would take, and stop."),
    report: Path | None = typer.Option(
        None, help="The report (DATASET/patches-report.json unless given)."
    ),
    who: str | None = typer.Option(None, help="Your name, for the dataset."),
    jobs: int = typer.Option(1, help="Processes of this machine to share the work."),
    engine: str = typer.Option("local", help="local, or dask for a cluster."),
    scheduler: str | None = typer.Option(None, help="The cluster's scheduler, tcp://HOST:PORT."),
) -> None:
    """Cut georeferenced patches about places of interest.

    Exit code 0: at least one of the patches is there; 1: not one could be cut; 2: bad input, or
    some failed.
    """
    from ..collection.imagery import ImagerySpec
    from ..collection.patches import PatchJob, PatchShape, read_places
    from ..dataset import Dataset
    from ..engine import EngineChoice

    choice = EngineChoice(engine, jobs, scheduler)
    choice.check()
    spec = ImagerySpec(
        imagery, license_, attribution, date, source,
        resampling=resampling, black_is_nodata=black_is_nodata,
    )  # fmt: skip
    job = PatchJob(
        spec,
        PatchShape(size, extent, gsd, grid, jitter, seed),
        max_nodata,
        compress,
        keep_duplicates,
        retry_refused,
        no_limit,
        report,
    )
    opened = Dataset.open(dataset)
    places = read_places(pois) if pois else _own_places(opened)
    done = _cut(opened, places, job, choice, who, is_dry=dry_run)
    if done is not None:
        typer.echo(done.line())
        if done.is_vain:
            raise typer.Exit(1)


def _cut(
    dataset: Dataset,
    places: Iterable[Place],
    job: PatchJob,
    choice: EngineChoice,
    who: str | None,
    *,
    is_dry: bool,
) -> Report | None:
    """Say what it takes, and do it; no more than said, and None, where it is a dry run."""
    from ..collection.patches import extract_patches, plan_patches, start_engine
    from ..engine import Engine

    with Engine() if is_dry else start_engine(job, choice) as running:
        workers = running.workers if running.is_remote else choice.jobs
        plan = plan_patches(dataset, places, job, workers if workers > 1 else None)
        for warning in plan.report.warnings:
            typer.echo(f"warning: {warning}", err=True)
        typer.echo(plan.line(), err=True)
        if is_dry:
            return None
        with progress_bar(len(plan.tasks)) as progress:
            return extract_patches(dataset, plan, job, who=who, progress=progress, engine=running)


def _own_places(dataset: Dataset) -> list[Place]:
    from ..collection.patches import dataset_places
    from ..errors import InputError

    places = dataset_places(dataset)
    if not places:
        raise InputError(
            "it has no places of interest (rejected ones aside)",
            str(dataset.folder),
            "find some with ovearth pois search --dataset, or give a file with --pois",
        )
    return places


@contextmanager
def progress_bar(total: int) -> Iterator[Progress | None]:
    """Show a bar with rate and remaining time on a terminal; nothing elsewhere."""
    if not is_shown():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        shown = bar.add_task("patches", total=total, rate="")

        def step(done: int, _: int, report: Report) -> None:
            speed = bar.tasks[0].speed
            rate = "" if not speed else f"{speed:.1f}/s"
            bar.update(shown, completed=done, rate=f"{rate} {len(report.refused)} refused")

        yield step
