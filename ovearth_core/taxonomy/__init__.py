"""The categories: what they are, where OpenStreetMap has them, how other datasets name them."""

from __future__ import annotations

from .model import Branch, Category, Domain, Taxonomy
from .overpass import overpass_ql
from .reader import load, read_taxonomy
from .selector import Selector, shapes_of

__all__ = [
    "Branch",
    "Category",
    "Domain",
    "Selector",
    "Taxonomy",
    "load",
    "overpass_ql",
    "read_taxonomy",
    "shapes_of",
]
