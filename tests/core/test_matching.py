"""Matching of boxes: maximum cardinality first, high IoU next."""

import json

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import maximum_bipartite_matching

from ovearth_core.geometry import box_iou
from ovearth_core.scoring import THRESHOLDS, match
from ovearth_core.scoring.matching import matches_at_thresholds

from .shared import KNOWN_VALUES, needs_shared

# Few distinct values, those of the thresholds among them, so that ties and chains are common.
IOU_VALUES = st.sampled_from([0.0, 0.0, 0.3, 0.5, 0.5000001, 0.55, 0.6, 0.75, 0.9, 0.95, 1.0])


@st.composite
def iou_tables(draw):
    rows, columns = draw(st.integers(0, 9)), draw(st.integers(0, 9))
    values = draw(st.lists(IOU_VALUES, min_size=rows * columns, max_size=rows * columns))
    return np.array(values, dtype=float).reshape(rows, columns)


def pairs_of(table):
    rows, columns = np.nonzero(table)
    return np.column_stack([rows, columns, table[rows, columns]])


@given(iou_tables(), st.sampled_from(THRESHOLDS))
def test_as_many_pairs_match_as_scipy_and_networkx_can_match(table, threshold):
    edges = table >= threshold * (1 - 1e-6)
    pairs = match(table, threshold)
    if table.size:
        by_scipy = maximum_bipartite_matching(csr_matrix(edges), perm_type="column")
        assert len(pairs) == int((by_scipy >= 0).sum())
    graph = nx.Graph()
    graph.add_nodes_from(("truth", row) for row in range(table.shape[0]))
    graph.add_edges_from((("truth", i), ("box", j)) for i, j in np.argwhere(edges))
    top = [node for node in graph if node[0] == "truth"]
    assert len(pairs) == len(nx.bipartite.maximum_matching(graph, top)) // 2
    assert all(edges[i, j] for i, j in pairs)
    assert len({i for i, _ in pairs}) == len({j for _, j in pairs}) == len(pairs)


@given(iou_tables())
def test_the_ten_sizes_from_one_pass_are_those_of_ten_matchings(table):
    assert matches_at_thresholds(pairs_of(table)) == [len(match(table, t)) for t in THRESHOLDS]


@given(iou_tables(), st.randoms(use_true_random=False))
def test_sizes_do_not_depend_on_the_order_of_boxes(table, random):
    rows, columns = list(range(table.shape[0])), list(range(table.shape[1]))
    random.shuffle(rows)
    random.shuffle(columns)
    shuffled = table[np.ix_(rows, columns)]
    assert matches_at_thresholds(pairs_of(table)) == matches_at_thresholds(pairs_of(shuffled))


def test_cardinality_comes_before_the_sum_of_iou():
    # Greedy and Hungarian matching would both take the 0.9 alone.
    assert match(np.array([[0.9, 0.5], [0.5, 0.0]]), 0.5) == [(0, 1), (1, 0)]


def test_the_pair_with_higher_iou_is_shown_where_the_count_is_the_same():
    assert match(np.array([[0.6, 0.8]]), 0.5) == [(0, 1)]
    assert match(np.array([[0.6], [0.8]]), 0.5) == [(1, 0)]


def test_equal_pairs_are_taken_by_index():
    assert match(np.full((2, 2), 0.7), 0.5) == [(0, 0), (1, 1)]


@pytest.mark.parametrize("threshold", THRESHOLDS)
def test_an_iou_of_exactly_the_decimal_counts(threshold):
    assert match(np.array([[threshold]]), threshold) == [(0, 0)]
    assert match(np.array([[threshold * (1 - 1e-9)]]), threshold) == [(0, 0)]
    assert match(np.array([[threshold * (1 - 1e-5)]]), threshold) == []


def test_an_iou_of_zero_never_matches():
    assert match(np.zeros((2, 2)), 0.0) == []


def test_no_boxes_on_either_side_match_nothing():
    assert match(np.zeros((0, 3)), 0.5) == []
    assert match(np.zeros((3, 0)), 0.5) == []
    assert matches_at_thresholds(np.zeros((0, 3))) == [0] * 10


def test_a_long_chain_is_augmented_without_recursion():
    size = 3000
    chain = np.array(
        [(i, i, 0.6) for i in range(size)] + [(i, i + 1, 0.9) for i in range(size - 1)]
    )
    assert matches_at_thresholds(chain)[0] == size


@needs_shared
def test_known_values_are_met():
    for case in json.loads(KNOWN_VALUES.read_text())["matching"]:
        truths = np.array([[x, 0, x + 1, 1] for x in case["truth_x"]])
        boxes = np.array([[x, 0, x + 1, 1] for x in case["prediction_x"]])
        assert len(match(box_iou(truths, boxes), 0.5)) == case["true_positives_at_0.5"]
