"""Overpass servers: every way that they fail has its own error, and what they find is placed."""

import gzip
import json
from dataclasses import replace

import pytest

from ovearth_core.collection.answer_cache import AnswerCache
from ovearth_core.collection.http_status import retry_after_s
from ovearth_core.collection.pois import Poi, area_of
from ovearth_core.collection.pois.asking import Asking
from ovearth_core.collection.pois.overpass import Overpass
from ovearth_core.collection.pois.source import no_progress
from ovearth_core.collection.service_errors import (
    BusyError,
    CutOffError,
    FailedQueryError,
    HeavyQueryError,
    LargeAnswerError,
    RefusedError,
    ServiceError,
    SlowAnswerError,
    UnreachableError,
    UnreadableAnswerError,
    WebPageError,
)
from ovearth_core.errors import UsageError
from ovearth_core.taxonomy import load

from .misbehaving import HASTY, cut_off, drip, hang_up, reply, serving
from .shared import DATA, needs_shared

TAXONOMY = load()
SMALL = area_of(26.2, 50.6, 26.3, 50.7)
EMPTY = '{"elements": []}'
FUEL = {"type": "node", "id": 7, "lat": 50.65, "lon": 26.25, "tags": {"amenity": "fuel"}}
FUEL_WAY = {
    "type": "way", "id": 8, "center": {"lat": 50.66, "lon": 26.26}, "nodes": [1, 2, 3, 1],
    "tags": {"amenity": "fuel", "name": "Shell", "brand": "Shell"},
}  # fmt: skip
GOOD = json.dumps({"elements": [FUEL, FUEL_WAY]})
RUNTIME = 'runtime error: Query timed out in \\"query\\" at line 4 after 26 seconds.'


def search(url, area=SMALL, names=("fuel-station",), politeness=HASTY, **asking):
    source = Overpass(url, Asking(politeness, **asking))
    return list(source.search([TAXONOMY[name] for name in names], area, no_progress))


def failure(*replies, politeness=HASTY, **asking):
    """What a search raises, and how often the server was asked."""
    with serving(list(replies)) as (url, asked), pytest.raises(ServiceError) as caught:
        search(f"{url}/api/interpreter", politeness=politeness, **asking)
    assert f"{url}/api/interpreter" in str(caught.value)
    assert "\n" not in str(caught.value)
    return caught.value, len(asked)


def recorded(name):
    return (DATA / "osm" / "overpass" / name).read_bytes()


