"""Image files beside a benchmark that aren't what it says of them, or lie nowhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..errors import InputError
from ..image_fit import Fit, compare
from ..paths import inside
from ..raster_file import read_header
from .finding import Finding
from .scope import Scope

_KINDS = {
    Fit.SIZE: ("file-size", "restore the file"),
    Fit.CRS: ("file-crs", "restore the file, or mend the image's CRS"),
    Fit.PLACE: ("file-place", "restore the file, or mend the image's transform"),
    Fit.NO_FILE_CRS: ("file-no-place", "other programs show it in pixels: georeference it"),
    Fit.NO_FILE_PLACE: ("file-no-place", "other programs show it in pixels: georeference it"),
    Fit.NO_ROW_PLACE: ("no-place", "give the image the crs and transform of its file"),
}


def image_files(scope: Scope, folder: Path) -> Iterator[Finding]:
    """Find files in `folder` that differ from the benchmark; those that aren't there are no fault.

    Only their headers are read.
    """
    for image in scope.benchmark.images:
        try:
            path = inside(folder, image.file_name)
            if not path.is_file():
                continue
            compared = compare(image, read_header(path), row_name="the benchmark")
        except InputError as fault:
            # A name that leads out of the folder is found as such.
            if fault.where:
                yield scope.at_image(image, "unreadable-file", fault.what, "restore the file")
            continue
        if compared.fit in _KINDS:
            kind, mend = _KINDS[compared.fit]
            yield scope.at_image(image, kind, compared.what, mend)
