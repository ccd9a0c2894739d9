"""STAC: pictures of a place by date and cloud, from static catalogues and APIs."""

import json
import re
from datetime import date

import numpy as np
import pytest
import rasterio
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.collection.imagery import (
    ImagerySpec,
    begin_search,
    open_source,
    server_errors,
    specs_at,
)
from ovearth_core.collection.imagery.stac_dates import DateRange, moment_of
from ovearth_core.collection.patches import Place
from ovearth_core.errors import InputError, UsageError

from . import stac_worlds
from .framing import framed
from .loopback import Answer, serving
from .patch_jobs import dataset_at, images, run
from .patch_jobs import served as files_served
from .stac_worlds import LAT, LON

pytest.importorskip("httpx", reason="servers need httpx: pip install 'ovearth[collect]'")
pytest.importorskip("pystac_client", reason="needs pystac-client: pip install 'ovearth[collect]'")

EXTENT_M = 200.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("stac")
    stac_worlds.make(folder)
    return folder


@pytest.fixture(scope="module")
def files_url(folder):
    with files_served(folder) as files:
        yield files.address


@pytest.fixture(params=["static", "API by POST", "API by GET"])
def catalogue(request, folder, files_url):
    """The address of a catalogue."""
    if request.param == "static":
        yield f"stac:{files_url}/catalog.json"
        return
    items = [json.loads((folder / f"{scene[0]}.json").read_text()) for scene in stac_worlds.SCENES]
    answer = stac_worlds.api(items, files_url, takes_post=request.param == "API by POST")
    with serving(answer) as served:
        answer.url = served.url
        yield f"stac:{served.url}/api"


def names(specs):
    return [re.search(r"([\w-]+)\.tif", spec.text)[1] for spec in specs]


def found(text, **options):
    said = tuple((name, str(value)) for name, value in options.items())
    return specs_at(ImagerySpec(text, options=said), LON, LAT, EXTENT_M)


def test_the_best_covers_the_extent_and_has_the_fewest_clouds(catalogue):
    assert names(found(f"{catalogue}?date=2022-06-01/2022-08-31")) == ["summer"]
    assert names(found(f"{catalogue}?date=2022-04")) == ["spring"]
    assert names(found(f"{catalogue}?date=2022-07-01")) == ["summer-cloudy"]


def test_a_limit_of_clouds_leaves_out_what_is_cloudy_or_not_known(catalogue):
    every = found(f"{catalogue}?dates=all")
    assert names(every) == [
        "winter",
        "spring",
        "summer-cloudy",
        "summer",
        "summer-partly",
        "autumn",
    ]
    clear = found(f"{catalogue}?dates=all&cloud=10")
    assert names(clear) == ["winter", "summer", "summer-partly"]


def test_seasons_are_one_picture_each_and_of_one_place(catalogue):
    specs = found(f"{catalogue}?dates=seasons")
    assert names(specs) == ["winter", "spring", "summer", "autumn"]
    assert {spec.location_group for spec in specs} == {f"{LAT:.6f} {LON:.6f}"}
    assert found(f"{catalogue}?dates=best")[0].location_group is None


def test_most_dates_keeps_the_best(catalogue):
    assert names(found(f"{catalogue}?dates=all&most_dates=2")) == ["winter", "summer"]


def test_nothing_is_found_where_or_when_there_is_nothing(catalogue):
    assert found(f"{catalogue}?date=2019") == []
    assert found(f"{catalogue}?collections=others") == []
    assert specs_at(ImagerySpec(catalogue), -40.0, 10.0, EXTENT_M) == []


