import json
import os
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from ovearth_core.errors import GeometryError
from ovearth_core.geometry.quadrilaterals import (
    check_quads,
    envelopes,
    grouped_quad_pairs,
    quad_iou,
    quad_pair_iou,
    quad_pairs,
)

pytestmark = pytest.mark.usefixtures("either_body")

UTM = np.array([512_000.0, 4_323_000.0])
quad = st.lists(st.tuples(*[st.integers(0, 12)] * 2), min_size=4, max_size=4)
SQUARE = [[0, 0], [4, 0], [4, 4], [0, 4]]
DART = [[0, 0], [4, 2], [0, 4], [1, 2]]
BOWTIE = [[0, 0], [4, 4], [4, 0], [0, 4]]


def known(kind):
    root = Path(__file__).resolve().parents[2].parent / "shared"
    path = Path(os.environ.get("OVEARTH_SHARED", root)) / "vectors" / "known-values.json"
    if not path.exists():
        pytest.skip(f"known values are absent: {path}")
    return json.loads(path.read_text(encoding="utf-8"))[kind]


def rotated(boxes):
    """Corners of [x, y, width, height, angle] boxes."""
    x, y, width, height, angle = np.transpose(boxes)[:, :, None]
    u, v = width * [-0.5, 0.5, 0.5, -0.5], height * [-0.5, -0.5, 0.5, 0.5]
    c, s = np.cos(angle), np.sin(angle)
    return np.stack([x + c * u - s * v, y + s * u + c * v], axis=-1)


def random_rotated(rng, n, extent=100.0, size=40.0):
    sides = rng.random((n, 2)) * size + 1
    turn = rng.random((n, 1)) * 2 * np.pi
    return rotated(np.hstack([rng.random((n, 2)) * extent, sides, turn]))


def random_valid(rng, n):
    quads = rng.random((4 * n, 4, 2)) * 100
    return quads[shapely.is_valid(shapely.polygons(quads))][:n]


def judge(a, b):
    """IoU by GEOS, about an origin local to each pair."""
    origin = a[:, :1].copy()
    one, other = shapely.polygons(a - origin), shapely.polygons(b - origin)
    shared = shapely.area(shapely.intersection(one, other))
    return shared / (shapely.area(one) + shapely.area(other) - shared)


@pytest.mark.parametrize("origin", [[0, 0], UTM])
@pytest.mark.parametrize("make", [random_rotated, random_valid])
def test_overlap_is_what_geos_finds_about_a_local_origin(make, origin):
    rng = np.random.default_rng(4)
    a, b = make(rng, 5000) + origin, make(rng, 5000) + origin
    iou = quad_pair_iou(a, b)
    assert np.abs(iou - judge(a, b)).max() < 1e-9
    assert np.abs(iou - quad_pair_iou(b, a)).max() < 1e-12
    for same in (a, a[:, ::-1], np.roll(a, 1, axis=1), np.roll(a[:, ::-1], 2, axis=1)):
        assert np.abs(quad_pair_iou(a, same) - 1).max() < 1e-12
        assert np.abs(quad_pair_iou(same, b) - iou).max() < 1e-12
    assert ((iou >= 0) & (iou <= 1)).all()


def in_order(points):
    """The points in an order that makes a valid polygon, where there is one."""
    orders = ([points[k] for k in order] for order in ((0, 1, 2, 3), (0, 2, 1, 3), (0, 1, 3, 2)))
    return next((one for one in orders if shapely.Polygon(one).is_valid), points)


@given(st.lists(quad.map(in_order), min_size=2, max_size=2))
def test_shared_sides_and_corners_on_a_grid_are_no_special_case(pair):
    shapes = [shapely.Polygon(one) for one in pair]
    assume(all(shape.is_valid and shape.area for shape in shapes))
    expected = shapes[0].intersection(shapes[1]).area / shapes[0].union(shapes[1]).area
    assert quad_iou(pair[:1], pair[1:])[0, 0] == pytest.approx(expected, abs=1e-9)


