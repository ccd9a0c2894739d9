"""Whatever bytes a file holds: it is read, or refused in one line, in every dialect."""

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ovearth_core.errors import OVEarthError
from ovearth_core.predictions.dialects import DialectOptions, dialect_names, open_dialect

from . import dialect_scene as scene

NAMES = {
    "coco": "a.json",
    "dota": "Task1_storage-tank.txt",
    "csv": "a.csv",
    "labelme": "a.json",
    "map": "a.geojson",
    "dense": "v1.npy",
    "ultralytics": "1.txt",
}
PIECES = [
    *(
        b"{",
        b"}",
        b"[",
        b"]",
        b",",
        b":",
        b'"',
        b"\n",
        b"\0",
        b"\xff",
        b"1",
        b"-5",
        b"NaN",
        b"null",
    ),
    *(b'"query_id":"v1"', b'"text":', b'"boxes":[[1,2,3,4]]', b'"masks":[[[1]]]', b"v1", b"0.5 "),
    *(
        b"query_id,wkt,score\n",
        b"POLYGON((0 0,1 1,1 0,0 0))",
        b"1 0.5 1 2 3 4\n",
        b"\x93NUMPY\x01\0",
    ),
    *(b'"image_id":1,"category_id":1,"bbox":[1,2,3,4]', b'"polys":[[0,0,1,0,1,1,0,1]]'),
    b'{"query_id":"v1","text":"<box><1><2><3><4></box>"}\n',
    b'{"type":"FeatureCollection","features":[',
]
CONTENTS = st.one_of(st.binary(max_size=60), st.lists(st.sampled_from(PIECES)).map(b"".join))


@pytest.mark.parametrize("dialect", dialect_names())
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(content=CONTENTS, lenient=st.booleans())
def test_any_bytes_are_read_or_refused_in_one_line(tmp_path, dialect, content, lenient):
    benchmark = scene.benchmark(tmp_path)
    (tmp_path / "classes.txt").write_text("storage tank\n")
    source = tmp_path / NAMES.get(dialect, "a.jsonl")
    source.write_bytes(content)
    options = DialectOptions(lenient=lenient, angle="oc" if dialect == "obb-angle" else None)
    with suppress(OVEarthError):
        try:
            for answer in open_dialect(source, dialect, benchmark, options).answers():
                answer.document()
        except OVEarthError as fault:
            assert "\n" not in str(fault)
            assert fault.where or fault.mend
            raise
