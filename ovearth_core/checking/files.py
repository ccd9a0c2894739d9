"""Image files that are missing, were changed, or aren't what their row says."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..crs import same_crs
from ..dataset import Dataset, ImageRow
from ..dataset.raster_file import RasterHeader, check_pixels, file_sha256, read_header
from ..errors import InputError, OVEarthError
from .finding import Finding

_MOST_SHIFT_PX = 0.01


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
    if (header.width, header.height) != (image.width, image.height):
        what = (
            f"its file has {header.width} x {header.height} pixels,"
            f" its row {image.width} x {image.height}"
        )
        yield _at(image, "file-size", what, "restore the file")
        return
    if header.crs is None or not _is_same_crs(header.crs, image.crs):
        found = "none" if header.crs is None else "another"
        what = f"its file has {found} where its row has the CRS {image.crs[:40]}"
        yield _at(image, "file-crs", what, "restore the file")
    elif header.geotransform is None or _shift_px(image, header.geotransform) > _MOST_SHIFT_PX:
        what = "its file lies elsewhere than its row says (another transform)"
        yield _at(image, "file-place", what, "restore the file")


def _is_same_crs(one: str, other: str) -> bool:
    try:
        return same_crs(one, other)
    except OVEarthError:
        return False


def _shift_px(image: ImageRow, geotransform: tuple[float, ...]) -> float:
    """Return how far the file's corners lie from the row's, in pixels of the row."""
    c, a, b, f, d, e = geotransform
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * [image.width, image.height]
    x, y = corners.T
    there = np.column_stack([a * x + b * y + c, d * x + e * y + f])
    try:
        return float(np.abs(image.frame().map_to_pixel(there) - corners).max())
    except OVEarthError:
        return 0.0  # its row's own CRS or transform is at fault, and found as such


def _at(image: ImageRow, kind: str, what: str, mend: str) -> Finding:
    return Finding(kind, "image", image.id, what, mend, image.id)
