"""One place through a raster, XYZ, WMS and WMTS of one image: all patches are of one ground.

Nothing of ours judges: each patch's file is opened by rasterio, and pyproj says which pixels of the
image its own ones are.
"""

import urllib.request
from contextlib import contextmanager
from urllib.parse import parse_qs

import numpy as np
import pytest
import rasterio
from affine import Affine
from pyproj import Geod, Transformer

pytest.importorskip("httpx", reason="servers need httpx: pip install 'ovearth[collect]'")
pytest.importorskip("owslib", reason="services need OWSLib: pip install 'ovearth[collect]'")
pytest.importorskip("morecantile", reason="tiles need morecantile")

from ovearth_core.cli.main import main

from . import one_scene, peers
from .loopback import serving
from .patch_jobs import dataset_at

SIZE, GSD_M = 60, 0.39
HALF_A_PIXEL = 0.5


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    return one_scene.write_scene(tmp_path_factory.mktemp("scene"))


@contextmanager
def a_raster(path, _):
    yield [str(path)]


@contextmanager
def our_xyz(*_):
    with serving(one_scene.scene_by_xyz()) as served:
        yield [f"xyz:{served.url}/{{z}}/{{x}}/{{y}}#max_zoom={one_scene.ZOOM}"]


@contextmanager
def our_wmts(*_):
    answer = one_scene.scene_by_wmts()
    with serving(answer) as served:
        answer.url = served.url
        yield [f"wmts:{served.url}/?layer=world"]


@contextmanager
def our_wms(*_):
    with serving(one_scene.scene_by_wms()) as served:
        yield wms_specs(served, "world")


def wms_specs(served, layer, crs_names=("EPSG:3857", "EPSG:4326")):
    return [
        f"wms:{served.url}/?layers={layer}&version={version}&crs={crs}&gsd=0.38"
        for version in ("1.1.1", "1.3.0")
        for crs in crs_names
    ]


@contextmanager
def titilers_xyz(path, _):
    with peers.titiler(path) as address:
        yield [f"xyz:{address}#max_zoom={one_scene.ZOOM}"]


@contextmanager
def mapservers_wms(path, folder):
    with peers.mapserver(path, folder) as served:
        # In the image's own CRS it draws beside: see below.
        yield wms_specs(served, "scene", ["EPSG:4326"])


@contextmanager
def qgis_servers_wmts_and_wms(path, folder):
    with peers.qgis_server(path, folder) as served:
        yield [
            f"wmts:{served.url}/?layer=scene&tilematrixset=EPSG:3857",
            f"wms:{served.url}/?layers=scene&version=1.3.0&crs=EPSG:4326&gsd=0.38",
        ]


SOURCES = [
    a_raster, our_xyz, our_wms, our_wmts,
    pytest.param(titilers_xyz, marks=peers.needs_titiler),
    pytest.param(mapservers_wms, marks=peers.needs_mapserver),
    pytest.param(qgis_servers_wmts_and_wms, marks=[peers.needs_qgis_server, peers.is_full]),
]  # fmt: skip


def beside(path):
    """How far (2,h,w) a patch's contents lie right and below of where they should, image pixels."""
    with rasterio.open(path) as patch:
        found = one_scene.position_of(patch.read())
        assert patch.dataset_mask().all()
        rows, columns = np.mgrid[0 : patch.height, 0 : patch.width] + 0.5
        east, north = patch.transform @ (columns, rows)
        there = Transformer.from_crs(patch.crs, 3857, always_xy=True).transform(east, north)
    return found - np.stack(~Affine(*one_scene.TRANSFORM) @ there)


def places(lon, lat):
    """Five places that lie differently in the image's pixels: longitudes and latitudes by name."""
    geod = Geod(ellps="WGS84")
    around = (geod.fwd(lon, lat, 72.0 * number, 5.0 + 0.17 * number) for number in range(5))
    return {f"place {number}": at[:2] for number, at in enumerate(around)}


def named_patches(dataset):
    with dataset.reading() as view:
        return {view.poi(image.poi_id).name: dataset.image_path(image) for image in view.images()}


def cut(folder, wanted, spec, gsd_m=GSD_M):
    """The files of the patches of places, by name, cut by the command in a folder of their own."""
    folder.mkdir()
    table, dataset = folder / "places.csv", dataset_at(folder, [])
    rows = [f"{x!r},{y!r},{name},storage tank,osm:node/{x!r}" for name, (x, y) in wanted.items()]
    table.write_text("\n".join(["lon,lat,name,category,source_id", *rows]) + "\n")
    command = ["patches", dataset.folder, "--pois", table, "--imagery", spec, "--size", SIZE,
               "--gsd", gsd_m, "--grid", "metric", "--keep-duplicates"]  # fmt: skip
    assert main([str(word) for word in command]) == 0, spec
    found = named_patches(dataset)
    assert set(found) == set(wanted)
    return found


