"""What an ImageFrame refuses, by name, and what it does without a CRS or a transform."""

import sys
from subprocess import run

import numpy as np
import pytest
from pyproj import CRS

from ovearth_core.errors import FrameError
from ovearth_core.frame import ImageFrame

from .framing import assert_comes_back, framed
from .shared import CHECKOUT

NORTH_UP = (0.1, 0.0, 500000.0, 0.0, -0.1, 5000000.0)


def test_an_image_without_a_crs_is_handled_in_its_plane_only():
    frame = ImageFrame(None, (2, 0, 10, 0, 2, 20), 4, 4)
    assert frame.map_to_pixel(frame.pixel_to_map([[1, 3]])).tolist() == [[1, 3]]
    assert frame.gsd() is None
    for call in (frame.footprint, lambda: frame.pixel_to_lonlat([[0, 0]]), frame.ground,
                 lambda: frame.map_to_pixel([[0, 0]], "EPSG:4326")):  # fmt: skip
        with pytest.raises(FrameError, match=r"has no CRS.*georeference"):
            call()


def test_an_image_without_a_transform_has_pixels_only():
    for crs in (None, "EPSG:32633"):
        frame = ImageFrame(crs, None, 4, 4)
        assert frame.gsd() is None
        for call in (frame.pixel_to_map, frame.map_to_pixel, frame.pixel_to_lonlat):
            with pytest.raises(FrameError, match=r"has no transform.*georeference"):
                call([[0, 0]])


@pytest.mark.parametrize(
    ("transform", "fault"),
    [((1, 0, 0, 0, 0, 0), "singular"), ((1, 2, 0, 2, 4, 0), "singular"),
     ((1, 0, 0, 0, float("nan"), 0), "not finite"), ((1, 0, float("inf"), 0, 1, 0), "not finite"),
     ((1, 0, 0, 0, 1), "six numbers"), ((1, 0, 0, 0, 1, 0, 0, 0, 1), "six numbers"),
     ("abcdef", "six numbers"), (5, "six numbers"), ((0, 0, 0, 0, 0, 0), "singular")],
)  # fmt: skip
def test_a_transform_that_is_none_is_refused(transform, fault):
    with pytest.raises(FrameError, match=fault):
        ImageFrame(None, transform, 4, 4)


@pytest.mark.parametrize("size", [0, -1, 2.5, True, "4", None])
def test_a_size_that_is_none_is_refused(size):
    with pytest.raises(FrameError, match=r"width .* is not a positive whole number"):
        ImageFrame(None, None, size, 4)


@pytest.mark.parametrize(
    ("crs", "fault"),
    [("EPSG:999999", "unknown.*epsg.io"), ("32633", "mean EPSG:32633"), ("foo", "unknown.*WKT"),
     ("epsg 32633", "mean EPSG:32633"), ("", "not a text"), ("EPSG:4978", "Geocentric"),
     ("EPSG:5773", "Vertical"), ('LOCAL_CS["x",UNIT["m",1]]', "Engineering"),
     ("+proj=utm +zone=33 +ellps=intl +nadgrids=/etc/passwd", "nadgrids=/etc/passwd"),
     ("+proj=utm +zone=33 +ellps=intl +nadgrids=@null,/etc/passwd", "@null,?/?"),
     ("+proj=utm +zone=33 +geoidgrids=/etc/passwd", "geoidgrids"), ("+init=/etc/passwd:1", "init"),
     ("+proj=pipeline +step +proj=utm +zone=33", "an operation")],
)  # fmt: skip
def test_a_crs_that_places_nothing_or_opens_files_is_refused_by_name(crs, fault):
    with pytest.raises(FrameError, match=fault):
        ImageFrame(crs, NORTH_UP, 4, 4)
    with pytest.raises(FrameError, match=fault):
        ImageFrame("EPSG:32633", NORTH_UP, 4, 4).map_to_pixel([[0, 0]], crs)


def test_a_crs_with_a_grid_in_its_wkt_is_refused():
    bound = (
        f"BOUNDCRS[SOURCECRS[{CRS(4267).to_wkt()}],TARGETCRS[{CRS(4326).to_wkt()}],"
        'ABRIDGEDTRANSFORMATION["x",METHOD["NTv2",ID["EPSG",9615]],'
        'PARAMETERFILE["Latitude and longitude difference file","/etc/passwd"]]]'
    )
    for text in (bound, CRS.from_user_input(bound).to_json()):
        with pytest.raises(FrameError, match="makes PROJ read more than its text"):
            ImageFrame(text, NORTH_UP, 4, 4)


