"""CRSs between QGIS and the core."""

from __future__ import annotations

from qgis.core import QgsCoordinateReferenceSystem

LONLAT = "EPSG:4326"


def crs_text(crs: QgsCoordinateReferenceSystem) -> str | None:
    """Return a CRS as the core reads it, None where there is none."""
    if not crs.isValid():
        return None
    if crs.authid().startswith("EPSG:"):
        return crs.authid()
    return crs.toWkt(QgsCoordinateReferenceSystem.WktVariant.WKT_PREFERRED)


def lonlat_crs() -> QgsCoordinateReferenceSystem:
    """Return EPSG:4326, in which the dataset keeps places."""
    return QgsCoordinateReferenceSystem(LONLAT)
