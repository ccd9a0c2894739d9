"""The job: places and imagery in, patches in the dataset out; stopped and taken up at any time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from ...dataset import Dataset, Edit, ImageRow, PoiRow
from ...engine import Engine, EngineChoice, open_engine
from ...errors import InputError, InterruptedWorkError, UsageError
from ..imagery import ImagerySpec, open_source
from ..imagery.providers import doubt_about
from .duplicates import KnownLooks, looks_of
from .estimate import Estimate, estimate
from .extraction import Outcome, Task, extract, get_ready
from .grid import PatchShape
from .patch_file import check_compression
from .place import Place
from .plan import Categories, planned
from .refusal import DUPLICATE, FAILED, Refusal
from .report import FILE_NAME, Report, lasting_refusals

Progress = Callable[[int, int, Report], None]

# So many faults in a row are the source's, not the places'.
_MOST_FAULTS_IN_A_ROW = 5
# Rows are stored together: a commit waits for the disk. A killed job loses no more than these,
# and finds their files again.
_ROWS_TOGETHER = 16
_SECONDS_TOGETHER = 1.0


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
        if not 0.0 <= self.most_nodata < 1.0:
            raise UsageError(f"{self.most_nodata}", "--max-nodata", "give a number from 0 to 1")

    def settings(self) -> dict[str, Any]:
        """Return what decides over patches, as the report has it."""
        imagery = asdict(self.spec) | {"text": self.spec.published}
        return {
            "imagery": imagery, "shape": asdict(self.shape), "most_nodata": self.most_nodata,
            "compression": self.compression,
        }  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """What a job will do: the tasks that are left, and what to know before it runs."""

    tasks: Sequence[Task]
    estimate: Estimate
    report: Report


def plan_patches(dataset: Dataset, places: Iterable[Place], job: PatchJob) -> Plan:
    """Return what is left to do, its size, and warnings, before any pixel is read.

    Raises InputError for imagery that can't be opened, UsageError for a job beyond the limit.
    """
    report = Report(job.settings())
    _warn_of_terms(job.spec, report)
    with dataset.reading() as view:
        categories = Categories(view.categories())
        done = {_key_of(row) for row in view.images() if dataset.image_path(row).is_file()}
    path = _report_path(dataset, job)
    refused = {} if job.retry_refused else lasting_refusals(path, job.settings())
    tasks = []
    for task in planned(places, job.spec, job.shape, categories, job.most_nodata, job.compression):
        if task.key in done:
            report.already += 1
        elif task.key in refused:
            report.keep_refused(task, refused[task.key])
        else:
            tasks.append(task)
    size = estimate(tasks)
    report.estimate = size.as_json()
    if not job.no_limit:
        size.check()
    return Plan(tasks, size, report)


def start_engine(job: PatchJob, choice: EngineChoice) -> Engine:
    """Return an engine whose workers open the imagery while the job is planned."""
    engine = open_engine(choice)
    engine.warm(get_ready, job.spec)
    return engine


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
    others are done, or when many failed in a row), OutputError for a full disk,
    InterruptedWorkError when a person stopped it. What was done is kept, and running it again does
    the rest.
    """
    keeper = _Keeper(dataset, plan.report, job, who)
    path = _report_path(dataset, job)
    number = 0
    try:
        with engine or open_engine(choice or EngineChoice()) as workers:
            # Whoever shares the disk writes there: what needn't be sent back costs nothing.
            folder = dataset.folder if workers.shares_disk else None
            tasks = (replace(task, folder=folder) for task in plan.tasks)
            for number, outcome in enumerate(workers.in_order(extract, tasks), 1):
                keeper.take(outcome)
                if progress is not None:
                    progress(number, len(plan.tasks), plan.report)
                if keeper.faults_in_a_row >= _MOST_FAULTS_IN_A_ROW:
                    break
    except KeyboardInterrupt:
        plan.report.interrupted = True
        raise InterruptedWorkError(
            f"stopped after {len(plan.report.fetched)} of {len(plan.tasks)} patches",
            str(dataset.folder),
            "run it again for the rest",
        ) from None
    finally:
        for task in plan.tasks[max(number - 1, 0) :]:
            task.part(dataset.folder).drop()
        keeper.flush()
        plan.report.write(path)
    _raise_failed(plan, job, path)
    return plan.report


