"""What is said where collecting can't be done: the truth, and what to do about it."""

import json

import pytest

from ovearth_core.cli.main import main
from ovearth_core.collection.imagery import ImagerySpec, open_source, specs_at
from ovearth_core.collection.pois import SourceChoice, Wishes, area_of, search
from ovearth_core.collection.pois import open_source as open_pois
from ovearth_core.errors import InputError, UsageError
from ovearth_core.taxonomy import load

from .loopback import Answer, serving
from .patch_jobs import dataset_at, imagery, images, run

LOGIN = Answer(b"<html><body>Please <b>log in</b></body></html>", 200, "text/html")
SCHOOL = [load().find("school")]
EVERYWHERE = area_of(-180.0, -90.0, 180.0, 90.0, wide=True)


def test_all_of_a_patch_may_be_without_data_but_one_pixel(tmp_path):
    dataset = dataset_at(tmp_path, [(2, 2)])
    assert len(run(dataset, imagery(tmp_path), most_nodata=1.0).fetched) == 1
    assert len(images(dataset)) == 1


def test_a_raster_that_nobody_serves_points_at_address_and_network():
    with pytest.raises(InputError, match="check the address and the network"):
        open_source(ImagerySpec("http://127.0.0.1:1/a.tif"))


def test_a_web_page_in_place_of_a_raster_is_said():
    pytest.importorskip("httpx", reason="needs httpx")
    with (
        serving(lambda *_: LOGIN) as server,
        pytest.raises(InputError, match=r"a web page came \(Please log in\)"),
    ):
        open_source(ImagerySpec(f"{server.url}/a.tif"))


def test_semicolons_are_named(tmp_path, capsys):
    path = tmp_path / "places.csv"
    path.write_text("lon;lat;name\n9,5;47,1;x\n")
    dataset = dataset_at(tmp_path, [])
    code = main(["patches", str(dataset.folder), "--imagery", str(imagery(tmp_path)),
                 "--pois", str(path)])  # fmt: skip
    assert code == 2
    assert "commas instead of semicolons" in capsys.readouterr().err
    with pytest.raises(InputError, match=r"lon and lat.*commas instead of semicolons"):
        open_pois(SourceChoice(str(path)))


def test_where_nothing_is_to_be_made_it_is_said_why(tmp_path, capsys):
    dataset = dataset_at(tmp_path, [])
    (tmp_path / "none.csv").write_text("lon,lat\n")
    arguments = ["patches", str(dataset.folder), "--imagery", str(imagery(tmp_path)),
                 "--pois", str(tmp_path / "none.csv")]  # fmt: skip
    assert main(arguments) == 0
    assert "nothing is to be made: there are no places" in capsys.readouterr().err
    pytest.importorskip("pystac_client", reason="needs pystac-client")
    catalog = {"type": "Catalog", "stac_version": "1.0.0", "id": "c", "description": "d",
               "links": []}  # fmt: skip
    (tmp_path / "catalog.json").write_text(json.dumps(catalog))
    (tmp_path / "one.csv").write_text("lon,lat\n15,50\n")
    arguments[3], arguments[5] = f"stac:{tmp_path / 'catalog.json'}", str(tmp_path / "one.csv")
    assert main(arguments) == 1
    assert "nothing can be made: 1 outside" in capsys.readouterr().err


@pytest.mark.parametrize("cloud", ["500", "-1", "nan", "some"])
def test_a_part_of_a_hundred_is_one(tmp_path, cloud):
    with pytest.raises(UsageError, match="imagery option cloud"):
        specs_at(ImagerySpec(f"stac:{tmp_path}/catalog.json?cloud={cloud}"), 9.0, 47.0, 100.0)


def test_balance_without_a_limit_is_refused():
    with pytest.raises(UsageError, match=r"--balance, give --limit"):
        Wishes(balance=True)


@pytest.mark.parametrize(
    ("box", "has", "lacks"),
    [
        ((-180, -90, 180, 90), "add --wide", "swap"),
        ((-100, 0, 100, 10), "write --bbox 100 0 -100 10", "swap"),
        ((100, 0, 90, 10), "swap west and east, or add --wide", "write"),
    ],
)
def test_a_wide_box_has_the_right_advice(box, has, lacks):
    with pytest.raises(UsageError) as fault:
        area_of(*box)
    assert has in str(fault.value)
    assert lacks not in str(fault.value)


def test_wkt_in_a_csv_is_degrees_unless_it_can_not_be(tmp_path, caplog):
    path = tmp_path / "a.csv"
    path.write_text('wkt,name,category\n"POINT(9.5 47.1)",n,school\n')
    (poi,) = search(open_pois(SourceChoice(str(path))), SCHOOL, EVERYWHERE).choice.chosen
    assert (poi.lon, poi.lat) == (9.5, 47.1)
    assert "says no CRS (.prj): longitude and latitude are taken" in caplog.text
    path.write_text(path.read_text() + '"POINT(500000 5200000)",m,school\n')
    with pytest.raises(InputError, match="the CRS is missing"):
        search(open_pois(SourceChoice(str(path))), SCHOOL, EVERYWHERE)
