"""Reads a server's answer as JSON, and tells one that was cut off from one that is none."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, NoReturn

from ..exchange import Answer
from ..service_errors import CutOffError, UnreadableAnswerError

# Half of a character, escaped: such a text can be written to no file.
_HALF = re.compile(r"\\u[dD][89a-fA-F]")
# Where a word or number of JSON ends too early.
_BROKEN_OFF = re.compile(r"t|tr|tru|f|fa|fal|fals|n|nu|nul|-|\.|[eE][+-]?")


@dataclass(frozen=True)
class JsonReading:
    """What to advise. check: where another kind of server answered; later: where it failed."""

    check: str
    later: str

    def text(self, answer: Answer) -> str:
        """Return the answer as text, whatever its content type says; UnreadableAnswerError."""
        try:
            return answer.body.decode("utf-8-sig")
        except UnicodeDecodeError as fault:
            what = f"the answer is no text in UTF-8 ({fault.reason} at byte {fault.start})"
            raise UnreadableAnswerError(what, answer.where, self.check) from None

    def parsed(self, text: str, where: str) -> Any:
        """Return the document; CutOffError or UnreadableAnswerError."""
        try:
            document = json.loads(text, parse_constant=_no_constant)
        except json.JSONDecodeError as fault:
            if not text.strip():
                raise CutOffError("the answer is empty", where, self.later) from None
            rest = text[fault.pos :].strip()
            if not rest or fault.msg.startswith("Unterminated") or _BROKEN_OFF.fullmatch(rest):
                what = f"the answer is cut off after {len(text)} characters"
                raise CutOffError(what, where, self.later) from None
            what = f"the answer is no JSON ({fault.msg} at line {fault.lineno})"
            raise UnreadableAnswerError(what, where, self.check) from None
        except (ValueError, RecursionError) as fault:
            what = f"the answer is no JSON ({fault})"
            raise UnreadableAnswerError(what, where, self.check) from None
        if _HALF.search(text) and not _is_text(document):
            what = "a text in the answer holds half of a character (\\ud800 to \\udfff alone)"
            raise UnreadableAnswerError(what, where, self.later)
        return document


def _is_text(document: Any) -> bool:
    try:
        json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
