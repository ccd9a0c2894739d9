"""What is looked for in a STAC catalogue."""

from __future__ import annotations

from dataclasses import dataclass

from .stac_dates import DateRange
from .stac_item import StacItem


@dataclass(frozen=True)
class Search:
    """What is looked for. most_cloud: percent, None for any; where set, it must be known."""

    collections: tuple[str, ...]
    dates: DateRange | None
    most_cloud: float | None
    asset: str | None

    def wants(self, item: StacItem) -> bool:
        """Whether a picture is what was asked for, whatever the server made of it."""
        if self.collections and item.collection not in self.collections:
            return False
        if self.dates is not None and item.moment not in self.dates:
            return False
        if self.most_cloud is None:
            return True
        return item.cloud is not None and item.cloud <= self.most_cloud
