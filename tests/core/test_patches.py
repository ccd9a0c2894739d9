"""Patches: their size, pixel size and place, what their files say, and what is refused."""

import json

import numpy as np
import pytest
import rasterio
from hypothesis import given, settings
from hypothesis import strategies as st
from pyproj import Geod

from ovearth_core.collection.imagery import ImagerySpec, open_source
from ovearth_core.collection.patches import PatchShape, Place, metric_frame, patch_frame
from ovearth_core.errors import UsageError
from ovearth_core.frame import ImageFrame

from . import patch_jobs, rasters
from .framing import framed
from .patch_jobs import FRAME, dataset_at, imagery, images, run

LONGITUDES = st.floats(-180, 180)
LATITUDES = st.floats(-90, 90)


@settings(max_examples=60, deadline=None)
@given(lon=LONGITUDES, lat=LATITUDES, gsd=st.floats(0.08, 305.7), side=st.integers(692, 4713))
def test_a_metric_patch_has_its_true_pixel_size_and_its_place_in_the_middle(lon, lat, gsd, side):
    frame = metric_frame(lon, lat, side, side, gsd)
    geod = Geod(ellps="WGS84")
    middle = np.array([side / 2, side / 2])
    half = np.array([[-0.5, 0], [0.5, 0], [0, -0.5], [0, 0.5]])
    ends = frame.pixel_to_lonlat(middle + half)
    _, _, (across, down) = geod.inv(ends[::2, 0], ends[::2, 1], ends[1::2, 0], ends[1::2, 1])
    assert np.sqrt(across * down) == pytest.approx(gsd, rel=0.002)
    there = frame.pixel_to_lonlat([middle])[0]
    assert geod.inv(lon, lat, *there)[2] < gsd / 2
    assert frame.transform[1] == frame.transform[3] == 0
    assert frame.transform[0] == -frame.transform[4] > 0


@pytest.mark.parametrize(("side", "gsd"), [(692, 0.08), (4713, 305.7), (4713, 0.08), (692, 305.7)])
def test_the_smallest_and_the_largest_of_the_paper_work(tmp_path, side, gsd):
    """A source a little finer than what is wanted, and only as large as it needs to be."""
    pixel = gsd * 0.8
    size = int(side * 1.4)
    frame = framed("EPSG:32633", 15.0, 45.0, pixel, width=size, height=size)
    random = np.random.default_rng(0)
    values = random.integers(0, 255, (1, size, size), np.uint8)
    path = rasters.write(tmp_path / "a.tif", values, frame.crs, frame.transform)
    dataset = dataset_at(tmp_path, [(size / 2, size / 2)], frame)
    run(dataset, path, size_px=side, gsd_m=gsd)
    (image,) = images(dataset)
    assert (image.width, image.height) == (side, side)
    assert image.gsd_m == pytest.approx(gsd, rel=0.002)
    with rasterio.open(dataset.image_path(image)) as file:
        assert file.profile["tiled"]
        assert file.overviews(1)[0] == 2


class TestTheFrame:
    def source(self, folder, **options):
        return open_source(ImagerySpec(str(imagery(folder)), **options))

    def test_metres_are_metres_on_the_ground(self, tmp_path):
        frame = framed("EPSG:3857", 15.0, 60.0, 0.6, width=800, height=800)
        source = open_source(ImagerySpec(str(imagery(tmp_path, frame=frame))))
        found = patch_frame(Place(15.0, 60.0), source, PatchShape(extent_m=60.0))
        assert found.crs == "EPSG:3857"
        assert found.gsd() == pytest.approx(0.3, rel=0.01)
        assert found.width == 200

    def test_auto_takes_the_own_grid_only_where_it_is_upright_and_square(self, tmp_path):
        for crs, pixel, turned, is_own in [
            ("EPSG:32633", 0.5, 0.0, True), ("EPSG:3857", 0.5, 0.0, True),
            ("EPSG:4326", 5e-6, 0.0, False), ("EPSG:32633", 0.5, 20.0, False),
        ]:  # fmt: skip
            frame = framed(crs, 15.0, 50.0, pixel, turned, width=400, height=400)
            source = open_source(ImagerySpec(str(imagery(tmp_path, frame=frame))))
            found = patch_frame(Place(15.0, 50.0), source, PatchShape(size_px=64))
            assert (found.crs == crs and found.transform[0] == frame.transform[0]) == is_own

    def test_near_the_poles_it_is_polar_stereographic(self):
        assert metric_frame(30.0, 86.0, 100, 100, 10.0).crs == "EPSG:5041"
        assert metric_frame(30.0, -86.0, 100, 100, 10.0).crs == "EPSG:5042"

    def test_jitter_is_the_same_for_a_seed_and_stays_within_its_reach(self, tmp_path):
        source = self.source(tmp_path)
        place = Place(15.0, 50.0, reference="osm:way/1")
        frames = [
            patch_frame(place, source, PatchShape(size_px=200, jitter=0.5, seed=seed))
            for seed in (1, 1, 2)
        ]
        assert frames[0] == frames[1] != frames[2]
        for frame in frames:
            off = frame.lonlat_to_pixel([[15.0, 50.0]])[0] - 100
            assert np.abs(off).max() <= 51

    def test_without_a_size_the_category_proposes_one(self, tmp_path):
        source = self.source(tmp_path)
        place = Place(15.0, 50.0)
        assert patch_frame(place, source, PatchShape(), 200.0).width == 1200
        assert patch_frame(place, source, PatchShape(), 10.0).width == 692
        assert patch_frame(place, source, PatchShape(), 9000.0).width == 4713
        assert patch_frame(place, source, PatchShape()).width == 1024

    def test_nonsense_is_refused_by_name(self):
        for wrong in (
            {"size_px": 0}, {"size_px": 5, "extent_m": 5.0}, {"gsd_m": -1.0}, {"grid": "odd"},
            {"grid": "own", "gsd_m": 1.0}, {"jitter": 2.0}, {"gsd_m": float("nan")},
        ):  # fmt: skip
            with pytest.raises(UsageError):
                PatchShape(**wrong)


