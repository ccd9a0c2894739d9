"""Every patch lies where pyproj says: on ramps whose values are the source's own coordinates."""

import numpy as np
import pytest
import rasterio
from affine import Affine
from pyproj import Transformer

from ovearth_core.collection.imagery import ImagerySpec, open_source
from ovearth_core.collection.patches import Place
from ovearth_core.errors import OVEarthError
from ovearth_core.frame import ImageFrame

from . import patch_jobs, rasters
from .framing import framed
from .shared import DATA, needs_shared

LIMIT_PX = 0.05
SCALES = [1.0, 1.3, 1.7, 4.0]
SIZE = 700


def placed(kind, folder, **options):
    """A ramp, the CRS and transform that place it, and where its middle is."""
    values = rasters.ramp(SIZE, SIZE)
    path = folder / "ramp.tif"
    lon, lat, crs, pixel, turned, south_up = {
        "plain": (15.0, 50.0, "EPSG:32633", 0.5, 0.0, False),
        "rotated": (15.0, 50.0, "EPSG:32633", 0.5, 30.0, False),
        "south-up": (15.0, 50.0, "EPSG:32633", 0.5, 0.0, True),
        "rotated south-up": (15.0, 50.0, "EPSG:32633", 0.5, -40.0, True),
        "degrees": (15.0, 50.0, "EPSG:4326", 5e-6, 0.0, False),
        "Mercator": (15.0, 50.0, "EPSG:3857", 0.8, 0.0, False),
        "neighbouring zone": (15.0, 50.0, "EPSG:32632", 0.5, 0.0, False),
        "coarse": (15.0, 50.0, "EPSG:32633", 305.7, 0.0, False),
        "control points": (15.0, 50.0, "EPSG:32632", 0.5, 20.0, False),
        "across 180": (180.0, -17.0, "EPSG:4326", 5e-6, 0.0, False),
        "across 180 in Mercator": (179.9999, -17.0, "EPSG:3857", 0.6, 0.0, False),
        "rotated across 180": (-180.0, 62.0, "EPSG:4326", 5e-6, 25.0, False),
        "south-up across 180": (179.9998, -17.0, "EPSG:4326", 5e-6, 0.0, True),
        "Pacific": (180.0, -17.0, "EPSG:3832", 0.6, 0.0, False),
        "polar": (40.0, 86.0, "EPSG:3413", 2.0, 0.0, False),
    }[kind]
    frame = framed(crs, lon, lat, pixel, turned, south_up, SIZE, SIZE)
    if kind == "control points":
        rasters.with_points(path, values, crs, frame.transform)
    else:
        rasters.write(path, values, crs, frame.transform, **options)
    return path, crs, frame.transform, lon, lat


KINDS = [
    "plain", "rotated", "south-up", "rotated south-up", "degrees", "Mercator",
    "neighbouring zone", "coarse", "control points", "across 180", "across 180 in Mercator",
    "rotated across 180", "south-up across 180", "Pacific", "polar",
]  # fmt: skip


def target(lon, lat, gsd_m, size=120):
    crs = "EPSG:5041" if lat > 84 else f"EPSG:{32701 + int((lon + 180) // 6) % 60}"
    if 84 > lat > 0:
        crs = f"EPSG:{32601 + int((lon + 180) // 6) % 60}"
    return framed(crs, lon, lat, gsd_m, width=size, height=size)


def expected(frame, crs, transform):
    """Positions in the source, (h·w,2), of the frame's pixels, by pyproj alone."""
    rows, columns = np.mgrid[0 : frame.height, 0 : frame.width] + 0.5
    east, north = Affine(*frame.transform) @ (columns.ravel(), rows.ravel())
    x, y = Transformer.from_crs(frame.crs, crs, always_xy=True).transform(east, north)
    x0, _ = Affine(*transform) @ (SIZE / 2, SIZE / 2)
    turn = {"EPSG:4326": 360.0, "EPSG:3857": 2 * 20037508.342789244}.get(crs)
    if turn:
        x = x - np.round((x - x0) / turn) * turn
    return np.column_stack(~Affine(*transform) @ (x, y))


def errors(pixels, where, scale):
    """Distances in output pixels between what was read and where it should be, off the edges."""
    margin = 3 * scale + 2
    inside = ((where > margin) & (where < SIZE - margin)).all(axis=1)
    assert inside.mean() > 0.2
    found = pixels.values.reshape(2, -1).T
    assert pixels.valid.ravel()[inside].all()
    return np.abs(found - where)[inside].max() / scale


@pytest.mark.parametrize("resampling", ["bilinear", "cubic"])
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("kind", KINDS)
def test_a_ramp_is_where_pyproj_says(tmp_path, kind, scale, resampling):
    path, crs, transform, lon, lat = placed(kind, tmp_path)
    source = open_source(ImagerySpec(str(path), resampling=resampling))
    gsd = source.native_gsd_m(lon, lat)
    frame = target(lon, lat, gsd * scale)
    where = expected(frame, crs, transform)
    assert errors(source.read(frame), where, scale) < LIMIT_PX


