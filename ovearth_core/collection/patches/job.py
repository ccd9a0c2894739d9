"""The job: places and imagery in, patches in the dataset out; stopped and taken up at any time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ...daemons import leavable
from ...dataset import Dataset, ImageRow
from ...engine import Engine, EngineChoice, open_engine
from ...engine_daemons import DaemonThreads, daemon_count
from ...errors import InputError, OutputError, UsageError
from ...interrupts import Interrupts
from ...one_at_a_time import one_at_a_time
from ...spelling import counted
from ..imagery import ImagerySpec, begin_search, open_source
from ..imagery.dates import check_date
from ..imagery.providers import doubt_about
from .estimate import Estimate, estimate
from .extraction import Task, get_ready
from .grid import PatchShape
from .keeper import Keeper
from .making import Progress, make_all
from .patch_file import check_compression
from .place import Place
from .plan import Categories, imagery_key, planned
from .report import FILE_NAME, Report, check_place, lasting_refusals

__all__ = ["PatchJob", "Plan", "Progress", "extract_patches", "plan_patches", "start_engine"]


@dataclass(frozen=True)
class PatchJob:
    """What is to be done, whole and plain.

    most_nodata: the part of a patch that may be without data. keep_duplicates: near-duplicates
    too. retry_refused: look again at what an earlier run refused. no_limit: as large as it gets.
    """

    spec: ImagerySpec
    shape: PatchShape = field(default_factory=PatchShape)
    most_nodata: float = 0.05
    compression: str = "zstd"
    keep_duplicates: bool = False
    retry_refused: bool = False
    no_limit: bool = False
    report: Path | None = None

    def __post_init__(self) -> None:
        check_compression(self.compression)
        if not 0.0 <= self.most_nodata <= 1.0:
            raise UsageError(f"{self.most_nodata}", "--max-nodata", "give a number from 0 to 1")
        check_date(self.spec.date_captured)

    def settings(self) -> dict[str, Any]:
        """Return what decides over patches, as the report has it."""
        imagery = asdict(self.spec) | {"text": self.spec.published}
        return {
            "imagery": imagery, "shape": asdict(self.shape), "most_nodata": self.most_nodata,
            "compression": self.compression,
        }  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """What a job will do: the tasks that are left, and what to know before it runs.

    failed: places whose pictures could not even be searched for; the report has them.
    """

    tasks: Sequence[Task]
    estimate: Estimate
    report: Report
    failed: int = 0

    def line(self) -> str:
        """Say in one line what it will take, or why it takes nothing."""
        report = self.report
        if self.tasks or report.already:
            return self.estimate.line()
        if not (report.refused or report.failed):
            return "nothing is to be made: there are no places"
        reasons = [f"{count} {reason}" for reason, count in report.counts()["refused"].items()]
        reasons += [f"{len(report.failed)} failed"] if report.failed else []
        return f"nothing can be made: {', '.join(reasons)}"


def plan_patches(
    dataset: Dataset,
    places: Iterable[Place],
    job: PatchJob,
    workers: int | None = None,
    check: Callable[[], object] | None = None,
) -> Plan:
    """Return what is left to do, its size, and warnings, before any pixel is read.

    workers: how many will do it, of which each reads anew what the others have read; None for
    those that there are unless others are chosen. check: called now and then; what it raises ends
    the planning, whatever server is waited for.
    Raises InputError for imagery that can't be opened, UsageError for a job beyond the limit.
    """
    return leavable(_plan, dataset, places, job, workers or daemon_count(), check=check)


def _plan(dataset: Dataset, places: Iterable[Place], job: PatchJob, workers: int) -> Plan:
    begin_search(job.spec)
    report, path = Report(job.settings()), _report_path(dataset, job)
    if job.report is not None:
        check_place(job.report, dataset.path)
    with dataset.reading() as view:
        categories = Categories(view.categories())
    done = _made(dataset)
    refused = {} if job.retry_refused else lasting_refusals(path, job.settings())
    tasks = []
    for task in planned(
        places, job.spec, job.shape, categories, job.most_nodata, job.compression, report
    ):
        if task.key in done:
            report.find(task, done[task.key])
        elif task.key in refused:
            report.keep_refused(task, refused[task.key])
        else:
            tasks.append(task)
    _warn_of_terms(job.spec, tasks, report)
    size = estimate(tasks, workers)
    report.estimate = size.as_json()
    if not job.no_limit:
        size.check()
    return Plan(tasks, size, report, len(report.failed))


def start_engine(job: PatchJob, choice: EngineChoice) -> Engine:
    """Return an engine whose workers open the imagery while the job is planned."""
    engine = _engine(choice)
    engine.warm(get_ready, job.spec)
    return engine


def _engine(choice: EngineChoice) -> Engine:
    """Return the engine that was chosen; here, one that needn't be waited for."""
    engine = open_engine(choice)
    if engine.is_remote or not engine.shares_disk:
        return engine
    engine.close()
    return DaemonThreads()


