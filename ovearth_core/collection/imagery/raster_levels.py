"""A raster and its overviews, opened when they are asked for, and again after a fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ...errors import InputError
from .broken_parts import note_broken, refuse_broken
from .gdal_reading import GdalReading
from .raster_library import open_dataset
from .window import Extent, Level

Read = TypeVar("Read")


class RasterLevels:
    """The raster, None, and its overviews by number. Raises InputError for what can't be read."""

    def __init__(self, gdal: GdalReading) -> None:
        self._gdal = gdal
        self._open: dict[int | None, Level] = {}

    @property
    def main(self) -> Any:
        """The raster itself."""
        return self.level(None).dataset

    def level(self, overview: int | None) -> Level:
        """Return the raster, or one of its overviews."""
        found = self._open.get(overview)
        if found is None:
            with self._gdal.reading():
                found = self._open[overview] = self._opened(overview)
        return found

    def number(self, level: Level) -> int | None:
        """Return which overview a level is, None for the raster itself."""
        return next((key for key, known in self._open.items() if known is level), None)

    def read(self, work: Callable[[], Read], level: Level, extent: Extent) -> Read:
        """Do what reads a window of a level; after a fault everything is opened anew."""
        x, y = level.factor_x, level.factor_y
        box = (extent.left * x, extent.top * y, extent.right * x, extent.bottom * y)
        refuse_broken(self._gdal.path, box)
        try:
            with self._gdal.reading():
                return work()
        except InputError as fault:
            with self._gdal.reading():
                note_broken(self._gdal.path, self.main, box, fault)
            self.close()
            raise

    def close(self) -> None:
        """Close them; who asks for one again has it opened."""
        for level in self._open.values():
            level.dataset.close()
        self._open.clear()

    def _opened(self, overview: int | None) -> Level:
        if overview is None:
            return Level(open_dataset(self._gdal.path), 1.0, 1.0)
        main = self.main
        dataset = open_dataset(self._gdal.path, overview)
        return Level(dataset, main.width / dataset.width, main.height / dataset.height)