class TestTheFile:
    def test_it_says_where_it_is_from_and_so_does_the_dataset(self, tmp_path):
        path = imagery(tmp_path)
        with rasterio.open(path, "r+") as file:
            file.update_tags(LICENSE="CC-BY-4.0", TIFFTAG_COPYRIGHT="Surveyors")
            file.update_tags(ns="IMAGERY", ACQUISITIONDATETIME="2021-05-03 10:11:12")
        dataset = dataset_at(tmp_path, [(500, 500)])
        report = run(dataset, path)
        assert report.warnings == []
        (image,) = images(dataset)
        with rasterio.open(dataset.image_path(image)) as file:
            tags = file.tags()
            assert file.crs == FRAME.crs
            assert tuple(file.transform)[:6] == image.transform
            assert file.profile["compress"] == "zstd"
            assert file.tags(ns="IMAGE_STRUCTURE")["PREDICTOR"] == "2"
        expected = {
            "POI_ID": "1", "POI_REFERENCE": "osm:way/0", "POI_NAME": "place 0",
            "CATEGORY": "storage-tank", "SOURCE": "scene.tif", "LICENSE": "CC-BY-4.0",
            "ATTRIBUTION": "Surveyors", "DATE_CAPTURED": "2021-05-03T10:11:12Z",
        }  # fmt: skip
        assert expected.items() <= tags.items()
        assert float(tags["GSD_M"]) == pytest.approx(image.gsd_m)
        assert tags["TOOL"].startswith("ovearth ")
        assert tags["RETRIEVED_AT"]
        assert (image.license, image.attribution) == ("CC-BY-4.0", "Surveyors")
        assert (image.date_captured, image.poi_id) == ("2021-05-03T10:11:12Z", 1)
        assert dataset.read_image(dataset.image_path(image)).sha256 == image.sha256

    def test_what_a_person_knows_wins(self, tmp_path):
        dataset = dataset_at(tmp_path, [(500, 500)])
        run(dataset, imagery(tmp_path), license="CC0", source="My flight", date_captured="2020")
        (image,) = images(dataset)
        assert (image.license, image.source, image.date_captured) == ("CC0", "My flight", "2020")

    @pytest.mark.parametrize("compression", ["zstd", "deflate"])
    @pytest.mark.parametrize("dtype", ["uint8", "uint16", "int16", "float32"])
    def test_no_bit_is_lost(self, tmp_path, compression, dtype):
        values = rasters.picture(1600, 1200, dtype=np.dtype(dtype))
        dataset = dataset_at(tmp_path, [(500, 400)])
        run(dataset, imagery(tmp_path, values=values), size_px=700, compression=compression)
        (image,) = images(dataset)
        with rasterio.open(dataset.image_path(image)) as file:
            assert np.array_equal(file.read(), values[:, 50:750, 150:850])

    def test_palette_alpha_mask_and_nodata_stay_what_they_are(self, tmp_path):
        from rasterio.enums import ColorInterp as Color

        small = rasters.picture(1600, 1200, bands=1) % 4
        palette = {i: (i * 60, 0, 255 - i * 60, 255) for i in range(256)}
        rgba = rasters.picture(1600, 1200, bands=4)
        rgba[3] = 255
        rgba[3, :, 690:700] = 0
        mask = np.full((1200, 1600), 255, np.uint8)
        mask[:, 690:700] = 0
        marked = rasters.picture(1600, 1200) + 1
        marked[:, :, 690:700] = 0
        colors = [Color.red, Color.green, Color.blue, Color.alpha]
        for name, options in {
            "palette": {"values": small, "palette": palette},
            "alpha": {"values": rgba, "colors": colors},
            "mask": {"masked": mask},
            "nodata": {"values": marked, "nodata": 0},
        }.items():
            folder = tmp_path / name
            folder.mkdir()
            dataset = dataset_at(folder, [(700, 600)])
            path = imagery(folder, **options)
            run(dataset, path, size_px=200, most_nodata=0.2)
            run(dataset, path, size_px=200, gsd_m=0.6, most_nodata=0.2, keep_duplicates=True)
            own, resampled = images(dataset)
            with rasterio.open(path) as file, rasterio.open(dataset.image_path(own)) as mine:
                window = ((500, 700), (600, 800))
                assert np.array_equal(mine.read(), file.read(window=window))
                assert np.array_equal(mine.dataset_mask(), file.dataset_mask(window=window))
                assert mine.colorinterp == file.colorinterp
                assert mine.nodata == file.nodata
            with rasterio.open(dataset.image_path(resampled)) as mine:
                share = (mine.dataset_mask() == 0).mean()
                assert share == (0 if name == "palette" else pytest.approx(0.06, abs=0.02))
                assert mine.count == (3 if name == "palette" else file.count)


