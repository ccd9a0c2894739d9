import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Geod, Transformer

from ovearth_core.frame import ImageFrame
from ovearth_core.ground import GroundFrame, azimuths_deg

WGS84 = (6378137.0, 6356752.314245179)


@given(st.floats(-180, 180), st.floats(-90, 90))
def test_the_ground_frame_is_projs_azimuthal_equidistant_projection(lon, lat):
    ground = GroundFrame(lon, lat, *WGS84)
    there = np.random.default_rng(0).uniform(-3000, 3000, (20, 2))
    lonlat = ground.to_lonlat(there)
    judge = Transformer.from_pipeline(
        "+proj=pipeline +step +proj=unitconvert +xy_in=deg +xy_out=rad "
        f"+step +proj=aeqd +lat_0={lat} +lon_0={lon} +ellps=WGS84"
    )
    expected = np.column_stack(judge.transform(*lonlat.T))
    assert np.allclose(ground.from_lonlat(lonlat), expected, atol=1e-6)
    assert np.allclose(ground.from_lonlat(lonlat), there, atol=1e-7)


@given(st.floats(-180, 180), st.floats(-80, 80), st.floats(0, 360), st.floats(1, 2000))
def test_lengths_and_azimuths_are_those_of_the_geodesic(lon, lat, azimuth, length):
    geod = Geod(ellps="WGS84")
    end = geod.fwd(lon, lat, azimuth, length)[:2]
    ground = GroundFrame(lon, lat, *WGS84).from_lonlat(np.array([[lon, lat], end]))
    assert np.hypot(*(ground[1] - ground[0])) == pytest.approx(length, abs=1e-6)
    found = azimuths_deg(ground[:1], ground[1:])[0]
    assert 0 <= found < 180
    assert abs((found - azimuth + 90) % 180 - 90) < 1e-4


def test_azimuths_run_clockwise_from_north_and_have_no_sense():
    ends = np.array([[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1e-30, 1.0]])
    found = azimuths_deg(np.zeros((7, 2)), ends)
    assert found.tolist() == pytest.approx([0, 45, 90, 135, 0, 45, 0])


def test_north_is_true_north_and_not_the_grids():
    # At 20° E, 60° N the grid of UTM zone 33 (15° E) is turned by about 4.3 degrees.
    frame = ImageFrame("EPSG:32633", (1, 0, 778000, 0, -1, 6662000), 100, 100)
    up = frame.pixel_to_ground([[50, 50], [50, 0]], about=[50, 50])
    assert up[0] == pytest.approx([0, 0], abs=1e-6)
    convergence = azimuths_deg(up[:1], up[1:])[0]
    assert convergence == pytest.approx(4.33, abs=0.05)


def test_a_square_on_a_world_mercator_is_measured_on_the_ground():
    frame = ImageFrame("EPSG:3857", (1, 0, 0, 0, -1, 8399737.9), 100, 100)
    top = frame.pixel_to_ground([[0, 0], [100, 0]])
    assert np.hypot(*(top[1] - top[0])) == pytest.approx(50.2, abs=0.1)


@pytest.mark.parametrize(
    ("crs", "x", "y"),
    [("EPSG:5514", -743000, -1043000), ("EPSG:3031", 0, 0), ("EPSG:3857", 20037508, 4e6),
     ("EPSG:2227", 6e6, 2e6), ("EPSG:27572", 6e5, 2.4e6), ("EPSG:32601", 298000, 6.5e6)],
)  # fmt: skip
def test_pixels_come_back_from_the_ground(crs, x, y):
    frame = ImageFrame(crs, (0.1, 0.02, x - 50, 0.02, -0.1, y + 40), 1000, 800)
    pixels = np.random.default_rng(0).uniform(0, 800, (200, 2))
    for about in (None, [10.0, 20.0]):
        ground = frame.pixel_to_ground(pixels, about)
        assert np.abs(frame.ground_to_pixel(ground, about) - pixels).max() < 1e-6
