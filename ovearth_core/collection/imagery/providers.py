"""What well-known providers of imagery allow, so far as their published terms say."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Terms:
    """A provider's name, its licence, the words it wants to be named by, and whether copies of
    pixels may be handed on; mark: a regular expression that tells it from an address.
    """

    name: str
    mark: str
    license: str
    attribution: str
    may_redistribute: bool


_TERMS = (
    Terms("USGS National Map and NAIP", r"usgs\.gov|nationalmap\.gov|\bnaip\b", "public domain",
          "USDA/USGS", True),
    Terms("Landsat", r"landsat", "public domain", "USGS/NASA Landsat", True),
    Terms("NASA GIBS", r"gibs\.earthdata\.nasa\.gov", "public domain", "NASA EOSDIS GIBS", True),
    Terms("Copernicus Sentinel", r"sentinel-?[123]|copernicus\.eu",
          "Copernicus Sentinel data terms", "contains modified Copernicus Sentinel data", True),
    Terms("OpenAerialMap", r"openaerialmap|oin-hotosm|oam-", "CC-BY-4.0",
          "OpenAerialMap contributors", True),
    Terms("Maxar/Vantor Open Data", r"maxar-opendata|opendata\.digitalglobe", "CC-BY-NC-4.0",
          "Maxar Technologies", True),
    Terms("EOX Sentinel-2 cloudless", r"tiles\.maps\.eox\.at", "CC-BY-NC-SA-4.0",
          "EOX IT Services GmbH (contains modified Copernicus Sentinel data)", True),
    Terms("swisstopo", r"geo\.admin\.ch", "swisstopo OGD terms", "swisstopo", True),
    Terms("IGN France", r"geopf\.fr|wxs\.ign\.fr|data\.geopf", "Etalab-2.0", "IGN France", True),
    Terms("PDOK luchtfoto", r"pdok\.nl", "CC-BY-4.0", "Beeldmateriaal Nederland", True),
    Terms("basemap.at", r"basemap\.at", "CC-BY-4.0", "basemap.at", True),
    Terms("LINZ", r"basemaps\.linz\.govt\.nz|nz-imagery", "CC-BY-4.0",
          "Toitū Te Whenua LINZ", True),
    Terms("OpenStreetMap tiles", r"tile\.openstreetmap\.org", "ODbL-1.0",
          "OpenStreetMap contributors", False),
    Terms("Google", r"google(apis)?\.com/(vt|maps|kh)|(mts?|khms?)\d?\.google", "proprietary",
          "Google", False),
    Terms("Microsoft Bing", r"virtualearth\.net|bing\.com", "proprietary", "Microsoft Bing", False),
    Terms("Esri World Imagery", r"arcgisonline\.com|arcgis\.com", "proprietary",
          "Esri, Maxar, Earthstar Geographics", False),
    Terms("Mapbox", r"mapbox\.com", "proprietary", "Mapbox", False),
    Terms("MapTiler", r"maptiler\.com", "proprietary", "MapTiler", False),
    Terms("Planet", r"planet\.com", "proprietary", "Planet Labs PBC", False),
)  # fmt: skip

# Licences that let copies be handed on, some with conditions.
_OPEN = re.compile(
    r"^\s*(cc0|cc[- ]?by|public domain|odbl|pddl|odc-by|etalab|licence ouverte|ogl|open government"
    r"|dl-de|copernicus|swisstopo ogd|proj\.?open)",
    re.I,
)


def terms_of(text: str) -> Terms | None:
    """Return the terms of the provider that an address or a source's name points to, if known."""
    return next((terms for terms in _TERMS if re.search(terms.mark, text, re.I)), None)


def doubt_about(text: str, license_: str | None) -> str | None:
    """Return why it isn't known that patches may be handed on, None where it is.

    text: the imagery's address; license_: what the person or the imagery itself says, which is
    believed.
    """
    if license_ is not None and _OPEN.match(license_):
        return None
    terms = terms_of(text)
    if terms is None:
        said = "no licence is known" if license_ is None else f"its licence is {license_!r}"
        return f"{said}, so that nobody may be allowed to hand its pixels on"
    if terms.may_redistribute:
        return None
    return f"{terms.name} doesn't allow its pixels to be handed on"
