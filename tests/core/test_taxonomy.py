"""The taxonomy that comes with OVEarth: its counts, its rules, and what it finds on the ground."""

import json
import re
from collections import Counter

import jsonschema
import pytest

from ovearth_core.resources import resource
from ovearth_core.taxonomy import load, overpass_ql
from ovearth_core.taxonomy.tag_value import Equal, Has, Matching, OneOf
from ovearth_core.taxonomy.words import key_of

from .osm_extract import LIECHTENSTEIN, tagged_objects
from .overpass_evaluator import answers, parse
from .shared import CHECKOUT, DATA, needs_shared

DOMAINS = (
    "plant",
    "business, service and residential",
    "industrial, mining and storage",
    "transportation",
    "terrain",
    "water infrastructure",
    "special",
)
# The paper names these four as not instanceable.
NAMED_AREAS = {"cropland", "grassland", "road", "railway"}


def test_it_has_seven_domains_172_categories_and_12_that_cannot_be_counted():
    taxonomy = load()
    assert tuple(domain.name for domain in taxonomy.domains) == DOMAINS
    assert len(taxonomy) == 172
    areas = {category.id for category in taxonomy if not category.instanceable}
    assert len(areas) == 12
    assert areas >= NAMED_AREAS


def test_numbers_run_from_1_in_the_order_of_the_tree():
    taxonomy = load()
    assert [category.number for category in taxonomy] == list(range(1, 173))
    walked = [name for _, name, node in taxonomy.walk() if hasattr(node, "number")]
    assert walked == [category.name for category in taxonomy]


def test_its_file_follows_its_schema():
    schema = json.loads(resource("taxonomy/taxonomy.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(json.loads(resource("taxonomy/ovearth.json").read_text()), schema)


def test_every_category_has_all_that_the_other_parts_need():
    for category in load():
        assert category.look_alikes, category.id
        assert category.osm, category.id
        assert category.size_m, category.id
        assert category.gb_t, category.id
        assert len(category.instanceable_why) > 10, category.id


def test_each_definition_is_one_sentence_of_its_own():
    openings, shapes = Counter(), Counter()
    for category in load():
        text = category.definition
        assert text[0].isupper() or text[0].isdigit(), text
        assert text.endswith("."), text
        assert not re.search(r"[.!?] [A-Z]", text), text
        assert 12 <= len(text.split()) <= 50, (category.id, len(text.split()))
        openings[tuple(text.split()[:4])] += 1
        shapes[_without_its_own_words(category)] += 1
    assert max(openings.values()) <= 2
    assert max(shapes.values()) == 1


def _without_its_own_words(category):
    """Return the definition with the category's own words left out: a template would stay."""
    own = {word for name in category.names for word in re.findall(r"\w+", name.lower())}
    words = re.findall(r"\w+", category.definition.lower())
    return tuple(word for word in words if word.rstrip("s") not in own and word not in own)


def test_no_five_words_stand_in_many_definitions():
    met = Counter()
    for category in load():
        words = re.findall(r"\w+", category.definition.lower())
        met.update({tuple(words[i : i + 5]) for i in range(len(words) - 4)})
    phrase, times = met.most_common(1)[0]
    assert times <= 4, " ".join(phrase)


def test_no_word_means_two_categories():
    owner = {}
    for category in load():
        for name in category.names:
            assert owner.setdefault(key_of(name), category.id) == category.id, name


@needs_shared
def test_gb_t_codes_are_those_of_the_standard():
    lines = (DATA / "classes" / "gbt21010_2017.tsv").read_text().splitlines()[1:]
    codes = {line.split("\t")[0] for line in lines}
    taxonomy = load()
    assert {category.gb_t for category in taxonomy} <= codes
    assert {code for domain in taxonomy.domains for code in domain.gb_t} <= codes


@needs_shared
def test_every_osm_tag_is_a_listed_one_or_marked_otherwise():
    keys = json.loads((DATA / "classes" / "osm_physical_tags.json").read_text())["keys"]
    for category in load():
        unlisted = set()
        for selector in category.osm:
            for key, value in (*selector.tags, *selector.without):
                for word in _words(value):
                    if key not in keys or (word is not None and word not in keys[key]):
                        unlisted.add(key if word is None else f"{key}={word}")
        declared = set(category.osm_unlisted)
        assert {tag for tag in unlisted if tag.split("=")[0] not in declared} <= declared, (
            category.id,
            unlisted - declared,
        )


def _words(value):
    if isinstance(value, Equal):
        return (value.value,)
    if isinstance(value, OneOf):
        return value.values
    return (value.item,) if isinstance(value, Has) else (None,)


@needs_shared
def test_at_least_80_categories_find_real_features_in_a_small_country():
    objects = tagged_objects()
    found = [c.id for c in load() if any(c.accepts(thing.tags, thing.shapes) for thing in objects)]
    assert len(found) >= 80


@needs_shared
def test_the_overpass_text_finds_the_same_objects_as_the_predicate():
    objects = tagged_objects()
    assert len(objects) > 8_000
    for category in load():
        statements = parse(overpass_ql(category.osm))
        keys = {key for selector in category.osm for key, _ in selector.tags}
        for thing in objects:
            if keys.isdisjoint(thing.tags):
                continue
            assert answers(statements, thing) == category.accepts(thing.tags, thing.shapes)


@needs_shared
def test_the_docs_show_what_each_selector_finds():
    table = (CHECKOUT / "docs" / "taxonomy-selectors.md").read_text()
    objects = tagged_objects()
    shown = dict(re.findall(r"^\| `([a-z0-9-]+)` \|.*\| ([0-9,]+|–) \|$", table, re.MULTILINE))
    assert len(shown) == 172
    for category in load():
        hits = sum(category.accepts(thing.tags, thing.shapes) for thing in objects)
        assert shown[category.id] == (f"{hits:,}" if hits else "–"), category.id


def test_expressions_are_used_for_what_lists_cannot_say():
    for category in load():
        for selector in category.osm:
            for _, value in selector.tags:
                if isinstance(value, Matching):
                    assert re.search(r"[\[*+?]", value.posix), (category.id, value.posix)


def test_the_extract_is_there_where_the_data_is():
    if not DATA.exists():
        pytest.skip("no real data")
    assert LIECHTENSTEIN.exists()
