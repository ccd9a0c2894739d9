"""Places of interest: searched in servers and files, and chosen from."""

from __future__ import annotations

from .area import Area, area_of
from .choosing import Choice, Known, Wishes, choose
from .poi import Dropped, Poi
from .search import SearchResult, search
from .source import PoiSource
from .sources import SourceChoice, open_source

__all__ = [
    "Area",
    "Choice",
    "Dropped",
    "Known",
    "Poi",
    "PoiSource",
    "SearchResult",
    "SourceChoice",
    "Wishes",
    "area_of",
    "choose",
    "open_source",
    "search",
]