class TestRefusals:
    def reasons(self, report):
        return [(entry["reason"], entry["name"]) for entry in report.refused]

    def test_outside_nodata_coarse_and_blank_are_listed_and_not_saved(self, tmp_path):
        values = rasters.picture(1600, 1200)
        values[:, :400, :400] = 77
        dataset = dataset_at(tmp_path, [(200, 200), (-300, 500), (5, 900), (900, 900)])
        path = imagery(tmp_path, values=values)
        report = run(dataset, path, license="CC0")
        assert self.reasons(report) == [
            ("blank", "place 0"), ("outside", "place 1"), ("nodata", "place 2"),
        ]  # fmt: skip
        assert len(images(dataset)) == len(list((dataset.folder / "images").iterdir())) == 1
        report = run(dataset, path, gsd_m=0.3)
        assert {reason for reason, _ in self.reasons(report)} == {"coarse", "outside"}

    def test_a_placeholder_is_known_by_its_plain_ground(self, tmp_path):
        values = rasters.picture(1600, 1200)
        values[:, 300:700, 300:700] = 204
        values[:, 480:500, 450:520:3] = 90  # its words
        dataset = dataset_at(tmp_path, [(500, 500)])
        report = run(dataset, imagery(tmp_path, values=values), size_px=200)
        assert self.reasons(report) == [("placeholder", "place 0")]

    def test_black_corners_count_as_nodata_only_when_asked(self, tmp_path):
        values = rasters.picture(1600, 1200) + 1
        y, x = np.mgrid[0:1200, 0:1600]
        values[:, x + y < 1000] = 0
        values[:, 900:920, 900:920] = 0  # a dark roof
        path = imagery(tmp_path, values=values)
        dataset = dataset_at(tmp_path, [(500, 500), (910, 910)])
        report = run(dataset, path, black_is_nodata=True)
        assert self.reasons(report) == [("nodata", "place 0")]
        assert "50" in report.refused[0]["detail"] or "49" in report.refused[0]["detail"]
        assert len(run(dataset, path).fetched) == 1

    @pytest.mark.parametrize("gsd", [None, 0.6])
    @pytest.mark.parametrize("kind", ["alpha", "mask", "nodata"])
    def test_black_that_is_no_data_is_so_in_the_file_too(self, tmp_path, gsd, kind):
        from rasterio.enums import ColorInterp as Color

        bands = 4 if kind == "alpha" else 3
        values = rasters.picture(1600, 1200, bands=bands) // 2 + 1
        values[:3, :, :750] = 0
        options = {"nodata": 255} if kind == "nodata" else {}
        if kind == "alpha":
            values[3] = 255
            options = {"colors": [Color.red, Color.green, Color.blue, Color.alpha]}
        dataset = dataset_at(tmp_path, [(800, 600)])
        path = imagery(tmp_path, values=values, **options)
        run(dataset, path, size_px=200, gsd_m=gsd, black_is_nodata=True, most_nodata=0.5)
        with rasterio.open(dataset.image_path(images(dataset)[0])) as mine:
            empty = mine.dataset_mask() == 0
            assert empty.mean() == pytest.approx(0.25, abs=0.05)
            assert empty[:, :40].all()
            assert not empty[:, 70:].any()

    def test_near_duplicates_are_of_the_same_ground_and_the_same_day(self, tmp_path):
        path = imagery(tmp_path)
        dataset = dataset_at(tmp_path, [(500, 500), (502, 501), (500, 800)])
        report = run(dataset, path, size_px=256)
        assert self.reasons(report) == [("duplicate", "place 1")]
        assert report.refused[0]["detail"].endswith(images(dataset)[0].file_name)
        # The same look elsewhere is none: one half of this picture is the other's double.
        twice = np.concatenate([rasters.picture(800, 1200)] * 2, axis=2)
        (tmp_path / "other").mkdir()
        other = dataset_at(tmp_path / "other", [(400, 600), (1200, 600)])
        report = run(other, imagery(tmp_path / "other", values=twice), size_px=256)
        assert (len(report.fetched), report.refused) == (2, [])

    def test_dates_of_one_location_group_are_no_duplicates(self, tmp_path):
        dataset = dataset_at(tmp_path, [(500, 500)])
        path = imagery(tmp_path)
        for date in ("2020", "2021"):
            run(dataset, path, date_captured=date, location_group="here")
        assert len(images(dataset)) == 2
        assert run(dataset, path, date_captured="2022").refused[0]["reason"] == "duplicate"

    def test_duplicates_of_images_that_came_without_a_hash_are_found(self, tmp_path):
        path = imagery(tmp_path)
        dataset = dataset_at(tmp_path, [(500, 500)])
        whole = rasters.picture(1600, 1200)[:, 436:564, 436:564]
        a, _, c, _, e, f = FRAME.transform
        (dataset.folder / "images").mkdir()
        moved = (a, 0, c + a * 436, 0, e, f + e * 436)
        given = rasters.write(dataset.folder / "images" / "given.tif", whole, FRAME.crs, moved)
        dataset.add_image(given)
        assert run(dataset, path).refused[0]["detail"] == "it looks like images/given.tif"


