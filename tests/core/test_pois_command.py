"""`ovearth pois search`, whole: what it writes and what it refuses; nothing is half-written."""

import csv
import json
import sys
from collections import Counter

import fiona
import pytest

from ovearth_core.cli.main import main
from ovearth_core.collection.continents import CONTINENTS
from ovearth_core.collection.pois.into_dataset import category_row
from ovearth_core.dataset import CategoryRow, Dataset, PoiRow
from ovearth_core.taxonomy import load

from .misbehaving import cut_off, hang_up, reply, serving
from .osm_extract import LIECHTENSTEIN
from .shared import needs_shared
from .test_pois_osm_file import OSM

pytest.importorskip("osmium", reason="osmium is not installed: pip install osmium")
BOX = ["--bbox", "9.4", "47.0", "9.7", "47.3"]
GLOBE = ["--bbox", "-180", "-90", "180", "90", "--wide"]


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "by-hand.osm"
    path.write_text(OSM, encoding="utf-8")
    return str(path)


@pytest.fixture
def run(tmp_path, capsys):
    """Run a search; return its exit code, what it printed, and its one error line."""

    def run(*arguments):
        code = main(["pois", "search", *map(str, arguments)])
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        if code:
            assert code == 2
            assert printed.out == ""
            assert printed.err.startswith("error: ")
            assert printed.err.count("\n") == 1
        return code, printed.out, printed.err

    return run


def features(path):
    return json.loads(path.read_text(encoding="utf-8"))["features"]


class TestFiles:
    def test_geojson_geopackage_and_csv_say_the_same(self, run, tmp_path, source):
        kept = {}
        for ending in ("geojson", "gpkg", "csv"):
            out = tmp_path / f"out.{ending}"
            code, _, _ = run("--category", "school", *GLOBE, "--source", source, "--out", out)
            assert code == 0
            if ending == "geojson":
                rows = [(f["properties"], f["geometry"]["coordinates"]) for f in features(out)]
            elif ending == "gpkg":
                with fiona.open(out) as layer:
                    assert layer.crs.to_epsg() == 4326
                    rows = [(dict(f.properties), list(f.geometry.coordinates)) for f in layer]
            else:
                with out.open(encoding="utf-8", newline="") as file:
                    rows = [(r, [float(r["lon"]), float(r["lat"])]) for r in csv.DictReader(file)]
            kept[ending] = {
                (
                    r["reference"],
                    r["category"],
                    int(r["category_number"]),
                    r["name"] or None,
                    *place,
                )
                for r, place in rows
            }
            tags = {json.dumps(r["tags"]) if ending == "geojson" else r["tags"] for r, _ in rows}
            assert any("school" in text for text in tags)
        assert kept["geojson"] == kept["gpkg"] == kept["csv"]
        assert len(kept["csv"]) == 3

    def test_what_it_writes_can_be_searched_again(self, run, tmp_path, source):
        first = tmp_path / "first.csv"
        run("--category", "school", *GLOBE, "--source", source, "--out", first)
        for number, ending in enumerate(("gpkg", "geojson", "csv")):
            out = tmp_path / f"{number}.{ending}"
            code, _, _ = run("--category", "school", *GLOBE, "--source", first, "--out", out)
            assert code == 0
            first = out
        with first.open(encoding="utf-8", newline="") as file:
            rows = {row["reference"]: row for row in csv.DictReader(file)}
        assert {"osm:way/5", "osm:way/7"} < set(rows)
        assert json.loads(rows["osm:way/5"]["tags"]) == {"amenity": "school"}

    def test_the_report_gives_each_drop_its_reason(self, run, tmp_path, source):
        out, report = tmp_path / "o.csv", tmp_path / "r.json"
        run("--category", "school", *GLOBE, "--source", source, "--out", out, "--report", report,
            "--limit", 1)  # fmt: skip
        document = json.loads(report.read_text())
        assert document["format"] == "ovearth-pois-report/1"
        assert document["chosen"] == 1
        assert document["categories"]["school"] == {"found": 5, "chosen": 1}
        assert sum(document["dropped"].values()) == len(document["dropped_places"]) == 4
        assert set(document["dropped"]) >= {"no coordinates", "over the limit"}

    def test_the_counts_are_printed(self, run, tmp_path, source):
        out = tmp_path / "o.csv"
        _, printed, _ = run("--category", "school", *GLOBE, "--source", source, "--out", out)
        assert "school" in printed
        assert "dropped: 1 duplicate, 1 no coordinates" in printed

    def test_the_same_seed_writes_the_same_bytes(self, run, tmp_path, source):
        for name in ("a.geojson", "b.geojson"):
            run("--category", "school", "--category", "fuel-station", *GLOBE, "--source", source,
                "--seed", 7, "--limit", 2, "--out", tmp_path / name)  # fmt: skip
        assert (tmp_path / "a.geojson").read_bytes() == (tmp_path / "b.geojson").read_bytes()

    def test_a_category_may_be_named_in_any_way_and_twice(self, run, tmp_path, source):
        out = tmp_path / "o.geojson"
        names = ["--category", "Fuel Station", "--category", "29", "--category", "fuel-station"]
        run(*names, *GLOBE, "--source", source, "--out", out)
        assert len(features(out)) == 1

    def test_a_box_in_another_crs(self, run, tmp_path, source):
        out = tmp_path / "o.geojson"
        code, _, _ = run("--category", "fuel-station", "--bbox", 2.2e6, 1.1e6, 2.4e6, 1.4e6,
                         "--bbox-crs", "EPSG:3857", "--source", source, "--out", out)  # fmt: skip
        assert code == 0
        assert len(features(out)) == 1

    @needs_shared
    def test_a_real_extract_keeps_limit_and_spacing(self, run, tmp_path):
        out = tmp_path / "o.geojson"
        run("--category", "fuel-station", "--category", "school", *BOX, "--source", LIECHTENSTEIN,
            "--limit", 7, "--min-spacing", 800, "--out", out)  # fmt: skip
        counts = Counter(f["properties"]["category"] for f in features(out))
        assert max(counts.values()) <= 7
        assert {f["properties"]["continent"] for f in features(out)} == {"Europe"} <= {*CONTINENTS}


