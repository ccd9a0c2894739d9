"""`ovearth images`: files come in whole and placed, or none does."""

import shlex

import numpy as np
import pytest
import rasterio
import shapely
from rasterio.transform import from_origin

from ovearth_core.cli.main import main
from ovearth_core.dataset import Dataset
from ovearth_core.dataset.blob import polygons_of_blob
from ovearth_core.dataset.database import connected

from .shared import CHECKOUT


def write_tif(path, crs="EPSG:32632", value=7):
    path.parent.mkdir(parents=True, exist_ok=True)
    profile = {"driver": "GTiff", "width": 20, "height": 10, "count": 1, "dtype": "uint8"}
    place = {"crs": crs, "transform": from_origin(500000, 5200000, 0.5, 0.5)} if crs else {}
    with rasterio.open(path, "w", **profile, **place) as image:
        image.write(np.full((1, 10, 20), value, np.uint8))
    return path


def without_pixels(path):
    """Cut an image's end off: it opens still."""
    whole = path.read_bytes()
    path.write_bytes(whole[:-50])
    with rasterio.open(path) as image:
        assert image.shape == (10, 20)
    return path


@pytest.fixture
def dataset(tmp_path, capsys):
    assert main(["init", str(tmp_path / "ds")]) == 0
    capsys.readouterr()
    return Dataset.open(tmp_path / "ds")


def add(dataset, *paths, options=()):
    return main(["images", str(dataset.folder), *map(str, paths), *options])


def rows(dataset):
    with dataset.reading() as view:
        return list(view.images())


def test_files_from_elsewhere_are_copied_and_described(dataset, tmp_path, capsys):
    tif = write_tif(tmp_path / "else" / "a b.tif")
    assert add(dataset, tif, options=["--license", "CC0", "--date", "2024-06-30"]) == 0
    (row,) = rows(dataset)
    assert row.file_name == "images/a b.tif"
    assert (row.license, row.date_captured) == ("CC0", "2024-06-30")
    assert row.gsd_m == pytest.approx(0.5, rel=1e-3)
    assert (dataset.folder / row.file_name).read_bytes() == tif.read_bytes()
    assert "0.500 m" in capsys.readouterr().out


def test_a_file_in_the_folder_stays_where_it_is_and_again_changes_nothing(dataset, capsys):
    tif = write_tif(dataset.folder / "images" / "north" / "a.tif")
    assert add(dataset, tif) == 0
    assert add(dataset, tif) == 0
    assert [row.file_name for row in rows(dataset)] == ["images/north/a.tif"]
    assert "0 images taken in, 1 were in already" in capsys.readouterr().out


@pytest.mark.parametrize(
    "bad", ["no crs", "no image", "missing", "another of its name", "twice", "no pixels"]
)
def test_one_bad_file_keeps_all_out(dataset, tmp_path, capsys, bad):
    good = write_tif(tmp_path / "one" / "good.tif")
    faulty = tmp_path / "two" / "bad.tif"
    if bad == "no crs":
        write_tif(faulty, crs=None)
    elif bad == "no pixels":
        without_pixels(write_tif(faulty))
    elif bad == "no image":
        faulty.parent.mkdir()
        faulty.write_text("no image")
    elif bad == "another of its name":
        write_tif(dataset.folder / "images" / "bad.tif", value=1)
        write_tif(faulty)
    elif bad == "twice":
        faulty = write_tif(tmp_path / "two" / "good.tif", value=9)
    before = sorted((dataset.folder / "images").iterdir())
    assert add(dataset, good, faulty) == 2
    printed = capsys.readouterr()
    assert printed.err.startswith("error: ")
    assert printed.err.count("\n") == 1
    assert rows(dataset) == []
    assert sorted((dataset.folder / "images").iterdir()) == before


def write_placed(path, crs, transform):
    profile = {"driver": "GTiff", "width": 200, "height": 200, "count": 1, "dtype": "uint8"}
    with rasterio.open(path, "w", **profile, crs=crs, transform=transform) as image:
        image.write(np.ones((1, 200, 200), np.uint8))
    return path


def test_an_image_that_reaches_beyond_a_pole_is_refused_by_name(dataset, tmp_path, capsys):
    for name, crs in (("wgs.tif", "EPSG:4326"), ("nad.tif", "EPSG:4269")):
        tif = write_placed(tmp_path / name, crs, from_origin(10, -10, 0.5, 0.5))
        assert add(dataset, tif) == 2
        told = capsys.readouterr().err
        assert "the image reaches latitude -110, beyond the pole" in told
        assert name in told
    assert rows(dataset) == []
    up_to_it = write_placed(tmp_path / "world.tif", "EPSG:4326", from_origin(-180, 90, 1.8, 0.9))
    assert add(dataset, up_to_it) == 0


@pytest.mark.parametrize(("crs", "south", "north"), [
    ("EPSG:3031", -90.0, -88.698), ("EPSG:3413", 88.694, 90.0),
])  # fmt: skip
def test_an_image_over_a_pole_has_a_valid_footprint_around_the_world(
    dataset, tmp_path, crs, south, north
):
    tif = write_placed(tmp_path / "pole.tif", crs, from_origin(-100_000, 100_000, 1000, 1000))
    assert add(dataset, tif) == 0
    with connected(dataset.path) as connection:
        ((blob,),) = connection.execute("SELECT geom FROM images").fetchall()
    ((ring,),) = polygons_of_blob(blob)
    whole = shapely.Polygon(ring)
    west, low, east, high = whole.bounds
    assert whole.is_valid
    assert east - west == pytest.approx(360.0)
    assert (low, high) == pytest.approx((south, north), abs=1e-3)
    # What lies in no longitude of its own is inside, the pole itself on its edge.
    assert whole.contains(shapely.Point((west + east) / 2, np.copysign(89.9, south)))
    assert main(["check", str(dataset.folder)]) == 0


def test_what_the_dataset_page_shows_runs(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_tif(tmp_path / "scenes" / "a.tif")
    write_tif(tmp_path / "scenes" / "b.tif")
    page = (CHECKOUT / "docs" / "dataset.md").read_text(encoding="utf-8")
    commands = [line[2:] for line in page.splitlines() if line.startswith("$ ovearth ")]
    assert len(commands) == 2
    for command in commands:
        assert main(shlex.split(command)[1:]) == 0, command
