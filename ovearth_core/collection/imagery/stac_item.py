"""A picture that a STAC item describes, and how much of a place it covers."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import datetime
from math import cos, radians
from pathlib import PurePath
from typing import Any

from ...errors import UsageError
from .address import hidden
from .server_errors import BadDescriptionError
from .server_options import passed_on
from .source import ImagerySpec
from .stac_dates import moment_of

_METRES_A_DEGREE = 111_195.0
_MIDDLE = 0.25
# Names that assets with the picture to look at usually have, the surest first.
_USUAL_ASSETS = ("visual", "image", "data", "ortho", "rgb", "cog", "analytic")
_GEOTIFF = re.compile(r"image/(tiff|vnd\.stac\.geotiff)", re.I)
_ONLINE = re.compile(r"^(https?|s3|gs)://", re.I)


@dataclass(frozen=True)
class Asset:
    """A file of an item."""

    name: str
    href: str
    kind: str
    roles: tuple[str, ...]


@dataclass(frozen=True)
class StacItem:
    """An item. cloud: percent, None where it isn't known. is_online: its catalogue is."""

    name: str
    collection: str | None
    moment: datetime
    moment_text: str
    cloud: float | None
    geometry: dict[str, Any]
    assets: tuple[Asset, ...]
    license: str | None
    attribution: str | None
    is_online: bool

    @property
    def day(self) -> str:
        """The day, in UTC, as ISO 8601."""
        return self.moment.strftime("%Y-%m-%d")

    def as_spec(self, spec: ImagerySpec, asset: str | None, group: str | None) -> ImagerySpec:
        """Return the raster to read, with what the item knows where the person said nothing."""
        place = self._asset(asset).href
        shown = f"{self.collection}/{self.name}" if self.collection else self.name
        return replace(
            spec,
            text=f"raster:{place}",
            license=spec.license or self.license,
            attribution=spec.attribution or self.attribution,
            date_captured=spec.date_captured or self.moment_text,
            source=spec.source or f"{shown} ({_published(place)})",
            location_group=group,
            options=passed_on(spec),
            is_told_by_server=True,
        )

    def _asset(self, name: str | None) -> Asset:
        """Return the asset of a name, else the one that is likely meant; UsageError if unclear."""
        if name is not None:
            found = [asset for asset in self.assets if asset.name == name]
        else:
            usual = {asset.name.lower(): asset for asset in self.assets}
            found = [usual[key] for key in _USUAL_ASSETS if key in usual][:1]
            found = found or [asset for asset in self.assets if "visual" in asset.roles]
            found = found or [asset for asset in self.assets if _is_picture(asset)]
        if len(found) != 1:
            known = ", ".join(asset.name for asset in self.assets) or "none"
            what = f"no asset {name!r}" if name else f"{len(found)} assets could be meant"
            raise UsageError(what, f"item {self.name}", f"say asset=NAME; there are: {known}")
        if self.is_online and not _ONLINE.match(found[0].href):
            raise BadDescriptionError(
                "an item on a server names a file of this machine", f"item {self.name}",
                "tell its owner",
            )  # fmt: skip
        return found[0]


@dataclass(frozen=True)
class Found:
    """An item that has a place, and the share of the extent about it that it covers.

    The middle of the extent counts as much as all of it: how large a patch will be is a guess
    before its picture is known.
    """

    item: StacItem
    share: float


def item_of(item: Any, collection: Any, is_online: bool) -> StacItem | None:
    """Return what is needed of a pystac item, None for one without a geometry or a time."""
    properties = item.properties
    text = properties.get("datetime") or properties.get("start_datetime")
    if not text or not item.geometry:
        return None
    cloud = properties.get("eo:cloud_cover", properties.get("cloud_cover"))
    assets = tuple(
        Asset(
            name, str(asset.get_absolute_href()), asset.media_type or "", tuple(asset.roles or ())
        )
        for name, asset in item.assets.items()
        if asset.get_absolute_href()
    )
    return StacItem(
        item.id,
        item.collection_id,
        moment_of(text),
        text,
        float(cloud) if isinstance(cloud, (int, float)) else None,
        item.geometry,
        assets,
        properties.get("license") or getattr(collection, "license", None),
        _attribution(properties.get("providers"), collection),
        is_online,
    )


def found_item(item: StacItem, lon: float, lat: float, extent_m: float) -> Found | None:
    """Return an item with the share of the extent that it covers, None if it hasn't the place."""
    from shapely import make_valid
    from shapely.affinity import translate
    from shapely.geometry import Point, shape

    try:
        whole = make_valid(shape(item.geometry))
    except (ValueError, TypeError, AttributeError, KeyError):
        return None
    boxes = [extent_box(lon, lat, extent_m * part) for part in (1.0, _MIDDLE)]
    for turn in (0.0, -360.0, 360.0):
        if whole.intersects(Point(lon + turn, lat)):
            there = [translate(box, turn) for box in boxes]
            shares = [whole.intersection(box).area / box.area for box in there]
            return Found(item, float(sum(shares) / len(shares)))
    return None


def extent_box(lon: float, lat: float, extent_m: float) -> Any:
    """Return about the square of a side in metres around a place, in degrees."""
    from shapely.geometry import box

    half = max(extent_m, 1.0) / 2.0 / _METRES_A_DEGREE
    across = min(half / max(cos(radians(lat)), 0.01), 90.0)
    return box(lon - across, max(lat - half, -90.0), lon + across, min(lat + half, 90.0))


def _published(place: str) -> str:
    """Return a file as it may be handed on: of one on this machine, only the name."""
    if _ONLINE.match(place):
        return hidden(place).partition("?")[0]
    return PurePath(place.removeprefix("file://")).name


def _is_picture(asset: Asset) -> bool:
    hidden_roles = {"thumbnail", "overview", "metadata"}
    is_tiff = _GEOTIFF.match(asset.kind) or re.search(r"\.tiff?$", asset.href, re.I)
    return bool(is_tiff) and hidden_roles.isdisjoint(asset.roles)


def _attribution(providers: Any, collection: Any) -> str | None:
    """Return the names of who made a picture and who licenses it."""
    known = providers or [p.to_dict() for p in getattr(collection, "providers", None) or ()]
    names = [
        str(provider["name"])
        for provider in known
        if isinstance(provider, dict)
        and provider.get("name")
        and not {"producer", "licensor"}.isdisjoint(provider.get("roles") or ())
    ]
    return ", ".join(dict.fromkeys(names)) or None