class TestDataset:
    def test_places_become_candidates_with_their_categories_and_are_not_added_twice(
        self, run, tmp_path, source
    ):
        dataset = Dataset.create(tmp_path / "ds")
        arguments = [
            "--category",
            "school",
            *GLOBE,
            "--source",
            source,
            "--dataset",
            tmp_path / "ds",
        ]
        assert run(*arguments, "--who", "anna")[0] == 0
        code, printed, _ = run(*arguments)
        assert code == 0
        assert "4 in the dataset already" in printed
        with dataset.reading() as view:
            rows = list(view.pois())
            assert [category.slug for category in view.categories()] == ["school"]
        assert len(rows) == 3
        by_reference = {row.source_id: row for row in rows}
        row = by_reference["osm:way/7"]
        assert (row.lon, row.lat, row.state, row.category_id) == (20.5, 10.0, "candidate", 32)
        assert row.tags == {"amenity": "school"}
        assert row.created_by == "anna"
        assert row.extra["continent"] == "Africa"
        assert row.source.startswith("OpenStreetMap")

    def test_what_was_rejected_stays_rejected(self, run, tmp_path, source):
        dataset = Dataset.create(tmp_path / "ds")
        school = load()["school"]
        with dataset.writing() as edit:
            edit.add(category_row(school))
            edit.add(PoiRow(None, 20.5, 10.0, 32, state="rejected", source_id="osm:way/7"))
        run("--category", "school", *GLOBE, "--source", source, "--dataset", tmp_path / "ds")
        with dataset.reading() as view:
            assert [row.state for row in view.pois() if row.source_id == "osm:way/7"] == [
                "rejected"
            ]

    def test_another_category_by_the_same_number_is_refused(self, run, tmp_path, source):
        Dataset.create(tmp_path / "ds", [CategoryRow(32, "other", "Other")])
        _, _, error = run("--category", "school", *GLOBE, "--source", source,
                          "--dataset", tmp_path / "ds")  # fmt: skip
        assert "category 32 is 'other' there" in error

    def test_no_dataset_is_said(self, run, tmp_path, source):
        _, _, error = run("--category", "school", *GLOBE, "--source", source,
                          "--dataset", tmp_path / "none")  # fmt: skip
        assert "there is no dataset" in error


