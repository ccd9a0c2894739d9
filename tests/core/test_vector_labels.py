"""Vector files in any CRS: each shape in the pixels of the image that holds it."""

import json
from datetime import date

import geopandas
import numpy as np
import pytest
from hypothesis import given, settings
from pyproj import CRS, Transformer
from shapely.geometry import LineString, MultiPolygon, Point, Polygon, box

from ovearth_core.dataset import Dataset
from ovearth_core.dataset.exchange import geojson
from ovearth_core.dataset.exchange.vector import read
from ovearth_core.errors import FrameError, InputError, OVEarthError, UsageError

from .framing import framed
from .labelled import CATEGORIES, A, B, Drawn, Frames, labels_of, read_all, rectangles

HOUSE = np.array([[100.0, 100], [180, 110], [170, 190], [95, 170]])
HOLE = np.array([[120.0, 120], [120, 140], [140, 140]])
CRSS = ["EPSG:4326", "EPSG:3857", "EPSG:32633", "EPSG:3035", "EPSG:5514", "EPSG:2056"]
WRITERS = {"gpkg": "GPKG", "shp": "ESRI Shapefile", "fgb": "FlatGeobuf", "geojson": "GeoJSON"}


def on_map(frame, crs, *rings):
    """A polygon in pixels as a polygon of a CRS."""
    outer, *holes = (frame.pixel_to_crs(ring, crs) for ring in rings)
    return Polygon(outer, holes)


def moved(ring, x, y):
    return ring + np.array([x, y])


def written(folder, shapes, crs="EPSG:4326", ending="gpkg", **columns):
    columns = columns or {"class": ["plane"] * len(shapes)}
    table = geopandas.GeoDataFrame(columns, geometry=shapes, crs=crs)
    path = folder / f"labels.{ending}"
    if ending == "parquet":
        table.to_parquet(path)
    else:
        table.to_file(path, driver=WRITERS[ending], engine="fiona")
    return path


def ring_of(label):
    ((ring, *_), *_) = label.polygons
    return ring


def distance(ring, other):
    """How far apart two rings are, whichever vertex they begin at and way they run."""
    one, two = (r[:-1] if np.array_equal(r[0], r[-1]) else r for r in (ring, other))
    ways = [np.roll(w, k, axis=0) for w in (two, two[::-1]) for k in range(len(two))]
    return min(np.abs(one - way).max() for way in ways)


@pytest.mark.parametrize("crs", CRSS)
@pytest.mark.parametrize("ending", ["gpkg", "shp", "fgb", "parquet"])
def test_shapes_of_any_crs_and_format_come_to_their_own_image_within_a_millionth(
    tmp_path, crs, ending
):
    shapes = [on_map(A, crs, HOUSE, HOLE), on_map(B, crs, HOUSE)]
    found, left_out = read_all(read, written(tmp_path, shapes, crs, ending))
    assert {i.file_name for i in found} == {"images/a.tif", "images/more/b.tif"}
    by_name = {i.file_name: i.labels[0] for i in found}
    a, b = by_name["images/a.tif"], by_name["images/more/b.tif"]
    assert distance(ring_of(a), HOUSE) < 1e-6 and distance(ring_of(b), HOUSE) < 1e-6
    assert distance(a.polygons[0][1], HOLE) < 1e-6
    assert a.class_name == "plane" and not any(left_out.values())


def test_geojson_is_longitude_and_latitude_and_csv_has_wkt(tmp_path):
    shape = on_map(A, "EPSG:4326", HOUSE)
    path = tmp_path / "labels.csv"
    path.write_text(f'class;wkt\nplane;"{shape.wkt}"\n'.replace(";", ","))
    path.with_suffix(".prj").write_text(CRS("EPSG:4326").to_wkt("WKT1_GDAL"))
    for place in (path, written(tmp_path, [shape], ending="geojson")):
        (label,) = labels_of(read, place)
        assert distance(ring_of(label), HOUSE) < 1e-6


@settings(max_examples=15, deadline=None)
@given(quad=rectangles())
def test_our_own_geojson_comes_back_within_a_millionth_of_a_pixel(tmp_path_factory, quad):
    folder = tmp_path_factory.mktemp("own")
    drawn = Drawn(folder / "dataset")
    drawn.draw(quad, extra={"difficult": 1})
    drawn.draw(quad, image="images/more/b.tif", is_crowd=True)
    drawn.write(geojson.write, folder / "out.geojson")
    found, _ = read_all(read, folder / "out.geojson")
    assert [i.file_name for i in found] == ["images/a.tif", "images/more/b.tif"]
    for image in found:
        assert image.labels[0].class_name == "Storage tank"
        assert distance(ring_of(image.labels[0]), quad) < 1e-6
    assert found[0].labels[0].extra == {"difficult": 1}
    assert [image.labels[0].is_crowd for image in found] == [False, True]


