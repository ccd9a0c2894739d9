"""COCO's run-length encoding, both ways, with pycocotools as judge and hostile strings refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from pycocotools import mask as coco

from ovearth_core.errors import GeometryError
from ovearth_core.geometry import Runs
from ovearth_core.geometry.rle import decode_counts, encode_counts

pytestmark = pytest.mark.usefixtures("either_body")

SIZES = st.tuples(st.integers(1, 40), st.integers(1, 40))
MASKS = SIZES.flatmap(lambda size: arrays(np.bool_, size))
# Long runs next to short ones: differences of every size and sign.
COUNTS = st.lists(st.integers(0, 10) | st.integers(0, 10**9), min_size=1, max_size=30)


def encoded(mask):
    rle = coco.encode(np.asfortranarray(mask.astype(np.uint8)))
    return {"size": rle["size"], "counts": rle["counts"].decode()}


@given(MASKS)
def test_masks_are_written_byte_for_byte_as_pycocotools_writes_them(mask):
    assert Runs.from_array(mask).to_rle() == encoded(mask)


@given(MASKS)
def test_masks_that_pycocotools_wrote_come_back(mask):
    runs = Runs.from_rle(encoded(mask))
    assert np.array_equal(runs.to_array(), mask)
    assert runs.area == mask.sum() == coco.area(encoded(mask))


@given(COUNTS)
def test_counts_of_any_size_make_the_round_trip(counts):
    assert decode_counts(encode_counts(counts)).tolist() == counts


@given(COUNTS)
def test_listed_counts_are_read_as_pycocotools_reads_them(counts):
    size = [1, sum(counts)] if sum(counts) else [1, 1]
    counts = counts if sum(counts) else [1]
    if size[1] >= 2**29:  # from there on pycocotools' own 32 bits give wrong areas
        return
    rle = {"size": size, "counts": counts}
    judged = coco.frPyObjects(rle, *size)
    assert Runs.from_rle(rle).area == coco.area(judged)
    assert Runs.from_rle(rle) == Runs.from_rle({**judged, "counts": judged["counts"].decode()})


def test_counts_of_zero_in_the_middle_leave_no_trace():
    whole = Runs.from_rle({"size": [2, 5], "counts": [2, 6, 2]})
    assert Runs.from_rle({"size": [2, 5], "counts": [2, 3, 0, 3, 2]}) == whole
    assert Runs.from_rle({"size": [2, 5], "counts": [2, 6, 1, 0, 1]}) == whole
    assert Runs.from_rle({"size": [2, 5], "counts": [0, 0, 2, 6, 2, 0]}) == whole


@pytest.mark.parametrize(
    ("counts", "said"),
    [
        ([3, 3], "add up to 6"),
        ([30], "add up to 30"),
        ([2**63], "larger than any image"),
        ([2**60, 2**60, 10], "larger than any image"),
        ([-1, 11], "negative"),
        ([5.0, 5], "whole numbers"),
        ([True, 9], "whole numbers"),
        (["5", 5], "whole numbers"),
        ([None, 10], "whole numbers"),
        (None, "whole numbers"),
        ({"a": 1}, "whole numbers"),
        ([], "add up to 0"),
        ("", "add up to 0"),
        ("5~", "'~'"),
        ("5 5", "' '"),
        ("5é", "'é'"),
        ("Z", "middle of a number"),
        ("o" * 12 + "0", "13 characters"),
        ("o" * 100_000, "middle of a number"),
        ("o" * 100_000 + "0", "100001 characters"),
        ("oooooooooo0" * 1000, ""),
        ("O", "negative"),
    ],
)
def test_what_is_malformed_is_refused_in_a_sentence(counts, said):
    with pytest.raises(GeometryError) as refusal:
        Runs.from_rle({"size": [2, 5], "counts": counts})
    assert said in str(refusal.value)


@pytest.mark.parametrize(
    "size", [None, [2], [2, 5, 1], [0, 10], [-2, -5], [2.0, 5], [True, 10], "25", [2**40, 2**40]]
)
def test_a_size_that_is_none_is_refused(size):
    with pytest.raises(GeometryError):
        Runs.from_rle({"size": size, "counts": [10]})


@given(st.text(max_size=60) | st.binary(max_size=60))
def test_no_string_whatever_gives_anything_but_a_mask_or_a_refusal(counts):
    try:
        runs = Runs.from_rle({"size": [7, 9], "counts": counts})
    except GeometryError:
        return
    assert 0 <= runs.area <= 63
