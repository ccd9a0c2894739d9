from math import cos, radians, sin, sqrt

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pyproj import CRS, Geod, Transformer
from shapely.geometry import Point, Polygon

from ovearth_core.errors import FrameError
from ovearth_core.frame import ImageFrame

from .framing import assert_comes_back, framed, some_pixels
from .shared import DATA

rasterio = pytest.importorskip("rasterio")

LIMIT_PX = 1e-6
WORLD_MERCATOR = 20037508.342789244
NORTH_UP = (0.1, 0.0, 500000.0, 0.0, -0.1, 5000000.0)


def real_images():
    folders = [DATA / "images", DATA / "odd"]
    return sorted(path for folder in folders for path in folder.glob("*.tif"))


def read_frame(path):
    with rasterio.open(path) as source:
        crs = source.crs.to_wkt() if source.crs else None
        return ImageFrame(crs, tuple(source.transform)[:6], source.width, source.height)


def needs(name):
    path = DATA / name
    if not path.exists():
        pytest.skip(f"{path} is not there (set OVEARTH_SHARED)")
    return read_frame(path)


# The affine part


finite = st.floats(-1e7, 1e7, allow_nan=False)
scale = st.floats(1e-6, 1e4)
oblong = st.floats(0.01, 100)


@given(scale, oblong, st.floats(0, 360), st.floats(-0.9, 0.9), st.booleans(), finite, finite)
def test_any_affine_comes_back_within_a_millionth_of_a_pixel(w, ratio, angle, shear, flip, c, f):
    h = w * ratio
    turn, sign = radians(angle), 1 if flip else -1
    a, d = w * cos(turn), w * sin(turn)
    b, e = sign * h * (-sin(turn) + shear * cos(turn)), sign * h * (cos(turn) + shear * sin(turn))
    # A pixel must be resolved by double precision where it lies.
    assume(min(w, h) > 1e-8 * max(abs(c), abs(f), 1e-9))
    frame = ImageFrame(None, (a, b, c, d, e, f), 640, 480)
    pixels = some_pixels(frame, count=20)
    assert np.abs(frame.map_to_pixel(frame.pixel_to_map(pixels)) - pixels).max() < LIMIT_PX


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
@given(st.floats(0, 360), scale, finite, finite)
def test_pixels_map_as_rasterio_maps_them(angle, size, c, f):
    from affine import Affine

    affine = Affine.translation(c, f) * Affine.rotation(angle) * Affine.scale(size, -2 * size)
    frame = ImageFrame(None, tuple(affine)[:6], 30, 20)
    expected = [affine * (3.25, 7.5), affine * (0.0, 0.0)]
    assert np.allclose(frame.pixel_to_map([[3.25, 7.5], [0, 0]]), expected, rtol=1e-12, atol=1e-9)


def test_the_upper_left_corner_of_the_image_is_the_origin():
    frame = ImageFrame("EPSG:32633", NORTH_UP, 10, 10)
    assert frame.pixel_to_map([[0, 0], [1, 1]]).tolist() == [
        [500000, 5000000],
        [500000.1, 4999999.9],
    ]


def test_no_points_give_no_points():
    frame = framed("EPSG:2056", 8.2, 46.9)
    for call in (frame.pixel_to_map, frame.map_to_pixel, frame.pixel_to_lonlat,
                 frame.lonlat_to_pixel, frame.pixel_to_ground, frame.ground_to_pixel):  # fmt: skip
        assert call([]).shape == (0, 2)


# Round trips


PLACES = [
    ("EPSG:2056", 8.2, 46.9), ("EPSG:27700", -1, 52), ("EPSG:28992", 5.1, 52.3),
    ("EPSG:3035", -8, 39), ("EPSG:5514", 14.4, 50.1), ("EPSG:5513", 14.4, 50.1),
    ("EPSG:2065", 14.4, 50.1), ("EPSG:27572", 2.3, 48.8), ("EPSG:2053", 29, -26),
    ("EPSG:2227", -121, 37.5), ("EPSG:2193", 174, -41), ("EPSG:26911", -117, 35),
    ("EPSG:26711", -117, 35), ("EPSG:32733", 15, -20), ("EPSG:3857", 127, 38),
    ("EPSG:23700", 19, 47), ("ESRI:54009", 10, 20), ("EPSG:8857", 10, 20),
]  # fmt: skip
ACROSS_180 = [
    ("EPSG:3857", 179.9999, 38), ("EPSG:3857", -180, 38), ("EPSG:3395", 179.9999, -60),
    ("EPSG:32660", 180, 60), ("EPSG:32601", -180, 60), ("EPSG:2193", 180, -41),
    ("EPSG:6933", 179.9999, 30), ("EPSG:4087", 179.9999, 30), ("EPSG:3832", -30, 10),
]  # fmt: skip
POLES = [("EPSG:3031", 0, -90), ("EPSG:3413", 10, 90), ("EPSG:3995", 10, 90), ("EPSG:32661", 0, 90)]


