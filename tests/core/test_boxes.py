import json
import os
import time
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.errors import GeometryError
from ovearth_core.geometry import boxes as module
from ovearth_core.geometry.boxes import (
    box_iou,
    box_pairs,
    check_boxes,
    envelope,
    grouped_box_pairs,
)

pytestmark = pytest.mark.usefixtures("either_body")

UTM = np.array([512_000.0, 4_323_000.0])
box = st.tuples(*[st.integers(-20, 20)] * 4).map(
    lambda v: [min(v[0], v[2]), min(v[1], v[3]), max(v[0], v[2]), max(v[1], v[3])]
)
boxes = st.lists(box, max_size=12)


def random_boxes(rng, n, extent=1000.0, size=100.0):
    low = rng.random((n, 2)) * extent
    return np.hstack([low, low + rng.random((n, 2)) * size])


@given(boxes, boxes)
def test_overlap_is_symmetric_within_0_and_1_and_what_shapely_says(a, b):
    iou = box_iou(a, b)
    assert iou.shape == (len(a), len(b))
    assert np.array_equal(iou, box_iou(b, a).T)
    assert ((iou >= 0) & (iou <= 1)).all()
    for i, p in enumerate(a):
        for j, q in enumerate(b):
            one, other = shapely.box(*p), shapely.box(*q)
            union = one.area + other.area - one.intersection(other).area
            expected = one.intersection(other).area / union if union else 0
            assert iou[i, j] == pytest.approx(expected, abs=1e-12)


@given(boxes)
def test_a_box_overlaps_itself_wholly_unless_it_has_no_area(a):
    table = check_boxes(a)
    area = (table[:, 2] - table[:, 0]) * (table[:, 3] - table[:, 1])
    assert np.array_equal(np.diag(box_iou(a, a)), (area > 0).astype(float))


@given(boxes, boxes)
def test_pairs_are_the_entries_of_the_table_that_are_not_0(a, b):
    iou = box_iou(a, b)
    for limit in (0, 1 << 16):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(module, "_DENSE_CELLS", limit)
            patch.setattr(module, "_RAGGED_CELLS", 7)
            i, j, found = box_pairs(a, b)
        assert np.array_equal(np.transpose([i, j]), np.argwhere(iou))
        assert np.array_equal(found, iou[i, j])


def test_pairs_within_groups_are_those_of_each_group():
    rng = np.random.default_rng(1)
    a_counts, b_counts = np.array([3, 0, 5, 1]), np.array([4, 2, 6, 0])
    a, b = random_boxes(rng, 9, 200), random_boxes(rng, 12, 200)
    i, j, iou = grouped_box_pairs(a, a_counts, b, b_counts)
    expected, p, q = [], 0, 0
    for n, m in zip(a_counts, b_counts, strict=True):
        table = box_iou(a[p : p + n], b[q : q + m])
        expected += [(p + s, q + t, table[s, t]) for s, t in np.argwhere(table)]
        p, q = p + n, q + m
    assert list(zip(i, j, iou, strict=True)) == expected
    with pytest.raises(GeometryError, match="counts"):
        grouped_box_pairs(a, a_counts + 1, b, b_counts)


def test_no_pixel_is_added_to_a_side():
    assert box_iou([[0, 0, 10, 10]], [[0, 0, 10, 5]])[0, 0] == 0.5
    assert box_iou([[0, 0, 1, 1]], [[1, 0, 2, 1]])[0, 0] == 0


def test_overlap_at_map_coordinates_is_that_at_the_origin():
    rng = np.random.default_rng(2)
    a, b = np.round(random_boxes(rng, 50), 3), np.round(random_boxes(rng, 60), 3)
    shift = np.tile(UTM, 2)
    assert np.abs(box_iou(a + shift, b + shift) - box_iou(a, b)).max() < 1e-7


@pytest.mark.parametrize("size", [1e-200, 1e-160, 1e100, 1e200, 1.7e308])
def test_neither_huge_nor_tiny_coordinates_overflow(size):
    a, b = [[-size, -size, size, size]], [[0, -size, size, size]]
    assert box_iou(a, b)[0, 0] == pytest.approx(0.5)
    assert box_iou(a, a)[0, 0] == 1


def test_no_boxes_give_an_empty_table():
    assert box_iou([], [[0, 0, 1, 1]]).shape == (0, 1)
    assert box_iou(np.zeros((0, 4)), []).shape == (0, 0)
    assert [len(part) for part in box_pairs([], [])] == [0, 0, 0]


