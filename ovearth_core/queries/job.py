"""A job: one stage for many targets, requests side by side, each target stored as it comes in.

A target's texts and the note that it is done are one transaction; replies are kept on disk before
that. Killed at any moment, a job run again asks nothing that was answered, and stores each once.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..collection.service_errors import ServiceError
from ..dataset import Dataset, QueryRunRow
from ..errors import (
    InterruptedWorkError,
    MissingPackageError,
    OVEarthError,
    UsageError,
)
from ..one_at_a_time import one_at_a_time
from .asking import Asker, Outcome, Server
from .budget import CappedServer, CapReachedError, Caps
from .chat_answer import utc_now
from .crew import Crew, Done
from .depiction import DEFAULT_SIDE, depict
from .estimate import Estimate
from .image_at_hand import pixels_of
from .job_report import JobReport, many
from .language_server import LanguageServer, ServerChoice
from .question import Question
from .reply_cache import ReplyCache
from .selection import Selection, scenes
from .stages import Stage
from .subject import Subject

_LOCK = ".ovearth-queries.lock"
MOST_AT_ONCE = 64
# A server that fails so many targets in a row, whatever it is asked, is left alone.
_MOST_IN_A_ROW = 3
# After Ctrl-C, what is under way is paid for already.
_GRACE_S = 10.0
_LOOK_S = 0.5

Progress = Callable[[], None]


@dataclass(frozen=True)
class Job:
    """What to do. at_once: requests under way. limit: at most so many targets, None for all.

    retry_failed: ask anew about targets that failed. who: signs what is stored.
    """

    stage: Stage
    selection: Selection = field(default_factory=Selection)
    side: int = DEFAULT_SIDE
    at_once: int = 4
    limit: int | None = None
    retry_failed: bool = False
    who: str | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.at_once <= MOST_AT_ONCE:
            raise UsageError(
                f"{self.at_once} requests at once", "--at-once", f"give 1 to {MOST_AT_ONCE}"
            )
        if self.limit is not None and self.limit < 1:
            raise UsageError(f"a limit of {self.limit} targets", "--limit", "give 1 or more")


@dataclass(frozen=True)
class Plan:
    """The targets to ask about, how many are left out and why, and what it will take.

    idle: how many there is nothing to ask about, done before at stage 1. failed_at: when those
    failed that are asked about again.
    """

    target_ids: tuple[int, ...]
    idle: int
    failed_before: int
    estimate: Estimate
    stage: str
    failed_at: Mapping[int, str]

    def line(self) -> str:
        """Say what is left out."""
        why = "with nothing to verify" if self.stage == "verify" else "done before"
        before = f", {self.idle} {why}" if self.idle else ""
        failed = f", {self.failed_before} failed before" if self.failed_before else ""
        return f"{many(len(self.target_ids), 'target')}{before}{failed}"


def plan_job(dataset: Dataset, job: Job) -> Plan:
    """Return what a job has to do; InputError for a target that there isn't."""
    job.selection.check(dataset)
    with dataset.reading() as view:
        last = {run.target_id: run for run in view.query_runs(stage=job.stage.name)}
    wanted: list[int] = []
    failed_at: dict[int, str] = {}
    done = failed = 0
    estimate = Estimate()
    for subject, _ in _subjects(dataset, job):
        run = last.get(subject.target_id)
        state = run.state if run else ""
        if not job.stage.wants(subject) or (state == "done" and job.stage.once):
            done += 1
        elif state == "failed" and not job.retry_failed:
            failed += 1
        elif job.limit is None or len(wanted) < job.limit:
            wanted.append(subject.target_id)
            if run and state == "failed":
                failed_at[run.target_id] = run.at
            estimate = estimate.with_one(subject, job.stage.prompt, job.side)
    return Plan(tuple(wanted), done, failed, estimate, job.stage.name, failed_at)


def questions(
    dataset: Dataset, job: Job, plan: Plan, report: JobReport
) -> Iterator[tuple[Subject, Question]]:
    """Yield the requests of a plan one by one, pictures drawn; what can't be shown is reported."""
    wanted = frozenset(plan.target_ids)
    for subject, neighbours in _subjects(dataset, job):
        if subject.target_id not in wanted or not job.stage.wants(subject):
            continue
        try:
            pixels = pixels_of(dataset, subject)
            pictures = depict(subject, pixels, job.side, outlined=job.stage.outlined)
            question = job.stage.question(subject, neighbours, pictures)
        except (MissingPackageError, UsageError):
            raise
        except (OVEarthError, OSError, MemoryError) as fault:
            report.unseen.append((subject.target_id, str(fault) or type(fault).__name__))
            continue
        yield subject, question


