import json
import os
import time
from pathlib import Path

import cv2
import numpy as np
import pytest
import shapely
from hypothesis import assume, given
from hypothesis import strategies as st

from ovearth_core.errors import GeometryError
from ovearth_core.geometry.hull import hulls, sort_points
from ovearth_core.geometry.rectangles import min_area_rect, min_area_rects

pytestmark = pytest.mark.usefixtures("either_body")

UTM = np.array([512_000.0, 4_323_000.0])
DEGREES = np.array([121.3, 38.2])
grid_points = st.lists(st.tuples(*[st.integers(-9, 9)] * 2), min_size=1, max_size=25)


def star(rng, n, radius=30.0):
    turn = np.sort(rng.random(n)) * 2 * np.pi
    reach = radius * (0.4 + 0.6 * rng.random(n))
    return np.stack([reach * np.cos(turn), reach * np.sin(turn)], axis=1)


def ellipse(n, width=30.0, height=20.0):
    turn = np.arange(n) * 2 * np.pi / n
    return np.stack([width * np.cos(turn), height * np.sin(turn)], axis=1)


def turned(points, degrees):
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.asarray(points) @ np.array([[c, s], [-s, c]])


def sides(corners):
    return np.roll(corners, -1, axis=0) - corners


def area(corners):
    along, across = sides(corners)[:2]
    return np.hypot(*along) * np.hypot(*across)


def angle(corners):
    """Angle of the sides from +x towards +y, in degrees from 0 up to 90."""
    longest = max(sides(corners), key=lambda side: np.hypot(*side))
    return np.degrees(np.arctan2(longest[1], longest[0])) % 90


def by_hull_sides(points):
    """Areas and angles of the rectangles on every side of GEOS's hull."""
    hull = shapely.get_coordinates(shapely.convex_hull(shapely.multipoints(points)))[:-1]
    along = sides(hull) / np.hypot(*sides(hull).T)[:, None]
    across = np.stack([-along[:, 1], along[:, 0]], axis=1)
    areas = np.ptp(hull @ along.T, axis=0) * np.ptp(hull @ across.T, axis=0)
    angles = np.degrees(np.arctan2(along[:, 1], along[:, 0])) % 90
    return areas, np.where(angles >= 90 - 0.001, 0, angles)


def outside(points, corners):
    """How far any point lies outside the rectangle."""
    along = sides(corners)
    inward = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.hypot(*along.T)[:, None]
    return -((points[:, None] - corners) * inward).sum(axis=-1).min()


def check_rectangle(points, corners):
    x, y = (corners - corners[0]).T
    assert np.dot(x, np.roll(y, -1)) > np.dot(y, np.roll(x, -1))
    same = 1e-6 * np.hypot(*(corners[2] - corners[0]))
    total = (corners - corners[0]).sum(axis=1)
    assert total.min() > -same
    tied = np.flatnonzero(total < same * 0.999)
    assert (y[tied] > -same).all()
    assert outside(points, corners) < 1e-6
    one, other = sides(corners)[:2]
    short = min(np.hypot(*one), np.hypot(*other))
    cosine = abs(one @ other) / np.hypot(*one) / np.hypot(*other)
    assert cosine < max(1e-9, 2e-9 / short)


@pytest.mark.parametrize("scale", [0.02, 1, 1000])
def test_no_hull_side_and_no_angle_gives_a_smaller_rectangle(scale):
    rng = np.random.default_rng(7)
    fine = np.radians(np.arange(0, 90, 0.05))
    axes = np.stack([np.cos(fine), np.sin(fine)]), np.stack([-np.sin(fine), np.cos(fine)])
    for _ in range(60):
        points = star(rng, int(rng.integers(5, 40))) * scale
        corners = min_area_rect(points + UTM) - UTM
        check_rectangle(points, corners)
        areas, angles = by_hull_sides(points)
        tied = areas <= areas.min() * (1 + 1e-6)
        assert area(corners) == pytest.approx(areas[tied][angles[tied].argmin()], rel=1e-7)
        assert abs((angle(corners) - angles[tied].min() + 45) % 90 - 45) < 0.0011
        scan = np.ptp(points @ axes[0], axis=0) * np.ptp(points @ axes[1], axis=0)
        assert area(corners) <= scan.min() * (1 + 1e-6)


