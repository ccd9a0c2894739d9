"""Masks become polygons along the edges of their pixels, exactly, and without seams."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays
from shapely import is_valid_reason
from shapely.geometry import Polygon

from ovearth_core.geometry import Runs
from ovearth_core.geometry.tracing import LONGEST_EDGE, traced, without

LABELS = arrays(
    np.uint8, array_shapes(min_dims=2, max_dims=2, max_side=9), elements=st.integers(0, 3)
)


def masks_of(labels):
    return [Runs.from_array(labels == number) for number in (1, 2, 3)]


def rings_of(traces):
    return [ring for polygons in traces for rings in polygons for ring in rings]


@given(LABELS)
def test_the_polygons_hold_exactly_the_pixels_of_their_masks(labels):
    for mask, polygons in zip(masks_of(labels), traced(masks_of(labels)), strict=True):
        assert Runs.from_rings(polygons, *labels.shape) == mask
        assert sum(Polygon(rings[0], rings[1:]).area for rings in polygons) == mask.area


@given(LABELS)
def test_every_polygon_is_valid(labels):
    for polygons in traced(masks_of(labels)):
        for rings in polygons:
            assert is_valid_reason(Polygon(rings[0], rings[1:])) == "Valid Geometry"


@given(LABELS, st.integers(1, 4))
def test_no_vertex_lies_inside_of_an_edge_of_a_neighbour(labels, longest):
    rings = rings_of(traced(masks_of(labels), longest))
    vertices = {tuple(vertex) for ring in rings for vertex in ring.tolist()}
    for ring in rings:
        for start, end in itertools.pairwise(ring):
            steps = int(np.abs(end - start).sum())
            assert steps <= longest
            between = [tuple(start + (end - start) * k / steps) for k in range(1, steps)]
            assert vertices.isdisjoint(between)


@given(LABELS)
def test_outlines_run_clockwise_on_the_image_and_holes_the_other_way(labels):
    for polygons in traced(masks_of(labels)):
        for rings in polygons:
            for place, ring in enumerate(rings):
                x, y = ring.T
                area = np.sum(x[:-1] * y[1:] - x[1:] * y[:-1])
                assert (area > 0) == (place == 0)


@given(LABELS, st.data())
def test_what_one_mask_has_and_another_lacks_is_their_difference(labels, data):
    other = data.draw(arrays(np.bool_, labels.shape))
    left = without(Runs.from_array(labels > 1), Runs.from_array(other))
    assert np.array_equal(left.to_array(), (labels > 1) & ~other)


def test_pixels_that_touch_at_a_corner_are_two_polygons():
    (polygons,) = traced([Runs.from_array(np.eye(2))])
    assert len(polygons) == 2


def test_a_ring_of_pixels_that_touches_itself_is_an_outline_and_a_hole():
    mask = np.array([[1, 1, 1], [1, 0, 1], [1, 1, 0]])
    ((outline, hole),) = traced([Runs.from_array(mask)])[0]
    assert len(outline) == 7
    assert len(hole) == 5


def test_nested_holes_belong_to_the_outline_around_them():
    mask = np.ones((9, 9), np.uint8)
    mask[1:8, 1:8] = 0
    mask[2:7, 2:7] = 1
    mask[3:6, 3:6] = 0
    (polygons,) = traced([Runs.from_array(mask)])
    assert sorted(len(rings) for rings in polygons) == [2, 2]
    assert [np.ptp(rings[0][:, 0]) - np.ptp(rings[1][:, 0]) for rings in polygons] == [2, 2]


@pytest.mark.parametrize("count", [0, 1, 2])
def test_empty_masks_have_no_polygons(count):
    assert traced([Runs.empty(4, 5)] * count) == [[]] * count


def test_long_edges_are_divided_at_places_that_do_not_depend_on_the_mask():
    mask = np.zeros((3, 400), np.uint8)
    mask[1, 10:390] = 1
    ((ring,),) = traced([Runs.from_array(mask)])[0]
    inside = sorted(set(ring[:, 0].tolist()) - {10, 390})
    assert inside == [LONGEST_EDGE * k for k in range(1, 7)]
