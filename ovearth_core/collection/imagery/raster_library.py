"""What opens rasters here: rasterio, or `osgeo.gdal` in a QGIS without it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from ...errors import MissingPackageError


def has_rasterio() -> bool:
    """Whether rasterio is there; MissingPackageError where `osgeo.gdal` isn't either."""
    if find_spec("rasterio") is not None:
        return True
    if find_spec("osgeo") is None:
        raise MissingPackageError("reading imagery needs rasterio", mend="pip install rasterio")
    return False


def open_dataset(path: str, overview_level: int | None = None) -> Any:
    """Return an open raster, or one of its overviews; what `faults` says where it is none."""
    if has_rasterio():
        import rasterio

        more = {} if overview_level is None else {"overview_level": overview_level}
        return rasterio.open(path, **more)
    from .gdal_dataset import GdalDataset

    return GdalDataset(path, overview_level)


@contextmanager
def set_up(options: Mapping[str, Any]) -> Iterator[None]:
    """Set GDAL up for the length of the block."""
    if not has_rasterio():
        from .gdal_dataset import gdal_environment

        with gdal_environment(options):
            yield
        return
    import warnings

    import rasterio
    from rasterio.errors import NotGeoreferencedWarning

    with rasterio.Env(**options), warnings.catch_warnings():
        warnings.simplefilter("ignore", NotGeoreferencedWarning)
        yield


def faults() -> tuple[type[Exception], ...]:
    """Return what is raised for a raster that can't be read."""
    if has_rasterio():
        from rasterio.errors import RasterioError

        return (RasterioError, *_faults_of_gdal())
    from .gdal_dataset import GdalError

    return (GdalError,)


def _faults_of_gdal() -> tuple[type[Exception], ...]:
    """Return what some of rasterio's ways to GDAL let through as it comes."""
    found = getattr(import_module("rasterio._err"), "CPLE_BaseError", None)
    return () if found is None else (found,)
