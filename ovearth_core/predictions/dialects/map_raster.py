"""GeoTIFFs in any CRS and grid, cut to each image: of each pixel's centre the cell it lies in."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from ...benchmark import Image
from ...errors import FrameError, InputError, OVEarthError
from ...frame import ImageFrame
from ...geometry import Runs
from ...raster_file import placed_frame
from ...raster_pixels import RasterFile, UnreadableError
from .answer import Answer, empty_answer
from .class_names import ClassNames, Concept
from .reading import Reading

GEOTIFFS = (".tif", ".tiff")
_FILES = "files that are malformed"
_ROWS_AT_ONCE = 256
_MOST_CELLS = 1 << 28
_NOTHING = -1
# Names of what is no class at all.
_BACKGROUND = frozenset(("background", "others", "other", "ignore", "void", "unlabeled"))


def raster_answers(source: Path, reading: Reading) -> Iterator[Answer]:
    """Yield the answers of one GeoTIFF, or of all in a folder, in pixels of the images."""
    rasters = list(_rasters(source, reading))
    names = ClassNames(reading)
    number = 0
    scene: list[tuple[_Raster, tuple[Concept, ...]]] = []
    for raster in rasters:
        query_ids = [] if reading.classes is not None else _queries(raster, reading)
        for query_id in query_ids:
            number += 1
            image = reading.image(query_id)
            if image is None:
                yield empty_answer(query_id, number, "mask")
            else:
                yield _answer(query_id, number, raster.mask_on(image, reading))
        if not query_ids:
            concepts = () if reading.classes else names.of_name(raster.stem, str(raster.path))
            scene.append((raster, concepts))
    if not scene:
        return
    for image in reading.benchmark.images:
        for query_id, pixels in _of_image(image, scene, reading, names):
            number += 1
            yield _answer(query_id, number, pixels)


def _of_image(
    image: Image,
    scene: list[tuple[_Raster, tuple[Concept, ...]]],
    reading: Reading,
    names: ClassNames,
) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield the queries on an image that a raster over it answers, each with its mask."""
    found: dict[Concept, NDArray[np.bool_]] = {}
    for raster, concepts in scene:
        if not raster.reaches(image):
            continue
        try:
            parts = list(_parts(raster, concepts, image, reading, names))
        except InputError as fault:
            reading.refuse(fault, _FILES)
            continue
        for concept, mask in parts:
            found[concept] = found[concept] | mask if concept in found else mask
    ids = reading.benchmark.columns.queries.ids
    for place in reading.queries_of_image.get(image.id, ()):
        some = [found[concept] for concept in names.wanted[place] if concept in found]
        if some:
            yield ids[place], np.logical_or.reduce(some)


def _parts(
    raster: _Raster,
    concepts: tuple[Concept, ...],
    image: Image,
    reading: Reading,
    names: ClassNames,
) -> Iterator[tuple[Concept, NDArray[np.bool_]]]:
    if reading.classes is not None:
        yield from _classes_on(raster, image, reading, names)
    elif concepts:
        mask = raster.mask_on(image, reading)
        yield from ((concept, mask) for concept in concepts)


def _classes_on(
    raster: _Raster, image: Image, reading: Reading, names: ClassNames
) -> Iterator[tuple[Concept, NDArray[np.bool_]]]:
    numbers = raster.numbers_on(image)
    classes = reading.classes or []
    for number in np.unique(numbers).tolist():
        if number == _NOTHING:
            continue
        where = f"{raster.path}, class {number}"
        if not 0 <= number < len(classes):
            what = f"the value {number} is no class of the {len(classes)} in --classes"
            raise InputError(what, str(raster.path), "mend the list, or say that it is nodata")
        name = classes[number]
        concepts = names.known(name)
        if not concepts and name.lower() not in _BACKGROUND:
            concepts = names.of_name(name, where)
        for concept in concepts:
            yield concept, numbers == number
    # A class that doesn't occur says that it is not there.
    for name in classes:
        for concept in names.known(name):
            yield concept, np.zeros(numbers.shape, np.bool_)