@pytest.mark.parametrize("source", SOURCES)
def test_places_land_on_their_ground(scene, tmp_path, source):
    path, lon, lat = scene
    wanted = places(lon, lat)
    with source(path, tmp_path) as specs:
        for number, spec in enumerate(specs):
            for name, patch in cut(tmp_path / str(number), wanted, spec).items():
                off = beside(patch)
                shift = off.mean(axis=(1, 2))
                assert np.abs(shift).max() <= HALF_A_PIXEL, (spec, shift)
                # Each pixel too, but for its server's nearest one and values of half pixels.
                assert np.abs(off).max() <= HALF_A_PIXEL + 0.5 + 0.25, (spec, np.abs(off).max())
                assert_the_place_is_in_the_middle(patch, *wanted[name])


def drawn_beside(served, middle):
    """How far what a WMS drew in EPSG:3857 about a place is from where it should be, x and y in
    pixels of the image: the mean over the patch, of the picture itself, no code of ours between."""
    maps = [path for path in served.asked if "getmap" in path.lower()]
    boxes = np.array([parse_qs(path)["bbox"][0].split(",") for path in maps], float)
    nearest = np.hypot(*((boxes[:, :2] + boxes[:, 2:]) / 2 - middle).T).argmin()
    answer = urllib.request.urlopen(served.url + maps[nearest], timeout=60).read()
    with rasterio.MemoryFile(answer) as png, png.open() as picture:
        found = one_scene.position_of(picture.read())
    west, south, east, north = boxes[nearest]
    y, x = np.mgrid[0 : found.shape[1], 0 : found.shape[2]] + 0.5
    there = west + x / found.shape[2] * (east - west), north - y / found.shape[1] * (north - south)
    off = found - np.stack(~Affine(*one_scene.TRANSFORM) @ there)
    reach = SIZE / 2 * GSD_M / np.cos(np.radians(50.0))
    is_inside = np.all(
        [abs(part - at) < reach for part, at in zip(there, middle, strict=True)], axis=0
    )
    assert is_inside.sum() > SIZE**2
    return off[:, is_inside].mean(axis=1)


@peers.needs_mapserver
def test_mapserver_rounds_boxes_of_the_images_own_crs_and_nothing_is_added(scene, tmp_path):
    """Its pixels, drawn from whole pixels of the image, are up to one beside their ground."""
    path, lon, lat = scene
    wanted = places(lon, lat)
    shifts = []
    with peers.mapserver(path, tmp_path) as served:
        (spec,) = wms_specs(served, "scene", ["EPSG:3857"])[1:]
        for name, patch in cut(tmp_path / "a", wanted, spec).items():
            middle = Transformer.from_crs(4326, 3857, always_xy=True).transform(*wanted[name])
            server = drawn_beside(served, middle)
            shifts.append(server)
            # Values are of half pixels, so that a quarter may be lost in rounding.
            assert np.abs(beside(patch).mean(axis=(1, 2)) - server).max() <= 0.25
    assert np.abs(shifts).max() <= 2 * HALF_A_PIXEL


def test_places_less_than_a_pixel_apart_are_no_placeholders_of_each_other(scene, tmp_path):
    """A WMS that takes the nearest pixel draws the very same picture for both."""
    _, lon, lat = scene
    geod = Geod(ellps="WGS84")
    around = [geod.fwd(lon, lat, 72.0 * number, 0.17 * number)[:2] for number in range(5)]
    wanted = {f"place {number}": at for number, at in enumerate(around)}
    with serving(one_scene.scene_by_wms()) as served:
        (spec,) = wms_specs(served, "world", ["EPSG:3857"])[1:]
        cut(tmp_path / "a", wanted, spec, gsd_m=0.3826)
        maps = [path for path in served.asked if "GetMap" in path]
        pictures = {urllib.request.urlopen(served.url + path, timeout=9).read() for path in maps}
        assert len(pictures) < len(set(maps))


def assert_the_place_is_in_the_middle(path, lon, lat):
    half = SIZE / 2
    with rasterio.open(path) as patch:
        x, y = patch.transform @ (np.array([half, half + 1]), np.array([half, half]))
        lons, lats = Transformer.from_crs(patch.crs, 4326, always_xy=True).transform(x, y)
    geod = Geod(ellps="WGS84")
    assert geod.inv(lon, lat, lons[0], lats[0])[2] <= HALF_A_PIXEL * GSD_M
    assert geod.line_length(lons, lats) == pytest.approx(GSD_M, rel=0.002)