def test_the_report_says_it_all(tmp_path):
    dataset = dataset_at(tmp_path, [(500, 500), (-300, 500)])
    run(dataset, imagery(tmp_path))
    report = json.loads((dataset.folder / "patches-report.json").read_text())
    assert report["counts"] == {
        "fetched": 1, "already": 0, "refused": {"outside": 1}, "failed": 0, "left": 0,
    }  # fmt: skip
    assert report["fetched"][0]["file"] == images(dataset)[0].file_name
    assert "no licence is known" in report["warnings"][0]
    assert (report["estimate"]["places"], report["estimate"]["patches"]) == (2, 1)


def test_frames_are_what_the_dataset_keeps(tmp_path):
    dataset = dataset_at(tmp_path, [(500, 500)])
    run(dataset, imagery(tmp_path), extent_m=50.0, gsd_m=0.7)
    (image,) = images(dataset)
    again = ImageFrame(image.crs, image.transform, image.width, image.height, image.operation)
    assert again.gsd() == image.gsd_m == pytest.approx(0.7, rel=0.002)
    assert image.width == round(50 / 0.7)
    assert patch_jobs.images(dataset)[0].extra["patch"]["resampling"] == "cubic"


@pytest.mark.parametrize("corner", [-180.0, 0.0])
@pytest.mark.parametrize("lat", [90.0, -90.0, 89.95, -89.95])
def test_at_both_poles_of_a_grid_in_degrees_pixels_have_a_real_size(tmp_path, corner, lat):
    values = rasters.picture(1800, 900)
    path = rasters.write(tmp_path / "w.tif", values, "EPSG:4326", (0.2, 0, corner, 0, -0.2, 90))
    source = open_source(ImagerySpec(str(path)))
    # A fifth of a degree of the meridian, not the root of a sliver's area.
    assert source.native_gsd_m(10.0, lat) == pytest.approx(22_340, rel=0.01)
    frame = patch_frame(Place(10.0, lat), source, PatchShape(size_px=64, gsd_m=30_000.0))
    assert frame.gsd() == pytest.approx(30_000, rel=0.002)
    pixels = source.read(frame)
    assert pixels.valid.all()
    assert pixels.values.std() > 5
