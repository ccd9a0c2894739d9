"""Nominatim servers: how they are asked, what is made of their answers, and how they fail."""

import json

import numpy as np
import pytest

from ovearth_core.collection.exchange import Answer
from ovearth_core.collection.pois import area_of
from ovearth_core.collection.pois.asking import Asking
from ovearth_core.collection.pois.nominatim import Nominatim, read_places
from ovearth_core.collection.pois.source import no_progress
from ovearth_core.collection.service_errors import (
    CutOffError,
    FailedQueryError,
    LargeAnswerError,
    UnreadableAnswerError,
    WebPageError,
)
from ovearth_core.errors import UsageError
from ovearth_core.taxonomy import load

from .misbehaving import HASTY, reply, serving
from .shared import DATA, needs_shared

TAXONOMY = load()
AREA = area_of(9.4, 47.0, 9.7, 47.3)


def place(number, lon=9.5, lat=47.1, **about):
    return {
        "osm_type": "way", "osm_id": number, "lon": str(lon), "lat": str(lat),
        "category": "amenity", "type": "fuel", "display_name": "Avia, Vaduz, Liechtenstein",
        "boundingbox": [str(lat - 0.01), str(lat + 0.01), str(lon - 0.02), str(lon + 0.02)],
        "extratags": {"brand": "Avia"}, "namedetails": {"name": "Avia Vaduz"}, **about,
    }  # fmt: skip


def search(answer, names=("fuel-station",), **asking):
    with serving(answer) as (url, asked):
        source = Nominatim(url, Asking(HASTY, **asking))
        found = list(source.search([TAXONOMY[name] for name in names], AREA, no_progress))
    return found, asked


def answer_of(*places):
    return reply(json.dumps(places))


def test_it_asks_for_the_main_tag_within_the_box():
    _, asked = search([answer_of()])
    assert asked[0].path == "/search"
    query = asked[0].query
    assert (query["q"], query["bounded"], query["format"]) == ("[amenity=fuel]", "1", "jsonv2")
    assert [float(v) for v in query["viewbox"].split(",")] == [9.4, 47.0, 9.7, 47.3]


def test_a_server_that_knows_no_special_phrases_is_asked_about_points_too():
    def answer(asked):
        return answer_of(*[place(5)] if "," in asked.query["q"] else [])

    found, asked = search(answer)
    assert [poi.reference for poi in found] == ["osm:way/5"]
    assert len(asked) == 1 + 9
    for request in asked[1:]:
        lat, lon = map(float, request.query["q"].removeprefix("[amenity=fuel] ").split(","))
        west, south, east, north = map(float, request.query["viewbox"].split(","))
        assert (lon, lat) == pytest.approx(((west + east) / 2, (south + north) / 2))
        assert np.hypot(east - west, north - south) / 2 < 0.1


def test_a_place_has_its_name_tags_bounds_and_reference():
    ((poi,), _) = search([answer_of(place(5))])
    assert (poi.reference, poi.lon, poi.lat, poi.name) == ("osm:way/5", 9.5, 47.1, "Avia Vaduz")
    assert poi.tags == {"amenity": "fuel", "brand": "Avia", "name": "Avia Vaduz"}
    assert poi.bounds == pytest.approx((9.48, 47.09, 9.52, 47.11))


def test_older_servers_say_class_instead_of_category():
    older = {**place(5), "class": "amenity"}
    del older["category"], older["extratags"], older["namedetails"]
    ((poi,), _) = search([answer_of(older)])
    assert poi.name == "Avia"


def test_what_the_predicate_refuses_or_lies_outside_is_left_out():
    boats = place(6, extratags={"boat": "yes"})
    found, _ = search([answer_of(boats, place(7, lon=12.0), {"osm_type": "x"}, {})])
    assert found == []


def test_a_full_answer_makes_the_box_be_quartered_and_each_place_comes_once():
    def answer(asked):
        west, south, east, north = map(float, asked.query["viewbox"].split(","))
        every = [place(n, 9.4 + n * 0.003, 47.0 + n * 0.003) for n in range(100)]
        inside = [
            p for p in every
            if west <= float(p["lon"]) <= east and south <= float(p["lat"]) <= north
        ]  # fmt: skip
        return answer_of(*inside[: int(asked.query["limit"])])

    found, asked = search(answer)
    assert sorted(int(poi.reference.removeprefix("osm:way/")) for poi in found) == list(range(100))
    assert len(asked) > 5