def test_what_is_known_of_a_picture_goes_with_it(catalogue):
    (spec,) = found(f"{catalogue}?date=2022-07-20")
    assert spec.date_captured == "2022-07-20T10:00:00Z"
    assert spec.license == "CC-BY-4.0"
    assert spec.attribution == "A Survey"
    assert spec.source.startswith("scenes/summer (http://127.0.0.1")
    mine = ImagerySpec(f"{catalogue}?date=2022-07-20", license="mine", location_group="g")
    (spec,) = specs_at(mine, LON, LAT, EXTENT_M)
    assert (spec.license, spec.location_group) == ("mine", "g")


def test_the_picture_is_read_over_http_as_a_raster(catalogue, folder):
    with rasterio.open(folder / "summer.tif") as file:
        assert file.tags(ns="IMAGE_STRUCTURE")["LAYOUT"] == "COG"
        assert file.overviews(1)
    (spec,) = found(f"{catalogue}?date=2022-07-20")
    source = open_source(spec)
    frame = framed("EPSG:32633", LON, LAT, 1.0, width=100, height=100)
    here = open_source(ImagerySpec(str(folder / "summer.tif"))).read(frame)
    pixels = source.read(frame)
    assert np.array_equal(pixels.values, here.values)
    assert pixels.about.date_captured == "2022-07-20T10:00:00Z"
    source.close()


def test_a_catalogue_of_this_machine_is_read_too(folder):
    assert names(found(f"stac:{folder / 'catalog.json'}?date=2022-07-20")) == ["summer"]


def test_a_catalogue_is_read_once_for_many_places_and_not_where_it_lies_elsewhere(folder):
    with serving(stac_worlds.files(folder)) as served:
        text = f"stac:{served.url}/catalog.json"
        for east in range(3):
            specs_at(ImagerySpec(text), LON + east * 1e-4, LAT, EXTENT_M)
        assert len(served.asked) == len(set(served.asked))
        assert "/far.json" not in served.asked


def test_an_asset_can_be_named_and_an_unclear_one_is_asked_for(folder, tmp_path):
    for path in folder.iterdir():
        text = path.read_bytes().replace(b'"visual"', b'"red"').replace(b'"thumbnail"', b'"blue"')
        (tmp_path / path.name).write_bytes(text if path.suffix == ".json" else b"")
    text = (tmp_path / "summer.json").read_text().replace("image/png", "image/tiff")
    (tmp_path / "summer.json").write_text(text.replace(".png", ".tif").replace('["blue"]', "[]"))
    place = f"stac:{tmp_path / 'catalog.json'}?date=2022-07-20"
    with pytest.raises(UsageError, match=r"2 assets could be meant.*say asset=NAME.*red, blue"):
        found(place)
    assert names(found(f"{place}&asset=blue")) == ["summer"]
    with pytest.raises(UsageError, match="no asset 'green'"):
        found(f"{place}&asset=green")


def test_a_server_cannot_make_us_read_files_of_this_machine(folder, tmp_path):
    for path in folder.glob("*.json"):
        (tmp_path / path.name).write_text(path.read_text().replace("./summer.tif", "/etc/passwd"))
    with serving(stac_worlds.files(tmp_path)) as served:
        # In a catalogue on a server that is a path of the server.
        (spec,) = found(f"stac:{served.url}/catalog.json?date=2022-07-20")
        assert spec.text == f"raster:{served.url}/etc/passwd"
    for path in folder.glob("*.json"):
        text = path.read_text().replace("./summer.tif", "file:///etc/passwd")
        (tmp_path / path.name).write_text(text)
    refused = pytest.raises(server_errors.BadDescriptionError, match="a file of this machine")
    with serving(stac_worlds.files(tmp_path)) as served, refused:
        found(f"stac:{served.url}/catalog.json?date=2022-07-20")
    for path in folder.glob("*.json"):
        text = path.read_text().replace("./summer.json", "file:///etc/hostname")
        (tmp_path / path.name).write_text(text)
    refused = pytest.raises(server_errors.BadDescriptionError, match="a file of this machine")
    with serving(stac_worlds.files(tmp_path)) as served, refused:
        found(f"stac:{served.url}/catalog.json")


