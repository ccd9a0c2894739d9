"""Tiles and blocks that patches beside each other share: what is kept is not read again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from math import cos, floor, radians

_METRES_A_DEGREE = 111_195.0
# Patches of more parts each share too few of them to be worth counting.
_MOST_PARTS_A_SIDE = 32
_LEAST_COSINE = 0.01

Part = tuple[str, int, int]


def shares_to_read(
    places: Iterable[tuple[float, float, str]], side_m: float, part_m: float, most_kept: int
) -> tuple[float, float]:
    """Return which part (0 to 1) of the parts of patches has to be read, the rest being kept.

    And how many requests it takes for one row of a patch's parts, where new ones beside each other
    come in one. places: longitude, latitude and source of each patch, in their order. side_m: of a
    patch; part_m: of a part; most_kept: so many of the last ones are kept. As if parts lay on one
    grid of equal squares: where they lie in truth is known to the source alone, and how many are
    shared hardly hangs on it.
    """
    if part_m <= 0.0 or most_kept < 1 or side_m / part_m > _MOST_PARTS_A_SIDE:
        return 1.0, 1.0
    kept: OrderedDict[Part, None] = OrderedDict()
    asked = new = rows = requests = 0
    for lon, lat, source in places:
        for row in _rows(lon, lat, source, side_m, part_m):
            rows += 1
            was_new = False
            for part in row:
                asked += 1
                is_new = part not in kept
                new += is_new
                requests += is_new and not was_new
                was_new = is_new
                kept[part] = None
                kept.move_to_end(part)
                if len(kept) > most_kept:
                    kept.popitem(last=False)
    return (new / asked, requests / rows) if asked else (1.0, 1.0)


def _rows(
    lon: float, lat: float, source: str, side_m: float, part_m: float
) -> Iterator[list[Part]]:
    half = side_m / part_m / 2.0
    row = lat * _METRES_A_DEGREE / part_m
    # Of one latitude in each band: else patches above each other would have no column in common.
    level = radians(floor(lat) + 0.5)
    column = lon * _METRES_A_DEGREE * max(cos(level), _LEAST_COSINE) / part_m
    across = range(floor(column - half), floor(column + half) + 1)
    for down in range(floor(row - half), floor(row + half) + 1):
        yield [(source, number, down) for number in across]