@pytest.mark.parametrize("scale", [1.7, 2.6, 4.0])
@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "control points"])
def test_a_ramp_read_from_its_overviews_is_where_pyproj_says(tmp_path, kind, scale):
    path, crs, transform, lon, lat = placed(kind, tmp_path, overviews=[2, 4])
    source = open_source(ImagerySpec(str(path)))
    frame = target(lon, lat, source.native_gsd_m(lon, lat) * scale)
    where = expected(frame, crs, transform)
    assert errors(source.read(frame), where, scale) < LIMIT_PX


OWN_KINDS = [kind for kind in KINDS if kind != "control points"]


@pytest.mark.parametrize("kind", OWN_KINDS)
def test_a_patch_of_the_own_grid_is_the_source_bit_by_bit_for_every_kind(tmp_path, kind):
    """Through the whole job: the file's pixels are those of a window that holds the place."""
    path, crs, transform, lon, lat = placed(kind, tmp_path, overviews=[2])
    dataset = patch_jobs.dataset_at(tmp_path, [])
    patch_jobs.run(dataset, path, places=[Place(lon, lat)], size_px=96, grid="own")
    (image,) = patch_jobs.images(dataset)
    x, y = Transformer.from_crs(4326, crs, always_xy=True).transform(lon, lat)
    with rasterio.open(path) as source, rasterio.open(dataset.image_path(image)) as cut:
        assert cut.crs == source.crs
        left, top = np.round(~source.transform @ (cut.transform @ (0, 0))).astype(int)
        window = rasterio.windows.Window(left, top, 96, 96)
        assert np.array_equal(cut.read(), source.read(window=window))
        moved = source.transform @ Affine.translation(left, top)
        assert cut.transform.almost_equals(moved, precision=abs(transform[0]) * 1e-6)
        turn = {"EPSG:4326": 360.0, "EPSG:3857": 2 * 20037508.342789244}.get(crs)
        middle = np.array(~cut.transform @ (x, y))
        if turn:
            other = ~cut.transform @ (x - turn * np.sign(x), y)
            middle = min(middle, np.array(other), key=lambda at: abs(at[0] - 48))
        # To half a pixel, the most that whole pixels allow.
        assert np.abs(middle - 48).max() <= 0.5 + 1e-6


@pytest.mark.parametrize("scale", SCALES)
def test_a_ramp_placed_by_rpcs_is_where_they_say(tmp_path, scale):
    degrees, lon, lat = 5e-6, 15.0, 50.0
    path = rasters.with_rpcs(tmp_path / "r.tif", rasters.ramp(SIZE, SIZE), lon, lat, degrees, 300.0)
    source = open_source(ImagerySpec(str(path)))
    frame = target(lon, lat, source.native_gsd_m(lon, lat) * scale)
    transform = (degrees, 0, lon - degrees * SIZE / 2, 0, -degrees, lat + degrees * SIZE / 2)
    where = expected(frame, "EPSG:4326", transform)
    assert errors(source.read(frame), where, scale) < LIMIT_PX


def test_a_patch_across_180_of_a_raster_of_the_whole_world_has_no_empty_half(tmp_path):
    width, height = 3600, 1800
    path = rasters.write(
        tmp_path / "world.tif", rasters.ramp(width, height), "EPSG:4326",
        (0.1, 0, -180.0, 0, -0.1, 90.0), overviews=[2, 4],
    )  # fmt: skip
    source = open_source(ImagerySpec(str(path)))
    for scale in (1.0, 1.7, 4.0):
        frame = framed("EPSG:32701", -179.9, -17.0, 11000.0 * scale, width=60, height=60)
        pixels = source.read(frame)
        assert pixels.valid.all()
        rows, columns = np.mgrid[0:60, 0:60] + 0.5
        east, north = Affine(*frame.transform) @ (columns.ravel(), rows.ravel())
        lon, lat = Transformer.from_crs("EPSG:32701", 4326, always_xy=True).transform(east, north)
        x = (lon + 180.0) % 360.0 / 0.1
        off = np.abs(pixels.values.reshape(2, -1).T - np.column_stack([x, (90.0 - lat) / 0.1]))
        # At the seam itself the ramp jumps from one end to the other.
        seam = (x < 3 * scale + 1) | (x > width - 3 * scale - 1)
        assert off[~seam].max() / scale < LIMIT_PX


@pytest.mark.parametrize("turned", [0.0, 25.0])
@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.float32])
def test_a_patch_in_the_sources_own_grid_is_the_source_bit_by_bit(tmp_path, dtype, turned):
    values = rasters.picture(500, 400, dtype=dtype)
    frame = framed("EPSG:32633", 15.0, 50.0, 0.5, turned, width=500, height=400)
    path = rasters.write(tmp_path / "a.tif", values, frame.crs, frame.transform, overviews=[2])
    source = open_source(ImagerySpec(str(path)))
    own = source.own_frame(15.0, 50.0, 128, 96)
    pixels = source.read(own)
    assert pixels.is_exact
    assert np.array_equal(pixels.values, values[:, 152:248, 186:314])
    x, y = own.lonlat_to_pixel([[15.0, 50.0]])[0]
    assert abs(x - 64) <= 0.5 + 1e-6
    assert abs(y - 48) <= 0.5 + 1e-6


