"""GeoJSON and GeoParquet out, as fiona, geopandas and shapely see them."""

import json

import fiona
import geopandas
import numpy as np
import pytest
import shapely
from rasterio.features import rasterize

from ovearth_core.dataset import QueryRow, TargetRow
from ovearth_core.dataset.exchange import geojson, geoparquet, vector
from ovearth_core.dataset.exchange.importing import import_labels
from ovearth_core.errors import MissingPackageError, OutputError, OVEarthError, UsageError
from ovearth_core.geometry import Runs

from .framing import framed
from .labelled import FIELD, PLANE, SQUARE, TANK, A, B, Drawn, Frames

HOLE = np.array([[20.0, 20], [20, 30], [30, 30], [20, 20]])
FORMATS = [(geojson, "out.geojson"), (geoparquet, "out.parquet")]


def opened(path):
    return geopandas.read_parquet(path) if path.suffix == ".parquet" else geopandas.read_file(path)


@pytest.fixture
def drawn(tmp_path):
    made = Drawn(tmp_path / "dataset")
    made.draw(((SQUARE, HOLE),), extra={"difficult": 1}, bbox=(10.0, 10.0, 40.5, 30.25))
    made.draw(((SQUARE,), (SQUARE + 100,)), PLANE, "images/more/b.tif")
    made.draw(SQUARE + 200, FIELD, is_crowd=True)
    made.draw(SQUARE, TANK, "images/more/b.tif", state="submitted")
    return made


@pytest.mark.parametrize(("module", "name"), FORMATS)
class TestFeatures:
    def test_lie_where_the_image_puts_them(self, tmp_path, drawn, module, name):
        drawn.write(module.write, tmp_path / name)
        table = opened(tmp_path / name)
        assert table.crs.to_epsg() == 4326 or table.crs.to_string() == "OGC:CRS84"
        by_name = table.set_index("category").geometry
        tank = shapely.Polygon(A.pixel_to_lonlat(SQUARE), [A.pixel_to_lonlat(HOLE)])
        assert by_name["Storage tank"].normalize().equals_exact(tank.normalize(), 1e-11)
        assert by_name["Plane"].geom_type == "MultiPolygon"
        second = np.array(by_name["Plane"].geoms[1].exterior.coords)
        back = B.lonlat_to_pixel(second)
        assert np.abs(back.min(axis=0) - [110, 110]).max() < 1e-6

    def test_are_valid_and_turn_as_the_standard_says(self, tmp_path, drawn, module, name):
        drawn.write(module.write, tmp_path / name)
        for shape in opened(tmp_path / name).geometry:
            assert shape.is_valid
            for part in shapely.get_parts(shape):
                assert part.exterior.is_ccw
                assert not any(ring.is_ccw for ring in part.interiors)

    def test_have_their_attributes(self, tmp_path, drawn, module, name):
        drawn.write(module.write, tmp_path / name)
        table = opened(tmp_path / name)
        assert list(table["image"]) == ["images/a.tif", "images/a.tif", "images/more/b.tif"]
        by_name = table.set_index("category")
        assert set(by_name.index) == {"Storage tank", "Plane", "Field"}
        tank = by_name.loc["Storage tank"]
        assert (tank["domain"], tank["branch"], tank["state"]) == ("Industry", "Tanks", "approved")
        assert tank["gsd_m"] == pytest.approx(A.gsd())
        assert list(tank["bbox"]) == [10.0, 10.0, 40.5, 30.25]
        extra = tank["extra"]
        assert (extra if isinstance(extra, dict) else json.loads(extra)) == {"difficult": 1}
        assert bool(by_name.loc["Field"]["is_crowd"]) and not tank["is_crowd"]

    def test_are_counted_with_all_that_stays_behind(self, tmp_path, drawn, module, name):
        with drawn.dataset.writing() as edit:
            target = next(iter(edit.targets(state="approved"))).id
            edit.add(QueryRow("q1", target, "vocabulary", "positive", "a tank"))
            edit.add(QueryRow("q2", target, "vocabulary", "negative", "a ship"))
        report = drawn.write(module.write, tmp_path / name)
        assert dict(report.counts) == {"images": 2, "features": 3}
        left_out = {reason: count for reason, count in report.left_out.items() if count}
        assert left_out == {"targets that are submitted": 1, "queries": 2}

    def test_of_an_unchanged_dataset_are_the_same_bytes(self, tmp_path, drawn, module, name):
        drawn.write(module.write, tmp_path / name)
        first = (tmp_path / name).read_bytes()
        drawn.write(module.write, tmp_path / name)
        assert (tmp_path / name).read_bytes() == first

    def test_of_an_empty_dataset_are_none(self, tmp_path, module, name):
        empty = Drawn(tmp_path / "dataset")
        report = empty.write(module.write, tmp_path / name)
        assert report.counts["features"] == 0
        assert len(opened(tmp_path / name)) == 0

    def test_never_replace_the_dataset_or_go_into_its_images(self, tmp_path, drawn, module, name):
        for out in (drawn.dataset.path, drawn.dataset.folder / "images" / name):
            with pytest.raises((UsageError, OutputError)):
                drawn.write(module.write, out)
        assert drawn.dataset.reading()

    def test_that_cannot_be_written_are_named_and_leave_the_old_file(
        self, tmp_path, drawn, module, name
    ):
        drawn.write(module.write, tmp_path / name)
        before = (tmp_path / name).read_bytes()
        first = drawn.draw(SQUARE + 300)
        broken = {"size": [A.height, A.width], "counts": [1, 2]}
        with drawn.dataset.writing() as edit:
            bad = edit.add(type(first)(None, first.target_id, segmentation=broken))
        with pytest.raises(OVEarthError, match=f"instance {bad.id}"):
            drawn.write(module.write, tmp_path / name)
        assert (tmp_path / name).read_bytes() == before
        assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]


