"""The ways in which a server on the network can fail, each an error of its own."""

from __future__ import annotations

from ..errors import OVEarthError


class ServiceError(OVEarthError, OSError):
    """A server did not give what it was asked for."""


class UnreachableError(ServiceError):
    """No connection: no network, no such host, nobody listens there, a certificate not trusted."""


class SlowAnswerError(ServiceError):
    """The answer did not come, or not whole, within the time allowed."""


class BusyError(ServiceError):
    """The server asks to come again later (429, 502, 503, 504, or words to that effect).

    retry_after_s: how long it asks to wait, None where it doesn't say.
    """

    def __init__(
        self, what: str, where: str = "", mend: str = "", retry_after_s: float | None = None
    ) -> None:
        super().__init__(what, where, mend)
        self.retry_after_s = retry_after_s


class GatewayTimeoutError(BusyError):
    """What stands before the server gave up waiting for it (504): it is busy, or much was asked."""


class RefusedError(ServiceError):
    """The server does not want this request: bad query, not allowed, no such address, moved."""


class WebPageError(ServiceError):
    """A page for people came instead of data."""


class CutOffError(ServiceError):
    """The answer ends before its end."""


class UnreadableAnswerError(ServiceError):
    """The answer is whole but is not what the service gives."""


class LargeAnswerError(ServiceError):
    """The answer is larger than allowed."""


class HeavyQueryError(ServiceError):
    """The query ran out of the server's time or memory: a smaller box may succeed."""


class FailedQueryError(ServiceError):
    """The server gave up on the query, and says why."""
