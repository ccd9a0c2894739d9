"""What the openai package raises, as this package's errors: whose fault, and how to mend it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

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

_LATER = "try again later"
_SHORTEST_SECRET = 4
_LONGEST_SAYING = 300
_TOO_LARGE = re.compile(r"too (large|big|long)|exceed|maximum|limit|resolution|payload", re.I)
_PICTURE = re.compile(r"image|picture|vision|multi-?modal|image_url|content type", re.I)
_FORM = re.compile(
    r"response_format|json_schema|json_object|structured|guided|grammar|schema", re.I
)
_POLICY = re.compile(r"content_filter|content_policy|content management policy|safety", re.I)
_MODEL = re.compile(r"model", re.I)


class NoSchemaError(ServiceError):
    """The server won't be held to the form of a reply: it is asked without."""

    def as_refusal(self) -> RefusedError:
        """Return it as the error that it is where nothing was asked of the form."""
        return RefusedError(self.what, self.where, self.mend)


class RefusedReplyError(ServiceError):
    """The model, or a filter before it, won't answer this one question."""


def scrubbed(text: str, key: str | None) -> str:
    """Return a server's words without the key, should they have it in them."""
    return text.replace(key, "…") if key and len(key) >= _SHORTEST_SECRET else text


@contextmanager
def said_by_client(where: str, model: str, key: str | None, wants_form: bool) -> Iterator[None]:
    """Turn what the openai package and its transport raise into ServiceErrors.

    Those that may pass have the attribute `may_pass`.
    """
    import openai

    try:
        yield
    except openai.APIStatusError as fault:
        raise _of_status(fault, where, model, key, wants_form) from None
    except openai.APITimeoutError:
        raise _may_pass(SlowAnswerError("no answer in time", where, _LATER)) from None
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
        return _may_pass(SlowAnswerError(f"no answer in time{said}", where, _LATER))
    if name in ("ConnectError", "ProxyError", "UnsupportedProtocol", "InvalidURL"):
        return UnreachableError(
            f"no connection{said}", where, "start the server, or check --base-url and the proxy"
        )
    return _may_pass(CutOffError(f"the answer was cut off{said}", where, _LATER))


def _of_status(
    fault: Any, where: str, model: str, key: str | None, wants_form: bool
) -> ServiceError:
    status = int(fault.status_code)
    said = _saying(fault, key)
    if status in (408, 409, 425, 429) or status >= 500:
        if _FORM.search(said) and wants_form and status >= 500 and status != 503:
            return NoSchemaError(_line(status, "it failed", said), where)
        wait = retry_after_s(fault.response.headers.get("retry-after"))
        if "insufficient_quota" in said:
            return RefusedError(
                _line(status, "the account has no money left", said), where, "pay, or use another"
            )
        asked = "" if wait is None else f", it asks to wait {wait:.0f} s"
        return _may_pass(BusyError(_line(status, f"busy{asked}", said), where, _LATER, wait))
    return _of_refusal(status, said, where, model, wants_form)


def _of_refusal(status: int, said: str, where: str, model: str, wants_form: bool) -> ServiceError:
    if status in (401, 403):
        mend = "check the key in OVEARTH_API_KEY (or OPENAI_API_KEY)"
        return RefusedError(_line(status, "it wants another key", said), where, mend)
    if _POLICY.search(said):
        return RefusedReplyError(_line(status, "refused for its content", said), where)
    if wants_form and _FORM.search(said):
        return NoSchemaError(_line(status, "no such form of reply", said), where)
    meaning, mend = _meaning(status, said, model)
    return RefusedError(_line(status, meaning, said), where, mend)


def _meaning(status: int, said: str, model: str) -> tuple[str, str]:
    """Return what a refusal means, and how to mend it."""
    is_of_pictures = bool(_PICTURE.search(said))
    if status == 413 or (is_of_pictures and _TOO_LARGE.search(said)):
        return "the pictures are too large for it", "give a smaller --side"
    if is_of_pictures:
        return f"the model {model!r} doesn't see pictures", "name one that does, with --model"
    if status == 404 or _MODEL.search(said):
        return f"no model {model!r}, or nothing at this address", "check --model and --base-url"
    return "it refuses the request", "check --base-url"


def _line(status: int, meaning: str, said: str) -> str:
    return f"status {status}: {meaning}" + (f" ({said})" if said else "")


def _saying(fault: Any, key: str | None) -> str:
    """Return the server's own words: its message and code where it has them."""
    body = fault.body
    if isinstance(body, dict):
        parts = [body.get("message"), body.get("code"), body.get("detail")]
        words = "; ".join(str(part) for part in parts if part)
        return _words(words or str(body), key)
    return _words(str(body or fault.message or ""), key)


def _words(text: str, key: str | None) -> str:
    plain = one_line(" ".join(re.sub(r"<[^>]*>", " ", scrubbed(text, key)).split()))
    return plain if len(plain) <= _LONGEST_SAYING else plain[:_LONGEST_SAYING] + "…"


def _may_pass(fault: ServiceError) -> ServiceError:
    fault.may_pass = True  # type: ignore[attr-defined]
    return fault
