"""Runs are merged and cut to the same bounds, whichever body does it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.geometry import Runs
from ovearth_core.geometry.intervals import complement, merged, shared, united, unpaired

from .both_bodies import same, with_both

pytest.importorskip("numba", reason="Numba is not installed: pip install 'ovearth[fast]'")

SIZE = 40
# Strictly increasing, an even number: neither empty nor touching.
BOUNDS = st.sets(st.integers(0, SIZE)).map(
    lambda places: np.array(sorted(places)[: len(places) // 2 * 2], np.int64)
)


def members(bounds):
    return {n for start, end in bounds.reshape(-1, 2).tolist() for n in range(start, end)}


@given(st.lists(BOUNDS, min_size=1, max_size=9))
def test_a_union_of_any_number_of_sets_is_the_same_and_is_their_union(several):
    numpy, compiled = with_both(lambda: merged(several))
    assert np.array_equal(numpy, compiled)
    assert members(compiled) == set().union(*map(members, several))
    assert (np.diff(compiled) > 0).all()


@given(BOUNDS, BOUNDS)
def test_what_two_sets_share_is_the_same_and_is_in_both(a, b):
    numpy, compiled = with_both(lambda: shared(a, b))
    assert np.array_equal(numpy, compiled)
    assert members(compiled) == members(a) & members(b)
    assert (np.diff(compiled) > 0).all()


@given(BOUNDS, st.lists(st.integers(-5, 5)).map(sorted))
def test_what_is_left_over_and_what_is_left_out_are_the_same(bounds, values):
    assert same(lambda: complement(bounds, SIZE))
    assert same(lambda: unpaired(np.array(values, np.int64)))
    odd = {value for value in values if values.count(value) % 2}
    assert unpaired(np.array(values, np.int64)).tolist() == sorted(odd)


@given(st.lists(st.tuples(st.integers(0, SIZE), st.integers(0, 9)), max_size=9))
def test_intervals_in_any_order_even_empty_ones_are_united(intervals):
    starts, lengths = np.array(intervals, np.int64).reshape(-1, 2).T
    expected = {n for start, length in intervals for n in range(start, start + length)}
    found = united(starts, starts + lengths)
    assert members(found) == expected
    assert (np.diff(found) > 0).all()


def test_masks_that_touch_at_the_ends_of_columns_are_joined():
    columns = np.zeros((5, 8), bool)
    columns[:, 2] = True
    parts = [Runs.from_array(np.roll(columns, k, axis=1)) for k in (0, 1, 3)]
    half = columns.copy()
    half[:3] = False
    numpy, compiled = with_both(lambda: Runs.union([*parts, Runs.from_array(half)]))
    assert numpy == compiled
    assert compiled.bounds.tolist() == [10, 20, 25, 30]
    numpy, compiled = with_both(lambda: compiled & Runs.from_array(half))
    assert numpy == compiled == Runs.from_array(half)
    nothing = Runs.empty(5, 8)
    assert with_both(lambda: nothing | nothing) == [nothing] * 2
    assert with_both(lambda: nothing & parts[0]) == [nothing] * 2
