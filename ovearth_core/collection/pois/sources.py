"""Opens a source by its name: a kind of server, or a file by its ending."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import InputError, OVEarthError, UsageError
from ...spelling import nearest
from ..exchange import shown_url
from .asking import Asking
from .several_states import SUFFIXES as SEVERAL_STATES_SUFFIXES
from .several_states import several_states
from .source import PoiSource

if TYPE_CHECKING:
    from .category_mapping import CategoryMapping

_PARQUET_SUFFIXES = (".parquet", ".geoparquet")

_Opener = Callable[["SourceChoice"], PoiSource]


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
        return _SERVERS[choice.name](choice)
    if choice.url is not None:
        raise UsageError("a file has no --url", f"--source {choice.name}", "leave --url out")
    name = choice.name.lower().partition("?")[0]
    _refuse_unreadable(choice.name, name)
    for suffixes, opener in _FILES:
        if name.endswith(suffixes):
            return opener(choice)
    path = Path(choice.name)
    if path.is_dir():
        return _parquet_places(choice)
    raise _unknown(choice.name, path)


def _refuse_unreadable(shown: str, name: str) -> None:
    """Refuse by name what no source reads. name: in lower case, without a query."""
    if "://" in name and not name.endswith(_PARQUET_SUFFIXES):
        mend = "its path must end in .parquet; download anything else first"
        raise InputError("an address of no GeoParquet", shown_url(shown), mend)
    if name.endswith(SEVERAL_STATES_SUFFIXES):
        raise several_states(shown)


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


# Each source is imported when it is chosen: what reads the others needn't be there, nor be waited
# for by the many processes that only cut patches.
def _overpass(choice: SourceChoice) -> PoiSource:
    from .overpass import DEFAULT_URL, Overpass

    _refuse_mapping(choice)
    return Overpass(choice.url or DEFAULT_URL, choice.asking)


def _nominatim(choice: SourceChoice) -> PoiSource:
    from .nominatim import DEFAULT_URL, Nominatim

    _refuse_mapping(choice)
    return Nominatim(choice.url or DEFAULT_URL, choice.asking)


def _osm_file(choice: SourceChoice) -> PoiSource:
    from .osm_file import OsmFile

    _refuse_mapping(choice)
    return OsmFile(Path(choice.name))


def _vector_file(choice: SourceChoice) -> PoiSource:
    from .vector_file import VectorFile

    return VectorFile(Path(choice.name), choice.mapping)


def _parquet_places(choice: SourceChoice) -> PoiSource:
    from .parquet_places import ParquetPlaces

    return ParquetPlaces(choice.name, choice.mapping, choice.asking.politeness)


_SERVERS: dict[str, _Opener] = {"overpass": _overpass, "nominatim": _nominatim}
_FILES: tuple[tuple[tuple[str, ...], _Opener], ...] = (
    ((".osm", ".pbf", ".osm.gz", ".osm.bz2"), _osm_file),
    ((".gpkg", ".shp", ".fgb", ".csv", ".geojson", ".json"), _vector_file),
    (_PARQUET_SUFFIXES, _parquet_places),
)
