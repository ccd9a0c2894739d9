"""Ordinary English is understood: true texts raise no alarm, and false ones are found."""

import numpy as np
import pytest

from ovearth_core.benchmark.model import Image
from ovearth_core.dataset.rows import QueryRow
from ovearth_core.queries.language import foreign
from ovearth_core.queries.subject import Subject
from ovearth_core.queries.text_checks import text_findings

from .query_scenes import square

IMAGE = Image(1, "a.tif", 300, 300, crs="EPSG:32633", transform=(0.5, 0, 500000, 0, -0.5, 5540000))


def rect(left, top, right, bottom):
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], float)


def subject(rings, category, number=1, instanceable=True):
    return Subject(number, IMAGE, category, instanceable, tuple([[ring]] for ring in rings))


RIGHT = subject([square(270, 150)], "storage tank")
UPPER_LEFT = subject([square(40, 40)], "storage tank")
LOWER_RIGHT = subject([square(250, 250)], "swimming pool")
LOWER_LEFT = subject([square(50, 250)], "lake")
TOP = subject([square(150, 40)], "stadium")
SIX = subject([square(40 + 30 * n, 60, 20) for n in range(6)], "storage tank")
THREE = subject([square(40 + 30 * n, 60, 20) for n in range(3)], "house")
PLANES = subject([square(40 + 30 * n, 60, 20) for n in range(3)], "airplane")
DIAGONAL = subject(
    [np.array([[5, 5], [20, 5], [295, 280], [295, 295], [280, 295], [5, 20]], float)], "runway"
)
BRIDGE = subject([rect(140, 0, 160, 300)], "bridge")
RIVER = subject([rect(0, 20, 300, 60)], "river", 3, False)
RIVER_RIGHT = subject([rect(270, 0, 290, 300)], "river", 4, False)
HIGHWAY = subject([rect(140, 0, 160, 300)], "highway", 5, False)
WAREHOUSE = subject([rect(100, 100, 200, 280)], "warehouse", 6)


def kinds(about, text, others=()):
    query = QueryRow("q1", about.target_id, "referring", "positive", text)
    asked = Subject(
        about.target_id, about.image, about.category, about.instanceable, about.shapes,
        queries=(query,),
    )  # fmt: skip
    return sorted({found.kind for found in text_findings(asked, others)})


TRUE = [
    (RIGHT, "the tank to the right of the center of the image"),
    (RIGHT, "the tank right of the middle of the picture"),
    (RIGHT, "the tank between the trees on the left and the fence on the right"),
    (RIGHT, "the tank bordered by a lane on the left"),
    (RIGHT, "the tank flanked by sheds on its left side"),
    (RIGHT, "the tank whose left side touches a path"),
    (RIGHT, "the tank that has a small shed on the left"),
    (RIGHT, "the tank not located in the center of the image"),
    (RIGHT, "the tank farthest from the left edge of the image"),
    (RIGHT, "the tank surrounded by grass, a road to the west"),
    (UPPER_LEFT, "the tank in the upper left, its bottom edge in shadow"),
    (UPPER_LEFT, "the tank in the upper left, connected to a pipe on the right"),
    (UPPER_LEFT, "the white tank in the upper left, casting a shadow to the south-east"),
    (UPPER_LEFT, "the tank facing a yard in the center of the image"),
    (UPPER_LEFT, "the tank away from the busy part in the lower right corner"),
    (UPPER_LEFT, "the tank diagonally opposite the lower right corner of the image"),
    (UPPER_LEFT, "the tank above the middle of the image"),
    (UPPER_LEFT, "the tank northwest of the center of the image"),
    (UPPER_LEFT, "the tank near the top, left of center"),
    (UPPER_LEFT, "the tank near the top-left corner; everything in the south is forest"),
    (UPPER_LEFT, "the only tank, unlike the pools at the bottom right"),
    (UPPER_LEFT, "the tank on the far side of the road that enters at the bottom right"),
    (LOWER_RIGHT, "the pool at the end of the path leading from the upper left of the image"),
    (LOWER_RIGHT, "the pool in the lower right, while a yard in the upper left has none"),
    (LOWER_RIGHT, "the pool in the lower right, compared with the one in the upper left"),
    (LOWER_RIGHT, "the pool across the road from the houses in the top half"),
    (LOWER_RIGHT, "the pool with its long side running east to west"),
    (LOWER_RIGHT, "the pool just north of the bottom edge and west of the right edge"),
    (LOWER_RIGHT, "the pool right above the bottom edge of the image"),
    (LOWER_RIGHT, "the pool a little below and to the right of the centre of the picture"),
    (LOWER_RIGHT, "the swimming pool in Southwest Harbor near East Road"),
    (LOWER_RIGHT, "the pool at the top of the stairs"),
    (LOWER_RIGHT, "the pool on the left bank"),
    (LOWER_LEFT, "the lake west of the road that runs from the top to the bottom of the image"),
    (LOWER_LEFT, "the lake southwest of the village in the middle of the image"),
    (LOWER_LEFT, "the lake on the other side of the image from the village in the upper right"),
    (TOP, "the stadium above the railway line crossing the lower half"),
    (TOP, "the stadium at the top, in the middle"),
    (TOP, "the stadium in the center of the upper third"),
    (DIAGONAL, "the runway running diagonally from the top left to the bottom right"),
    (DIAGONAL, "the runway stretching from the upper left corner to the lower right corner"),
    (SIX, "two rows of three storage tanks along the north"),
    (SIX, "the 20 m wide storage tanks in a line"),
    (SIX, "the only storage tanks in the image"),
    (SIX, "the second-hand storage tanks near the top"),
    (SIX, "the single-walled storage tanks near the top"),
    (SIX, "the largest group of storage tanks on the image"),
    (SIX, "half a dozen storage tanks in a row"),
    (SIX, "most of the image's top is taken by these storage tanks"),
    (SIX, "the individual storage tanks in the north"),
    (SIX, "the storage tanks other than the pools"),
    (SIX, "the Second World War storage tanks in a line"),
    (SIX, "three pairs of storage tanks in the upper half"),
    (SIX, "all six of the storage tanks near the top"),
    (THREE, "the single-family houses near the top"),
    (THREE, "the two-storey houses near the top"),
    (PLANES, "the Boeing 747 airplanes near the top"),
    (PLANES, "the aircraft parked near the top of the image"),
]


