"""The ways in which a server of imagery can fail, each an error of its own."""

from __future__ import annotations

from typing import ClassVar

from ...errors import FrameError, InputError


class ServerError(InputError):
    """A server did not give the picture, or the description, that it was asked for.

    may_pass: whether asking again may help. is_of_source: whether it will be the same at every
    place, so that going on is no use.
    """

    may_pass: ClassVar[bool] = False
    is_of_source: ClassVar[bool] = False


class UnreachableError(ServerError):
    """No connection: no network, no such host, nobody listens there, a certificate not trusted."""

    may_pass = True
    is_of_source = True


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


class ForbiddenError(RefusedError):
    """The server wants a key or a login that it wasn't given, or forbids this (401, 403).

    status: which of them, 0 where it isn't known.
    """

    is_of_source = True

    def __init__(self, what: str, where: str = "", mend: str = "", status: int = 0) -> None:
        super().__init__(what, where, mend)
        self.status = status


class WebPageError(ServerError):
    """A page for people came instead of a picture."""


class ServiceExceptionError(ServerError):
    """A WMS or WMTS says in XML, with any status, why it draws nothing."""


class UnknownLayerError(ServiceExceptionError):
    """A WMS or WMTS says that it has no such layer, style or format."""

    is_of_source = True


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


_UNKNOWN = ("LayerNotDefined", "StyleNotDefined", "InvalidFormat", "TileMatrixSetNotDefined")


def service_fault(said: str, what: str, where: str, mend: str) -> ServiceExceptionError:
    """Return the error for what a WMS or WMTS says, which begins with the code of its exception."""
    kind = UnknownLayerError if said.startswith(_UNKNOWN) else ServiceExceptionError
    return kind(what, where, mend)


def is_of_source(fault: Exception) -> bool:
    """Whether a fault will be the same at every place of the source."""
    return isinstance(fault, ServerError) and fault.is_of_source


def is_missing(fault: Exception) -> bool:
    """Whether a server has nothing at an address; its other documents may be there."""
    return isinstance(fault, RefusedError) and not isinstance(fault, ForbiddenError)


def is_final(fault: Exception) -> bool:
    """Whether a fault of the source will not pass either: a key that is no longer taken."""
    return isinstance(fault, ServerError) and fault.is_of_source and not fault.may_pass
