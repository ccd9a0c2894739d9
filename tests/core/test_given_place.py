"""Whatever a server writes, it is read as places on the globe, or as an error of ours."""

import json

from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.collection.exchange import Answer
from ovearth_core.collection.pois.given_place import given_bounds, given_lonlat
from ovearth_core.collection.pois.nominatim import read_places
from ovearth_core.collection.pois.overpass_answer import read_answer
from ovearth_core.collection.pois.overpass_places import ElementPlaces
from ovearth_core.errors import OVEarthError

KEYS = st.sampled_from(["type", "id", "lat", "lon", "center", "nodes", "members", "ref", "tags"])
JUNK = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.text(max_size=5),
        st.floats(allow_nan=False, allow_infinity=False),
        st.sampled_from([10**400, "nan", "1e999", "9.5", "way", "node"]),
    ),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=20,
)  # fmt: skip
NUMBERS = st.floats(-91, 91)
ELEMENTS = st.lists(
    st.fixed_dictionaries(
        {"type": st.sampled_from(["node", "way", "relation"]), "id": st.integers()},
        optional={
            "lat": NUMBERS | JUNK, "lon": NUMBERS | JUNK, "center": JUNK, "bounds": JUNK,
            "nodes": st.lists(st.integers(0, 5)), "tags": st.dictionaries(st.text(), st.text()),
        },
    )
)  # fmt: skip


def on_globe(lon, lat):
    return abs(lon) <= 180.0 and abs(lat) <= 90.0


@given(JUNK, JUNK, NUMBERS, NUMBERS)
def test_a_place_is_on_the_globe_or_none(lon, lat, east, north):
    for pair in ((lon, lat), (east, lat), (lon, north), (east, north)):
        place = given_lonlat(*pair)
        assert place is None or on_globe(*place)
    assert given_lonlat(east, north) == ((east, north) if abs(north) <= 90.0 else None)
    bounds = given_bounds(lon, lat, east, north)
    assert bounds is None or (on_globe(*bounds[:2]) and on_globe(*bounds[2:]))


@given(JUNK)
def test_any_json_is_read_or_refused(document):
    for read, wrapped in ((read_answer, {"elements": document}), (read_answer, document),
                          (read_places, document)):  # fmt: skip
        try:
            found = read(Answer(json.dumps(wrapped).encode(), "", "there"))
        except OVEarthError as fault:
            assert "\n" not in str(fault)
        else:
            assert isinstance(found, list)


@given(ELEMENTS)
def test_any_element_has_a_place_on_the_globe_or_none(elements):
    body = json.dumps({"elements": elements}).encode()
    places = ElementPlaces(read_answer(Answer(body, "", "there")))
    for element in elements:
        found = places.place(element)
        assert found is None or on_globe(*found[0])


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(body):
    for read in (read_answer, read_places):
        try:
            read(Answer(body, "", "there"))
        except OVEarthError as fault:
            assert "\n" not in str(fault)
