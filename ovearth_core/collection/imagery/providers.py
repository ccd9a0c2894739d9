"""What well-known providers of imagery allow, so far as their published terms say."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Terms:
    """A provider's name, its licence, the words it wants to be named by, and why its pixels may not
    be taken and handed on, "" where they may. mark: a regular expression that tells it from an
    address.
    """

    name: str
    mark: str
    license: str
    attribution: str
    why_not: str = ""


_NOT = "doesn't allow its pixels to be handed on"
# Whoever doesn't allow it comes first: it also serves pixels under the names of others.
_TERMS = (
    Terms("Google", r"(^|[/.])google(apis)?\.(com|cn)/(vt|maps|kh)|(^|[/.])(mts?|khms?)\d?\.google"
          r"|(^|[/.])tile\.googleapis\.com|(^|[/.])earthbuilder\.googleapis\.com",
          "proprietary", "Google", _NOT),
    Terms("Microsoft Bing", r"(^|[/.])(virtualearth\.net|bing\.com)", "proprietary",
          "Microsoft Bing", _NOT),
    # What others publish at arcgis.com has terms of its own.
    Terms("Esri World Imagery", r"(^|[/.])(arcgisonline\.com"
          r"|(maptiles|basemaps-api|ibasemaps-api|basemapstyles-api)\.arcgis\.com)", "proprietary",
          "Esri, Maxar, Earthstar Geographics", _NOT),
    Terms("Mapbox", r"(^|[/.])mapbox\.com", "proprietary", "Mapbox", _NOT),
    Terms("MapTiler", r"(^|[/.])maptiler\.com", "proprietary", "MapTiler", _NOT),
    Terms("Planet", r"(^|[/.])planet\.com", "proprietary", "Planet Labs PBC", _NOT),
    Terms("HERE", r"(^|[/.])(hereapi|here)\.com", "proprietary", "HERE", _NOT),
    Terms("Nearmap", r"(^|[/.])nearmap\.com", "proprietary", "Nearmap", _NOT),
    # The maps are ODbL; it is the service that isn't meant for this.
    Terms("OpenStreetMap's tile service", r"(^|[/.])tile\.openstreetmap\.org", "ODbL-1.0",
          "OpenStreetMap contributors", "doesn't allow tiles to be fetched in bulk"),
    Terms("USGS National Map and NAIP", r"usgs\.gov|nationalmap\.gov|\bnaip\b", "public domain",
          "USDA/USGS"),
    Terms("Landsat", r"landsat", "public domain", "USGS/NASA Landsat"),
    Terms("NASA GIBS", r"gibs\.earthdata\.nasa\.gov", "public domain", "NASA EOSDIS GIBS"),
    # Before Sentinel: its tiles are made of it, under a licence of their own.
    Terms("EOX Sentinel-2 cloudless", r"tiles\.maps\.eox\.at", "CC-BY-NC-SA-4.0",
          "EOX IT Services GmbH (contains modified Copernicus Sentinel data)"),
    # Not all of copernicus.eu: contributing missions and the land service have other terms.
    Terms("Copernicus Sentinel", r"sentinel-?([123]|cogs|s[123]-)",
          "Copernicus Sentinel data terms",
          "contains modified Copernicus Sentinel data"),
    Terms("OpenAerialMap", r"openaerialmap|oin-hotosm|oam-", "CC-BY-4.0",
          "OpenAerialMap contributors"),
    Terms("Maxar/Vantor Open Data", r"maxar-opendata|opendata\.digitalglobe", "CC-BY-NC-4.0",
          "Maxar Technologies"),
    Terms("swisstopo", r"geo\.admin\.ch", "swisstopo OGD terms", "swisstopo"),
    Terms("IGN France", r"geopf\.fr|wxs\.ign\.fr", "Etalab-2.0", "IGN France"),
    Terms("PDOK luchtfoto", r"pdok\.nl", "CC-BY-4.0", "Beeldmateriaal Nederland"),
    Terms("basemap.at", r"(^|[/.])basemap\.at|\.wien\.gv\.at/basemap", "CC-BY-4.0", "basemap.at"),
    Terms("LINZ", r"basemaps\.linz\.govt\.nz|nz-imagery", "CC-BY-4.0",
          "Toitū Te Whenua LINZ"),
)  # fmt: skip

# Licences that let copies be handed on, some with conditions. A patch is a part of a picture,
# which "no derivatives" (ND) forbids.
_OPEN = re.compile(
    r"^\s*(cc0|cc[- ]?by(?!.*\bnd\b)|public domain|odbl|pddl|odc-by|etalab|licence ouverte|ogl"
    r"|open government|dl-de|copernicus|swisstopo ogd|proj\.?open)",
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
    return f"{terms.name} {terms.why_not}" if terms.why_not else None