class TestWhatIsFound:
    def test_nodes_and_ways_come_with_place_name_tags_and_reference(self):
        with serving([reply(GOOD)]) as (url, _):
            node, way = search(url)
        assert (node.reference, node.lon, node.lat, node.name) == ("osm:node/7", 26.25, 50.65, None)
        assert (way.reference, way.lon, way.lat, way.name) == ("osm:way/8", 26.26, 50.66, "Shell")
        assert way.tags == FUEL_WAY["tags"]
        assert (way.category, way.category_number) == ("fuel-station", 29)
        assert way.id == "fuel-station:osm:way/8"

    def test_the_query_is_posted_with_selectors_box_and_centres(self):
        with serving([reply(EMPTY)]) as (url, asked):
            search(url)
        assert asked[0].method == "POST"
        query = asked[0].form["data"]
        assert 'node["amenity"="fuel"]' in query
        assert "[bbox:50.6000000,26.2000000,50.7000000,26.3000000]" in query
        assert query.endswith("out center;\n")
        assert asked[0].headers["User-Agent"].startswith("ovearth/")

    def test_several_categories_go_into_one_query(self):
        with serving([reply(EMPTY)]) as (url, asked):
            search(url, names=("fuel-station", "school", "church"))
        assert len(asked) == 1
        assert all(word in asked[0].form["data"] for word in ("fuel", "school", "place_of_worship"))

    def test_a_large_box_is_split_and_an_object_in_two_boxes_comes_once(self):
        area = area_of(26.0, 50.0, 27.5, 51.0)
        with serving([reply(GOOD)]) as (url, asked):
            found = search(url, area, longest_side_deg=0.5)
        assert len(asked) == 6
        assert len({request.form["data"] for request in asked}) == 6
        assert [poi.reference for poi in found] == ["osm:node/7", "osm:way/8"]

    def test_a_box_across_180_becomes_two_requests(self):
        ends = [
            {"type": "node", "id": 1, "lat": 0.0, "lon": 179.9, "tags": {"amenity": "fuel"}},
            {"type": "node", "id": 2, "lat": 0.0, "lon": -179.9, "tags": {"amenity": "fuel"}},
            {"type": "node", "id": 3, "lat": 0.0, "lon": 0.0, "tags": {"amenity": "fuel"}},
        ]
        with serving([reply(json.dumps({"elements": ends}))]) as (url, asked):
            found = search(url, area_of(179.8, -0.1, -179.8, 0.1))
        assert len(asked) == 2
        assert [poi.lon for poi in found] == [179.9, -179.9]

    def test_more_boxes_than_allowed_are_refused_before_anything_is_asked(self):
        with serving([reply(EMPTY)]) as (url, asked), pytest.raises(UsageError, match="requests"):
            search(url, area_of(0, 0, 100, 60))
        assert asked == []

    def test_a_lying_server_adds_nothing(self):
        other = {"type": "node", "id": 9, "lat": 50.65, "lon": 26.25, "tags": {"amenity": "bar"}}
        far = {**FUEL, "id": 10, "lat": 10.0}
        with serving([reply(json.dumps({"elements": [other, far]}))]) as (url, _):
            assert search(url) == []

    def test_an_open_way_is_no_area(self):
        line = {**FUEL_WAY, "nodes": [1, 2, 3]}
        with serving([reply(json.dumps({"elements": [line]}))]) as (url, _):
            assert search(url) == []

    def test_an_object_without_a_place_is_dropped_and_says_so(self):
        nowhere = {k: v for k, v in FUEL_WAY.items() if k != "center"}
        with serving([reply(json.dumps({"elements": [nowhere]}))]) as (url, _):
            (drop,) = search(url)
        assert (drop.reference, drop.reason) == ("osm:way/8", "no coordinates")

    @needs_shared
    @pytest.mark.parametrize("lat", ["1" + "0" * 400, "1e999", "147.1", "true", "null", '"x"'])
    def test_a_latitude_that_is_none_is_no_place(self, lat):
        node = json.dumps(FUEL).replace("50.65", lat)
        with serving([reply(f'{{"elements": [{node}]}}')]) as (url, _):
            (dropped,) = search(url)
        assert dropped.reason == "no coordinates"

    def test_bounds_off_the_globe_are_left_out(self):
        bounds = {"minlat": -1e300, "minlon": 26.2, "maxlat": 50.7, "maxlon": 26.3}
        with serving([reply(json.dumps({"elements": [{**FUEL_WAY, "bounds": bounds}]}))]) as (
            url, _,
        ):  # fmt: skip
            (poi,) = search(url)
        assert poi.bounds is None

    def test_a_recorded_answer_that_lists_nodes_instead_of_centres_is_placed(self):
        with serving([reply(recorded("map.json"))]) as (url, _):
            (school,) = search(url, names=("school",))
        assert school.name == "Школа №2"
        assert SMALL.contains(school.lon, school.lat)
        west, south, east, north = school.bounds
        assert (school.lon, school.lat) == ((west + east) / 2, (south + north) / 2)

    @needs_shared
    @pytest.mark.parametrize("name", ["empty.json", "node.json", "way.json", "relation.json",
                                      "meta.json", "center-feature.json"])  # fmt: skip
    def test_recorded_answers_are_read(self, name):
        with serving([reply(recorded(name))]) as (url, _):
            assert all(isinstance(place, Poi) for place in search(url))

    def test_a_wrong_content_type_does_not_matter_where_the_content_is_right(self):
        with serving([reply(GOOD, kind="text/html")]) as (url, _):
            assert len(search(url)) == 2


