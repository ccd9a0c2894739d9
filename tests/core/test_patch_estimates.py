"""What is said before a job is what it takes then: servers of our own have counted."""

import re

import numpy as np
import pytest

from ovearth_core.cli.main import main
from ovearth_core.collection.imagery import ImagerySpec
from ovearth_core.collection.patches import (
    PatchJob,
    PatchShape,
    dataset_places,
    extract_patches,
    plan_patches,
)
from ovearth_core.collection.patches.shared_parts import shares_to_read
from ovearth_core.dataset import Dataset

from . import map_services
from .loopback import Answer, noise, png, serving
from .patch_jobs import dataset_at, imagery, images, served

pytest.importorskip("httpx", reason="servers need httpx: pip install 'ovearth[collect]'")
NEAR = 0.2
# Of a raster of some 40 blocks: one row more or less is much.
FEW_BLOCKS = 0.5
SPREAD = [(x * 6000, y * 6000) for x in range(4) for y in range(4)]
# Many share their tiles, some don't.
CROWDED = [(x, y) for x in (0, 150, 300, 9000) for y in (0, 150, 300, 9000)]


def tiles(path, _):
    z, x, y = map(int, re.search(r"/(\d+)/(\d+)/(\d+)", path).groups())
    return Answer(png(noise(z * 7 + x * 1000 + y)))


def pictures(path, body):
    if "GetCapabilities" in path:
        return map_services.capabilities("1.3.0", ("EPSG:3857",))
    width, height = (int(re.search(f"{name}=(\\d+)", path)[1]) for name in ("width", "height"))
    values = np.random.default_rng(abs(hash(path))).integers(0, 255, (3, height, width), np.uint8)
    return Answer(png(values))


def planned_and_done(dataset, spec, **shape):
    job = PatchJob(ImagerySpec(spec), PatchShape(**shape))
    plan = plan_patches(dataset, dataset_places(dataset), job, workers=1)
    return plan.estimate, extract_patches(dataset, plan, job, engine=None)


def near(number):
    return pytest.approx(number, rel=NEAR)


@pytest.mark.parametrize("pixels", [SPREAD, CROWDED])
def test_tiles(tmp_path, monkeypatch, pixels):
    monkeypatch.setenv("OVEARTH_THREADS", "1")
    dataset = dataset_at(tmp_path, pixels)
    with serving(tiles) as server:
        spec = f"xyz:{server.url}/{{z}}/{{x}}/{{y}}.png#max_zoom=17"
        said, report = planned_and_done(dataset, spec, size_px=300, gsd_m=1.0)
        asked = len(server.asked)
    assert said.patches == len(report.fetched) == len(pixels)
    assert said.requests == near(asked)
    assert said.source_bytes == near(asked * len(png(noise(1))))
    written = sum(entry["width"] * entry["height"] for entry in report.fetched)
    assert (said.pixels, said.bytes) == (written, 3 * written)


def test_pictures_of_a_wms(tmp_path):
    dataset = dataset_at(tmp_path, SPREAD)
    with serving(pictures) as server:
        spec = f"wms:{server.url}/?layers=world&gsd=1"
        said, report = planned_and_done(dataset, spec, size_px=120, gsd_m=1.0)
        asked = sum("GetMap" in path for path in server.asked)
    assert said.requests == asked == len(report.fetched) == 16
    assert said.bytes == 3 * said.pixels


@pytest.mark.parametrize("shape", [{"size_px": 128}, {"size_px": 128, "gsd_m": 1.1}])
def test_a_raster_over_http(tmp_path, monkeypatch, shape):
    monkeypatch.setenv("OVEARTH_THREADS", "1")
    pixels = [(x, y) for x in range(200, 1500, 130) for y in range(200, 1100, 130)]
    dataset = dataset_at(tmp_path, [*pixels, (-500, 0)])
    imagery(tmp_path, overviews=[2], tiled=True, blockxsize=128, blockysize=128)
    with served(tmp_path) as server:
        said, report = planned_and_done(dataset, f"{server.address}/scene.tif", **shape)
        sent = server.sent()
    assert (said.places, said.patches, said.outside) == (len(pixels) + 1, len(pixels), 1)
    assert said.patches == len(report.fetched) + len(report.refused) - 1
    assert said.source_bytes == pytest.approx(sent, rel=FEW_BLOCKS)


