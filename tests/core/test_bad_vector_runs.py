"""Bad map products: one line that says what, where and how to mend it, and nothing written."""

import random
import shutil
import sqlite3
import sys
import threading
from contextlib import closing, suppress
from http.server import BaseHTTPRequestHandler, HTTPServer

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ovearth_core.cli.main import main
from ovearth_core.errors import OVEarthError
from ovearth_core.predictions import read_predictions
from ovearth_core.predictions.run_files import with_side_files

from . import making
from .map_products import FORMATS, box, collection, feature, polygon, write
from .shared import DATA, needs_shared

PLACED = making.benchmark(
    images=[making.image(1, crs="EPSG:32632", transform=[1, 0, 500000, 0, -1, 5000000])]
)
GOOD = feature("v1", "hbb", box(500010, 4999970, 500030, 4999990))
BINARY = (".gpkg", ".shp", ".fgb", ".parquet")


@pytest.fixture
def refused(refuse):
    """The line for a run on the benchmark whose image lies on the map."""
    return lambda run, *options: refuse(run=run, benchmark=PLACED, options=options)


def geojson_line(tmp_path, refused, *features, options=(), **members):
    here = {"crs": {"type": "name", "properties": {"name": "EPSG:32632"}}}
    path = collection(tmp_path / "run.geojson", features, **{**here, **members})
    return refused(path, *options)


class TestColumns:
    @pytest.mark.parametrize("ending", FORMATS)
    def test_without_query_ids_the_columns_there_are_are_named(self, tmp_path, refused, ending):
        line = refused(write(tmp_path / f"run{ending}", [GOOD], without=["query_id"]))
        assert "no column 'query_id'" in line
        assert "kind, score" in line

    @pytest.mark.parametrize("ending", FORMATS)
    def test_without_a_kind_one_modality_is_asked_for(self, tmp_path, refused, ending):
        path = write(tmp_path / f"run{ending}", [GOOD], without=["kind"])
        assert "exactly one --modality" in refused(path)
        assert "exactly one --modality" in refused(path, "--modality", "hbb", "--modality", "obb")
        assert "did you mean 'hbb'" in refused(path, "--modality", "hbbs")

    def test_an_unknown_kind_is_answered_with_the_nearest_right_word(self, tmp_path, refused):
        line = geojson_line(tmp_path, refused, GOOD, {**GOOD, "kind": "masks"})
        assert "did you mean 'mask'" in line
        assert "feature 2" in line
        assert "'kind' is null" in geojson_line(tmp_path, refused, {**GOOD, "kind": None})

    @pytest.mark.parametrize(
        ("value", "said"), [(None, "null"), ("", "null"), (1.5, "1.5, not text"), (True, "True")]
    )
    def test_a_query_id_that_is_no_text_is_refused(self, tmp_path, refused, value, said):
        line = geojson_line(tmp_path, refused, GOOD, {**GOOD, "query_id": value})
        assert f"'query_id' is {said}" in line
        assert "feature 2" in line

    @pytest.mark.parametrize("value", ["high", True, [1], "nan", 1e300])
    def test_a_score_that_is_no_number_is_refused(self, tmp_path, refused, value):
        assert "'score' is" in geojson_line(tmp_path, refused, {**GOOD, "score": value})

    def test_boxes_of_one_query_all_have_a_score_or_none(self, tmp_path, refused):
        line = geojson_line(tmp_path, refused, {**GOOD, "score": 0.5}, GOOD)
        assert "feature 2, query v1" in line
        assert "some none" in line
        options = ["--min-score", "0.5"]
        assert "boxes without scores" in geojson_line(tmp_path, refused, GOOD, options=options)

    def test_unknown_queries_are_named_with_their_feature(self, tmp_path, refused):
        line = geojson_line(tmp_path, refused, GOOD, {**GOOD, "query_id": "v9"})
        assert "unknown query id 'v9'" in line
        assert "run.geojson feature 2" in line
        assert "--ignore-unknown" in line


class TestLayers:
    @pytest.mark.parametrize("ending", FORMATS)
    def test_one_without_a_feature_is_refused(self, tmp_path, refused, ending):
        line = refused(write(tmp_path / f"run{ending}", []))
        # GDAL doesn't know the empty FlatGeobuf that it has written itself.
        assert ("not recognized" if ending == ".fgb" else "error: no ") in line

    def test_several_to_choose_from_are_named(self, tmp_path, refused):
        path = tmp_path / "run.gpkg"
        for layer in ("first", "second"):
            write(path, [GOOD], layer=layer)
        line = refused(path)
        assert "several layers" in line
        assert "'first', 'second'" in line

    def test_those_that_disagree_in_crs_or_kind_are_refused(self, tmp_path, refused):
        path = tmp_path / "run.gpkg"
        write(path, [GOOD], layer="hbb")
        write(path, [{**GOOD, "kind": "obb"}], "EPSG:4326", layer="obb")
        assert "another CRS" in refused(path)
        path = write(tmp_path / "other.gpkg", [GOOD], layer="mask")
        assert "'kind' is 'hbb' in the layer 'mask'" in refused(path)


