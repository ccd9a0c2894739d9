"""What a raster's own tags say of it: licence, attribution, date, and its palette."""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

from .source import About, Palette

# Tags as (domain, name), the surest first. TIFF's own DateTime is when the file was made: no date
# of the picture.
_DATES = (
    ("IMAGERY", "ACQUISITIONDATETIME"),
    ("", "DATE_CAPTURED"),
    ("", "ACQUISITION_DATE"),
    ("", "ACQUISITIONDATETIME"),
    ("", "DATE_ACQUIRED"),
    ("", "NITF_IDATIM"),
)
_LICENSES = (("", "LICENSE"), ("", "LICENCE"))
_ATTRIBUTIONS = (("", "ATTRIBUTION"), ("", "TIFFTAG_COPYRIGHT"), ("", "COPYRIGHT"))
_SOURCES = (("", "SOURCE"),)
_LONGEST = 500


def about_raster(dataset: Any, path: str) -> About:
    """Return what an open raster says of itself; its file's name stands in for its source."""
    name = re.sub(r"[?#].*", "", path)
    # A key in a URL is nobody else's business, nor is the folder that a file lies in.
    shown = name if re.match(r"https?://", name) else PurePosixPath(name.replace("\\", "/")).name
    return About(
        source=_said(dataset, _SOURCES) or shown,
        license=_said(dataset, _LICENSES),
        attribution=_said(dataset, _ATTRIBUTIONS),
        date_captured=_iso(_said(dataset, _DATES)),
    )


def palette_of(dataset: Any) -> Palette | None:
    """Return the colours (red, green, blue, alpha) of a raster of one band of indices."""
    if dataset.count != 1 or dataset.colorinterp[0].name != "palette":
        return None
    try:
        palette: Palette = dataset.colormap(1)
    except ValueError:
        return None
    return palette


def _said(dataset: Any, names: tuple[tuple[str, str], ...]) -> str | None:
    for domain, name in names:
        tags = dataset.tags(ns=domain) if domain else dataset.tags()
        for key, value in tags.items():
            if key.upper() == name and str(value).strip():
                return str(value).strip()[:_LONGEST]
    return None


def _iso(text: str | None) -> str | None:
    """Return a date as ISO 8601 where it is written year first, else as it is."""
    if text is None:
        return None
    found = re.match(r"(\d{4})[-:]?(\d{2})[-:]?(\d{2})(?:[T ]?(\d{2}):?(\d{2}):?(\d{2}))?", text)
    if found is None:
        return text
    day = "-".join(found.group(1, 2, 3))
    return day if found[4] is None else f"{day}T{':'.join(found.group(4, 5, 6))}Z"
