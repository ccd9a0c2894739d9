"""Reads an `ovearth-perquery/1` file: a run's results without its predictions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from ..benchmark import MODALITIES, TASKS, Benchmark
from ..entry import Entry, describe
from ..errors import InputError
from ..predictions.header import attributes_of, words_of
from ..predictions.json_lines import first_object, json_objects
from ..scoreboard import PER_QUERY_FORMAT, RULES, settings
from ..scoring import THRESHOLDS
from .evaluated_run import BoxCounts, EvaluatedRun, MaskColumns

_SLACK = 1e-9
_AGAIN = "make it anew with ovearth score --per-query"


def is_per_query(path: Path) -> bool:
    """Whether a file's first line is the header of a per-query file; false for a folder."""
    if not path.is_file():
        return False
    try:
        entry = first_object(path)
    except InputError:
        return False  # whoever reads it as a run says what is wrong
    return entry is not None and entry.fields.get("format") == PER_QUERY_FORMAT


def read_per_query(path: Path, benchmark: Benchmark) -> EvaluatedRun:
    """Read a run's results at the queries of `benchmark`.

    Raises InputError, with line and query, for results of another benchmark, a query that is
    unknown, doubled, lacking or of a task that isn't attempted, and numbers that contradict
    themselves or the benchmark.
    """
    return _Reader(path, benchmark).run()


