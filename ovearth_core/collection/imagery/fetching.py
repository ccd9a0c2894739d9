"""Requests to servers of imagery: one client for all threads, polite, bounded in time and size."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from ...errors import MissingPackageError, UsageError
from ...version import VERSION
from ..network import Proxy, network, new_client
from .address import Address, without_secrets
from .host_gate import gate_of
from .patience import LONGEST_WAIT_S, retry_after_s, retrying
from .saying import service_exception, words
from .server_errors import (
    BusyError,
    CutOffError,
    ForbiddenError,
    LargeAnswerError,
    RefusedError,
    ServerError,
    SlowAnswerError,
    UnreachableError,
    service_fault,
)

if TYPE_CHECKING:
    import httpx

_CONNECT_S = 15.0
_MOST_CONNECTIONS = 128
_MOST_REDIRECTS = 5
# Seconds, bytes, requests: more is a typing error, and what waits for it fails.
_MOST_OF_ANYTHING = 1e9
_LATER = "try again later, or with a smaller per_host"
# There is no picture at this address; that need not be a fault.
EMPTY_STATUSES = (204, 404, 410)
_REFUSALS = {
    400: "it finds the request bad",
    401: "it wants a key or a login",
    403: "it forbids this",
    404: "there is nothing at this address",
    410: "there is nothing at this address any more",
}

_lock = threading.Lock()
_clients: list[tuple[Proxy | None, httpx.Client]] = []


@dataclass(frozen=True)
class Politeness:
    """How a server is asked.

    per_host: requests under way at once. timeout_s: for an answer, from beginning to end.
    attempts: in all. backoff_s: the first pause before asking again, doubled each time.
    most_bytes: of an answer.
    """

    per_host: int = 4
    timeout_s: float = 60.0
    attempts: int = 4
    backoff_s: float = 0.5
    most_bytes: int = 32 << 20

    def __post_init__(self) -> None:
        for name, value in vars(self).items():
            least = 0 if name == "backoff_s" else 1e-9
            if not least <= value <= _MOST_OF_ANYTHING:
                what = f"{name.removesuffix('_s')} is {value:g}"
                raise UsageError(what, "imagery options", "give a positive number")


@dataclass(frozen=True)
class Arrival:
    """What came: status, content type (lower case, without parameters), headers, and all bytes."""

    status: int
    content_type: str
    headers: Mapping[str, str]
    body: bytes


def fetch(
    address: Address,
    rules: Politeness,
    json: Any = None,
    is_empty: Callable[[int], bool] = EMPTY_STATUSES.__contains__,
    stop: threading.Event | None = None,
) -> Arrival:
    """Return what is at an address, asked for again where that may help.

    json: sent by POST where given. is_empty: statuses that are returned like 200, without looking
    at their bodies. stop: when set, nothing is waited for any more. Raises a ServerError for
    everything else.
    """
    stop = threading.Event() if stop is None else stop
    again = retrying(_package("tenacity"), rules.attempts, rules.backoff_s, stop)
    found: Arrival = again(_fetch_once, address, rules, json, is_empty, stop)
    return found


def _fetch_once(
    address: Address,
    rules: Politeness,
    json: Any,
    is_empty: Callable[[int], bool],
    stop: threading.Event,
) -> Arrival:
    gate = gate_of(address.host)
    with gate.turn(rules.per_host, stop):
        if stop.is_set():
            raise ServerError("given up, as others failed", address.shown, _LATER)
        arrival = _exchange(address, rules, json)
    if is_empty(arrival.status):
        return arrival
    try:
        check_status(arrival, address.shown)
    except BusyError as fault:
        if fault.retry_after_s is not None:
            gate.rest(min(fault.retry_after_s, LONGEST_WAIT_S))
        raise
    return arrival


def _exchange(address: Address, rules: Politeness, json: Any) -> Arrival:
    httpx = _package("httpx")
    method = "GET" if json is None else "POST"
    until = time.monotonic() + rules.timeout_s
    limits = httpx.Timeout(rules.timeout_s, connect=min(_CONNECT_S, rules.timeout_s))
    try:
        with _client().stream(method, address.url, json=json, timeout=limits) as answer:
            body = _body(answer, address.shown, rules, until)
    except httpx.HTTPError as fault:
        raise _fault(fault, address.shown, rules) from None
    except (httpx.InvalidURL, UnicodeError):
        raise RefusedError("is no address", address.shown, "check it") from None
    kind = answer.headers.get("content-type", "").partition(";")[0].strip().lower()
    return Arrival(answer.status_code, kind, answer.headers, body)


def _body(answer: httpx.Response, shown: str, rules: Politeness, until: float) -> bytes:
    length = answer.headers.get("content-length", "")
    if length.isdigit() and int(length) > rules.most_bytes:
        raise _too_large(int(length), shown, rules)
    parts: list[bytes] = []
    size = 0
    for part in answer.iter_bytes():
        parts.append(part)
        size += len(part)
        if size > rules.most_bytes:
            raise _too_large(size, shown, rules)
        # A read never times out while bytes drip.
        if time.monotonic() > until:
            raise _too_slow(shown, rules)
    return b"".join(parts)


def check_status(arrival: Arrival, where: str) -> None:
    """Raise the error that a status stands for, with the server's own words."""
    status = arrival.status
    if status == 200:
        return
    said = service_exception(arrival.body)
    if said is not None and status not in (429, 503):
        said = without_secrets(said)
        what = f"status {status}: the server says {said!r}"
        raise service_fault(said, what, where, "check the layer")
    said = without_secrets(words(arrival.body))
    tail = f" ({said})" if said else ""
    if status == 429 or status >= 500:
        wait = retry_after_s(arrival.headers.get("retry-after"))
        asked = "" if wait is None else f", it asks to wait {wait:.0f} s"
        meaning = "too many requests" if status == 429 else "the server fails or is too busy"
        raise BusyError(f"status {status}: {meaning}{asked}{tail}", where, _LATER, wait)
    meaning = _REFUSALS.get(status, "no answer to this request")
    what, mend = f"status {status}: {meaning}{tail}", "check the address, and the key it may need"
    if status in (401, 403):
        raise ForbiddenError(what, where, mend, status)
    raise RefusedError(what, where, mend)


