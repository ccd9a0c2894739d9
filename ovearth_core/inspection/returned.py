"""Targets that someone wants sent back to review, kept beside the benchmark."""

from __future__ import annotations

import hashlib
import json
import math
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from uuid import uuid4

from ..atomic import AtomicFiles, write_text
from ..entry import describe
from ..errors import InputError, OutputError, UsageError
from ..jsonstream import DECODER
from ..one_at_a_time import held

FORMAT = "ovearth-returned/1"
_TARGETS = "targets"
_LARGEST_BYTES = 1 << 26
# Whoever else writes holds the file for a few milliseconds.
_TRIES, _BETWEEN_S = 5, 0.02
_MOST_BESIDE = 100


@dataclass(frozen=True)
class ReturnedTarget:
    """One wish: look at this target's truth again.

    query_id: where it was noticed. x_px, y_px: pixels of the place that was pointed at, or None.
    run: the model whose answer was looked at, or None. returned_at: ISO 8601, UTC. id: tells it
    from all others, whichever window it was added in.
    """

    target_id: int
    query_id: str
    image: str
    category: str
    comment: str
    returned_at: str
    x_px: float | None = None
    y_px: float | None = None
    run: str | None = None
    id: str = field(default_factory=lambda: uuid4().hex)

    def says_the_same(self, other: ReturnedTarget) -> bool:
        """Whether the other is about the same query and place, in the same words."""
        return all(getattr(self, name) == getattr(other, name) for name in _SAID)


_SAID = ("target_id", "query_id", "comment", "x_px", "y_px")


@dataclass(frozen=True)
class ReturnedList:
    """What a file of returned targets holds.

    unreadable: what is wrong with each entry that is no returned target; these stay in the file as
    they are. document: the whole file, with what others wrote into it.
    """

    targets: tuple[ReturnedTarget, ...] = ()
    unreadable: tuple[str, ...] = ()
    document: Mapping[str, Any] = field(default_factory=lambda: {"format": FORMAT, _TARGETS: []})


def returned_path(benchmark_path: Path) -> Path:
    """Return where the list of a benchmark is kept."""
    name = benchmark_path.name
    for ending in (".gz", ".json"):
        name = name.removesuffix(ending)
    return benchmark_path.with_name(f"{name}.returned.json")


