"""What is not valid is what GEOS says; what is made valid covers the same pixels."""

import json
from pathlib import Path
from subprocess import run

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.geometry import Runs
from ovearth_core.geometry.validity import made_valid, validity_fault

from .shared import CHECKOUT

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


SYSTEM_PYTHON = "/usr/bin/python3"
BY_OGR = """
import json, sys
sys.modules["shapely"] = None
import numpy as np
from ovearth_core.geometry.validity import made_valid, validity_fault
said = []
for ring in json.load(sys.stdin):
    fault, made = validity_fault([[np.array(ring)]]), made_valid([[np.array(ring)]])
    place = None if fault is None or fault.place is None else fault.place.tolist()
    said.append([fault and fault.what, place, made and len(made[0])])
print(json.dumps(said))
"""


def has_ogr():
    if not Path(SYSTEM_PYTHON).exists():
        return False
    probe = [SYSTEM_PYTHON, "-c", "import numpy, pyproj; from osgeo import ogr; ogr.Geometry"]
    return run(probe, capture_output=True, check=False).returncode == 0


@pytest.mark.skipif(not has_ogr(), reason="no system Python with osgeo, NumPy and pyproj")
def test_without_shapely_ogr_says_the_same():
    rng = np.random.default_rng(5)
    rings = [rng.integers(0, 30, (size, 2)).astype(float) for size in (3, 4, 5, 6) for _ in "abcd"]
    rings = [ring for ring in rings if len(np.unique(ring, axis=0)) == len(ring)]
    done = run([SYSTEM_PYTHON, "-c", BY_OGR], input=json.dumps([r.tolist() for r in rings]),
               capture_output=True, text=True, cwd=CHECKOUT, check=True)  # fmt: skip
    assert done.stderr == ""
    for ring, (what, place, parts) in zip(rings, json.loads(done.stdout), strict=True):
        fault, made = validity_fault([[ring]]), made_valid([[ring]])
        assert what == (fault and fault.what)
        assert (place is None) == (fault is None or fault.place is None)
        assert (parts is None) == (made is None)
