"""Directions in texts are held against the geometry: north is north, also on a rotated image."""

from math import cos, radians, sin

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.benchmark.model import Image
from ovearth_core.dataset.rows import QueryRow
from ovearth_core.queries.bearings import COMPASS, compass_word, north_on_picture, north_words
from ovearth_core.queries.spatial_check import wrong_claims
from ovearth_core.queries.subject import Subject
from ovearth_core.queries.wording import claims

from .framing import framed
from .query_scenes import square

PICTURE_WORDS = ("top", "upper right", "right", "lower right", "bottom", "lower left", "left",
                 "upper left")  # fmt: skip
TURNS = (0, 30, 90, 135, 180, 250)


def subject(ring, turned=0.0, category="storage tank", target_id=1, frame=None, phrases=()):
    frame = frame or framed("EPSG:32633", 15.0, 50.0, 0.5, turned, width=600, height=600)
    image = Image(1, "a.tif", frame.width, frame.height, frame.crs, frame.transform)
    shapes = tuple([[r]] for r in (ring if isinstance(ring, list) else [ring]))
    queries = tuple(
        QueryRow(f"{target_id}-{n}", target_id, "vocabulary", "positive", text)
        for n, text in enumerate(phrases)
    )
    return Subject(target_id, image, category, True, shapes, queries=queries)


def at_azimuth(degrees, turned=0.0, distance=100.0, category="storage tank", target_id=1):
    """A subject so many metres from the image's middle, in a direction from true north."""
    frame = framed("EPSG:32633", 15.0, 50.0, 0.5, turned, width=600, height=600)
    en = [[distance * sin(radians(degrees)), distance * cos(radians(degrees))]]
    x, y = frame.ground_to_pixel(en, np.array([300.0, 300.0]))[0]
    return subject(square(x, y, 20), turned, category, target_id)


def wrong(text, of, others=()):
    return [claim.words for claim in wrong_claims(text, of, others)]


@pytest.mark.parametrize("turned", TURNS)
@pytest.mark.parametrize("number", range(8))
def test_each_direction_of_the_ground_is_right_where_it_is_and_wrong_across(turned, number):
    of = at_azimuth(45 * number, turned)
    for other, word in enumerate(COMPASS):
        apart = min((other - number) % 8, (number - other) % 8)
        for text in (f"the tank in the {word}", f"the tank in the {word}ern part of the image",
                     f"a tank at the {word} of this scene"):  # fmt: skip
            if apart == 0:
                assert wrong(text, of) == [], text
            elif apart >= 2:
                assert wrong(text, of), text


@pytest.mark.parametrize("turned", TURNS)
@pytest.mark.parametrize("number", range(8))
def test_each_direction_of_the_picture_is_the_same_however_the_image_lies(turned, number):
    angle = radians(45 * number)
    of = subject(square(300 + 200 * sin(angle), 300 - 200 * cos(angle), 20), turned)
    for other, word in enumerate(PICTURE_WORDS):
        apart = min((other - number) % 8, (number - other) % 8)
        text = f"the tank in the {word} of the image"
        if apart == 0:
            assert wrong(text, of) == []
        elif apart >= 2:
            assert wrong(text, of) == [word]


@pytest.mark.parametrize("turned", TURNS)
@pytest.mark.parametrize("number", range(8))
def test_each_direction_from_another_target_is_held_against_both_shapes(turned, number):
    frame = framed("EPSG:32633", 15.0, 50.0, 0.5, turned, width=600, height=600)
    pond = subject(square(200, 350, 40), turned, "pond", 2, frame)
    en = [[50.0 * sin(radians(45 * number)), 50.0 * cos(radians(45 * number))]]
    x, y = frame.ground_to_pixel(en, np.array([200.0, 350.0]))[0]
    of = subject(square(x, y, 16), turned, frame=frame)
    for other, word in enumerate(COMPASS):
        apart = min((other - number) % 8, (number - other) % 8)
        text = f"the tank to the {word} of the small pond, beside a path"
        if apart == 0:
            assert wrong(text, of, [pond]) == []
        elif apart >= 2:
            assert wrong(text, of, [pond]) == [f"{word} of small pond"]
    # Of something that nobody drew, nothing is known.
    assert wrong("the tank north of the church", of, [pond]) == []
    assert wrong("the tank south of the church", of, [pond]) == []


@pytest.mark.parametrize(("word", "x", "y"), [
    ("left of", -90, 0), ("right of", 90, 0), ("above", 0, -90), ("below", 0, 90),
    ("to the upper left of", -80, -80),
])  # fmt: skip
def test_sides_on_the_picture_are_told_from_the_other_target(word, x, y):
    pond = subject(square(300, 300, 40), 70, "pond", 2)
    right, across = (subject(square(300 + s * x, 300 + s * y, 20), 70) for s in (1, -1))
    assert wrong(f"the tank {word} the pond", right, [pond]) == []
    assert len(wrong(f"the tank {word} the pond", across, [pond])) == 1


@given(st.floats(0, 360), st.floats(0, 359.9), st.floats(90, 130))
def test_the_true_direction_is_never_contradicted_and_the_opposite_always(turned, degrees, away):
    of = at_azimuth(degrees, turned, away)
    opposite = compass_word((degrees + 180) % 360)
    assert wrong(f"the tank in the {compass_word(degrees)}", of) == []
    assert wrong(f"the tank in the {opposite}", of) == [opposite]


