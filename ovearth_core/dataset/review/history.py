"""The log as people read it, and the states that it leads to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from typing import Any

from ...errors import OVEarthError
from ..rows import ReviewRow
from ..view import View
from .answers import QUESTIONS, Answers

# What the file itself logs, and how it stands in the history.
_BY_THE_FILE = {
    "created": "created as {to}",
    "state": "{from} → {to}",
    "category": "other category",
    "removed": "removed, was {from}",
    "box": "given box dropped",
}
HEADINGS = ("at", "target", "who", "role", "what", "comment", "longitude, latitude")


@dataclass(frozen=True)
class Replay:
    """Where a log leads. states: of each target that is there. gaps: ids of lines that begin from
    another state than the one before them led to: nothing that our programs write.
    """

    states: dict[int, str]
    gaps: tuple[int, ...] = ()


def replay(lines: Iterable[ReviewRow]) -> Replay:
    """Follow a log's lines, oldest first, to the states that they lead to."""
    states: dict[int, str] = {}
    gaps = []
    for line in lines:
        if line.action not in ("created", "state", "removed"):
            continue
        if states.get(line.target_id) != line.from_state:
            gaps.append(line.id or 0)
        if line.action == "removed":
            states.pop(line.target_id, None)
        else:
            states[line.target_id] = line.to_state or ""
    return Replay(states, tuple(gaps))


def answers_of(line: ReviewRow) -> Answers:
    """Return the manager's answers that a line holds."""
    return Answers(**{name: getattr(line, name) for name in QUESTIONS})


def history_rows(lines: Iterable[ReviewRow]) -> Iterator[tuple[str, ...]]:
    """Yield a row of texts per line, under HEADINGS. What isn't there is a dash."""
    before: ReviewRow | None = None
    for line in lines:
        yield (
            line.at or "–",
            str(line.target_id),
            line.who or "–",
            line.role or "–",
            _what(line),
            "" if _is_said(before, line) else line.comment or "",
            "" if line.lon is None else f"{line.lon:.7f}, {line.lat:.7f}",
        )
        before = line


def history_json(view: View, lines: Iterable[ReviewRow]) -> list[dict[str, Any]]:
    """Return the lines with every field; a pinned place also as `pixel`, x and y on its image."""
    return [_document(view, line) for line in lines]


def _what(line: ReviewRow) -> str:
    if line.action in _BY_THE_FILE:
        states = {"from": line.from_state or "–", "to": line.to_state or "–"}
        return _BY_THE_FILE[line.action].format(**states)
    answers = answers_of(line)
    query = f" on {line.query_id}" if line.query_id else ""
    alone = " (alone)" if line.extra.get("alone") else ""
    return f"{line.action}{query}{alone}" + (f": {answers.said()}" if answers.given else "")


def _is_said(before: ReviewRow | None, line: ReviewRow) -> bool:
    """Whether a change of state only repeats the comment of the line right before it."""
    return (
        before is not None
        and line.action == "state"
        and (before.target_id, before.comment) == (line.target_id, line.comment)
    )


def _document(view: View, line: ReviewRow) -> dict[str, Any]:
    document = {field.name: getattr(line, field.name) for field in fields(line)}
    document["extra"] = dict(line.extra)
    document["pixel"] = _pixel(view, line)
    return document


def _pixel(view: View, line: ReviewRow) -> list[float] | None:
    if line.lon is None or line.lat is None:
        return None
    try:
        frame = view.frame(view.target(line.target_id).image_id)
        x, y = frame.lonlat_to_pixel([[line.lon, line.lat]])[0].tolist()
    except OVEarthError:  # its target was removed
        return None
    return [round(x, 6), round(y, 6)]