@pytest.mark.parametrize(("turned", "south_up"), [(0, False), (33, False), (0, True)])
@pytest.mark.parametrize(("crs", "lon", "lat"), PLACES + ACROSS_180 + POLES)
def test_ten_centimetre_pixels_come_back_from_longitude_and_latitude(
    crs, lon, lat, turned, south_up
):
    assert_comes_back(framed(crs, lon, lat, turned=turned, south_up=south_up))


@pytest.mark.parametrize(("crs", "lon", "lat"), PLACES + ACROSS_180)
def test_ten_centimetre_pixels_come_back_from_another_crs(crs, lon, lat):
    frame = framed(crs, lon, lat, turned=20)
    assert_comes_back(frame, "EPSG:3857")
    assert_comes_back(frame, f"EPSG:{32601 + int((lon + 180) // 6) % 60}")


@pytest.mark.parametrize(
    ("crs", "x", "y"),
    [("EPSG:4326", 180, 10), ("EPSG:4326", 190, 10), ("EPSG:4267", -100, 40),
     ("EPSG:4314", 10, 50), ("EPSG:4807", 2.2, 54.3), ("EPSG:4326", 0, 89.999)],
)  # fmt: skip
def test_pixels_of_images_in_degrees_and_grads_come_back(crs, x, y):
    frame = ImageFrame(crs, (1e-6, 0, x - 5e-4, 0, -1e-6, y + 4e-4), 1000, 800)
    assert_comes_back(frame)
    pixels = some_pixels(frame)
    back = frame.ground_to_pixel(frame.pixel_to_ground(pixels, [3, 4]), [3, 4])
    assert np.abs(back - pixels).max() < LIMIT_PX


@pytest.mark.parametrize("path", real_images(), ids=lambda path: path.name)
def test_pixels_of_real_images_come_back(path):
    try:
        frame = read_frame(path)
    except rasterio.RasterioIOError:
        pytest.skip("the file can't be opened (it is corrupt on purpose)")
    if frame.crs is None:
        with pytest.raises(FrameError, match=r"has no CRS"):
            frame.pixel_to_lonlat([[0, 0]])
        return
    assert_comes_back(frame, margin=0.0)
    assert frame.gsd() > 0
    assert frame.footprint().shape == (65, 2)


def test_pixels_smaller_than_double_precision_resolves_are_still_placed():
    frame = framed("EPSG:5514", 14.4, 50.1, pixel=0.001)
    pixels = some_pixels(frame)
    assert np.abs(frame.lonlat_to_pixel(frame.pixel_to_lonlat(pixels)) - pixels).max() < 1e-4


def test_a_plain_inverse_would_be_off_by_a_hundredth_of_a_pixel():
    frame = framed("EPSG:5514", 14.4, 50.1)
    pixels = some_pixels(frame)
    rough = frame.operation_to("EPSG:4326").backward(frame.pixel_to_lonlat(pixels))
    assert np.abs(frame.map_to_pixel(rough) - pixels).max() > 1e-3


# Other CRSs


def test_longitudes_and_latitudes_are_those_of_pyproj():
    for crs, lon, lat in PLACES[:4]:
        frame = framed(crs, lon, lat)
        judge = Transformer.from_pipeline(frame.operation_to("EPSG:4326").proj)
        x, y = frame.pixel_to_map(some_pixels(frame)).T
        expected = np.column_stack(judge.transform(x, y))
        assert np.allclose(frame.pixel_to_lonlat(some_pixels(frame)), expected, atol=1e-13, rtol=0)