@given(grid_points)
def test_on_a_grid_the_rectangle_is_the_smallest_and_no_order_changes_it(points):
    table = np.array(points, dtype=float)
    corners = min_area_rect(points)
    shuffled = np.random.default_rng(0).permutation(np.concatenate([table, table[:3]]))
    assert np.array_equal(min_area_rect(shuffled), corners)
    assert np.array_equal(min_area_rects([table[::-1], table])[0], corners)
    assume(shapely.multipoints(table).convex_hull.area > 0)
    check_rectangle(table, corners)
    areas, _ = by_hull_sides(table)
    assert area(corners) == pytest.approx(areas.min(), rel=1e-6)


@given(grid_points)
def test_the_hull_is_the_one_that_geos_finds(points):
    x, y = np.array(points, dtype=float).T
    hx, hy, counts = hulls(*sort_points(x, y, np.array([len(x)])))
    expected = shapely.multipoints(points).convex_hull.normalize()
    assert counts.tolist() == [len(hx)]
    found = shapely.multipoints(np.stack([hx, hy], axis=1))
    assert found.convex_hull.normalize() == expected
    if expected.area:
        ring = shapely.Polygon(np.stack([hx, hy], axis=1))
        assert ring.exterior.is_ccw
        assert len(hx) == len(expected.exterior.coords) - 1
    assert (hx[0], hy[0]) == min(map(tuple, points))


def test_geos_and_opencv_find_nothing_smaller():
    rng = np.random.default_rng(8)
    for _ in range(100):
        points = star(rng, int(rng.integers(4, 30)))
        found = area(min_area_rect(points))
        assert found <= shapely.multipoints(points).minimum_rotated_rectangle.area * (1 + 1e-6)
        local = (points - points[0]).astype(np.float32)
        assert found == pytest.approx(np.prod(cv2.minAreaRect(local)[1]), rel=1e-4)


@pytest.mark.parametrize(
    ("size", "origin", "tolerance"),
    [(0.5, UTM, 1e-7), (30, UTM, 1e-7), (50_000, UTM, 1e-7), (1e-5, DEGREES, 1e-7)],
)
def test_the_rectangle_at_map_coordinates_is_that_at_the_origin(size, origin, tolerance):
    rng = np.random.default_rng(9)
    for n in range(4, 60):
        points = (star(rng, n, size / 2) + origin) - origin
        here, there = min_area_rect(points), min_area_rect(points + origin) - origin
        assert area(there) == pytest.approx(area(here), rel=tolerance)
        # No more than this lies between the two; GEOS calls some such pairs disjoint.
        gap = np.hypot(*(there - here).T).max() * np.hypot(*sides(here).T).sum()
        assert gap < tolerance * area(here)


@pytest.mark.parametrize("origin", [[0, 0], UTM])
@pytest.mark.parametrize("n", [4, 12, 64, 180, 360, 720])
def test_a_round_tank_gives_the_same_rectangle_every_time(n, origin):
    rng = np.random.default_rng(10)
    tank = ellipse(n, 20, 20)
    expected = min_area_rect(tank)
    for _ in range(5):
        noisy = np.roll(tank, int(rng.integers(n)), axis=0) + rng.normal(0, 1e-9, (n, 2))
        found = min_area_rect(noisy + origin) - origin
        assert np.abs(found - expected).max() < 1e-5


def test_a_square_has_the_smallest_angle_and_one_near_90_degrees_counts_as_0():
    square = np.array([[0, 0], [8, 0], [8, 8], [0, 8]])
    for degrees in (0, 30, 89, 89.9995):
        corners = min_area_rect(turned(square, degrees))
        check_rectangle(turned(square, degrees), corners)
        assert area(corners) == pytest.approx(64)
    assert min_area_rect(square).tolist() == square.tolist()
    diamond = min_area_rect([[1, 0], [0, 1], [-1, 0], [0, -1]])
    assert np.allclose(diamond, [[0, -1], [1, 0], [0, 1], [-1, 0]])


def test_a_vertex_on_a_side_changes_nothing():
    exact = [[0, 0], [4, 0], [4, 2], [0, 2]]
    assert min_area_rect([*exact, [2, 0], [0, 1], [4, 1], [1, 1]]).tolist() == exact


