"""Opens a source in a dialect as a run that is scored as any other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...benchmark import Benchmark
from ...errors import InputError
from ...spelling import shortened
from ..header import Header
from ..record import Record
from ..run import Predictions, model_name
from ..run_files import sha256_of_files, with_side_files
from .answer import Answer
from .dialect import Dialect
from .entries import has_header, place_in, read_header
from .options import DialectOptions
from .reading import Reading
from .registry import find_dialect
from .writable import writable

NO_ANSWER = "source without any answer"
_UNUSED = "entries of the mapping file for outputs that aren't there"
_MOST_FILES = 1_000_000


class DialectRun(Predictions):
    """A run whose records are read in a dialect, anew at each iteration, with what they keep."""

    def __init__(self, source: Path, dialect: Dialect, reading: Reading) -> None:
        self._path = source
        self.dialect = dialect
        self.reading = reading
        files = _files(source)
        super().__init__(
            _header(source, dialect, reading),
            _Records(self),
            str(source),
            source if source.is_dir() else source.parent,
            lambda: sha256_of_files(files),
            place_in(source, dialect.kind),
            [*files, *reading.options.files()],
            {"left_out": reading.left_out, "warnings": reading.warnings},
        )

    def answers(self) -> Iterator[Answer]:
        """Yield the answers, counting anew what is left out."""
        self.reading.begin()
        is_empty = True
        for answer in self.dialect.read(self._path, self.reading):
            is_empty = False
            yield writable(answer, self.reading, f"{self.of(answer)}, query {answer.query_id}")
        if is_empty:
            self.reading.warnings[NO_ANSWER] += 1
        self._tell_unused()

    def of(self, answer: Answer) -> str:
        """Name the place of an answer, in its file where the source is a folder of them."""
        return answer.where or self.place(answer.line)

    def _tell_unused(self) -> None:
        """Refuse what the mapping file says of outputs that aren't there; of classes, warn.

        A class may just have been found nowhere this time.
        """
        unused = self.reading.mapping.unused()
        by_class = self.dialect.kind in ("scene", "map") or self.reading.options.classes is not None
        if unused and by_class:
            self.reading.warnings[_UNUSED] += len(unused)
        for name in () if by_class else unused:
            what = f"{shortened(name)!r} is mapped, and there is no such output"
            fault = InputError(what, self.reading.mapping.where, "mend its name, or leave it out")
            self.reading.refuse(fault, _UNUSED)


class _Records:
    def __init__(self, run: DialectRun) -> None:
        self._run = run

    def __iter__(self) -> Iterator[Record]:
        return (answer.record() for answer in self._run.answers())


def open_dialect(
    path: Path | str,
    dialect: str | Dialect,
    benchmark: Benchmark,
    options: DialectOptions | None = None,
) -> DialectRun:
    """Return the run that `path` holds in a dialect; records are read when it is iterated.

    benchmark: whose images' sizes and places, queries and categories the dialect is read with.
    Raises UsageError for an unknown dialect, or an option that is none or means nothing to it;
    InputError, with its place, for what is malformed, here or while iterating. Where lenient, that
    is counted in `told` instead.
    """
    path = Path(path)
    found = find_dialect(dialect) if isinstance(dialect, str) else dialect
    options = options or DialectOptions()
    # Where answers are text, everybody may say the size that the model saw.
    used = (*found.options, *(["input_size"] if found.kind == "text" else []))
    options.check(found.name, used, found.needs)
    if not path.exists():
        raise InputError("no such file or folder", str(path), "check the path")
    return DialectRun(path, found, Reading(benchmark, options))


def _header(source: Path, dialect: Dialect, reading: Reading) -> Header:
    own: Header | None = None
    if has_header(source, dialect.kind):
        own = read_header(source)
    elif dialect.header is not None:
        own = dialect.header(source, reading)
    header = own or Header(_model(source))
    attributes: dict[str, Any] = dict(header.attributes)
    attributes["other"] = {**attributes.get("other", {}), "dialect": dialect.name}
    return Header(
        header.model, header.in_map, header.crs, header.modalities, header.tasks, attributes
    )


def _model(source: Path) -> str:
    if source.is_dir():
        return source.resolve().name
    name = model_name(source)
    return name if name != source.name else source.stem


def _files(source: Path) -> list[Path]:
    if not source.is_dir():
        return with_side_files(source)
    found = []
    for path in sorted(source.rglob("*")):
        if path.is_file() and not path.name.startswith("."):
            found.append(path)
        if len(found) > _MOST_FILES:
            raise InputError("too many files in it", str(source), "name the folder of outputs")
    return found
