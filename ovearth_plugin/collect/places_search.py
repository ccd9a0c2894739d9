"""A search for places in the background: found, chosen among, and stored as candidates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...ovearth_core.collection.imagery import ImagerySpec, open_source
from ...ovearth_core.collection.pois.choosing import Wishes
from ...ovearth_core.collection.pois.into_dataset import search_into
from ...ovearth_core.collection.pois.on_imagery import OnImagery
from ...ovearth_core.collection.pois.search import SearchResult
from ..tasks import Reporter

if TYPE_CHECKING:
    from ...ovearth_core.collection.pois.area import Area
    from ...ovearth_core.collection.pois.source import PoiSource
    from ...ovearth_core.dataset import Dataset
    from ...ovearth_core.taxonomy import Category


@dataclass(frozen=True)
class PlacesSearch:
    """What is searched for, whole: nothing of the window is asked any more.

    open_source: opens it in the task. imagery: places outside of it are dropped.
    """

    dataset: Dataset
    open_places: Callable[[], PoiSource]
    categories: Sequence[Category]
    area: Area
    wishes: Wishes
    who: str
    imagery: ImagerySpec | None = None

    def run(self, report: Reporter) -> SearchResult:
        """Search, choose, and store; CanceledError before anything is stored."""
        places = self.open_places()
        shown = None if self.imagery is None else open_source(self.imagery)
        try:
            return search_into(
                self.dataset,
                places if shown is None else OnImagery(places, shown),
                self.categories,
                self.area,
                self.wishes,
                self.who,
                lambda *_: report.check(),
            )
        finally:
            if shown is not None:
                shown.close()
