"""What the openai package raises, as this package's errors: whose fault, and how to mend it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

from ..collection.exchange import shown_url
from ..collection.http_status import retry_after_s
from ..collection.service_errors import (
    BusyError,
    CutOffError,
    RefusedError,
    ServiceError,
    SlowAnswerError,
    UnreachableError,
)
from ..errors import one_line

ServiceErrorT = TypeVar("ServiceErrorT", bound=ServiceError)

_LATER = "try again later"
_SHORTEST_SECRET = 4
_LONGEST_SAYING = 300
_TOO_LARGE = re.compile(r"too (large|big|long)|exceed|maximum|limit|resolution|payload", re.I)
_PICTURE = re.compile(r"image|picture|vision|multi-?modal|image_url|content type", re.I)
_FORM = re.compile(
    r"response_format|json_schema|json_object|structured|guided|grammar|schema", re.I
)
_TOO_LONG = re.compile(r"context (?:length|window|size)|too many tokens|prompt is too long", re.I)
_NO_MONEY = re.compile(r"insufficient[_ ](?:quota|credits|funds|balance)|payment required", re.I)
_NOT_HERE = re.compile(r"country|region|territory|terms of service|moderation|not allowed", re.I)
_FIELD = re.compile(
    r"extra (?:inputs?|fields?)|not permitted"
    r"|un(?:recognized|known|supported|expected) (?:request )?(?:argument|field|parameter|key)",
    re.I,
)
_POLICY = re.compile(r"content_filter|content_policy|content management policy|safety", re.I)
_MODEL = re.compile(r"model", re.I)


class NoSchemaError(ServiceError):
    """The server won't be held to the form of a reply: it is asked without."""

    def as_refusal(self) -> RefusedError:
        """Return it as the error that it is where nothing was asked of the form."""
        return RefusedError(self.what, self.where, self.mend)


class NoLimitError(ServiceError):
    """The server doesn't know the field that a reply's length was limited by: another is tried."""

    def as_refusal(self) -> RefusedError:
        """Return it as the error that it is where no other is left."""
        return RefusedError(self.what, self.where, "leave out --max-answer-tokens")


class RefusedReplyError(ServiceError):
    """The model, or a filter before it, won't answer this one question."""


def scrubbed(text: str, key: str | None) -> str:
    """Return a server's words without the key, should they have it in them."""
    return text.replace(key, "…") if key and len(key) >= _SHORTEST_SECRET else text


@dataclass(frozen=True)
class Terms:
    """What a request was made with: the server's address, its model, the key.

    wants_form: whether it asks for a form of reply. limit: the field by which it limits the
    reply's length, None where it doesn't.
    """

    where: str
    model: str
    key: str | None
    wants_form: bool = False
    limit: str | None = None


@contextmanager
def said_by_client(terms: Terms) -> Iterator[None]:
    """Turn what the openai package and its transport raise into ServiceErrors.

    Those that may pass have the attribute `may_pass`.
    """
    import openai

    where, key = terms.where, terms.key
    try:
        yield
    except openai.APIStatusError as fault:
        raise _of_response(fault, terms) from None
    except openai.APITimeoutError:
        raise may_pass(SlowAnswerError("no answer in time", where, _LATER)) from None
    except openai.APIConnectionError as fault:
        raise _of_connection(fault.__cause__ or fault, where, key) from None
    except openai.OpenAIError as fault:
        words = _words(str(fault), key)
        raise RefusedError(f"the request can't be made ({words})", where, "check it") from None
    except ServiceError:
        raise
    except Exception as fault:
        # While a body is read, the transport's own errors come through.
        if not type(fault).__module__.partition(".")[0].startswith("httpx"):
            raise
        raise _of_connection(fault, where, key) from None


def _of_connection(fault: BaseException, where: str, key: str | None) -> ServiceError:
    name = type(fault).__name__
    said = f" ({_words(str(fault), key)})" if str(fault) else ""
    if "Timeout" in name:
        return may_pass(SlowAnswerError(f"no answer in time{said}", where, _LATER))
    if name in ("ConnectError", "ProxyError", "UnsupportedProtocol", "InvalidURL"):
        return UnreachableError(
            f"no connection{said}", where, "start the server, or check --base-url and the proxy"
        )
    return may_pass(CutOffError(f"the answer was cut off{said}", where, _LATER))


