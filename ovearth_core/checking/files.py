"""Image files that are missing, were changed, or aren't what their row says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..dataset import Dataset, ImageRow
from ..errors import InputError
from ..image_fit import Fit, compare
from ..raster_file import RasterHeader, check_pixels, file_sha256, read_header
from .finding import Finding

# A dataset's file says itself where it lies: a row has no other.
_KINDS = {
    Fit.SIZE: "file-size",
    Fit.CRS: "file-crs",
    Fit.NO_FILE_CRS: "file-crs",
    Fit.PLACE: "file-place",
    Fit.NO_FILE_PLACE: "file-place",
}


def image_file(dataset: Dataset, image: ImageRow) -> Iterator[Finding]:
    """Find what is wrong with the file of an image."""
    try:
        path = dataset.image_path(image)
    except InputError as fault:
        yield _at(image, "file-name", fault.what, "put it into the dataset's folder")
        return
    if not path.is_file():
        yield _at(image, "no-file", "its file isn't there", f"put it at {image.file_name}")
        return
    try:
        yield from _content(image, path)
        yield from _header(image, read_header(path))
        check_pixels(path)
    except InputError as fault:
        mend = "restore the file: it can go into no release"
        yield _at(image, "unreadable-file", fault.what, mend)


def fits_row(image: ImageRow, path: Path) -> bool:
    """Whether a file has the size and place of its row."""
    try:
        return not list(_header(image, read_header(path)))
    except InputError:
        return False


def _content(image: ImageRow, path: Path) -> Iterator[Finding]:
    if image.sha256 is None:
        what = "no checksum was kept of its file"
        yield _at(image, "no-checksum", what, "keep one (check --fix), when the file is right")
    elif file_sha256(path) != image.sha256:
        what = "its file was changed since it was taken in (another SHA-256)"
        yield _at(image, "changed-file", what, "restore the file, or take it in anew")


def _header(image: ImageRow, header: RasterHeader) -> Iterator[Finding]:
    compared = compare(image, header)
    kind = _KINDS.get(compared.fit)
    if kind is not None:
        yield _at(image, kind, compared.what, "restore the file")


def _at(image: ImageRow, kind: str, what: str, mend: str) -> Finding:
    return Finding(kind, "image", image.id, what, mend, image.id)
