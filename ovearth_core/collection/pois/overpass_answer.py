"""Reads what an Overpass server answered, whatever it is, and says what is wrong with it."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from ..exchange import Answer
from ..http_status import saying
from ..service_errors import (
    BusyError,
    CutOffError,
    FailedQueryError,
    HeavyQueryError,
    ServiceError,
    UnreadableAnswerError,
    WebPageError,
)

_REMARK = re.compile(r"<remark>\s*(.*?)\s*</remark>", re.DOTALL)
_CHECK_URL = "check --url; an Overpass server's ends in /api/interpreter"
_SMALLER = "ask for a smaller box or fewer categories"
_LATER = "try again later, or name another server with --url"

# What a remark means, the first that fits. Overpass sends them with status 200.
_MEANINGS: tuple[tuple[str, type[ServiceError], str, str], ...] = (
    (r"rate_limited|too busy|Dispatcher_Client::request", BusyError, "it is busy", _LATER),
    (r"timed out|timeout", HeavyQueryError, "the query ran out of time", _SMALLER),
    (r"out of memory", HeavyQueryError, "the query ran out of memory", _SMALLER),
    (r"", FailedQueryError, "it gave up on the query", _LATER),
)


def read_answer(answer: Answer) -> list[dict[str, Any]]:
    """Return the elements of an Overpass answer in JSON, each with a type and an integer id.

    Judged by what it is, not by its content type. Raises HeavyQueryError, BusyError and
    FailedQueryError for remarks, WebPageError, CutOffError, UnreadableAnswerError.
    """
    try:
        text = answer.body.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        what = f"the answer is no text in UTF-8 ({fault.reason} at byte {fault.start})"
        raise UnreadableAnswerError(what, answer.where, _CHECK_URL) from None
    if text.lstrip().startswith("<"):
        _refuse_markup(text, answer)
    document = _parsed(text, answer.where)
    remark = document.get("remark") if isinstance(document, dict) else None
    if remark:
        _refuse_remark(str(remark), answer.where)
    elements = document.get("elements") if isinstance(document, dict) else None
    if not isinstance(elements, list):
        what = "the answer has no list of elements"
        raise UnreadableAnswerError(what, answer.where, _CHECK_URL)
    for number, element in enumerate(elements):
        if not _is_element(element):
            what = f"element {number} of the answer is none"
            raise UnreadableAnswerError(what, answer.where, _CHECK_URL)
    return elements


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as fault:
        if not text.strip():
            raise CutOffError("the answer is empty", where, _LATER) from None
        if fault.pos >= len(text.rstrip()) or fault.msg.startswith("Unterminated"):
            what = f"the answer is cut off after {len(text)} characters"
            raise CutOffError(what, where, _LATER) from None
        what = f"the answer is no JSON ({fault.msg} at line {fault.lineno})"
        raise UnreadableAnswerError(what, where, _CHECK_URL) from None
    except (ValueError, RecursionError) as fault:
        what = f"the answer is no JSON ({fault})"
        raise UnreadableAnswerError(what, where, _CHECK_URL) from None


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")


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
    return (
        element.get("type") in ("node", "way", "relation", "area", "timeline", "count")
        and isinstance(number, int)
        and isinstance(tags, dict)
        and all(isinstance(value, str) for value in tags.values())
    )
