"""A STAC catalogue with real COGs, made in a folder, and a small API over the same items."""

import json
from urllib.parse import parse_qs, unquote

import numpy as np
import rasterio.shutil
from shapely.geometry import box, mapping, shape

from . import rasters
from .framing import framed
from .loopback import Answer

LON, LAT = 15.0, 50.0
# Name, day, cloud, how far east of the place the middle lies in metres.
SCENES = (
    ("winter", "2022-01-10", 5.0, 0.0),
    ("spring", "2022-04-02", 40.0, 0.0),
    ("summer-cloudy", "2022-07-01", 90.0, 0.0),
    ("summer", "2022-07-20", 10.0, 0.0),
    ("summer-partly", "2022-08-05", 0.0, 100.0),
    ("autumn", "2022-10-11", None, 0.0),
    ("elsewhere", "2022-07-21", 0.0, 9000.0),
)
SIDE = 300


def make(folder):
    """Write the catalogue: two collections, one of them about another place."""
    items = []
    for number, (name, day, cloud, east) in enumerate(SCENES):
        frame = framed("EPSG:32633", LON, LAT, 1.0, width=SIDE, height=SIDE)
        a, b, c, d, e, f = frame.transform
        values = rasters.picture(SIDE, SIDE, seed=number)
        plain = rasters.write(folder / "plain.tif", values, frame.crs, (a, b, c + east, d, e, f))
        rasterio.shutil.copy(plain, folder / f"{name}.tif", driver="COG", blocksize=128)
        plain.unlink()
        place = framed("EPSG:32633", LON, LAT, 1.0, width=SIDE, height=SIDE)
        ring = place.pixel_to_lonlat(np.array([[east, SIDE], [SIDE + east, 0.0]]))
        area = box(*ring[0], *ring[1])
        properties = {"datetime": f"{day}T10:00:00Z"}
        if cloud is not None:
            properties["eo:cloud_cover"] = cloud
        items.append(_item(name, properties, area))
        (folder / f"{name}.json").write_text(json.dumps(items[-1]))
    _write(folder / "collection.json", _collection("scenes", items, [14.9, 49.9, 15.3, 50.1]))
    far = _item("far", {"datetime": "2022-07-20T00:00:00Z"}, box(100, 0, 101, 1))
    _write(folder / "far.json", {**far, "collection": "far-away"})
    _write(folder / "far-away.json", _collection("far-away", [far], [100, 0, 101, 1]))
    _write(folder / "catalog.json", {
        "type": "Catalog", "id": "test", "stac_version": "1.0.0", "description": "for tests",
        "links": [_link("child", "./collection.json"), _link("child", "./far-away.json"),
                  _link("root", "./catalog.json")],
    })  # fmt: skip
    return items


def _write(path, content):
    path.write_text(json.dumps(content))


def _link(relation, href):
    return {"rel": relation, "href": href, "type": "application/json"}


def _item(name, properties, area):
    return {
        "type": "Feature", "stac_version": "1.0.0", "id": name, "collection": "scenes",
        "geometry": mapping(area), "bbox": list(area.bounds), "properties": properties,
        "links": [_link("collection", "./collection.json"), _link("root", "./catalog.json")],
        "assets": {
            "visual": {"href": f"./{name}.tif", "type": "image/tiff; application=geotiff",
                       "roles": ["data"]},
            "thumbnail": {"href": f"./{name}.png", "type": "image/png", "roles": ["thumbnail"]},
        },
    }  # fmt: skip


def _collection(name, items, bounds):
    return {
        "type": "Collection", "id": name, "stac_version": "1.0.0", "description": "scenes",
        "license": "CC-BY-4.0",
        "providers": [{"name": "A Survey", "roles": ["producer"]},
                      {"name": "A Host", "roles": ["host"]}],
        "extent": {"spatial": {"bbox": [bounds]},
                   "temporal": {"interval": [["2022-01-01T00:00:00Z", None]]}},
        "links": [_link("item", f"./{item['id']}.json") for item in items]
        + [_link("root", "./catalog.json")],
    }  # fmt: skip


def files(folder):
    """Answer with the files of a folder, parts of them where asked."""

    def answer(path, _):
        place = folder / unquote(path.partition("?")[0]).lstrip("/")
        if not place.is_file():
            return Answer(b"", 404)
        kind = "application/json" if place.suffix == ".json" else "image/tiff"
        return Answer(place.read_bytes(), kind=kind)

    return answer


def api(items, files_url, page=2, takes_post=True):
    """Answer as an API over items, in pages; their files are served elsewhere."""

    def answer(path, body):
        url = answer.url
        head, _, query = path.partition("?")
        if head == "/api":
            return _json(_landing(url, takes_post))
        if head == "/api/collections/scenes":
            return _json(_collection("scenes", [], [14.9, 49.9, 15.3, 50.1]))
        if head != "/api/search":
            return Answer(b"", 404)
        said = json.loads(body) if body else {n: v[0] for n, v in parse_qs(query).items()}
        answer.searches.append(said)
        area = said["intersects"]
        area = shape(json.loads(area) if isinstance(area, str) else area)
        found = [item for item in items if shape(item["geometry"]).intersects(area)]
        start = int(said.get("start", 0))
        without = query.partition("&start")[0]
        links = []
        if start + page < len(found):
            more = {"rel": "next", "href": f"{url}/api/search", "type": "application/geo+json"}
            if takes_post:
                links = [{**more, "method": "POST", "body": {**said, "start": start + page}}]
            else:
                links = [
                    {
                        **more,
                        "href": f"{url}/api/search?{without}&start={start + page}",
                    }
                ]
        part = [_absolute(item, files_url) for item in found[start : start + page]]
        return _json({"type": "FeatureCollection", "features": part, "links": links})

    answer.url, answer.searches = "", []
    return answer


def _absolute(item, url):
    assets = {
        name: {**asset, "href": url + asset["href"].removeprefix(".")}
        for name, asset in item["assets"].items()
    }
    return {**item, "assets": assets, "links": []}


def _landing(url, takes_post):
    search = {"rel": "search", "href": f"{url}/api/search", "type": "application/geo+json"}
    return {
        "type": "Catalog", "id": "api", "stac_version": "1.0.0", "description": "an API",
        "conformsTo": ["https://api.stacspec.org/v1.0.0/core",
                       "https://api.stacspec.org/v1.0.0/item-search",
                       "https://api.stacspec.org/v1.0.0/collections"],
        "links": [{"rel": "self", "href": f"{url}/api"}, {"rel": "root", "href": f"{url}/api"},
                  {"rel": "data", "href": f"{url}/api/collections"},
                  {**search, "method": "POST"} if takes_post else search],
    }  # fmt: skip


def _json(content):
    return Answer(json.dumps(content).encode(), kind="application/json")
