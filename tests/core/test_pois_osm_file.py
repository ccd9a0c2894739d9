"""OpenStreetMap files: the same objects as the plain predicate finds, once each, where they are."""

from collections import Counter

import pytest
import shapely

from ovearth_core.collection.pois import Dropped, area_of
from ovearth_core.collection.pois.osm_bounds import PendingObjects
from ovearth_core.collection.pois.osm_file import OsmFile
from ovearth_core.collection.pois.source import no_progress
from ovearth_core.collection.pois.tag_filter import CategoryIndex
from ovearth_core.errors import InputError, UsageError
from ovearth_core.taxonomy import load, read_taxonomy, shapes_of

from .osm_extract import LIECHTENSTEIN, tagged_objects
from .shared import DATA, needs_shared

pytest.importorskip("osmium", reason="osmium is not installed: pip install osmium")
TAXONOMY = load()
GLOBE = area_of(-180, -90, 180, 90, wide=True)
NAMES = ("fuel-station", "school", "parking-lot", "church", "woodland", "vineyard", "road")

OSM = """<?xml version='1.0' encoding='UTF-8'?>
<osm version="0.6" generator="by hand">
 <node id="1" lat="10" lon="20"/><node id="2" lat="10" lon="21"/>
 <node id="3" lat="12" lon="21"/><node id="4" lat="12" lon="20"/>
 <node id="5" lat="11" lon="20.5"><tag k="amenity" v="fuel"/><tag k="name" v="Önskar"/></node>
 <node id="6" lat="-16" lon="179.9"/><node id="7" lat="-16" lon="-179.7"/>
 <node id="8" lat="-15" lon="-179.7"/>
 <way id="1"><nd ref="1"/><nd ref="2"/><nd ref="3"/><nd ref="4"/><nd ref="1"/>
  <tag k="amenity" v="school"/></way>
 <way id="2"><nd ref="1"/><nd ref="3"/><tag k="highway" v="primary"/></way>
 <way id="3"><nd ref="1"/><nd ref="2"/><nd ref="3"/></way>
 <way id="4"><nd ref="3"/><nd ref="4"/><nd ref="1"/></way>
 <way id="5"><nd ref="6"/><nd ref="7"/><nd ref="8"/><nd ref="6"/>
  <tag k="amenity" v="school"/></way>
 <way id="6"><nd ref="98"/><nd ref="99"/><nd ref="97"/><nd ref="98"/>
  <tag k="amenity" v="school"/></way>
 <way id="7"><nd ref="1"/><nd ref="2"/><nd ref="96"/><nd ref="1"/>
  <tag k="amenity" v="school"/></way>
 <way id="8"><nd ref="1"/><nd ref="3"/><tag k="amenity" v="school"/></way>
 <relation id="1"><member type="way" ref="3" role="outer"/><member type="way" ref="4" role="outer"/>
  <member type="node" ref="5" role="label"/>
  <tag k="type" v="multipolygon"/><tag k="amenity" v="school"/><tag k="name" v="Ring"/></relation>
 <relation id="2"><member type="way" ref="3" role=""/><tag k="type" v="site"/>
  <tag k="amenity" v="school"/></relation>
</osm>
"""


def search(path, names=NAMES, area=GLOBE, taxonomy=TAXONOMY, is_small=None):
    wanted = [taxonomy[name] for name in names]
    return list(OsmFile(path, is_small).search(wanted, area, no_progress))


@pytest.fixture
def by_hand(tmp_path):
    path = tmp_path / "by-hand.osm"
    path.write_text(OSM, encoding="utf-8")
    return path


def places(found):
    return {place.reference: (place.lon, place.lat) for place in found}


