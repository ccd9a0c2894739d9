"""Choosing: limits, true distances, quotas, balance, seeds; nothing vanishes without a reason."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Geod
from shapely.geometry import Point, box

from ovearth_core.collection.continents import continent_of
from ovearth_core.collection.pois import Dropped, Known, Poi, Wishes, choose
from ovearth_core.collection.pois.namesakes import Namesakes
from ovearth_core.collection.pois.spacing import Spacing
from ovearth_core.errors import UsageError

GEOD = Geod(ellps="WGS84")
PLACES = st.lists(
    st.tuples(
        st.one_of(st.floats(-180, 180), st.floats(179.9, 180), st.floats(-180, -179.9)),
        st.one_of(st.floats(-90, 90), st.floats(89.9, 90), st.floats(-90, -89.9)),
    ),
    min_size=1,
    max_size=40,
)
SPACINGS = st.sampled_from([0.0, 10.0, 1e3, 2e4, 3e6])


def poi(number, lon, lat, category="school", category_number=32):
    return Poi(f"osm:node/{number}", category, category_number, lon, lat, "test", tags={})


def pois_at(places, categories=("school",)):
    return [
        poi(number, lon, lat, categories[number % len(categories)], number % len(categories))
        for number, (lon, lat) in enumerate(places)
    ]


def distance(a, b):
    return GEOD.inv(a.lon, a.lat, b.lon, b.lat)[2]


@given(PLACES, SPACINGS, st.integers(1, 50), st.integers(0, 9))
def test_every_place_is_chosen_or_dropped_for_a_reason(places, spacing, limit, seed):
    found = pois_at(places, ("school", "church"))
    choice = choose(found, Wishes(limit, spacing, seed))
    names = [place.reference for place in (*choice.chosen, *choice.dropped)]
    assert sorted(names) == sorted(place.reference for place in found)
    assert all(drop.reason for drop in choice.dropped)
    assert sum(choice.counts.values()) == len(choice.dropped)
    assert max(Counter(place.category for place in choice.chosen).values()) <= limit


@given(PLACES, SPACINGS)
def test_no_two_chosen_are_closer_than_the_spacing(places, spacing):
    chosen = choose(pois_at(places), Wishes(min_spacing_m=spacing)).chosen
    for index, first in enumerate(chosen):
        assert all(distance(first, second) >= spacing for second in chosen[:index])


@given(PLACES, SPACINGS)
def test_none_is_dropped_as_too_close_without_a_chosen_one_nearby(places, spacing):
    found = pois_at(places)
    by_name = {place.reference: place for place in found}
    choice = choose(found, Wishes(min_spacing_m=spacing))
    for drop in choice.dropped:
        nearest = min(distance(by_name[drop.reference], other) for other in choice.chosen)
        assert nearest < max(spacing, 1.0)


@given(PLACES, SPACINGS, st.integers(1, 9), st.randoms(use_true_random=False), st.booleans())
def test_the_order_of_finding_has_no_say(places, spacing, limit, random, balance):
    found = pois_at(places, ("school", "church"))
    shuffled = random.sample(found, len(found))
    wishes = Wishes(limit, spacing, seed=4, balance=balance)
    assert choose(found, wishes) == choose(shuffled, wishes)


@given(PLACES, st.integers(1, 9))
def test_a_larger_limit_only_adds(places, limit):
    found = pois_at(places)
    fewer = {place.id for place in choose(found, Wishes(limit)).chosen}
    more = {place.id for place in choose(found, Wishes(limit + 3)).chosen}
    assert fewer <= more


def test_another_seed_gives_another_sample_and_the_same_seed_the_same():
    found = pois_at([(lon / 10, 0.0) for lon in range(200)])
    samples = [choose(found, Wishes(20, seed=seed)).chosen for seed in (1, 1, 2)]
    assert samples[0] == samples[1]
    assert len({place.id for place in samples[0]} & {place.id for place in samples[2]}) < 10


def test_samples_of_many_seeds_take_every_place_about_as_often():
    found = pois_at([(lon / 10, 0.0) for lon in range(20)])
    taken = Counter(
        place.id for seed in range(400) for place in choose(found, Wishes(5, seed=seed)).chosen
    )
    assert len(taken) == 20
    assert 60 < min(taken.values()) <= max(taken.values()) < 140


@given(st.floats(-180, 180), st.floats(-90, 90), st.floats(0, 360), st.floats(0.5, 1.5))
def test_spacing_is_the_geodesic_everywhere(lon, lat, azimuth, share):
    for least in (5.0, 700.0, 50_000.0, 4e6):
        spacing = Spacing(least)
        spacing.add(lon, lat, "there")
        other_lon, other_lat, _ = GEOD.fwd(lon, lat, azimuth, least * share)
        true = GEOD.inv(lon, lat, other_lon, other_lat)[2]
        near = spacing.nearest(other_lon, other_lat)
        assert (near is not None) == (true < least)
        assert near is None or near == (pytest.approx(true), "there")


@pytest.mark.parametrize(
    ("first", "second"),
    [((179.9999, 10), (-179.9999, 10)), ((0, 89.9999), (180, 89.9999)), ((180, 5), (-180, 5.0001)),
     ((-70, -89.9999), (110, -89.9999))],
)  # fmt: skip
def test_places_are_close_across_180_and_the_poles(first, second):
    choice = choose(pois_at([first, second]), Wishes(min_spacing_m=100.0))
    assert choice.counts == {"too close": 1}


def test_at_60_degrees_north_a_degree_of_longitude_is_half_as_long():
    places = [(10.0, 60.0), (10.01, 60.0)]  # 558 m apart, 1,113 m on a sphere's equator
    assert len(choose(pois_at(places), Wishes(min_spacing_m=550.0)).chosen) == 2
    assert len(choose(pois_at(places), Wishes(min_spacing_m=565.0)).chosen) == 1


def test_the_same_object_and_the_same_place_are_duplicates():
    found = [poi(1, 5, 5), poi(1, 5, 5), poi(2, 5, 5.000001), poi(3, 5, 5.1)]
    choice = choose(found, Wishes())
    assert len(choice.chosen) == 2
    assert choice.counts == {"duplicate": 2}


NODE = Poi("osm:node/1", "school", 32, 9.501, 47.101, "test", "Primar")
OUTLINE = Poi("osm:way/2", "school", 32, 9.5, 47.1, "test", "Primar", (9.49, 47.09, 9.51, 47.11))


def reasons(*pois, known=()):
    choice = choose(pois, Wishes(), known)
    return [(drop.reason, drop.detail) for drop in choice.dropped]


@pytest.mark.parametrize("seed", range(4))
def test_a_point_in_an_outline_of_its_name_and_category_is_a_duplicate(seed):
    choice = choose([NODE, OUTLINE], Wishes(seed=seed))
    (kept,), (drop,) = choice.chosen, choice.dropped
    assert {kept.reference, drop.reference} == {"osm:node/1", "osm:way/2"}
    assert drop.reason == "duplicate"
    assert kept.reference in drop.detail


@pytest.mark.parametrize(
    "other",
    [
        {"name": "Sekundar"}, {"name": None}, {"lon": 9.52}, {"category": "church"},
        {"bounds": (9.5, 47.1, 9.502, 47.102)},
    ],
)  # fmt: skip
def test_what_differs_in_name_place_or_kind_is_another_thing(other):
    if "category" in other:
        other = {**other, "category_number": 9}
    assert reasons(replace(NODE, **other), OUTLINE) == []


def test_what_the_dataset_has_as_an_outline_is_not_added_as_a_point():
    known = Known("osm:way/2", 32, 9.5, 47.1, name="Primar", bounds=OUTLINE.bounds)
    ((reason, detail),) = reasons(NODE, known=[known])
    assert reason == "in the dataset already"
    assert "osm:way/2" in detail


def test_outlines_across_180_hold_their_points():
    outline = replace(OUTLINE, lon=-180.0, bounds=(179.99, 47.09, -179.99, 47.11))
    for lon in (179.995, -179.995):
        assert len(reasons(replace(NODE, lon=lon), outline)) == 1
    assert reasons(replace(NODE, lon=179.98), outline) == []


@given(st.lists(st.tuples(st.floats(0, 0.2), st.floats(0, 0.2), st.floats(0, 0.07)), max_size=30))
def test_namesakes_are_those_that_a_look_at_every_pair_finds(things):
    namesakes = Namesakes()
    taken = []
    for number, (lon, lat, size) in enumerate(things):
        bounds = (lon - size, lat - size, lon + size, lat + size) if number % 2 else None
        found = namesakes.same(1, "x", (lon, lat), bounds)
        expected = [
            n for n, (x, y), other in taken
            if (bounds is None) != (other is None)
            and box(*(bounds or other)).covers(Point((lon, lat) if bounds is None else (x, y)))
        ]  # fmt: skip
        assert found in expected if expected else found is None
        namesakes.add(1, "x", (lon, lat), bounds, number)
        taken.append((number, (lon, lat), bounds))


def test_of_two_descriptions_of_one_thing_the_same_is_taken_whatever_comes_first():
    pair = [replace(NODE, reference=f"{file}:1", source=file) for file in ("a", "b")]
    assert choose(pair, Wishes()).chosen == choose(pair[::-1], Wishes()).chosen


def test_one_object_may_be_of_two_categories():
    found = [poi(1, 5, 5), poi(1, 5, 5, "church", 3)]
    assert len(choose(found, Wishes()).chosen) == 2


def test_what_the_dataset_has_is_not_chosen_again_nor_crowded():
    known = [Known("osm:node/1", 32, 5.0, 5.0), Known(None, 32, 6.0, 6.0)]
    found = [poi(1, 5.5, 5), poi(2, 6.0, 6.0), poi(3, 5.0, 5.001), poi(4, 5, 7)]
    choice = choose(found, Wishes(min_spacing_m=500.0), known)
    assert [place.reference for place in choice.chosen] == ["osm:node/4"]
    assert choice.counts == {"in the dataset already": 2, "too close": 1}


def test_what_a_person_rejected_is_not_found_again_but_keeps_nobody_away():
    known = [Known("osm:node/1", 32, 5.0, 5.0, is_rejected=True)]
    choice = choose([poi(1, 5, 5), poi(2, 5, 5.001)], Wishes(min_spacing_m=500.0), known)
    assert [place.reference for place in choice.chosen] == ["osm:node/2"]


def test_what_the_source_dropped_is_listed_with_the_rest():
    drop = Dropped("osm:way/9", "school", "no coordinates")
    assert choose([drop, poi(1, 5, 5)], Wishes()).dropped == (drop,)


CITIES = {"Europe": (5, 50), "Africa": (20, 0), "Asia": (100, 40), "South America": (-55, -10)}


def crowds(sizes):
    return pois_at(
        [
            (CITIES[name][0] + number * 0.01, CITIES[name][1])
            for name, size in sizes.items()
            for number in range(size)
        ]
    )


def test_balance_fills_the_limit_evenly_and_the_poor_give_all_they_have():
    found = crowds({"Europe": 200, "Africa": 50, "Asia": 3, "South America": 40})
    choice = choose(found, Wishes(limit=33, balance=True))
    assert Counter(choice.continents) == {
        "Europe": 10, "Africa": 10, "Asia": 3, "South America": 10,
    }  # fmt: skip
    assert choose(found, Wishes(limit=33)).continents.count("Europe") > 15


def test_a_quota_holds_per_category_and_says_so():
    found = crowds({"Europe": 30, "Africa": 5})
    choice = choose(found, Wishes(quotas={"Europe": 4, "Africa": 0}))
    assert Counter(choice.continents) == {"Europe": 4}
    assert choice.counts == {"over the continent's quota": 31}


@given(PLACES)
def test_a_chosen_place_is_given_its_continent(places):
    choice = choose(pois_at(places), Wishes())
    for place, continent in zip(choice.chosen, choice.continents, strict=True):
        assert continent == continent_of(place.lon, place.lat)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(1, 40))
def test_balance_never_gives_one_continent_more_than_another_that_had_more_to_give(a, b, limit):
    choice = choose(crowds({"Europe": a, "Africa": b}), Wishes(limit=limit, balance=True))
    counts = Counter(choice.continents)
    assert sum(counts.values()) == min(limit, a + b)
    for one, other, left in (("Europe", "Africa", b), ("Africa", "Europe", a)):
        assert counts[one] <= counts[other] + 1 or counts[other] == left


def test_categories_take_turns_so_that_none_crowds_out_the_rest():
    rng = np.random.default_rng(0)
    found = pois_at(rng.uniform(0, 0.02, (400, 2)).tolist(), ("school", "church", "park", "zoo"))
    counts = Counter(place.category for place in choose(found, Wishes(5, 300.0)).chosen)
    assert max(counts.values()) - min(counts.values()) <= 1


@pytest.mark.parametrize(
    "wishes",
    [{"limit": 0}, {"min_spacing_m": -1}, {"min_spacing_m": float("nan")},
     {"quotas": {"Erope": 1}}, {"quotas": {"Europe": -1}}],
)  # fmt: skip
def test_wishes_that_make_no_sense_are_refused(wishes):
    with pytest.raises(UsageError):
        Wishes(**wishes)


@given(PLACES, st.integers(1, 9), st.integers(0, 9))
def test_what_the_dataset_has_counts_towards_the_limit(places, limit, seed):
    found = pois_at(places, ("school", "church"))
    wishes = Wishes(limit, seed=seed)
    first = choose(found, wishes).chosen
    known = [Known(p.reference, p.category_number, p.lon, p.lat) for p in first]
    assert choose(found, wishes, known).chosen == ()
    more = choose(found, Wishes(limit + 2, seed=seed), known).chosen
    assert max(Counter(p.category for p in (*first, *more)).values()) <= limit + 2
    assert {p.id for p in (*first, *more)} == {
        p.id for p in choose(found, Wishes(limit + 2, seed=seed)).chosen
    }


def test_what_was_rejected_counts_towards_no_limit_and_quotas_count_too():
    found = [poi(number, 5.0 + number, 5.0) for number in range(4)]
    known = [Known("osm:node/9", 32, 20.0, 5.0, is_rejected=True), Known("x", 33, 21.0, 5.0)]
    assert len(choose(found, Wishes(4), known).chosen) == 4
    there = [Known("osm:node/9", 32, 20.0, 5.0)]
    assert len(choose(found, Wishes(4), there).chosen) == 3
    assert len(choose(found, Wishes(quotas={"Africa": 2}), there).chosen) == 1
