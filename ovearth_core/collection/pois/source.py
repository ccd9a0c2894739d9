"""What finds places of interest: servers and files behind one interface."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from .area import Area
from .poi import Dropped, Poi

if TYPE_CHECKING:
    from ...taxonomy import Category

# Told now and then how many objects were looked at and how many places found.
Progress = Callable[[int, int], None]
NO_COORDINATES = "no coordinates"


class PoiSource(Protocol):
    """A place to search. `name` is what its POIs say they come from."""

    name: str

    def search(
        self, categories: Sequence[Category], area: Area, progress: Progress
    ) -> Iterator[Poi | Dropped]:
        """Yield what is found of the categories with its centre in the area, each object once.

        Nothing is promised about the order. Raises InputError for a file, ServiceError for a
        server that can't be read.
        """


def no_progress(looked_at: int, found: int) -> None:
    """Tell nobody."""