def test_a_raster_that_goes_through_gdalwarp_lands_on_the_same_ground(tmp_path):
    from rasterio.vrt import WarpedVRT

    frame = framed("EPSG:3857", 15.0, 50.0, 0.8, width=600, height=600)
    path = rasters.write(tmp_path / "a.tif", rasters.ramp(600, 600), frame.crs, frame.transform)
    wanted = target(15.0, 50.0, 0.8)
    mine = open_source(ImagerySpec(str(path))).read(wanted).values
    with (
        rasterio.open(path) as file,
        WarpedVRT(
            file, crs=wanted.crs, transform=Affine(*wanted.transform), width=120, height=120,
            resampling=rasterio.enums.Resampling.cubic, tolerance=0.001,
        ) as judge,
    ):  # fmt: skip
        assert np.abs(judge.read() - mine)[:, 5:-5, 5:-5].max() < 0.1


def test_any_frame_can_be_asked_for(tmp_path):
    """A turned frame with oblong pixels, in feet."""
    frame = framed("EPSG:32618", -73.0, 41.0, 0.5, width=SIZE, height=SIZE)
    path = rasters.write(tmp_path / "a.tif", rasters.ramp(SIZE, SIZE), frame.crs, frame.transform)
    feet = framed("EPSG:2234", -73.0, 41.0, 2.5, 17.0, width=80, height=60)
    where = expected(feet, frame.crs, frame.transform)
    pixels = open_source(ImagerySpec(str(path))).read(ImageFrame(feet.crs, feet.transform, 80, 60))
    assert errors(pixels, where, 1.5) < LIMIT_PX


@needs_shared
@pytest.mark.parametrize(("name", "fault"), [
    ("RGB.byte.tif", None), ("RGBA.uint16.tif", None), ("all-nodata.tif", None),
    ("cog_uint8_rgb_mask.tif", None), ("cogeo.tif", None), ("inverted_lat.tif", None),
    ("mosaic_cog3.tif", None), ("corrupt.tif", "can't be read"),
    ("float_nan.tif", "no CRS"), ("rotated.tif", "no CRS"),
])  # fmt: skip
def test_an_odd_file_is_read_as_rasterio_reads_it_or_refused_by_name(name, fault):
    path = DATA / "odd" / name
    with rasterio.open(path) as file:
        x, y = file.width // 2, file.height // 2
        if fault is not None:
            with pytest.raises(OVEarthError, match=fault) as caught:
                frame = ImageFrame("EPSG:32652", (0.5, 0, 292_000, 0, -0.5, 4_171_000), 64, 64)
                source = open_source(ImagerySpec(str(path)))
                source.read(source.own_frame(*file.lnglat(), 64, 64) or frame)
            assert name in str(caught.value)
            assert "\n" not in str(caught.value)
            return
        source = open_source(ImagerySpec(str(path)))
        window = rasterio.windows.Window(x - 16, y - 16, 32, 32)
        corner = file.transform @ (x, y)
        lon, lat = Transformer.from_crs(file.crs, 4326, always_xy=True).transform(*corner)
        own = source.read(source.own_frame(lon, lat, 32, 32))
        assert np.array_equal(own.values, file.read(window=window), equal_nan=True)
        assert np.array_equal(own.valid, file.dataset_mask(window=window) > 0)
        gsd = source.native_gsd_m(lon, lat)
    there = source.read(framed("EPSG:3857", lon, lat, gsd, width=24, height=24))
    assert there.valid.mean() == pytest.approx(own.valid.mean(), abs=0.05)


def test_a_file_of_several_rasters_names_one(tmp_path):
    path = tmp_path / "book.tif"
    for _ in range(2):
        rasters.write(path, rasters.picture(64, 64), append_subdataset=path.exists())
    with pytest.raises(OVEarthError, match=r"holds 2 rasters .*GTIFF_DIR:1:") as fault:
        open_source(ImagerySpec(str(path)))
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize("corners", [[(0, 0)], [(0, 0), (0, 9)], [(0, 0), (0, 9), (0, 5)]])
def test_control_points_that_place_it_nowhere_are_one_line(tmp_path, corners):
    import rasterio
    from rasterio.control import GroundControlPoint

    points = [GroundControlPoint(r, c, 500_000.0 + c, 5_500_000.0 - r) for r, c in corners]
    path = tmp_path / "few.tif"
    with rasterio.open(
        path, "w", driver="GTiff", width=9, height=9, count=1, dtype="uint8", gcps=points,
        crs="EPSG:32633",
    ):  # fmt: skip
        pass
    with pytest.raises(OVEarthError, match=r"control points place it nowhere.*few\.tif") as fault:
        open_source(ImagerySpec(str(path)))
    assert "\n" not in str(fault.value)
