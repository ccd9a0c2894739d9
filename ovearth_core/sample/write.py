"""Writes the sample into a folder: images, benchmark and runs."""

from __future__ import annotations

import gzip
import io
from dataclasses import dataclass
from pathlib import Path

from ..atomic import AtomicFiles
from ..benchmark.writer import add_benchmark
from ..errors import FrameError, MissingPackageError
from .annotate import content
from .answers import CAREFUL, HASTY
from .draw import draw
from .views import VIEWS, View


@dataclass(frozen=True)
class Sample:
    """Where the sample lies: its folder, benchmark file and runs, the careful one first."""

    folder: Path
    benchmark: Path
    runs: tuple[Path, ...]


def write_sample(folder: Path) -> Sample:
    """Draw the sample and write it into `folder`, which is made where it lacks.

    The same bytes every time: `benchmark.json`, `images/*.tif`, `runs/careful.jsonl` (pixel
    coordinates) and `runs/hasty.jsonl.gz` (map coordinates). Files of these names are replaced.
    Raises MissingPackageError without rasterio, OutputError where a file can't be written.
    """
    made = content()
    sample = Sample(
        folder,
        folder / "benchmark.json",
        (folder / "runs" / "careful.jsonl", folder / "runs" / "hasty.jsonl.gz"),
    )
    careful, hasty = ("".join(run.lines(made)).encode() for run in (CAREFUL, HASTY))
    with AtomicFiles() as files:
        for view in VIEWS:
            files.write_bytes(folder / view.file_name, _geotiff(view))
        add_benchmark(files, made.benchmark, sample.benchmark)
        files.write_bytes(sample.runs[0], careful)
        files.write_bytes(sample.runs[1], _gzipped(hasty))
    return sample


def _geotiff(view: View) -> bytes:
    """Return the view's picture as a compressed GeoTIFF."""
    try:
        from rasterio import CRS, Affine
        from rasterio.errors import CRSError
        from rasterio.io import MemoryFile
    except ImportError:
        raise MissingPackageError(
            "drawing the sample needs rasterio", mend="pip install rasterio"
        ) from None
    try:
        crs = CRS.from_user_input(view.crs)
    except CRSError:
        raise FrameError(
            f"rasterio can't read {view.crs}: PROJ_DATA or PROJ_LIB names another PROJ's data",
            "in the environment",
            "unset it",
        ) from None
    width, height = view.size
    with MemoryFile() as memory:
        with memory.open(
            driver="GTiff",
            width=width,
            height=height,
            count=3,
            dtype="uint8",
            crs=crs,
            transform=Affine(*view.transform),
            photometric="RGB",
            compress="deflate",
            predictor=2,
            zlevel=6,
        ) as image:
            image.write(draw(view).transpose(2, 0, 1))
            image.update_tags(TIFFTAG_DATETIME=view.date.replace("-", ":") + " 10:00:00")
        return bytes(memory.read())


def _gzipped(text: bytes) -> bytes:
    """Return gzip's bytes without the time or a name in them."""
    packed = io.BytesIO()
    with gzip.GzipFile("", "wb", compresslevel=9, fileobj=packed, mtime=0) as file:
        file.write(text)
    return packed.getvalue()