def now_text() -> str:
    """Return this second as ISO 8601, UTC."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def read_returned(path: Path) -> ReturnedList:
    """Return the list in a file, an empty one without a file; InputError for one that is none."""
    try:
        if not path.exists():
            return ReturnedList()
        if path.stat().st_size > _LARGEST_BYTES:
            raise ValueError(f"it is larger than {_LARGEST_BYTES >> 20} MB")
        document = DECODER.decode(path.read_text(encoding="utf-8-sig"))
        if not isinstance(document, dict) or document.get("format") != FORMAT:
            raise ValueError(f"its format is not {FORMAT!r}")
        if not isinstance(document.get(_TARGETS), list):
            raise ValueError(f"{_TARGETS!r} is {describe(document.get(_TARGETS))}, not a list")
    except (OSError, ValueError, RecursionError) as fault:
        why = fault.what if isinstance(fault, InputError) else str(fault)
        raise InputError(
            f"it is no list of returned targets ({why})", str(path), "mend it or move it away"
        ) from None
    return _list_of(document)


def open_returned(path: Path) -> tuple[Path, ReturnedList, InputError | None]:
    """Return the file to go on with, what it holds, and why it is not the file at `path`.

    Where that one can't be read, it is left as it is: the list is in a file beside it, NAME-2.json,
    the same one from one day to the next.
    """
    fault = None
    for number in range(1, _MOST_BESIDE):
        place = path if number == 1 else path.with_name(f"{path.stem}-{number}{path.suffix}")
        try:
            return place, read_returned(place), fault
        except InputError as wrong:
            fault = fault or wrong
    return path, ReturnedList(), fault


def change_returned(
    path: Path,
    put: Iterable[ReturnedTarget],
    taken: Collection[str] = (),
    inputs: Iterable[Path] = (),
) -> ReturnedList:
    """Put targets into a file's list, take those with the ids `taken` out, and return the list.

    The file is read anew, so that what another window wrote stays, and is written whole or not at
    all. InputError for a file that is no such list, OutputError where it can't be written,
    UsageError where it is one of `inputs`, or in use for too long.
    """
    with AtomicFiles(inputs) as files:
        files.check(path)
    return _alone(path, lambda: _changed(path, {one.id: one for one in put}, frozenset(taken)))


def _changed(path: Path, put: Mapping[str, ReturnedTarget], taken: frozenset[str]) -> ReturnedList:
    before = read_returned(path)
    there = {_id_of(entry) for entry in before.document[_TARGETS]}
    entries = [entry for entry in before.document[_TARGETS] if _id_of(entry) not in taken]
    entries += [asdict(one) for one in put.values() if one.id not in there]
    after = {**before.document, _TARGETS: entries}
    write_text(path, _text_of(after))
    return _list_of(after)


def _text_of(document: Mapping[str, Any]) -> str:
    text = json.dumps(document, indent=1, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        # Half of a character that someone wrote: it stays as it was spelt.
        text = json.dumps(document, indent=1)
    return text + "\n"


def _alone(path: Path, work: Callable[[], ReturnedList]) -> ReturnedList:
    """Do what reads and writes the file while nobody else does."""
    lock = path.with_name(f".{path.name[:100]}.lock")
    in_use = UsageError("it is being written by another window", str(path), "try again")
    with suppress(OSError):
        # What can't be made is said by the lock that then can't be made there either.
        path.parent.mkdir(parents=True, exist_ok=True)
    for tried in range(_TRIES):
        try:
            with held(lock, in_use):
                return work()
        except (UsageError, OutputError):
            # Also where the lock was taken away by its last holder just while it was opened.
            if tried == _TRIES - 1:
                raise
            time.sleep(_BETWEEN_S)
    raise in_use


def _list_of(document: Mapping[str, Any]) -> ReturnedList:
    targets: list[ReturnedTarget] = []
    unreadable: list[str] = []
    for number, entry in enumerate(document[_TARGETS], start=1):
        fault = _fault_of(entry)
        if fault:
            unreadable.append(f"entry {number}: {fault}")
        else:
            known = {name: entry[name] for name in _FIELDS if name in entry}
            targets.append(ReturnedTarget(**{**known, "id": _id_of(entry)}))
    return ReturnedList(tuple(targets), tuple(unreadable), document)


def _fault_of(entry: Any) -> str:
    """Return what keeps an entry from being a returned target, nothing for one that is."""
    if not isinstance(entry, dict):
        return f"it is {describe(entry)}, not an object"
    for name, kind in _FIELDS.items():
        if name not in entry and name in _NEEDED:
            return f"{name!r} is missing"
        if not kind.holds(entry.get(name)) and name in entry:
            return f"{name!r} is {describe(entry[name])}, not {kind.name}"
    return ""


def _id_of(entry: Any) -> str:
    """Return an entry's id; one written without is known by all that it says."""
    given = entry.get("id") if isinstance(entry, dict) else None
    if isinstance(given, str) and given:
        return given
    return hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()[:32]


@dataclass(frozen=True)
class _Kind:
    name: str
    holds: Callable[[Any], bool]


def _is_whole(value: Any) -> bool:
    return type(value) is int


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_place(value: Any) -> bool:
    is_number = type(value) in (int, float)
    return value is None or (is_number and math.isfinite(value))


_TEXT = _Kind("a text", _is_text)
_PLACE = _Kind("a number or null", _is_place)
_NEEDED = frozenset({"target_id", "query_id", "image", "category", "comment", "returned_at"})
_FIELDS = {
    "target_id": _Kind("a whole number", _is_whole),
    **dict.fromkeys(("query_id", "image", "category", "comment", "returned_at"), _TEXT),
    "x_px": _PLACE,
    "y_px": _PLACE,
    "run": _Kind("a text or null", lambda value: value is None or _is_text(value)),
    "id": _TEXT,
}
