"""Makes a report: scores runs, analyses them together, and writes the page and what it keeps."""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from ...analysis.attributes import read_attributes, unused_attributes
from ...analysis.evaluated import Evaluated
from ...analysis.notes import score_filters
from ...atomic import AtomicFiles
from ...benchmark import Benchmark, read_benchmark
from ...errors import MissingPackageError, UsageError
from ...inspection.image_files import ImageFiles
from ...one_at_a_time import one_at_a_time
from ...scoring import Scores
from ..analyses import ANALYSES
from ..gallery.making import GalleryMaker
from ..gallery.picture import Gallery, gallery_text, read_gallery
from .folder import KeptFile, KeptReport, ReportFolder
from .galleries import MOST_RUNS, best_runs_first, gallery_section
from .rendering import rendered
from .repeating import heading, repeat_section
from .sections import (
    AnalysisSection,
    analysis_sections,
    caution,
    score_sections,
    statistics_section,
)
from .sources import ReportedRun, RunReader
from .wanted import Wanted

# Called with the share of all work that is done, and with what is being done; it may raise.
Progress = Callable[[float, str], None]

_ELSEWHERE = "name another folder"
_LOCK = ".report.lock"
# Shares of the work; analyses are the rest.
_READING, _PICTURES = 0.5, 0.15
_NEEDED = {"matplotlib": "Matplotlib", "jinja2": "Jinja2", "scipy": "SciPy", "PIL": "Pillow"}


@dataclass(frozen=True)
class Made:
    """What was made: the page, how large it is, and of how many runs."""

    page: Path
    byte_count: int
    runs: int
    notes: tuple[str, ...]

    def __str__(self) -> str:
        size = f"{self.byte_count / 1e6:.1f} MB"
        return f"report on {self.runs} {'run' if self.runs == 1 else 'runs'}: {self.page} ({size})"


def check_packages() -> None:
    """Raise MissingPackageError where one that a report needs isn't there."""
    for module, name in _NEEDED.items():
        try:
            found = importlib.util.find_spec(module)
        except (ImportError, ValueError):
            found = None
        if found is None:
            raise MissingPackageError(
                f"the report needs {name}", "here", "pip install 'ovearth[report]'"
            )


def make_report(
    wanted: Wanted, scored: Sequence[Scores] = (), progress: Progress = lambda share, what: None
) -> Made:
    """Write a report, all of it or nothing.

    scored: runs that are scored already, in the order of `wanted.runs`, instead of reading those.
    Raises as the readers and `evaluate` do; UsageError for a model that is there twice, or a
    report to add to that isn't there or is of another benchmark.
    """
    check_packages()
    folder = ReportFolder(wanted.folder)
    with _alone(wanted.folder):
        return _Report(wanted, folder, progress).make(scored)


def _alone(folder: Path) -> AbstractContextManager[None]:
    if not folder.is_dir():
        return nullcontext()
    return one_at_a_time(folder / _LOCK, "another report is being written there")