@given(st.floats(-60, 60), st.floats(-170, 170), st.floats(0, 360))
def test_north_on_the_picture_is_where_the_latitude_grows(lat, lon, turned):
    zone = int((lon + 180) // 6) + 1
    frame = framed(f"EPSG:{32600 + zone}", lon, lat, 1.0, turned, width=200, height=200)
    degrees = north_on_picture(frame)
    step = np.array([[sin(radians(degrees)), -cos(radians(degrees))]])
    middle = np.array([[100.0, 100.0]])
    before, after = frame.pixel_to_lonlat(np.vstack([middle, middle + 10 * step]))
    assert after[1] > before[1]
    assert abs(after[0] - before[0]) * cos(radians(lat)) < 0.01 * (after[1] - before[1])


def test_north_is_said_in_words():
    assert north_words(2.0) == "north is up"
    assert north_words(358.0) == "north is up"
    assert north_words(90.0) == "north is to the right: 90 degrees clockwise from up"
    assert north_words(226.0) == "north is to the lower left: 226 degrees clockwise from up"


def test_south_up_images_have_north_at_the_bottom():
    frame = framed("EPSG:32633", 15.0, 50.0, 0.5, south_up=True, width=600, height=600)
    of = subject(square(300, 100, 20), frame=frame)
    assert wrong("the tank in the south", of) == []
    assert wrong("the tank in the north", of) == ["north"]
    assert wrong("the tank at the top", of) == []


def test_what_lies_in_the_middle_is_in_no_corner_but_maybe_a_little_north():
    of = subject(square(300, 280, 60))
    assert wrong("the tank in the middle of the image", of) == []
    assert wrong("the tank slightly in the north", of) == []
    assert wrong("the tank in the north-west corner", of) == ["north-west corner"]
    far = subject(square(560, 560, 20))
    assert wrong("the tank in the centre", far) == ["centre"]


def test_what_covers_the_image_lies_in_every_part_of_it():
    of = subject(square(300, 300, 580))
    for word in COMPASS:
        assert wrong(f"a field in the {word}", of) == []


def test_near_is_near():
    pond = subject(square(300, 300, 40), category="pond", target_id=2)
    assert wrong("the tank next to the pond", subject(square(340, 300, 20)), [pond]) == []
    assert wrong("the tank next to the pond", subject(square(590, 300, 10)), [pond]) == [
        "next to pond"]  # fmt: skip
    assert wrong("the tank not near the pond", subject(square(590, 300, 10)), [pond]) == []


def test_one_of_several_things_of_a_name_is_enough():
    ponds = subject([square(100, 300, 40), square(500, 300, 40)], category="pond", target_id=2)
    of = subject(square(300, 300, 20))
    for text in ("the tank to the west of a pond", "the tank east of a pond"):
        assert wrong(text, of, [ponds]) == []
    assert wrong("the tank north of a pond", of, [ponds]) == ["north of pond"]


def test_a_long_thing_is_told_from_where_it_is_nearest():
    river = np.array([[0, 0], [20, 0], [600, 560], [600, 600], [560, 600], [0, 30]], float)
    of = subject(square(150, 330, 20))
    other = subject(river, category="river", target_id=2)
    assert wrong("the tank south of the river", of, [other]) == []
    assert wrong("the tank southwest of the river", of, [other]) == []
    assert wrong("the tank northeast of the river", of, [other]) == ["northeast of river"]


def test_a_thing_may_be_called_by_a_synonym_or_by_its_phrases():
    apron = subject(square(300, 300, 40), category="pond", target_id=2, phrases=["duck water"])
    of = subject(square(300, 200, 20))
    assert wrong("the tank south of the duck water", of, [apron]) == ["south of duck water"]


def test_an_image_without_a_place_has_no_north():
    image = Image(1, "a.tif", 600, 600)
    of = Subject(1, image, "storage tank", True, ([[square(300, 100, 20)]],))
    assert wrong("the tank in the south", of) == []
    assert wrong("the tank at the bottom", of) == ["bottom"]


@pytest.mark.parametrize("text", [
    "the north-south runway", "a building facing south", "the northern runway",
    "the road that runs east", "tanks on the left bank of a river", "the tank right next to a road",
    "the field left over", "a tank with a pond to the north", "the tank with trees on the left",
    "the leftmost tank", "the southbound lane", "a roof whose top is white",
])  # fmt: skip
def test_what_is_no_claim_about_the_place_is_left_alone(text):
    assert [c for c in claims(text) if c.kind == "position"] == []


@pytest.mark.parametrize(("text", "degrees", "axes"), [
    ("in the north-western corner", 315, "ground"), ("at the Top Right", 45, "picture"),
    ("along the south-eastern edge of the image", 135, "ground"), ("in the lower-left part", 225,
     "picture"), ("on the right-hand side", 90, "picture"), ("in the south west of the photo", 225,
     "ground"), ("in the center of the picture", None, "picture"),
])  # fmt: skip
def test_directions_are_read_however_they_are_written(text, degrees, axes):
    (claim,) = claims(text)
    assert (claim.kind, claim.degrees, claim.axes) == ("position", degrees, axes)