@pytest.mark.parametrize("turn", [0.0, 360.0, -360.0])
def test_shapes_across_the_antimeridian_are_found_on_any_turn(tmp_path, turn):
    frame = framed("EPSG:32601", -180.0, 10.0, pixel=1.0)
    house = moved(HOUSE, 330, 250)
    ring = moved(frame.pixel_to_lonlat(house), turn, 0)
    assert np.ptp(ring[:, 0]) < 1
    (label,) = labels_of(read, written(tmp_path, [Polygon(ring)]), Frames({"x.tif": frame}))
    assert distance(ring_of(label), house) < 1e-6


def test_an_object_cut_at_the_antimeridian_is_one_object(tmp_path):
    frame = framed("EPSG:32601", -180.0, 10.0, pixel=1.0)
    corners = np.array([[400.0, 300], [600, 300], [600, 400], [400, 400]])
    ring = frame.pixel_to_lonlat(corners)
    whole = Polygon(np.where(ring[:, :1] < 0, moved(ring, 360, 0), ring))
    west, east = whole.intersection(box(170, 0, 180, 20)), whole.intersection(box(180, 0, 190, 20))
    east = Polygon(moved(np.array(east.exterior.coords), -360, 0))
    (label,) = labels_of(
        read, written(tmp_path, [MultiPolygon([west, east])]), Frames({"x.tif": frame})
    )
    assert len(label.polygons) == 2
    assert sum(Polygon(p[0]).area for p in label.polygons) == pytest.approx(20000, rel=1e-6)


def test_the_image_column_decides_where_images_overlap(tmp_path):
    images = Frames({"2019.tif": A, "2023.tif": A})
    shape = on_map(A, "EPSG:3857", HOUSE)
    path = written(tmp_path, [shape, shape], "EPSG:3857", kind=["plane"] * 2,
                   img=["2023.tif", "2019"])  # fmt: skip
    found, _ = read_all(read, path, images, class_column="kind", image_column="img")
    assert [i.file_name for i in found] == ["2023.tif", "2019"]
    with pytest.raises(InputError, match=r"feature 1.*|lies in 2 images \(2019.tif, 2023.tif\)"):
        labels_of(read, path, images, class_column="kind")


class TestShapesBeyondTheImages:
    images = Frames({"a.tif": A})

    @pytest.fixture
    def path(self, tmp_path):
        shapes = [HOUSE, moved(HOUSE, 850, 0), moved(HOUSE, 5000, 0), moved(HOUSE, 0, -5000)]
        return written(tmp_path, [on_map(A, "EPSG:32633", s) for s in shapes], "EPSG:32633")

    def test_are_counted_and_refused(self, path):
        with pytest.raises(InputError) as fault:
            labels_of(read, path, self.images)
        assert str(fault.value).startswith("3 features lie in no image, or cross an image's edge")
        assert "feature 2" in str(fault.value) and "--outside" in str(fault.value)

    def test_are_left_out_when_that_is_wanted(self, path):
        found, left_out = read_all(read, path, self.images, outside="skip")
        assert len(found) == 1
        assert left_out["features lie in no image, or cross an image's edge"] == 3

    def test_are_cut_at_the_edge_when_that_is_wanted(self, path):
        found, left_out = read_all(read, path, self.images, outside="clip")
        whole, cut = (label for image in found for label in image.labels)
        assert distance(ring_of(whole), HOUSE) < 1e-6
        expected = Polygon(moved(HOUSE, 850, 0)).intersection(box(0, 0, A.width, A.height))
        assert Polygon(ring_of(cut)).symmetric_difference(expected).area < 1e-6
        assert left_out["features lie in no image, or cross an image's edge"] == 2
        assert left_out["parts of features beyond an image's edge, cut off"] == 1

    def test_another_word_is_refused(self, path):
        with pytest.raises(UsageError, match="did you mean 'skip'"):
            labels_of(read, path, self.images, outside="skipp")


def test_attributes_are_kept_as_json_holds_them(tmp_path):
    path = written(
        tmp_path, [on_map(A, "EPSG:4326", HOUSE)], category=["plane"], height=[12.5],
        seen=[date(2020, 5, 1)], rank=[3], nothing=[None], lost=[float("nan")], ending="parquet",
    )  # fmt: skip
    (label,) = labels_of(read, path)
    assert label.extra == {"height": 12.5, "seen": "2020-05-01", "rank": 3}
    assert json.dumps(label.extra)