class _Report:
    def __init__(self, wanted: Wanted, folder: ReportFolder, progress: Progress) -> None:
        self._wanted = wanted
        self._folder = folder
        self._progress = progress
        self._inputs = [wanted.benchmark, *wanted.runs]
        self._attributes = (
            {} if wanted.attributes is None else read_attributes(wanted.attributes)
        )  # fmt: skip

    def make(self, scored: Sequence[Scores]) -> Made:
        wanted, folder = self._wanted, self._folder
        before = folder.read() if wanted.add else folder.read_if_sound()
        if before is None and folder.page.exists():
            raise UsageError("a page is there that is no report", str(folder.page), _ELSEWHERE)
        kept = before if wanted.add else None
        if before is not None:
            folder.drop_half_written()
        self._progress(0.0, "reading the benchmark")
        benchmark = scored[0].benchmark if scored else read_benchmark(wanted.benchmark)
        if kept is not None:
            _check_same(kept, benchmark, wanted)
        seed = wanted.seed if wanted.seed is not None else 0 if kept is None else kept.seed
        with AtomicFiles(self._inputs) as files:
            runs = self._read(benchmark, kept, files, scored)
            evaluated = Evaluated(benchmark, tuple(each.run for each in runs))
            models = best_runs_first(evaluated)
            runs, galleries = self._with_galleries(evaluated, runs, models, files)
            now = KeptReport(benchmark.sha256, seed, tuple(each.kept for each in runs))
            gallery = gallery_section(models, galleries)
            page = rendered(
                head=heading(evaluated, wanted.benchmark.name),
                scores=score_sections(evaluated),
                score_notes=score_filters(evaluated.runs),
                caution=caution(evaluated),
                analyses=self._analyses(evaluated, seed),
                statistics=statistics_section(evaluated),
                gallery=gallery,
                repeat=repeat_section(wanted.benchmark, runs, now, wanted),
            )
            self._progress(1.0, "writing")
            files.write(folder.list, now.text())
            files.write(folder.page, page)
        if before is not None:
            folder.drop_unused(before, now, self._inputs)
        notes = (*unused_attributes(self._attributes, models), *gallery.notes)
        return Made(folder.page, len(page.encode("utf-8")), len(runs), notes)

    def _read(
        self,
        benchmark: Benchmark,
        kept: KeptReport | None,
        files: AtomicFiles,
        scored: Sequence[Scores],
    ) -> list[ReportedRun]:
        wanted = self._wanted
        before = () if kept is None else kept.runs
        attributes = self._attributes
        taken = [run.per_query.name for run in before]
        reader = RunReader(benchmark, wanted.benchmark, self._folder, files, attributes, taken)
        runs = [reader.kept(run) for run in before]
        for number, path in enumerate(wanted.runs):
            share = _READING * number / len(wanted.runs)
            what = f"run {number + 1} of {len(wanted.runs)}"
            self._progress(share, what)
            if scored:
                runs.append(reader.scored(scored[number], path))
                continue
            step = partial(self._tell, share, what)
            runs.append(reader.given(path, step))
        return runs

    def _tell(self, share: float, what: str, records: int) -> None:
        self._progress(share, f"{what}: {records:,} records")

    def _with_galleries(
        self,
        evaluated: Evaluated,
        runs: Sequence[ReportedRun],
        models: Sequence[str],
        files: AtomicFiles,
    ) -> tuple[list[ReportedRun], dict[str, Gallery]]:
        """Return the runs with what is kept of their galleries, and those: old ones as kept."""
        maker = GalleryMaker(evaluated, ImageFiles(self._wanted.benchmark, self._wanted.images))
        with_predictions = [each.run.model for each in runs if each.predictions is not None]
        pictured = sorted(with_predictions, key=models.index)[:MOST_RUNS]
        told: list[ReportedRun] = []
        galleries: dict[str, Gallery] = {}
        for each in runs:
            model = each.run.model
            if each.predictions is not None and model in pictured:
                share = _READING + _PICTURES * len(galleries) / len(pictured)
                check = partial(self._progress, min(share, 1.0), "pictures")
                gallery = maker.gallery(each.run, each.predictions, check=check)
                kept = self._written(each, gallery, files)
                told.append(replace(each, kept=replace(each.kept, gallery=kept)))
                galleries[model] = gallery
                continue
            if each.kept.gallery is not None:
                path = self._folder.gallery(each.kept.gallery.name)
                self._folder.check_unchanged(path, each.kept.gallery)
                galleries[model] = read_gallery(path)
            told.append(each)
        return told, galleries

    def _written(self, run: ReportedRun, gallery: Gallery, files: AtomicFiles) -> KeptFile:
        name = f"{run.kept.per_query.name.removesuffix('.jsonl')}.json"
        text = gallery_text(gallery)
        files.write(self._folder.gallery(name), text)
        return KeptFile(name, hashlib.sha256(text.encode("utf-8")).hexdigest())

    def _analyses(self, evaluated: Evaluated, seed: int) -> list[AnalysisSection]:
        made: list[AnalysisSection] = []
        start = _READING + _PICTURES
        self._progress(start, "analyses")
        for section in analysis_sections(evaluated, seed):
            made.append(section)
            share = start + (1 - start) * len(made) / len(ANALYSES)
            self._progress(share, f"analyses: {section.name}")
        return made


def _check_same(kept: KeptReport, benchmark: Benchmark, wanted: Wanted) -> None:
    if kept.benchmark_sha256 != benchmark.sha256:
        raise UsageError(
            "the report there is of another benchmark",
            str(wanted.folder),
            f"name the one it was made of, or make the report of {wanted.benchmark} elsewhere",
        )
