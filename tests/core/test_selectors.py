"""Selectors: what each kind of value means, and that Overpass understands the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.errors import UsageError
from ovearth_core.taxonomy import Selector, overpass_ql, shapes_of
from ovearth_core.taxonomy.posix_automaton import Automaton
from ovearth_core.taxonomy.tag_value import tag_value_of

from .osm_extract import OsmObject
from .overpass_evaluator import answers, parse, posix_search

ITEMS = st.text(st.sampled_from('ab.no*+?[](){}|^$\\"- ü'), min_size=1, max_size=6)
POSIX = st.recursive(
    st.one_of(
        st.sampled_from(["a", "b", "n", "o", ".", r"\.", r"\\", r"\|", "[ab]", "[^n]", "[a-n]"]),
        st.sampled_from(["[[:digit:]]", "[^[:space:]b]", r"[\.]", "[]a]", "[^]a]", "[a&&b]"]),
    ),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda pair: f"({pair[0]}|{pair[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,2}", "{0,}"])).map(
            lambda pair: f"({pair[0]}){pair[1]}"
        ),
    ),
    max_leaves=6,
)
VALUES = st.one_of(
    st.just("*"),
    ITEMS.filter(lambda text: text != "*"),
    st.lists(ITEMS.filter(lambda text: text != "*"), min_size=1, max_size=3),
    ITEMS.filter(lambda text: text.strip(" ")).map(lambda text: {"has": text.strip(" ")}),
    st.sampled_from(["a+", "(a|b)n", "[^n].*", "no?"]).map(lambda text: {"re": text}),
)


@pytest.mark.parametrize(
    ("value", "accepted", "refused"),
    [
        ("tennis", ["tennis"], ["Tennis", "tennis;padel", ""]),
        (["house", "detached"], ["house", "detached"], ["houses", "house;detached"]),
        ("*", ["yes", "n", "none", "nö", "No"], ["no"]),
        ({"has": "tennis"}, ["tennis", "padel; tennis", "tennis;padel"], ["table_tennis", "ten"]),
        ({"re": "(1[0-9]|[2-9][0-9])"}, ["10", "25", "99"], ["9", "100", "10;12", "1O"]),
    ],
)
def test_each_kind_of_value_accepts_what_it_says(value, accepted, refused):
    wanted = tag_value_of(value)
    assert [text for text in (*accepted, *refused) if wanted.accepts(text)] == accepted


@pytest.mark.parametrize(
    "value",
    [
        *("", [], [""], [1], {}, {"has": "a;b"}, {"has": ""}, {"has": " "}, {"re": ""}),
        *({"is": "a"}, 3, None, True),
    ],
)
def test_a_value_of_no_known_kind_is_refused(value):
    with pytest.raises(ValueError, match="none of"):
        tag_value_of(value)


@pytest.mark.parametrize(
    "expression",
    [
        *("(?!no).*", "(?i)a", "a*?", "a++", r"\d+", r"a\b", "^a", "a$", "(a", "a)", "[a", "*a"),
        *("a|", "(|a)", "a{2", "a{3,1}", "[[:no:]]", "[z-a]", "[--0]", "(a" * 200, "a" * 301),
        *("a{256}", "a{1,999}", "a{0,}*", "((a{99}){99}){99}"),
    ],
)
def test_an_expression_that_posix_has_not_or_python_reads_otherwise_is_refused(expression):
    with pytest.raises(ValueError):
        Automaton(expression)


@pytest.mark.parametrize("expression", ["(a+)+b", "(a|a)*b", "(.*)*(.*)*(.*)*b", "(a*)*" * 50])
def test_no_expression_takes_long_on_any_value(expression):
    assert not Automaton(expression).matches("a" * 5000 + "c")


def test_a_star_in_a_list_is_refused_since_it_would_mean_itself():
    with pytest.raises(ValueError, match="no wildcard"):
        tag_value_of(["*", "house"])


@pytest.mark.parametrize(
    "box", [(9.7, 47.4, 9.4, 47.0), (170, 0, -170, 1), (0, float("nan"), 1, 1), (0, 0, 1, 91)]
)
def test_a_box_that_is_none_is_refused(box):
    selector = Selector((("a", tag_value_of("b")),), (), ("node",))
    with pytest.raises(UsageError, match="west, south, east, north"):
        overpass_ql([selector], box)


def test_without_a_selector_there_is_no_query():
    with pytest.raises(UsageError, match="no OpenStreetMap selector"):
        overpass_ql([])


@given(POSIX, st.text(st.sampled_from("abno.&\\|]- 7"), max_size=6))
def test_an_expression_matches_what_the_c_library_matches(expression, text):
    assert Automaton(expression).matches(text) == posix_search(f"^({expression})$", text)


@given(VALUES, ITEMS)
def test_the_expression_of_a_value_accepts_what_the_value_accepts(value, text):
    wanted = tag_value_of(value)
    assert wanted.accepts(text) == posix_search(f"^({wanted.expression()})$", text)
    assert tag_value_of(wanted.as_json()) == wanted


@given(
    tags=st.dictionaries(st.sampled_from(["k", "l", 'q"\\']), VALUES, min_size=1, max_size=2),
    without=st.dictionaries(st.sampled_from(["m", "l"]), VALUES, max_size=2),
    shapes=st.lists(st.sampled_from(["node", "line", "area"]), min_size=1, unique=True),
    kind=st.sampled_from(["node", "way", "relation"]),
    is_closed=st.booleans(),
    things=st.dictionaries(st.sampled_from(["k", "l", "m", 'q"\\']), ITEMS, max_size=4),
    area=st.sampled_from([None, "yes", "no"]),
    type_=st.sampled_from([None, "multipolygon", "boundary", "route"]),
)
def test_overpass_finds_what_the_predicate_accepts(
    tags, without, shapes, kind, is_closed, things, area, type_
):
    selector = Selector(
        tuple((key, tag_value_of(value)) for key, value in tags.items()),
        tuple((key, tag_value_of(value)) for key, value in without.items()),
        tuple(shapes),
    )
    things |= {key: value for key, value in (("area", area), ("type", type_)) if value}
    thing = OsmObject(kind, things, is_closed and kind == "way")
    statements = parse(overpass_ql([selector]))
    assert answers(statements, thing) == selector.accepts(thing.tags, thing.shapes)


def test_a_closed_way_is_line_and_area_unless_it_says_which():
    assert shapes_of("way", {}, is_closed=True) == {"line", "area"}
    assert shapes_of("way", {"area": "no"}, is_closed=True) == {"line"}
    assert shapes_of("way", {"area": "yes"}, is_closed=True) == {"area"}
    assert shapes_of("way", {}) == {"line"}
    assert shapes_of("relation", {"type": "boundary"}) == {"area"}
    assert shapes_of("relation", {"type": "route"}) == frozenset()


def test_a_query_names_its_box_in_the_order_of_overpass():
    selector = Selector((("a", tag_value_of("b")),), (), ("node",))
    query = overpass_ql([selector], box=(9.4, 47.0, 9.7, 47.3))
    assert "[bbox:47.0000000,9.4000000,47.3000000,9.7000000]" in query
    assert '\n  node["a"="b"];\n' in query
