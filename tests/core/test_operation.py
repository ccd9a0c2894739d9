from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Transformer
from pyproj.transformer import AreaOfInterest, TransformerGroup

from ovearth_core.crs import same_crs
from ovearth_core.errors import FrameError
from ovearth_core.operation import (
    NO_OPERATION,
    choose_operation,
    own_lonlat,
    recorded_operation,
    seam,
)
from ovearth_core.refinement import refined_inverse

PAIRS = [
    ("EPSG:4326", "EPSG:4326", 10, 50), ("OGC:CRS84", "EPSG:4326", 10, 50),
    ("EPSG:2227", "EPSG:4326", -121, 37.5), ("EPSG:2056", "EPSG:4326", 8, 47),
    ("EPSG:27700", "EPSG:4326", -1, 52), ("EPSG:28992", "EPSG:4326", 5.5, 52),
    ("EPSG:3035", "EPSG:4326", 10, 50), ("EPSG:5514", "EPSG:4326", 15, 50),
    ("EPSG:5513", "EPSG:4326", 15, 50), ("EPSG:3031", "EPSG:4326", 10, -80),
    ("EPSG:3857", "EPSG:4326", 170, 10), ("EPSG:2193", "EPSG:4326", 174, -41),
    ("EPSG:26911", "EPSG:4326", -117, 35), ("EPSG:4267", "EPSG:4326", -100, 40),
    ("EPSG:32733", "EPSG:4326", 15, -20), ("EPSG:2053", "EPSG:4326", 29, -26),
    ("EPSG:4807", "EPSG:4326", 2, 48), ("EPSG:4314", "EPSG:28992", 6.5, 52),
    ("EPSG:32661", "EPSG:4326", 10, 85), ("EPSG:27700", "EPSG:2154", 1, 50.5),
    ("EPSG:4326", "EPSG:2193", 174, -41), ("EPSG:4267", "EPSG:4269", -100, 40),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore:Best transformation is not available")
@pytest.mark.parametrize(("source", "target", "lon", "lat"), PAIRS)
def test_the_string_computes_what_pyprojs_best_operation_without_grids_computes(
    source, target, lon, lat
):
    area = (lon - 0.1, lat - 0.1, lon + 0.1, lat + 0.1)
    chosen = choose_operation(source, target, area)
    group = TransformerGroup(source, target, always_xy=True, area_of_interest=AreaOfInterest(*area))
    judges = [t for t in group.transformers if "grids=" not in t.definition]
    lons, lats = np.random.default_rng(0).uniform(-0.05, 0.05, (2, 50)) + np.array([[lon], [lat]])
    base = Transformer.from_crs("EPSG:4326", source, always_xy=True)
    points = np.column_stack(base.transform(lons, lats))
    expected = np.column_stack(judges[0].transform(*points.T))
    assert np.allclose(chosen.forward(points), expected, rtol=1e-14, atol=0)
    again = Transformer.from_pipeline(chosen.proj)
    assert np.allclose(np.column_stack(again.transform(*points.T)), expected, rtol=1e-14, atol=0)
    assert "grids=" not in chosen.proj
    assert chosen.accuracy_m is None or chosen.accuracy_m >= 0
    assert chosen.name
    assert "axis order" not in chosen.name


@pytest.mark.parametrize(("source", "target", "lon", "lat"), PAIRS)
def test_a_chosen_operation_can_be_recorded(source, target, lon, lat):
    chosen = choose_operation(source, target, (lon - 0.1, lat - 0.1, lon + 0.1, lat + 0.1))
    assert recorded_operation(chosen.proj).proj == chosen.proj


def test_ballpark_operations_are_flagged():
    assert choose_operation("+proj=longlat +ellps=bessel", "EPSG:4326").ballpark
    assert choose_operation("+proj=longlat +ellps=bessel", "EPSG:4326").accuracy_m is None
    known = choose_operation("EPSG:2056", "EPSG:4326")
    assert not known.ballpark
    assert known.accuracy_m == 1


def test_the_area_decides_between_operations():
    kansas = choose_operation("EPSG:4267", "EPSG:4326", (-100, 38, -99, 39))
    alaska = choose_operation("EPSG:4267", "EPSG:4326", (-150, 62, -149, 63))
    aleutians = choose_operation("EPSG:4267", "EPSG:4326", (179, 51, -179, 52))
    assert len({kansas.proj, alaska.proj, aleutians.proj}) == 3


def test_there_is_no_operation_to_another_planet():
    with pytest.raises(FrameError, match="no operation without grids"):
        choose_operation("IAU_2015:30100", "EPSG:4326")


@pytest.mark.parametrize(
    ("text", "fault"),
    [("+proj=hgridshift +grids=/etc/passwd", "grids=/etc/passwd"),
     ("+proj=hgridshift +grids=@x.gsb", "grids=@x.gsb"),
     ("proj=pipeline step proj=hgridshift grids=x.tif", "grids=x.tif"),
     ("+proj=hgridshift +grids = x.tif", "grids = x.tif|hgridshift"),
     ("+proj=pipeline +step +init=/etc/passwd:a", "init="),
     ("+init=epsg:4326", "not a PROJ string"),
     ("+proj=utm +zone=33 +nadgrids=/etc/passwd", "nadgrids"), ("+proj=tinshift +file=x", "file=x"),
     ("+proj=defmodel +model=x", "model=x"), ("+proj=deformation +xy_grids=x", "xy_grids=x"),
     ("+proj=pipeline +step +proj=longlat +datum=NAD27", "datum=NAD27"), ("+proj=foo", "unknown"),
     ("+proj=noop +x=../../secret", "secret"), ("EPSG:1671", "not a PROJ string"),
     ("", "not a PROJ string"), ("+proj=pipeline +ellps=bessel", "no steps"), (5, "not a PROJ")],
)  # fmt: skip
def test_a_recorded_operation_that_reads_files_or_is_none_is_refused_by_name(text, fault):
    with pytest.raises(FrameError, match=f"{fault}.*record a PROJ string without grids"):
        recorded_operation(text)


def test_parameters_before_the_first_step_hold_for_all_steps_when_operations_are_joined():
    first = recorded_operation(
        "+proj=pipeline +ellps=bessel +step +inv +proj=utm +zone=33 "
        "+step +proj=unitconvert +xy_in=rad +xy_out=deg"
    )
    both = first.then(recorded_operation("+proj=affine +xoff=1"))
    points = np.array([[5e5, 5e6], [4.5e5, 5.1e6]])
    joined = recorded_operation(both.proj)
    assert np.array_equal(joined.forward(points), first.forward(points) + np.array([1, 0]))


def test_no_operation_changes_nothing():
    points = np.array([[1.0, 2.0]])
    assert NO_OPERATION.forward(points) is points
    assert recorded_operation(NO_OPERATION.proj).is_noop


def test_threads_share_an_operation():
    operation = choose_operation("EPSG:5514", "EPSG:4326")
    points = np.random.default_rng(0).uniform([-7e5, -1.1e6], [-6e5, -1e6], (2000, 2))
    alone = operation.forward(points)
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(operation.forward, [points] * 40))
    assert all(np.array_equal(result, alone) for result in results)


