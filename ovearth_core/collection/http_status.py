"""What an HTTP status means, with the server's own words where it has some."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from html import unescape
from urllib.parse import urljoin

from .imagery.address import hidden, without_secrets
from .service_errors import BusyError, GatewayTimeoutError, RefusedError, ServiceError

_GATEWAY_TIMEOUT = 504
_BUSY = {
    429: "too many requests",
    502: "a bad gateway",
    503: "not available now",
    504: "too busy, or the query takes too long",
}
_REFUSED = {
    400: ("it finds the request bad", "check --url; it may be another kind of server"),
    401: ("it wants a login", "name a server that is open, with --url"),
    403: ("it forbids this", "check that you may use it, or name another with --url"),
    404: ("there is nothing at this address", "check --url"),
    405: ("it doesn't take this kind of request", "check --url"),
    413: ("the request is too large", "ask for fewer categories at once"),
    414: ("the request is too long", "ask for fewer categories at once"),
}
_LATER = "try again later, ask for less, or name another server with --url"
_LONGEST_SAYING = 200
_READ_AT_MOST = 20_000


def check_status(status: int, headers: Mapping[str, str], body: bytes, where: str) -> None:
    """Raise the ServiceError that the status stands for; nothing for 200 and 206.

    headers: names in lower case.
    """
    if status in (200, 206):
        return
    said = without_secrets(saying(body))
    words = f" ({said})" if said else ""
    if status in _BUSY:
        wait = retry_after_s(headers.get("retry-after"))
        asked = "" if wait is None else f", it asks to wait {wait:.0f} s"
        what = f"status {status}: {_BUSY[status]}{asked}{words}"
        # Overpass itself says with 504 that it is busy.
        is_gateway = status == _GATEWAY_TIMEOUT and "busy" not in said.lower()
        raise (GatewayTimeoutError if is_gateway else BusyError)(what, where, _LATER, wait)
    if 300 <= status < 400:
        target = hidden(without_secrets(_moved_to(headers.get("location"), where)))
        raise RefusedError(f"status {status}: moved to {target}", where, "name that address")
    meaning, mend = _REFUSED.get(status, ("it failed", _LATER))
    kind = RefusedError if status in _REFUSED else ServiceError
    raise kind(f"status {status}: {meaning}{words}", where, mend)


def _moved_to(location: str | None, where: str) -> str:
    """Return the whole address, which the server may have told as a path."""
    try:
        return urljoin(where, location) if location else "elsewhere"
    except ValueError:
        return location or "elsewhere"


def retry_after_s(value: str | None, now: datetime | None = None) -> float | None:
    """Return the seconds that a Retry-After header asks for (a number or a date), None if none."""
    if value is None:
        return None
    if re.fullmatch(r"\s*\d{1,9}\s*", value):
        return float(value)
    try:
        moment = parsedate_to_datetime(value)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=timezone.utc)
        wait = (moment - (now or datetime.now(timezone.utc))).total_seconds()
    except (ValueError, TypeError, OverflowError):
        return None
    return max(0.0, wait)


def saying(body: bytes) -> str:
    """Return the first words of a text or web page, without markup, at most 200 characters."""
    text = body[:_READ_AT_MOST].decode("utf-8", "replace")
    text = re.sub(r"(?is)<(script|style|head)\b.*?</\1\s*>", " ", text)
    text = " ".join(unescape(re.sub(r"(?s)<[^>]*>?", " ", text)).split())
    return text if len(text) <= _LONGEST_SAYING else f"{text[:_LONGEST_SAYING]}…"