def test_20_000_boxes_against_20_000_need_neither_the_table_nor_its_time():
    rng = np.random.default_rng(3)
    a, b = random_boxes(rng, 20_000, 10_000), random_boxes(rng, 20_000, 10_000)
    grouped_box_pairs(a[:1], np.ones(1, int), b[:1], np.ones(1, int))  # may have to be compiled
    begun = time.perf_counter()
    i, j, iou = box_pairs(a, b)
    assert time.perf_counter() - begun < 5
    some = np.flatnonzero(i < 20)
    table = box_iou(a[:20], b)
    assert np.array_equal(np.transpose([i[some], j[some]]), np.argwhere(table))
    assert np.array_equal(iou[some], table[i[some], j[some]])


GOOD = [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ([1, 2, 3, 4, 5, 6], "has 6 numbers instead of four"),
        ([1, 2, 3], "has 3 numbers instead of four"),
        ([], "has 0 numbers instead of four"),
        ([0, 0, float("nan"), 1], "[0.0, 0.0, nan, 1.0] is not finite"),
        ([0, 0, float("inf"), 1], "inf, 1.0] is not finite"),
        ([0, 0, 10**400, 1], "is not finite"),
        ([0, 0, "1", 1], "holds '1', which is not a number"),
        ([0, 0, True, 1], "holds True, which is not a number"),
        ([0, 0, None, 1], "holds None, which is not a number"),
        ([0, 0, [1], 1], "is not a"),
        ([0, 0, 1j, 1], "which is not a number"),
        ("0011", "'0011' is not a list of four numbers"),
        ({1: 1, 2: 2, 3: 3, 4: 4}, "is not a list of four numbers"),
        (None, "None is not a list of four numbers"),
        (7, "7 is not a list of four numbers"),
        ([5, 0, 1, 1], "[5.0, 0.0, 1.0, 1.0] is reversed: xmin > xmax"),
        ([0, 5, 1, 1], "is reversed: ymin > ymax"),
    ],
)
def test_what_is_not_a_box_is_refused_by_index_and_values(bad, says):
    for many in ([GOOD, bad, bad], (tuple(GOOD), bad), [np.array(GOOD), bad]):
        with pytest.raises(GeometryError) as caught:
            check_boxes(many)
        assert str(caught.value).startswith("box 1 ")
        assert says in str(caught.value)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "bad",
    [
        None,
        "boxes",
        5,
        np.zeros(4),
        np.zeros((2, 6)),
        np.zeros((0, 6)),
        np.zeros((2, 2, 4)),
        np.full((2, 4), True),
        np.full((2, 4), "1"),
        np.array([[0, 0, None, 1]], dtype=object),
        np.zeros((2, 4), dtype="m8[s]"),
        np.array([[0, 0, np.nan, 1]]),
        [np.zeros((4, 1))],
        [np.array(3.0)],
        [GOOD, np.array([0, 0, 1, 1], dtype="m8[s]")],
    ],
)
def test_what_is_not_a_list_of_boxes_is_refused(bad):
    with pytest.raises(GeometryError):
        check_boxes(bad)


def test_numbers_of_every_kind_become_float64():
    for kind in (np.int8, np.uint64, np.float32, np.float64, object):
        table = check_boxes(np.array([[1, 2, 3, 4]], dtype=kind))
        assert table.dtype == np.float64
        assert table.tolist() == [[1, 2, 3, 4]]
    assert check_boxes([[np.int64(1), 2, np.float32(3), 4.0]]).tolist() == [[1, 2, 3, 4]]
    assert check_boxes([[1, 1, 1, 1]]).shape == (1, 4)


def test_the_envelope_holds_every_point_exactly():
    assert envelope([[3, 1], [0, 5], [2, 2]]).tolist() == [0, 1, 3, 5]
    assert envelope([[3, 1]]).tolist() == [3, 1, 3, 1]
    for bad in ([], [[1, 2, 3]], [[1, float("nan")]], [["1", 2]]):
        with pytest.raises(GeometryError):
            envelope(bad)


def test_unit_boxes_on_a_line_overlap_as_arithmetic_says():
    root = Path(__file__).resolve().parents[2].parent / "shared"
    path = Path(os.environ.get("OVEARTH_SHARED", root)) / "vectors" / "known-values.json"
    if not path.exists():
        pytest.skip(f"known values are absent: {path}")
    for case in json.loads(path.read_text(encoding="utf-8"))["matching"]:
        a = [[x, 0, x + 1, 1] for x in case["truth_x"]]
        b = [[x, 0, x + 1, 1] for x in case["prediction_x"]]
        gap = np.abs(np.subtract.outer(case["truth_x"], case["prediction_x"]))
        assert np.allclose(box_iou(a, b), np.maximum(0, (1 - gap) / (1 + gap)))