def _of_response(fault: Any, terms: Terms) -> ServiceError:
    status, headers = int(fault.status_code), fault.response.headers
    if 300 <= status < 400:
        # Not followed: the pictures are for the server that was named, and so is the key.
        elsewhere = shown_url(headers.get("location") or "elsewhere").partition("/chat/")[0]
        what = _line(status, "moved to " + _words(elsewhere, terms.key), "")
        return RefusedError(what, terms.where, "give that as --base-url, if you trust it")
    return fault_of(status, saying(fault.body or fault.message, terms.key), terms, _wait_s(headers))


def fault_of(status: int, said: str, terms: Terms, wait_s: float | None = None) -> ServiceError:
    """Return the error that a status and a server's own words stand for.

    wait_s: how long it asks to wait before the next request.
    """
    if _NO_MONEY.search(said) or status == 402:
        what = _line(status, "the account has no money left", said)
        return RefusedError(what, terms.where, "pay, or use another")
    if status in (408, 409, 425, 429) or status >= 500:
        if _FORM.search(said) and terms.wants_form and status >= 500 and status != 503:
            return NoSchemaError(_line(status, "it failed", said), terms.where)
        asked = "" if wait_s is None else f", it asks to wait {wait_s:.0f} s"
        what = _line(status, f"busy{asked}", said)
        return may_pass(BusyError(what, terms.where, _LATER, wait_s))
    return _of_refusal(status, said, terms)


def _of_refusal(status: int, said: str, terms: Terms) -> ServiceError:
    where = terms.where
    if _POLICY.search(said):
        return RefusedReplyError(_line(status, "refused for its content", said), where)
    if status == 403 and _NOT_HERE.search(said):
        what = _line(status, "it forbids this", said)
        return RefusedError(what, where, "check that you may use it, or name another server")
    if status in (401, 403):
        mend = "check the key in OVEARTH_API_KEY (or OPENAI_API_KEY)"
        return RefusedError(_line(status, "it wants another key", said), where, mend)
    if terms.limit is not None and re.search(rf"\b{terms.limit}\b", said):
        return NoLimitError(_line(status, "no such limit of a reply", said), where)
    if terms.wants_form and _FORM.search(said):
        return NoSchemaError(_line(status, "no such form of reply", said), where)
    meaning, mend = _meaning(status, said, terms.model)
    return RefusedError(_line(status, meaning, said), where, mend)


def _wait_s(headers: Any) -> float | None:
    """Return how long a response asks to wait; milliseconds are OpenAI's own."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = (headers.get(name) or "").strip()
        if re.fullmatch(r"\d{1,12}(\.\d{1,9})?", value):
            return float(value) * unit
    return retry_after_s(headers.get("retry-after"))


def _meaning(status: int, said: str, model: str) -> tuple[str, str]:
    """Return what a refusal means, and how to mend it."""
    is_of_pictures = bool(_PICTURE.search(said))
    if _TOO_LONG.search(said):
        return "the request is too long for the model", "give a smaller --side, or another --model"
    if _FIELD.search(said):
        return "it doesn't take a field of the request", "name another server, with --base-url"
    if status == 413 or (is_of_pictures and _TOO_LARGE.search(said)):
        return "the pictures are too large for it", "give a smaller --side"
    if is_of_pictures:
        return f"the model {model!r} doesn't see pictures", "name one that does, with --model"
    if status == 404 or _MODEL.search(said):
        return f"no model {model!r}, or nothing at this address", "check --model and --base-url"
    return "it refuses the request", "check --base-url"


def _line(status: int, meaning: str, said: str) -> str:
    return f"status {status}: {meaning}" + (f" ({said})" if said else "")


def saying(body: object, key: str | None) -> str:
    """Return a server's own words in the body of a fault: its message and code where it has them.

    body: as JSON has it, without the key or with it, or plain text.
    """
    found = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(found, dict):
        parts = [found.get("message"), found.get("code"), found.get("detail")]
        found = "; ".join(str(part) for part in parts if part) or found
    return _words(str(found or ""), key)


def _words(text: str, key: str | None) -> str:
    plain = one_line(" ".join(re.sub(r"<[^>]*>", " ", scrubbed(text, key)).split()))
    return plain if len(plain) <= _LONGEST_SAYING else plain[:_LONGEST_SAYING] + "…"


def may_pass(fault: ServiceErrorT) -> ServiceErrorT:
    """Mark an error as one after which the same request may succeed."""
    fault.may_pass = True  # type: ignore[attr-defined]
    return fault
