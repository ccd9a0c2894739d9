"""Asking a server over HTTP, politely: time-outs, a limit on size, and waits that grow.

httpx honours the proxies of the environment (HTTP_PROXY, HTTPS_PROXY, NO_PROXY, SSL_CERT_FILE),
where `network` names no other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import MissingPackageError, UsageError
from ..version import VERSION
from .http_status import check_status
from .imagery.address import filled_in, without_secrets
from .network import new_client
from .service_errors import (
    BusyError,
    CutOffError,
    LargeAnswerError,
    RefusedError,
    SlowAnswerError,
    UnreachableError,
    UnreadableAnswerError,
)
from .turns import TURNS

if TYPE_CHECKING:
    import httpx
    from tenacity import RetryCallState

ResultT = TypeVar("ResultT")
_LOCAL_HOSTS = ("localhost", "127.0.0.1", "::1")
_NO_RANGES = "copy the file here first, or put it on a server that gives ranges"
_SLOW = "ask for less, or allow more time (--timeout)"


@dataclass(frozen=True)
class Politeness:
    """How long to wait for a server, and how often to come back to it.

    attempts: of one request in all. first_wait_s, longest_wait_s: between attempts, doubled each
    time; a server that asks for more than the longest is not asked again. silence_s: without a
    byte; answer_s: for one whole answer. pause_s: between this process's requests to a host that
    isn't this machine. most_bytes: of one answer, unpacked.
    """

    attempts: int = 4
    first_wait_s: float = 2.0
    longest_wait_s: float = 60.0
    connect_s: float = 15.0
    silence_s: float = 100.0
    answer_s: float = 300.0
    pause_s: float = 0.0
    most_bytes: int = 256 << 20


@dataclass(frozen=True)
class Request:
    """One request: GET with `params`, or POST with a form of `fields` or a JSON `document`.

    url: with `${NAME}` for what only the environment knows, so that it may be shown and kept.
    """

    url: str
    params: Mapping[str, str] | None = None
    fields: Mapping[str, str] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    document: Mapping[str, Any] | None = None

    @property
    def method(self) -> str:
        """GET or POST."""
        return "GET" if self.fields is None and self.document is None else "POST"


@dataclass(frozen=True)
class Answer:
    """What came back with status 200 or 206. where: the server, as errors name it.

    edition: ETag and Last-Modified, "" for what wasn't said.
    """

    body: bytes
    content_type: str
    where: str
    status: int = 200
    content_range: str = ""
    edition: tuple[str, str] = ("", "")


class Exchange:
    """A connection to servers, to be used in a `with` block.

    Raises MissingPackageError without httpx and tenacity.
    """

    def __init__(self, politeness: Politeness) -> None:
        self._politeness = politeness
        self._client = _client(politeness)

    def __enter__(self) -> Exchange:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def ask(self, request: Request, read: Callable[[Answer], ResultT]) -> ResultT:
        """Return what `read` makes of the answer; asked again where the server is busy or cut off.

        Raises a ServiceError when it fails in another way, or once more than allowed, and whatever
        `read` raises. A BusyError or CutOffError of `read` counts as the server's.
        """
        from tenacity import Retrying, retry_if_exception, stop_after_attempt

        retrying = Retrying(
            stop=stop_after_attempt(self._politeness.attempts),
            wait=self._wait_s,
            retry=retry_if_exception(self._is_worth_another_try),
            reraise=True,
        )
        return retrying(lambda: read(self._once(request)))

    def _is_worth_another_try(self, fault: BaseException) -> bool:
        if isinstance(fault, BusyError):
            return (fault.retry_after_s or 0.0) <= self._politeness.longest_wait_s
        return isinstance(fault, CutOffError)

    def _wait_s(self, state: RetryCallState) -> float:
        fault = state.outcome.exception() if state.outcome else None
        grown = self._politeness.first_wait_s * 2.0 ** (state.attempt_number - 1)
        asked = fault.retry_after_s if isinstance(fault, BusyError) else None
        return max(min(grown, self._politeness.longest_wait_s), asked or 0.0)

    def _once(self, request: Request) -> Answer:
        self._pause(request.url)
        where = shown_url(request.url)
        with _said_by_httpx(where):
            packed = self._client.build_request(
                request.method,
                filled_in(request.url),
                params=request.params,
                data=request.fields,
                json=request.document,
                headers=request.headers,
            )
            response = self._client.send(packed, stream=True)
            try:
                if "Range" in request.headers and response.status_code == 200:
                    # The whole file would follow.
                    raise RefusedError("the server gives no ranges of it", where, _NO_RANGES)
                body = self._body(response, where)
            finally:
                response.close()
        headers = response.headers
        check_status(response.status_code, dict(headers), body, where)
        kind, content_range = headers.get("content-type", ""), headers.get("content-range", "")
        edition = headers.get("etag", ""), headers.get("last-modified", "")
        return Answer(body, kind, where, response.status_code, content_range, edition)

    def _pause(self, url: str) -> None:
        if self._politeness.pause_s > 0.0 and not _is_local(url):
            TURNS.take(_host_of(url), self._politeness.pause_s)

    def _body(self, response: httpx.Response, where: str) -> bytes:
        end = time.monotonic() + self._politeness.answer_s
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > self._politeness.most_bytes:
                most = f"{self._politeness.most_bytes >> 20} MB"
                raise LargeAnswerError(f"an answer of more than {most}", where, "ask for less")
            # A server that drips single bytes never falls silent.
            if time.monotonic() > end:
                what = f"no whole answer in {self._politeness.answer_s:g} s"
                raise SlowAnswerError(what, where, _SLOW)
        return bytes(body)


def shown_url(url: str) -> str:
    """Return the address fit to be shown: without user, password and query, which may be secret."""
    scheme, _, rest = url.partition("://")
    host, slash, path = rest.partition("?")[0].partition("#")[0].partition("/")
    return f"{scheme}://{host.rpartition('@')[2]}{slash}{path}" if rest else url


def check_url(url: str) -> str:
    """Return the address where it is one of HTTP, else raise UsageError."""
    scheme, _, rest = url.partition("://")
    if scheme.lower() not in ("http", "https") or not rest.strip("/"):
        raise UsageError(f"{shown_url(url)!r} is no address", "--url", "write https://host/path")
    return url


def check_template(url: str) -> str:
    """Return an address of HTTP in which `${NAME}` stays until a request is sent.

    Raises UsageError for what is none, for a key or password that is written out, and for a NAME
    that the environment lacks.
    """
    filled_in(check_url(url))
    return url


def _host_of(url: str) -> str:
    return shown_url(url).partition("://")[2].partition("/")[0].lower()


def _is_local(url: str) -> bool:
    host = _host_of(url)
    return host.startswith("[::1]") or host.partition(":")[0] in _LOCAL_HOSTS


def _client(politeness: Politeness) -> httpx.Client:
    try:
        import httpx
        import tenacity  # noqa: F401 - missed here rather than at the first request
    except ImportError as fault:
        raise MissingPackageError(
            f"asking servers needs {fault.name}", "in this Python", f"pip install {fault.name}"
        ) from None
    time_out = httpx.Timeout(politeness.silence_s, connect=politeness.connect_s)
    # Not followed: a redirected POST would arrive as a GET, without its query.
    return new_client(
        timeout=time_out,
        follow_redirects=False,
        headers={"User-Agent": f"ovearth/{VERSION}", "Accept-Encoding": "gzip, deflate"},
    )


@contextmanager
def _said_by_httpx(where: str) -> Iterator[None]:
    """Turn what httpx raises into this package's errors."""
    import httpx

    faults: tuple[tuple[type[Exception], type[Any], str, str], ...] = (
        (httpx.ConnectTimeout, UnreachableError, "no connection in time", _CHECK),
        (httpx.TimeoutException, SlowAnswerError, "no answer in time", _SLOW),
        (httpx.ConnectError, UnreachableError, "no connection", _CHECK),
        (httpx.ProxyError, UnreachableError, "the proxy refuses", "check HTTPS_PROXY"),
        (httpx.DecodingError, UnreadableAnswerError, "an answer packed wrongly", _CHECK_URL),
        (httpx.NetworkError, CutOffError, "the connection was cut", "try again later"),
        (httpx.RemoteProtocolError, CutOffError, "the answer was cut off", "try again later"),
        (httpx.UnsupportedProtocol, UsageError, "no address of HTTP", _CHECK_URL),
        (httpx.InvalidURL, UsageError, "no address", _CHECK_URL),
        (httpx.HTTPError, CutOffError, "the exchange failed", "try again later"),
    )
    try:
        yield
    except tuple(kind for kind, *_ in faults) as fault:
        for kind, error, what, mend in faults:
            if isinstance(fault, kind):
                said = f" ({without_secrets(str(fault))})" if str(fault) else ""
                raise error(f"{what}{said}", where, mend) from None
        raise


_CHECK = "check the network, the address and the proxy"
_CHECK_URL = "check --url"
