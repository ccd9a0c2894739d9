"""The ways in which a server of imagery can fail, each an error of its own."""

from __future__ import annotations

from typing import ClassVar

from ...errors import FrameError, InputError


class ServerError(InputError):
    """A server did not give the picture, or the description, that it was asked for.

    may_pass: whether asking again may help.
    """

    may_pass: ClassVar[bool] = False


class UnreachableError(ServerError):
    """No connection: no network, no such host, nobody listens there, a certificate not trusted."""

    may_pass = True


class SlowAnswerError(ServerError):
    """The answer did not come, or not whole, within the time allowed."""

    may_pass = True


class BusyError(ServerError):
    """The server asks to come again later (429, or one of 500 and above).

    retry_after_s: how long it asks to wait, None where it doesn't say.
    """

    may_pass = True

    def __init__(
        self, what: str, where: str = "", mend: str = "", retry_after_s: float | None = None
    ) -> None:
        super().__init__(what, where, mend)
        self.retry_after_s = retry_after_s


class CutOffError(ServerError):
    """The answer ends before its end."""

    may_pass = True


class RefusedError(ServerError):
    """The server does not want this request: not allowed, no such address, a bad request."""


class WebPageError(ServerError):
    """A page for people came instead of a picture."""


class ServiceExceptionError(ServerError):
    """A WMS or WMTS says in XML, with any status, why it draws nothing."""


class NoPictureError(ServerError):
    """The answer is whole but is no picture, or not the one that was asked for."""


class LargeAnswerError(ServerError):
    """The answer is larger than allowed."""


class BadDescriptionError(ServerError):
    """A service's description of itself (capabilities, a catalogue) can't be understood."""


class TooCoarseError(InputError):
    """The finest imagery there is coarser than what was asked for."""


class PoleError(FrameError):
    """The place lies where the imagery's projection ends, at or next to a pole."""
