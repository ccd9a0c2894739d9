"""A STAC catalogue that is open: an API that is asked, or files that are walked through."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from ...errors import InputError, OVEarthError
from .address import hidden, without_secrets
from .fetching import Politeness
from .server_errors import BadDescriptionError, is_missing
from .stac_files import careful_files
from .stac_item import StacItem, extent_box, item_of

if TYPE_CHECKING:
    from .stac import Search

# More than these a search of one place never needs; a catalogue's loops end here too.
_MOST_ITEMS = 1000
_MOST_FILES = 50_000
_PAGE = 100
_LOG = logging.getLogger("ovearth")


@lru_cache(maxsize=4)
def catalog_at(place: str, rules: Politeness) -> StacCatalog:
    """Return the catalogue at an address or path; it is kept, with what was read of it.

    Until `forget_catalogs`: a program that runs for days would never see what is new in it.
    """
    return StacCatalog(place, rules)


def forget_catalogs() -> None:
    """Have catalogues read anew."""
    catalog_at.cache_clear()


class StacCatalog:
    """A catalogue. Raises ServerError, InputError for what can't be read."""

    def __init__(self, place: str, rules: Politeness) -> None:
        self._files = careful_files(place, rules)
        self._shown = self._files.shown
        self._rules = rules
        self._collections: dict[str | None, Any] = {}
        self._left_out: set[str] = set()
        self._root = self._reading(self._open)

    def items_at(self, lon: float, lat: float, extent_m: float, search: Search) -> list[StacItem]:
        """Return the items about a place; a server may give others too."""
        box = extent_box(lon, lat, extent_m)
        return list(self._reading(lambda: list(self._items(box, search))))

    def _items(self, box: Any, search: Search) -> Iterator[StacItem]:
        is_asked = self._root.conforms_to("ITEM_SEARCH")
        found = self._asked(box, search) if is_asked else self._walked(box, search)
        for item, collection in found:
            try:
                known = item_of(item, collection, self._files.is_online)
            except (ValueError, TypeError, AttributeError) as fault:
                self._leave_out(str(item.id), fault)
                continue
            if known is not None:
                yield known

    def _open(self) -> Any:
        from pystac_client import Client

        return Client.open(self._files.address, stac_io=self._files)

    def _asked(self, box: Any, search: Search) -> Iterator[tuple[Any, Any]]:
        asked = self._root.search(
            method="POST" if self._takes_post() else "GET",
            intersects=box.__geo_interface__,
            collections=list(search.collections) or None,
            datetime=None if search.dates is None else search.dates.as_stac,
            limit=_PAGE,
            max_items=_MOST_ITEMS,
        )
        from pystac import Item

        for document in asked.items_as_dicts():
            try:
                item = Item.from_dict(document, root=self._root, preserve_dict=False)
            except Exception as fault:  # pystac raises whatever a malformed item leads to
                self._leave_out(str(document.get("id")), fault)
                continue
            yield item, self._collection(item.collection_id)

    def _takes_post(self) -> bool:
        links = self._root.get_links("search")
        return any(str(link.extra_fields.get("method", "")).upper() == "POST" for link in links)

    def _collection(self, name: str | None) -> Any:
        """Return a collection, for its licence; None where the server hasn't got it."""
        if name is not None and name not in self._collections:
            try:
                self._collections[name] = self._root.get_collection(name)
            except OVEarthError:
                self._collections[name] = None
        return self._collections.get(name)

    def _walked(self, box: Any, search: Search) -> Iterator[tuple[Any, Any]]:
        """Yield the items of catalogues below this one, without those that lie elsewhere."""
        waiting, seen, count = [self._root], set(), 0
        while waiting:
            part = waiting.pop()
            where = part.get_self_href() or part.id
            if where in seen or not _may_have(part, box, search):
                continue
            seen.add(where)
            self._fetch_ahead([*part.get_item_links(), *part.get_child_links()])
            for item in self._items_of(part):
                count += 1
                yield item, item.get_collection()
            waiting.extend(part.get_children())
            if count + len(seen) > _MOST_FILES:
                raise BadDescriptionError(
                    f"it has more than {_MOST_FILES} files", self._shown, "use its API"
                )

    def _items_of(self, part: Any) -> Iterator[Any]:
        """Yield the items of a catalogue; one that is broken doesn't keep the others away."""
        from pystac import Item

        for link in part.get_item_links():
            name = link.get_absolute_href() or str(link.target)
            if name in self._left_out:
                continue
            try:
                link.resolve_stac_object(root=part.get_root())
            except Exception as fault:  # pystac raises whatever a malformed item leads to
                cause = fault if isinstance(fault, OVEarthError) else fault.__cause__
                if isinstance(cause, OVEarthError) and not is_missing(cause):
                    raise
                self._leave_out(name, cause or fault)
                continue
            if isinstance(link.target, Item):
                yield link.target

    def _leave_out(self, name: str, fault: BaseException) -> None:
        """Say once of an item that it is broken."""
        if name not in self._left_out:
            self._left_out.add(name)
            what = f"{type(fault).__name__}: {fault}".partition("\n")[0]
            shown = hidden(without_secrets(name))
            _LOG.warning("note: item %s is left out, it can't be read (%s)", shown, what)

    def _fetch_ahead(self, links: list[Any]) -> None:
        wanted = [link.get_absolute_href() for link in links if not link.is_resolved()]
        with ThreadPoolExecutor(self._rules.per_host) as threads:
            for _ in threads.map(self._files.fetch_ahead, [href for href in wanted if href]):
                pass

    def _reading(self, work: Any) -> Any:
        """Do work that pystac does, and turn whatever it meets into one line."""
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return work()
        except OVEarthError:
            raise
        except RecursionError:
            raise BadDescriptionError("it is nested too deep", self._shown, "use its API") from None
        except OSError as fault:
            raise InputError(f"can't be read ({fault})", self._shown, "check the path") from None
        except Exception as fault:  # pystac raises whatever a malformed document leads to
            cause = fault.__cause__ if isinstance(fault.__cause__, OVEarthError) else None
            raise cause or BadDescriptionError(
                f"it is no STAC that can be read ({type(fault).__name__}: {fault})",
                self._shown,
                "check the address",
            ) from None


def _may_have(part: Any, box: Any, search: Search) -> bool:
    """Whether a part of a catalogue may have items of a place: by its collection's extent."""
    from shapely.affinity import translate
    from shapely.geometry import box as box_of

    extent = getattr(part, "extent", None)
    if extent is None:
        return True
    if search.collections and part.id not in search.collections and not part.get_child_links():
        return False
    for corners in extent.spatial.bboxes:
        west, south, east, north = corners if len(corners) == 4 else (*corners[:2], *corners[3:5])
        area = box_of(west, south, east if east >= west else east + 360.0, north)
        if any(area.intersects(translate(box, turn)) for turn in (0.0, -360.0, 360.0)):
            return True
    return not extent.spatial.bboxes
