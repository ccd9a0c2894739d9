"""What every kind of imagery can be asked, and what it answers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from importlib import import_module
from types import ModuleType
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError, UsageError
from ...frame import ImageFrame
from ...spelling import nearest
from .address import hidden, is_local_file, refuse_written_out_keys
from .providers import terms_of

Values = NDArray[Any]
Mask = NDArray[np.bool_]
Palette = dict[int, tuple[int, int, int, int]]

RESAMPLINGS = ("nearest", "bilinear", "cubic")

# What opens each kind: a module beside this one with `open_(spec) -> Source`. The first pattern
# that is found in a spec tells its kind; `KIND:` in front of it says so outright.
KINDS: dict[str, str] = {
    "xyz": r"\{z\}|\{q\}",
    "wms": r"(?i)[?&]service=wms\b",
    "wmts": r"(?i)[?&]service=wmts\b|wmtscapabilities\.xml",
    "stac": r"(?i)/(catalog|collection)\.json$",
    "raster": "",
}
_MODULES = {"raster": "raster", "xyz": "xyz", "wms": "wms", "wmts": "wmts", "stac": "stac"}
# What opens kinds of imagery that are none of the core's: layers of a QGIS.
_OUTSIDE: dict[str, Callable[[ImagerySpec], Source]] = {}
# In `About.extra`: how many tiles of the picture the server forbids, while it gives others.
FORBIDDEN_TILES = "forbidden_tiles"
# What a person may say of imagery, and imagery of itself.
_KNOWN = ("license", "attribution", "date_captured", "source", "location_group")
# A drawn layer has its kind before the address.
_ONLINE = re.compile(r"^(?:\w+:)?\w+://|^/vsi")


@dataclass(frozen=True)
class About:
    """What is known of pixels besides their values; None for what isn't.

    source: where they are from, in words fit to be published. date_captured: ISO 8601, the day
    or moment the picture was taken. location_group: ties pictures of one place at several dates.
    extra: anything else, as JSON.
    """

    source: str
    license: str | None = None
    attribution: str | None = None
    date_captured: str | None = None
    location_group: str | None = None
    extra: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Cost:
    """What reading takes: pixels read from the source (a band), bytes moved, requests sent.

    pixel_bytes: of a pixel's values in all bands, where that is known. Where the source comes in
    parts that patches beside each other share (tiles, blocks), part_px: pixels of the frame that
    one spans each way, and most_kept: how many of the last ones are kept; else 0. by_rows: parts
    beside each other come in one request.
    """

    source_pixels: int
    bytes: int
    requests: int = 0
    pixel_bytes: int | None = None
    part_px: float = 0.0
    most_kept: int = 0
    by_rows: bool = False


@dataclass(frozen=True)
class SeenTile:
    """A picture that pixels are made of. digest, address: short hashes, nothing secret.

    share: the part of the pixels that it fills. is_placeholder: it is known to stand in for one
    that isn't there, and is left out of them.
    """

    digest: str
    address: str
    share: float
    is_placeholder: bool = False


@dataclass(frozen=True)
class Pixels:
    """What was read for a frame.

    values (bands, height, width) in the source's own type; valid (height, width): False where
    there is no data. colors: of each band ("red", "alpha", "palette", "undefined", …). nodata: the
    source's own mark, None where it has none. is_exact: the source's own pixels, not resampled.
    tiles: what they are made of, each picture once. placeholder_share: the part of them that was
    left out because a picture only says "no data here".
    """

    frame: ImageFrame
    values: Values
    valid: Mask
    about: About
    colors: tuple[str, ...] = ()
    nodata: float | None = None
    palette: Palette | None = None
    is_exact: bool = False
    resampling: str | None = None
    tiles: tuple[SeenTile, ...] = ()
    placeholder_share: float = 0.0


@dataclass(frozen=True)
class ImagerySpec:
    """Which imagery, as a person names it; plain, so that it can be sent to other machines.

    text: a path, an URL, or KIND:rest. license, attribution, date_captured, source: what the
    person knows, which wins over what the imagery says. resampling: see RESAMPLINGS.
    black_is_nodata: black reaching in from the edges holds no data though nothing says so.
    options: what only some kinds know, as (name, value) pairs. is_told_by_server: the text is an
    address that a server gave, whose signature changes and is kept nowhere; else no key may be
    written out in it (see `address`).
    """

    text: str
    license: str | None = None
    attribution: str | None = None
    date_captured: str | None = None
    source: str | None = None
    location_group: str | None = None
    resampling: str = "cubic"
    black_is_nodata: bool = False
    options: tuple[tuple[str, str], ...] = ()
    is_told_by_server: bool = False

    @property
    def published(self) -> str:
        """The text as it may be shown and stored: without keys and passwords."""
        return hidden(self.text)

    @property
    def is_online(self) -> bool:
        """Whether it lies with somebody whose terms may be known: a file of one's own doesn't."""
        return _ONLINE.search(self.place()) is not None

    def kind(self) -> str:
        """Return which of KINDS this is."""
        prefix = self.text.partition(":")[0]
        if prefix in KINDS or prefix in _OUTSIDE:
            return prefix
        return next(kind for kind, mark in KINDS.items() if re.search(mark, self.text))

    def place(self) -> str:
        """Return the text without its kind."""
        prefix, _, rest = self.text.partition(":")
        return rest if prefix in KINDS or prefix in _OUTSIDE else self.text

    def told(self, about: About) -> About:
        """Return what imagery says of itself, with what the person knows put in its place.

        What nobody says is filled in from the published terms of well-known providers.
        """
        terms = terms_of(self.place()) if self.is_online else None
        known: dict[str, Any] = {}
        if terms is not None:
            known = {"license": terms.license, "attribution": terms.attribution}
        known |= {name: said for name in _KNOWN if (said := getattr(about, name)) is not None}
        known |= {name: said for name in _KNOWN if (said := getattr(self, name)) is not None}
        return replace(about, **known)


class Source(Protocol):
    """Imagery that is open. Not to be shared between threads: open one for each.

    Methods raise InputError, in one line that names the source, for what can't be read.
    """

    about: About

    def native_gsd_m(self, lon: float, lat: float) -> float | None:
        """Return the metres of true ground of a source pixel at a place, None outside of it."""

    def own_frame(self, lon: float, lat: float, width: int, height: int) -> ImageFrame | None:
        """Return the window of the source's own grid whose centre is next to a place.

        None where the source has no one grid (control points, RPCs, several zoom levels).
        """

    def cost(self, frame: ImageFrame) -> Cost:
        """Return what `read` would take, without reading; an estimate."""

    def read(self, frame: ImageFrame) -> Pixels:
        """Return the pixels of a frame: any CRS, size, turn and pixel size.

        Where the frame lies on the source's own grid these are the source's own pixels, bit by
        bit. Where the source has no data, `valid` is False; it may be so everywhere.
        """

    def close(self) -> None:
        """Let go of files and connections."""


def add_kind(prefix: str, opener: Callable[[ImagerySpec], Source]) -> None:
    """Have specs that begin with `prefix:` opened by somebody else, in this process alone.

    Their text is shown and stored as it is, but for what `address.hidden` takes out of it.
    """
    _OUTSIDE[prefix] = opener


@runtime_checkable
class Learner(Protocol):
    """A source that can be told which pictures only say "no data here"."""

    def learn(self, placeholders: Iterable[str]) -> None:
        """Leave these out from now on; digests as in SeenTile."""


@runtime_checkable
class Refusing(Protocol):
    """A source that knows whether its server has forbidden everything so far."""

    @property
    def refusal(self) -> InputError | None:
        """The fault of a tile that is forbidden, as long as none has come; else None."""


def open_source(spec: ImagerySpec) -> Source:
    """Open imagery of any kind; UsageError for a kind that isn't there, InputError for bad ones."""
    _check_resampling(spec)
    if not spec.place().strip():
        raise UsageError(
            "no imagery is named", "--imagery", "name a raster, or xyz:…, wms:…, stac:…"
        )
    if spec.kind() in _OUTSIDE:
        return _OUTSIDE[spec.kind()](spec)
    source: Source = _module(spec).open_(spec)
    return source


