"""What is not valid is what GEOS says; what is made valid covers the same pixels."""

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.geometry import Runs
from ovearth_core.geometry.validity import made_valid, validity_fault

POINTS = st.tuples(st.integers(0, 40), st.integers(0, 40)).map(lambda p: (p[0] + 0.25, p[1] + 0.25))
RINGS = st.lists(POINTS, min_size=3, max_size=9, unique=True).map(np.array)


@given(RINGS)
def test_a_polygon_is_valid_where_shapely_says_so(ring):
    assert (validity_fault([[ring]]) is None) == shapely.Polygon(ring).is_valid


@given(RINGS)
def test_what_is_made_valid_is_valid_and_keeps_its_area(ring):
    made = made_valid([[ring]])
    if made is None:
        return
    (rings,) = made
    polygon = shapely.Polygon(rings[0], rings[1:])
    assert polygon.is_valid
    whole = shapely.make_valid(shapely.Polygon(ring)).area
    assert polygon.area == pytest.approx(whole, rel=2e-2)
    if polygon.area == pytest.approx(whole, rel=1e-12):
        before, after = (Runs.from_rings(p, 60, 60) for p in ([[ring]], made))
        # A vertex that a crossing makes is rounded: it may move a centre that it lies on.
        assert abs(before.area - after.area) <= 1


def test_a_crossing_is_named_with_its_place():
    bow_tie = np.array([[10, 10], [50, 50], [50, 10], [10, 50]], dtype=float)
    fault = validity_fault([[bow_tie]])
    assert fault.what == "self-intersection"
    assert fault.place.tolist() == [30.0, 30.0]


def test_two_halves_have_more_than_one_answer_and_a_spike_has_one():
    bow_tie = np.array([[10, 10], [50, 50], [50, 10], [10, 50]], dtype=float)
    assert made_valid([[bow_tie]]) is None
    spike = np.array([[10, 10], [50, 10], [50, 50], [50, 90], [50, 50], [10, 50]], dtype=float)
    ((ring,),) = made_valid([[spike]])
    assert shapely.Polygon(ring).equals(shapely.box(10, 10, 50, 50))