class TestByHand:
    def test_nodes_rings_and_multipolygons_are_at_the_centres_of_their_bounds(self, by_hand):
        found = [place for place in search(by_hand) if not isinstance(place, Dropped)]
        assert places(found) == {
            "osm:node/5": (20.5, 11.0),
            "osm:way/1": (20.5, 11.0),
            "osm:way/2": (20.5, 11.0),
            "osm:way/5": (pytest.approx(-179.9), -15.5),
            "osm:way/7": (20.5, 10.0),
            "osm:relation/1": (20.5, 11.0),
        }

    def test_all_tags_names_and_bounds_come_along(self, by_hand):
        found = {place.reference: place for place in search(by_hand)}
        assert found["osm:node/5"].tags == {"amenity": "fuel", "name": "Önskar"}
        assert found["osm:node/5"].name == "Önskar"
        assert found["osm:relation/1"].bounds == (20.0, 10.0, 21.0, 12.0)
        assert found["osm:way/5"].bounds == (179.9, -16.0, -179.7, -15.0)

    def test_an_object_whose_nodes_are_all_missing_is_dropped_and_says_so(self, by_hand):
        (drop,) = (place for place in search(by_hand) if isinstance(place, Dropped))
        assert (drop.reference, drop.reason) == ("osm:way/6", "no coordinates")

    def test_only_centres_in_the_box_are_found(self, by_hand):
        for box, name in [((20.4, 9.9, 20.6, 10.1), "way/7"), ((179, -17, -179, -14), "way/5")]:
            found = search(by_hand, area=area_of(*box))
            assert {f"osm:{name}"} == set(places(p for p in found if not isinstance(p, Dropped)))

    def test_few_nodes_at_a_time_give_the_same(self, by_hand, monkeypatch):
        whole = places(p for p in search(by_hand) if not isinstance(p, Dropped))
        monkeypatch.setattr("ovearth_core.collection.pois.osm_file._MOST_NODES", 3)
        few = search(by_hand, is_small=False)
        assert places(p for p in few if not isinstance(p, Dropped)) == whole

    def test_an_index_in_memory_and_one_on_disk_give_the_same(self, by_hand):
        found = [sorted(map(str, search(by_hand, is_small=small))) for small in (True, False)]
        assert found[0] == found[1]
        assert len(found[0]) == 7

    def test_nodes_may_come_after_what_is_made_of_them(self, by_hand):
        ordered = sorted(map(str, search(by_hand)))
        start, *nodes = OSM.split("<node")
        last, rest = nodes[-1].split("<way", 1)
        nodes = "".join(f"<node{node}" for node in (*nodes[:-1], last))
        ways, end = f"<way{rest}".split("</osm>")
        by_hand.write_text(f"{start}{ways}{nodes}</osm>{end}", encoding="utf-8")
        assert sorted(map(str, search(by_hand))) == ordered

    def test_nodes_may_come_in_any_order(self, by_hand):
        ordered = sorted(map(str, search(by_hand)))
        start, *nodes = OSM.split("<node")
        last, rest = nodes[-1].split("<way", 1)
        nodes = "".join(f"<node{node}" for node in (last, *reversed(nodes[:-1])))
        by_hand.write_text(f"{start}{nodes}<way{rest}", encoding="utf-8")
        assert sorted(map(str, search(by_hand))) == ordered

    def test_a_taxonomy_of_ones_own_is_searched_too(self, by_hand, tmp_path):
        (tmp_path / "own.json").write_text(
            '{"categories": [{"id": "named", "number": 1, "name": "named", "domain": "d",'
            ' "branch": "b", "definition": "d", "instanceable": true, "osm": [{"tags":'
            ' {"name": {"re": "R.*"}}, "not": {}, "geometry": ["area"]}]}]}'
        )
        own = read_taxonomy(tmp_path / "own.json")
        assert set(places(search(by_hand, ["named"], taxonomy=own))) == {"osm:relation/1"}