@pytest.mark.parametrize(
    "crs",
    ["EPSG:27700+5701", "EPSG:7415", "EPSG:4979", "+proj=utm +zone=33 +ellps=bessel +towgs84=1,2,3",
     "+proj=merc +a=6378137 +b=6378137 +nadgrids=@null +wktext", "WGS84",
     "urn:ogc:def:crs:EPSG::32633",
     CRS("EPSG:3857").to_wkt("WKT1_GDAL"), CRS("EPSG:32633").to_wkt("WKT1_ESRI")],
)  # fmt: skip
def test_compound_bound_and_three_dimensional_crss_are_taken_by_their_plane(crs):
    centre = (5, 52) if crs == "EPSG:7415" else (0.5, 52)
    flat = CRS.from_user_input(crs)
    flat = flat.sub_crs_list[0] if flat.is_compound else flat.to_2d()
    pixel = 1e-6 if flat.is_geographic else 0.1
    placed = framed(flat.to_wkt(), *centre, pixel=pixel)
    frame = ImageFrame(crs, placed.transform, placed.width, placed.height)
    assert_comes_back(frame)
    middle = frame.pixel_to_lonlat([[500, 400]])
    assert middle == pytest.approx(np.array([centre]), abs=1e-3)


def test_a_rotated_pole_comes_back_past_its_own_antimeridian():
    crs = (
        "+proj=ob_tran +o_proj=longlat +o_lon_p=0 +o_lat_p=39.25 +lon_0=18 +ellps=WGS84 "
        "+to_meter=0.0174532925199433 +type=crs"
    )
    for centre in (0.0, 180.0):
        frame = ImageFrame(crs, (0.01, 0, centre - 1, 0, -0.01, 1), 200, 200)
        assert_comes_back(frame, margin=0)
        assert frame.gsd() == pytest.approx(1110, rel=5e-3)


@pytest.mark.parametrize(
    ("points", "fault"),
    [([[float("nan"), 0]], "nan, 0.* not finite"), ([1, 2], "shape"), ([[1, 2, 3]], "shape"),
     ([["a", "b"]], "not numbers")],
)  # fmt: skip
def test_points_that_are_none_are_refused(points, fault):
    with pytest.raises(FrameError, match=fault):
        framed("EPSG:32633", 15, 50).pixel_to_map(points)


def test_a_point_without_a_place_in_the_image_is_named():
    frame = framed("EPSG:3857", 127, 38)
    with pytest.raises(FrameError, match=r"the point \(127, 95\) can't be carried"):
        frame.map_to_pixel([[127, 38], [127, 95]], "EPSG:4326")
    geostationary = ImageFrame(
        "+proj=geos +h=35785831 +lon_0=0 +sweep=y +ellps=WGS84",
        (10000, 0, -6e6, 0, -10000, 6e6), 1200, 1200,
    )  # fmt: skip
    assert geostationary.gsd() == pytest.approx(10000, rel=1e-2)
    with pytest.raises(FrameError, match=r"the pixel position \(0, 0\)"):
        geostationary.footprint()


@pytest.mark.parametrize(
    ("operation", "fault"),
    [("+proj=noop", "doesn't fit"), ("+proj=utm +zone=33", "doesn't fit"),
     ("+proj=pipeline +step +inv +proj=utm +zone=34 +step +proj=unitconvert +xy_in=rad +xy_out=deg",
      "doesn't fit .* km")],
)  # fmt: skip
def test_an_operation_of_another_crs_is_refused(operation, fault):
    frame = ImageFrame("EPSG:32633", NORTH_UP, 4, 4, operation)
    with pytest.raises(FrameError, match=fault):
        frame.pixel_to_lonlat([[0, 0]])


def test_an_operation_without_a_crs_is_refused():
    with pytest.raises(FrameError, match="an operation but no CRS"):
        ImageFrame(None, NORTH_UP, 4, 4, "+proj=noop")


# The value


def test_frames_are_values():
    frame = ImageFrame("EPSG:32633", list(NORTH_UP), np.int64(4), 4)
    assert frame == ImageFrame("EPSG:32633", NORTH_UP, 4, 4)
    assert len({frame, ImageFrame("EPSG:32633", NORTH_UP, 4, 4)}) == 1
    with pytest.raises(AttributeError):
        frame.width = 5


def test_importing_the_module_does_not_import_pyproj():
    code = "import sys, ovearth_core.frame; sys.exit('pyproj' in sys.modules)"
    assert run([sys.executable, "-c", code], cwd=CHECKOUT, check=False).returncode == 0