def test_another_crs_is_reached_where_rasterio_reaches_it():
    warp = pytest.importorskip("rasterio.warp")
    frame = framed("EPSG:32633", 15.1, 50.2, turned=12)
    pixels = some_pixels(frame)
    expected = warp.transform("EPSG:32633", "EPSG:3857", *frame.pixel_to_map(pixels).T)
    found = frame.pixel_to_crs(pixels, "EPSG:3857")
    assert np.allclose(found, np.column_stack(expected), atol=1e-6, rtol=0)


def test_longitude_comes_first_whatever_the_axis_order_of_the_crs():
    frame = framed("EPSG:32633", 15.1, 50.2)
    centre = [[frame.width / 2, frame.height / 2]]
    for crs in ("EPSG:4326", "OGC:CRS84", "EPSG:4258"):
        assert frame.pixel_to_crs(centre, crs) == pytest.approx(np.array([[15.1, 50.2]]), abs=1e-9)
    northing_first = framed("EPSG:2193", 174, -41)
    assert northing_first.transform[2] < 2e6 < northing_first.transform[5]


def test_equal_crss_need_no_operation_and_are_exact():
    for crs, same in [("EPSG:32633", CRS("EPSG:32633").to_wkt("WKT1_GDAL")),
                      ("EPSG:4326", "OGC:CRS84"), ("EPSG:3857", "ESRI:102100")]:  # fmt: skip
        frame = ImageFrame(crs, (0.25, 0, 16, 0, -0.25, 48), 64, 64)
        points = np.array([[17.125, 44.5], [20.0, 47.75]])
        assert frame.operation_to(same).pipelines == ()
        assert np.array_equal(frame.map_to_pixel(points, same), frame.map_to_pixel(points))
        assert np.array_equal(frame.pixel_to_crs(frame.map_to_pixel(points), same), points)


def test_the_recorded_operation_is_used_whatever_the_target():
    shift = (
        "+proj=push +v_3 +step +proj=cart +ellps=bessel +step +proj=helmert +x=570 +y=86 +z=463 "
        "+step +inv +proj=cart +ellps=WGS84 +step +proj=pop +v_3"
    )
    inverse = framed("EPSG:5514", 14.4, 50.1).operation_to("EPSG:4326").proj.split(" +step")[1]
    chosen = framed("EPSG:5514", 14.4, 50.1)
    recorded = ImageFrame(
        "EPSG:5514", chosen.transform, 1000, 800,
        f"+proj=pipeline +step{inverse} +step {shift} "
        "+step +proj=unitconvert +xy_in=rad +xy_out=deg",
    )  # fmt: skip
    pixels = some_pixels(recorded)
    moved = np.abs(recorded.pixel_to_lonlat(pixels) - chosen.pixel_to_lonlat(pixels)).max()
    assert 1e-5 < moved < 1e-2
    assert recorded.operation_to("EPSG:4326").name.startswith("recorded")
    by_way = recorded.operation_to("EPSG:32633")
    assert "recorded" in by_way.name
    assert len(by_way.pipelines) == 2
    assert_comes_back(recorded)
    assert_comes_back(recorded, "EPSG:32633")
    forward = Transformer.from_crs("EPSG:4326", "EPSG:32633", always_xy=True)
    expected = np.column_stack(forward.transform(*recorded.pixel_to_lonlat(pixels).T))
    assert np.allclose(recorded.pixel_to_crs(pixels, "EPSG:32633"), expected, atol=1e-6, rtol=0)
    one_string = Transformer.from_pipeline(by_way.proj)
    together = np.column_stack(one_string.transform(*recorded.pixel_to_map(pixels).T))
    assert np.allclose(together, expected, atol=1e-6, rtol=0)


def test_an_operation_that_was_chosen_and_recorded_gives_the_same_numbers():
    for crs, lon, lat in PLACES:
        frame = framed(crs, lon, lat)
        proj = frame.operation_to("EPSG:4326").proj
        recorded = ImageFrame(crs, frame.transform, frame.width, frame.height, proj)
        pixels = some_pixels(frame)
        assert np.array_equal(recorded.pixel_to_lonlat(pixels), frame.pixel_to_lonlat(pixels))


# Across the antimeridian, around a pole