def specs_at(spec: ImagerySpec, lon: float, lat: float, extent_m: float) -> list[ImagerySpec]:
    """Return the pictures to take of a place: one, or one for each date of a search.

    A kind that has several defines `specs_at` in its module; they share a location_group.
    """
    if spec.kind() in _OUTSIDE:
        return [spec]
    several = getattr(_module(spec), "specs_at", None)
    return [spec] if several is None else list(several(spec, lon, lat, extent_m))


def begin_search(spec: ImagerySpec) -> None:
    """Have what a search of pictures keeps from job to job looked up anew."""
    if spec.kind() not in _OUTSIDE:
        begin = getattr(_module(spec), "begin_search", None)
        if begin is not None:
            begin()


def _module(spec: ImagerySpec) -> ModuleType:
    if not (spec.is_told_by_server or is_local_file(spec.place())):
        refuse_written_out_keys(spec.text)
    _check_resampling(spec)
    kind = spec.kind()
    if kind not in _MODULES:
        raise UsageError(f"no imagery of the kind {kind!r} yet", spec.published, "give a raster")
    return import_module(f".{_MODULES[kind]}", __package__)


def _check_resampling(spec: ImagerySpec) -> None:
    if spec.resampling not in RESAMPLINGS:
        raise UsageError(
            "unknown resampling", "--resampling", nearest(spec.resampling, RESAMPLINGS)
        )
