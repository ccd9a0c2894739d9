"""A report's folder: the page, and beside it what another run can be added to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ...entry import Entry
from ...errors import InputError, OVEarthError, UsageError
from ...predictions.header import attributes_of
from ...textsource import sha256_of
from ...versions import versions
from ..kept_json import kept_list, read_kept

FORMAT = "ovearth-report/1"
PAGE, LIST = "index.html", "report.json"
PER_QUERY, GALLERY = "per-query", "gallery"
# What AtomicFiles writes until it is whole; of very long names the end is cut.
_HALF_WRITTEN = re.compile(r"\.(.*\.(jsonl?|html)|.{100})\.[a-z0-9_]{8}", re.DOTALL)
MEND = "make the report anew, without --add"


@dataclass(frozen=True)
class KeptFile:
    """A file beside the page: its name in its folder, and its SHA-256."""

    name: str
    sha256: str

    def document(self) -> dict[str, str]:
        """Return it as JSON."""
        return {"name": self.name, "sha256": self.sha256}


@dataclass(frozen=True)
class KeptRun:
    """What a report keeps of a run.

    given: the file it came from, as the page names it. gallery: None without predictions.
    attributes: what was said of the model beside its header.
    """

    model: str
    given: str
    per_query: KeptFile
    gallery: KeptFile | None = None
    attributes: Mapping[str, Any] = field(default_factory=dict)

    def document(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "model": self.model,
            "given": self.given,
            "per_query": self.per_query.document(),
            "gallery": None if self.gallery is None else self.gallery.document(),
            "attributes": dict(self.attributes),
        }


@dataclass(frozen=True)
class KeptReport:
    """What lies in a report's folder. benchmark_sha256: None of a benchmark made in memory."""

    benchmark_sha256: str | None
    seed: int
    runs: tuple[KeptRun, ...]

    def text(self) -> str:
        """Return the list that lies beside the page."""
        document = {
            "format": FORMAT,
            "benchmark_sha256": self.benchmark_sha256,
            "seed": self.seed,
            "runs": [run.document() for run in self.runs],
            "versions": versions(),
        }
        return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


class ReportFolder:
    """Where a report is, and where its files are."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.page = path / PAGE
        self.list = path / LIST

    def per_query(self, name: str) -> Path:
        """Return the place of a run's per-query file."""
        return self.path / PER_QUERY / name

    def gallery(self, name: str) -> Path:
        """Return the place of a run's gallery."""
        return self.path / GALLERY / name

    def read(self) -> KeptReport:
        """Return what is kept; UsageError without a report, InputError for a damaged list."""
        if not self.list.is_file():
            raise UsageError("no report to add to", str(self.path), "leave out --add")
        document = read_kept(self.list, FORMAT)
        return KeptReport(
            document.optional_text("benchmark_sha256"),
            document.integer("seed", 0),
            tuple(map(_run, kept_list(document, "runs"))),
        )

    def read_if_sound(self) -> KeptReport | None:
        """Return what is kept of an earlier report, None where there is none or a damaged one."""
        try:
            return self.read()
        except OVEarthError:
            return None

    def check_unchanged(self, path: Path, kept: KeptFile) -> None:
        """Raise InputError for a file that isn't the one that was written."""
        if sha256_of(path) != kept.sha256:
            raise InputError("changed since the report was made", str(path), MEND)

    def drop_unused(self, before: KeptReport, now: KeptReport, inputs: Iterable[Path]) -> None:
        """Remove files that an earlier report left, unless they were changed or are inputs."""
        used = {path.resolve() for path, _ in self._files(now)} | {p.resolve() for p in inputs}
        for path, kept in self._files(before):
            is_ours = path.is_file() and path.resolve() not in used
            if is_ours and sha256_of(path) == kept.sha256:
                with suppress(OSError):
                    path.unlink()

    def drop_half_written(self) -> None:
        """Remove what a killed report left beside its files; only while nobody else writes here."""
        for folder in (self.path, self.per_query(""), self.gallery("")):
            for path in folder.glob(".*") if folder.is_dir() else ():
                if _HALF_WRITTEN.fullmatch(path.name) and path.is_file():
                    with suppress(OSError):
                        path.unlink()

    def _files(self, report: KeptReport) -> Iterator[tuple[Path, KeptFile]]:
        for run in report.runs:
            yield self.per_query(run.per_query.name), run.per_query
            if run.gallery is not None:
                yield self.gallery(run.gallery.name), run.gallery


def _run(entry: Entry) -> KeptRun:
    per_query, gallery = entry.mapping("per_query"), entry.mapping("gallery")
    attributes = Entry(entry.mapping("attributes") or {}, entry.where)
    return KeptRun(
        entry.text("model"),
        entry.text("given"),
        _file(Entry(per_query, entry.where)),
        None if gallery is None else _file(Entry(gallery, entry.where)),
        attributes_of(attributes),
    )


def _file(entry: Entry) -> KeptFile:
    name = entry.text("name")
    # Nothing outside of the report's folders is read, or removed, for what a file says.
    if name in ("", ".", "..") or any(sign in name for sign in "/\\:\0"):
        raise entry.fail("'name' is no file name", MEND)
    return KeptFile(name, entry.text("sha256"))
