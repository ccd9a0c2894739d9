"""A language model behind any server that speaks OpenAI's protocol, asked with patience.

The key is read from the environment for each job (OVEARTH_API_KEY, else OPENAI_API_KEY), sent as a
bearer token, and never kept or shown; also not where a server says it back.
"""

from __future__ import annotations

import os
import threading
import time
from dataclasses import dataclass, replace
from typing import Any

from ..collection.exchange import check_url, shown_url
from ..collection.imagery.patience import LONGEST_WAIT_S, retrying
from ..collection.service_errors import BusyError, LargeAnswerError, SlowAnswerError
from ..errors import MissingPackageError, UsageError
from .chat_answer import read_answer
from .question import Question
from .reply_cache import Reply
from .server_faults import (
    NoLimitError,
    NoSchemaError,
    RefusedReplyError,
    Terms,
    may_pass,
    said_by_client,
)

KEY_VARIABLES = ("OVEARTH_API_KEY", "OPENAI_API_KEY")
_OWN_HEADERS = ("OpenAI-Organization", "OpenAI-Project")
_ADDRESS_VARIABLE = "OPENAI_BASE_URL"
OPENAI = "https://api.openai.com/v1"
_LATER = "try again later"
# How a server is held to the form of a reply, the strictest way that it takes.
_SCHEMA, _OBJECT, _NOTHING = 0, 1, 2
# What a reply's length is limited by: most servers know the first, OpenAI's newer models only the
# second. Servers refuse what they don't know, or (small ones) look over the second.
_LIMITS = ("max_tokens", "max_completion_tokens")
LEAST_ANSWER_TOKENS = 64


@dataclass(frozen=True)
class _Manner:
    """How a server is asked, as far as it has been found out. limit: of _LIMITS."""

    form: int = _SCHEMA
    limit: int = 0


@dataclass(frozen=True)
class ServerChoice:
    """Which server and model to ask, and how patiently.

    answer_s: for one whole answer. attempts: of one request in all. first_wait_s: before the
    second, longer each time; a server that asks for up to a minute is waited for as long.
    most_answer_tokens: after which a server has to end a reply, None for its own limit.
    """

    model: str
    address: str = OPENAI
    answer_s: float = 180.0
    attempts: int = 4
    first_wait_s: float = 1.0
    most_bytes: int = 4 << 20
    most_answer_tokens: int | None = None

    def __post_init__(self) -> None:
        most = self.most_answer_tokens
        if most is not None and most < LEAST_ANSWER_TOKENS:
            raise UsageError(
                f"answers of {most} tokens", "--max-answer-tokens",
                f"give {LEAST_ANSWER_TOKENS} or more, or leave it out",
            )  # fmt: skip

    @classmethod
    def checked(cls, model: str | None, address: str | None, **more: Any) -> ServerChoice:
        """Return the choice; UsageError for no model, or what is no address, or has secrets."""
        if not model or not model.strip():
            raise UsageError("no model is named", "--model", "name one that sees pictures")
        return cls(model.strip(), checked_address(address), **more)


def checked_address(address: str | None) -> str:
    """Return a server's address, the environment's or OpenAI's where none is given."""
    wanted = (address or os.environ.get(_ADDRESS_VARIABLE) or OPENAI).strip()
    try:
        found = check_url(wanted).rstrip("/")
    except UsageError as fault:
        raise UsageError(fault.what, "--base-url", fault.mend) from None
    if shown_url(found) != found:
        raise UsageError(
            "an address with a user, a key or a query in it", shown_url(found),
            f"write https://host/v1, and put the key into {KEY_VARIABLES[0]}",
        )  # fmt: skip
    return found