class TestServers:
    def test_overpass_over_its_address(self, run, tmp_path):
        node = {"type": "node", "id": 7, "lat": 47.1, "lon": 9.5, "tags": {"amenity": "fuel"}}
        with serving([reply(json.dumps({"elements": [node]}))]) as (url, asked):
            for _ in range(2):
                code, _, _ = run("--category", "fuel-station", *BOX, "--source", "overpass",
                                 "--url", f"{url}/api/interpreter", "--cache", tmp_path / "cache",
                                 "--out", tmp_path / "o.geojson")  # fmt: skip
                assert code == 0
        assert len(asked) == 1
        assert len(features(tmp_path / "o.geojson")) == 1

    @pytest.mark.parametrize(
        "tail", ["/api?key=s3cret-key", "/api?token=s3cret-key", "/api#apikey=s3cret-key"]
    )
    def test_a_key_that_is_written_out_is_refused(self, run, tmp_path, tail):
        for url in (f"http://127.0.0.1:1{tail}", "http://me:s3cret-key@127.0.0.1:1/api"):
            code, _, error = run("--category", "fuel-station", *BOX, "--source", "overpass",
                                 "--url", url, "--out", tmp_path / "o.csv")  # fmt: skip
            assert code == 2
            assert "written out" in error
            assert "s3cret" not in error

    def test_a_key_is_sent_and_neither_shown_stored_nor_cached(self, run, tmp_path, monkeypatch):
        node = {"type": "node", "id": 7, "lat": 47.1, "lon": 9.5, "tags": {"amenity": "fuel"}}
        monkeypatch.setenv("OVEARTH_TEST_KEY", "s3cret-key")
        out, cache, report = tmp_path / "o.geojson", tmp_path / "cache", tmp_path / "r.json"

        def search(url):
            return run("--category", "fuel-station", *BOX, "--source", "overpass", "--attempts", 1,
                       "--url", url + "/api?key=${OVEARTH_TEST_KEY}", "--cache", cache,
                       "--out", out, "--report", report)  # fmt: skip

        with serving([reply(json.dumps({"elements": [node]}))]) as (url, asked):
            first = search(url)
            monkeypatch.setenv("OVEARTH_TEST_KEY", "another-key")
            second = search(url)
            assert asked[0].query == {"key": "s3cret-key"}
            assert len(asked) == 1  # another key is no other question
        said = [reply("your s3cret-key is bad", 403), hang_up]
        for answer in said:
            monkeypatch.setenv("OVEARTH_TEST_KEY", "s3cret-key")
            with serving([answer]) as (url, _):
                code, _, error = search(url)
                assert code == 2
                assert "s3cret" not in error
                assert "fault of ovearth" not in error
        written = [path for path in tmp_path.rglob("*") if path.is_file()]
        assert not any(b"s3cret" in path.read_bytes() for path in written)
        assert "s3cret" not in str((first, second))
        monkeypatch.delenv("OVEARTH_TEST_KEY")
        assert "OVEARTH_TEST_KEY is not set" in search("http://127.0.0.1:1")[2]

    def test_nominatim_over_its_address(self, run, tmp_path):
        with serving([reply("[]")]) as (url, _):
            code, printed, _ = run("--category", "fuel-station", *BOX, "--source", "nominatim",
                                   "--url", url, "--no-cache",
                                   "--out", tmp_path / "o.csv")  # fmt: skip
        assert code == 0
        assert "0 places" in printed

    @pytest.mark.parametrize(
        ("answer", "words"),
        [(reply("<html><body>Hello</body></html>", kind="text/html"), "web page"),
         (reply("", 504), "504"), (reply("", 429, Retry_After="900"), "asks to wait 900 s"),
         (cut_off(b'{"elements": [   ]}', 9), "cut off"), (reply(b"\xff"), "UTF-8"),
         (reply("<osm><remark> runtime error: x </remark></osm>"), "runtime error: x")],
    )  # fmt: skip
    def test_a_failing_server_is_one_line_and_nothing_is_written(
        self, run, tmp_path, answer, words
    ):
        out = tmp_path / "deep" / "o.geojson"
        with serving([answer]) as (url, _):
            code, _, error = run("--category", "fuel-station", *BOX, "--source", "overpass",
                                 "--url", url, "--attempts", 1, "--no-cache",
                                 "--out", out)  # fmt: skip
        assert code == 2
        assert words in error
        assert url in error
        assert not out.parent.exists()


class TestMissingPackages:
    @pytest.mark.parametrize(
        ("package", "source_name"),
        [("httpx", "overpass"), ("tenacity", "nominatim"), ("osmium", "by-hand.osm"),
         ("pyarrow.parquet", "x.parquet"), ("fiona", "x.fgb")],
    )  # fmt: skip
    def test_each_is_named_with_how_to_install_it(
        self, run, tmp_path, source, monkeypatch, package, source_name
    ):
        monkeypatch.chdir(tmp_path)
        for name in ("x.parquet", "x.fgb"):
            (tmp_path / name).write_bytes(b"")
        monkeypatch.setitem(sys.modules, package, None)
        _, _, error = run("--category", "school", *BOX, "--source", source_name, "--no-cache",
                          "--out", "o.csv")  # fmt: skip
        assert "pip install " in error
        assert package.partition(".")[0] in error.partition("pip install ")[2]


