"""A place of interest, and one that was dropped."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..identity import short_identity

if TYPE_CHECKING:
    from ...taxonomy import Category

Bounds = tuple[float, float, float, float]

_KINDS = ("node", "way", "relation")
# In the order of preference; then any name in a language.
_NAME_TAGS = ("name", "name:en", "int_name", "official_name", "alt_name", "ref")


@dataclass(frozen=True, slots=True)
class Poi:
    """A thing of one category at one place.

    reference: a name of the object at its source, such as `osm:way/123`. category: id in
    the taxonomy, category_number its number there. lon, lat: the centre of the object's bounds, in
    degrees of EPSG:4326, longitude in [-180, 180). bounds: (west, south, east, north) where known,
    with west > east across ±180. source: where it was found. tags: all that the source says of it.
    """

    reference: str
    category: str
    category_number: int
    lon: float
    lat: float
    source: str
    name: str | None = None
    bounds: Bounds | None = None
    tags: Mapping[str, str] | None = None
    # Made once: choosing asks for it again and again.
    identity: str = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Find what the object is called wherever it is found; see `identity`."""
        named = short_identity(self.reference, self.lon, self.lat, self.name)
        object.__setattr__(self, "identity", named)

    @property
    def id(self) -> str:
        """What is unique: one object may be found for several categories."""
        return f"{self.category}:{self.identity}"


@dataclass(frozen=True, slots=True)
class Dropped:
    """An object that is no place of interest after all, or one that was not chosen, and why.

    reason: one of a few words, by which drops are counted. detail: of this one.
    """

    reference: str
    category: str
    reason: str
    detail: str = ""


def osm_reference(kind: str, number: int) -> str:
    """Return `osm:way/123`; kind: node, way or relation."""
    return f"osm:{kind}/{number}"


def is_osm_kind(kind: object) -> bool:
    """Whether this is a kind of OpenStreetMap object."""
    return kind in _KINDS


def name_in(tags: Mapping[str, str]) -> str | None:
    """Return what OpenStreetMap tags call the object, None where they don't."""
    # A loop, since this is asked of every object that is found: `next` takes twice as long.
    for key in _NAME_TAGS:
        name = tags.get(key)
        if name:
            return name
    return None


def wrapped_longitude(lon: float) -> float:
    """Return the longitude in [-180, 180)."""
    return lon if -180.0 <= lon < 180.0 else (lon + 180.0) % 360.0 - 180.0


def centre_of(bounds: Bounds) -> tuple[float, float]:
    """Return (lon, lat) of the middle of bounds, which may be across ±180."""
    west, south, east, north = bounds
    turn = 360.0 if west > east else 0.0
    return wrapped_longitude((west + east + turn) / 2.0), (south + north) / 2.0


def osm_pois(
    categories: list[Category],
    kind: str,
    number: int,
    tags: Mapping[str, str],
    place: tuple[float, float],
    bounds: Bounds | None,
    source: str,
) -> list[Poi]:
    """Return an OpenStreetMap object as one POI for each of the categories.

    place: longitude and latitude in degrees.
    """
    lon, lat = place
    name = name_in(tags)
    reference = osm_reference(kind, number)
    return [
        Poi(
            reference, category.id, category.number,
            wrapped_longitude(lon), lat, source, name, bounds, tags,
        )
        for category in categories
    ]  # fmt: skip
