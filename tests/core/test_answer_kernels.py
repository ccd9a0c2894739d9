"""What looks at many answers in one call gives what each alone gives, with either body."""

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ovearth_core.errors import GeometryError
from ovearth_core.geometry import Runs, rle_areas
from ovearth_core.geometry.mask_areas import areas_of_each
from ovearth_core.geometry.rle import MARGIN, encode_counts
from ovearth_core.scoring.error_kinds import KINDS, box_kind, box_kinds, mask_kind, mask_kinds
from ovearth_core.scoring.matching import THRESHOLDS, least_iou, matching_sizes, sizes_of_each
from ovearth_core.scoring.results import BoxResult, MaskResult

from . import making

numba = pytest.importorskip("numba", reason="pip install 'ovearth[fast]'")
from ovearth_core.kernels import matching, rle  # noqa: E402

SIZES = st.tuples(st.integers(1, 40), st.integers(1, 40))
MASK_PAIRS = SIZES.flatmap(lambda size: st.tuples(arrays(np.bool_, size), arrays(np.bool_, size)))
TEXTS = st.text("0123456789ab<=Zo~", max_size=12) | st.lists(st.integers(0, 700), max_size=9).map(
    lambda counts: encode_counts(np.array(counts, np.int64))
)
EDGES = st.lists(
    st.tuples(st.integers(0, 6), st.integers(0, 6), st.sampled_from([0.3, 0.5, 0.62, 0.75, 0.99])),
    max_size=25,
    unique_by=lambda edge: edge[:2],
)


def both_areas(counts, sizes, truths):
    """The areas by either body, which must agree."""
    stops = np.cumsum([len(text) for text in counts])
    given = (
        np.frombuffer("".join([*counts, MARGIN]).encode(), np.uint8),
        stops,
        np.array(sizes),
        np.concatenate(truths),
        np.cumsum([len(bounds) for bounds in truths]),
    )
    found = areas_of_each(*given)
    assert np.array_equal(found, rle.rle_areas(*given))
    return found


@given(st.lists(MASK_PAIRS, min_size=1, max_size=5))
def test_areas_are_those_of_the_pixels(pairs):
    counts = [Runs.from_array(mask).to_rle()["counts"] for mask, _ in pairs]
    truths = [Runs.from_array(truth).bounds for _, truth in pairs]
    expected = [[mask.sum(), (mask & truth).sum()] for mask, truth in pairs]
    assert both_areas(counts, [mask.size for mask, _ in pairs], truths).tolist() == expected


@given(st.lists(TEXTS, min_size=1, max_size=5), st.integers(1, 900))
def test_a_faulty_string_is_found_among_others(texts, size):
    nothing = np.zeros(0, np.int64)
    found = both_areas(texts, [size] * len(texts), [nothing] * len(texts))
    for text, (area, _) in zip(texts, found.tolist(), strict=True):
        try:
            expected = Runs.from_rle({"size": [size, 1], "counts": text}).area
        except GeometryError:
            expected = -1
        assert area == expected


@given(st.lists(st.integers(0, 2**40), min_size=1, max_size=9))
def test_numbers_of_any_length_are_read(counts):
    size = sum(counts)
    if 0 < size < 2**53:
        area = both_areas([encode_counts(np.array(counts))], [size], [np.zeros(0, np.int64)])
        assert area.tolist() == [[sum(counts[1::2]), 0]]


def test_counts_that_are_not_even_ascii_are_refused():
    with pytest.raises(GeometryError, match="not ASCII"):
        rle_areas(["é"], np.array([4]), [np.zeros(0, np.int64)])


def columns_of(groups):
    edges = [sorted(group, key=lambda edge: (-edge[2], edge[0], edge[1])) for group in groups]
    table = np.array([edge for group in edges for edge in group]).reshape(-1, 3)
    stops = np.cumsum([len(group) for group in edges])
    return stops, table[:, 0].astype(np.int64), table[:, 1].astype(np.int64), table[:, 2]


@given(st.lists(EDGES, min_size=1, max_size=5))
def test_matchings_are_as_large_as_can_be_with_either_body(groups):
    stops, i, j, iou = columns_of(groups)
    limits = np.array([least_iou(threshold) for threshold in THRESHOLDS])
    expected = [[_largest(group, limit) for limit in limits] for group in groups]
    assert sizes_of_each(stops, i, j, -iou, limits).tolist() == expected
    assert matching.matching_sizes(stops, i, j, -iou, limits).tolist() == expected
    assert matching_sizes(stops, i, j, iou).tolist() == expected


def _largest(group, limit):
    graph = nx.Graph()
    graph.add_edges_from((("t", a), ("p", b)) for a, b, iou in group if iou >= limit)
    tops = {node for node in graph if node[0] == "t"}
    return len(nx.bipartite.maximum_matching(graph, top_nodes=tops)) // 2


def test_many_crowded_boxes_are_matched_with_either_body(monkeypatch):
    rng = np.random.default_rng(0)
    edges = [(a, b, rng.random()) for a in range(60) for b in range(60) if rng.random() < 0.5]
    columns = columns_of([edges])
    found = []
    for choice in ("numpy", "compiled"):
        monkeypatch.setenv("OVEARTH_KERNELS", choice)
        found.append(matching_sizes(*columns).tolist())
    assert found[0] == found[1] == [[_largest(edges, least_iou(limit)) for limit in THRESHOLDS]]


@given(st.integers(0, 9), st.integers(1, 9), st.data())
def test_kinds_in_columns_are_those_of_each_query(predicted, true, data):
    common = data.draw(st.integers(0, min(predicted, true)))
    columns = (np.array([number]) for number in (predicted, true, common))
    assert KINDS[mask_kinds(*columns)[0]] == mask_kind(MaskResult(predicted, true, common))
    touches = common > 0
    result = BoxResult(true, predicted, (common,) * 10, touches)
    columns = (np.array([number]) for number in (true, predicted, common, touches))
    assert KINDS[box_kinds(*columns)[0]] == box_kind(result)


def test_error_counts_are_those_of_the_per_query_lines(tmp_path):
    scores = making.score(tmp_path, making.benchmark(), [making.GOOD])
    counts = scores.to_dict()["errors"]["mask"]
    kinds = [line["error"]["mask"] for line in scores.per_query()]
    total = {kind: sum(by_task[kind] for by_task in counts.values()) for kind in KINDS}
    assert total == {kind: kinds.count(kind) for kind in KINDS}
