"""Writes what a model gave as a run's file of ours, nothing of it lost."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...atomic import AtomicFiles
from ...benchmark import Benchmark
from ...errors import InputError
from ..json_lines import json_entries
from ..record import KEPT
from .dialect import Dialect
from .opening import DialectRun, open_dialect
from .options import DialectOptions


@dataclass(frozen=True)
class Converted:
    """How many answers were written, and what was left out or warned of, why and how many.

    attributes: those that were kept besides boxes, masks, scores and labels, and how often.
    """

    answers: int
    told: Mapping[str, Mapping[str, int]]
    attributes: Mapping[str, int]


def convert_run(
    source: Path,
    dialect: str | Dialect,
    benchmark: Benchmark,
    out: Path,
    options: DialectOptions | None = None,
    progress: Callable[[int], None] | None = None,
) -> Converted:
    """Write the run that `source` holds in a dialect to `out` as JSON Lines, whole or not at all.

    Labels and other attributes stand in each record as "labels" (one a box) and "attributes". Ids
    of blind requests stay as they are. Raises as open_dialect does, and InputError for an answer to
    an unknown query, or a second one to the same.
    """
    run = open_dialect(source, dialect, benchmark, options)
    seen: dict[str, int] = {}
    kept: Counter[str] = Counter()
    inputs = [Path(benchmark.source), *run.files]
    if source.is_dir():
        inputs.append(source)
    with AtomicFiles(inputs) as files, files.open(out) as file:
        file.write(_line(_header(run)))
        for answer in run.answers():
            _check_query(run, answer.query_id, answer.line, seen)
            try:
                document = answer.document()
            except InputError as fault:
                raise fault.at(run.of(answer)) from None
            file.write(_line(document))
            kept.update(key for part in _parts(answer.attributes) for key in part)
            if progress is not None:
                progress(len(seen))
    told = {key: dict(counts) for key, counts in run.told.items()}
    return Converted(len(seen), told, dict(sorted(kept.items())))


def _parts(attributes: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    objects = attributes.get("objects")
    is_scene = isinstance(objects, list) and all(isinstance(part, dict) for part in objects)
    if not is_scene or objects is None:
        return [attributes]
    return [*objects, {key: value for key, value in attributes.items() if key != "objects"}]


def keep_attributes(source: Path, out: Path) -> None:
    """Give the answers of the run `out` the labels and attributes that they have in `source`.

    Both are runs of ours whose boxes are the same.
    """
    kept = {
        fields["query_id"]: {key: fields[key] for key in KEPT if key in fields}
        for fields in _objects(source)
        if "query_id" in fields
    }
    with AtomicFiles() as files, files.open(out) as file:
        for fields in _objects(out):
            file.write(_line({**fields, **kept.get(fields.get("query_id"), {})}))


def _objects(path: Path) -> Iterator[dict[str, Any]]:
    def fail(fault: InputError) -> None:
        raise fault

    return (entry.fields for _, entry in json_entries(path, fail))


def _check_query(run: DialectRun, query_id: str, line: int, seen: dict[str, int]) -> None:
    if run.reading.image(query_id) is None:
        raise InputError(
            f"unknown query id {query_id!r}",
            run.place(line),
            f"{run.reading.benchmark.source} has no such query: mend the id, or map it: --mapping",
        )
    if query_id in seen:
        places = f"{run.place(seen[query_id])} and {run.entry(line)}"
        raise InputError(f"query {query_id!r} is answered twice", places, "keep one of them")
    seen[query_id] = line


def _header(run: DialectRun) -> dict[str, Any]:
    document = run.header.document()
    other = document.pop("other", {})
    return {**document, **other}


def _line(document: Mapping[str, Any]) -> str:
    return json.dumps(document, ensure_ascii=False) + "\n"