class TestFailures:
    @needs_shared
    @pytest.mark.parametrize(
        "name", ["quickosm_query_timed_out.xml", "quickosm_run_out_memory.xml"]
    )
    def test_recorded_remarks_inside_status_200_say_that_the_query_is_too_heavy(self, name):
        fault, asked = failure(reply(recorded(name), kind="text/xml"), most_halvings=1)
        assert isinstance(fault, HeavyQueryError)
        assert "runtime error: Query" in str(fault)
        assert asked == 2

    def test_a_remark_in_json_is_no_empty_answer(self):
        fault, _ = failure(reply(f'{{"elements": [], "remark": "{RUNTIME}"}}'), most_halvings=0)
        assert isinstance(fault, HeavyQueryError)

    def test_another_remark_is_said(self):
        fault, asked = failure(reply('{"elements": [], "remark": "runtime error: disk full"}'))
        assert isinstance(fault, FailedQueryError)
        assert "disk full" in str(fault)
        assert asked == 1

    def test_a_remark_that_is_only_a_note_is_told_and_the_answer_taken(self, caplog):
        note = "runtime remark: Timeout is 95 and maxsize is 536870912."
        with serving([reply(f'{{"remark": "{note}", {GOOD[1:]}')]) as (url, _):
            assert len(search(url)) == 2
        assert note in caplog.text

    def test_a_remark_that_the_server_is_busy_is_waited_for(self):
        words = (
            "runtime error: open64: 0 Success Dispatcher_Client::request_read_and_idx::rate_limited"
        )
        busy = reply(f'{{"elements": [], "remark": "{words}"}}')
        with serving([busy, reply(GOOD)]) as (url, asked):
            assert len(search(url)) == 2
        assert len(asked) == 2

    def test_a_query_too_heavy_is_quartered_until_it_passes(self):
        def answer(asked):
            south, west, north, east = map(
                float, asked.form["data"].split("[bbox:")[1].split("]")[0].split(",")
            )
            wide = max(north - south, east - west) > 0.03
            return reply(f'{{"elements": [], "remark": "{RUNTIME}"}}' if wide else GOOD)

        with serving(answer) as (url, asked):
            assert len(search(url)) == 2
        assert len(asked) == 1 + 4 + 16

    @pytest.mark.parametrize("status", [429, 502, 503, 504])
    def test_a_busy_server_is_asked_again_a_few_times(self, status):
        page = (
            "<html><head><title>x</title></head><body><p>Error: server too busy</p></body></html>"
        )
        fault, asked = failure(reply(page, status, "text/html"))
        assert isinstance(fault, BusyError)
        assert asked == HASTY.attempts
        assert str(status) in str(fault)
        assert "server too busy" in str(fault)
        assert "<" not in fault.what

    def test_429_without_retry_after_then_an_answer_is_an_answer(self):
        with serving([reply("", 429), reply("", 504), reply(GOOD)]) as (url, asked):
            assert len(search(url)) == 2
        assert len(asked) == 3

    def test_429_with_a_short_retry_after_is_waited_for(self):
        with serving([reply("", 429, Retry_After="1"), reply(GOOD)]) as (url, asked):
            assert len(search(url)) == 2
        assert len(asked) == 2

    def test_429_with_a_long_retry_after_is_said_at_once(self):
        fault, asked = failure(reply("", 429, Retry_After="3600"))
        assert isinstance(fault, BusyError)
        assert "asks to wait 3600 s" in str(fault)
        assert asked == 1

    def test_retry_after_may_be_a_date(self):
        from datetime import datetime, timezone

        now = datetime(2026, 1, 1, tzinfo=timezone.utc)
        assert retry_after_s("Thu, 01 Jan 2026 00:01:30 GMT", now) == 90.0
        assert retry_after_s("Wed, 31 Dec 2025 00:00:00 GMT", now) == 0.0
        assert retry_after_s("soon", now) is None
        assert retry_after_s(None, now) is None

    @pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 413])
    def test_a_refusal_is_not_asked_again_and_gives_the_servers_words(self, status):
        page = "<html><body><p><b>Error</b>: parse error: &quot;foo&quot;</p></body></html>"
        fault, asked = failure(reply(page, status, "text/html"))
        assert isinstance(fault, RefusedError)
        assert 'parse error: "foo"' in str(fault)
        assert asked == 1

    def test_a_server_that_moved_says_where(self):
        fault, _ = failure(reply("", 301, Location="https://elsewhere.example/api"))
        assert isinstance(fault, RefusedError)
        assert "https://elsewhere.example/api" in str(fault)

    def test_a_web_page_with_status_200_is_named_with_its_words(self):
        page = "<!DOCTYPE html><html><head><style>p {}</style></head><body>Log in</body></html>"
        fault, asked = failure(reply(page, kind="text/html"))
        assert isinstance(fault, WebPageError)
        assert "Log in" in str(fault)
        assert asked == 1

    def test_xml_without_a_remark_is_no_json(self):
        fault, _ = failure(reply('<?xml version="1.0"?><osm version="0.6"></osm>'))
        assert isinstance(fault, UnreadableAnswerError)

    def test_a_connection_that_is_cut_is_tried_again_then_said(self):
        fault, asked = failure(cut_off(GOOD.encode(), 40))
        assert isinstance(fault, CutOffError)
        assert asked == HASTY.attempts

    def test_a_server_that_hangs_up_is_tried_again(self):
        with serving([hang_up, cut_off(GOOD.encode(), 5), reply(GOOD)]) as (url, _):
            assert len(search(url)) == 2

    @pytest.mark.parametrize(
        "part", [GOOD[:0], GOOD[:1], GOOD[:30], GOOD[:-1], '{"a": tr', '{"a": -', '{"a": 1.']
    )
    def test_a_truncated_body_that_claims_to_be_whole_is_cut_off(self, part):
        fault, asked = failure(reply(part))
        assert isinstance(fault, CutOffError)
        assert asked == HASTY.attempts

    @pytest.mark.parametrize(
        "body",
        [b"\xff\xfe\x00", b"nonsense", b'{"elements": [NaN]}', b"[]", b'{"elements": 3}', b"null",
         b'{"elements": [{"type": "node"}]}', b'{"elements": [{"type": "x", "id": 1}]}',
         b'{"elements": [{"type": "node", "id": 1, "tags": {"a": 1}}]}', b"[" * 100_000 + b"x",
         b'{"elements": [{"type": "way", "id": 1, "nodes": null}]}',
         b'{"elements": [{"type": "way", "id": 1, "nodes": [[1]]}]}',
         b'{"elements": [{"type": "relation", "id": 1, "members": [{"ref": [1]}]}]}',
         b'{"elements": [{"type": "node", "id": 1' + b"0" * 5000 + b"}]}",
         b'{"elements": [{"type": "node", "id": 1, "tags": {"name": "a\\ud800"}}]}'],
    )  # fmt: skip
    def test_an_undecodable_answer_is_named(self, body):
        fault, asked = failure(reply(body))
        assert isinstance(fault, UnreadableAnswerError)
        assert asked == 1

    def test_an_answer_packed_wrongly_is_named(self):
        fault, _ = failure(reply(b"no gzip at all", Content_Encoding="gzip"))
        assert isinstance(fault, UnreadableAnswerError)

    def test_a_packed_answer_is_unpacked_but_no_further_than_allowed(self):
        packed = gzip.compress(GOOD.encode())
        with serving([reply(packed, Content_Encoding="gzip")]) as (url, _):
            assert len(search(url)) == 2
        bomb = gzip.compress(b" " * 50_000_000)
        small = replace(HASTY, most_bytes=1_000_000)
        answer = reply(bomb, Content_Encoding="gzip")
        fault, _ = failure(answer, politeness=small, most_halvings=0)
        assert isinstance(fault, LargeAnswerError)

    def test_slow_bytes_end_at_the_time_for_a_whole_answer(self):
        hasty = replace(HASTY, answer_s=0.05)
        fault, asked = failure(drip(GOOD.encode(), 0.02), politeness=hasty)
        assert isinstance(fault, SlowAnswerError)
        # The box, one of its quarters, and one of that one's: then the server is taken for dead.
        assert asked == 3

    @pytest.mark.parametrize(
        "too_much", [drip(b" " * 1000, 0.02), reply("<html>504 Gateway Time-out</html>", 504)]
    )
    def test_a_box_too_large_to_be_answered_in_time_is_quartered(self, too_much):
        hasty = replace(HASTY, attempts=1, answer_s=0.3)

        def answer(asked):
            return too_much if "26.2000000,50.7000000,26.3" in asked.form["data"] else reply(GOOD)

        with serving(answer) as (url, asked):
            assert len(search(url, politeness=hasty)) == 2
        assert len(asked) == 5

    def test_silence_ends_at_its_time_out(self):
        hasty = replace(HASTY, silence_s=0.05)
        fault, _ = failure(drip(GOOD.encode(), 0.5), politeness=hasty)
        assert isinstance(fault, SlowAnswerError)

    def test_nobody_there_is_said(self):
        with serving([reply(EMPTY)]) as (url, _):
            pass
        with pytest.raises(UnreachableError, match="no connection"):
            search(url)
        with pytest.raises(UnreachableError):
            search("http://no-such-host.invalid/api/interpreter")

    @pytest.mark.parametrize(
        "url", ["overpass-api.de", "ftp://x/y", "http://", "file:///etc/passwd"]
    )
    def test_what_is_no_address_is_refused(self, url):
        with pytest.raises(UsageError):
            Overpass(url)

    def test_a_secret_in_the_address_is_not_shown(self, monkeypatch):
        monkeypatch.setenv("OVEARTH_TEST_KEY", "secret-key")
        key = "${OVEARTH_TEST_KEY}"
        with serving([reply("secret-key?", 403)]) as (url, _), pytest.raises(RefusedError) as fault:
            search(url.replace("http://", f"http://anna:{key}@") + f"/api?key={key}")
        assert "secret" not in str(fault.value)


