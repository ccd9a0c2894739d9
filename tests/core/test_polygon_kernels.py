"""Boxes and quadrilaterals overlap by the same bits, whichever body and however many threads."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ovearth_core import kernels
from ovearth_core.geometry import boxes as boxes_module
from ovearth_core.geometry import quadrilaterals as quads_module
from ovearth_core.geometry.boxes import box_pairs, grouped_box_pairs
from ovearth_core.geometry.quadrilaterals import (
    check_quads,
    envelopes,
    grouped_quad_pairs,
    quad_pair_iou,
    quad_pairs,
)
from ovearth_core.kernels.threads import THREADS

from .both_bodies import GRID, SCALES, SHIFTS, placed, same, with_both

pytest.importorskip("numba", reason="Numba is not installed: pip install 'ovearth[fast]'")

ANYWHERE = st.floats(-50, 50) | st.floats(-1e300, 1e300)


def quads(elements, most=12):
    return st.integers(0, most).flatmap(lambda n: arrays(np.float64, (n, 4, 2), elements=elements))


def boxes(elements, most=12):
    corners = st.integers(0, most).flatmap(lambda n: arrays(np.float64, (n, 4), elements=elements))
    return corners.map(lambda t: np.sort(t.reshape(-1, 2, 2), axis=1).reshape(-1, 4))


def uncrossed(table):
    table = table.reshape(-1, 4, 2)
    return table[~quads_module._properly_cross(table)]


def random_quads(rng, n, extent):
    return rng.random((n, 1, 2)) * extent + rng.random((n, 4, 2)) * 30


@given(quads(GRID) | quads(ANYWHERE), quads(GRID), SCALES, SHIFTS)
def test_pairs_of_quadrilaterals_have_the_same_overlap(a, b, scale, shift):
    a, b = uncrossed(placed(a, scale, shift)), uncrossed(placed(b, scale, shift))
    assert same(lambda: quad_pairs(a, b))
    few = min(len(a), len(b))
    assert same(lambda: quad_pair_iou(a[:few], b[:few]))
    assert same(lambda: quad_pair_iou(a, np.roll(a[:, ::-1], 1, axis=1)))
    assert same(lambda: envelopes(a)) or not len(a)


@given(quads(GRID) | quads(ANYWHERE), SCALES, SHIFTS)
def test_the_same_quadrilaterals_cross_and_are_refused_in_the_same_words(table, scale, shift):
    table = placed(table, scale, shift)
    assert same(lambda: check_quads(table))
    assert same(lambda: quads_module._crosses(table))


@given(st.lists(st.tuples(*[st.floats(-1e-7, 1e-7)] * 8), min_size=1, max_size=9), SHIFTS)
def test_flat_and_nearly_crossing_ones_are_no_special_case(noise, shift):
    flat = np.array([[0, 0], [4, 1], [8, 2], [4, 1]]) + np.reshape(noise, (-1, 4, 2)) + shift
    assert same(lambda: quads_module._crosses(flat))
    flat = uncrossed(flat)
    assert same(lambda: quad_pairs(flat, flat))


@given(boxes(GRID), boxes(GRID | ANYWHERE), SCALES, st.sampled_from([0, 1 << 16]))
def test_pairs_of_boxes_have_the_same_overlap(a, b, scale, limit):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(boxes_module, "_DENSE_CELLS", limit)
        patch.setattr(boxes_module, "_FEW_CELLS", 0)
        assert same(lambda: box_pairs(placed(a, scale, 0), placed(b, scale, 0)))


@given(st.lists(st.tuples(boxes(GRID, 4), boxes(GRID, 4)), max_size=5))
def test_groups_of_boxes_are_compared_alike(groups):
    a = np.concatenate([np.zeros((0, 4)), *(one for one, _ in groups)])
    b = np.concatenate([np.zeros((0, 4)), *(other for _, other in groups)])
    counts = np.array([[len(one), len(other)] for one, other in groups], dtype=int).reshape(-1, 2).T
    assert same(lambda: grouped_box_pairs(a, counts[0], b, counts[1]))


def test_few_boxes_are_compared_without_numba():
    program = (
        "import sys\n"
        "from ovearth_core.geometry import box_pairs\n"
        "box_pairs([[0, 0, 1, 1]], [[0, 0, 2, 2]])\n"
        "sys.exit('numba' in sys.modules)\n"
    )
    environment = {**os.environ, kernels.SWITCH: "auto"}
    assert not subprocess.run(
        [sys.executable, "-c", program], env=environment, check=False
    ).returncode


def test_many_random_ones_convex_and_concave_overlap_by_the_same_bits():
    rng = np.random.default_rng(3)
    for origin in (0, [512_000.0, 4_323_000.0]):
        a, b = (uncrossed(random_quads(rng, 6000, 200) + origin) for _ in range(2))
        few = min(len(a), len(b))
        assert same(lambda a=a, b=b, few=few: quad_pair_iou(a[:few], b[:few]))
        assert same(lambda a=a, b=b: quad_pairs(a[:300], b[:300]))
        (whole, _, _), (concave, _, _) = quads_module._pieces(*a.transpose(2, 1, 0))
        assert 0.1 < len(concave) / len(whole) < 0.9


def test_the_number_of_threads_changes_nothing(monkeypatch):
    monkeypatch.setattr(quads_module, "_PAIRS_A_THREAD", 7)
    monkeypatch.setattr(boxes_module, "_BOXES_A_THREAD", 3)
    rng = np.random.default_rng(4)
    counts = rng.integers(0, 9, (2, 60))
    a, b = (uncrossed(random_quads(rng, 999, 60))[:n] for n in counts.sum(axis=1))
    results = []
    for threads in ("1", "2", "5"):
        monkeypatch.setenv(THREADS, threads)
        numpy, compiled = with_both(lambda: grouped_quad_pairs(a, counts[0], b, counts[1]))
        results += [numpy, compiled]
    assert len(results[0][0]) > 100
    for result in results[1:]:
        assert all(map(np.array_equal, result, results[0]))


def test_read_only_and_strided_arrays_are_taken():
    table = np.zeros((6, 4, 4))
    table[..., :2] = random_quads(np.random.default_rng(5), 6, 10)
    part = uncrossed(table[..., :2])
    part.setflags(write=False)
    assert same(lambda: quad_pairs(part[::2], part[::-1]))


def test_only_what_may_cross_is_left_to_numpy():
    from ovearth_core.kernels.polygons import may_cross

    square = np.array([[0, 0], [4, 0], [4, 4], [0, 4]], dtype=float)
    bowtie, dart = square[[0, 2, 1, 3]], np.array([[0, 0], [4, 2], [0, 4], [1, 2]], dtype=float)
    table = np.stack([square, bowtie, dart, square * 1e200])
    assert may_cross(table).tolist() == [False, True, False, True]