@pytest.mark.parametrize(("module", "name"), FORMATS)
@pytest.mark.parametrize("frame", [A, B])
def test_what_was_read_back_goes_out_as_it_came(tmp_path, module, name, frame):
    images = Frames({"images/a.tif": A, "images/more/b.tif": frame})
    drawn = Drawn(tmp_path / "first", images)
    drawn.draw(((SQUARE, HOLE),), extra={"difficult": 1}, bbox=(10.0, 10.0, 40.5, 30.25))
    drawn.draw(((SQUARE,), (SQUARE + 100,)), PLANE, "images/more/b.tif")
    drawn.draw(SQUARE + 200 / 3, FIELD, is_crowd=True, obb=(50.0, 0, 60, 10, 50, 20, 40, 10))
    outs = [tmp_path / f"{number}-{name}" for number in range(3)]
    drawn.write(module.write, outs[0])
    for number in (1, 2):
        again = Drawn(tmp_path / f"dataset-{number}", images)
        import_labels(again.dataset, vector.read, outs[number - 1], who="mia")
        with again.dataset.writing() as edit:
            for target in list(edit.targets()):
                edit.set_state(target.id, "approved")
        again.write(module.write, outs[number])
    first, second = (list(opened(out).T.to_dict().values()) for out in outs[:2])
    for one, other in zip(first, second, strict=True):
        for told in (one, other):
            told["geometry"] = shapely.set_precision(told["geometry"], 1e-11).wkt
        assert repr(one) == repr(other)
    assert outs[1].read_bytes() == outs[2].read_bytes()


def test_a_mask_alone_goes_out_as_the_edges_of_its_pixels(tmp_path):
    drawn = Drawn(tmp_path / "dataset")
    mask = np.zeros((A.height, A.width), bool)
    mask[100:140, 200:260] = True
    mask[110:120, 210:220] = False
    mask[300:302, 5:9] = True
    first = drawn.draw()
    with drawn.dataset.writing() as edit:
        edit.remove_instance(first.id)
        edit.add(type(first)(None, first.target_id, segmentation=Runs.from_array(mask).to_rle()))
    drawn.write(geojson.write, tmp_path / "out.geojson")
    with fiona.open(tmp_path / "out.geojson") as source:
        (feature,) = source
    assert feature.properties["shape"] == "mask"
    shape = shapely.geometry.shape(feature.geometry)
    pixels = shapely.transform(shape, A.lonlat_to_pixel)
    assert (rasterize([pixels], out_shape=mask.shape) == mask).all()


def test_a_box_alone_goes_out_as_its_corners(tmp_path):
    drawn = Drawn(tmp_path / "dataset")
    first = drawn.draw()
    with drawn.dataset.writing() as edit:
        edit.remove_instance(first.id)
        edit.add(type(first)(None, first.target_id, bbox=(10.0, 20.0, 30.0, 40.0)))
        edit.add(type(first)(None, first.target_id, obb=(50.0, 0, 60, 10, 50, 20, 40, 10)))
        edit.add(type(first)(None, first.target_id))
    report = drawn.write(geojson.write, tmp_path / "out.geojson")
    table = opened(tmp_path / "out.geojson")
    assert list(table["shape"]) == ["bbox", "obb"]
    areas = [shapely.transform(g, A.lonlat_to_pixel).area for g in table.geometry]
    assert areas == pytest.approx([1200.0, 200.0])
    assert report.left_out["objects without a shape"] == 1


def test_longitudes_run_on_across_the_antimeridian(tmp_path):
    frame = framed("EPSG:32601", -180.0, 10.0, pixel=1.0)
    drawn = Drawn(tmp_path / "dataset", Frames({"x.tif": frame}))
    drawn.draw(SQUARE + np.array([470, 300]), image="x.tif")
    drawn.write(geojson.write, tmp_path / "out.geojson")
    (shape,) = opened(tmp_path / "out.geojson").geometry
    west, _, east, _ = shape.bounds
    assert east - west < 0.001 and min(abs(west), abs(east)) <= 180 <= max(abs(west), abs(east))


def test_the_parquet_file_says_what_the_standard_asks(tmp_path, drawn):
    import pyarrow.parquet

    drawn.write(geoparquet.write, tmp_path / "out.parquet")
    geo = json.loads(pyarrow.parquet.read_schema(tmp_path / "out.parquet").metadata[b"geo"])
    assert geo["version"] == "1.1.0" and geo["primary_column"] == "geometry"
    column = geo["columns"]["geometry"]
    assert column["encoding"] == "WKB" and column["crs"]["id"] == {
        "authority": "EPSG", "code": 4326,
    }  # fmt: skip


def test_targets_own_masks_are_counted(tmp_path):
    drawn = Drawn(tmp_path / "dataset")
    with drawn.dataset.writing() as edit:
        rle = Runs.empty(A.height, A.width).to_rle()
        edit.add(TargetRow(None, drawn.ids["images/a.tif"], TANK, "approved", segmentation=rle))
    report = drawn.write(geojson.write, tmp_path / "out.geojson")
    assert report.left_out["targets' own masks"] == 1


def test_without_pyarrow_the_one_line_says_what_to_install(tmp_path, drawn, monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(MissingPackageError, match="pip install pyarrow"):
        drawn.write(geoparquet.write, tmp_path / "out.parquet")