class TestCache:
    def test_the_same_request_is_asked_once(self, tmp_path):
        cache = AnswerCache(tmp_path)
        with serving([reply(GOOD)]) as (url, asked):
            first = search(url, cache=cache)
            assert search(url, cache=cache) == first
            assert len(asked) == 1
            search(url, area_of(26.2, 50.6, 26.3, 50.71), cache=cache)
            assert len(asked) == 2

    def test_only_good_answers_are_kept(self, tmp_path):
        failure(reply("", 504), cache=AnswerCache(tmp_path))
        failure(reply("nonsense"), cache=AnswerCache(tmp_path))
        failure(reply('{"elements": [], "remark": "error"}'), cache=AnswerCache(tmp_path))
        assert not [path for path in tmp_path.rglob("*") if path.is_file()]

    def test_a_damaged_or_old_one_is_asked_anew(self, tmp_path):
        with serving([reply(GOOD)]) as (url, asked):
            search(url, cache=AnswerCache(tmp_path))
            (kept,) = (path for path in tmp_path.rglob("*") if path.is_file())
            kept.write_bytes(kept.read_bytes()[:-5])
            assert len(search(url, cache=AnswerCache(tmp_path))) == 2
            assert len(asked) == 2
            search(url, cache=AnswerCache(tmp_path, days=0.0))
            assert len(asked) == 3

    def test_a_folder_that_cannot_be_written_stops_nothing(self, tmp_path):
        (tmp_path / "file").write_text("")
        with serving([reply(GOOD)]) as (url, _):
            assert len(search(url, cache=AnswerCache(tmp_path / "file"))) == 2
