"""Parts, that can't be read, of rasters that are put together of others.

Of a part that can't be opened GDAL tells once: whoever asks for it again is given black in its
place without a word, for as long as any such raster is open, also where the asker opens it anew
(tried with 3.10 through rasterio). So what has failed once is refused here from then on.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

from ...errors import InputError
from .raster_library import faults, open_dataset

# Left, top, right, bottom in the raster's pixels.
Box = tuple[float, float, float, float]

_DOMAIN = "xml:VRT"
_SOURCE = re.compile(
    r"<SourceFilename\b([^>]*)>([^<]*)</SourceFilename>(.*?)</\w*Source>", re.DOTALL
)
_PLACE = re.compile(r"<DstRect\b([^>]*)/?>")
_NUMBER = re.compile(r'(\w+)="([^"]*)"')
# More than these are not looked at one by one.
_MOST_PARTS = 100
_broken: dict[str, list[tuple[Box, InputError]]] = {}


def refuse_broken(path: str, box: Box) -> None:
    """Raise the fault of a part that could not be read before, where a box meets it."""
    for known, fault in _broken.get(path, ()):
        if _meet(known, box):
            raise type(fault)(fault.what, fault.where, fault.mend)


def note_broken(path: str, dataset: Any, box: Box, fault: InputError) -> None:
    """Remember the parts of an open raster that a fault in a box is of; all if it isn't clear."""
    met = {place: name for place, name in _parts(path, dataset) if _meet(place, box)}
    if not met:
        return
    some = list(met.items())[:_MOST_PARTS]
    closed = [place for place, name in some if not _opens(name)]
    _broken.setdefault(path, []).extend((place, fault) for place in closed or met)


def forget_broken() -> None:
    """Try all parts again: a new job begins, and they may have been mended."""
    _broken.clear()


def _parts(path: str, dataset: Any) -> list[tuple[Box, str]]:
    """Return where the parts of a raster lie, and their names; none where it isn't made of any."""
    text = str(dict(dataset.tags(ns=_DOMAIN)).get(_DOMAIN, ""))
    whole = (0.0, 0.0, float(dataset.width), float(dataset.height))
    found = []
    for attributes, name, rest in _SOURCE.findall(text):
        is_relative = 'relativeToVRT="1"' in attributes
        full = str(PurePosixPath(path).parent / name) if is_relative else name
        place = _PLACE.search(rest)
        found.append((whole if place is None else _box(place[1]) or whole, full))
    return found


def _box(attributes: str) -> Box | None:
    said = dict(_NUMBER.findall(attributes))
    try:
        left, top, width, height = (float(said[k]) for k in ("xOff", "yOff", "xSize", "ySize"))
    except (KeyError, ValueError):
        return None
    return left, top, left + width, top + height


def _opens(name: str) -> bool:
    try:
        open_dataset(name).close()
    except faults():
        return False
    return True


def _meet(first: Box, second: Box) -> bool:
    return (
        first[0] < second[2] and second[0] < first[2]
        and first[1] < second[3] and second[1] < first[3]
    )  # fmt: skip
