"""JSON read member by member gives what the whole would, and faults by line and column."""

import json
import tracemalloc

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ovearth_core import jsonstream
from ovearth_core.errors import InputError
from ovearth_core.jsonstream import JsonStream

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda children: (
        st.lists(children, max_size=4) | st.dictionaries(st.text(), children, max_size=4)
    ),
    max_leaves=20,
)


def collect(path):
    found = {}
    stream = JsonStream(path)
    for member in stream.members():
        if member.in_list:
            found.setdefault(member.key, []).append(member.value)
        else:
            found[member.key] = member.value
    return {key: found.get(key, []) for key in stream.keys}


@given(st.dictionaries(st.text(), VALUES, max_size=5), st.sampled_from([None, 1]), st.booleans())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_object_comes_back_whole_however_small_the_chunks(
    tmp_path, monkeypatch, value, indent, ascii_only
):
    path = tmp_path / "value.json"
    path.write_text(json.dumps(value, indent=indent, ensure_ascii=ascii_only), "utf-8")
    for chunk in (1, 7, 1 << 20):
        monkeypatch.setattr(jsonstream, "_CHUNK_BYTES", chunk)
        assert collect(path) == value


@given(st.dictionaries(st.text(max_size=5), VALUES, min_size=1, max_size=3), st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_cut_off_anywhere_is_refused(tmp_path, value, data):
    text = json.dumps(value)
    path = tmp_path / "cut.json"
    path.write_text(text[: data.draw(st.integers(0, len(text) - 1))])
    with pytest.raises(InputError, match=r"line 1 column \d+"):
        collect(path)


def test_lines_are_those_of_the_file(tmp_path):
    path = tmp_path / "lines.json"
    path.write_text(json.dumps({"a": [{"n": n} for n in range(500)]}, indent=2))
    lines = path.read_text().splitlines()
    for member in JsonStream(path).members():
        assert lines[member.line] == f'      "n": {member.value["n"]}'


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('{"a": [1,\n 2,\n  }', "line 3 column 3"),
        ('{"a": {"b": }}', "line 1 column 13"),
        ('{"a": [1 2]}', "line 1 column 10"),
        ('{"a": 1,}', "line 1 column 9"),
        ('{"a": 1} 2', "line 1 column 10"),
        ('{"a": 1,\n"a": 2}', "line 2"),
        ('{"a": NaN}', "line 1 column 7"),
        ('{"a": ' + "[" * 100_000, "line 1 column 8"),
    ],
)
def test_faults_are_named_by_line_and_column(tmp_path, text, place):
    path = tmp_path / "fault.json"
    path.write_text(text)
    with pytest.raises(InputError, match=place):
        collect(path)


def test_a_file_of_60_mb_is_never_held_whole(tmp_path):
    path = tmp_path / "large.json"
    element = json.dumps({"id": 1, "segmentation": {"size": [1600, 1600], "counts": "a1Z" * 1000}})
    count = 60_000_000 // len(element)
    with path.open("w") as file:
        file.write('{"annotations": [')
        file.write(",\n".join([element] * count))
        file.write("]}")
    assert path.stat().st_size > 58_000_000
    tracemalloc.start()
    members = sum(1 for _ in JsonStream(path).members())
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert members == count
    assert peak < 12_000_000
