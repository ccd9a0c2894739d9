"""What stands on the page: scores, analyses, statistics, and how to repeat it."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ...analysis.evaluated import Evaluated
from ...analysis.scores import run_entry
from ...errors import FrameError, TruthError, UsageError, one_line
from ...statistics.counting import benchmark_statistics
from ..analyses import ANALYSES, Analysis, Wishes
from ..score_table import score_tables
from ..statistics_figures import draw_statistics
from ..statistics_table import statistics_lists
from ..table import Table
from .shown_table import ShownTable, listed_table, ranked, shown_table

# By image there are as many groups as images: the hardest queries tell of them.
_GROUPINGS = ("domain", "branch", "category", "size", "gsd", "continent", "words")
_RANKED_BY = {
    "segmentation": "ma_iou", "hbb": "mi_f1_50", "obb": "mi_f1_50", "presence": "mcc",
}  # fmt: skip
_LARGEST_SVG = 400_000
_MOST_NOTES = 12
_FEW = 5


@dataclass(frozen=True)
class Figure:
    """An image as a data URI, and what it shows, in words."""

    uri: str
    about: str


@dataclass(frozen=True)
class AnalysisSection:
    """An analysis as it stands on the page; without a figure where it couldn't be made."""

    name: str
    title: str
    sentence: str
    figure: Figure | None = None
    tables: tuple[ShownTable, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class StatisticsSection:
    """What the benchmark is made of; `fault`: why that can't be told."""

    tables: tuple[ShownTable, ...] = ()
    figures: tuple[Figure, ...] = ()
    fault: str = ""


def score_sections(evaluated: Evaluated) -> tuple[ShownTable, ...]:
    """Return the paper's tables, the best model first in each task."""
    document = {"runs": [run_entry(evaluated, run) for run in evaluated.runs]}
    return tuple(ranked(table, _RANKED_BY[table.name]) for table in score_tables(document))


def caution(evaluated: Evaluated) -> str:
    """Return what to bear in mind when reading the analyses; empty where nothing is special."""
    count = len(evaluated.runs)
    if count >= _FEW:
        return ""
    runs = "one run" if count == 1 else f"{count} runs"
    return f"With {runs}, rankings and their correlations say little."


def analysis_sections(evaluated: Evaluated, seed: int) -> Iterator[AnalysisSection]:
    """Yield the analyses one by one, each once it is made."""
    wishes = Wishes(seed=seed, by=_GROUPINGS)
    for analysis in ANALYSES.values():
        yield _analysis_section(analysis, evaluated, wishes)


def _analysis_section(analysis: Analysis, evaluated: Evaluated, wishes: Wishes) -> AnalysisSection:
    try:
        document = analysis.document(evaluated, wishes)
    except (UsageError, TruthError, FrameError) as fault:
        # Other sections may be whole: this one says what it lacks.
        return AnalysisSection(analysis.name, analysis.title, f"Not made: {one_line(fault.what)}.")
    sentence = one_line(analysis.sentence(document))
    kind = "svg"
    drawn = analysis.figure(document, kind)
    if len(drawn) > _LARGEST_SVG:
        kind = "png"
        drawn = analysis.figure(document, kind)
    return AnalysisSection(
        analysis.name,
        analysis.title,
        sentence,
        Figure(data_uri(drawn, kind), f"{analysis.title} {sentence}"),
        tuple(_table_of_section(table, document["notes"]) for table in analysis.tables(document)),
        _first(document["notes"]),
    )


def _table_of_section(table: Table, notes: Sequence[str]) -> ShownTable:
    """Return a table for the page, without the notes that its section has already."""
    own = tuple(note for note in table.notes if note not in notes)
    return shown_table(replace(table, notes=own))


def statistics_section(evaluated: Evaluated) -> StatisticsSection:
    """Return the dataset statistics as tables and figures."""
    try:
        document = benchmark_statistics(evaluated.benchmark)
    except (TruthError, FrameError) as fault:
        return StatisticsSection(fault=one_line(str(fault)))
    tables = [
        listed_table(title, (headings[0] or "what", *headings[1:]), rows, numbers)
        for title, (headings, rows, numbers) in zip(
            ("Counts", "Spreads", "", ""), statistics_lists(document), strict=True
        )
        if rows
    ]
    figures = [
        Figure(data_uri(drawn, "svg"), name.removesuffix(".svg").replace("-", " "))
        for name, drawn in draw_statistics(document, ("svg",))
    ]
    return StatisticsSection(tuple(tables), tuple(figures))


def data_uri(drawn: bytes, kind: str) -> str:
    """Return an image file as the address of itself."""
    media = {"svg": "image/svg+xml", "png": "image/png", "jpeg": "image/jpeg"}[kind]
    return f"data:{media};base64,{base64.b64encode(drawn).decode('ascii')}"


def _first(notes: Sequence[str]) -> tuple[str, ...]:
    kept = [one_line(note) for note in notes[:_MOST_NOTES]]
    more = len(notes) - len(kept)
    return tuple(kept + ([f"and {more} more notes"] if more > 0 else []))