class TestGeometry:
    @pytest.mark.parametrize("kind", ["mask", "hbb", "obb"])
    @pytest.mark.parametrize(
        "geometry",
        [
            {"type": "Point", "coordinates": [1, 2]},
            {"type": "LineString", "coordinates": [[1, 2], [3, 4]]},
            {
                "type": "GeometryCollection",
                "geometries": [box(0, 0, 1, 1), {"type": "Point", "coordinates": [1, 2]}],
            },
        ],
    )
    def test_points_and_lines_among_polygons_are_named(self, tmp_path, refused, kind, geometry):
        line = geojson_line(tmp_path, refused, GOOD, feature("v2", kind, geometry))
        assert "has no area" in line
        assert "feature 2, query v2" in line

    @pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")  # shapely's, in writing
    @pytest.mark.parametrize("ending", [".csv", ".parquet", ".fgb"])
    @pytest.mark.parametrize("number", [float("nan"), float("inf")])
    def test_coordinates_that_are_not_finite_are_refused(self, tmp_path, refused, ending, number):
        bad = feature("v1", "hbb", polygon((0, 0), (1, number), (1, 1)))
        line = refused(write(tmp_path / f"run{ending}", [GOOD, bad]))
        assert "feature 2, query v1" in line or "no WKT" in line

    @pytest.mark.parametrize(
        "positions", [[(0, 0), (9, 9), (9, 0), (0, 9)], [(0, 0), (9, 9), (9, 0), (0, 9), (-1, 5)]]
    )
    def test_an_oriented_box_that_crosses_itself_is_refused(self, tmp_path, refused, positions):
        shape = polygon(*((500000 + x, 5000000 - y) for x, y in positions))
        line = refused(write(tmp_path / "run.gpkg", [feature("v1", "obb", shape)]))
        assert "cross" in line
        assert "feature 1, query v1" in line

    def test_json_that_is_no_geometry_is_refused(self, tmp_path, refused):
        for coordinates in ("x", [["a"]], [[["1", "2"], ["3", "4"], ["5", "6"]]], [[[1], [2]]]):
            bad = feature("v1", "mask", {"type": "Polygon", "coordinates": coordinates})
            assert "feature 1" in geojson_line(tmp_path, refused, bad)

    def test_csv_with_a_geometry_that_is_no_wkt_is_refused(self, tmp_path, refused):
        path = write(tmp_path / "run.csv", [GOOD, GOOD])
        text = path.read_text()
        path.write_text(text.rstrip()[:-20] + '"\n')
        line = refused(path)
        assert "no WKT" in line
        assert "feature 2" in line
        path.write_text(text.replace("WKT", "shape"))
        assert "CRS is unknown" in refused(path)
        path.write_text(text.replace("WKT", "geom").replace("POLYGON", "PLYGON"))
        assert "no WKT" in refused(path)


class TestCrs:
    @pytest.mark.parametrize("ending", FORMATS)
    def test_an_unknown_one_is_refused_with_how_to_mend(self, tmp_path, refused, ending):
        path = write(tmp_path / f"run{ending}", [GOOD], None)
        if ending == ".geojson":
            path = collection(path, [GOOD], crs=None)
        line = refused(path)
        assert "CRS is unknown" in line
        assert {".csv": ".prj", ".parquet": "set_crs"}.get(ending, "ogr2ogr -a_srs") in line

    def test_one_without_a_horizontal_plane_is_refused(self, tmp_path, refused):
        path = write(tmp_path / "run.gpkg", [GOOD])
        with sqlite3.connect(path) as database:
            database.execute("UPDATE gpkg_contents SET srs_id = -1")
            database.execute("UPDATE gpkg_geometry_columns SET srs_id = -1")
        assert "CRS" in refused(path)

    def test_a_geojson_can_not_make_anything_be_fetched(self, tmp_path, refused):
        asked = []

        class Server(BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)

        with HTTPServer(("127.0.0.1", 0), Server) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            url = f"http://127.0.0.1:{server.server_port}/crs"
            for kind, name in (("link", "href"), ("url", "url"), ("name", "name")):
                crs = {"type": kind, "properties": {name: url}}
                assert "rs" in geojson_line(tmp_path, refused, GOOD, crs=crs)
            server.shutdown()
        assert asked == []


