"""The made-up place: what stands where, in metres east and north of its middle.

Four quarters about a crossroads: works with tanks in the north-west, a market with its car park in
the north-east, homes in the south-west, a farm in the south-east. Things are listed from the ground
up, in the order in which they are drawn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from ..ground import GroundFrame
from .shapes import Ring, blob, corner, disc, placed, point_on, rectangle, ribbon, spot

# The middle of the place, on WGS 84.
PLACE = GroundFrame(8.0, 47.2, 6378137.0, 6356752.314245179)
SUMMER, WINTER = "summer", "winter"
ALWAYS = (SUMMER, WINTER)

TANK, HALL, HOME, VEHICLE = "storage tank", "commercial building", "residential building", "vehicle"
ROAD, FIELD, POOL, POND, HELIPAD = "road", "cropland", "swimming pool", "pond", "helipad"

MAIN_ROAD = ((-330, -14), (-200, -7), (-100, -3), (0, 3), (120, 0), (220, -7), (330, -16))
CROSS_ROAD = ((9, -330), (6, -180), (4, -80), (3, 0), (2, 80), (-2, 170), (6, 330))
HOME_LANE = ((-110, -2), (-111, -50), (-108, -110), (-112, -168), (-112, -176))
MARKET_LANE = ((112, 0), (111, 30), (110, 62))

_CAR_COLOURS = ("white", "silver", "black", "red", "blue", "white", "grey", "green")


@dataclass(frozen=True, eq=False)
class Thing:
    """One thing of the scene, or a detail painted onto one.

    kind: what it is painted as. rings: outline, then holes, in ground metres. category: what it
    is annotated as, None for scenery. tone: 0 to 1, dark to light within its kind.
    """

    kind: str
    rings: tuple[Ring, ...]
    category: str | None = None
    height_m: float = 0.0
    tone: float = 0.5
    seasons: tuple[str, ...] = ALWAYS
    is_crowd: bool = False


@lru_cache(maxsize=1)
def things() -> tuple[Thing, ...]:
    """Return everything in the place, lowest first."""
    return (*_grounds(), *_roads(), *_works(), *_market(), *_homes(), *_farm(), *_traffic())


def _grounds() -> Iterator[Thing]:
    yield Thing("gravel", (rectangle(-147, 115, 84, 58),))
    yield Thing("concrete", (rectangle(-147, 115, 80, 54), rectangle(-147, 115, 78, 52)))
    yield Thing("asphalt", (rectangle(-62, 88, 86, 92),), tone=0.3)
    yield Thing("asphalt", (rectangle(-118, 42, 50, 32),), tone=0.6)
    yield Thing("asphalt", (rectangle(-171, 22, 40, 18),), tone=0.5)
    yield Thing("concrete", (rectangle(-172, 60, 28, 28),), tone=0.3)
    yield Thing("asphalt", (rectangle(104, 85, 72, 50, -6),), tone=0.4)
    yield Thing("paving", (rectangle(120, 118, 76, 9, -6),))
    yield Thing("paving", (rectangle(168, 58, 38, 36, 20),))
    yield Thing("lawn", (rectangle(-105, -104, 178, 166),))
    yield Thing("gravel", (rectangle(98, -44, 56, 34, 4),))


def _roads() -> Iterator[Thing]:
    roads = ((MAIN_ROAD, 9.0), (CROSS_ROAD, 8.0), (HOME_LANE, 5.5), (MARKET_LANE, 6.5))
    for line, width in roads:
        yield Thing("verge", (ribbon(line, width + 4),))
    for line, width in roads:
        yield Thing("road", (ribbon(line, width),), ROAD)
    for line in (MAIN_ROAD, CROSS_ROAD):
        for dash in range(3, 97, 2):
            x, y, turn = point_on(line, dash / 100)
            if np.hypot(x, y) > 10:
                yield Thing("marking", (rectangle(x, y, 3.5, 0.35, turn),))


def _works() -> Iterator[Thing]:
    for x, y, radius, height in (
        *((-170, 127, 9, 9), (-146, 127, 9, 9), (-122, 127, 9, 9)),
        *((-172, 101, 6.5, 7), (-153, 101, 6.5, 7)),
    ):
        yield from _tank(x, y, radius, height)
    yield from (replace(part, seasons=(SUMMER,)) for part in _tank(-132, 101, 7.5, 8))
    for line in (
        ((-172, 114), (-122, 114)),
        ((-146, 118), (-146, 109)),
        ((-122, 114), (-100, 114)),
    ):
        yield Thing("pipe", (ribbon(line, 0.7),), height_m=0.8)
    yield Thing("helipad", (disc(-172, 60, 10),), HELIPAD)
    yield Thing("marking", (disc(-172, 60, 8.6), disc(-172, 60, 7.9)))
    for bar, length, width in ((-175, 1.2, 9), (-169, 1.2, 9), (-172, 6, 1.2)):
        yield Thing("marking", (rectangle(bar, 60, length, width),))
    hall = corner(-62, 118, 72, 24, 34)
    yield Thing("flat roof", (hall,), HALL, 9, 0.6)
    yield from (Thing("seam", (rectangle(x, 118, 0.3, 23),)) for x in range(-94, -50, 4))
    yield from (Thing("skylight", (rectangle(x, 118, 2, 13),)) for x in (-88, -76, -64, -52))
    yield from (Thing("skylight", (rectangle(-38, y, 11, 2),)) for y in (80, 88, 96))
    yield from _court(-48, 38, 40, 32, 8, court=18, deep=13)
    yield Thing("tile roof", (rectangle(-84, 62, 9, 7),), HALL, 4, 0.4)
    yield from _bays(-118, 42, 46, 2, 0, taken=(0, 2, 5, 8, 9, 14, 17, 22, 23, 28, 33))
    yield from _compound()
    for east, north, turn in ((-70.0, 92, 90), (-64.5, 91, 90), (-80.0, 84, 25)):
        yield from _lorry(east, north, turn)


def _tank(x: float, y: float, radius: float, height: float) -> Iterator[Thing]:
    yield Thing("tank", (disc(x, y, radius),), TANK, height)
    yield Thing("dark", (disc(x, y, radius), disc(x, y, radius - 0.5)))
    yield Thing("light", (disc(x - radius * 0.25, y - radius * 0.2, radius * 0.6),))
    yield Thing("dark", (disc(x, y, 0.8, 12),))
    yield Thing("dark", (rectangle(x + radius * 0.45, y + radius * 0.3, radius, 0.4, 34),))


def _court(
    x: float, y: float, long: float, wide: float, turn: float, *, court: float, deep: float
) -> Iterator[Thing]:
    """Offices about an inner court: a parapet, a lawn and a tree inside."""
    outer, inner = rectangle(x, y, long, wide, turn), rectangle(x, y, court, deep, turn)
    yield Thing("lawn", (inner,), tone=0.7)
    yield Thing("flat roof", (outer, inner), HALL, 12, 0.35)
    inset = rectangle(x, y, long - 1.6, wide - 1.6, turn)
    yield Thing("light", (outer, inset))
    yield Thing("light", (rectangle(x, y, court + 1.6, deep + 1.6, turn), inner))
    for side in (-1, 1):
        middle = spot(side * (long + court) / 4, 0, x, y, turn)
        yield Thing("plant room", (rectangle(*middle, 4, 3, turn),), height_m=2)


def _compound() -> Iterator[Thing]:
    """New cars, packed too closely to be told apart: one crowd."""
    yield Thing("nothing", (rectangle(-171, 22, 34, 11.6),), VEHICLE, is_crowd=True)
    for row in range(2):
        for column in range(13):
            x, y = -186.6 + 2.6 * column, 19 + 6.0 * row
            colour = _CAR_COLOURS[(3 * column + row) % 8]
            yield from (replace(part, category=None) for part in _car(x, y, 90, colour))


def _market() -> Iterator[Thing]:
    yield Thing("flat roof", (rectangle(122, 142, 74, 38, -6),), HALL, 8, 0.9)
    for x in (-24, -8, 8, 24):
        place = spot(x, 4, 122, 142, -6)
        yield Thing("plant room", (rectangle(*place, 4, 3, -6),), height_m=2, tone=0.4)
    sign = spot(0, -17.5, 122, 142, -6)
    yield Thing("red band", (rectangle(*sign, 70, 2, -6),))
    yield from _court(168, 58, 32, 30, 20, court=15, deep=13)
    yield Thing("tile roof", (rectangle(64, 128, 9, 9, -6),), HALL, 4, 0.6)
    for across, taken in (
        (12, (0, 1, 3, 4, 6, 9, 10, 13, 17, 18, 22, 25, 27, 31, 36, 37, 43)),
        (-12, (2, 5, 8, 12, 15, 16, 21, 26, 30, 33, 39, 42, 45)),
    ):
        yield from _bays(*spot(0, across, 104, 85, -6), 63, 2, -6, taken=taken)


def _bays(
    x: float, y: float, length: float, rows: int, turn: float, *, taken: Sequence[int]
) -> Iterator[Thing]:
    """Parking bays of 2.7 by 5 m in `rows`, back to back, and the cars in those that are taken."""
    columns = int(length / 2.7)
    marks = (np.arange(columns + 1) - columns / 2) * 2.7
    for mark in marks:
        place = spot(mark, 0, x, y, turn)
        yield Thing("marking", (rectangle(*place, 0.2, 5.0 * rows, turn),))
    for number in taken:
        column, row = divmod(number, rows)
        across = 2.7 * (column + 0.5 - columns / 2) + 0.25 * (number % 3 - 1)
        place = spot(across, 5.0 * (row - (rows - 1) / 2), x, y, turn)
        slack = turn + 90 + 1.5 * (number % 5 - 2)
        yield from _car(*place, slack, _CAR_COLOURS[number * 5 % 8])


def _car(x: float, y: float, turn: float, colour: str) -> Iterator[Thing]:
    body = [(-2.25, -0.8), (-2.0, -1.0), (1.8, -1.0), (2.25, -0.7)]
    body += [(a, -b) for a, b in reversed(body)]
    yield Thing(f"car {colour}", (placed(body, x, y, turn),), VEHICLE, 1.3)
    for front, back, half in ((1.2, 0.5, 0.8), (-1.2, -1.8, 0.75)):
        glass = [(front, -half), (front, half), (back, half * 0.85), (back, -half * 0.85)]
        yield Thing("glass", (placed(glass, x, y, turn),))


def _lorry(x: float, y: float, turn: float) -> Iterator[Thing]:
    yield Thing("car white", (rectangle(x, y, 12, 2.5, turn),), VEHICLE, 3.4)
    gap, cab = spot(3.6, 0, x, y, turn), spot(4.9, 0, x, y, turn)
    yield Thing("dark", (rectangle(*gap, 0.5, 2.5, turn),))
    yield Thing("car blue", (rectangle(*cab, 2.1, 2.3, turn),))


def _homes() -> Iterator[Thing]:
    for number, (x, y) in enumerate(
        (x, y) for x in (-168, -134, -86, -50) for y in (-34, -62, -90, -118, -150)
    ):
        if number in (3, 8, 14, 15):
            continue
        turn = (0, 90, 4, 86, 0, 92, -5)[number % 7]
        if number % 3 == 1:
            yield from _pool(x + (14.5 if x in (-168, -86) else -14.5), y + 5, number)
        if -140 < x < -80:
            towards = -110 + (-7 if x < -110 else 7)
            drive = rectangle((x + towards) / 2, y - 2, abs(x - towards), 3.2)
            yield Thing("paving", (drive,), tone=0.4)
            if number % 2:
                yield from _car((x + 2 * towards) / 3, y - 2, 3, _CAR_COLOURS[number % 8])
        yield from _house(x, y, 12 + number % 3, 8.5 + number % 2, turn, tone=(number * 0.37) % 1)
    yield Thing("tile roof", (corner(-134, -118, 15, 8, 7, turn=90),), HOME, 5, 0.3)
    yield Thing("trampoline", (disc(-62, -76, 1.9, 24),), height_m=0.8)
    yield Thing("trampoline", (disc(-154, -44, 1.9, 24),), height_m=0.8)


def _house(
    x: float, y: float, long: float, wide: float, turn: float, *, tone: float
) -> Iterator[Thing]:
    """A gabled house: the side away from the sun darker, a ridge, a chimney."""
    yield Thing("tile roof", (rectangle(x, y, long, wide, turn),), HOME, 6, tone)
    far = spot(0, wide / 4, x, y, turn)
    yield Thing("dark", (rectangle(*far, long, wide / 2, turn),))
    yield Thing("light", (rectangle(x, y, long, 0.4, turn),))
    stack = spot(long / 4, -wide / 5, x, y, turn)
    yield Thing("plant room", (rectangle(*stack, 0.9, 0.9, turn),), height_m=1.5)


def _pool(x: float, y: float, number: int) -> Iterator[Thing]:
    turn = 10.0 * (number % 4)
    if number % 2:
        yield Thing("paving", (rectangle(x, y, 11, 7, turn),), tone=0.9)
        yield Thing("pool", (rectangle(x, y, 8.5, 4.2, turn),), POOL)
    else:
        yield Thing("paving", (blob(x, y, (4.2, 3.6, 4.4, 3.8), 1.3),), tone=0.9)
        yield Thing("pool", (blob(x, y, (3.2, 2.4, 3.4, 2.6), 1.3),), POOL)


def _farm() -> Iterator[Thing]:
    edge = np.array([(46, -88), (96, -76), (184, -78), (190, -128), (174, -172), (128, -168),
                     (88, -186), (47, -178), (43, -130)], dtype=np.float64)  # fmt: skip
    island = blob(122, -130, (23, 19, 22, 25, 20, 18))
    yield Thing("field", (edge, island), FIELD)
    yield Thing("reeds", (blob(122, -130, (16, 13, 15, 17, 14, 12)),))
    yield Thing("pond", (blob(122, -130, (14, 11, 13, 15, 12, 10)),), POND)
    yield Thing("track", (ribbon(((92, -58), (108, -65), (150, -69), (230, -70)), 3),))
    yield from _house(82, -36, 15, 10, 4, tone=0.7)
    yield from _house(148, -34, 12, 9, 80, tone=0.2)
    yield from _house(175, -42, 11, 8.5, -12, tone=0.5)
    yield Thing("barn roof", (corner(111, -38, 28, 11, 10, turn=4),), None, 7)
    for number in range(9):
        bale = disc(122 + 2.6 * number, -62 + 0.2 * number, 1.1, 16)
        yield Thing("bale", (bale,), height_m=1.2, seasons=(SUMMER,))


def _traffic() -> Iterator[Thing]:
    for line, share, lane, colour in (
        (MAIN_ROAD, 0.42, -2, "red"), (MAIN_ROAD, 0.455, 2, "white"), (MAIN_ROAD, 0.56, -2, "blue"),
        (MAIN_ROAD, 0.31, 2, "silver"), (CROSS_ROAD, 0.44, -2, "black"),
        (CROSS_ROAD, 0.40, 2, "white"), (CROSS_ROAD, 0.56, 2, "red"),
    ):  # fmt: skip
        x, y, turn = point_on(line, share)
        yield from _car(*spot(0, lane, x, y, turn), turn, colour)