class LanguageServer:
    """Asks one model; several threads may. To be used in a `with` block.

    Raises UsageError where the server surely wants a key and there is none, MissingPackageError
    without the openai package.
    """

    def __init__(self, choice: ServerChoice) -> None:
        self.choice = choice
        self.stop = threading.Event()
        self.sent = 0
        self._key = _key()
        if self._key is None and choice.address == OPENAI:
            raise UsageError(
                "there is no key for the language model", choice.address,
                f"set {KEY_VARIABLES[0]} in the environment, or name another server: --base-url",
            )  # fmt: skip
        self._client = _client(choice, self._key)
        self._manner = _Manner()
        self._lock = threading.Lock()
        self._quiet_until = 0.0

    def __enter__(self) -> LanguageServer:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop waiting, and close the connections."""
        self.stop.set()
        self._client.close()

    def ask(self, question: Question) -> Reply:
        """Return the model's reply, asked again where the server is busy, slow or cut off.

        Raises a ServiceError once that is no use: RefusedReplyError for this question alone, others
        for the server.
        """
        import tenacity

        messages = question.messages()
        caller = retrying(tenacity, self.choice.attempts, self.choice.first_wait_s, self.stop)
        reply: Reply = caller(lambda: self._in_some_form(question, messages))
        return reply

    def _in_some_form(self, question: Question, messages: list[Any]) -> Reply:
        while True:
            manner = self._manner
            try:
                return self._once(question, messages, manner)
            except NoSchemaError as fault:
                if manner.form == _NOTHING:
                    raise fault.as_refusal() from None
                self._follow(manner, replace(manner, form=manner.form + 1))
            except NoLimitError as fault:
                if manner.limit == len(_LIMITS) - 1:
                    raise fault.as_refusal() from None
                self._follow(manner, replace(manner, limit=manner.limit + 1))

    def _follow(self, tried: _Manner, then: _Manner) -> None:
        """Ask in another manner from now on, unless another thread has found one meanwhile."""
        with self._lock:
            if self._manner == tried:
                self._manner = then

    def _once(self, question: Question, messages: list[Any], manner: _Manner) -> Reply:
        self._wait_for_quiet()
        options = _left_out(self.choice, self._key)
        if manner.form == _SCHEMA:
            options["response_format"] = question.reply_form()
        elif manner.form == _OBJECT:
            options["response_format"] = {"type": "json_object"}
        choice, limit = self.choice, None
        if choice.most_answer_tokens is not None:
            limit = _LIMITS[manner.limit]
            options[limit] = choice.most_answer_tokens
        terms = Terms(choice.address, choice.model, self._key, manner.form != _NOTHING, limit)
        with self._lock:
            self.sent += 1
        try:
            with said_by_client(terms):
                create = self._client.chat.completions.with_streaming_response.create
                with create(model=choice.model, messages=messages, **options) as response:
                    body = self._body(response, choice.address)
            return read_answer(body, terms)
        except BusyError as fault:
            self._hush(fault.retry_after_s)
            raise

    def _wait_for_quiet(self) -> None:
        """Wait while the server has asked any of the threads to."""
        self.stop.wait(max(0.0, self._quiet_until - time.monotonic()))

    def _hush(self, seconds: float | None) -> None:
        if seconds is not None and seconds <= LONGEST_WAIT_S:
            with self._lock:
                self._quiet_until = max(self._quiet_until, time.monotonic() + seconds)

    def _body(self, response: Any, where: str) -> bytes:
        end = time.monotonic() + self.choice.answer_s
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > self.choice.most_bytes:
                most = f"{self.choice.most_bytes >> 20} MB"
                raise LargeAnswerError(f"an answer of more than {most}", where, "check --base-url")
            # A server that drips single bytes never falls silent.
            if time.monotonic() > end:
                what = f"no whole answer in {self.choice.answer_s:g} s"
                raise may_pass(SlowAnswerError(what, where, _LATER))
        return bytes(body)


def check_packages() -> None:
    """Raise MissingPackageError where the openai package or tenacity isn't installed."""
    try:
        import openai  # noqa: F401 - missed here, in one place
        import tenacity  # noqa: F401
    except ImportError as fault:
        raise MissingPackageError(
            f"asking language models needs {fault.name}", "in this Python",
            "pip install 'ovearth[queries]'",
        ) from None  # fmt: skip


def refused(reply: Reply) -> RefusedReplyError | None:
    """Return the error where a reply is the model's own refusal, or a filter's, else None."""
    if reply.refusal is not None:
        return RefusedReplyError(f"the model refuses: {reply.refusal[:200]}")
    if reply.finish == "content_filter":
        return RefusedReplyError("the server's filter stopped the reply")
    return None


def _client(choice: ServerChoice, key: str | None) -> Any:
    check_packages()
    import openai

    # Redirects would carry pictures and questions to a server that nobody named.
    return openai.OpenAI(
        api_key=key or "none", base_url=choice.address, timeout=choice.answer_s, max_retries=0,
        http_client=openai.DefaultHttpxClient(follow_redirects=False),
    )  # fmt: skip


def _left_out(choice: ServerChoice, key: str | None) -> dict[str, Any]:
    """Return what keeps the package from sending headers that aren't for this server.

    No key where there is none, as servers of one's own often want it; what the environment says of
    an organization at OpenAI is for OpenAI alone.
    """
    from openai._types import Omit

    names = () if choice.address == OPENAI else _OWN_HEADERS
    names = names if key else (*names, "Authorization")
    return {"extra_headers": {name: Omit() for name in names}}


def _key() -> str | None:
    for name in KEY_VARIABLES:
        key = os.environ.get(name, "").strip()
        if key and not (key.isascii() and key.isprintable()):
            raise UsageError("the key has characters that no header holds", name, "mend it")
        if key:
            return key
    return None