def _raise_failed(plan: Plan, job: PatchJob, path: Path) -> None:
    failed = plan.report.failed
    if failed:
        raise InputError(
            f"{len(failed)} of {len(plan.tasks)} patches failed (the first: {failed[0]['detail']})",
            f"imagery {job.spec.published}, all in {path}",
            "mend it, and run it again for the rest",
        )


class _Keeper:
    """Takes outcomes in their order: refuses duplicates, writes files, stores rows."""

    def __init__(self, dataset: Dataset, report: Report, job: PatchJob, who: str | None) -> None:
        self._dataset = dataset
        self._report = report
        self._job = job
        self._who = who
        with dataset.reading() as view:
            rows = list(view.images())
            self._pois = {_poi_key(row): row.id for row in view.pois()}
        self._looks: KnownLooks = looks_of(dataset, rows)
        self._ids = {row.file_name: row.id for row in rows}
        self._waiting: list[Outcome] = []
        self._since = time.monotonic()
        self.faults_in_a_row = 0

    def take(self, outcome: Outcome) -> None:
        is_fault = outcome.refusal is not None and outcome.refusal.reason == FAILED
        self.faults_in_a_row = self.faults_in_a_row + 1 if is_fault else 0
        if outcome.row is not None and not self._job.keep_duplicates:
            frame, group = outcome.row.frame(), outcome.row.location_group
            twin = self._looks.twin(frame, group, outcome.look)
            if twin is not None and twin != outcome.row.file_name:
                outcome.task.part(self._dataset.folder).drop()
                outcome = Outcome(outcome.task, Refusal(DUPLICATE, f"it looks like {twin}"))
        if outcome.row is not None:
            outcome = self._written(outcome, outcome.row)
        self._report.take(outcome)

    def _written(self, outcome: Outcome, row: ImageRow) -> Outcome:
        # The file first: a row without its file would count as done.
        part = outcome.task.part(self._dataset.folder)
        if outcome.content:
            part.write(outcome.content)
        part.keep()
        outcome = replace(outcome, content=b"")
        self._looks.add(row.file_name, row.frame(), row.location_group, outcome.look)
        self._waiting.append(outcome)
        late = time.monotonic() - self._since > _SECONDS_TOGETHER
        if late or len(self._waiting) >= _ROWS_TOGETHER:
            self.flush()
        return outcome

    def flush(self) -> None:
        """Store the rows of the files that were written."""
        if self._waiting:
            with self._dataset.writing(self._who) as edit:
                for outcome in self._waiting:
                    self._store(edit, outcome)
            self._waiting.clear()
        self._since = time.monotonic()

    def _store(self, edit: Edit, outcome: Outcome) -> None:
        if outcome.row is None:
            return
        row = replace(outcome.row, poi_id=self._poi_id(edit, outcome.task.place))
        old = self._ids.get(row.file_name)
        if old is not None:
            edit.update(replace(row, id=old))
        else:
            self._ids[row.file_name] = edit.add(row).id

    def _poi_id(self, edit: Edit, place: Place) -> int | None:
        """Return the dataset's id of a place, which is taken in where it is from a file."""
        if place.id is not None:
            return place.id
        row = PoiRow(
            None, place.lon, place.lat, place.category_id, place.name, "accepted",
            place.source, place.reference, dict(place.tags),
            extra={"continent": place.continent} if place.continent else {},
        )  # fmt: skip
        key = _poi_key(row)
        if key not in self._pois:
            self._pois[key] = edit.add(row).id
        return self._pois[key]


def _poi_key(row: PoiRow) -> tuple[object, ...]:
    if row.source_id:
        return (row.source_id, row.category_id)
    return (round(row.lon, 7), round(row.lat, 7), row.category_id)


def _key_of(row: ImageRow) -> str | None:
    patch = row.extra.get("patch")
    key = patch.get("key") if isinstance(patch, dict) else None
    return key if isinstance(key, str) else None


def _report_path(dataset: Dataset, job: PatchJob) -> Path:
    return job.report or dataset.folder / FILE_NAME


def _warn_of_terms(spec: ImagerySpec, report: Report) -> None:
    """Note where it isn't known that patches may be handed on; opens plain imagery to ask it."""
    license_ = spec.license
    if spec.kind() == "raster":
        source = open_source(spec)
        license_ = source.about.license
        source.close()
    doubt = doubt_about(spec.text, license_)
    if doubt is not None:
        report.warnings.append(f"{doubt}, {spec.published}, say --license if you know better")
