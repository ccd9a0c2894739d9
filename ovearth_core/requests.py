"""Blind requests: what a model is asked, without anything that gives the answer away."""

from __future__ import annotations

import json
import secrets
from pathlib import Path

from .atomic import AtomicFiles
from .benchmark import Benchmark
from .entry import Entry
from .errors import InputError, UsageError
from .jsonstream import JsonStream
from .textsource import sha256_of

KEY_FORMAT = "ovearth-key/1"
_ID_BYTES = 12


def write_requests(benchmark: Benchmark, out: Path, key: Path) -> int:
    """Write a request a query to `out`, and the way back to query ids to `key`.

    The ids are random and the requests are sorted by them, so that neither tells a query's
    place, polarity, category or target. Returns how many were written.
    """
    if out.resolve() == key.resolve():
        raise UsageError("--out and --key are the same file", str(out), "name two files")
    ids = {secrets.token_hex(_ID_BYTES): query for query in benchmark.queries}
    while len(ids) < len(benchmark.queries):  # two equal draws of 96 bits: draw all again
        ids = {secrets.token_hex(_ID_BYTES): query for query in benchmark.queries}
    if key.exists():
        # Answers already collected under it could never be scored again.
        raise UsageError("the key exists already", str(key), "name another, or remove it")
    with AtomicFiles([Path(benchmark.source)]) as files:
        with files.open(out) as file:
            for request_id, query in sorted(ids.items(), key=lambda item: item[0]):
                target = benchmark.target_by_id[query.target_id]
                request = {
                    "request_id": request_id,
                    "image": benchmark.image_by_id[target.image_id].file_name,
                    "task": query.task,
                    "text": query.text,
                }
                file.write(json.dumps(request, ensure_ascii=False) + "\n")
        with files.open(key) as file:
            pairs = ",\n".join(
                f"{json.dumps(request_id)}: {json.dumps(query.id, ensure_ascii=False)}"
                for request_id, query in sorted(ids.items(), key=lambda item: item[0])
            )
            file.write(
                f'{{"format": "{KEY_FORMAT}", "benchmark_sha256": "{benchmark.sha256}",\n'
                f'"requests": {{\n{pairs}\n}}}}\n'
            )
    return len(ids)


def read_key(path: Path, benchmark: Path | None = None) -> dict[str, str]:
    """Read a key, request id to query id.

    Raises InputError for another file, and for the key of another benchmark.
    """
    fields = {member.key: member.value for member in JsonStream(path).members()}
    if fields.get("format") != KEY_FORMAT:
        raise InputError(
            f"not a key (its format is not {KEY_FORMAT!r})", str(path), "name 'requests --key' file"
        )
    key = Entry(fields.get("requests"), f"{path}, requests").fields
    if not all(isinstance(query_id, str) for query_id in key.values()):
        raise InputError("a query id is not text", f"{path}, requests", "use the key as written")
    if benchmark is not None and fields.get("benchmark_sha256") not in (None, sha256_of(benchmark)):
        raise InputError(
            f"the key is not that of {benchmark}, or it has changed since",
            str(path),
            "score against the benchmark that the requests were made from",
        )
    return key