def test_equatorial_cylinders_close_on_themselves_and_other_projections_do_not():
    earth = 2 * np.pi * 6378137
    for crs in ("EPSG:3857", "EPSG:3395", "EPSG:4087", "EPSG:3832"):
        assert seam(crs).period == pytest.approx(earth, rel=1e-14)
        assert seam(crs).linear
    assert seam("EPSG:4326").period == 360
    assert seam("EPSG:4807").period == 400
    for crs in ("EPSG:32633", "EPSG:3413", "EPSG:2056", "EPSG:8857", "ESRI:54009"):
        assert seam(crs) is None


def test_own_longitudes_are_degrees_from_greenwich_without_a_datum_shift():
    assert own_lonlat("EPSG:4807").forward(np.array([[0.0, 50.0]])) == pytest.approx(
        np.array([[2.33722917, 45.0]]), abs=1e-7
    )
    assert own_lonlat("EPSG:4267").is_noop


def test_crss_are_equal_whatever_their_axis_order_but_not_whatever_their_axes():
    assert same_crs("EPSG:4326", "OGC:CRS84")
    assert not same_crs("EPSG:5513", "EPSG:5514")
    assert not same_crs("EPSG:4326", "EPSG:4258")


# The refined inverse


@given(st.floats(-0.3, 0.3), st.floats(0, 6.28), st.booleans())
def test_points_come_home_through_a_rough_inverse_or_none(bend, phase, has_inverse):
    def forward(xy):
        x, y = xy.T
        return np.column_stack([2 * x + 9 * bend * np.sin(y / 20 + phase), 3 * y + bend * x])

    def backward(xy):
        return xy / [2.0, 3.0]

    truth = np.random.default_rng(0).uniform(0, 100, (50, 2))
    found, good = refined_inverse(
        forward, backward if has_inverse else None, forward(truth), np.array([50.0, 50.0])
    )
    assert good.all()
    assert np.abs(found - truth).max() < 1e-9


def test_newtons_method_finds_points_across_the_end_of_a_turn():
    def forward(xy):
        return np.column_stack([(xy[:, 0] + 175 + 180) % 360 - 180, xy[:, 1] / 2])

    truth = np.array([[1.0, 2.0], [9.0, 4.0]])
    found, good = refined_inverse(forward, None, forward(truth), np.array([5.0, 5.0]), turn=360.0)
    assert good.all()
    assert np.abs(found - truth).max() < 1e-9


def test_points_that_nothing_leads_to_are_told_from_the_others():
    def forward(xy):
        return np.column_stack([np.tanh(xy[:, 0]), xy[:, 1]])

    found, good = refined_inverse(
        forward, None, np.array([[0.5, 1.0], [2.0, 1.0]]), np.array([0.1, 0.0])
    )
    assert good.tolist() == [True, False]
    assert found[0] == pytest.approx([np.arctanh(0.5), 1.0])
