"""Opens a source by its name: a kind of server, or a file by its ending."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from ...errors import InputError, UsageError
from ...spelling import nearest
from .asking import Asking
from .source import PoiSource

if TYPE_CHECKING:
    from .category_mapping import CategoryMapping

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
    for suffixes, opener in _FILES:
        if choice.name.lower().partition("?")[0].endswith(suffixes):
            return opener(choice)
    path = Path(choice.name)
    if path.is_dir():
        return _parquet_places(choice)
    if path.exists():
        endings = ", ".join(suffix for suffixes, _ in _FILES for suffix in suffixes)
        raise InputError("no format that is known", choice.name, f"its name must end in {endings}")
    if path.suffix or len(path.parts) > 1:
        raise InputError("no such file", choice.name, "check the path")
    raise UsageError(
        f"no source {choice.name!r}",
        "--source",
        f"{nearest(choice.name, _SERVERS)}, or name a file",
    )


# Each source is imported when it is chosen: what reads the others needn't be there, nor be waited
# for by the many processes that only cut patches.
def _overpass(choice: SourceChoice) -> PoiSource:
    from .overpass import DEFAULT_URL, Overpass

    return Overpass(choice.url or DEFAULT_URL, choice.asking)


def _nominatim(choice: SourceChoice) -> PoiSource:
    from .nominatim import DEFAULT_URL, Nominatim

    return Nominatim(choice.url or DEFAULT_URL, choice.asking)


def _osm_file(choice: SourceChoice) -> PoiSource:
    from .osm_file import OsmFile

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
    ((".parquet", ".geoparquet"), _parquet_places),
)
