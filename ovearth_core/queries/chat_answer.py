"""The body of a server's answer to a chat request, read as a reply, or as the fault that it is."""

from __future__ import annotations

import json
from datetime import datetime, timezone
from typing import Any

from ..collection.service_errors import (
    CutOffError,
    ServiceError,
    UnreadableAnswerError,
    WebPageError,
)
from .reply_cache import Reply
from .server_faults import Terms, fault_of, may_pass, saying, scrubbed

_LONGEST_FINISH = 40
_NO_CHAT = "check --base-url: it must speak OpenAI's protocol (…/v1)"
_STATUSES = range(400, 600)


def read_answer(body: bytes, terms: Terms) -> Reply:
    """Return the reply in the body of an answer whose status was good.

    Raises WebPageError for a page, CutOffError for half an answer, and the ServiceError that a
    gateway reports inside of it: some say "too many requests" with the status 200.
    """
    where = terms.where
    if body.lstrip()[:1] == b"<":
        raise WebPageError("a page for people came instead of an answer", where, _NO_CHAT)
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        if not body.rstrip().endswith((b"}", b"]")):
            raise may_pass(CutOffError("the answer ends early", where, "try again later")) from None
        raise UnreadableAnswerError("the answer is none of a chat", where, _NO_CHAT) from None
    fault = _fault_in(found, terms)
    if fault is not None:
        raise fault
    try:
        choice = found["choices"][0]
        message = choice["message"]
        text, refusal = _text(message.get("content")), message.get("refusal")
        finish = str(choice.get("finish_reason") or "stop")
    except (KeyError, IndexError, TypeError, AttributeError):
        raise UnreadableAnswerError("the answer is none of a chat", where, _NO_CHAT) from None
    used = found.get("usage") if isinstance(found.get("usage"), dict) else {}
    return Reply(
        scrubbed(text, terms.key),
        scrubbed(refusal, terms.key) if isinstance(refusal, str) and refusal else None,
        finish[:_LONGEST_FINISH], _count(used, "prompt_tokens"), _count(used, "completion_tokens"),
        utc_now(),
    )  # fmt: skip


def _fault_in(found: Any, terms: Terms) -> ServiceError | None:
    """Return the fault that a body reports in place of a choice, or inside of it."""
    if not isinstance(found, dict):
        return None
    choices = found.get("choices")
    place = choices[0] if isinstance(choices, list) and choices else found
    if not isinstance(place, dict):
        return None
    error = place.get("error")
    if error is None and found.get("object") == "error":
        error = found
    if not error:
        return None
    code = error.get("code") if isinstance(error, dict) else None
    said = saying(error, terms.key)
    if isinstance(code, int) and code in _STATUSES:
        return fault_of(code, said, terms)
    return UnreadableAnswerError(f"the answer is an error ({said})", terms.where, _NO_CHAT)


def _text(content: object) -> str:
    """Return a message's text; of one in several parts, what isn't the model's thinking."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _count(used: Any, name: str) -> int:
    value = used.get(name)
    return value if type(value) is int and value >= 0 else 0


def utc_now() -> str:
    """Return the time as datasets have it."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