def test_no_more_is_asked_for_an_estimate_than_the_raster_itself(tmp_path):
    """Before, opening an overview for it asked for the folder's listing and files beside it."""
    imagery(tmp_path, overviews=[2, 4])
    dataset = dataset_at(tmp_path, [(800, 600)])
    with served(tmp_path) as server:
        job = PatchJob(ImagerySpec(f"{server.address}/scene.tif"), PatchShape(64, gsd_m=2.2))
        plan_patches(dataset, dataset_places(dataset), job)
        assert {line.split()[0] for line in server.asked().splitlines()} == {"/scene.tif"}


def test_places_where_the_imagery_is_too_coarse_are_said(tmp_path, capsys):
    dataset = dataset_at(tmp_path, [(500, 600), (900, 600), (-500, 600)])
    arguments = ["patches", str(dataset.folder), "--imagery", str(imagery(tmp_path))]
    assert main([*arguments, "--size", "64", "--gsd", "0.1", "--dry-run"]) == 0
    assert capsys.readouterr().err.splitlines()[-1] == (
        "0 patches, about 1 place outside of the imagery,"
        " about 2 places where the imagery is too coarse"
    )
    assert images(Dataset.open(dataset.folder)) == []


def test_parts_are_counted_as_if_they_were_kept_one_by_one():
    """The judge: a set of all parts of patches on one grid of equal squares, none forgotten."""
    random = np.random.default_rng(3)
    side_m, part_m = 700.0, 256.0
    places = [(lon, lat, "") for lon, lat in random.uniform(0.1, 0.3, (400, 2))]
    of_parts, _ = shares_to_read(places, side_m, part_m, 10**6)
    seen, asked = set(), 0
    for lon, lat, _ in places:
        x, y = lon * 111_195.0, lat * 111_195.0
        columns = range(int((x - side_m / 2) // part_m), int((x + side_m / 2) // part_m) + 1)
        rows = range(int((y - side_m / 2) // part_m), int((y + side_m / 2) // part_m) + 1)
        seen |= {(column, row) for column in columns for row in rows}
        asked += len(columns) * len(rows)
    assert of_parts == pytest.approx(len(seen) / asked, abs=0.02)


def test_what_is_kept_nowhere_is_read_each_time():
    places = [(0.0, 0.0, "a"), (0.0, 0.0, "a"), (0.0, 0.0, "b")]
    assert shares_to_read(places, 100.0, 100.0, 0) == (1.0, 1.0)
    assert shares_to_read(places, 100.0, 0.0, 9) == (1.0, 1.0)
    assert shares_to_read(places, 100.0, 1000.0, 9) == pytest.approx((2 / 3, 2 / 3))
    assert shares_to_read([], 100.0, 100.0, 9) == (1.0, 1.0)


def test_a_strange_number_of_jobs_is_refused(tmp_path, capsys):
    dataset = dataset_at(tmp_path, [(800, 600)])
    arguments = ["patches", str(dataset.folder), "--imagery", str(imagery(tmp_path))]
    assert main([*arguments, "--jobs", "100000"]) == 2
    assert "more than this machine can hold, --jobs, give " in capsys.readouterr().err


@pytest.mark.parametrize("name", ["", "xyz:"])
def test_imagery_without_a_name_is_refused(tmp_path, capsys, name):
    dataset = dataset_at(tmp_path, [(800, 600)])
    assert main(["patches", str(dataset.folder), "--imagery", name]) == 2
    assert capsys.readouterr().err.startswith("error: no imagery is named, --imagery, ")


def test_a_server_without_tls_is_the_addresss_fault(tmp_path, capsys):
    dataset = dataset_at(tmp_path, [(800, 600)])
    with served(tmp_path) as server:
        address = server.address.replace("http://", "https://")
        assert main(["patches", str(dataset.folder), "--imagery", f"{address}/scene.tif"]) == 2
    assert capsys.readouterr().err.strip().endswith("check the address and the network")
