"""The job: stopped, taken up, spread, and met with bad input, a full disk or a bad network."""

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
import rasterio

from ovearth_core.cli.main import main
from ovearth_core.collection.imagery import ImagerySpec, open_source
from ovearth_core.collection.imagery.gdal_settings import environment
from ovearth_core.collection.patches import (
    PatchJob,
    PatchShape,
    metric_frame,
    plan_patches,
    read_places,
)
from ovearth_core.engine import EngineChoice
from ovearth_core.errors import InputError, UsageError
from ovearth_core.frame import ImageFrame

from . import rasters
from .datasets import CATEGORIES
from .patch_jobs import FRAME, dataset_at, imagery, images, run, served
from .shared import CHECKOUT, DATA, needs_shared

NOWHERE = {"type": "Feature", "properties": {}, "geometry": None}
SPREAD = [(x, y) for y in (200, 600, 1000) for x in (200, 600, 1000, 1400)]


def command(*arguments, capsys):
    code = main([str(argument) for argument in arguments])
    return code, capsys.readouterr()


def one_error(captured):
    lines = captured.err.strip().splitlines()
    errors = [line for line in lines if line.startswith("error: ")]
    assert len(errors) == 1
    assert lines[-1] == errors[0]
    return errors[0]


class TestTakingUp:
    def test_running_again_makes_no_doubles_and_does_only_the_rest(self, tmp_path):
        dataset = dataset_at(tmp_path, SPREAD[:4])
        path = imagery(tmp_path)
        run(dataset, path)
        first = images(dataset)
        dataset.image_path(first[1]).unlink()
        report = run(dataset, path)
        assert (report.already, len(report.fetched)) == (3, 1)
        again = images(dataset)
        assert [row.file_name for row in again] == [row.file_name for row in first]
        assert dataset.image_path(first[1]).is_file()

    def test_what_was_refused_for_good_is_not_read_again(self, tmp_path):
        dataset = dataset_at(tmp_path, [(-300, 500)])
        path = imagery(tmp_path)
        run(dataset, path)
        report = run(dataset, path)
        assert report.estimate["places"] == 0
        assert report.refused[0]["reason"] == "outside"
        assert run(dataset, path, retry_refused=True).estimate["places"] == 1

    def test_processes_make_the_same_patches_in_the_same_order(self, tmp_path):
        path = imagery(tmp_path)
        looks = []
        for jobs in (1, 2):
            (tmp_path / str(jobs)).mkdir()
            dataset = dataset_at(tmp_path / str(jobs), SPREAD)
            run(dataset, path, EngineChoice(jobs=jobs), gsd_m=0.7)
            pixels = [rasterio.open(dataset.image_path(row)).read() for row in images(dataset)]
            looks.append(([row.file_name for row in images(dataset)], pixels))
        assert looks[0][0] == looks[1][0]
        assert all(np.array_equal(a, b) for a, b in zip(looks[0][1], looks[1][1], strict=True))

    def test_a_cluster_makes_them_too(self, tmp_path):
        distributed = pytest.importorskip("distributed")
        dataset = dataset_at(tmp_path, SPREAD[:3])
        with distributed.LocalCluster(
            n_workers=1, threads_per_worker=1, processes=True, dashboard_address=":0",
            host="127.0.0.1",
        ) as cluster:  # fmt: skip
            choice = EngineChoice("dask", scheduler=cluster.scheduler_address)
            run(dataset, imagery(tmp_path), choice)
        assert len(images(dataset)) == 3

    def test_interrupted_it_leaves_whole_files_and_can_be_taken_up(self, tmp_path):
        pixels = [(x, y) for y in range(150, 1050, 12) for x in range(150, 1450, 40)]
        dataset = dataset_at(tmp_path, pixels)
        path = imagery(tmp_path)
        arguments = ["patches", dataset.folder, "--imagery", path, "--size", "200", "--gsd", "0.7",
                     "--keep-duplicates", "--jobs", "2"]  # fmt: skip
        job = subprocess.Popen(
            [sys.executable, "-m", "ovearth_core.cli", *map(str, arguments)],
            stderr=subprocess.PIPE, text=True, start_new_session=True, cwd=CHECKOUT,
        )  # fmt: skip
        folder = dataset.folder / "images"
        while job.poll() is None and not (folder.is_dir() and len(list(folder.iterdir())) > 20):
            time.sleep(0.02)
        os.killpg(job.pid, signal.SIGINT)
        said = job.communicate(timeout=60)[1]
        assert job.returncode == 130, said
        last = said.strip().splitlines()[-1]
        assert last.startswith("error: stopped after ")
        assert "Traceback" not in said
        rows = images(dataset)
        assert 0 < len(rows) < len(pixels)
        names = {file.name for file in folder.iterdir()}
        assert names == {row.file_name.split("/")[1] for row in rows}
        for row in rows:
            with rasterio.open(dataset.image_path(row)) as file:
                file.read()
        assert json.loads((dataset.folder / "patches-report.json").read_text())["interrupted"]


