"""Hulls and rectangles of minimum area have the same bits, whichever body found them."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.geometry.hull import hulls, sort_points
from ovearth_core.geometry.rectangles import min_area_rect, min_area_rects

from .both_bodies import GRID, SCALES, SHIFTS, placed, same

pytest.importorskip("numba", reason="Numba is not installed: pip install 'ovearth[fast]'")

POINTS = st.lists(st.tuples(GRID, GRID) | st.tuples(*[st.floats(-9, 9)] * 2), min_size=1)
# On a line but for rounding, where a hull's corners depend on the order of the questions.
LINES = st.lists(st.integers(0, 60), min_size=1, max_size=50).map(
    lambda places: np.outer(places, [0.1, 0.3])
)
SETS = st.lists(POINTS.map(np.array) | LINES, max_size=6)


def compiled_hulls(points, counts):
    from ovearth_core.kernels.hulls import local_hulls

    *_, x, y, corners = local_hulls(points, np.array(counts))
    return x, y, corners


def star(rng, n, radius=30.0):
    turn = np.sort(rng.random(n)) * 2 * np.pi
    reach = radius * (0.2 + 0.8 * rng.random(n))
    return np.stack([reach * np.cos(turn), reach * np.sin(turn)], axis=1)


@given(SETS, SCALES, SHIFTS)
def test_rectangles_of_any_points_are_the_same(sets, scale, shift):
    sets = [placed(points, scale, shift) for points in sets]
    assert same(lambda: min_area_rects(sets))
    for points in sets[:1]:
        assert same(lambda points=points: min_area_rect(points))


@given(st.lists(POINTS.map(np.array) | LINES, min_size=1, max_size=4))
def test_hulls_keep_the_same_corners(sets):
    # Not so small that they would be scaled first.
    sets = [np.round(points - points.min(axis=0), 12) for points in sets]
    points, counts = np.concatenate(sets), np.array([len(one) for one in sets])
    expected = hulls(*sort_points(*points.T, counts))
    assert all(map(np.array_equal, compiled_hulls(points, counts), expected))


@pytest.mark.parametrize("origin", [[0, 0], [512_000.0, 4_323_000.0], [121.3, 38.2]])
def test_rectangles_of_many_polygons_are_the_same(origin):
    rng = np.random.default_rng(20)
    sets = [star(rng, int(n)) + origin for n in rng.integers(1, 90, 2500)]
    sets += [np.repeat(sets[5], 3, axis=0), sets[0][:1], sets[3][::-1]]
    assert same(lambda: min_area_rects(sets))


@pytest.mark.parametrize("count", [31, 32, 33, 64, 65, 97, 127, 128, 129, 1000, 5000])
def test_any_number_of_points_is_sorted_and_any_number_of_corners_measured(count):
    rng = np.random.default_rng(count)
    turn = np.arange(count) * 2 * np.pi / count
    ring = np.stack([30 * np.cos(turn), 20 * np.sin(turn)], axis=1)
    cloud = rng.integers(0, 9, (count, 2)).astype(float)
    for points in (ring, rng.permutation(ring) + 0.1, cloud, np.sort(cloud, axis=0)):
        assert same(lambda points=points: min_area_rect(points))
        local = points - points.min(axis=0)
        expected = hulls(*sort_points(*local.T, np.array([count])))
        assert all(map(np.array_equal, compiled_hulls(local, [count]), expected))


def test_a_chain_that_unravels_point_by_point_keeps_the_same_corners():
    k = np.arange(1, 600.0)
    points = np.concatenate([np.stack([k, np.sqrt(k)], axis=1), [[600, 1e7]]])
    assert same(lambda: min_area_rect(points))
    for noise in (1e-16, 1e-15, 1e-13):
        rng = np.random.default_rng(21)
        flat = np.stack([k, k / 3 + noise * k * rng.normal(size=len(k))], axis=1)
        assert same(lambda flat=flat: min_area_rect(flat))


@pytest.mark.parametrize("kind", ["float32", "int", "list", "array", "strided", "read-only"])
def test_points_may_be_given_in_any_kind_of_array(kind):
    table = np.random.default_rng(22).integers(0, 50, (40, 6, 2))
    sets = {
        "float32": [one.astype(np.float32) for one in table],
        "int": list(table),
        "list": table.tolist(),
        "array": table.astype(float),
        "strided": [one[::-2] for one in table.astype(float)],
        "read-only": [np.broadcast_to(one, (6, 2)) for one in table.astype(float)],
    }[kind]
    assert same(lambda: min_area_rects(sets))
    assert same(lambda: min_area_rect(sets[0]))


@pytest.mark.parametrize(
    "bad",
    [
        np.zeros((0, 2)),
        np.zeros((3, 3)),
        np.zeros(4),
        np.array([[1.0, np.nan]]),
        np.array([[True, False]]),
        [[1, "2"]],
    ],
)
def test_what_is_not_points_is_refused_in_the_same_words_wherever_it_comes(bad):
    good = [np.eye(2)] * 1500
    for sets in ([bad], [bad, *good], [*good, bad], [*good, bad, bad]):
        assert same(lambda sets=sets: min_area_rects(sets))
        with pytest.raises(ValueError, match=f"polygon {1500 if sets[0] is good[0] else 0}"):
            min_area_rects(sets)
