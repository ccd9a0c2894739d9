"""Masks as runs: set algebra against dense arrays and pycocotools."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from pycocotools import mask as coco

from ovearth_core.errors import GeometryError
from ovearth_core.geometry import Runs, envelope, intersection_area, min_area_rect

pytestmark = pytest.mark.usefixtures("either_body")

SIZES = st.tuples(st.integers(1, 25), st.integers(1, 25))
PAIRS = SIZES.flatmap(lambda size: st.tuples(arrays(np.bool_, size), arrays(np.bool_, size)))
SEVERAL = SIZES.flatmap(lambda size: st.lists(arrays(np.bool_, size), min_size=1, max_size=5))
MASKS = SIZES.flatmap(lambda size: arrays(np.bool_, size))


@given(PAIRS)
def test_intersection_is_that_of_the_pixels(pair):
    a, b = map(Runs.from_array, pair)
    common = int((pair[0] & pair[1]).sum())
    assert intersection_area(a, b) == intersection_area(b, a) == (a & b).area == common
    assert np.array_equal((a & b).to_array(), pair[0] & pair[1])


@given(PAIRS)
def test_areas_add_up(pair):
    a, b = map(Runs.from_array, pair)
    assert a.area + b.area == (a | b).area + (a & b).area


@given(SEVERAL, st.randoms(use_true_random=False))
def test_union_is_that_of_the_pixels_in_any_order(masks, random):
    runs = [Runs.from_array(mask) for mask in masks]
    whole = Runs.union(runs)
    assert np.array_equal(whole.to_array(), np.logical_or.reduce(masks))
    random.shuffle(runs)
    assert Runs.union(runs) == whole


@given(PAIRS)
def test_iou_is_what_pycocotools_gives(pair):
    a, b = (Runs.from_array(mask) for mask in pair)
    if not (a | b).area:
        return
    iou = intersection_area(a, b) / (a | b).area
    assert iou == pytest.approx(coco.iou([a.to_rle()], [b.to_rle()], [0])[0, 0], abs=1e-12)


@given(MASKS)
def test_bounds_are_canonical_so_that_equal_masks_are_equal(mask):
    runs = Runs.from_array(mask)
    assert (np.diff(runs.bounds) > 0).all()
    assert len(runs.bounds) % 2 == 0
    again = Runs.from_array(runs.to_array())
    assert again == runs
    assert hash(again) == hash(runs)
    assert runs.is_empty == (not mask.any())


@given(MASKS)
def test_corner_points_have_the_envelope_and_hull_of_the_pixels(mask):
    runs = Runs.from_array(mask)
    points = runs.corner_points()
    if not mask.any():
        assert points.shape == (0, 2)
        return
    y, x = np.nonzero(mask)
    corners = np.concatenate([np.column_stack([x + i, y + j]) for i in (0, 1) for j in (0, 1)])
    # Extreme in every direction: the hulls are the same.
    for angle in np.linspace(0, 2 * np.pi, 37):
        direction = np.array([np.cos(angle), np.sin(angle)])
        assert (points @ direction).max() == pytest.approx((corners @ direction).max(), abs=1e-12)
    assert envelope(points).tolist() == [x.min(), y.min(), x.max() + 1, y.max() + 1]
    assert len(points) <= 4 * mask.shape[1]
    assert min_area_rect(points).shape == (4, 2)


def test_masks_of_different_sizes_are_refused_with_both_sizes():
    with pytest.raises(GeometryError, match=r"\[2, 3\] and \[3, 2\]"):
        intersection_area(Runs.empty(2, 3), Runs.empty(3, 2))
    with pytest.raises(GeometryError):
        Runs.union([Runs.empty(2, 3), Runs.empty(3, 2)])


@pytest.mark.parametrize(
    "array", [np.zeros(3), np.zeros((2, 2, 2)), np.array([["a"]]), np.array([[np.nan]])]
)
def test_arrays_that_are_no_mask_are_refused(array):
    with pytest.raises(GeometryError):
        Runs.from_array(array)


@pytest.mark.parametrize("dtype", [np.bool_, np.uint8, np.int32, np.float32])
def test_foreground_is_what_is_not_zero_whatever_the_type_and_layout(dtype):
    array = np.zeros((6, 8), dtype)
    array[1:3, 2:5] = 1
    assert Runs.from_array(array).area == 6
    assert np.array_equal(Runs.from_array(array[::-1, ::2]).to_array(), array[::-1, ::2] != 0)


def test_bounds_can_not_be_changed_even_after_a_trip_to_another_process():
    runs = pickle.loads(pickle.dumps(Runs.from_array(np.eye(3))))
    with pytest.raises(ValueError, match="read-only"):
        runs.bounds[0] = 1
