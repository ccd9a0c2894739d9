"""Taxonomy files of one's own: what is read, and what is refused with file, category and field."""

import json

import jsonschema
import pytest

from ovearth_core.cli.main import main
from ovearth_core.errors import InputError
from ovearth_core.resources import resource
from ovearth_core.taxonomy import load, read_taxonomy

SCHEMA = json.loads(resource("taxonomy/taxonomy.schema.json").read_text())


def category(id_="pier", number=1, **fields):
    return {
        "id": id_,
        "number": number,
        "name": id_.replace("-", " "),
        "domain": "water",
        "branch": "port",
        "definition": "A deck on piles that runs out over water.",
        "instanceable": True,
        **fields,
    }


def write(folder, *categories, **more):
    path = folder / "taxonomy.json"
    path.write_text(json.dumps({"categories": list(categories), **more}))
    return path


def test_a_file_with_the_required_fields_only_is_a_taxonomy(tmp_path):
    taxonomy = read_taxonomy(write(tmp_path, category(), category("dock", 7)))
    assert [c.id for c in taxonomy] == ["pier", "dock"]
    assert taxonomy.find("docks").number == 7
    assert [name for _, name, _ in taxonomy.walk()] == ["water", "port", "pier", "dock"]


def test_branches_may_be_nested(tmp_path):
    path = write(
        tmp_path,
        category(branch="jetties"),
        domains=[{"name": "water"}],
        branches=[{"name": "port", "parent": "water"}, {"name": "jetties", "parent": "port"}],
    )
    assert [depth for depth, _, _ in read_taxonomy(path).walk()] == [0, 1, 2, 3]


def test_what_is_exported_is_read_again_unchanged(tmp_path, capsys):
    out = tmp_path / "out.json"
    assert main(["taxonomy", "export", "--json", str(out)]) == 0
    assert read_taxonomy(out) == load()
    document = json.loads(out.read_text())
    assert set(document["categories"][0]) >= {
        *("id", "number", "name", "domain", "branch", "definition", "instanceable", "osm"),
        *("synonyms", "look_alikes", "datasets"),
    }
    jsonschema.validate(document, SCHEMA)


BAD_SELECTOR = {"tags": {"a": {"re": "(?!x)"}}, "not": {}, "geometry": ["node"]}


