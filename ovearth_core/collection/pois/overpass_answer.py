"""Reads what an Overpass server answered, whatever it is, and says what is wrong with it."""

from __future__ import annotations

import logging
import re
from functools import cache
from typing import Any, NoReturn

from ...errors import one_line
from ..exchange import Answer
from ..http_status import saying
from ..service_errors import (
    BusyError,
    FailedQueryError,
    HeavyQueryError,
    ServiceError,
    UnreadableAnswerError,
    WebPageError,
)
from .json_answer import JsonReading

_LOG = logging.getLogger("ovearth")
_REMARK = re.compile(r"<remark>\s*(.*?)\s*</remark>", re.DOTALL)
_CHECK_URL = "check --url; an Overpass server's ends in /api/interpreter"
_SMALLER = "ask for a smaller box or fewer categories"
_LATER = "try again later, or name another server with --url"

_READING = JsonReading(_CHECK_URL, _LATER)
# A remark may also be a note, on an answer that is whole.
_FAILURE = re.compile(
    r"error|rate_limited|too busy|Dispatcher_Client|timed out|out of memory", re.IGNORECASE
)

# What a remark means, the first that fits. Overpass sends them with status 200.
_MEANINGS: tuple[tuple[str, type[ServiceError], str, str], ...] = (
    (r"rate_limited|too busy|Dispatcher_Client::request", BusyError, "it is busy", _LATER),
    (r"timed out", HeavyQueryError, "the query ran out of time", _SMALLER),
    (r"out of memory", HeavyQueryError, "the query ran out of memory", _SMALLER),
    (r"", FailedQueryError, "it gave up on the query", _LATER),
)


def read_answer(answer: Answer) -> list[dict[str, Any]]:
    """Return the elements of an Overpass answer in JSON, each with a type and an integer id.

    Judged by what it is, not by its content type. Raises HeavyQueryError, BusyError and
    FailedQueryError for remarks, WebPageError, CutOffError, UnreadableAnswerError.
    """
    text = _READING.text(answer)
    if text.lstrip().startswith("<"):
        _refuse_markup(text, answer)
    document = _READING.parsed(text, answer.where)
    remark = document.get("remark") if isinstance(document, dict) else None
    if remark and _FAILURE.search(str(remark)):
        _refuse_remark(str(remark), answer.where)
    elif remark:
        _note_once(" ".join(str(remark).split()), answer.where)
    elements = document.get("elements") if isinstance(document, dict) else None
    if not isinstance(elements, list):
        what = "the answer has no list of elements"
        raise UnreadableAnswerError(what, answer.where, _CHECK_URL)
    for number, element in enumerate(elements):
        if not _is_element(element):
            what = f"element {number} of the answer is none"
            raise UnreadableAnswerError(what, answer.where, _CHECK_URL)
    return elements


def failing_remark(text: str) -> str | None:
    """Return what an answer in XML says went wrong, on one line, None where nothing did."""
    remark = _REMARK.search(text)
    failed = remark is not None and _FAILURE.search(remark[1]) is not None
    return " ".join(remark[1].split()) if remark is not None and failed else None


@cache
def _note_once(remark: str, where: str) -> None:
    """Tell people a remark that is no failure; every box comes with the same."""
    _LOG.warning("note: %s remarks: %s", where, one_line(remark))


def _refuse_markup(text: str, answer: Answer) -> NoReturn:
    if remark := _REMARK.search(text):
        _refuse_remark(remark[1], answer.where)
    said = saying(text.encode())
    if "<osm" in text[:2000]:
        what = "XML came instead of JSON"
        raise UnreadableAnswerError(what, answer.where, _CHECK_URL)
    if re.search(r"rate_limited|too busy|Dispatcher_Client::request", text):
        raise BusyError(f"it is busy ({said})", answer.where, _LATER)
    raise WebPageError(f"a web page came instead of data ({said})", answer.where, _CHECK_URL)


def _refuse_remark(remark: str, where: str) -> NoReturn:
    for pattern, error, meaning, mend in _MEANINGS:
        if re.search(pattern, remark, re.IGNORECASE):
            raise error(f"{meaning} ({' '.join(remark.split())})", where, mend)
    raise AssertionError("the last pattern fits every text")


def _is_element(element: Any) -> bool:
    if not isinstance(element, dict):
        return False
    number, tags = element.get("id"), element.get("tags", {})
    nodes, members = element.get("nodes", []), element.get("members", [])
    return (
        element.get("type") in ("node", "way", "relation", "area", "timeline", "count")
        and isinstance(number, int)
        and isinstance(tags, dict)
        and all(isinstance(value, str) for value in tags.values())
        and isinstance(nodes, list)
        and all(isinstance(node, int) for node in nodes)
        and isinstance(members, list)
        and all(_is_member(member) for member in members)
    )


def _is_member(member: Any) -> bool:
    return isinstance(member, dict) and isinstance(member.get("ref"), int)