class _Reader:
    def __init__(self, path: Path, benchmark: Benchmark) -> None:
        self.path = path
        self.benchmark = benchmark
        self.queries = benchmark.columns.queries
        self.truths = benchmark.box_counts[benchmark.target_places]
        count = len(benchmark.queries)
        self.seen = np.zeros(count, dtype=np.bool_)
        self.masks = MaskColumns(
            np.zeros(count), np.zeros(count), np.zeros(count, np.int64), np.zeros(count, np.int64)
        )

    def run(self) -> EvaluatedRun:
        entries = json_objects(self.path)
        header = next(entries)
        self._check_header(header)
        modalities = words_of(header, "modalities", MODALITIES)
        tasks = words_of(header, "tasks", TASKS)
        if modalities is None or tasks is None:
            raise header.fail("'modalities' and 'tasks' belong into the header", _AGAIN)
        self.modalities, self.tasks = modalities, tasks
        self.attempted = self.queries.of_tasks(tasks)
        count = len(self.seen)
        self.present = {name: np.zeros(count, np.bool_) for name in modalities}
        self.boxes = {
            name: BoxCounts(
                np.zeros(count, np.int64),
                np.zeros(count, np.int64),
                np.zeros(count, np.bool_),
                np.zeros((count, len(THRESHOLDS)), np.int64),
            )
            for name in modalities
            if name != "mask"
        }
        self._read(entries)
        other = header.mapping("other")
        scored_by = Entry(header.mapping("settings") or {}, header.where)
        return EvaluatedRun(
            model=header.text("model"),
            source=str(self.path),
            tasks=tasks,
            modalities=modalities,
            present=self.present,
            masks=self.masks if "mask" in modalities else None,
            boxes=self.boxes,
            attributes={**attributes_of(header), **({"other": other} if other else {})},
            predictions_sha256=header.optional_text("predictions_sha256"),
            min_score=scored_by.optional_number("min_score"),
        )

    def _check_header(self, header: Entry) -> None:
        if header.fields.get("format") != PER_QUERY_FORMAT:
            raise header.fail("no per-query file", _AGAIN)
        checksum = header.optional_text("benchmark_sha256")
        own = self.benchmark.sha256
        if checksum is not None and own is not None and checksum != own:
            raise header.fail(
                f"these results are of another benchmark (SHA-256 {checksum[:12]}…,"
                f" {self.benchmark.source} has {own[:12]}…)",
                "name the benchmark that the run was scored on, or score it on this one",
            )
        # Files of before settings were written have none, and the same rules.
        scored_by, rules = header.mapping("settings") or {}, settings()
        for rule in RULES:
            if rule in scored_by and scored_by[rule] != rules[rule]:
                raise header.fail(f"scored by another {rule.replace('_', ' ')}", _AGAIN)

    def _read(self, entries: Iterator[Entry]) -> None:
        has_boxes = self.benchmark.has_boxes.tolist()
        is_positive = self.queries.is_positive.tolist()
        for entry in entries:
            row = self._row(entry)
            present = entry.mapping("present") or {}
            for name, column in self.present.items():
                value = present.get(name)
                if not isinstance(value, bool):
                    raise entry.fail(f"'present' says nothing of {name!r}", _AGAIN)
                column[row] = value
            if is_positive[row] and "mask" in self.present:
                self._take_mask(entry, row)
            if has_boxes[row]:
                for name, boxes in self.boxes.items():
                    self._take_boxes(entry, name, boxes, row)
        lacking = np.flatnonzero(self.attempted & ~self.seen)
        if len(lacking):
            first = self.queries.ids[int(lacking[0])]
            raise InputError(
                f"{len(lacking)} queries lack, the first is {first}", str(self.path), _AGAIN
            )

    def _row(self, entry: Entry) -> int:
        query_id = entry.text("query_id")
        row = self.benchmark.query_index.get(query_id)
        entry.where = f"{entry.where}, query {query_id}"
        if row is None:
            raise entry.fail("unknown query", "these are results of another benchmark")
        if self.seen[row]:
            raise entry.fail("the query occurs twice", _AGAIN)
        if not self.attempted[row]:
            raise entry.fail("a query of a task that the header doesn't name", _AGAIN)
        self.seen[row] = True
        return row

    def _take_mask(self, entry: Entry, row: int) -> None:
        found = _inner(entry, "mask")
        common, union = found.integer("intersection", 0), found.integer("union", 1)
        precision, recall, iou = (_share(found, key) for key in ("precision", "recall", "iou"))
        # Of the pixels predicted and true, as precision and recall tell them.
        sides = common / (precision or 1.0) + common / (recall or 1.0) - common
        if (
            common > union
            or abs(iou - common / union) > _SLACK
            or (common > 0) != (precision > 0)
            or (common > 0) != (recall > 0)
            or (common > 0 and abs(sides - union) > _SLACK * union)
        ):
            raise found.fail("numbers that contradict each other", _AGAIN)
        masks = self.masks
        masks.precision[row], masks.recall[row] = precision, recall
        masks.intersection[row], masks.union[row] = common, union

    def _take_boxes(self, entry: Entry, name: str, boxes: BoxCounts, row: int) -> None:
        found = _inner(entry, name)
        truths, predictions = found.integer("truths", 0), found.integer("predictions", 0)
        if truths != self.truths[row]:
            raise found.fail(
                f"{truths} true boxes where the benchmark has {self.truths[row]}",
                "name the benchmark that the run was scored on",
            )
        tp: Any = found.fields.get("tp")
        pairs = found.fields.get("pairs")
        if not _are_matches(tp, min(truths, predictions)) or not isinstance(pairs, list):
            what = f"'tp' is {describe(tp)}, not ten counts that fall, or 'pairs' no list"
            raise found.fail(what, _AGAIN)
        boxes.truths[row], boxes.predictions[row] = truths, predictions
        boxes.touches[row], boxes.tp[row] = len(pairs) > 0, tp


def _inner(entry: Entry, key: str) -> Entry:
    value = entry.fields.get(key)
    if not isinstance(value, dict):
        raise entry.fail(f"'{key}' is {describe(value)}, not an object", _AGAIN)
    return Entry(value, f"{entry.where}, {key}")


def _share(entry: Entry, key: str) -> float:
    (value,) = entry.numbers(key, [entry.require(key)])
    if not 0.0 <= value <= 1.0:
        raise entry.fail(f"'{key}' is {value:g}, not from 0 to 1", _AGAIN)
    return value


def _are_matches(tp: Any, most: int) -> bool:
    if not isinstance(tp, list) or len(tp) != len(THRESHOLDS) or set(map(type, tp)) != {int}:
        return False
    falls = all(low <= high for low, high in zip([*tp[1:], 0], tp, strict=True))
    return falls and tp[0] <= most
