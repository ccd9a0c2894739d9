"""A place that patches are wanted of."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ..identity import identity


@dataclass(frozen=True)
class Place:
    """A point of interest in degrees of EPSG:4326, from a dataset (then it has an id) or a file.

    category: slug, name or number as it was written. reference: what it is called where it is
    from, such as `osm:way/123`; see `identity` for what that says. where: file
    and record that it was read from.
    """

    lon: float
    lat: float
    id: int | None = None
    name: str | None = None
    category: str | None = None
    category_id: int | None = None
    source: str | None = None
    reference: str | None = None
    continent: str | None = None
    tags: Mapping[str, Any] = field(default_factory=dict)
    where: str = ""

    @property
    def key(self) -> str:
        """What stays the same when the place comes back from another file, in another order."""
        where = identity(self.reference, self.lon, self.lat, self.name)
        text = f"{where} {self.category or self.category_id or ''}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    @property
    def label(self) -> str:
        """What to call it in a message."""
        about = self.reference or self.name or (f"poi {self.id}" if self.id is not None else "poi")
        return f"{about} at {self.lon:.6f}, {self.lat:.6f}"