class TestRefusals:
    @pytest.mark.parametrize(
        ("changed", "words"),
        [
            ({"--category": "fuel stetion"}, "unknown category"),
            ({"--bbox": (10, 47, -10, 48)}, "--wide"),
            ({"--bbox": (9, 48, 10, 47)}, "south"),
            ({"--bbox": (9, 47, 10, 99)}, "latitude"),
            ({"--source": "overpas"}, "did you mean 'overpass'?"),
            ({"--source": "none.osm.pbf"}, "no such file"),
            ({"--source": "none.gpkg"}, "no such file"),
            ({"--source": "none.parquet"}, "no such file"),
            ({"--source": "none.xyz"}, "no such file"),
            ({"--out": "places.xyz"}, "no format for places"),
            ({"--out": "places"}, "no format for places"),
            ({"--out": "dataset.gpkg"}, "--dataset"),
            ({"--limit": "0"}, "--limit"),
            ({"--min-spacing": "-3"}, "--min-spacing"),
            ({"--min-spacing": "nan"}, "--min-spacing"),
            ({"--quota": "Erope=3"}, "did you mean 'Europe'?"),
            ({"--quota": "Europe"}, "--quota"),
            ({"--quota": ("Europe=1", "--quota", "europe=2")}, "two quotas for Europe"),
            ({"--attempts": "0"}, "--attempts"),
            ({"--timeout": "0"}, "--timeout"),
            ({"--url": "http://127.0.0.1:1"}, "--url"),
            ({"--mapping": "none.json"}, "none.json"),
            ({"--mapping": "kept/m.json"}, "--mapping"),
            ({"--source": "overpass", "--mapping": "kept/m.json"}, "--mapping"),
            ({"--report": "places.csv"}, "two outputs are one file"),
            ({"--report": "kept"}, "is a folder"),
            (
                {
                    "--source": "overpass",
                    "--url": "http://127.0.0.1:1",
                    "--out": "kept/x.csv",
                    "--report": "kept/m.json",
                    "--taxonomy": "kept/m.json",
                },
                "kept/m.json",
            ),
            ({"--source": "http://127.0.0.1:1/a.geojson"}, "no GeoParquet"),
            ({"--source": "s3://bucket/a"}, "no GeoParquet"),
            ({"--source": "a.osc.gz"}, "change file"),
            ({"--source": "a.osh.pbf"}, "change file"),
            ({"--taxonomy": "none.json"}, "none.json"),
            ({"--bbox-crs": "EPSG:99999999"}, "EPSG:99999999"),
            ({"--dataset": "ds"}, "two places"),
            ({"--out": None}, "no place to put them"),
        ],
    )
    def test_bad_use_is_one_line_and_writes_nothing(self, run, tmp_path, source, monkeypatch,
                                                    changed, words):  # fmt: skip
        monkeypatch.chdir(tmp_path)
        (tmp_path / "kept").mkdir()
        mapping = {"column": "a", "values": {"b": "school"}}
        (tmp_path / "kept" / "m.json").write_text(json.dumps(mapping))
        usual = {"--category": "school", "--bbox": (9, 47, 10, 48), "--source": source,
                 "--out": "places.csv"}  # fmt: skip
        arguments = []
        for option, value in {**usual, **changed}.items():
            if value is not None:
                arguments += [option, *(value if isinstance(value, tuple) else [value])]
        before = sorted(tmp_path.iterdir())
        code, _, error = run(*arguments)
        assert code == 2
        assert words in error
        assert sorted(tmp_path.iterdir()) == before

    def test_a_report_that_cant_be_written_is_said_before_anybody_is_asked(self, run, tmp_path):
        with serving([reply('{"elements": []}')]) as (url, asked):
            run("--category", "school", *BOX, "--source", "overpass", "--url", f"{url}/api",
                "--no-cache", "--out", tmp_path / "a.csv", "--report", tmp_path)  # fmt: skip
        assert asked == []

    @pytest.mark.parametrize("content", ["", "9.6,47.2,A\n", "lon\tlat\n9.6\t47.2\n", "a,b\n1,2\n"])
    def test_a_csv_without_places_is_one_line(self, run, tmp_path, content):
        (tmp_path / "a.csv").write_text(content)
        _, _, error = run("--category", "school", *BOX, "--source", tmp_path / "a.csv",
                          "--out", tmp_path / "b.csv")  # fmt: skip
        assert "without columns lon and lat" in error

    def test_a_file_of_other_categories_says_which(self, run, tmp_path):
        (tmp_path / "a.csv").write_text("lon,lat,category\n9.6,47.2,skool\n9.6,47.2,bar\n")
        code, out, note = run("--category", "school", *BOX, "--source", tmp_path / "a.csv",
                              "--out", tmp_path / "b.csv")  # fmt: skip
        assert code == 0
        assert "0 places" in out
        assert "'category' has 'skool', 'bar'" in note

    def test_the_source_is_not_overwritten(self, run, tmp_path):
        path = tmp_path / "a.csv"
        path.write_text("lon,lat\n9.5,47.5\n")
        _, _, error = run("--category", "school", "--bbox", 9, 47, 10, 48, "--source", path,
                          "--out", path)  # fmt: skip
        assert "replace what is read" in error
        assert path.read_text() == "lon,lat\n9.5,47.5\n"