def test_known_rectangles_have_the_published_area():
    root = Path(__file__).resolve().parents[2].parent / "shared"
    path = Path(os.environ.get("OVEARTH_SHARED", root)) / "vectors" / "known-values.json"
    if not path.exists():
        pytest.skip(f"known values are absent: {path}")
    for case in json.loads(path.read_text(encoding="utf-8"))["min_area_rect"]:
        found = area(min_area_rect(case["points"]))
        assert found == pytest.approx(case["area"], abs=case["tolerance"]), case["source"]


@pytest.mark.parametrize("origin", [[0, 0], UTM, DEGREES])
def test_points_on_a_line_give_no_width_and_one_point_no_size(origin):
    for degrees in (0, 17, 45, 60, 90, 135, 179):
        line = turned(np.outer(np.arange(5), [1, 0]), degrees) * 1e-3 + origin
        corners = min_area_rect(line)
        lengths = np.hypot(*sides(corners).T)
        assert sorted(lengths)[:2] == [0, 0]
        assert max(lengths) == pytest.approx(4e-3, abs=4e-9)
        assert np.array_equal(min_area_rect(np.concatenate([line[::-1], line])), corners)
    for many in (1, 7):
        assert min_area_rect([origin] * many).tolist() == [list(map(float, origin))] * 4


def test_one_and_many_give_the_same_bits():
    rng = np.random.default_rng(11)
    sets = [star(rng, int(n)) + UTM for n in rng.integers(1, 80, 1500)]
    sets += [ellipse(n) + UTM for n in (63, 64, 65, 127, 128, 129, 400, 40_000)]
    sets += [np.repeat(UTM[None], 3, axis=0), star(rng, 9) * 1e200, star(rng, 9) * 1e-200]
    many = min_area_rects(sets)
    assert many.shape == (len(sets), 4, 2)
    for points, corners in zip(sets, many, strict=True):
        assert np.array_equal(min_area_rect(points), corners)
    assert min_area_rects([]).shape == (0, 4, 2)


@pytest.mark.parametrize("scale", [1e-300, 1e-150, 1e150, 1e300])
def test_neither_huge_nor_tiny_coordinates_overflow(scale):
    points = star(np.random.default_rng(12), 20)
    assert np.allclose(min_area_rect(points * scale) / scale, min_area_rect(points))


def test_many_corners_take_neither_long_nor_much_memory():
    min_area_rect(ellipse(5))  # compiled kernels may have to be made first
    for n in (129, 10_000, 100_000):
        points = ellipse(n)
        begun = time.perf_counter()
        corners = min_area_rect(points + UTM) - UTM
        assert time.perf_counter() - begun < 1
        assert area(corners) <= 2400 * (1 + 1e-6)
        assert outside(points[:: max(1, n // 1000)], corners) < 1e-6
    areas, _ = by_hull_sides(ellipse(500))
    assert area(min_area_rect(ellipse(500))) == pytest.approx(areas.min(), rel=1e-6)


def test_a_chain_that_unravels_point_by_point_is_walked_to_its_end():
    k = np.arange(1, 5000.0)
    arc = np.stack([k, np.sqrt(k)], axis=1)
    points = np.concatenate([arc, [[5000, 1e7]]])
    hx, hy, _ = hulls(*sort_points(*points.T, np.array([len(points)])))
    expected = shapely.multipoints(points).convex_hull
    assert shapely.Polygon(np.stack([hx, hy], axis=1)).area == pytest.approx(expected.area)
    assert outside(points, min_area_rect(points)) < 1e-6


@pytest.mark.parametrize(
    "bad",
    [
        [],
        np.zeros((0, 2)),
        [1, 2],
        [[1, 2, 3]],
        np.zeros((3, 3)),
        np.zeros(4),
        [[1, float("nan")]],
        np.array([[1, np.inf]]),
        [["1", "2"]],
        [[True, False]],
        [[None, 1]],
        "12",
        None,
    ],
)
def test_what_is_not_points_is_refused_and_the_polygon_is_named(bad):
    with pytest.raises(GeometryError):
        min_area_rect(bad)
    with pytest.raises(GeometryError, match="polygon 1"):
        min_area_rects([[[0, 0], [1, 1]], bad])