@pytest.mark.parametrize(
    ("categories", "said"),
    [
        ([category(), category("pier", 2)], ("'pier'", "'id'", "also that of")),
        ([category(), category("dock", 1)], ("'dock'", "'number'", "1 is also")),
        ([category(), category("dock", 2, name="Piers")], ("'dock'", "'name'", "'Piers' is also")),
        ([category(), category("dock", 2, synonyms=["pier"])], ("'dock'", "'synonyms'")),
        ([category(look_alikes=["dok"]), category("dock", 2)], ("'look_alikes'", "'dock'?")),
        ([category(look_alikes=["pier"])], ("'pier'", "'look_alikes'", "itself")),
        ([category(osm=[BAD_SELECTOR])], ("'pier'", "'osm'", "'tags'", "(?!x)")),
        ([category(osm=[{"tags": {}, "geometry": ["node"]}])], ("'tags' is empty",)),
        ([category(osm=[{"tags": {"a": "b"}, "geometry": ["point"]}])], ("'geometry'", "area")),
        ([category(osm=[{"tags": {"a": "b"}}])], ("'geometry' is missing",)),
        ([category(osm=[{"tag": {"a": "b"}, "geometry": ["node"]}])], ("'tag'", "'tags'?")),
        ([category(osm={"a": "b"})], ("'osm' is an object",)),
        ([category(definition=None)], ("'pier'", "'definition' is missing")),
        ([category(definition=" ")], ("'pier'", "'definition' is empty")),
        ([category(instanceable=None)], ("'pier'", "'instanceable' is missing")),
        ([category(instanceable="yes")], ("'pier'", "'instanceable' is 'yes'")),
        ([category(number=None)], ("'pier'", "'number' is missing")),
        ([category(number="1")], ("'pier'", "'number'")),
        ([category(id_="Pier 1")], ("'id' is 'Pier 1'", "joined by -")),
        ([category(size_m=[9, 3])], ("'size_m' is [9.0, 3.0]",)),
        ([category(gb_t="1")], ("'gb_t' is '1'", "four digits")),
        ([category(synonyms="jetty")], ("'synonyms' is 'jetty'",)),
        ([category(name="pi\x1b[31mer")], ("control character", "'name'")),
        ([category(id_="2")], ("'id' is '2'",)),
        ([category(osm=[{"tags": {"": "b"}, "geometry": ["node"]}])], ("empty key",)),
        (
            [category(osm=[{"tags": {"a": "b"}, "not": {"a": "b"}, "geometry": ["node"]}])],
            ("wanted and unwanted",),
        ),
        (
            [category(branch="other"), category("dock", 2, domain="land", branch="other")],
            ("branch 'other' is there twice", "category 'pier', field 'branch'"),
        ),
        ([category(osm_finds="host")], ("'osm_finds' is 'host'",)),
        ([category(sinonyms=[])], ("'sinonyms'", "'synonyms'")),
        (["pier"], ("expected a JSON object",)),
        ([], ("no category",)),
    ],
)
def test_a_faulty_category_is_refused_in_one_line_with_its_place(
    tmp_path, capsys, categories, said
):
    path = write(tmp_path, *categories)
    assert main(["taxonomy", "list", "--taxonomy", str(path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("error: ")
    assert printed.err.count("\n") == 1
    for words in (str(path), *said):
        assert words in printed.err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            {
                "branches": [
                    {"name": "port", "parent": "bay"},
                    {"name": "bay", "parent": "port"},
                ]
            },
            "in a circle: port > bay > port",
        ),
        ({"branches": [{"name": "port", "parent": "wter"}]}, "'wter' is no domain or branch"),
        ({"branches": [{"name": "quay", "parent": "water"}]}, "'port' is not declared"),
        ({"domains": [{"name": "land"}]}, "'water' is no domain"),
        ({"branches": [{"name": "water", "parent": "water"}]}, "'water' is domain and branch"),
        ({"domains": [{"name": "water"}] * 2}, "'water' is there twice"),
        ({"format": "ovearth-taxonomy/9"}, "'ovearth-taxonomy/9'"),
        ({"domains": {}}, "'domains' is an object"),
        ({"catgories": []}, "did you mean 'categories'?"),
    ],
)
def test_a_tree_that_does_not_hold_together_is_refused(tmp_path, more, said):
    with pytest.raises(InputError, match=r"taxonomy\.json") as fault:
        read_taxonomy(write(tmp_path, category(), **more))
    assert said in str(fault.value)


def test_a_category_under_another_domain_than_its_branch_is_refused(tmp_path):
    path = write(
        tmp_path,
        category(domain="land"),
        domains=[{"name": "water"}, {"name": "land"}],
        branches=[{"name": "port", "parent": "water"}],
    )
    with pytest.raises(InputError, match="'port' is a branch of 'water'"):
        read_taxonomy(path)


@pytest.mark.parametrize("content", ["", "[]", '{"images": []}', '{"categories": [{]}', "\x00"])
def test_a_file_that_is_no_taxonomy_is_refused(tmp_path, content):
    path = tmp_path / "t.json"
    path.write_text(content)
    with pytest.raises(InputError, match=r"t\.json"):
        read_taxonomy(path)


def test_an_unknown_category_is_answered_with_the_three_nearest_names():
    with pytest.raises(InputError) as fault:
        load().find("airplan")
    said = str(fault.value)
    assert "unknown category 'airplan'" in said
    assert said.split("nearest are ")[1].count("'") == 6
    assert "'airplane'" in said
