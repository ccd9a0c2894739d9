"""The JSON object in a model's reply, also one with words, a fence or its thinking about it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from ..entry import describe
from ..errors import InputError

LARGEST_REPLY = 200_000
# So many braces are tried for the beginning of an object.
_MOST_STARTS = 200
_FENCE = re.compile(r"\A\s*```[a-zA-Z]*\s*\n(.*)\n\s*```\s*\Z", re.DOTALL)


class UnusableReplyError(InputError):
    """A reply that isn't what was asked for; `what` is fit to be told the model."""


def object_in(reply: str, token: str) -> dict[str, Any]:
    """Return the object in a reply that is about the target of this name.

    The reply should be that object and nothing else; many models put words before or after it, and
    some think aloud: then the last object about the target counts. UnusableReplyError where there
    is none.
    """
    if len(reply) > LARGEST_REPLY:
        raise UnusableReplyError("it is far too long")
    fenced = _FENCE.match(reply)
    try:
        found = json.loads(fenced[1] if fenced else reply)
    except (ValueError, RecursionError) as fault:
        inside = [each for each in _objects(reply) if each.get("target") == token]
        if inside:
            return inside[-1]
        why = "" if isinstance(fault, RecursionError) else f" ({fault})"
        raise UnusableReplyError(f"it is no JSON{why}") from None
    if not isinstance(found, dict):
        raise UnusableReplyError(f"it is {describe(found)}, no JSON object")
    named = found.get("target")
    if named != token:
        raise UnusableReplyError(f"it is about the target {describe(named)}, not {token!r}")
    return found


def _objects(reply: str) -> Iterator[dict[str, Any]]:
    """Yield the outermost objects that are whole."""
    decoder = json.JSONDecoder()
    end = 0
    for _ in range(_MOST_STARTS):
        start = reply.find("{", end)
        if start < 0:
            return
        end = start + 1
        try:
            found, end = decoder.raw_decode(reply, start)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            yield found