@needs_shared
class TestRealExtract:
    def test_every_category_finds_what_its_predicate_accepts(self):
        found = Counter(place.category for place in search(LIECHTENSTEIN, [c.id for c in TAXONOMY]))
        index, expected = CategoryIndex(TAXONOMY), Counter()
        for thing in tagged_objects():
            plain = [c for c in TAXONOMY if c.accepts(thing.tags, thing.shapes)]
            assert index.accepting(thing.tags, thing.shapes) == plain
            expected.update(category.id for category in plain)
        assert found == expected
        assert len(found) == 82

    def test_each_object_comes_once_for_each_category(self):
        ids = [place.id for place in search(LIECHTENSTEIN)]
        assert len(ids) == len(set(ids)) > 1000

    def test_centres_are_those_of_osmiums_own_geometries(self):
        import osmium

        factory = osmium.geom.WKBFactory()
        wanted = [TAXONOMY[name] for name in NAMES]
        expected = {}
        for thing in osmium.FileProcessor(str(LIECHTENSTEIN)).with_areas():
            tags = dict(thing.tags)
            if thing.is_node():
                kind, number, geometry = "node", thing.id, shapely.Point(thing.lon, thing.lat)
            elif thing.is_area() and not thing.from_way():
                kind, number = "relation", thing.orig_id()
                geometry = shapely.from_wkb(factory.create_multipolygon(thing))
            elif thing.is_way() and len(thing.nodes) > 1:
                kind, number = "way", thing.id
                try:
                    geometry = shapely.from_wkb(factory.create_linestring(thing))
                except (osmium.InvalidLocationError, RuntimeError):
                    continue
            else:
                continue
            closed = kind == "way" and len(thing.nodes) > 3 and thing.is_closed()
            if any(category.accepts(tags, shapes_of(kind, tags, closed)) for category in wanted):
                west, south, east, north = geometry.bounds
                expected[f"osm:{kind}/{number}"] = ((west + east) / 2, (south + north) / 2)
        found = places(search(LIECHTENSTEIN))
        assert len(expected) > 1000
        assert set(expected) <= set(found)
        for reference, place in expected.items():
            assert found[reference] == pytest.approx(place, abs=2e-7), reference

    def test_xml_and_pbf_are_the_same(self, tmp_path):
        import osmium

        path = tmp_path / "liechtenstein.osm"
        with osmium.SimpleWriter(str(path)) as writer:
            for thing in osmium.FileProcessor(str(LIECHTENSTEIN)):
                writer.add(thing)
        assert places(search(path)) == places(search(LIECHTENSTEIN))

    def test_the_map_file_has_its_school(self):
        (school,) = search(DATA / "osm" / "map.osm", ["school"])
        assert school.name == "Школа №2"


SQUARE = """<?xml version='1.0' encoding='UTF-8'?>
<osm version="0.6" generator="JOSM">
 <node id="-1" lat="10" lon="20"/><node id="-2" lat="10" lon="21"/>
 <node id="-3" lat="12" lon="21"/><node id="4" lat="12" lon="20"/>
 <node id="-5" lat="11" lon="20.5"><tag k="amenity" v="fuel"/></node>
 <way id="-1"><nd ref="-1"/><nd ref="-2"/><nd ref="-3"/><nd ref="4"/><nd ref="-1"/>
  <tag k="amenity" v="school"/></way>
 <way id="-3"><nd ref="-1"/><nd ref="-2"/><nd ref="-3"/></way>
 <way id="4"><nd ref="-3"/><nd ref="4"/><nd ref="-1"/></way>
 <relation id="-1"><member type="way" ref="-3" role="outer"/>
  <member type="way" ref="4" role="outer"/>
  <tag k="type" v="multipolygon"/><tag k="amenity" v="school"/></relation>
</osm>
"""


class TestLocalIds:
    """What an editor has made and nobody uploaded has ids below zero."""

    @pytest.mark.parametrize("is_small", [True, False])
    @pytest.mark.parametrize("name", ["a.osm", "a.osm.pbf"])
    def test_nodes_ways_and_relations_are_found_where_they_are(self, tmp_path, name, is_small):
        import osmium

        (tmp_path / "a.osm").write_text(SQUARE)
        if name != "a.osm":
            with osmium.SimpleWriter(str(tmp_path / name)) as writer:
                for thing in osmium.FileProcessor(str(tmp_path / "a.osm")):
                    writer.add(thing)
        found = search(tmp_path / name, ["fuel-station", "school"], is_small=is_small)
        assert places(found) == {
            "osm:node/-5": (20.5, 11.0),
            "osm:way/-1": (20.5, 11.0),
            "osm:relation/-1": (20.5, 11.0),
        }

    def test_huge_ids_are_found(self, tmp_path):
        huge = SQUARE.replace('ref="-', f'ref="{2**59}').replace('id="-', f'id="{2**59}')
        (tmp_path / "a.osm").write_text(huge)
        found = search(tmp_path / "a.osm", ["fuel-station", "school"])
        assert set(places(found).values()) == {(20.5, 11.0)}
        assert len(found) == 3


