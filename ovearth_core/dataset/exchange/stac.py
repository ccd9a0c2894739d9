"""STAC out: a collection with one item an image, its file and its labels as assets.

`collection.json`, `items/ID.json`, and `labels/ID.geojson` with the image's features. Image files
stay where they are, at paths relative to the items.

Source: https://github.com/radiantearth/stac-spec (1.1) and its projection and file extensions.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from ...errors import InputError, MissingPackageError
from ...paths import inside
from ..rows import ImageRow
from ..view import View
from .geojson import write_collection
from .label_name import label_name
from .model import Report, WriteOptions
from .new_folder import new_folder
from .outgoing import outgoing
from .outgoing_features import OutgoingFeatures
from .stac_extent import EARLIEST, LATEST, Extents, footprint, instant
from .stac_license import License, license_of, license_of_all

_PROJECTION = "https://stac-extensions.github.io/projection/v2.0.0/schema.json"
_FILE = "https://stac-extensions.github.io/file/v2.1.0/schema.json"
_MEDIA = {".tif": "image/tiff; application=geotiff", ".tiff": "image/tiff; application=geotiff",
          ".png": "image/png", ".jpg": "image/jpeg", ".jp2": "image/jp2"}  # fmt: skip
_SHA256_MULTIHASH = "1220"
_UNDATED = "images without a date: their items say so, and span all time"


def write(view: View, out: Path, options: WriteOptions) -> Report:
    """Write the collection into a new folder. MissingPackageError without pystac."""
    try:
        import pystac
    except ImportError:
        mend = "pip install 'ovearth[collect]'"
        raise MissingPackageError("STAC needs pystac", mend=mend) from None
    going = outgoing(view, options)
    features = OutgoingFeatures(view, going)
    extents = Extents()
    taken: dict[str, str] = {}
    licenses: list[License] = []
    listed = view.note("licenses") or []
    place = out.resolve()
    collection = pystac.Collection(
        _slug(options.folder.resolve().name),
        f"Images and labels of {options.folder.resolve().name}",
        extents.as_stac(),
        href=str(place / "collection.json"),
        catalog_type=pystac.CatalogType.SELF_CONTAINED,
    )
    with new_folder(out) as folder:
        (folder / "items").mkdir()
        (folder / "labels").mkdir()
        for found, of_image in features.images():
            name = PurePosixPath(label_name(found.image, taken)).with_suffix("").as_posix()
            item_id = name.replace("/", "__")
            path = folder / "labels" / f"{item_id}.geojson"
            if path.exists():
                raise InputError(f"two images whose item would be {item_id}", mend="rename one")
            with path.open("w", encoding="utf-8", newline="\n") as file:
                write_collection(of_image, file)
            licenses.append(license_of(found.image, listed))
            item = _item(item_id, found.image, place, options.folder, licenses[-1])
            extents.add(item)
            item.set_self_href(str(place / "items" / f"{item_id}.json"))
            item.set_collection(collection)
            item.set_root(collection)
            item.set_parent(collection)
            _write_json(folder / "items" / f"{item_id}.json", item.to_dict(include_self_link=False))
            link = pystac.Link("item", f"./items/{item_id}.json", "application/geo+json")
            collection.add_link(link)
        collection.extent = extents.as_stac()
        whole = license_of_all(licenses)
        collection.license = whole.code
        _link(collection, whole)
        _write_json(folder / "collection.json", collection.to_dict(include_self_link=False))
    notes = (f"{extents.undated} {_UNDATED}",) if extents.undated else ()
    return Report(features.counts, going.left_out() | features.left_out, notes)


def _item(item_id: str, image: ImageRow, place: Path, folder: Path, license_: License) -> Any:
    import pystac

    geometry, bbox = footprint(image)
    when = instant(image.date_captured)
    item = pystac.Item(
        item_id,
        geometry,
        bbox,
        when,
        _properties(image, when, license_),
        start_datetime=EARLIEST if when is None else None,
        end_datetime=LATEST if when is None else None,
        stac_extensions=[_PROJECTION, *([] if image.sha256 is None else [_FILE])],
    )
    href = _relative(inside(folder, image.file_name), place / "items")
    media = _MEDIA.get(PurePosixPath(image.file_name).suffix.lower())
    checksum = {} if image.sha256 is None else {"file:checksum": _SHA256_MULTIHASH + image.sha256}
    item.add_asset("image", pystac.Asset(href, media_type=media, roles=["data"],
                                         extra_fields=checksum))  # fmt: skip
    labels = f"../labels/{item_id}.geojson"
    item.add_asset("labels", pystac.Asset(labels, media_type="application/geo+json",
                                          roles=["labels"]))  # fmt: skip
    _link(item, license_)
    return item


def _link(thing: Any, license_: License) -> None:
    import pystac

    if license_.href is not None:
        thing.add_link(pystac.Link("license", license_.href, title=license_.words))


def _properties(image: ImageRow, when: datetime | None, license_: License) -> dict[str, Any]:
    code = {"proj:code": image.crs} if _is_code(image.crs) else {"proj:wkt2": image.crs}
    if not _is_code(image.crs):
        code["proj:code"] = None  # type: ignore[assignment]
    told: Mapping[str, Any] = {
        "gsd": image.gsd_m,
        "license": license_.code,
        "ovearth:license": license_.words,
        "ovearth:file_name": image.file_name,
        "ovearth:source": image.source,
        "ovearth:attribution": image.attribution,
        "ovearth:location_group": image.location_group,
        "ovearth:continent": image.continent,
        "ovearth:date_captured": None if when else image.date_captured or "unknown",
    }
    shape = {
        "proj:shape": [image.height, image.width],
        "proj:transform": list(image.transform),
    }
    return {**code, **shape, **{key: value for key, value in told.items() if value is not None}}


def _is_code(crs: str) -> bool:
    authority, colon, code = crs.partition(":")
    return bool(colon) and authority.isalnum() and code.isalnum()


def _relative(path: Path, start: Path) -> str:
    try:
        return Path(os.path.relpath(path, start)).as_posix()
    except ValueError:  # another drive, on Windows
        return path.as_uri()


def _slug(name: str) -> str:
    return "-".join(name.split()) or "dataset"


def _write_json(path: Path, document: Mapping[str, Any]) -> None:
    text = json.dumps(document, indent=1, ensure_ascii=False, allow_nan=False)
    path.write_text(text + "\n", encoding="utf-8", newline="\n")