@given(quad, quad, st.floats(0, 7), st.tuples(*[st.floats(-1000, 1000)] * 2))
def test_turning_and_moving_both_changes_nothing(one, other, angle, by):
    try:
        expected = quad_iou([one], [other])
    except GeometryError:
        assume(False)
    c, s = np.cos(angle), np.sin(angle)
    a, b = (np.array(p, dtype=float) @ [[c, s], [-s, c]] + by for p in (one, other))
    assert np.abs(quad_iou([a], [b]) - expected).max() < 1e-9


@given(quad, quad)
def test_quadrilaterals_are_refused_exactly_where_opposite_sides_cross(one, other):
    for points in (one, other):
        sides = [shapely.LineString([points[k], points[(k + 1) % 4]]) for k in range(4)]
        crosses = sides[0].crosses(sides[2]) or sides[1].crosses(sides[3])
        if crosses:
            with pytest.raises(GeometryError, match=r"quadrilateral 0 .* cross"):
                check_quads([points])
        else:
            assert check_quads([points]).shape == (1, 4, 2)


def test_the_table_holds_every_pair_and_the_list_those_above_0():
    rng = np.random.default_rng(5)
    a, b = random_valid(rng, 30), random_rotated(rng, 40, 300)
    table = quad_iou(a, b)
    every = judge(np.repeat(a, 40, axis=0), np.tile(b, (30, 1, 1)))
    assert np.abs(table.ravel() - every).max() < 1e-9
    i, j, iou = quad_pairs(a, b)
    assert np.array_equal(np.transpose([i, j]), np.argwhere(table))
    assert np.array_equal(iou, table[i, j])
    order = rng.permutation(30)
    assert np.array_equal(quad_iou(a[order], b), table[order])


def test_pairs_within_groups_are_those_of_each_group():
    rng = np.random.default_rng(6)
    counts = np.array([[5, 0, 7, 3], [6, 4, 2, 0]])
    a, b = random_rotated(rng, 15), random_valid(rng, 12)
    i, j, iou = grouped_quad_pairs(a, counts[0], b, counts[1])
    expected, p, q = [], 0, 0
    for n, m in counts.T:
        s, t, v = quad_pairs(a[p : p + n], b[q : q + m])
        expected += zip(s + p, t + q, v, strict=True)
        p, q = p + n, q + m
    assert list(zip(i, j, iou, strict=True)) == expected


def test_known_rotated_boxes_overlap_as_published():
    for case in known("rotated_box_iou"):
        found = quad_iou(rotated(case["a"]), rotated(case["b"]))
        assert np.abs(found - case["iou"]).max() <= case.get("tolerance", 1e-4), case["source"]


def test_known_quadrilaterals_overlap_as_published():
    for case in known("quad_iou"):
        found = quad_iou([case["a"]], [case["b"]])[0, 0]
        assert found == pytest.approx(case["iou"], abs=case["tolerance"]), case["source"]


def test_far_touching_nested_and_concave_ones_overlap_as_arithmetic_says():
    def iou(a, b):
        return quad_iou([a], [b])[0, 0]

    inner = [[1, 1], [2, 1], [2, 2], [1, 2]]
    assert iou(SQUARE, np.add(SQUARE, 1e6)) == 0
    assert iou(SQUARE, np.add(SQUARE, [4, 0])) == 0
    assert iou(SQUARE, inner) == pytest.approx(1 / 16, abs=1e-15)
    assert iou(DART, SQUARE) == pytest.approx(6 / 16, abs=1e-15)
    assert iou(DART, [[0, 1], [0, 3], [0.2, 3], [0.2, 1]]) < 0.2
    assert iou(DART, [[0, 1.9], [0.9, 1.9], [0.9, 2.1], [0, 2.1]]) == 0
    assert iou(DART, DART[::-1]) == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("origin", [[0, 0], UTM, [121.3, 38.2]])