class TestFiles:
    @pytest.mark.parametrize("part", [0.5, 0.9, 0.99])
    @pytest.mark.parametrize("ending", [*BINARY, ".geojson"])
    def test_one_that_is_cut_off_is_refused(self, tmp_path, refused, ending, part):
        path = write(tmp_path / f"run{ending}", [{**GOOD, "query_id": f"q{n}"} for n in range(300)])
        whole = path.read_bytes()
        path.write_bytes(whole[: int(len(whole) * part)])
        line = refused(path, "--ignore-unknown")
        assert any(word in line for word in ("can't be read", "cut off", "not a whole"))

    @pytest.mark.parametrize("ending", BINARY)
    def test_gdal_itself_says_nothing(self, tmp_path, ending, capfd):
        path = write(tmp_path / f"run{ending}", [{**GOOD, "query_id": f"q{n}"} for n in range(300)])
        path.write_bytes(path.read_bytes()[:-3000])
        benchmark = making.write_benchmark(tmp_path, PLACED)
        assert main(["score", str(benchmark), str(path), "--ignore-unknown"]) == 2
        printed = capfd.readouterr()
        assert printed.out == ""
        assert printed.err.count("\n") == 1

    @pytest.mark.parametrize("ending", FORMATS)
    def test_one_of_another_format_is_refused(self, tmp_path, refused, ending):
        path = tmp_path / f"run{ending}"
        path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(200))
        assert refused(path)
        shutil.copy(write(tmp_path / "other.fgb", [GOOD]), path)
        if ending != ".fgb":
            assert refused(path)

    @pytest.mark.parametrize("ending", FORMATS)
    def test_one_that_is_not_there_is_refused(self, tmp_path, refused, ending):
        assert "no such file" in refused(tmp_path / f"none{ending}")

    @given(seed=st.integers(0, 10**9), ending=st.sampled_from(FORMATS))
    @settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
    def test_damaged_bytes_are_read_or_refused_and_nothing_else(
        self, tmp_path_factory, seed, ending
    ):
        path = write(tmp_path_factory.mktemp("damaged") / f"run{ending}", [GOOD] * 20)
        rng = random.Random(seed)
        victim = rng.choice(with_side_files(path))
        whole = bytearray(victim.read_bytes())
        for _ in range(rng.choice([1, 3, 20])):
            whole[rng.randrange(len(whole))] = rng.randrange(256)
        victim.write_bytes(whole)
        found = ["refused"]
        with suppress(OVEarthError):
            found = [type(record).__name__ for record in read_predictions(path)]
        assert set(found) in ({"Record"}, {"refused"})

    def test_an_attribute_file_that_is_cut_off_is_refused_too(self, tmp_path, refused):
        path = write(tmp_path / "run.shp", [{**GOOD, "query_id": f"q{n}"} for n in range(300)])
        dbf = path.with_suffix(".dbf")
        dbf.write_bytes(dbf.read_bytes()[:20000])
        assert "DBF" in refused(path, "--ignore-unknown")

    @pytest.mark.parametrize(
        ("geo", "said"),
        [
            (None, "no 'geo' metadata"),
            (b"{", "no primary column"),
            (b'{"primary_column": "g", "columns": {"g": {"encoding": "polygon"}}}', "'polygon'"),
            (b'{"primary_column": "h", "columns": {"h": {"encoding": "WKB"}}}', "no column 'h'"),
            (b'{"primary_column": "g", "columns": {"g": {"encoding": "WKB"}}}', "no WKB"),
        ],
    )
    def test_parquet_that_is_no_geoparquet_is_refused(self, tmp_path, refused, geo, said):
        table = pyarrow.table({"query_id": ["v1"], "kind": ["hbb"], "g": [b"\x01\x02"]})
        table = table.replace_schema_metadata({} if geo is None else {b"geo": geo})
        pyarrow.parquet.write_table(table, tmp_path / "run.parquet")
        assert said in refused(tmp_path / "run.parquet")

    @pytest.mark.parametrize(
        ("package", "ending"),
        [("fiona", ".gpkg"), ("fiona", ".csv"), ("pyarrow", ".parquet"), ("shapely", ".parquet")],
    )
    def test_a_missing_package_is_named(self, tmp_path, refused, monkeypatch, package, ending):
        path = write(tmp_path / f"run{ending}", [GOOD])
        for name in [name for name in sys.modules if name.split(".")[0] == package]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, package, None)
        assert package in refused(path).partition("pip install")[2]

    def test_no_output_replaces_a_file_beside_the_run(self, tmp_path, capsys):
        path = write(tmp_path / "run.shp", [GOOD])
        benchmark = making.write_benchmark(tmp_path, PLACED)
        before = path.with_suffix(".dbf").read_bytes()
        output = ["--json", str(path.with_suffix(".dbf"))]
        assert main(["score", str(benchmark), str(path), *output]) == 2
        assert "would replace what is read" in capsys.readouterr().err
        assert path.with_suffix(".dbf").read_bytes() == before


@needs_shared
def test_a_detectors_csv_in_pixels_is_told_what_it_lacks(refuse):
    (path,) = (DATA / "predictions").glob("*.csv")
    line = refuse(run=path)
    assert "no column 'query_id' (there are: image_path, xmin" in line


@pytest.mark.parametrize("srs_id", [0, -1])
def test_a_geopackage_that_says_its_crs_is_undefined_is_refused(refuse, tmp_path, srs_id):
    features = [feature("v1", "hbb", box(9, 47, 10, 48))]
    path = write(tmp_path / "run.gpkg", features, "EPSG:4326")
    with closing(sqlite3.connect(path)) as package, package:
        for table in ("gpkg_geometry_columns", "gpkg_contents"):
            package.execute(f"UPDATE {table} SET srs_id = ?", (srs_id,))
    line = refuse(run=path)
    assert "its CRS is unknown" in line
    assert "-a_srs" in line
