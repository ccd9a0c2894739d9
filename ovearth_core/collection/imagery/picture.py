"""What arrived from a server, looked at: a picture, or in words why it is none."""

from __future__ import annotations

import re
import threading
import warnings
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from ...errors import MissingPackageError
from .address import without_secrets
from .fetching import Arrival
from .saying import is_web_page, service_exception, words
from .server_errors import (
    CutOffError,
    LargeAnswerError,
    NoPictureError,
    WebPageError,
    service_fault,
)
from .source import Mask, Values

# How each format that is taken begins, and GDAL's name for it.
_FORMATS = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "PNG"),
    (re.compile(rb"\xff\xd8\xff"), "JPEG"),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), "WEBP"),
    (re.compile(rb"II[*+]\x00|MM\x00[*+]"), "GTiff"),
)
_MOST_SIDE = 16_384
# How providers say with status 200 that a picture is a placeholder.
_NO_PICTURE_HEADERS = (("x-ve-tile-info", "no-tile"),)
_ENVIRONMENT = {
    "GDAL_ERROR_ON_LIBJPEG_WARNING": "TRUE",
    "GDAL_DISABLE_READDIR_ON_OPEN": "EMPTY_DIR",
    "GDAL_PAM_ENABLED": "NO",
}
_LATER = "try again later"
_of_thread = threading.local()


@dataclass(frozen=True)
class Picture:
    """values (1 or 3 bands, h, w), and where they hold data (h, w), None where all do."""

    values: Values
    valid: Mask | None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.values.shape[2], self.values.shape[1]

    def one_color(self) -> tuple[float, ...] | None:
        """Return the only colour that occurs, None where there are several."""
        first = self.values[:, :1, :1]
        is_mixed = self.valid is not None or (self.values[:, :1] != first).any()
        if is_mixed or (self.values != first).any():
            return None
        return tuple(float(value) for value in first.ravel())


def is_marked_empty(arrival: Arrival) -> bool:
    """Whether the server says in a header that a picture only stands in for one."""
    return any(arrival.headers.get(name, "") == mark for name, mark in _NO_PICTURE_HEADERS)


def set_up_thread() -> None:
    """Set GDAL up for a thread that will decode pictures, once: for each it would take as long."""
    import rasterio

    _of_thread.environment = rasterio.Env(**_ENVIRONMENT)
    _of_thread.environment.__enter__()


def check_packages() -> None:
    """Raise MissingPackageError where pictures can't be decoded."""
    try:
        import_module("rasterio")
    except ImportError:
        raise MissingPackageError(
            "reading imagery needs rasterio", mend="pip install rasterio"
        ) from None


def _without_warning() -> None:
    """Keep rasterio from warning that a tile has no place of its own.

    For good: to catch warnings for a while is nothing that threads may do.
    """
    from rasterio.errors import NotGeoreferencedWarning

    if not any(entry[2] is NotGeoreferencedWarning for entry in warnings.filters):
        warnings.simplefilter("ignore", NotGeoreferencedWarning)


def picture_of(arrival: Arrival, where: str) -> Picture:
    """Return the picture that arrived; a ServerError that says what came instead.

    Its bytes say what it is, whatever the server calls it. The thread is one that `set_up_thread`
    was called in.
    """
    body = arrival.body
    if not body:
        raise CutOffError("an empty answer came", where, _LATER)
    driver = next((name for mark, name in _FORMATS if mark.match(body)), None)
    if driver is None:
        raise _instead(arrival, where)
    if _ends_early(body, driver):
        raise CutOffError(f"a {driver} came that ends before its end", where, _LATER)
    return _decoded(body, driver, where)


def _instead(arrival: Arrival, where: str) -> Exception:
    """Return the error for what is no picture."""
    body = arrival.body
    said = service_exception(body)
    if said is not None:
        said = without_secrets(said)
        return service_fault(said, f"the server says {said!r}", where, "check the layer")
    said = without_secrets(words(body))
    if is_web_page(body):
        return WebPageError(f"a web page came ({said})", where, "check the address and its key")
    kind = arrival.content_type or "nothing said of its type"
    if b"\x00" in body[:512]:
        return NoPictureError(f"no picture came, but {kind}", where, "ask for PNG or JPEG")
    return NoPictureError(f"no picture came, but {kind} ({said})", where, "check the address")


def _ends_early(body: bytes, driver: str) -> bool:
    if driver == "PNG":
        return b"IEND" not in body[-64:]
    if driver == "JPEG":
        return b"\xff\xd9" not in body[-1024:]
    if driver == "WEBP":
        return len(body) < 8 + int.from_bytes(body[4:8], "little")
    return False


def _decoded(body: bytes, driver: str, where: str) -> Picture:
    from rasterio.errors import RasterioError
    from rasterio.io import MemoryFile

    _without_warning()
    try:
        with MemoryFile(body) as file, file.open(driver=driver) as dataset:
            if max(dataset.width, dataset.height) > _MOST_SIDE:
                raise LargeAnswerError(
                    f"a picture of {dataset.width} × {dataset.height} pixels came",
                    where,
                    f"at most {_MOST_SIDE} a side are taken",
                )
            return _sorted_out(dataset.read(), dataset, where)
    except RasterioError as fault:
        cause = fault.__cause__ or fault
        raise CutOffError(f"a broken {driver} came ({cause})", where, _LATER) from None


def _sorted_out(values: Values, dataset: Any, where: str) -> Picture:
    """Return bands as grey or red, green, blue; what is wholly transparent holds no data."""
    colors = [color.name for color in dataset.colorinterp]
    alpha = None
    if colors == ["palette"]:
        table = np.zeros((256, 4), np.uint8)
        for index, color in dataset.colormap(1).items():
            table[index] = color
        expanded = table[values[0]]
        values = np.ascontiguousarray(np.moveaxis(expanded[:, :, :3], 2, 0))
        alpha = expanded[:, :, 3]
    elif len(values) in (2, 4) and colors[-1] == "alpha":
        values, alpha = values[:-1], values[-1]
    elif dataset.nodata is not None:
        alpha = (values != dataset.nodata).any(axis=0)
    if len(values) not in (1, 3):
        raise NoPictureError(f"a picture of {len(values)} bands came", where, "ask for RGB")
    valid = None if alpha is None or alpha.all() else alpha > 0
    return Picture(values, valid)
