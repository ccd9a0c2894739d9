"""Imagery of any kind behind one interface: `open_source(spec).read(frame)`."""

from .source import (
    About,
    Cost,
    ImagerySpec,
    Pixels,
    Source,
    begin_search,
    open_source,
    specs_at,
)

__all__ = [
    "About",
    "Cost",
    "ImagerySpec",
    "Pixels",
    "Source",
    "begin_search",
    "open_source",
    "specs_at",
]