def test_numbers_as_classes_and_null_images_are_taken(tmp_path):
    path = written(tmp_path, [on_map(A, "EPSG:4326", HOUSE)], label=[7], image=[None])
    (image,), _ = read_all(read, path)
    assert (image.file_name, image.labels[0].class_name) == ("images/a.tif", "7")


@pytest.mark.parametrize(
    ("shape", "columns", "said"),
    [
        (Point(15, 50), {}, "a Point has no area"),
        (LineString([(15, 50), (15.1, 50)]), {}, "a LineString has no area"),
        (None, {"class": [None]}, None),
        (on_map(A, "EPSG:4326", HOUSE), {"class": [None]}, "no class in 'class'"),
        (on_map(A, "EPSG:4326", HOUSE), {"class": [1.5]}, "'class' is 1.5"),
        (on_map(A, "EPSG:4326", HOUSE), {"kind": ["x"]}, "no class column (there are: kind)"),
        (on_map(A, "EPSG:4326", HOUSE), {"class": ["x"], "image": ["c"]}, "no image 'c'"),
    ],
)
def test_a_bad_feature_is_refused_by_its_number_and_an_empty_one_counted(
    tmp_path, shape, columns, said
):
    path = written(tmp_path, [shape], **(columns or {"class": ["plane"]}))
    if said is None:
        assert read_all(read, path) == ([], {"features without a polygon": 1})
        return
    with pytest.raises(OVEarthError) as fault:
        labels_of(read, path)
    assert said in str(fault.value) and "labels.gpkg" in str(fault.value)
    assert "feature 1" in str(fault.value) or "column" in said
    assert "\n" not in str(fault.value)


def test_a_file_without_a_crs_is_refused_with_how_to_give_it_one(tmp_path):
    path = written(tmp_path, [Polygon(HOUSE)], crs=None, ending="shp")
    with pytest.raises(InputError, match=r"its CRS is unknown, .*ogr2ogr -a_srs"):
        labels_of(read, path)


def test_what_is_no_vector_file_is_refused(tmp_path):
    (tmp_path / "a.txt").write_text("x")
    (tmp_path / "a.gpkg").write_text("x")
    (tmp_path / "a.geojson").write_text('{"type": "FeatureCollection"}')
    for name in ("a.txt", "a.gpkg", "a.geojson", "nothing.shp", "."):
        with pytest.raises(InputError) as fault:
            labels_of(read, tmp_path / name)
        assert "\n" not in str(fault.value)


def test_the_file_of_a_dataset_is_never_opened_by_gdal(tmp_path):
    dataset = Dataset.create(tmp_path / "ds", CATEGORIES)
    with pytest.raises(InputError, match="a dataset of OVEarth"):
        labels_of(read, dataset.path)


def test_another_projection_library_agrees_where_no_datum_changes(tmp_path):
    to_web = Transformer.from_crs("EPSG:32633", "EPSG:3857", always_xy=True)
    x, y = A.pixel_to_map(HOUSE).T
    shape = Polygon(np.column_stack(to_web.transform(x, y)))
    (label,) = labels_of(read, written(tmp_path, [shape], "EPSG:3857"))
    assert distance(ring_of(label), HOUSE) < 1e-5


def test_images_without_a_place_are_counted_and_stop_nothing(tmp_path):
    class WithBare(Frames):
        def frame(self, file_name):
            if file_name == "bare.png":
                raise FrameError("the image has no CRS", file_name)
            return super().frame(file_name)

    images = WithBare({"images/a.tif": A, "bare.png": None})
    path = written(tmp_path, [on_map(A, "EPSG:4326", HOUSE)])
    found, left_out = read_all(read, path, images)
    assert len(found) == 1
    assert left_out["images that have no place on the ground"] == 1


def test_many_images_and_shapes_are_matched_one_to_one(tmp_path):
    grid = [(i, j) for i in range(8) for j in range(8)]
    frames = {f"{i}_{j}.tif": framed("EPSG:32633", 15 + i * 0.002, 50 + j * 0.002) for i, j in grid}
    shapes = [on_map(f, "EPSG:4326", HOUSE) for f in frames.values()]
    path = written(tmp_path, shapes, **{"class": list(frames)})
    found, _ = read_all(read, path, Frames(frames))
    assert [i.file_name for i in found] == [i.labels[0].class_name for i in found]
    assert len(found) == 64
