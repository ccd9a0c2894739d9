"""One question asked to its end: from the cache or the server, once more where it can't be used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from .found_json import UnusableReplyError
from .language_server import refused
from .question import Question
from .reply_cache import Reply, ReplyCache
from .server_faults import RefusedReplyError

ValueT = TypeVar("ValueT")

_CUT = "length"
_NOTHING_SAID = (
    "the reply was cut off before it said anything: a model that thinks first needs room for that"
    " (--max-answer-tokens, or the server's own limit)"
)


class Server(Protocol):
    """Whoever answers questions."""

    def ask(self, question: Question) -> Reply:
        """Return the reply."""


@dataclass(frozen=True)
class Outcome(Generic[ValueT]):
    """What became of a question: a value, or the fault that is recorded for its target.

    at: when the reply came. requests, tokens_in, tokens_out: what was paid for now; cached: replies
    that had been paid for before; uncounted: of the requests, those whose tokens nobody told.
    """

    value: ValueT | None
    fault: str | None
    at: str
    requests: int
    cached: int
    tokens_in: int
    tokens_out: int
    uncounted: int = 0


class Asker:
    """Asks, and keeps what comes back."""

    def __init__(self, server: Server, cache: ReplyCache, model: str, address: str) -> None:
        self._server = server
        self._cache = cache
        self._model = model
        self._address = address

    def ask(
        self, question: Question, read: Callable[[str], ValueT], newer_than: str = ""
    ) -> Outcome[ValueT]:
        """Return what `read` makes of the reply, asked once more where it raises.

        newer_than: replies that were kept count if they came after this time (UTC, as stored).
        Raises ServiceError where the server is at fault.
        """
        replies = _Replies(newer_than, [])
        value, fault = None, None
        try:
            value, fault = self._read(question, read, replies)
            if fault is not None and not fault.is_final:
                again = question.again(replies.came[-1][0].text, fault.what)
                value, second = self._read(again, read, replies)
                fault = second
        except RefusedReplyError as refusal:
            fault = _Fault(refusal.what, is_final=True)
        paid = [reply for reply, was_kept in replies.came if not was_kept]
        last = replies.came[-1][0].at if replies.came else ""
        return Outcome(
            value, None if fault is None else fault.said(len(replies.came)), last,
            len(paid), len(replies.came) - len(paid),
            sum(reply.tokens_in for reply in paid), sum(reply.tokens_out for reply in paid),
            sum(not reply.tokens_in for reply in paid),
        )  # fmt: skip

    def _read(
        self, question: Question, read: Callable[[str], ValueT], replies: _Replies
    ) -> tuple[ValueT | None, _Fault | None]:
        reply = self._reply(question, replies)
        refusal = refused(reply)
        if refusal is not None:
            return None, _Fault(refusal.what, is_final=True)
        if reply.finish == _CUT and not reply.text.strip():
            # It would think as long again.
            return None, _Fault(_NOTHING_SAID, is_final=True)
        try:
            return read(reply.text), None
        except UnusableReplyError as fault:
            cut = "it is cut off, since it is too long; " if reply.finish == _CUT else ""
            return None, _Fault(cut + fault.what, is_final=False)

    def _reply(self, question: Question, replies: _Replies) -> Reply:
        key = question.key(self._model, self._address)
        reply = self._cache.get(key)
        was_kept = reply is not None and reply.at > replies.newer_than
        if reply is None or not was_kept:
            reply = self._server.ask(question)
            self._cache.put(key, reply)
        replies.came.append((reply, was_kept))
        return reply


@dataclass(frozen=True)
class _Replies:
    """Those that came for a question, and whether each had been kept from before."""

    newer_than: str
    came: list[tuple[Reply, bool]]


@dataclass(frozen=True)
class _Fault:
    what: str
    is_final: bool

    def said(self, replies: int) -> str:
        again = ", also after asking again" if replies > 1 else ""
        return f"the reply can't be used: {self.what}{again}" if not self.is_final else self.what