@pytest.mark.parametrize(("crs", "lon", "lat"), ACROSS_180[:8])
def test_longitudes_run_on_past_180_and_come_back_from_either_side(crs, lon, lat):
    frame = framed(crs, lon, lat, width=4000)
    lonlat = frame.pixel_to_lonlat([[0, 0], [frame.width, 0]])
    assert np.ptp(lonlat[:, 0]) < 1
    assert np.abs(lonlat[:, 0]).min() < 180 < np.abs(lonlat[:, 0]).max()
    for turns in (-360, 360):
        back = frame.lonlat_to_pixel(lonlat + np.array([turns, 0]))
        assert np.abs(back - [[0, 0], [frame.width, 0]]).max() < LIMIT_PX
    assert np.ptp(frame.footprint()[:, 0]) < 1


def test_world_mercator_points_come_to_an_image_across_its_seam_from_either_side():
    utm = framed("EPSG:32601", -180, 60)
    pixels = some_pixels(utm)
    mercator = utm.pixel_to_crs(pixels, "EPSG:3857")
    assert np.ptp(mercator[:, 0]) < 1000
    turned = np.where(mercator > 0, -1, 1) * [2 * WORLD_MERCATOR, 0]
    assert np.abs(utm.map_to_pixel(mercator + turned, "EPSG:3857") - pixels).max() < LIMIT_PX
    beyond = ImageFrame("EPSG:3857", (1, 0, WORLD_MERCATOR - 50, 0, -1, 4e6), 100, 100)
    west = np.array([[10 - WORLD_MERCATOR, 4e6 - 5]])
    assert beyond.map_to_pixel(west) == pytest.approx(np.array([[60, 5]]), abs=1e-6)


@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:3857"])
def test_a_map_of_the_world_keeps_both_of_its_edges(crs):
    half = WORLD_MERCATOR if crs == "EPSG:3857" else 180.0
    frame = ImageFrame(crs, (half / 512, 0, -half, 0, -half / 1024, half / 2), 1024, 1024)
    lonlat = frame.pixel_to_lonlat([[0, 512], [1024, 512]])
    assert lonlat[:, 0].tolist() == pytest.approx([-180, 180], abs=1e-9)
    assert_comes_back(frame, margin=0)
    ring = frame.footprint()
    assert (ring[:, 0].min(), ring[:, 0].max()) == pytest.approx((-180, 180), abs=1e-9)


@pytest.mark.parametrize(("crs", "lon", "lat"), POLES)
@pytest.mark.parametrize("turned", [0, 45, 200])
def test_a_footprint_around_a_pole_closes_over_it(crs, lon, lat, turned):
    frame = framed(crs, lon, lat, pixel=100, turned=turned)
    ring = frame.footprint()
    polygon = Polygon(ring)
    assert np.array_equal(ring[0], ring[-1])
    assert ring[-3:-1, 1].tolist() == [lat, lat]
    assert abs(ring[-2, 0] - ring[-3, 0]) == pytest.approx(360)
    assert polygon.is_valid
    west = ring[:, 0].min()
    inside = some_pixels(frame, margin=-0.05)
    for x, y in frame.pixel_to_lonlat(inside):
        assert polygon.buffer(1e-9).contains(Point((x - west) % 360 + west, y))


def test_a_footprint_with_a_pole_beside_its_centre_finds_the_pole():
    frame = ImageFrame("EPSG:3413", (12500, 0, -3850000, 0, -12500, 5850000), 608, 896)
    ring = frame.footprint()
    assert ring[-3:-1, 1].tolist() == [90, 90]
    far = ImageFrame("EPSG:3413", (12500, 0, 1e6, 0, -12500, 1e6), 100, 100)
    assert np.abs(far.footprint()[:, 1]).max() < 90


def test_a_footprint_with_a_corner_at_the_pole_runs_along_the_pole():
    ring = ImageFrame("EPSG:3413", (1000, 0, 0, 0, -1000, 0), 500, 500).footprint()
    at_pole = ring[ring[:, 1] > 90 - 1e-9]
    assert abs(at_pole[1, 0] - at_pole[0, 0]) == pytest.approx(90)
    assert np.ptp(ring[:, 0]) == pytest.approx(90)
    assert Polygon(ring).is_valid


