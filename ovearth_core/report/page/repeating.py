"""The head of the page, and its end: what it takes to make it again."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from ...analysis.evaluated import Evaluated
from ...errors import one_line
from ...predictions.dialects import DialectRun
from ...scoreboard import settings
from .folder import PER_QUERY, KeptReport
from .naming import shown_path
from .shown_table import ShownTable, listed_table, shortened
from .sources import ReportedRun
from .wanted import Wanted

_ATTRIBUTES = {
    "interface": "interface", "mllm": "MLLM", "eo_specific": "EO-specific", "family": "family",
    "variant": "variant", "baseline": "baseline",
}  # fmt: skip


@dataclass(frozen=True)
class Heading:
    """What the page is about: the benchmark's file, what it says of itself, and how much it is."""

    title: str
    about: str
    summary: str


@dataclass(frozen=True)
class RepeatSection:
    """The command, what it read, and by which rules."""

    command: str
    files: ShownTable
    models: ShownTable | None
    rules: tuple[tuple[str, str], ...]


def heading(evaluated: Evaluated, file_name: str) -> Heading:
    """Return the title and one sentence on what was scored."""
    benchmark = evaluated.benchmark
    told = [benchmark.info.get(key) for key in ("description", "version")]
    about, version = (text if isinstance(text, str) else "" for text in told)
    title = f"{file_name}, version {version}" if version.strip() else file_name
    counts = [
        _counted(len(evaluated.runs), "run"),
        _counted(len(benchmark.queries), "query", "queries"),
        _counted(len(benchmark.targets), "target"),
        _counted(len(benchmark.images), "image"),
    ]
    summary = f"{counts[0]} on {counts[1]} about {counts[2]} in {counts[3]}."
    return Heading(shortened(title, 120), shortened(about), summary)


def repeat_section(
    benchmark: Path, runs: Sequence[ReportedRun], report: KeptReport, wanted: Wanted
) -> RepeatSection:
    """Return how to make the same page of the same files."""
    shown = partial(shown_path, benchmark=benchmark)
    given = [shown(benchmark), *(each.kept.given for each in runs)]
    command = ["ovearth", "report", *given, "--out", wanted.folder.name or "report"]
    if wanted.attributes is not None:
        command += ["--attributes", shown(wanted.attributes)]
    for path in wanted.images:
        command += ["--images", shown(path)]
    if report.seed:
        command += ["--seed", str(report.seed)]
    rows = [("benchmark", given[0], report.benchmark_sha256 or "")]
    for each, name in zip(runs, given[1:], strict=True):
        rows.append((each.run.model, name, each.run.predictions_sha256 or ""))
        kept = each.kept.per_query
        rows.append(("its results", f"{PER_QUERY}/{kept.name}", kept.sha256))
    files = listed_table("Files", ("what", "file", "SHA-256"), rows, frozenset())
    return RepeatSection(
        " ".join(one_line(shlex.quote(word)) for word in command),
        files,
        _models(runs),
        (*_dialects(runs), *_rules(report.seed)),
    )


def _dialects(runs: Sequence[ReportedRun]) -> Iterator[tuple[str, str]]:
    """Yield what is to be done first for runs that were read as a model gave them."""
    for each in runs:
        if isinstance(each.predictions, DialectRun):
            dialect = each.predictions.dialect.name
            told = f"convert {each.kept.given} first: ovearth convert --from {dialect}"
            yield f"dialect of {each.run.model}", f"{dialect}; to make the page again, {told}"


def _models(runs: Sequence[ReportedRun]) -> ShownTable | None:
    used = [key for key in _ATTRIBUTES if any(key in each.run.attributes for each in runs)]
    if not used:
        return None
    rows = [
        (each.run.model, *(_word(each.run.attributes.get(key)) for key in used)) for each in runs
    ]
    headings = ("model", *(_ATTRIBUTES[key] for key in used))
    return listed_table("What is known of the models", headings, rows, frozenset())


def _word(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def _rules(seed: int) -> list[tuple[str, str]]:
    rules: Mapping[str, Any] = settings()
    named = ", ".join(f"{name} {version}" for name, version in rules["versions"].items())
    thresholds = ", ".join(f"{threshold:.2f}" for threshold in rules["iou_thresholds"])
    return [
        ("pixel rule", rules["pixel_rule"]),
        ("IoU thresholds", thresholds),
        ("tolerance", rules["iou_tolerance"]),
        ("matching", rules["matching"]),
        ("seed", str(seed)),
        ("versions", shortened(named)),
    ]


def _counted(count: int, one: str, many: str = "") -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"
