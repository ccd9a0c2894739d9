"""Which places are one and the same: by an id that holds worldwide, else by what and where it is.

The number of a row, an `id` or a `fid` says nothing outside of its file: another file has others
by the same numbers, and the same file sorted anew has them at other places.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from typing import Any

# OpenStreetMap's objects, and Overture's ids (GERS), which stay the same between releases.
_WORLDWIDE = re.compile(r"osm:(?:node|way|relation)/\d+|gers:[0-9a-f-]{32,36}")
_GERS = re.compile(r"[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Overture's features all have these columns. Any other file's UUID may be a copied row's.
_OVERTURE_COLUMNS = frozenset({"id", "version", "sources"})
_OSM_KINDS = {"n": "node", "w": "way", "r": "relation"}
_OSM_ID = re.compile(r"(?:osm:)?(n|w|r|node|way|relation)/?(\d+)")
# A plain id may well be "n5": only the whole of it says that it is OpenStreetMap's.
_WHOLE_OSM_ID = re.compile(r"(?:osm:)?(node|way|relation)/(\d+)")
_OSM_COLUMNS = {
    "@id": _OSM_ID, "full_id": _OSM_ID, "osm_id": _OSM_ID, "id": _WHOLE_OSM_ID,
    "reference": _WHOLE_OSM_ID, "source_id": _WHOLE_OSM_ID, "osm": _OSM_ID,
}  # fmt: skip
# Degrees: a centimetre.
_PLACES = 7


def is_worldwide(reference: str | None) -> bool:
    """Whether a reference names one object wherever it is read."""
    return reference is not None and _WORLDWIDE.fullmatch(reference) is not None


def worldwide_reference(properties: Mapping[str, Any]) -> str | None:
    """Return the OpenStreetMap or Overture reference that a feature's columns hold, if any.

    properties: by column; names in lower case are looked at.
    """
    own = properties.get("reference")
    if isinstance(own, str) and is_worldwide(own):
        return own
    for column, pattern in _OSM_COLUMNS.items():
        found = pattern.fullmatch(str(properties.get(column)))
        if found:
            return f"osm:{_OSM_KINDS.get(found[1], found[1])}/{int(found[2])}"
    kind, number = properties.get("osm_type"), str(properties.get("osm_id"))
    if kind in _OSM_KINDS.values() and number.isascii() and number.isdigit():
        return f"osm:{kind}/{int(number)}"
    id_ = str(properties.get("id")).lower()
    if properties.keys() >= _OVERTURE_COLUMNS and _GERS.fullmatch(id_):
        return f"gers:{id_}"
    return None


def identity(reference: str | None, lon: float, lat: float, name: str | None) -> str:
    """Return what is the same for one thing in whatever file, order or format it comes.

    Of one category: that is for the caller to add. lon, lat: degrees of EPSG:4326, any turn.
    """
    if reference is not None and is_worldwide(reference):
        return reference
    turned = lon if -180.0 <= lon < 180.0 else (lon + 180.0) % 360.0 - 180.0
    # Zero has two signs.
    east, north = round(turned, _PLACES) + 0.0, round(lat, _PLACES) + 0.0
    return f"{east:.7f} {north:.7f}" + (f" {name}" if name else "")


def short_identity(reference: str | None, lon: float, lat: float, name: str | None) -> str:
    """Return `identity` fit to be an id: the reference, or `place/` and a few digits."""
    if reference is not None and is_worldwide(reference):
        return reference
    whole = identity(reference, lon, lat, name)
    return f"place/{hashlib.sha256(whole.encode('utf-8', 'surrogatepass')).hexdigest()[:16]}"