def test_a_footprint_is_the_outline_in_order_and_closed():
    frame = framed("EPSG:32633", 15.1, 50.2)
    ring = frame.footprint(densify=1)
    corners = [[0, 0], [1000, 0], [1000, 800], [0, 800], [0, 0]]
    assert np.abs(frame.lonlat_to_pixel(ring) - corners).max() < LIMIT_PX
    assert frame.footprint(densify=5).shape == (21, 2)


# Ground sample distance


@pytest.mark.parametrize(
    ("name", "metres"),
    [("images/2018_SJER_3_252000_4107000_image_477.tif", 0.1),
     ("images/m_4208701_ne_16_060_20200902.tif", 0.6)],
)  # fmt: skip
def test_real_images_have_the_ground_resolution_they_were_made_with(name, metres):
    assert needs(name).gsd() == pytest.approx(metres, rel=2e-3)


def test_a_resolution_in_a_file_name_is_not_believed():
    gsd = needs("images/m_3907864_sw_17_060_20210912_downsampled.tif").gsd()
    assert gsd == pytest.approx(60.3, rel=2e-3)


def test_a_world_mercator_pixel_covers_less_ground_than_its_metres():
    assert framed("EPSG:3857", 127, 38, pixel=0.597).gsd() == pytest.approx(0.47, abs=5e-3)
    real = needs("odd/cogeo.tif")
    _, lat = real.pixel_to_lonlat([[real.width / 2, real.height / 2]])[0]
    geod = Geod(ellps="WGS84")
    pixel = real.transform[0]
    lon = pixel / 6378137 * 180 / np.pi
    _, _, across = geod.inv(0, lat, lon, lat)
    assert real.gsd() == pytest.approx(across, rel=5e-3)


@given(st.floats(-179.9, 179.9), st.floats(-80, 80), st.floats(0, 360), st.sampled_from([1, 30]))
def test_the_ground_area_of_a_pixel_is_that_of_the_geodesic_polygon(lon, lat, turned, size):
    crs = f"+proj=laea +lat_0={lat + 5} +lon_0={lon - 5} +ellps=WGS84"
    frame = framed(crs, lon, lat, pixel=size, turned=turned)
    centre = np.array([frame.width / 2, frame.height / 2])
    corners = centre + np.array([[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]])
    ring = frame.pixel_to_lonlat(corners)
    area, _ = Geod(ellps="WGS84").polygon_area_perimeter(*ring.T)
    # An equal-area projection: the pixel's area is known, too.
    assert frame.gsd() == pytest.approx(size, rel=1e-5)
    assert frame.gsd() == pytest.approx(sqrt(abs(area)), rel=1e-3)


@pytest.mark.parametrize(("crs", "lon", "lat"), POLES)
def test_ground_resolution_is_true_at_the_poles(crs, lon, lat):
    nearby = framed(crs, lon, np.copysign(89.99, lat), turned=20, pixel=10)
    assert framed(crs, lon, lat, turned=20, pixel=10).gsd() == pytest.approx(nearby.gsd(), rel=1e-5)


def test_ground_resolution_is_the_same_south_up_turned_sheared_in_feet_and_across_180():
    gsd = framed("EPSG:32660", 180, 60).gsd()
    assert framed("EPSG:32660", 180, 60, south_up=True).gsd() == pytest.approx(gsd, rel=1e-6)
    assert framed("EPSG:32660", 180, 60, turned=50).gsd() == pytest.approx(gsd, rel=1e-6)
    feet = framed("EPSG:2227", -121, 37.5, pixel=1).gsd()
    assert feet == pytest.approx(0.3048, rel=2e-4)
    sheared = ImageFrame("EPSG:32633", (1, 0.5, 5e5, 0, -1, 5e6), 10, 10)
    assert sheared.gsd() == pytest.approx(1, rel=1e-3)
    oblong = ImageFrame("EPSG:32633", (1, 0, 5e5, 0, -4, 5e6), 10, 10)
    assert oblong.gsd() == pytest.approx(2, rel=1e-3)


def test_ground_resolution_uses_the_ellipsoid_of_the_crs():
    moon = ImageFrame("+proj=longlat +a=1737400 +b=1737400", (1, 0, -0.5, 0, -1, 0.5), 1, 1)
    assert moon.gsd() == pytest.approx(1737400 * np.pi / 180, rel=1e-4)


# What is refused, by name
