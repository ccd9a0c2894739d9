"""Vector files and GeoParquet: any CRS, by mapping, column or tags; only the wanted bytes."""

import json

import fiona
import numpy as np
import pytest
import shapely
from pyproj import Transformer
from shapely.geometry import mapping as geojson

from ovearth_core.collection.pois import Dropped, area_of
from ovearth_core.collection.pois.category_mapping import CategoryMapping, read_mapping, tags_of
from ovearth_core.collection.pois.parquet_places import ParquetPlaces
from ovearth_core.collection.pois.source import no_progress
from ovearth_core.collection.pois.vector_file import VectorFile
from ovearth_core.collection.service_errors import RefusedError, ServiceError
from ovearth_core.errors import InputError, UsageError
from ovearth_core.taxonomy import load

from .misbehaving import HASTY, ranges_of, reply, serving

TAXONOMY = load()
GLOBE = area_of(-180, -90, 180, 90, wide=True)
PLACES = [(8.5, 47.3), (8.6, 47.4), (8.7, 47.5)]
DRIVERS = {".gpkg": "GPKG", ".shp": "ESRI Shapefile", ".fgb": "FlatGeobuf"}
GAS = CategoryMapping("class", {"gas_station": ("fuel-station",)})


def search(source, names=("fuel-station",), area=GLOBE):
    return list(source.search([TAXONOMY[name] for name in names], area, no_progress))


def write(path, crs="EPSG:4326", geometries=None, **columns):
    """A vector file of features, given in longitude and latitude."""
    to_map = Transformer.from_crs("EPSG:4326", crs, always_xy=True).transform
    shapes = geometries or [shapely.Point(place) for place in PLACES]
    columns = columns or {"amenity": ["fuel"] * len(shapes)}
    kind = shapes[0].geom_type
    schema = {"geometry": kind, "properties": dict.fromkeys(columns, "str")}
    with fiona.open(path, "w", driver=DRIVERS[path.suffix], crs=crs, schema=schema) as layer:
        for index, shape in enumerate(shapes):
            moved = shapely.transform(shape, lambda xy: np.column_stack(to_map(*xy.T)))
            properties = {name: values[index] for name, values in columns.items()}
            layer.write({"geometry": geojson(moved), "properties": properties})
    return path