@pytest.mark.parametrize("width", [1e-2, 1e-3, 1e-4])
def test_slivers_overlap_themselves_and_their_halves(origin, width):
    sliver = rotated([[0, 0, 50, width, 0.3]]) + origin
    assert quad_iou(sliver, sliver)[0, 0] == pytest.approx(1, abs=1e-12)
    assert quad_iou(sliver, sliver[:, ::-1])[0, 0] == pytest.approx(1, abs=1e-12)
    half = sliver.copy()
    half[:, 2:] = (sliver[:, 2:] + sliver[:, 1::-1]) / 2
    # The halved corners are rounded to the coordinates' own precision.
    assert quad_iou(sliver, half)[0, 0] == pytest.approx(0.5, abs=1e-12 + 4e-9 / width)


def test_without_area_nothing_overlaps_not_even_itself():
    line = [[0, 0], [3, 1], [6, 2], [9, 3]]
    tilted = [[0.1 * k + 512_000, 0.3 * k + 4_323_000] for k in range(4)]
    point = [[2, 2]] * 4
    flat = [[0, 0], [4, 1], [4, 1], [0, 0]]
    for one in (line, tilted, point, flat):
        assert quad_iou([one], [one, SQUARE, DART]).tolist() == [[0, 0, 0]]


@pytest.mark.parametrize("size", [1e-200, 1e-3, 1e100, 1e300])
def test_neither_huge_nor_tiny_coordinates_overflow(size):
    a, b = np.array(SQUARE) * size, np.add(SQUARE, [2, 0]) * size
    assert quad_iou([a], [b])[0, 0] == pytest.approx(1 / 3)
    with pytest.raises(GeometryError, match="cross"):
        check_quads([np.array(BOWTIE) * size])


def test_eight_numbers_and_four_points_are_the_same():
    flat = np.ravel(SQUARE).tolist()
    expected = [SQUARE, DART]
    array = np.array(expected)
    for given_ in (
        [flat, DART],
        [SQUARE, np.ravel(DART)],
        (tuple(map(tuple, SQUARE)), np.array(DART)),
        array,
        array.reshape(2, 8),
        [[np.array(p) for p in SQUARE], DART],
    ):
        assert check_quads(given_).tolist() == expected
    assert check_quads([]).shape == (0, 4, 2)
    assert envelopes(array).tolist() == [[0, 0, 4, 4], [0, 0, 4, 4]]
    assert quad_iou([], [SQUARE]).shape == (0, 1)
    assert [len(part) for part in quad_pairs([], [SQUARE])] == [0, 0, 0]


@pytest.mark.parametrize(
    "bad",
    [
        BOWTIE,
        [0, 0, 4, 4, 4, 0, 0, 4],
        [0, 0, 1, 1],
        [0, 0, 1, 0, 1, 1],
        [[0, 0], [1, 0], [1, 1]],
        [[0, 0], [1, 0], [1, 1], [0, "1"]],
        [[0, 0], [1, 0], [1, 1], [0, True]],
        [[0, 0], [1, 0], [1, 1], [0, None]],
        [[0, 0], [1, 0], [1, 1], [0, float("nan")]],
        [[0, 0], [1, 0], [1, 1], [0, float("inf")]],
        [[0, 0], [1, 0], [1, 1], [0, 1, 2]],
        [[0, 0], [1, 0], [1, 1], np.array(1.0)],
        "01234567",
        None,
        np.zeros((3, 2)),
    ],
)
def test_what_is_not_a_quadrilateral_is_refused_by_index_and_values(bad):
    with pytest.raises(GeometryError) as caught:
        check_quads([SQUARE, bad])
    assert str(caught.value).startswith("quadrilateral 1 ")
    assert "\n" not in str(caught.value)
    with pytest.raises(GeometryError):
        quad_iou([SQUARE], [bad])


def test_lists_of_different_length_are_not_pairs():
    with pytest.raises(GeometryError, match="pairs"):
        quad_pair_iou([SQUARE], [SQUARE, DART])
    for bad in (None, 3, np.zeros((2, 3, 2)), np.zeros(8)):
        with pytest.raises(GeometryError):
            check_quads(bad)
