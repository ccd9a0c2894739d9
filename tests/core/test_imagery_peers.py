"""One image through real servers: the same place lands on the same ground, to half a pixel."""

from contextlib import ExitStack

import numpy as np
import pytest
import rasterio
from pyproj import Transformer

pytest.importorskip("httpx", reason="servers need httpx: pip install 'ovearth[collect]'")
pytest.importorskip("owslib", reason="services need OWSLib: pip install 'ovearth[collect]'")
pytest.importorskip("morecantile", reason="tiles need morecantile")

from ovearth_core.collection.imagery import ImagerySpec, open_source, server_errors

from . import peers
from .framing import framed
from .one_scene import EDGE, FINE, PIXEL, RAMP, SIDE, ZOOM, write_scene

HALF_A_PIXEL = 0.5


@pytest.fixture(scope="module")
def scene(tmp_path_factory):
    return write_scene(tmp_path_factory.mktemp("scene"))


def patch(scene, scale=1.02):
    path, lon, lat = scene
    raster = open_source(ImagerySpec(str(path)))
    gsd = raster.native_gsd_m(lon, lat)
    frame = framed("EPSG:32633", lon, lat, gsd * scale, width=60, height=56)
    return raster.read(frame), gsd


def assert_same_ground(scene, text, limit=HALF_A_PIXEL, beside=(0.0, 0.0), **options):
    """beside: how far right and down of the ground the server's own pixels were drawn, pixels."""
    expected, _ = patch(scene)
    said = tuple((name, str(value)) for name, value in options.items())
    pixels = open_source(ImagerySpec(text, options=said)).read(expected.frame)
    assert pixels.valid.all()
    off = pixels.values.astype(float) - expected.values
    shift = np.abs(off[:2].mean(axis=(1, 2)) / FINE - beside)
    assert shift.max() <= limit, shift
    assert np.median(np.abs(off[:2])) <= FINE


def drawn_beside(scene, url, level):
    """How far a server's own tile in EPSG:4326 is from the scene, as its pixels x, y; no code of
    ours between. (QGIS reprojects by an approximation, to the nearest pixel.)"""
    import httpx

    path, lon, lat = scene
    degrees = 180 / 256 / 2**level
    column, row = int((lon + 180) / degrees / 256), int((90 - lat) / degrees / 256)
    address = f"{url}&tilematrix={level}&tilerow={row}&tilecol={column}"
    with rasterio.MemoryFile(httpx.get(address, timeout=60).content) as png, png.open() as picture:
        red, green = picture.read([1, 2]).astype(float) / FINE + EDGE
    y, x = np.mgrid[0:256, 0:256] + 0.5
    lons, lats = (column * 256 + x) * degrees - 180, 90 - (row * 256 + y) * degrees
    with rasterio.open(path) as file:
        mercator = Transformer.from_crs(4326, 3857, always_xy=True).transform(lons, lats)
        at = ~file.transform @ mercator
    inner = np.all([(part > EDGE + 3) & (part < EDGE + RAMP - 3) for part in at], axis=0)
    assert inner.sum() > 1000
    return (red - at[0] + 0.5)[inner].mean(), (green - at[1] + 0.5)[inner].mean()


@peers.needs_titiler
def test_titiler_by_xyz(scene):
    with peers.titiler(scene[0]) as address:
        assert_same_ground(scene, f"xyz:{address}", max_zoom=ZOOM, limit=0.05)
        # Sharper tiles of the level above are the same pixels.
        assert_same_ground(scene, f"xyz:{address}&tilesize=512", max_zoom=ZOOM - 1, limit=0.05)


@peers.needs_titiler
def test_titiler_outside_of_the_scene_has_no_data(scene):
    with peers.titiler(scene[0]) as address:
        source = open_source(ImagerySpec(f"xyz:{address}#max_zoom={ZOOM}"))
        pixels = source.read(framed("EPSG:32633", 14.0, 51.0, 0.5, width=60, height=60))
        assert not pixels.valid.any()
        assert pixels.about.extra["missing_tiles"] > 0


@peers.needs_mapserver
@pytest.mark.parametrize("crs", ["EPSG:3857", "EPSG:4326", "EPSG:32633"])
@pytest.mark.parametrize("version", ["1.1.1", "1.3.0"])
def test_mapserver_by_wms(scene, tmp_path, version, crs):
    _, gsd = patch(scene)
    with peers.mapserver(scene[0], tmp_path) as served:
        text = f"wms:{served.url}/?layers=scene&version={version}&crs={crs}&gsd={gsd}"
        assert_same_ground(scene, text)
        source = open_source(ImagerySpec(text))
        assert source.about.attribution == "its maker"
        far = framed("EPSG:32633", 14.0, 51.0, 0.5, width=60, height=60)
        assert not source.read(far).valid.any()