def extract_patches(
    dataset: Dataset,
    plan: Plan,
    job: PatchJob,
    choice: EngineChoice | None = None,
    who: str | None = None,
    progress: Progress | None = None,
    engine: Engine | None = None,
) -> Report:
    """Make the patches of a plan, and return the report, which is written too.

    choice: where it is done, or engine: one that was started, which is closed at the end. Each
    file is there whole or not at all. Raises InputError when patches failed (after all
    others are done, at once where the source forbids it, or when many failed in a row),
    OutputError for a full disk, InterruptedWorkError when a person stopped it. What was done is
    kept, and running it again does the rest.
    """
    lock = dataset.folder / f".patches-{imagery_key(job.spec, job.shape)}.lock"
    report, path = plan.report, _report_path(dataset, job)
    with (
        Interrupts() as interrupts,
        engine or _engine(choice or EngineChoice()) as workers,
        one_at_a_time(lock, "another job is making the same patches"),
        _reported(plan, path),
    ):
        with interrupts.heard():
            there = _made(dataset)
            left = [task for task in plan.tasks if task.key not in there]
            for task in plan.tasks:
                if task.key in there:
                    report.find(task, there[task.key])
            keeper = Keeper(dataset, report, job.spec.published, job.keep_duplicates, who)
        make_all(dataset, left, keeper, workers, progress, interrupts)
    _raise_failed(plan, job, path)
    return report


@contextmanager
def _reported(plan: Plan, path: Path) -> Iterator[None]:
    """Write the report at the end of the block, however it ends."""
    report = plan.report
    try:
        yield
    except BaseException as fault:
        report.interrupted |= isinstance(fault, KeyboardInterrupt)
        # What went wrong is to be said, not that the same keeps the report from being written.
        with suppress(OutputError):
            report.leave(plan.tasks)
            report.write(path)
        raise
    report.leave(plan.tasks)
    report.write(path)


def _raise_failed(plan: Plan, job: PatchJob, path: Path) -> None:
    failed = plan.report.failed
    if failed:
        asked = counted(len(plan.tasks) + plan.failed, "patch", "patches")
        raise InputError(
            f"{len(failed)} of {asked} failed (the first: {failed[0]['detail']})",
            f"imagery {job.spec.published}, all in {path}",
            "mend it, and run it again for the rest",
        )


def _made(dataset: Dataset) -> dict[str, str]:
    """Return by their keys the files of the patches that a dataset has, rows and files."""
    with dataset.reading() as view:
        return {
            key: row.file_name
            for row in view.images()
            if (key := _key_of(row)) is not None and dataset.image_path(row).is_file()
        }


def _key_of(row: ImageRow) -> str | None:
    patch = row.extra.get("patch")
    key = patch.get("key") if isinstance(patch, dict) else None
    return key if isinstance(key, str) else None


def _report_path(dataset: Dataset, job: PatchJob) -> Path:
    return job.report or dataset.folder / FILE_NAME


def _warn_of_terms(spec: ImagerySpec, tasks: Sequence[Task], report: Report) -> None:
    """Note where it isn't known that patches may be handed on; opens plain imagery to ask it.

    What a search found says so itself, each picture for its own part.
    """
    known = [spec.license]
    if spec.kind() == "raster":
        source = open_source(spec)
        known = [source.about.license]
        source.close()
    elif found := [task.spec for task in tasks if task.spec.is_told_by_server]:
        known = sorted({picture.license for picture in found}, key=str)
    is_own = spec.kind() == "raster" and not spec.is_online
    address = "" if is_own else spec.text
    for doubt in dict.fromkeys(doubt_about(address, license_) for license_ in known):
        if doubt is not None:
            said = f"{doubt}, {spec.published}, say --license if you know better"
            report.warnings.append(said)
