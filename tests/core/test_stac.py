"""STAC out, as pystac, shapely and rasterio see it."""

import json
from dataclasses import replace

import geopandas
import numpy as np
import pytest
from shapely import MultiPolygon, Polygon
from shapely.geometry import shape

from ovearth_core.dataset import Dataset
from ovearth_core.dataset.exchange import stac
from ovearth_core.dataset.exchange.model import WriteOptions
from ovearth_core.dataset.exchange.stac_extent import footprint, instant
from ovearth_core.errors import MissingPackageError

from .datasets import image_row
from .framing import framed
from .labelled import CATEGORIES, SQUARE, A, B, Drawn, Frames, files_in
from .shared import DATA, needs_shared

pystac = pytest.importorskip("pystac")


@pytest.fixture
def drawn(tmp_path):
    made = Drawn(tmp_path / "dataset")
    made.draw()
    made.draw(SQUARE + 100)
    made.draw(image="images/more/b.tif")
    about = {"date_captured": "2021-07-03T10:20:30+02:00", "license": "CC0-1.0",
             "attribution": "NEON", "sha256": "ab" * 32}  # fmt: skip
    with made.dataset.writing() as edit:
        image = edit.image(made.ids["images/a.tif"])
        edit.update(type(image)(**{f: getattr(image, f) for f in image.__slots__} | about))
    return made


def opened(folder):
    collection = pystac.Collection.from_file(str(folder / "collection.json"))
    return collection, {item.id: item for item in collection.get_items()}


def test_pystac_reads_a_valid_collection_with_an_item_an_image(tmp_path, drawn):
    report = drawn.write(stac.write, tmp_path / "out")
    collection, items = opened(tmp_path / "out")
    assert set(items) == {"a", "more__b"}
    for thing in (collection, *items.values()):
        core = thing.to_dict()
        core["stac_extensions"] = []  # their schemas are not in the library
        type(thing).from_dict(core).validate()
    assert dict(report.counts) == {"images": 2, "features": 3}
    assert files_in(tmp_path / "out") == [
        "collection.json", "items/a.json", "items/more__b.json", "labels/a.geojson",
        "labels/more__b.geojson",
    ]  # fmt: skip


def test_an_item_says_where_its_image_lies_and_what_it_is(tmp_path, drawn):
    drawn.write(stac.write, tmp_path / "out")
    _, items = opened(tmp_path / "out")
    a = items["a"]
    assert shape(a.geometry).normalize().equals_exact(Polygon(A.footprint()).normalize(), 1e-12)
    assert np.allclose(a.bbox, Polygon(A.footprint()).bounds)
    assert a.properties["proj:code"] == "EPSG:32633"
    assert a.properties["proj:shape"] == [A.height, A.width]
    assert tuple(a.properties["proj:transform"]) == A.transform
    assert a.properties["gsd"] == pytest.approx(A.gsd())
    assert a.properties["license"] == "CC0-1.0"
    assert a.properties["ovearth:attribution"] == "NEON"
    assert a.datetime.isoformat() == "2021-07-03T08:20:30+00:00"
    assert a.assets["image"].extra_fields["file:checksum"] == "1220" + "ab" * 32
    assert items["more__b"].properties["proj:code"] == "EPSG:3035"
    assert items["more__b"].properties["proj:transform"] == list(B.transform)


@pytest.mark.parametrize(("words", "number", "code", "href"), [
    ("CC-BY-4.0", None, "CC-BY-4.0", None),
    ("CC BY 4.0", None, "CC-BY-4.0", None),
    ("https://creativecommons.org/licenses/by-nc/4.0/", None, "CC-BY-NC-4.0",
     "https://creativecommons.org/licenses/by-nc/4.0/"),
    (None, 3, "ODbL-1.0", "https://opendatacommons.org/licenses/odbl/"),
    (None, 4, "other", "https://example.org/terms"),
    ("ask the owner", None, "other", None),
    (None, None, "other", None),
])  # fmt: skip
def test_items_and_their_collection_say_the_license(tmp_path, words, number, code, href):
    made = Drawn(tmp_path / "dataset")
    made.draw()
    with made.dataset.writing() as edit:
        edit.set_note("licenses", [
            {"id": 3, "name": "ODbL-1.0", "url": "https://opendatacommons.org/licenses/odbl/"},
            {"id": 4, "name": "House rules", "url": "https://example.org/terms"},
        ])  # fmt: skip
        image = edit.image(made.ids["images/a.tif"])
        extra = {} if number is None else {"license": number}
        edit.update(replace(image, license=words, extra=extra))
    made.write(stac.write, tmp_path / "out")
    collection, items = opened(tmp_path / "out")
    (item,) = items.values()
    assert (item.properties["license"], collection.license) == (code, code)
    for thing in (collection, item):
        assert [link.href for link in thing.get_links("license")] == (
            [] if href is None else [href]
        )
        core = thing.to_dict()
        core["stac_extensions"] = []
        type(thing).from_dict(core).validate()
    if code == "other":
        told = words or ("House rules" if number else None)
        assert item.properties.get("ovearth:license") == told


