"""Opens a source by its name: a kind of server, or a file by its ending."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ...errors import InputError, UsageError
from ...spelling import nearest
from ..exchange import Politeness
from .asking import Asking
from .category_mapping import CategoryMapping
from .nominatim import DEFAULT_URL as NOMINATIM_URL
from .nominatim import Nominatim
from .osm_file import SUFFIXES as OSM_SUFFIXES
from .osm_file import OsmFile
from .overpass import DEFAULT_URL as OVERPASS_URL
from .overpass import Overpass
from .parquet_places import SUFFIXES as PARQUET_SUFFIXES
from .parquet_places import ParquetPlaces
from .source import PoiSource
from .vector_file import SUFFIXES as VECTOR_SUFFIXES
from .vector_file import VectorFile

_Opener = Callable[[str, CategoryMapping | None, Politeness], PoiSource]


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
            return opener(choice.name, choice.mapping, choice.asking.politeness)
    path = Path(choice.name)
    if path.is_dir():
        return ParquetPlaces(choice.name, choice.mapping, choice.asking.politeness)
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


_SERVERS: dict[str, Callable[[SourceChoice], PoiSource]] = {
    "overpass": lambda choice: Overpass(choice.url or OVERPASS_URL, choice.asking),
    "nominatim": lambda choice: Nominatim(choice.url or NOMINATIM_URL, choice.asking),
}
_FILES: tuple[tuple[tuple[str, ...], _Opener], ...] = (
    (OSM_SUFFIXES, lambda name, mapping, politeness: OsmFile(Path(name))),
    (VECTOR_SUFFIXES, lambda name, mapping, politeness: VectorFile(Path(name), mapping)),
    (PARQUET_SUFFIXES, ParquetPlaces),
)