@pytest.mark.parametrize(("about", "text"), TRUE, ids=[text for _, text in TRUE])
def test_a_true_text_raises_no_alarm(about, text):
    assert kinds(about, text) == []


@pytest.mark.parametrize(("about", "other", "text"), [
    (BRIDGE, RIVER, "the bridge above the river"),
    (subject([square(150, 150)], "storage tank"), WAREHOUSE, "the tank on top of the warehouse"),
    (TOP, RIVER_RIGHT, "the stadium near the top, west of the river in the east"),
    (TOP, RIVER_RIGHT, "the stadium in the upper part, left of the river along the right edge"),
    (RIGHT, HIGHWAY, "the tank, with the highway running north-south to its west"),
])  # fmt: skip
def test_what_is_over_or_beside_a_thing_raises_no_alarm(about, other, text):
    assert kinds(about, text, [other]) == []


FALSE = [
    (LOWER_RIGHT, "the pool northwest of the image centre"),
    (LOWER_RIGHT, "the pool left of center"),
    (LOWER_RIGHT, "the pool above the middle of the image"),
    (LOWER_RIGHT, "the pool to the left of the centre of the picture"),
    (LOWER_RIGHT, "pool in the NW corner"),
    (LOWER_RIGHT, "pool in the far left of the yard, in the nw"),
    (LOWER_RIGHT, "a pool, upper left"),
    (LOWER_RIGHT, "the pool, surrounded by trees, in the northwest"),
    (LOWER_RIGHT, "the pool surrounded by trees, in the upper left of the image"),
    (LOWER_RIGHT, "the pool that lies at the left edge"),
    (LOWER_RIGHT, "The pool located at the top left, with trees on the right"),
    (LOWER_RIGHT, "The pool is not far from the trees and sits in the upper left corner."),
    (RIGHT, "the tank to the far left"),
    (RIGHT, "left-hand side tank"),
    (TOP, "the stadium in the lower half of the picture"),
]


@pytest.mark.parametrize(("about", "text"), FALSE, ids=[text for _, text in FALSE])
def test_a_false_direction_is_found(about, text):
    assert kinds(about, text) == ["wrong-direction"]


@pytest.mark.parametrize("text", [
    "three of the storage tanks near the top", "the larger of the storage tanks",
    "the other storage tanks near the top", "the five storage tanks at the top",
    "only some of the tanks in the north", "the leftmost storage tanks at the top",
])  # fmt: skip
def test_a_text_about_some_of_them_is_found(text):
    assert kinds(SIX, text) == ["part-of-target"]


@pytest.mark.parametrize("text", [
    "A white van is parked here", "A man on a horse", "A van in op art colours is on display",
    "A large grey roof, a courtyard, as big as a house", "No parking on a slope, no entry",
    "As a rule, cars do a U turn here",
])  # fmt: skip
def test_english_of_small_words_is_english(text):
    assert foreign(text) is None