def _too_large(size: int, shown: str, rules: Politeness) -> LargeAnswerError:
    return LargeAnswerError(
        f"the answer has {size} bytes or more, at most {rules.most_bytes} are taken",
        shown,
        "raise most_bytes if that is right",
    )


def _too_slow(shown: str, rules: Politeness) -> SlowAnswerError:
    return SlowAnswerError(
        f"no whole answer within {rules.timeout_s:g} s", shown, "try again later, or raise timeout"
    )


def _fault(fault: httpx.HTTPError, shown: str, rules: Politeness) -> ServerError:
    """Return our own error for one of the client's."""
    import httpx

    check = "check the address"
    table: tuple[tuple[Any, ServerError], ...] = (
        (
            httpx.ConnectTimeout,
            UnreachableError("no connection in time", shown, f"{check} and the network"),
        ),
        (httpx.TimeoutException, _too_slow(shown, rules)),
        (
            httpx.ConnectError,
            UnreachableError(
                f"can't be reached ({without_secrets(str(fault))})",
                shown,
                f"{check} and the network",
            ),
        ),
        (
            httpx.NetworkError,
            CutOffError("the connection was cut before the answer's end", shown, _LATER),
        ),
        (
            httpx.RemoteProtocolError,
            CutOffError("the connection was cut before the answer's end", shown, _LATER),
        ),
        (httpx.DecodingError, CutOffError("the answer can't be unpacked", shown, _LATER)),
        (httpx.TooManyRedirects, RefusedError("it is moved again and again", shown, check)),
        (
            httpx.UnsupportedProtocol,
            RefusedError("it is moved to what is no web address", shown, check),
        ),
    )
    said = without_secrets(str(fault))
    other = UnreachableError(f"can't be reached ({said})", shown, f"{check} and the network")
    return next((known for kind, known in table if isinstance(fault, kind)), other)


def _package(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise MissingPackageError(
            f"reading imagery from servers needs {name}", mend="pip install 'ovearth[collect]'"
        ) from None


def _client() -> httpx.Client:
    """Return the client of this process: connections are kept and shared by its threads.

    Another one where another proxy has been named since; who has the old one ends with it.
    """
    proxy = network().proxy
    with _lock:
        if not _clients or _clients[0][0] != proxy:
            package = _package("httpx")
            limits = package.Limits(
                max_connections=_MOST_CONNECTIONS, max_keepalive_connections=_MOST_CONNECTIONS
            )
            client = new_client(
                limits,
                follow_redirects=True,
                max_redirects=_MOST_REDIRECTS,
                headers={"User-Agent": f"ovearth/{VERSION}"},
            )
            _clients[:] = [(proxy, client)]
        return _clients[0][1]
