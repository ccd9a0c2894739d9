"""Only places that some imagery shows: the others are dropped, and counted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..imagery import Source
from .area import Area
from .poi import Dropped, Poi
from .source import PoiSource, Progress

if TYPE_CHECKING:
    from ...taxonomy import Category

OUTSIDE_IMAGERY = "outside of the imagery"


class OnImagery:
    """A source of places, without those that lie outside of the imagery."""

    def __init__(self, places: PoiSource, imagery: Source) -> None:
        self.name = places.name
        self._places = places
        self._imagery = imagery

    def search(
        self, categories: Sequence[Category], area: Area, progress: Progress
    ) -> Iterator[Poi | Dropped]:
        """Yield what is found; see PoiSource."""
        for place in self._places.search(categories, area, progress):
            if isinstance(place, Poi) and not self._is_shown(place):
                yield Dropped(place.reference, place.category, OUTSIDE_IMAGERY)
            else:
                yield place

    def _is_shown(self, place: Poi) -> bool:
        return self._imagery.native_gsd_m(place.lon, place.lat) is not None
