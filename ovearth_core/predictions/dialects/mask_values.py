"""Masks as models' programs write them: RLE, arrays, and files of PNG, TIFF, JPEG or NumPy."""

from __future__ import annotations

import io
import math
import tokenize
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...benchmark import Image
from ...entry import are_numbers, describe
from ...errors import InputError
from ...geometry import Runs, polygons_from_geojson
from ...paths import inside
from ..raster_mask import foreground_of, is_jpeg, read_band
from .reading import Reading
from .resampling import fitted, fitted_runs

ARRAYS = (".npy", ".npz")
RASTERS = (".png", ".tif", ".tiff", ".jpg", ".jpeg")
_MOST_BYTES = 1 << 30
# What NumPy raises for headers that are none, and zipfile for files that are none.
_UNREADABLE = (
    *(OSError, ValueError, EOFError, zipfile.BadZipFile, KeyError, RuntimeError, zlib.error),
    *(tokenize.TokenError, SyntaxError, TypeError, OverflowError),
)
_LONGEST_HEADER = 1 << 16
_LOSSY = "JPEG masks: what is at least half of the largest value is foreground"
# Below, a JPEG of nothing has only noise in it.
_LEAST_PEAK = 32


def mask_of(value: Any, image: Image, reading: Reading, folder: Path) -> Runs:
    """Return the mask that a JSON value is, at its image's size.

    value: an RLE, {"polygons": GeoJSON}, {"file": path}, a path, or rows of numbers, whose
    foreground is not zero; paths are relative to `folder`. InputError or GeometryError, without a
    place, for what is none of these or has another size.
    """
    if isinstance(value, dict) and "counts" in value:
        return fitted_runs(Runs.from_rle(value), image, reading)
    if isinstance(value, dict) and "polygons" in value:
        rings = polygons_from_geojson(value["polygons"])
        return Runs.from_rings(rings, image.height, image.width)
    if isinstance(value, dict) and isinstance(value.get("file"), str):
        value = value["file"]
    if isinstance(value, str):
        foreground = file_foreground(folder, value, reading)
        return Runs.from_array(fitted(foreground, image, reading, f"mask file {value!r}"))
    if isinstance(value, list) and value and all(isinstance(row, list) for row in value):
        return Runs.from_array(fitted(_rows(value), image, reading, "mask"))
    raise InputError(
        f"a mask is {describe(value)}",
        mend='write an RLE, {"file": path}, {"polygons": GeoJSON} or rows of 0 and 1',
    )


def file_foreground(folder: Path, name: str, reading: Reading) -> NDArray[np.bool_]:
    """Return the foreground (height, width) of a mask file, whatever its size."""
    ending = Path(name).suffix.lower()
    if ending in ARRAYS:
        values = array_in(folder, name)
        return foreground_of(name, plane(values, name), None)
    pixels, nodata = read_band(folder, name, lossy=True)
    if is_jpeg(inside(folder, name)):
        reading.warnings[_LOSSY] += 1
        peak = int(pixels.max(initial=0))
        found: NDArray[np.bool_] = pixels >= max(peak / 2, _LEAST_PEAK / 2)
        return found if peak >= _LEAST_PEAK else np.zeros(pixels.shape, np.bool_)
    return foreground_of(name, pixels, nodata)


def array_in(folder: Path, name: str) -> NDArray[Any]:
    """Return the array of a .npy file, or the only one of a .npz; nothing is unpickled.

    InputError for anything else, for more than 1 GiB, and for values that are no numbers.
    """
    arrays = arrays_in(folder, name)
    if len(arrays) != 1:
        listed = ", ".join(list(arrays)[:5])
        raise InputError(f"{len(arrays)} arrays in {name!r} ({listed})", mend="write one")
    return next(iter(arrays.values()))


def arrays_in(folder: Path, name: str) -> dict[str, NDArray[Any]]:
    """Return the arrays of a .npz file by their names, of a .npy file as its only one."""
    path = inside(folder, name)
    if not path.is_file():
        raise InputError(f"no such mask file {name!r}", mend="check the path")
    try:
        if zipfile.is_zipfile(path):
            _check_unpacked(path)
            with np.load(path, allow_pickle=False) as packed:
                arrays = {key: np.asarray(packed[key]) for key in packed.files}
        else:
            # Mapped first: its header may claim more than there is, or than there is memory for.
            mapped = np.load(path, mmap_mode="r", allow_pickle=False)
            _check_bytes(mapped.nbytes, name)
            arrays = {Path(name).stem: np.array(mapped)}
    except _UNREADABLE as fault:
        said = " ".join(str(fault).split())[:120]
        what = f"array file {name!r} can't be read ({said})"
        raise InputError(what, mend="write it again with numpy.save, of numbers") from None
    for values in arrays.values():
        if values.dtype.kind not in "biuf":
            raise InputError(f"array file {name!r} holds {values.dtype}", mend="write numbers")
    return arrays


def plane(values: NDArray[Any], name: str) -> NDArray[Any]:
    """Return an array as (height, width), without axes of length 1; InputError else."""
    if values.ndim != 2:
        # (1, H, W) and (H, W, 1) are what networks give.
        axes = tuple(k for k, n in enumerate(values.shape) if n == 1)
        values = values.squeeze(axes[: max(values.ndim - 2, 0)])
    if values.ndim != 2 or not values.size:
        shape = list(values.shape)
        raise InputError(f"{name!r} has the shape {shape}", mend="write (height, width)")
    return values


def _rows(rows: list[list[Any]]) -> NDArray[np.bool_]:
    lengths = {len(row) for row in rows}
    if len(lengths) != 1 or not all(map(_are_cells, rows)) or not lengths.pop():
        raise InputError("a mask's rows are not equally long lists of numbers", mend="mend them")
    return np.array([[bool(value) for value in row] for row in rows], np.bool_)


def _are_cells(row: list[Any]) -> bool:
    return are_numbers([value for value in row if not isinstance(value, bool)]) and all(
        math.isfinite(value) for value in row if isinstance(value, float)
    )


def _check_unpacked(path: Path) -> None:
    """Refuse a .npz file whose arrays are too large or no numbers, before any is unpacked."""
    with zipfile.ZipFile(path) as packed:
        _check_bytes(sum(part.file_size for part in packed.infolist()), path.name)
        for part in packed.infolist():
            with packed.open(part) as file:
                start = io.BytesIO(file.read(_LONGEST_HEADER))
            shape, dtype = _header_of(start)
            count = math.prod(shape) * dtype.itemsize
            _check_bytes(count, path.name)
            if dtype.kind in "biuf" and count != part.file_size - start.tell():
                what = f"{part.filename} says {list(shape)} of {dtype}, and holds something else"
                raise ValueError(what)


def _header_of(start: io.BytesIO) -> tuple[tuple[int, ...], np.dtype[Any]]:
    """Return the shape and type that the first bytes of a .npy file say."""
    if np.lib.format.read_magic(start) == (1, 0):
        shape, _, dtype = np.lib.format.read_array_header_1_0(start)
    else:
        shape, _, dtype = np.lib.format.read_array_header_2_0(start)
    return shape, dtype


def _check_bytes(count: int, name: str) -> None:
    if count > _MOST_BYTES:
        what = f"array file {name!r} would take {count:,} bytes"
        raise InputError(what, mend="write one map a file, of small numbers")