@peers.needs_mapserver
@pytest.mark.parametrize(("tail", "message"), [
    ("?layers=gone&gsd=1", "missing file"),
    ("?layers=scene&gsd=1&styles=nosuch", "StyleNotDefined"),
    ("?layers=scene&gsd=1&time=2020-01-01", None),
])  # fmt: skip
def test_mapservers_own_errors_are_said_in_one_line(scene, tmp_path, tail, message):
    with peers.mapserver(scene[0], tmp_path) as served:
        source = open_source(ImagerySpec(f"wms:{served.url}/{tail}"))
        frame = framed("EPSG:32633", scene[1], scene[2], 1.1, width=30, height=30)
        if message is None:
            source.read(frame)
            return
        with pytest.raises(server_errors.ServiceExceptionError, match=message) as fault:
            source.read(frame)
        assert "\n" not in str(fault.value)


@peers.needs_mapserver
def test_a_server_that_is_no_wms_says_what_it_is(scene, tmp_path):
    with peers.mapserver(scene[0], tmp_path) as served:
        with pytest.raises(server_errors.ServerError) as fault:
            open_source(ImagerySpec(f"wmts:{served.url}/"))
        assert "\n" not in str(fault.value)


@peers.is_full
@peers.needs_qgis_server
def test_qgis_server_by_wmts_and_wms(scene, tmp_path):
    _, gsd = patch(scene)
    with peers.qgis_server(scene[0], tmp_path) as served:
        text = f"wmts:{served.url}/?layer=scene&tilematrixset=EPSG:3857"
        assert_same_ground(scene, text, limit=0.05)
        text = f"wmts:{served.url}/?layer=scene&tilematrixset=EPSG:4326&max_level=18"
        tile = (
            f"{served.url}/?service=WMTS&request=GetTile&version=1.0.0&layer=scene&style=default"
            "&format=image/png&tilematrixset=EPSG:4326"
        )
        beside = drawn_beside(scene, tile, 18)
        assert np.abs(beside).max() < 0.7
        assert_same_ground(scene, text, 0.1, beside)
        for version in ("1.1.1", "1.3.0"):
            text = f"wms:{served.url}/?layers=scene&version={version}&crs=EPSG:4326&gsd={gsd}"
            assert_same_ground(scene, text)


@peers.needs_mapserver
def test_gdals_own_wms_driver_puts_the_scene_on_the_same_ground(scene, tmp_path):
    """A judge that shares nothing with us but the server."""
    _, gsd = patch(scene)
    with ExitStack() as stack:
        served = stack.enter_context(peers.mapserver(scene[0], tmp_path))
        source = open_source(
            ImagerySpec(f"wms:{served.url}/?layers=scene&crs=EPSG:3857&gsd={gsd}&oversample=1")
        )
        with rasterio.open(scene[0]) as file:
            bounds = file.bounds
        description = (
            "<GDAL_WMS><Service name='WMS'><Version>1.1.1</Version>"
            f"<ServerUrl>{served.url}/?</ServerUrl>"
            "<SRS>EPSG:3857</SRS><Layers>scene</Layers><ImageFormat>image/png</ImageFormat></Service>"
            f"<DataWindow><UpperLeftX>{bounds.left}</UpperLeftX><UpperLeftY>{bounds.top}</UpperLeftY>"
            f"<LowerRightX>{bounds.right}</LowerRightX><LowerRightY>{bounds.bottom}</LowerRightY>"
            f"<SizeX>{SIDE}</SizeX><SizeY>{SIDE}</SizeY></DataWindow><Projection>EPSG:3857</Projection>"
            f"<BlockSizeX>{SIDE}</BlockSizeX><BlockSizeY>{SIDE}</BlockSizeY></GDAL_WMS>"
        )
        with rasterio.open(description) as judge:
            theirs = judge.read()
            frame = framed("EPSG:3857", scene[1], scene[2], PIXEL, width=100, height=100)
        ours = source.read(frame).values
        middle = slice(SIDE // 2 - 50, SIDE // 2 + 50)
        off = ours.astype(float) - theirs[:3, middle, middle]
        assert np.abs(off[:2].mean(axis=(1, 2))).max() / FINE <= HALF_A_PIXEL