def test_one_object_found_by_two_tags_keeps_both_categories():
    school = place(5, type="school")
    found, _ = search([answer_of(place(5), school)], ("fuel-station", "school"))
    assert {poi.id for poi in found} == {"fuel-station:osm:way/5", "school:osm:way/5"}


def test_a_category_that_no_tag_can_ask_for_is_refused():
    lacking = next(
        c.id for c in TAXONOMY
        if not any(hasattr(v, "value") or hasattr(v, "values") for s in c.osm for _, v in s.tags)
    )  # fmt: skip
    with pytest.raises(UsageError, match="can't be asked of Nominatim"):
        search([answer_of()], (lacking,))


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"<html><body>Usage policy</body></html>", WebPageError),
        (b'{"error": {"code": 400, "message": "bad viewbox"}}', FailedQueryError),
        (b'[{"osm_type": "way"', CutOffError),
        (b"", CutOffError),
        (b"\xff\xfe", UnreadableAnswerError),
        (b"nonsense", UnreadableAnswerError),
        (b"[1]", UnreadableAnswerError),
        (b'[{"display_name": "\\udfff"}]', UnreadableAnswerError),
        (b'[{"lat": NaN}]', UnreadableAnswerError),
        (b'{"type": "FeatureCollection"}', UnreadableAnswerError),
    ],
)
def test_each_way_to_fail_has_its_error(body, error):
    with pytest.raises(error, match="http://server"):
        read_places(Answer(body, "", "http://server/search"))


@needs_shared
def test_a_recorded_answer_is_read():
    body = (DATA / "osm" / "nominatim" / "search.json").read_bytes()
    assert len(read_places(Answer(body, "", ""))) == len(json.loads(body))
    assert search([reply(body)])[0] == []


def test_the_address_may_end_in_search():
    with serving([answer_of()]) as (url, asked):
        list(Nominatim(f"{url}/search", Asking(HASTY)).search(
            [TAXONOMY["fuel-station"]], AREA, no_progress))  # fmt: skip
    assert asked[0].path == "/search"


@pytest.mark.parametrize("lat", [10**400, "nan", "inf", "x", None, [], True, 91])
def test_a_latitude_that_is_none_is_no_place(lat):
    ((dropped,), _) = search([answer_of({**place(5), "lat": lat})])
    assert dropped.reason == "no coordinates"


@pytest.mark.parametrize("box", [None, [], ["1", "2", "3"], ["nan", "inf", "1", "2"], "1234"])
def test_a_box_that_is_none_leaves_a_place_without_bounds(box):
    ((poi,), _) = search([answer_of(place(5, boundingbox=box))])
    assert poi.bounds is None


CROWD = [place(n, 9.5 + n * 1e-7, 47.1, place_id=1000 + n) for n in range(130)]


class TestDensePlaces:
    """More places at one spot than a server gives at once."""

    @staticmethod
    def of(crowd):
        def answer(asked):
            west, south, east, north = map(float, asked.query["viewbox"].split(","))
            left_out = asked.query.get("exclude_place_ids", "").split(",")
            inside = [
                p for p in crowd
                if west <= float(p["lon"]) <= east and south <= float(p["lat"]) <= north
                and str(p.get("place_id")) not in left_out
            ]  # fmt: skip
            return answer_of(*inside[:40])

        return answer

    def test_every_one_of_them_is_found(self):
        found, _ = search(self.of(CROWD), most_halvings=1)
        assert len(found) == 130

    def test_a_server_that_gives_the_first_ones_only_is_told_from_one_that_has_no_more(self):
        nameless = [{k: v for k, v in p.items() if k != "place_id"} for p in CROWD]
        with pytest.raises(LargeAnswerError, match=r"more places in the box 9.4.* extract"):
            search(self.of(nameless), most_halvings=1)

    def test_a_server_that_gives_the_same_again_isnt_asked_for_ever(self):
        with pytest.raises(LargeAnswerError):
            search([answer_of(*CROWD[:40])], most_halvings=0)

    def test_a_crowd_beyond_measure_is_an_error_and_no_part_of_it(self):
        with pytest.raises(LargeAnswerError):
            search(self.of(CROWD), most_halvings=0, most_pages=2)


def test_one_request_a_second_whatever_was_asked_for():
    source = Nominatim("http://127.0.0.1", Asking(HASTY))
    assert source.pause_s == 1.0