class TestSeveralStates:
    """Of an object in several states nobody can tell which one is meant."""

    TWICE = """<osm version="0.6"><node id="1" version="1" lat="10" lon="20">{tag}</node>
     <node id="1" version="{version}" lat="11" lon="21">{tag}</node></osm>"""
    TAG = '<tag k="amenity" v="fuel"/>'

    def test_a_history_is_refused(self, tmp_path):
        (tmp_path / "a.osm").write_text(self.TWICE.format(tag=self.TAG, version=2))
        with pytest.raises(InputError, match="several states"):
            search(tmp_path / "a.osm")

    def test_a_history_that_says_so_is_refused_before_anything_is_found(self, tmp_path):
        import osmium

        with osmium.SimpleWriter(str(tmp_path / "a.osh.pbf")) as writer:
            writer.add_node(osmium.osm.mutable.Node(id=1, version=1, location=(20, 10)))
        (tmp_path / "a.osh.pbf").rename(tmp_path / "a.osm.pbf")
        with pytest.raises(InputError, match="several states"):
            search(tmp_path / "a.osm.pbf")

    def test_a_change_file_is_refused_by_whatever_name(self, tmp_path):
        node = f'<node id="1" version="1" lat="10" lon="20">{self.TAG}</node>'
        change = f'<osmChange version="0.6"><create>{node}</create></osmChange>'
        (tmp_path / "a.osm").write_text(change)
        with pytest.raises(InputError, match="change file"):
            search(tmp_path / "a.osm")

    def test_one_state_that_comes_twice_is_a_duplicate_for_the_choice(self, tmp_path):
        (tmp_path / "a.osm").write_text(self.TWICE.format(tag=self.TAG, version=1))
        assert len(search(tmp_path / "a.osm")) == 2


class TestBadInput:
    @needs_shared
    def test_a_saved_answer_of_overpass_that_broke_off_is_no_whole_file(self, tmp_path):
        saved = DATA / "osm" / "overpass" / "quickosm_query_timed_out.xml"
        (tmp_path / "a.osm").write_bytes(saved.read_bytes())
        with pytest.raises(InputError, match="Query timed out"):
            search(tmp_path / "a.osm")

    @pytest.mark.parametrize("lon", ["999", "x", "1e9"])
    def test_a_coordinate_that_is_none_is_said(self, tmp_path, lon):
        (tmp_path / "a.osm").write_text(OSM.replace('lon="20.5"', f'lon="{lon}"'))
        with pytest.raises(InputError, match="can't be read"):
            search(tmp_path / "a.osm")

    def test_a_missing_file_is_said(self, tmp_path):
        with pytest.raises(InputError, match="no such file"):
            OsmFile(tmp_path / "none.osm.pbf")

    @pytest.mark.parametrize("name", ["x.osm", "x.osm.pbf"])
    @pytest.mark.parametrize(
        "content", [b"", b"\x00\x00\x00\x0dnonsense", b"<osm><node", b"\xff" * 99]
    )
    def test_a_damaged_file_is_said(self, tmp_path, name, content):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match="can't be read"):
            search(tmp_path / name)

    @needs_shared
    def test_a_file_that_is_cut_off_is_said(self, tmp_path):
        path = tmp_path / "cut.osm.pbf"
        path.write_bytes(LIECHTENSTEIN.read_bytes()[:400_000])
        with pytest.raises(InputError, match="can't be read"):
            search(path)

    def test_a_category_without_selectors_is_refused(self, by_hand, tmp_path):
        (tmp_path / "own.json").write_text(
            '{"categories": [{"id": "thing", "number": 1, "name": "thing", "domain": "d",'
            ' "branch": "b", "definition": "d", "instanceable": true}]}'
        )
        own = read_taxonomy(tmp_path / "own.json")
        with pytest.raises(UsageError, match="no OpenStreetMap selector"):
            search(by_hand, ["thing"], taxonomy=own)

    def test_nothing_pending_needs_no_file(self):
        assert list(PendingObjects().bounds("/nowhere")) == []
