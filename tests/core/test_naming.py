"""A text names a category whatever the form of its words; other texts don't."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.queries.naming import known_names, names_category
from ovearth_core.queries.stemming import stem
from ovearth_core.taxonomy import load

# From the author's own page of vocabulary and output (tartarus.org/martin/PorterStemmer).
PORTER = {
    "caresses": "caress", "ponies": "poni", "caress": "caress", "cats": "cat", "feed": "feed",
    "agreed": "agre", "plastered": "plaster", "bled": "bled", "motoring": "motor", "sing": "sing",
    "conflated": "conflat", "troubled": "troubl", "sized": "size", "hopping": "hop",
    "tanned": "tan", "falling": "fall", "hissing": "hiss", "failing": "fail", "filing": "file",
    "happy": "happi", "sky": "sky", "relational": "relat", "conditional": "condit",
    "vietnamization": "vietnam", "operator": "oper", "hopefulness": "hope",
    "electriciti": "electr", "goodness": "good", "revival": "reviv", "airliner": "airlin",
    "adjustment": "adjust", "adoption": "adopt", "effective": "effect", "rate": "rate",
    "cease": "ceas", "controll": "control", "roll": "roll", "generalizations": "gener",
    "oscillators": "oscil", "mining": "mine", "mines": "mine", "mined": "mine",
}  # fmt: skip
WORDS = st.text("abcdefghijklmnopqrstuvwxyz", max_size=14)


def test_stems_are_those_that_the_author_of_the_algorithm_gives():
    assert {word: stem(word) for word in PORTER} == PORTER


@given(WORDS)
def test_stems_are_those_of_another_implementation(word):
    snowball = pytest.importorskip("snowballstemmer").stemmer("porter")
    if len(word) > 2 and not word.endswith(("bly", "logy", "bli", "logi")):
        assert stem(word) == snowball.stemWord(word)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Which storage tanks hold fuel?", "storage tank"),
        ("Where are Storage-Tanks?", "storage tank"),
        ("the storagetanks by the river", "storage tank"),
        ("the green house on the left", "greenhouse"),
        ("ships moored in the harbour", "harbor"),
        ("the wharves", "wharf"),
        ("What belongs to the mine's crew?", "mine"),
        ("where ore is mined", "mine"),
        ("the café’s roof", "cafe"),
        ("(STADIUM)", "stadium"),
        ("HighRise buildings", "high rise building"),
    ],
)
def test_a_name_is_found_in_every_form(text, name):
    assert names_category(text, [name]) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Where is fuel kept in bulk?", "storage tank"),
        ("the tank for storage", "storage tank"),
        ("Where do carpets dry?", "car"),
        ("What is the port authority's roof made of?", "airport"),
        ("", "car"),
        ("anything", ""),
        ("cars park here", "parking lot"),
    ],
)
def test_other_texts_do_not_name_it(text, name):
    assert names_category(text, [name]) is None


def test_synonyms_of_the_taxonomy_are_names_too():
    names = known_names("fuel station")
    assert names[0] == "fuel station"
    assert names_category("Where would a driver find a petrol station?", names) == "petrol station"
    assert known_names("no such thing") == ("no such thing",)


@given(st.sampled_from([name for category in load() for name in category.names]),
       st.lists(st.sampled_from(["the", "of", "left", "near", "where"]), max_size=4),
       st.sampled_from([str, str.upper, str.title]))  # fmt: skip
def test_every_name_of_the_taxonomy_is_found_inside_a_sentence(name, around, case):
    text = " ".join([*around, case(name), *around[::-1]]) + "?"
    assert names_category(text, [name]) == name


@given(st.lists(WORDS, max_size=6), st.lists(WORDS, min_size=1, max_size=3))
def test_any_text_and_name_are_taken(text, name):
    found = names_category(" ".join(text), [" ".join(name)])
    assert found in (None, " ".join(name))