class TestBadInput:
    @needs_shared
    def test_a_raster_that_opens_and_fails_on_read_is_one_line(self, tmp_path, capsys):
        path = DATA / "odd" / "corrupt.tif"
        with rasterio.open(path) as file:
            frame = ImageFrame(file.crs.to_wkt(), tuple(file.transform)[:6], 1024, 1024)
        dataset = dataset_at(tmp_path, [(512, 512), (300, 300)], frame)
        code, said = command("patches", dataset.folder, "--imagery", path, "--size", 700,
                             capsys=capsys)  # fmt: skip
        assert code == 2
        assert "2 of 2 patches failed" in one_error(said)
        assert images(dataset) == []

    def test_what_can_be_read_of_a_broken_raster_is_kept(self, tmp_path, capsys):
        path = imagery(tmp_path, compress="deflate")
        content = bytearray(path.read_bytes())
        # Blocks lie row by row, seven in each of five: this is about the one at 640, 640.
        spoilt = slice(len(content) * 31 // 70, len(content) * 35 // 70)
        content[spoilt] = b"\xff" * len(content[spoilt])
        path.write_bytes(content)
        dataset = dataset_at(tmp_path, [(200, 200), (640, 640), (1400, 1000)])
        code, said = command("patches", dataset.folder, "--imagery", path, "--size", 100,
                             capsys=capsys)  # fmt: skip
        assert code == 2
        assert "1 of 3 patches failed" in one_error(said)
        assert len(images(dataset)) == 2
        imagery(tmp_path)
        assert command("patches", dataset.folder, "--imagery", path, "--size", 100,
                       capsys=capsys)[0] == 0  # fmt: skip
        assert len(images(dataset)) == 3

    @pytest.mark.parametrize(
        ("spec", "says"),
        [
            ("nothing.tif", "No such file"),
            ("http://127.0.0.1:1/a.tif", "can't be read"),
            ("https://127.0.0.1:1/{z}/{x}/{y}.png", "can't be reached"),
            ("dataset/dataset.gpkg", "is a dataset"),
            ("text.tif", "not recognized"),
            ("nowhere.tif", "no CRS"),
        ],
    )
    def test_imagery_that_is_none_is_one_line(self, tmp_path, monkeypatch, capsys, spec, says):
        monkeypatch.chdir(tmp_path)
        dataset_at(tmp_path, SPREAD[:1])
        (tmp_path / "text.tif").write_text("no picture")
        rasters.write(tmp_path / "nowhere.tif", rasters.picture(50, 50), None, (1, 0, 5, 0, -1, 5))
        code, said = command("patches", "dataset", "--imagery", spec, capsys=capsys)
        assert code == 2
        assert says in one_error(said)

    @pytest.mark.parametrize(
        "options",
        [
            ["--size", "0"], ["--size", "9", "--extent", "5"], ["--gsd", "-1"], ["--grid", "odd"],
            ["--resampling", "odd"], ["--compress", "lossy"], ["--jobs", "0"], ["--pois", "no.csv"],
            ["--engine", "dask"], ["--max-nodata", "2"], ["--jitter", "5"], ["--extent", "1e7"],
            ["--date", "yesterday"], ["--date", "2024-02-30"], ["--date", "30.06.2024"],
            ["--date", "2024-13"], ["--date", "2024-06-30T25:00:00Z"], ["--date", ""],
        ],
    )  # fmt: skip
    def test_options_that_make_no_sense_are_one_line(self, tmp_path, capsys, options):
        dataset = dataset_at(tmp_path, SPREAD[:1])
        path = imagery(tmp_path)
        code, said = command("patches", dataset.folder, "--imagery", path, *options, capsys=capsys)
        assert code == 2
        one_error(said)
        assert images(dataset) == []

    @pytest.mark.parametrize(
        "date",
        [
            "2024",
            "2024-06",
            "2024-06-30",
            "2024-06-30T10:15",
            "2024-06-30T10:15:00.5Z",
            "2024-06-30T10:15+02:00",
        ],
    )
    def test_dates_and_moments_are_taken(self, tmp_path, date):
        dataset = dataset_at(tmp_path, SPREAD[:1])
        run(dataset, imagery(tmp_path), date_captured=date)
        assert images(dataset)[0].date_captured == date

    def test_a_full_disk_is_one_line_and_whole_files_stay(self, tmp_path):
        """A limit on file size stands in for a disk that is full."""
        dataset = dataset_at(tmp_path, [(600, 600), (900, 600)])
        path = imagery(tmp_path)
        program = (
            "import resource, signal, sys; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
            "resource.setrlimit(resource.RLIMIT_FSIZE, (600_000, 600_000));"
            "from ovearth_core.cli.main import run; run(sys.argv[1:])"
        )
        arguments = ["patches", dataset.folder, "--imagery", path, "--keep-duplicates", "--size"]
        done = subprocess.run(
            [sys.executable, "-c", program, *map(str, arguments), "1000"],
            capture_output=True, text=True, cwd=CHECKOUT, check=False,
        )  # fmt: skip
        assert done.returncode == 2
        assert "can't write it" in done.stderr.strip().splitlines()[-1]
        assert "Traceback" not in done.stderr
        assert list((dataset.folder).rglob(".*tif*")) == []
        assert images(dataset) == []
        run(dataset, path, size_px=1000, keep_duplicates=True)
        assert len(images(dataset)) == 2


class TestSize:
    def test_it_is_said_before_and_a_typing_error_is_refused(self, tmp_path, capsys):
        dataset = dataset_at(tmp_path, SPREAD)
        path = imagery(tmp_path)
        code, said = command("patches", dataset.folder, "--imagery", path, "--size", 500,
                             "--dry-run", capsys=capsys)  # fmt: skip
        assert code == 0
        assert "12 patches, 3 megapixels, about 9 MB" in said.err
        assert images(dataset) == []
        job = PatchJob(ImagerySpec(str(path)), PatchShape(size_px=30_000, gsd_m=0.5))
        places = list(read_places(_table(tmp_path, 60)))
        with pytest.raises(UsageError, match=r"too much: .*--no-limit"):
            plan_patches(dataset, places, job)
        plan_patches(dataset, places, PatchJob(job.spec, job.shape, no_limit=True))


def _table(folder, count=3):
    lon, lat = FRAME.pixel_to_lonlat([[800, 600]])[0]
    lines = [f"{lon + i * 1e-5},{lat},node {i},storage tank,osm:node/{i}" for i in range(count)]
    path = folder / "places.csv"
    path.write_text("\n".join(["lon,lat,name,category,source_id", *lines]) + "\n")
    return path


class TestPlaces:
    def test_a_table_of_places_goes_into_the_dataset_with_its_patches(self, tmp_path):
        dataset = dataset_at(tmp_path, [])
        path = imagery(tmp_path)
        for _ in range(2):
            places = read_places(_table(tmp_path))
            run(dataset, path, places=places, keep_duplicates=True)
        with dataset.reading() as view:
            pois = list(view.pois())
        assert [poi.source_id for poi in pois] == ["osm:node/0", "osm:node/1", "osm:node/2"]
        assert {poi.category_id for poi in pois} == {CATEGORIES[1].id}
        assert [image.poi_id for image in images(dataset)] == [1, 2, 3]
        assert all("storage-tank" in image.file_name for image in images(dataset))

    def test_a_category_that_nobody_knows_is_refused_with_the_nearest_names(self, tmp_path, capsys):
        dataset = dataset_at(tmp_path, [])
        table = tmp_path / "places.csv"
        lon, lat = FRAME.pixel_to_lonlat([[800, 600]])[0]
        table.write_text(f"lon,lat,category\n{lon},{lat},storage tank\n{lon},{lat},storage tnk\n")
        path = imagery(tmp_path)
        code, said = command("patches", dataset.folder, "--imagery", path, "--pois", table,
                             capsys=capsys)  # fmt: skip
        assert code == 2
        error = one_error(said)
        assert error.startswith(
            f"error: unknown category 'storage tnk', {table}, record 2, nearest"
        )
        assert "'storage tank'" in error
        assert error.count("'") == 8
        assert images(dataset) == []

    def test_a_category_of_the_taxonomy_goes_into_the_dataset_with_its_place(self, tmp_path):
        dataset = dataset_at(tmp_path, [])
        lon, lat = FRAME.pixel_to_lonlat([[800, 600]])[0]
        (tmp_path / "places.csv").write_text(f"lon,lat,category\n{lon},{lat},Lighthouse\n")
        path = imagery(tmp_path)
        for fetched in (1, 0):
            report = run(dataset, path, places=read_places(tmp_path / "places.csv"))
            assert len(report.fetched) == fetched
        with dataset.reading() as view:
            (poi,) = view.pois()
            assert view.category(poi.category_id).slug == "lighthouse"

    def test_the_continent_is_told_by_the_place_unless_it_is_given(self, tmp_path):
        dataset = dataset_at(tmp_path, [(300, 600)])
        (lon, lat), (east, south) = FRAME.pixel_to_lonlat([[800, 600], [1200, 900]])
        lines = ["lon,lat,name,continent", f"{lon},{lat},a,", f"{east},{south},b,Asia"]
        (tmp_path / "places.csv").write_text("\n".join(lines))
        path = imagery(tmp_path)
        run(dataset, path)
        run(dataset, path, places=read_places(tmp_path / "places.csv"))
        assert [row.continent for row in images(dataset)] == ["Europe", "Europe", "Asia"]

    def test_vector_files_are_read_in_their_own_crs_and_areas_by_their_middle(self, tmp_path):
        import fiona

        path = tmp_path / "areas.gpkg"
        x, y = FRAME.pixel_to_map([[800, 600]])[0]
        ring = [(x - 4, y - 4), (x + 4, y - 4), (x + 4, y + 4), (x - 4, y - 4)]
        with fiona.open(
            path, "w", driver="GPKG", crs=FRAME.crs,
            schema={"geometry": "Polygon", "properties": {"name": "str"}},
        ) as layer:  # fmt: skip
            shape = {"type": "Polygon", "coordinates": [ring]}
            layer.write({"geometry": shape, "properties": {"name": "field"}})
        (place,) = read_places(path)
        assert np.allclose(FRAME.lonlat_to_pixel([[place.lon, place.lat]])[0], [800, 600])
        assert place.name == "field"

    @pytest.mark.parametrize(
        ("name", "content"),
        [
            ("a.csv", "name\nhere\n"),
            ("a.csv", "lon,lat\n1,north\n"),
            ("a.csv", "lon,lat\n1,95\n"),
            ("a.geojson", "{"),
            ("a.geojson", json.dumps({"type": "FeatureCollection", "features": [NOWHERE]})),
        ],
    )  # fmt: skip
    def test_files_that_hold_no_places_are_refused_by_name(self, tmp_path, name, content):
        (tmp_path / name).write_text(content)
        with pytest.raises(InputError, match=name):
            list(read_places(tmp_path / name))


class TestOverHttp:
    def test_only_the_wanted_bytes_are_read(self, tmp_path):
        path = imagery(tmp_path, overviews=[2, 4, 8], compress="deflate")
        local = open_source(ImagerySpec(str(path)))
        frame = local.own_frame(15.0, 50.0, 200, 200)
        with served(tmp_path) as server:
            online = open_source(ImagerySpec(f"{server.address}/scene.tif"))
            assert np.array_equal(online.read(frame).values, local.read(frame).values)
            assert server.sent() < path.stat().st_size / 3
            assert online.about.source == f"{server.address}/scene.tif"
            assert online.cost(frame).requests > 0

    def test_the_nearest_finer_overview_is_read(self, tmp_path):
        path = imagery(tmp_path, overviews=[2, 4, 8])
        with rasterio.open(path, "r+", overview_level=1) as file:
            file.write(np.full((3, file.height, file.width), 201, np.uint8))
        source = open_source(ImagerySpec(str(path)))
        near = FRAME.gsd()
        for scale, is_it in [(3.9, False), (4.0, True), (6.0, True), (8.0, False)]:
            frame = metric_frame(15.0, 50.0, 40, 40, near * scale)
            assert (source.read(frame).values == 201).all() == is_it

    def test_the_estimate_counts_the_blocks_that_travel(self, tmp_path):
        """Before, it counted the window's own pixels, uncompressed."""
        values = rasters.picture(1600, 1200) // 16
        imagery(tmp_path, values=values, overviews=[2, 4], compress="deflate", tiled=True,
                blockxsize=256, blockysize=256)  # fmt: skip
        with served(tmp_path) as server:
            for gsd in (0.5, 2.0):
                source = open_source(ImagerySpec(f"{server.address}/scene.tif"))
                frame = metric_frame(15.0, 50.0, 130, 130, gsd)
                cost = source.cost(frame)
                before = server.sent()
                source.read(frame)
                sent = server.sent() - before
                assert cost.pixel_bytes == 3
                # GDAL reads 16 kB at least, and the header's rest.
                assert sent / 2 < cost.bytes < sent * 1.5, gsd
                source.close()

    def test_options_after_the_address_say_how_its_server_is_asked(self, tmp_path):
        path = imagery(tmp_path)
        frame = open_source(ImagerySpec(str(path))).own_frame(15.0, 50.0, 20, 20)
        with served(tmp_path) as server:
            spec = ImagerySpec(f"{server.address}/scene.tif#timeout=7.5&attempts=2")
            source = open_source(spec)
            assert source.read(frame).valid.all()
            settings = environment(True, source._gdal.rules)
            assert (settings["GDAL_HTTP_TIMEOUT"], settings["GDAL_HTTP_MAX_RETRY"]) == (8, 1)
            assert "#" not in server.asked()
        odd = imagery(tmp_path, "a#timeout=x.tif")
        assert open_source(ImagerySpec(str(odd))).read(frame).valid.all()

    def test_a_server_that_has_no_such_file_is_one_line(self, tmp_path):
        with served(tmp_path) as server, pytest.raises(InputError, match=r"can't be read.*404"):
            open_source(ImagerySpec(f"{server.address}/nothing.tif"))