class TestVectorFiles:
    @pytest.mark.parametrize(
        ("crs", "lon", "lat"),
        [("EPSG:4326", 8.5, 47.3), ("EPSG:2056", 8.5, 47.3), ("EPSG:32632", 8.5, 47.3),
         ("EPSG:3857", 8.5, 47.3), ("EPSG:31370", 4.3, 50.8), ("EPSG:2263", -74.0, 40.7),
         ("EPSG:3031", 30.0, -75.0), ("EPSG:3832", -178.0, -17.0)],
    )  # fmt: skip
    @pytest.mark.parametrize("ending", DRIVERS)
    def test_every_crs_and_format_comes_to_the_same_places(self, tmp_path, crs, lon, lat, ending):
        places = [(lon + step, lat + step) for step in (0, 0.1, 0.2)]
        path = write(tmp_path / f"a{ending}", crs, [shapely.Point(place) for place in places])
        found = search(VectorFile(path), area=area_of(lon - 1, lat - 1, lon + 1, lat + 1))
        found.sort(key=lambda poi: poi.lon)  # FlatGeobuf has an order of its own
        for poi, place in zip(found, places, strict=True):
            assert (poi.lon, poi.lat) == pytest.approx(place, abs=2e-5)

    def test_a_prime_meridian_of_its_own_is_heeded(self, tmp_path):
        geometries = [shapely.Point(2.35, 48.85)]
        path = write(tmp_path / "a.gpkg", "EPSG:27572", geometries)
        (poi,) = search(VectorFile(path), area=area_of(2, 48, 3, 49))
        assert (poi.lon, poi.lat) == pytest.approx((2.35, 48.85), abs=1e-4)

    def test_polygons_are_at_the_centre_of_their_bounds_and_are_areas(self, tmp_path):
        ring = shapely.Polygon([(8, 47), (9, 47), (9, 47.5), (8.1, 48)])
        path = write(tmp_path / "a.gpkg", "EPSG:4326", [ring], landuse=["vineyard"])
        (poi,) = search(VectorFile(path), ("vineyard",))
        assert (poi.lon, poi.lat) == (8.5, 47.5)
        assert poi.bounds == (8, 47, 9, 48)

    def test_a_polygon_past_180_is_across_it(self, tmp_path):
        ring = shapely.box(179.5, -17, 180.9, -16)
        path = write(tmp_path / "a.gpkg", "EPSG:4326", [ring], landuse=["vineyard"])
        (poi,) = search(VectorFile(path), ("vineyard",), area_of(179, -20, -179, -10))
        assert poi.lon == pytest.approx(-179.8)
        assert poi.bounds == pytest.approx((179.5, -17, -179.1, -16))

    def test_only_places_in_the_box_are_found(self, tmp_path):
        path = write(tmp_path / "a.gpkg", "EPSG:2056")
        assert len(search(VectorFile(path), area=area_of(8.55, 47, 9, 48))) == 2

    def test_columns_may_be_tags_and_other_tags_is_unpacked(self, tmp_path):
        packed = ['"brand"=>"Avia","boat"=>"yes"', '"brand"=>"Say \\"hi\\""', None]
        path = write(tmp_path / "a.gpkg", amenity=["fuel", "fuel", "bar"], other_tags=packed)
        (poi,) = search(VectorFile(path))
        assert poi.tags == {"amenity": "fuel", "brand": 'Say "hi"'}

    def test_a_mapping_says_what_a_value_means(self, tmp_path):
        path = write(tmp_path / "a.gpkg", **{"class": ["gas_station", "bar", "gas_station"]})
        assert len(search(VectorFile(path, GAS))) == 2
        everything = CategoryMapping("class", {"bar": (), "*": ("fuel-station",)})
        assert len(search(VectorFile(path, everything))) == 2

    def test_a_column_category_has_ids_names_or_numbers(self, tmp_path):
        path = write(tmp_path / "a.gpkg", category=["fuel-station", "Fuel Station", "29"])
        assert len(search(VectorFile(path), ("fuel-station", "school"))) == 3

    def test_of_several_layers_those_are_searched_that_say_a_category(self, tmp_path, caplog):
        path = tmp_path / "a.gpkg"
        for layer, columns in (("borders", {"n": "1"}), ("places", {"class": "gas_station"}),
                               ("more", {"category": "fuel-station"})):  # fmt: skip
            schema = {"geometry": "Point", "properties": dict.fromkeys(columns, "str")}
            with fiona.open(path, "w", "GPKG", schema, "EPSG:4326", layer=layer) as written:
                point = {"type": "Point", "coordinates": (9, 47)}
                written.write({"geometry": point, "properties": columns})
        assert [p.reference for p in search(VectorFile(path))] == ["a/more:1"]
        assert "left out: borders, places" in caplog.text
        assert [p.reference for p in search(VectorFile(path, GAS))] == ["a/places:1"]
        names = ("fuel-station", "school")
        assert [p.reference for p in search(VectorFile(path), names)] == ["a/more:1"]
        with pytest.raises(UsageError, match="no column 'other'"):
            search(VectorFile(path, CategoryMapping("other", {"a": ("school",)})))

    def test_a_number_of_a_category_may_have_become_a_float(self, tmp_path):
        path = tmp_path / "a.csv"
        number = TAXONOMY["fuel-station"].number
        path.write_text(f"lon,lat,category_id\n9,47,{number}\n9,48,{number}.0\n9,49,{number}.5\n")
        assert [p.lat for p in search(VectorFile(path))] == [47, 48]

    def test_a_file_that_says_nothing_is_all_of_the_one_category_wanted(self, tmp_path):
        path = write(tmp_path / "a.gpkg", note=["a", "b", "c"])
        assert len(search(VectorFile(path))) == 3
        with pytest.raises(UsageError, match="--mapping"):
            search(VectorFile(path), ("fuel-station", "school"))

    def test_references_are_osms_where_they_can_be_and_stable_anyway(self, tmp_path):
        path = write(tmp_path / "a.gpkg", full_id=["w12", "relation/3", ""], name=["x", "y", "z"])
        found = search(VectorFile(path))
        assert [p.reference for p in found] == ["osm:way/12", "osm:relation/3", "a/a:3"]
        assert [p.name for p in found] == ["x", "y", "z"]

    def test_csv_with_longitude_and_latitude(self, tmp_path):
        path = tmp_path / "a.csv"
        path.write_text("\ufeffname,Longitude,Latitude\nA,8.5,47.3\nB,,\n\nC,8.6,47.4\n")
        found = search(VectorFile(path))
        assert [p.reference for p in found if isinstance(p, Dropped)] == ["a:2"]
        assert [(p.name, p.lon) for p in found if not isinstance(p, Dropped)] == [
            ("A", 8.5), ("C", 8.6),
        ]  # fmt: skip

    def test_longitudes_of_no_globe_are_no_places(self, tmp_path):
        path = tmp_path / "a.csv"
        path.write_text("lon,lat\n1e300,47\nnan,47\n-inf,47\n9,nan\n369.5,47\n2760000,47\n")
        found = search(VectorFile(path))
        assert [p.lon for p in found if not isinstance(p, Dropped)] == [9.5]
        assert len(found) == 6

    def test_an_empty_point_is_not_in_the_gulf_of_guinea(self, tmp_path):
        path = tmp_path / "a.csv"
        path.write_text('wkt,n\nPOINT EMPTY,1\n"POINT Z EMPTY",2\nPOINT (0 0),3\nPOINT (9 47),4\n')
        found = search(VectorFile(path))
        assert [(p.lon, p.lat) for p in found if not isinstance(p, Dropped)] == [(0, 0), (9, 47)]
        assert [p.reason for p in found if isinstance(p, Dropped)] == ["no coordinates"] * 2

    def test_a_geometry_with_an_empty_point_in_it_is_named(self, tmp_path):
        path = tmp_path / "a.csv"
        path.write_text('wkt,n\n"GEOMETRYCOLLECTION (POINT EMPTY, POINT (1 2))",1\n')
        with pytest.raises(InputError, match="feature 1"):
            search(VectorFile(path))

    def test_a_name_has_no_end_of_text_in_it(self, tmp_path):
        (tmp_path / "a.csv").write_bytes(b"lon,lat,name\n9,47,a\0b\n")
        assert search(VectorFile(tmp_path / "a.csv"))[0].name == "ab"

    @pytest.mark.parametrize("line", ["A,x,47", "A,8", "A,8,9,10"])
    def test_a_faulty_line_of_csv_is_named(self, tmp_path, line):
        (tmp_path / "a.csv").write_text(f"name,lon,lat\nA,8,47\n{line}\n")
        with pytest.raises(InputError, match="line 3"):
            search(VectorFile(tmp_path / "a.csv"))

    @pytest.mark.parametrize(
        "geometry",
        [
            {"type": "Point", "coordinates": "x"}, {"type": "Poi]t", "coordinates": [9, 47]},
            {"type": "Point"}, {"type": "Point", "coordinates": [9]}, {"coordinates": [9, 47]},
            {"type": "Polygon", "coordinates": [[[9, 47], [9, 47]]]},
            {"type": "LineString", "coordinates": [[9, 47]]},
            {"type": "GeometryCollection", "geometries": [{"type": "x"}]},
        ],
    )  # fmt: skip
    def test_geojson_with_a_broken_geometry_is_named(self, tmp_path, geometry):
        bad = {"type": "Feature", "properties": {}, "geometry": geometry}
        text = json.dumps({"type": "FeatureCollection", "features": [bad]})
        (tmp_path / "a.geojson").write_text(text)
        with pytest.raises(InputError, match="feature 1"):
            search(VectorFile(tmp_path / "a.geojson"))

    def test_a_file_without_a_crs_is_refused(self, tmp_path):
        path = write(tmp_path / "a.shp")
        path.with_suffix(".prj").unlink()
        with pytest.raises(InputError, match="CRS is missing"):
            search(VectorFile(path))

    def test_a_dataset_is_not_opened(self, tmp_path):
        with pytest.raises(InputError, match="dataset"):
            VectorFile(tmp_path / "dataset.gpkg")
        write(tmp_path / "dataset.gpkg")
        (tmp_path / "link.gpkg").symlink_to(tmp_path / "dataset.gpkg")
        with pytest.raises(InputError, match="dataset"):
            VectorFile(tmp_path / "link.gpkg")

    def test_places_beyond_the_globe_are_dropped(self, tmp_path):
        text = json.dumps({"type": "FeatureCollection", "features": [
            {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": c}}
            for c in ([9, 95], [9, 47])]})  # fmt: skip
        (tmp_path / "a.geojson").write_text(text)
        assert [type(p).__name__ for p in search(VectorFile(tmp_path / "a.geojson"))] == [
            "Dropped", "Poi",
        ]  # fmt: skip


class TestMappings:
    def read(self, tmp_path, text):
        (tmp_path / "m.json").write_text(text)
        return read_mapping(tmp_path / "m.json", TAXONOMY)

    def test_names_of_categories_are_found_in_the_taxonomy(self, tmp_path):
        text = '{"column": "a.b", "values": {"x": "Fuel station", "y": ["school", "church"]}}'
        found = self.read(tmp_path, text)
        assert found.values == {"x": ("fuel-station",), "y": ("school", "church")}

    @pytest.mark.parametrize(
        "text",
        ["[]", "{}", '{"column": 3, "values": {"a": "school"}}', '{"column": "c", "values": {}}',
         '{"column": "c", "values": {"a": 3}}', '{"column": "c", "values": {"a": "skool"}}',
         '{"column": "c", "values": {"a": "school"}, "id": 3}', "nonsense"],
    )  # fmt: skip
    def test_what_is_none_is_refused(self, tmp_path, text):
        with pytest.raises(InputError, match=r"m\.json"):
            self.read(tmp_path, text)

    def test_an_unknown_column_is_refused_with_those_there_are(self, tmp_path):
        path = write(tmp_path / "a.gpkg", kind=["a", "b", "c"])
        with pytest.raises(UsageError, match=r"no column 'class' \(there are: kind\)"):
            search(VectorFile(path, GAS))

    def test_properties_become_texts(self):
        assert tags_of({"a": 1, "b": 1.5, "c": None, "d": True, "e": {"f": [1]}, "g": ""}) == {
            "a": "1", "b": "1.5", "d": "yes", "e": '{"f": [1]}',
        }  # fmt: skip


OVERTURE = CategoryMapping(
    "categories.primary", {"gas_station": ("fuel-station",)}, name="names.primary"
)


def write_overture(path, lonlat, row_group_size=100, covering=True, classes=None):
    """A file as Overture Maps writes its places, sorted so that row groups are compact."""
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")
    import pyarrow.parquet as pq

    x, y = lonlat.T
    count = len(x)
    classes = classes or ["gas_station" if i % 2 == 0 else "bar" for i in range(count)]
    table = pa.table(
        {
            "id": [f"08f{i:05d}" for i in range(count)],
            "geometry": shapely.to_wkb(shapely.points(lonlat)).tolist(),
            "categories": [{"primary": c, "alternate": ["x"]} for c in classes],
            "names": [{"primary": f"Place {i}", "common": None} for i in range(count)],
            "bbox": [
                {"xmin": a, "xmax": a, "ymin": b, "ymax": b}
                for a, b in zip(x.tolist(), y.tolist(), strict=True)
            ],
            "padding": [str(i) * 200 for i in range(count)],
        }
    )
    column = {"encoding": "WKB", "geometry_types": ["Point"]}
    if covering:
        column["covering"] = {"bbox": {s: ["bbox", s] for s in ("xmin", "ymin", "xmax", "ymax")}}
    else:
        table = table.drop(["bbox"])
    geo = {"version": "1.1.0", "primary_column": "geometry", "columns": {"geometry": column}}
    table = table.replace_schema_metadata({"geo": json.dumps(geo)})
    pq.write_table(table, path, row_group_size=row_group_size)
    return path


@pytest.fixture
def overture(tmp_path):
    """2,000 places in 20 row groups, each a strip of 1° of longitude."""
    rng = np.random.default_rng(1)
    lonlat = np.column_stack([np.sort(rng.uniform(0, 20, 2000)), rng.uniform(40, 50, 2000)])
    return write_overture(tmp_path / "places.parquet", lonlat), lonlat


STRIP = area_of(5.2, 40, 5.8, 50)


class TestGeoParquet:
    def expected(self, lonlat):
        inside = [i for i, (x, y) in enumerate(lonlat) if STRIP.contains(x, y) and i % 2 == 0]
        return [f"places:08f{i:05d}" for i in inside]

    def test_only_row_groups_that_meet_the_box_are_read(self, overture):
        path, lonlat = overture
        source = ParquetPlaces(str(path), OVERTURE)
        found = search(source, area=STRIP)
        assert [poi.reference for poi in found] == self.expected(lonlat)
        assert source.row_groups == 20
        assert source.row_groups_read <= 3
        assert found[0].name.startswith("Place ")
        assert json.loads(found[0].tags["categories"])["primary"] == "gas_station"
        assert "bbox" not in found[0].tags

    def test_over_http_only_the_wanted_bytes_travel(self, overture):
        path, lonlat = overture
        content = path.read_bytes()
        with serving(ranges_of(content)) as (url, asked):
            source = ParquetPlaces(f"{url}/places.parquet", OVERTURE, HASTY)
            found = search(source, area=STRIP)
        assert [poi.reference for poi in found] == self.expected(lonlat)
        assert source.bytes_read < len(content) / 3
        assert source.requests == len(asked)

    def test_a_folder_of_parts_is_one_source(self, overture, tmp_path):
        _, lonlat = overture
        parts = tmp_path / "parts"
        parts.mkdir()
        write_overture(parts / "a.parquet", lonlat[:1000])
        write_overture(parts / "b.parquet", lonlat[1000:])
        found = search(ParquetPlaces(str(parts), OVERTURE), area=STRIP)
        assert len(found) == len(self.expected(lonlat))

    def test_without_bounds_everything_is_looked_at(self, overture, tmp_path):
        _, lonlat = overture
        plain = write_overture(tmp_path / "places.geoparquet", lonlat, covering=False)
        found = search(ParquetPlaces(str(plain), OVERTURE), area=STRIP)
        assert [poi.reference for poi in found] == self.expected(lonlat)

    def test_across_180(self, tmp_path):
        path = write_overture(tmp_path / "p.parquet", np.array([[-179.5, 0], [0, 0], [179.5, 0]]),
                              row_group_size=1, classes=["gas_station"] * 3)  # fmt: skip
        source = ParquetPlaces(str(path), OVERTURE)
        assert len(search(source, area=area_of(179, -1, -179, 1))) == 2
        assert source.row_groups_read == 2

    def test_an_outline_across_180_is_found_though_others_lie_beside_it(self, tmp_path):
        pa = pytest.importorskip("pyarrow")
        import pyarrow.parquet as pq

        outlines = [shapely.box(179.9, 0, 180.3, 1), shapely.box(179.5, 0, 179.6, 1)]
        sides = [(179.9, -179.7), (179.5, 179.6)]
        table = pa.table({
            "geometry": shapely.to_wkb(outlines).tolist(),
            "bbox": [{"xmin": w, "xmax": e, "ymin": 0.0, "ymax": 1.0} for w, e in sides],
        })  # fmt: skip
        geo = {"primary_column": "geometry", "columns": {"geometry": {"encoding": "WKB"}}}
        path = tmp_path / "a.parquet"
        pq.write_table(table.replace_schema_metadata({"geo": json.dumps(geo)}), path)
        (poi,) = search(ParquetPlaces(str(path)), area=area_of(-180, -10, -179, 10))
        assert poi.lon == pytest.approx(-179.9)

    def test_geopandas_files_in_another_crs_are_read(self, tmp_path):
        geopandas = pytest.importorskip("geopandas")
        pytest.importorskip("pyarrow")
        frame = geopandas.GeoDataFrame(
            {"amenity": ["fuel"] * 3}, geometry=[shapely.Point(p) for p in PLACES], crs=4326
        )
        frame.to_crs(2056).to_parquet(tmp_path / "a.parquet")
        found = search(ParquetPlaces(str(tmp_path / "a.parquet")))
        for poi, place in zip(found, PLACES, strict=True):
            assert (poi.lon, poi.lat) == pytest.approx(place, abs=2e-5)

    @pytest.mark.parametrize("content", [b"", b"PAR1", b"nonsense" * 100])
    def test_a_damaged_file_is_said(self, tmp_path, content):
        pytest.importorskip("pyarrow")
        (tmp_path / "a.parquet").write_bytes(content)
        with pytest.raises(InputError, match=r"a\.parquet"):
            search(ParquetPlaces(str(tmp_path / "a.parquet"), OVERTURE))

    def test_a_server_without_ranges_is_said(self, overture):
        with serving([reply(overture[0].read_bytes())]) as (url, asked):
            source = ParquetPlaces(f"{url}/places.parquet", OVERTURE, HASTY)
            with pytest.raises(RefusedError, match="no ranges"):
                search(source)
        assert len(asked) == 1

    @pytest.mark.parametrize(
        "edition",
        [
            lambda n: {"ETag": f'"{n > 3}"'},
            lambda n: {"Last_Modified": f"Thu, 01 Jan 2026 00:00:0{int(n > 3)} GMT"},
        ],
    )
    def test_a_file_that_is_replaced_meanwhile_is_no_mixture_of_two(self, overture, edition):
        asked_for = []

        def answer(asked):
            asked_for.append(asked)
            return ranges_of(overture[0].read_bytes(), **edition(len(asked_for)))(asked)

        with serving(answer) as (url, _), pytest.raises(ServiceError, match="replaced while"):
            search(ParquetPlaces(f"{url}/places.parquet", OVERTURE, HASTY), area=STRIP)

    def test_mirrors_with_etags_of_their_own_are_one_server(self, overture):
        path, lonlat = overture
        asked_for = []

        def answer(asked):
            asked_for.append(asked)
            same = "Thu, 01 Jan 2026 00:00:00 GMT"
            name = f'"{len(asked_for)}"'
            return ranges_of(path.read_bytes(), ETag=name, Last_Modified=same)(asked)

        with serving(answer) as (url, _):
            found = search(ParquetPlaces(f"{url}/places.parquet", OVERTURE, HASTY), area=STRIP)
        assert len(found) == len(self.expected(lonlat))

    def test_a_server_that_moved_it_says_where_to_as_a_whole_address(self):
        moved = serving([reply("", 302, Location="/other/places.parquet")])
        with moved as (url, _), pytest.raises(RefusedError, match=f"{url}/other/places.parquet"):
            search(ParquetPlaces(f"{url}/places.parquet", OVERTURE, HASTY))

    @pytest.mark.parametrize("status", [403, 404, 500])
    def test_a_servers_fault_is_said(self, status):
        gone = serving([reply("gone", status)])
        with gone as (url, _), pytest.raises(ServiceError, match=f"status {status}"):
            search(ParquetPlaces(f"{url}/places.parquet", OVERTURE, HASTY))


SQUARE = [[9.5, 47.1], [9.52, 47.1], [9.52, 47.12], [9.5, 47.1]]


def write_native(path, encoding, values, **columns):
    """GeoParquet with GeoArrow's own coordinates, row groups of one row."""
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")
    import pyarrow.parquet as pq

    kind = pa.struct([("x", pa.float64()), ("y", pa.float64())])
    nesting = {"point": 0, "linestring": 1, "multipoint": 1, "polygon": 2, "multipolygon": 3}
    for _ in range(nesting[encoding]):
        kind = pa.list_(kind)
    table = pa.table({"geometry": pa.array(values, kind), **columns})
    geo = {"primary_column": "geometry", "columns": {"geometry": {"encoding": encoding}}}
    pq.write_table(table.replace_schema_metadata({"geo": json.dumps(geo)}), path, row_group_size=1)
    return str(path)


def as_points(ring):
    return [{"x": x, "y": y} for x, y in ring]


class TestNativeEncodings:
    """GeoParquet 1.1 allows coordinates that are no well-known binary."""

    @pytest.mark.parametrize(
        ("encoding", "value"),
        [
            ("linestring", as_points(SQUARE)),
            ("multipoint", as_points(SQUARE)),
            ("polygon", [as_points(SQUARE)]),
            ("multipolygon", [[as_points(SQUARE[:3])], [as_points(SQUARE)]]),
        ],
    )
    def test_all_vertices_make_the_bounds(self, tmp_path, encoding, value):
        path = write_native(tmp_path / "a.parquet", encoding, [value, None])
        poi, dropped = search(ParquetPlaces(path))
        assert (poi.lon, poi.lat) == pytest.approx((9.51, 47.11))
        assert poi.bounds == (9.5, 47.1, 9.52, 47.12)
        assert dropped.reason == "no coordinates"

    def test_points_are_their_own_bounds(self, tmp_path):
        points = as_points([[-100.0, 10.0], [9.6, 47.2], [120.0, -30.0]])
        source = ParquetPlaces(write_native(tmp_path / "a.parquet", "point", points))
        (poi,) = search(source, area=area_of(9, 47, 10, 48))
        assert (poi.lon, poi.lat, poi.bounds) == (9.6, 47.2, None)
        assert (source.row_groups_read, source.row_groups) == (1, 3)

    def test_an_encoding_that_there_is_not_is_refused(self, tmp_path):
        path = write_native(tmp_path / "a.parquet", "point", as_points([[9.6, 47.2]]))
        import pyarrow.parquet as pq

        geo = {"primary_column": "geometry", "columns": {"geometry": {"encoding": "wkx"}}}
        table = pq.read_table(path).replace_schema_metadata({"geo": json.dumps(geo)})
        pq.write_table(table, path)
        with pytest.raises(InputError, match="no encoding of GeoParquet"):
            search(ParquetPlaces(path))

    def test_tags_may_be_a_map(self, tmp_path):
        pa = pytest.importorskip("pyarrow")
        tags = pa.array(
            [[("amenity", "fuel"), ("name", "Avia")], [("amenity", "bar")], [], None],
            pa.map_(pa.string(), pa.string()),
        )
        places = as_points([[9.6, 47.2]] * 4)
        path = write_native(tmp_path / "a.parquet", "point", places, tags=tags)
        (poi,) = search(ParquetPlaces(path))
        assert (poi.name, poi.tags["amenity"]) == ("Avia", "fuel")