def test_an_image_without_a_date_spans_all_time_and_is_counted(tmp_path, drawn):
    report = drawn.write(stac.write, tmp_path / "out")
    collection, items = opened(tmp_path / "out")
    b = items["more__b"]
    assert b.datetime is None and b.common_metadata.start_datetime.year == 1
    assert b.common_metadata.end_datetime.year == 9999
    assert report.notes[0].startswith("1 images without a date")
    ((start, end),) = collection.extent.temporal.intervals
    assert start == end == items["a"].datetime


def test_label_assets_hold_the_images_labels(tmp_path, drawn):
    drawn.write(stac.write, tmp_path / "out")
    _, items = opened(tmp_path / "out")
    sizes = {}
    for name, item in items.items():
        asset = item.assets["labels"]
        assert asset.roles == ["labels"]
        table = geopandas.read_file(asset.get_absolute_href())
        assert shape(item.geometry).buffer(1e-9).contains(table.union_all())
        sizes[name] = len(table)
    assert sizes == {"a": 2, "more__b": 1}


@needs_shared
def test_image_assets_lead_to_the_files_and_agree_with_them(tmp_path):
    import rasterio

    dataset = Dataset.create(tmp_path / "dataset", CATEGORIES)
    (dataset.folder / "images").mkdir()
    for name in ("OSBS_029.tif", "m_4208701_ne_16_060_20200902.tif"):
        (dataset.folder / "images" / name).write_bytes((DATA / "images" / name).read_bytes())
        image = dataset.add_image(dataset.folder / "images" / name)
        with dataset.writing() as edit:
            edit.add_instance(image.id, 7, SQUARE)
    with dataset.reading() as view:
        stac.write(view, tmp_path / "out", WriteOptions(dataset.folder, ("draft",)))
    _, items = opened(tmp_path / "out")
    for item in items.values():
        with rasterio.open(item.assets["image"].get_absolute_href()) as image:
            assert item.properties["proj:shape"] == list(image.shape)
            assert item.properties["proj:transform"] == list(image.transform)[:6]
            assert item.properties["proj:code"] == image.crs.to_string()
        assert item.assets["image"].media_type.startswith("image/tiff")


def test_writing_twice_gives_the_same_bytes(tmp_path, drawn):
    for name in ("one/out", "two/out"):
        drawn.write(stac.write, tmp_path / name)
    for name in files_in(tmp_path / "one/out"):
        one, two = (tmp_path / n / "out" / name for n in ("one", "two"))
        assert one.read_bytes() == two.read_bytes(), name
        assert str(tmp_path) not in one.read_text()


@pytest.mark.parametrize(("longitude", "west"), [(-180.0, 179), (179.9999, 179)])
def test_a_footprint_across_the_antimeridian_is_cut_there(longitude, west):
    frame = framed("EPSG:32601", longitude, 10.0, pixel=1.0)
    geometry, bbox = footprint(image_row(frame=frame))
    whole = shape(geometry)
    assert isinstance(whole, MultiPolygon) and whole.is_valid
    assert whole.bounds[0] >= -180 and whole.bounds[2] <= 180
    assert bbox[0] > west and bbox[2] < -west
    assert whole.area == pytest.approx(Polygon(frame.footprint()).area)


def test_a_footprint_around_the_pole_spans_the_world():
    frame = framed("EPSG:3413", 0.0, 90.0, pixel=1000.0)
    geometry, bbox = footprint(image_row(frame=frame))
    assert (bbox[0], bbox[2], bbox[3]) == (-180.0, 180.0, 90.0)
    whole = shape(geometry)
    assert whole.bounds[0] >= -180 and whole.bounds[2] <= 180


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("2021-07-03", "2021-07-03T00:00:00+00:00"),
        ("2021-07-03T10:00:00Z", "2021-07-03T10:00:00+00:00"),
        ("2021-07-03 10:00", "2021-07-03T10:00:00+00:00"),
        ("summer of 2021", None),
        ("", None),
        (None, None),
    ],
)
def test_dates_are_read_as_moments_or_not_at_all(text, found):
    when = instant(text)
    assert (when and when.isoformat()) == found


def test_a_crs_without_a_code_is_given_as_wkt(tmp_path):
    from pyproj import CRS

    text = CRS("+proj=laea +lat_0=47 +lon_0=9 +datum=WGS84").to_wkt()
    drawn = Drawn(tmp_path / "dataset", Frames({"x.tif": framed(text, 9.0, 47.0)}))
    drawn.draw(image="x.tif")
    drawn.write(stac.write, tmp_path / "out")
    item = json.loads((tmp_path / "out/items/x.json").read_text())
    assert item["properties"]["proj:code"] is None
    assert CRS(item["properties"]["proj:wkt2"]) == CRS(text)


def test_without_pystac_the_one_line_says_what_to_install(tmp_path, drawn, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pystac", None)
    with pytest.raises(MissingPackageError, match=r"ovearth\[collect\]"):
        drawn.write(stac.write, tmp_path / "out")
    assert not (tmp_path / "out").exists()
