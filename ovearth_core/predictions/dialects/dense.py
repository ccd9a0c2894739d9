"""Dense open-vocabulary segmentation: a map of masks, scores or class numbers a file.

Without a class list, a file is named after its query: a mask (foreground not zero and not nodata),
or with --threshold a map of scores (foreground from it on). With one, it is named after its image:
class numbers, or scores of every class, the largest of which wins where it reaches the threshold.

Source: likyoo/SegEarth-OV, segearth_segmentor.py, postprocess_result: argmax over the classes, and
the background below prob_thd; class lists of several names a line as its get_cls_idx reads them.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
from numpy.typing import NDArray

from ...benchmark import Image
from ...errors import InputError, OVEarthError
from ...geometry import Runs
from ..raster_mask import foreground_of, read_band
from .answer import Answer, empty_answer
from .class_names import ClassNames, Concept
from .dialect import Dialect
from .entries import MAPS, maps_in
from .image_names import ImageNames
from .mask_values import ARRAYS, arrays_in, file_foreground, plane
from .reading import Reading
from .resampling import fitted

_FILES = "files that are malformed"
# Names of what is no class at all.
_BACKGROUND = frozenset(("background", "others", "other", "ignore", "void", "unlabeled"))


def read(source: Path, reading: Reading) -> Iterator[Answer]:
    """Yield the answers; see `Reader`."""
    if reading.classes is None:
        yield from _by_query(source, reading)
    else:
        yield from _ByImage(source, reading).answers()


def _by_query(source: Path, reading: Reading) -> Iterator[Answer]:
    folder, names = _files(source)
    for number, name in enumerate(names, 1):
        where = f"{folder / name}"
        try:
            for key, foreground in _foregrounds(folder, name, reading):
                meant = reading.mapping.of(name, Path(name).name, key)
                for query_id in (key,) if meant is None else meant:
                    image = reading.image(query_id)
                    if image is None:
                        yield empty_answer(query_id, number, "mask")
                        continue
                    pixels = fitted(foreground, image, reading, "its map")
                    yield _answer(query_id, number, pixels)
        except OVEarthError as fault:
            reading.refuse(fault if fault.where else fault.at(where), _FILES)


def _foregrounds(
    folder: Path, name: str, reading: Reading
) -> Iterator[tuple[str, NDArray[np.bool_]]]:
    """Yield what each array of a file is called, and its foreground."""
    threshold = reading.options.threshold
    stem = _decoded(Path(name).stem)
    if Path(name).suffix.lower() not in ARRAYS:
        if threshold is None:
            pixels, _ = read_band(folder, name, lossy=True)
            _check_is_mask(pixels, name)
            yield stem, file_foreground(folder, name, reading)
        else:
            yield stem, _above(*read_band(folder, name), threshold, name)
        return
    arrays = arrays_in(folder, name)
    for key, values in arrays.items():
        pixels = plane(values, name)
        called = stem if len(arrays) == 1 else key
        if threshold is None:
            _check_is_mask(pixels, name)
            yield called, foreground_of(name, pixels, None)
        else:
            yield called, _above(pixels, None, threshold, name)


class _ByImage:
    """Maps of every class at once, a file an image."""

    def __init__(self, source: Path, reading: Reading) -> None:
        self._folder, self._files = _files(source)
        self._reading = reading
        self._names = ClassNames(reading)
        self._images = ImageNames(reading)
        self._classes = reading.classes or []

    def answers(self) -> Iterator[Answer]:
        """Yield an answer for each query whose class is in the list, on each image with a map."""
        for number, name in enumerate(self._files, 1):
            where = str(self._folder / name)
            image = self._images.of(Path(name).with_suffix("").as_posix(), where)
            if image is None:
                continue
            try:
                numbers = self._numbers(name, image)
                concepts = self._concepts(numbers, where)
            except OVEarthError as fault:
                self._reading.refuse(fault if fault.where else fault.at(where), _FILES)
                continue
            for query_id, pixels in self._of_image(image, numbers, concepts):
                yield _answer(query_id, number, pixels)

    def _of_image(
        self, image: Image, numbers: NDArray[np.int64], concepts: dict[Concept, list[int]]
    ) -> Iterator[tuple[str, NDArray[np.bool_]]]:
        ids = self._reading.benchmark.columns.queries.ids
        for place in self._reading.queries_of_image.get(image.id, ()):
            wanted = [each for each in self._names.wanted[place] if each in concepts]
            if wanted:
                values = sorted({k for concept in wanted for k in concepts[concept]})
                yield ids[place], np.isin(numbers, values)

    def _numbers(self, name: str, image: Image) -> NDArray[np.int64]:
        """Return the class number of each pixel of the image, -1 for none."""
        if Path(name).suffix.lower() in ARRAYS:
            arrays = arrays_in(self._folder, name)
            if len(arrays) != 1:
                raise InputError(f"{len(arrays)} arrays in it", mend="write one")
            values, nodata = next(iter(arrays.values())), None
        else:
            values, nodata = read_band(self._folder, name)
        count = len(self._classes)
        if values.ndim == 3 and 1 not in values.shape:
            return fitted(self._best(values), image, self._reading, "its map")
        values = plane(values, name)
        if values.dtype.kind == "f" and not (values == np.rint(values)).all():
            mend = f"write class numbers, or scores as ({count}, height, width)"
            raise InputError("a class number that is no whole number", mend=mend)
        numbers = values.astype(np.int64)
        if nodata is not None:
            numbers[values == nodata] = -1
        if numbers.max(initial=-1) >= count or numbers.min(initial=0) < -1:
            wrong = numbers[(numbers >= count) | (numbers < -1)].flat[0]
            what = f"the value {wrong} is no class of the {count} in --classes"
            raise InputError(what, mend="mend the list, or say that it is nodata")
        return fitted(numbers, image, self._reading, "its map")

    def _best(self, scores: NDArray[Any]) -> NDArray[np.int64]:
        """Return the class (height, width) with the largest of (classes, height, width) scores."""
        count = len(self._classes)
        if scores.shape[0] != count:
            what = f"scores of {scores.shape[0]} classes, --classes has {count}"
            raise InputError(what, mend="write (classes, height, width)")
        if scores.dtype.kind == "f" and np.isnan(scores).any():
            raise InputError("NaN among the scores", mend="write numbers")
        best: NDArray[np.int64] = scores.argmax(axis=0)
        least = self._reading.options.threshold
        if least is not None:
            best = np.where(scores.max(axis=0) >= least, best, -1)
        return best

    def _concepts(self, numbers: NDArray[np.int64], where: str) -> dict[Concept, list[int]]:
        """Return what the classes of the list mean; those that occur must mean something."""
        occurring = set(np.unique(numbers).tolist())
        found: dict[Concept, list[int]] = {}
        for number, line in enumerate(self._classes):
            # ProxyCLIP's lists have semicolons, for there are names with commas in them.
            mark = ";" if ";" in line else ","
            called = [name.strip() for name in line.split(mark) if name.strip()]
            means = [concept for name in called for concept in self._names.known(name)]
            is_nothing = all(name.lower() in _BACKGROUND for name in called)
            if not means and number in occurring and not is_nothing:
                means = list(self._names.of_name(called[0], f"{where}, class {number}"))
            for concept in means:
                found.setdefault(concept, []).append(number)
        return found


def _answer(query_id: str, number: int, pixels: NDArray[np.bool_]) -> Answer:
    mask = Runs.from_array(pixels)
    rle = None if mask.is_empty else mask.to_rle()
    return Answer(query_id, number, frozenset({"mask"}), rle)


def _above(
    pixels: NDArray[Any], nodata: float | None, threshold: float, name: str
) -> NDArray[np.bool_]:
    if pixels.dtype.kind == "f" and np.isnan(pixels).any() and nodata is None:
        raise InputError(f"{name!r} has NaN in it", mend="write numbers")
    found: NDArray[np.bool_] = pixels >= threshold
    if nodata is not None:
        found &= pixels != nodata
    return found


def _check_is_mask(pixels: NDArray[Any], name: str) -> None:
    """Refuse scores: without a threshold, all that is not exactly zero would be foreground."""
    if pixels.dtype.kind == "f":
        values = pixels[np.isfinite(pixels)]
        if not (values == np.rint(values)).all():
            raise InputError(f"{name!r} holds scores", mend="say their least: --threshold")


def _files(source: Path) -> tuple[Path, list[str]]:
    """Return the folder, and the names of the maps in it, sorted."""
    endings = MAPS
    if source.is_file():
        if source.suffix.lower() not in endings:
            what = f"no map: {source.suffix or 'without an ending'}"
            raise InputError(what, str(source), f"write {', '.join(endings)}")
        return source.parent, [source.name]
    found = maps_in(source)
    if not found:
        raise InputError("no map in the folder", str(source), f"write {', '.join(endings)}")
    return source, found


def _decoded(stem: str) -> str:
    try:
        return unquote(stem, errors="strict")
    except UnicodeError:
        raise InputError("a file name that is no UTF-8", mend="percent-encode the id") from None


DIALECTS = (
    Dialect(
        "dense",
        (
            *("CLIP", "MaskCLIP", "CAT-Seg", "ClearCLIP", "ProxyCLIP", "CASS", "GEM", "SCLIP"),
            *("GSNet", "Pi-Seg", "SegEarth-OV", "SkySense-O"),
        ),
        "masks",
        "maps of .npy, .npz, PNG or TIFF: a mask or (with --threshold) scores, named after the"
        " query; or with --classes class numbers or scores of all classes, named after the image",
        "https://github.com/likyoo/SegEarth-OV segearth_segmentor.py at"
        " 1a8beee3b49fef6c7fa6622c737cc95f583ff859; mc-lan/ProxyCLIP proxyclip_segmentor.py at"
        " 05c3c18c951ad8129c44d70afe2d46a85ec5085d; mc-lan/ClearCLIP clearclip_segmentor.py (CLIP"
        " and GEM too) at afe06b8e42eb9623f6eb9da0cb0628bcc439a76d; wangf3014/SCLIP"
        " clip_segmentor.py at d84d4ab4f8da69957c9838aa81240b0bd7287f1e; cvlab-kaist/CAT-Seg"
        " cat_seg/cat_seg_model.py (sigmoid scores of all classes) at"
        " 3c8d854fb995402a6af8f532a17e9e5975f5498d; zqcrafts/SkySense-O demo/predictor.py at"
        " c93d535d671f00abea8ea0dbfead3c115f2b4a84; MaskCLIP, CASS, GSNet and Pi-Seg, whose"
        " programs write what theirs do, unverified",
        read,
        ("classes", "threshold", "resize"),
    ),
)
