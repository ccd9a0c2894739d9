"""The list of returned targets: what anybody wrote into its file stays there."""

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.errors import InputError, OutputError, UsageError
from ovearth_core.inspection.returned import (
    ReturnedTarget,
    change_returned,
    open_returned,
    read_returned,
    returned_path,
)
from ovearth_core.one_at_a_time import held

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def entry(comment="zu groß", **changes):
    words = (0, "q", "a.tif", "silo", comment, "2026-01-02T03:04:05Z", 1.5, 2.5)
    return ReturnedTarget(*words, **changes)


def written(path, *entries):
    path.write_text(json.dumps({"format": "ovearth-returned/1", "targets": entries}))
    return path


def test_returned_targets_come_back_from_their_file(tmp_path):
    path = returned_path(tmp_path / "benchmark.json.gz")
    assert path.name == "benchmark.returned.json"
    assert read_returned(path).targets == ()
    kept = entry()
    assert change_returned(path, [kept]).targets == (kept,)
    assert read_returned(path).targets == (kept,)
    assert json.loads(path.read_text(encoding="utf-8"))["format"] == "ovearth-returned/1"


def test_what_several_windows_add_at_the_same_time_is_all_there(tmp_path):
    path = tmp_path / "list.json"
    entries = [entry(str(number)) for number in range(12)]

    def add(one):
        while True:
            try:
                return change_returned(path, [one])
            except UsageError as fault:
                assert "another window" in str(fault)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(add, entries))
    assert {one.id for one in read_returned(path).targets} == {one.id for one in entries}
    assert sorted(tmp_path.iterdir()) == [path]


def test_taking_one_out_leaves_what_another_window_added_since(tmp_path):
    path, first, second = tmp_path / "list.json", entry("a"), entry("b")
    change_returned(path, [first])
    change_returned(path, [second])
    assert change_returned(path, [], {first.id}).targets == (second,)


def test_a_file_that_somebody_holds_is_left_alone_and_said(tmp_path):
    path = tmp_path / "list.json"
    with (
        held(tmp_path / ".list.json.lock", UsageError("held")),
        pytest.raises(UsageError, match="another window"),
    ):
        change_returned(path, [entry()])
    assert not path.exists()


@pytest.mark.parametrize(
    "broken",
    [
        "x", 5, None, [], {}, {**asdict(entry()), "comment": 5}, {**asdict(entry()), "run": []},
        {**asdict(entry()), "target_id": "1"}, {**asdict(entry()), "target_id": True},
        {**asdict(entry()), "x_px": "1"}, {**asdict(entry()), "id": 7},
        {key: value for key, value in asdict(entry()).items() if key != "category"},
    ],
)  # fmt: skip
def test_an_entry_that_is_none_is_named_and_stays_in_the_file_as_it_is(tmp_path, broken):
    path = written(tmp_path / "list.json", broken, asdict(entry("good")))
    (said,) = read_returned(path).unreadable
    assert said.startswith("entry 1: ")
    after = change_returned(path, [entry("new")], {read_returned(path).targets[0].id})
    assert [one.comment for one in after.targets] == ["new"]
    assert json.loads(path.read_text())["targets"][0] == broken


@given(entries=st.lists(JSON, max_size=4), extra=st.dictionaries(st.text(), JSON, max_size=2))
def test_whatever_a_list_holds_adding_and_taking_out_leaves_it_as_it_was(
    tmp_path_factory, entries, extra
):
    path = tmp_path_factory.mktemp("any") / "list.json"
    before = {**extra, "format": "ovearth-returned/1", "targets": entries}
    path.write_text(json.dumps(before))
    new = entry("new")
    change_returned(path, [new])
    change_returned(path, [], {new.id})
    assert json.loads(path.read_text(encoding="utf-8")) == before


def test_an_entry_written_without_an_id_keeps_the_one_that_its_words_give(tmp_path):
    plain = {key: value for key, value in asdict(entry()).items() if key != "id"}
    path = written(tmp_path / "list.json", {**plain, "colour": "red"})
    (before,) = read_returned(path).targets
    assert change_returned(path, [entry("new")]).targets[0] == before
    assert json.loads(path.read_text())["targets"][0]["colour"] == "red"
    assert [one.comment for one in change_returned(path, [], {before.id}).targets] == ["new"]


@pytest.mark.parametrize(
    "text",
    ["[1", "[]", "", "null", "{}", '{"format": "ovearth-returned/1"}', "[" * 9999,
     '{"format": "ovearth-returned/1", "targets": {}}', '{"type": "FeatureCollection"}'],
)  # fmt: skip
def test_a_list_of_returned_targets_that_is_none_is_refused_and_left_alone(tmp_path, text):
    path = tmp_path / "benchmark.returned.json"
    path.write_text(text)
    with pytest.raises(InputError, match="no list of returned targets"):
        change_returned(path, [entry()])
    assert path.read_text() == text


def test_the_list_goes_on_in_the_same_file_beside_one_that_cannot_be_read(tmp_path):
    path = tmp_path / "benchmark.returned.json"
    path.write_text("[1")
    (tmp_path / "benchmark.returned-2.json").mkdir()
    for day in range(3):
        place, found, fault = open_returned(path)
        assert place.name == "benchmark.returned-3.json"
        assert len(found.targets) == day
        assert str(path) in str(fault)
        change_returned(place, [entry(str(day))])
    assert path.read_text() == "[1"


def test_a_list_is_never_written_over_what_is_read(tmp_path):
    run = tmp_path / "empty.jsonl"
    masks = tmp_path / "masks"
    masks.mkdir()
    run.touch()
    for path in (run, masks / "list.json"):
        with pytest.raises(UsageError, match="what is read"):
            change_returned(path, [entry()], inputs=[run, masks])
    assert list(masks.iterdir()) == []


def test_a_list_that_cannot_be_written_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError, match="can't be written"):
        change_returned(tmp_path / "file" / "list.json", [entry()])
