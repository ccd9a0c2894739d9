"""How much memory GDAL keeps blocks of rasters in: limited in the processes that are ours."""

from __future__ import annotations

import os

_NAME = "GDAL_CACHEMAX"
_MEGABYTES = "128"


def limit_block_cache() -> None:
    """Limit GDAL's cache in this process and those that it starts, unless somebody else has.

    By default it is a twentieth of the machine's memory in each process, and keeps blocks that
    never come up again. It is one for the whole process: inside QGIS it is QGIS's, so that only
    the command line and its workers call this, before the first raster is opened.
    """
    os.environ.setdefault(_NAME, _MEGABYTES)
