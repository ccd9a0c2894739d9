"""Which pixels lie in a polygon: pixel for pixel what GDAL's rasteriser says."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rasterio.features import rasterize
from shapely.geometry import Point, Polygon

from ovearth_core.geometry import Runs

pytestmark = pytest.mark.usefixtures("either_body")

HEIGHT, WIDTH = 13, 17
# Half-integers lie on pixel centres and corners; neighbours of them, a millionth away.
ON_GRID = st.integers(-6, 40).map(lambda n: n / 2)
NEAR_GRID = st.tuples(ON_GRID, st.sampled_from([-1e-6, 1e-6, 2e-6])).map(sum)
ANYWHERE = st.floats(-4, 22, allow_nan=False).map(lambda v: round(v, 6))
COORDINATES = ON_GRID | ON_GRID | NEAR_GRID | ANYWHERE
RINGS = st.lists(st.tuples(COORDINATES, COORDINATES), min_size=3, max_size=9).filter(
    lambda ring: len(set(ring)) >= 3
)

# Crossings on centres are exact here, so that even ties move along with the polygon.
GRID_RINGS = st.lists(st.tuples(ON_GRID, ON_GRID), min_size=3, max_size=9).filter(
    lambda ring: len(set(ring)) >= 3
)


def judged(shapes):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return rasterize(shapes, out_shape=(HEIGHT, WIDTH), all_touched=False, dtype="uint8")


def closed(ring):
    return [list(position) for position in [*ring, ring[0]]]


def polygon(*rings):
    return {"type": "Polygon", "coordinates": [closed(ring) for ring in rings]}


def assert_same(*shapes):
    ours = Runs.from_polygons(list(shapes), HEIGHT, WIDTH).to_array()
    assert np.array_equal(ours, judged(shapes).astype(bool))


@given(RINGS)
def test_any_ring_even_one_that_crosses_itself_is_as_gdal_fills_it(ring):
    assert_same(polygon(ring))


@given(RINGS, RINGS)
def test_holes_are_left_out_as_gdal_leaves_them(ring, hole):
    assert_same(polygon(ring, hole))


@given(st.lists(RINGS, min_size=1, max_size=4))
def test_several_polygons_are_united_as_gdal_burns_them(rings):
    assert_same(*map(polygon, rings))


@given(st.lists(RINGS, min_size=1, max_size=3))
def test_the_parts_of_a_multipolygon_are_as_gdal_burns_them(rings):
    parts = [[closed(ring)] for ring in rings]
    assert_same({"type": "MultiPolygon", "coordinates": parts})


@given(st.tuples(*[st.floats(-50, 50)] * 2), st.floats(0, 3), st.floats(1, 300), st.floats(1, 300))
def test_rectangles_at_any_angle_and_far_larger_than_the_image_are_as_gdal_fills_them(
    middle, angle, length, width
):
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    signs = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ring = [np.array(middle) + u * length * along + v * width * across for u, v in signs]
    assert_same(polygon([tuple(np.round(position, 6).tolist()) for position in ring]))


@given(RINGS)
def test_centres_strictly_inside_are_in_and_strictly_outside_are_out(ring):
    shape = Polygon(ring)
    if not shape.is_valid:
        return
    inside = Runs.from_polygons([polygon(ring)], HEIGHT, WIDTH).to_array()
    for row in range(HEIGHT):
        for column in range(WIDTH):
            centre = Point(column + 0.5, row + 0.5)
            if centre.distance(shape.exterior) > 1e-5:
                assert inside[row, column] == shape.contains(centre)


@given(GRID_RINGS, st.integers(-3, 3), st.integers(-3, 3))
def test_a_shift_by_whole_pixels_shifts_the_mask(ring, right, down):
    size = 60
    around = [(x + 15, y + 15) for x, y in ring]
    shifted = [(x + right, y + down) for x, y in around]
    mask = Runs.from_polygons([polygon(around)], size, size).to_array()
    assert np.array_equal(
        Runs.from_polygons([polygon(shifted)], size, size).to_array(),
        np.roll(mask, (down, right), axis=(0, 1)),
    )


def test_a_vertex_moved_by_less_than_half_a_millionth_flips_no_pixel():
    square = [(2.5, 2.5), (8.5, 2.5), (8.5, 8.5), (2.5, 8.5)]
    mask = Runs.from_polygons([polygon(square)], HEIGHT, WIDTH)
    for nudge in (-4e-7, 4e-7):
        moved = [(x + nudge, y - nudge) for x, y in square]
        assert Runs.from_polygons([polygon(moved)], HEIGHT, WIDTH) == mask


def test_coordinates_far_away_cost_nothing_and_overflow_nothing():
    far = [(-1e12, -1e12), (1e12, -1e12), (1e12, 1e12), (-1e12, 1e12)]
    assert Runs.from_polygons([far], HEIGHT, WIDTH).area == HEIGHT * WIDTH
    triangle = [(-1e12, 6.0), (1e12, 6.0), (0.0, 1e12)]
    assert Runs.from_polygons([triangle], HEIGHT, WIDTH).area == (HEIGHT - 6) * WIDTH


def test_a_large_image_is_scanned_without_its_pixels():
    angles = np.linspace(0, 2 * np.pi, 100, endpoint=False)
    ring = 50_000 + 40_000 * np.column_stack([np.cos(angles), np.sin(angles)])
    area = Runs.from_polygons([ring], 100_000, 100_000).area
    assert area == pytest.approx(Polygon(ring).area, rel=1e-6)


def test_many_polygons_at_once_are_those_one_by_one():
    rng = np.random.default_rng(5)
    quads = [rng.random((4, 2)) * 300 for _ in range(200)]
    together = Runs.from_polygons(quads, 300, 300)
    assert together == Runs.union([Runs.from_polygons([quad], 300, 300) for quad in quads])
