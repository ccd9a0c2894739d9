"""Opens a source by its name: a kind of server, or a file by its ending."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ...errors import InputError, OVEarthError, UsageError
from ...spelling import nearest
from ..exchange import Politeness, shown_url
from .asking import Asking
from .category_mapping import CategoryMapping
from .nominatim import DEFAULT_URL as NOMINATIM_URL
from .nominatim import Nominatim
from .osm_file import SEVERAL_STATES, OsmFile
from .osm_file import SUFFIXES as OSM_SUFFIXES
from .overpass import DEFAULT_URL as OVERPASS_URL
from .overpass import Overpass
from .parquet_places import SUFFIXES as PARQUET_SUFFIXES
from .parquet_places import ParquetPlaces
from .source import PoiSource
from .vector_file import SUFFIXES as VECTOR_SUFFIXES
from .vector_file import VectorFile

_Opener = Callable[[str, CategoryMapping | None, Politeness], PoiSource]


_SEVERAL_STATES_SUFFIXES = (
    ".osc",
    ".osc.gz",
    ".osc.bz2",
    ".osh",
    ".osh.pbf",
    ".osh.gz",
    ".osh.bz2",
)


@dataclass(frozen=True)
class SourceChoice:
    """What was asked for. name: overpass, nominatim, a path, or an address of GeoParquet.

    url: of the server, None for the public one. mapping: for files of features.
    """

    name: str
    url: str | None = None
    mapping: CategoryMapping | None = None
    asking: Asking = field(default_factory=Asking)


def open_source(choice: SourceChoice) -> PoiSource:
    """Return the source; UsageError for a name that is none, InputError for a missing file."""
    if choice.name in _SERVERS:
        _refuse_mapping(choice)
        return _SERVERS[choice.name](choice)
    if choice.url is not None:
        raise UsageError("a file has no --url", f"--source {choice.name}", "leave --url out")
    name = choice.name.lower().partition("?")[0]
    _refuse_unreadable(choice.name, name)
    for suffixes, opener in _FILES:
        if name.endswith(suffixes):
            if suffixes == OSM_SUFFIXES:
                _refuse_mapping(choice)
            return opener(choice.name, choice.mapping, choice.asking.politeness)
    path = Path(choice.name)
    if path.is_dir():
        return ParquetPlaces(choice.name, choice.mapping, choice.asking.politeness)
    raise _unknown(choice.name, path)


def _refuse_unreadable(shown: str, name: str) -> None:
    """Refuse by name what no source reads. name: in lower case, without a query."""
    if "://" in name and not name.endswith(PARQUET_SUFFIXES):
        mend = "its path must end in .parquet; download anything else first"
        raise InputError("an address of no GeoParquet", shown_url(shown), mend)
    if name.endswith(_SEVERAL_STATES_SUFFIXES):
        what, mend = SEVERAL_STATES
        raise InputError(what, shown, mend)


def _unknown(name: str, path: Path) -> OVEarthError:
    if path.exists():
        endings = ", ".join(suffix for suffixes, _ in _FILES for suffix in suffixes)
        mend = f"its name must end in {endings}; ogr2ogr makes a .gpkg of most others"
        return InputError("no format that is known", name, mend)
    if path.suffix or len(path.parts) > 1:
        return InputError("no such file", name, "check the path")
    mend = f"{nearest(name, _SERVERS)}, or name a file"
    return UsageError(f"no source {name!r}", "--source", mend)


def _refuse_mapping(choice: SourceChoice) -> None:
    if choice.mapping is not None:
        what = "OpenStreetMap's tags say which category a thing is of"
        raise UsageError(what, "--mapping", "leave it out")


_SERVERS: dict[str, Callable[[SourceChoice], PoiSource]] = {
    "overpass": lambda choice: Overpass(choice.url or OVERPASS_URL, choice.asking),
    "nominatim": lambda choice: Nominatim(choice.url or NOMINATIM_URL, choice.asking),
}
_FILES: tuple[tuple[tuple[str, ...], _Opener], ...] = (
    (OSM_SUFFIXES, lambda name, mapping, politeness: OsmFile(Path(name))),
    (VECTOR_SUFFIXES, lambda name, mapping, politeness: VectorFile(Path(name), mapping)),
    (PARQUET_SUFFIXES, ParquetPlaces),
)