def run_job(
    dataset: Dataset,
    job: Job,
    plan: Plan,
    choice: ServerChoice,
    cache: ReplyCache,
    progress: Progress = lambda: None,
    caps: Caps | None = None,
) -> JobReport:
    """Ask, and store what comes in. progress: called after each target. caps: on what it spends.

    Raises UsageError while another job is at this dataset, ServiceError where the server is at
    fault, InterruptedWorkError after Ctrl-C; what was stored until then stays.
    """
    report = JobReport()
    lock = one_at_a_time(dataset.folder / _LOCK, "another job asks about this dataset")
    with lock, LanguageServer(choice) as server:
        asked: Server = server
        if caps is not None and caps.is_set:
            asked = CappedServer(server, caps, choice.most_answer_tokens, server.stop)
        asker = Asker(asked, cache, choice.model, choice.address)
        running = _Running(dataset, job, plan, choice, asker, report, progress)
        try:
            running.run(questions(dataset, job, plan, report))
        except KeyboardInterrupt:
            server.stop.set()
            running.settle()
            raise InterruptedWorkError(
                f"stopped, {many(report.done, 'target')} stored", str(dataset.path),
                "run it again to go on",
            ) from None  # fmt: skip
        finally:
            report.sent = server.sent
            report.left = len(plan.target_ids) - report.met
    return report


class _Running:
    """A job under way."""

    def __init__(
        self,
        dataset: Dataset,
        job: Job,
        plan: Plan,
        choice: ServerChoice,
        asker: Asker,
        report: JobReport,
        progress: Progress,
    ) -> None:
        self._dataset, self._job, self._choice = dataset, job, choice
        self._report, self._progress = report, progress
        self._in_a_row = 0
        self._crew: Crew[tuple[Subject, Question], Outcome[Any]] = Crew(
            lambda item: asker.ask(
                item[1],
                lambda reply: job.stage.read(item[0], item[1], reply),
                plan.failed_at.get(item[0].target_id, ""),
            ),
            job.at_once,
        )

    def run(self, source: Iterator[tuple[Subject, Question]]) -> None:
        try:
            for item in source:
                while self._crew.is_full:
                    self._take()
                if self._report.capped is not None:
                    break
                self._crew.give(item)
            while self._crew.under_way:
                self._take()
        except OVEarthError as fault:
            # What the others were paid for is kept: in the dataset, unless that is at fault.
            self.settle(is_stored=isinstance(fault, ServiceError))
            raise
        finally:
            self._crew.dismiss()

    def settle(self, *, is_stored: bool = True) -> None:
        """Take what comes in within a few seconds, and store it; it is in the cache in any case."""
        end = time.monotonic() + _GRACE_S
        while self._crew.under_way and (left := end - time.monotonic()) > 0:
            done = self._crew.take(left)
            if is_stored and done is not None and done.result is not None:
                self._store(done.item[0], done.result)

    def _take(self) -> None:
        # In short waits, so that Ctrl-C is heard on every system.
        done = None
        while done is None:
            done = self._crew.take(_LOOK_S)
        subject, _ = done.item
        if done.result is not None:
            self._in_a_row = 0
            self._store(subject, done.result)
        elif isinstance(done.fault, CapReachedError):
            self._report.capped = str(done.fault)
            return
        else:
            self._fail(done)
        self._progress()

    def _fail(self, done: Done[tuple[Subject, Question], Outcome[Any]]) -> None:
        fault = done.fault
        if not isinstance(fault, ServiceError) or not getattr(fault, "may_pass", False):
            if fault is not None:
                raise fault
            return
        self._report.unanswered.append((done.item[0].target_id, str(fault)))
        self._in_a_row += 1
        if self._in_a_row >= _MOST_IN_A_ROW:
            raise fault

    def _store(self, subject: Subject, outcome: Outcome[Any]) -> None:
        self._report.count(outcome)
        with self._dataset.writing(self._job.who) as edit:
            try:
                edit.target(subject.target_id)
            except OVEarthError:
                self._report.unseen.append((subject.target_id, "it was removed meanwhile"))
                return
            if outcome.value is not None:
                stage = self._job.stage
                counts = stage.store(edit, subject, outcome.value, self._choice.model, outcome.at)
                self._report.texts.update(counts)
            edit.add(self._run_row(subject, outcome))
        if outcome.fault is None:
            self._report.done += 1
        else:
            self._report.failed.append((subject.target_id, outcome.fault))

    def _run_row(self, subject: Subject, outcome: Outcome[Any]) -> QueryRunRow:
        stage = self._job.stage
        return QueryRunRow(
            None, subject.target_id, stage.name, "done" if outcome.fault is None else "failed",
            self._choice.model, stage.prompt.label, outcome.at or utc_now(), outcome.requests,
            outcome.tokens_in, outcome.tokens_out, outcome.fault,
        )  # fmt: skip


def _subjects(dataset: Dataset, job: Job) -> Iterator[tuple[Subject, Collection[str]]]:
    """Yield the selected targets, each with the names of the other categories on its image."""
    for part, found in scenes(dataset, job.selection):
        chosen = {target.id for target in part.targets if job.selection.takes(target)}
        names = {subject.target_id: subject.category for subject in found}
        for subject in found:
            if subject.target_id in chosen:
                others = {n for i, n in names.items() if i != subject.target_id}
                yield subject, others - {subject.category}
