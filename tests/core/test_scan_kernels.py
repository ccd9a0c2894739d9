"""Polygons cover the same runs, whichever body scanned them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.geometry import scan as module
from ovearth_core.geometry.scan import covered

from .both_bodies import same, with_both

pytest.importorskip("numba", reason="Numba is not installed: pip install 'ovearth[fast]'")

ON_GRID = st.integers(-6, 40).map(lambda n: n / 2)
ANYWHERE = st.floats(-4, 22) | st.floats(-1e13, 1e13)
COORDINATES = ON_GRID | ON_GRID | ON_GRID.map(lambda v: v + 1e-6) | ANYWHERE
POSITIONS = st.tuples(COORDINATES, COORDINATES)
RINGS = st.lists(POSITIONS, min_size=1, max_size=9).map(np.array)
CLOSED = RINGS.map(lambda ring: np.concatenate([ring, ring[:1]]))
LEVEL = st.lists(st.tuples(ON_GRID, st.sampled_from([1.5, 2.5, 4.5, 12.5])), min_size=3).map(
    np.array
)
POLYGONS = st.lists(st.lists(RINGS | CLOSED | LEVEL, max_size=3), max_size=5)


def blob(rng, middle, radius, count=40):
    turn = np.linspace(0, 2 * np.pi, count, endpoint=False)
    reach = radius * (0.5 + 0.5 * rng.random(count))
    return middle + reach[:, None] * np.column_stack([np.cos(turn), np.sin(turn)])


@given(POLYGONS, st.sampled_from([(13, 17), (1, 20), (20, 1), (300, 300)]))
def test_any_polygons_with_and_without_holes_cover_the_same(polygons, size):
    assert same(lambda: covered(polygons, *size))


@given(POLYGONS)
def test_mirrored_and_turned_ones_do_too(polygons):
    for turn in (lambda ring: ring[::-1], lambda ring: ring[:, ::-1], lambda ring: 13 - ring):
        turned = [[turn(ring) for ring in rings] for rings in polygons]
        assert same(lambda turned=turned: covered(turned, 13, 17))


@pytest.mark.parametrize("count", [1, 3, 400])
def test_blobs_alone_and_many_cover_the_same(count):
    rng = np.random.default_rng(count)
    polygons = [[blob(rng, 500 * rng.random(2), 100 / count**0.4)] for _ in range(count)]
    assert same(lambda: covered(polygons, 480, 510))


def test_a_scribble_of_many_crossings_a_row_covers_the_same():
    rng = np.random.default_rng(1)
    scribble = rng.random((700, 2)) * 90
    assert same(lambda: covered([[scribble]], 80, 100))
    comb = np.column_stack([np.arange(200) % 100 + 0.25, np.arange(200) % 2 * 40.0])
    polygons = [[rng.permutation(comb)], [comb]]
    assert same(lambda: covered(polygons, 50, 100))


def test_bands_of_rows_change_nothing(monkeypatch):
    from ovearth_core.kernels import edges, scan

    # Uncompiled, so that their limits can be moved.
    bodies = {
        "row_edges": edges.row_edges.py_func,
        "covered_bounds": scan.covered_bounds.py_func,
    }
    rng = np.random.default_rng(2)
    polygons = [[blob(rng, 60 * rng.random(2), 12)] for _ in range(4)]
    polygons.append([np.array([[3, 70.5], [50, 70.5], [50, 80.5], [3, 80.5]])])
    expected = covered(polygons, 95, 61)
    for crossings, rows, columns in ((1, 1 << 16, 0), (37, 1 << 16, -(1 << 40)), (1 << 20, 7, 0)):
        with monkeypatch.context() as patch:
            patch.setattr(scan, "_MOST_CROSSINGS", crossings)
            patch.setattr(scan, "_MOST_ROWS", rows)
            patch.setattr(scan, "_MANY_COLUMNS", columns)
            for helper in ("_band", "_by_column"):
                patch.setattr(scan, helper, getattr(scan, helper).py_func)
            patch.setattr(module, "compiled_body", bodies.get)
            assert np.array_equal(covered(polygons, 95, 61), expected)


def test_small_polygons_far_apart_need_no_memory_for_what_lies_between():
    far = 2_000_000_000
    square = np.array([[1, 1], [4, 1], [4, 5], [1, 5]], dtype=float)
    polygons = [[square], [square + far], [np.add(square, [0, far // 2])]]
    numpy, compiled = with_both(lambda: covered(polygons, far + 10, far + 10))
    assert np.array_equal(numpy, compiled)
    assert len(compiled) == 2 * 3 * 3


def test_no_polygons_and_none_in_the_image_cover_nothing():
    away = np.array([[50.0, 50], [60, 50], [60, 60]])
    for polygons in ([], [[]], [[], []], [[away]], [[-away], []], [[away[:1]]]):
        assert same(lambda polygons=polygons: covered(polygons, 20, 20))
        assert not len(covered(polygons, 20, 20))