@dataclass(frozen=True)
class _Raster:
    """A GeoTIFF, its name without ending and percent-decoded, and where it lies."""

    path: Path
    stem: str
    frame: ImageFrame

    def reaches(self, image: Image) -> bool:
        """Whether the raster has a cell under some pixel of the image."""
        frame = _placed(image)
        if frame is None:
            return False
        edge = np.stack(
            np.meshgrid(np.linspace(0, image.width, 9), np.linspace(0, image.height, 9)), -1
        ).reshape(-1, 2)
        try:
            cells = self._cells(frame, edge)
        except FrameError:
            return False
        low, high = cells.min(axis=0), cells.max(axis=0)
        return bool((high > 0).all() and (low < [self.frame.width, self.frame.height]).all())

    def mask_on(self, image: Image, reading: Reading) -> NDArray[np.bool_]:
        """Return the mask (height, width) of an image; FrameError for one without a place."""
        values, inside = self._sampled(image)
        threshold = reading.options.threshold
        if threshold is not None:
            found: NDArray[np.bool_] = inside & (values >= threshold)
            return found
        if values.dtype.kind == "f" and not (values == np.rint(values))[inside].all():
            what = "a raster of scores"
            raise InputError(what, str(self.path), "say their least: --threshold")
        foreground: NDArray[np.bool_] = inside & (values != 0)
        return foreground

    def numbers_on(self, image: Image) -> NDArray[np.int64]:
        """Return the class numbers (height, width) on an image, -1 where there is none."""
        values, inside = self._sampled(image)
        if values.dtype.kind == "f" and not (values == np.rint(values))[inside].all():
            what = "a class number that is no whole number"
            raise InputError(what, str(self.path), "write class numbers")
        numbers = np.full(values.shape, _NOTHING, np.int64)
        numbers[inside] = values[inside].astype(np.int64)
        return numbers

    def _sampled(self, image: Image) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        """Return the values under an image's pixels, and where there are any."""
        frame = _placed(image)
        if frame is None:
            raise FrameError("an image without a place on the map", f"image {image.id}")
        rows, columns = [], []
        x = np.arange(image.width) + 0.5
        for start in range(0, image.height, _ROWS_AT_ONCE):
            y = np.arange(start, min(start + _ROWS_AT_ONCE, image.height)) + 0.5
            centres = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
            cells = np.floor(self._cells(frame, centres))
            columns.append(cells[:, 0].reshape(len(y), -1))
            rows.append(cells[:, 1].reshape(len(y), -1))
        return self._values(np.concatenate(rows), np.concatenate(columns))

    def _values(
        self, rows: NDArray[np.float64], columns: NDArray[np.float64]
    ) -> tuple[NDArray[Any], NDArray[np.bool_]]:
        inside = (rows >= 0) & (columns >= 0)
        inside &= (rows < self.frame.height) & (columns < self.frame.width)
        if not inside.any():
            return np.zeros(inside.shape, np.uint8), inside
        some_rows, some_columns = rows[inside].astype(int), columns[inside].astype(int)
        top, left = int(some_rows.min()), int(some_columns.min())
        window = (top, int(some_rows.max()) + 1), (left, int(some_columns.max()) + 1)
        part, nodata = self._window(*window)
        values = np.zeros(inside.shape, part.dtype)
        values[inside] = part[some_rows - top, some_columns - left]
        if part.dtype.kind == "f":
            inside &= ~np.isnan(values)
        if nodata is not None:
            inside &= values != nodata
        return values, inside

    def _window(
        self, rows: tuple[int, int], columns: tuple[int, int]
    ) -> tuple[NDArray[Any], float | None]:
        cells = (rows[1] - rows[0]) * (columns[1] - columns[0])
        if cells > _MOST_CELLS:
            what = f"{cells:,} cells under one image"
            raise InputError(what, str(self.path), "write it at the images' resolution")
        try:
            with RasterFile(self.path, "GeoTIFFs", "GTiff") as file:
                if file.size.count != 1:
                    what = f"{file.size.count} bands"
                    raise InputError(what, str(self.path), "write one band")
                part, nodata = file.window(rows, columns), file.nodata
        except UnreadableError as fault:
            what = f"can't be read ({fault})"
            raise InputError(what, str(self.path), "write it again") from None
        if part.dtype.kind not in "biuf":
            raise InputError(f"holds {part.dtype}", str(self.path), "write whole numbers")
        return part, nodata

    def _cells(self, frame: ImageFrame, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return columns and rows (N, 2), continuous, of points in pixels of an image."""
        return self.frame.map_to_pixel(frame.pixel_to_crs(points, str(self.frame.crs)))


def _rasters(source: Path, reading: Reading) -> Iterator[_Raster]:

    paths = [source]
    if source.is_dir():
        paths = sorted(
            path
            for path in source.iterdir()
            if path.suffix.lower() in GEOTIFFS and not path.name.startswith(".")
        )
        if not paths:
            raise InputError("no GeoTIFF (.tif) in the folder", str(source), "name their folder")
    for path in paths:
        try:
            stem = unquote(path.stem, errors="strict")
            yield _Raster(path, stem, placed_frame(path))
        except OVEarthError as fault:
            reading.refuse(fault, _FILES)
        except UnicodeError:
            what = "a file name that is no UTF-8"
            reading.refuse(InputError(what, str(source), "percent-encode it"), _FILES)


def _queries(raster: _Raster, reading: Reading) -> list[str]:
    """Return the queries that a raster is named after or mapped to, none for one of a class."""
    meant = reading.mapping.of(raster.path.name, raster.stem)
    names = (raster.stem,) if meant is None else meant
    return [name for name in names if reading.query(name) is not None]


def _placed(image: Image) -> ImageFrame | None:
    frame = image.frame()
    return None if frame.crs is None or frame.transform is None else frame


def _answer(query_id: str, number: int, pixels: NDArray[np.bool_]) -> Answer:
    mask = Runs.from_array(pixels)
    rle = None if mask.is_empty else mask.to_rle()
    return Answer(query_id, number, frozenset({"mask"}), rle)