def test_a_catalogue_that_leads_to_itself_ends(folder, tmp_path):
    for path in folder.glob("*.json"):
        (tmp_path / path.name).write_text(path.read_text())
    looped = json.loads((tmp_path / "collection.json").read_text())
    looped["links"].append({"rel": "child", "href": "./catalog.json"})
    (tmp_path / "collection.json").write_text(json.dumps(looped))
    assert len(found(f"stac:{tmp_path / 'catalog.json'}?dates=all")) == 6


@pytest.mark.parametrize(("answer", "message"), [
    (Answer(b"<html><body>hi</body></html>"), "a web page came (hi)"),
    (Answer(b"nothing"), "no JSON came"), (Answer(b"{"), "no STAC that can be read"),
    (Answer(b"{}"), "no STAC that can be read"), (Answer(b'{"type": "Feature"}'), "no STAC"),
    (Answer(b"", 404), "status 404"), (Answer(b"", 503), "status 503"),
    (Answer(b"{}", length=1 << 40), "at most"),
])  # fmt: skip
def test_every_bad_catalogue_is_one_line(answer, message):
    with serving(lambda *_: answer) as served, pytest.raises(InputError) as fault:
        found(f"stac:{served.url}/catalog.json#attempts=1")
    assert message in str(fault.value)
    assert "\n" not in str(fault.value)


class TestBrokenItems:
    """Of a catalogue's six pictures of the place, the summer's is broken."""

    @pytest.fixture
    def broken(self, folder, tmp_path):
        for path in folder.glob("*.json"):
            (tmp_path / path.name).write_text(path.read_text())
        return tmp_path

    @pytest.mark.parametrize(
        "change",
        [('"datetime": "', '"datetime": "about '), ('"type"', '"kind"'), ('"properties"', '"x"')],
    )
    @pytest.mark.parametrize("is_online", [False, True])
    def test_others_are_found_and_it_is_said_once(self, broken, change, is_online, caplog):
        text = (broken / "summer.json").read_text()
        assert change[0] in text
        (broken / "summer.json").write_text(text.replace(*change))
        with serving(stac_worlds.files(broken)) as served:
            place = served.url if is_online else broken
            for _ in range(2):
                assert len(found(f"stac:{place}/catalog.json?dates=all")) == 5
        said = [record.getMessage() for record in caplog.records if record.name == "ovearth"]
        assert len(said) == 1
        assert "summer" in said[0]
        assert "left out" in said[0]
        assert "\n" not in said[0]

    @pytest.mark.parametrize("is_online", [False, True])
    def test_one_that_is_not_there_is_left_out(self, broken, is_online, caplog):
        (broken / "summer.json").unlink()
        with serving(stac_worlds.files(broken)) as served:
            place = served.url if is_online else broken
            assert len(found(f"stac:{place}/catalog.json?dates=all")) == 5
        assert "left out" in caplog.text

    def test_one_of_an_api_is_left_out(self, folder, files_url, caplog):
        items = [json.loads((folder / f"{s[0]}.json").read_text()) for s in stac_worlds.SCENES]
        next(item for item in items if item["id"] == "summer")["properties"]["datetime"] = "soon"
        answer = stac_worlds.api(items, files_url, takes_post=True)
        with serving(answer) as served:
            answer.url = served.url
            assert len(found(f"stac:{served.url}/api?dates=all")) == 5
        assert "left out" in caplog.text

    def test_one_without_files_is_no_picture(self, broken):
        item = json.loads((broken / "summer.json").read_text())
        item["assets"] = {}
        (broken / "summer.json").write_text(json.dumps(item))
        assert len(found(f"stac:{broken / 'catalog.json'}?dates=all")) == 5


def test_a_new_job_sees_what_is_new_in_a_catalogue(folder, tmp_path):
    for path in folder.glob("*.json"):
        (tmp_path / path.name).write_text(path.read_text())
    place = f"stac:{tmp_path / 'catalog.json'}?dates=all"
    assert len(found(place)) == 6
    item = json.loads((tmp_path / "summer.json").read_text())
    item["properties"]["datetime"] = "2019-01-01T00:00:00Z"
    (tmp_path / "summer.json").write_text(json.dumps(item))
    assert not any((spec.date_captured or "").startswith("2019") for spec in found(place))
    begin_search(ImagerySpec(place))
    assert any((spec.date_captured or "").startswith("2019") for spec in found(place))


def test_a_file_that_is_not_there_is_one_line(tmp_path):
    with pytest.raises(InputError, match="can't be read") as fault:
        found(f"stac:{tmp_path}/catalog.json")
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize(
    "tail", ["?date=soon", "?date=2023-13", "?dates=some", "?cloud=few", "#x=1"]
)
def test_what_makes_no_sense_is_refused(tail):
    with pytest.raises(UsageError):
        found(f"stac:https://h.invalid/catalog.json{tail}")


def test_a_key_goes_with_every_request_to_the_server_and_is_not_shown(folder, monkeypatch):
    monkeypatch.setenv("OVEARTH_TEST_KEY", "s3cr3t")
    with serving(stac_worlds.files(folder)) as served:
        text = f"stac:{served.url}/catalog.json?date=2022-07-20&token=${{OVEARTH_TEST_KEY}}"
        (spec,) = found(text)
        assert all(path.endswith("token=s3cr3t") for path in served.asked)
        assert "s3cr3t" not in f"{spec}"


@pytest.mark.parametrize(("text", "inside", "outside"), [
    ("2023", ["2023-01-01", "2023-12-31T23:59:59Z"], ["2022-12-31T23:59:59Z", "2024-01-01"]),
    ("2023-02", ["2023-02-28T23:00:00Z"], ["2023-03-01"]),
    ("2023-12", ["2023-12-31T23:00:00Z"], ["2024-01-01"]),
    ("2023-05-01/2023-05-03", ["2023-05-03T23:59:59.9Z"], ["2023-05-04"]),
    ("2023/..", ["2023-01-01", "2090-01-01"], ["2022-12-31"]),
    ("../2023", ["1990-01-01"], ["2024-01-01"]),
    ("2023-05-01T10:00:00Z", ["2023-05-01T12:00:00+02:00"], ["2023-05-01T10:00:01Z"]),
])  # fmt: skip
def test_ranges_of_dates_hold_whole_days_months_and_years(text, inside, outside):
    dates = DateRange(text)
    assert all(moment_of(moment) in dates for moment in inside)
    assert not any(moment_of(moment) in dates for moment in outside)


_DAYS = st.dates(date(1900, 1, 1), date(2100, 1, 1))


@given(_DAYS, _DAYS)
def test_a_range_holds_its_ends_and_is_written_as_it_is_read(first, last):
    first, last = sorted((first, last))
    dates = DateRange(f"{first}/{last}")
    again = DateRange(dates.as_stac)
    for day in (first, last):
        assert moment_of(str(day)) in dates
        assert moment_of(str(day)) in again


def test_the_folder_of_a_catalogue_on_this_machine_is_not_published(tmp_path):
    folder = tmp_path / "my-secret-project"
    folder.mkdir()
    stac_worlds.make(folder)
    (spec,) = specs_at(ImagerySpec(f"stac:{folder / 'catalog.json'}"), LON, LAT, 100.0)
    assert spec.source.endswith(".tif)")
    dataset = dataset_at(tmp_path, [])
    run(dataset, f"stac:{folder / 'catalog.json'}", places=[Place(LON, LAT)], size_px=32)
    (image,) = images(dataset)
    assert "my-secret-project" not in f"{image.source} {image.extra}"
    with rasterio.open(dataset.image_path(image)) as file:
        assert "my-secret-project" not in str(file.tags())
