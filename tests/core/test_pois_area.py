"""Extents: in any CRS, across ±180, and what is none."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from pyproj import Transformer

from ovearth_core.collection.pois import area_of
from ovearth_core.collection.pois.area import _on_the_globe, area_on_map
from ovearth_core.errors import FrameError, UsageError

LON, LAT = st.floats(-180, 180), st.floats(-90, 90)


@given(LON, LAT, LON, LAT, LON, LAT)
def test_a_point_is_inside_when_it_is_east_of_west_and_west_of_east(w, s, e, n, lon, lat):
    assume(s < n and abs(w - e) > 1e-6 and abs(w - e) < 359.999)
    area = area_of(w, s, e, n, wide=True)
    from_west, width = (lon - w) % 360, (e - w) % 360
    assume(min(abs(from_west - width), from_west, 360 - from_west) > 1e-6)
    assert area.contains(lon, lat) == (from_west < width and s <= lat <= n)


@given(LON, LAT, LON, LAT, st.floats(0.5, 90))
def test_its_pieces_fill_it_without_overlap(w, s, e, n, longest):
    assume(n - s > 1e-3 and abs(w - e) > 1e-3 and abs(w - e) < 359.9)
    for box in area_of(w, s, e, n, wide=True).boxes:
        pieces = list(box.pieces(longest))
        assert all(piece.side_deg <= longest * (1 + 1e-9) for piece in pieces)
        total = sum((p.east - p.west) * (p.north - p.south) for p in pieces)
        assert total == pytest.approx((box.east - box.west) * (box.north - box.south))
        quarters = list(box.quarters())
        assert {q.west for q in quarters} | {q.east for q in quarters} >= {box.west, box.east}


def test_west_beyond_east_is_across_180():
    area = area_of(179, -20, -178, -10)
    assert [box.as_tuple for box in area.boxes] == [(179, -20, 180, -10), (-180, -20, -178, -10)]
    assert area.contains(180, -15)
    assert area.contains(-180, -15)
    assert not area.contains(0, -15)
    assert area_of(179, -20, 182, -10) == area


@pytest.mark.parametrize("box", [(10, 47, -10, 48), (-100, 0, 100, 10), (-180, -90, 180, 90)])
def test_wider_than_half_the_globe_is_refused_by_name_unless_it_is_meant(box):
    with pytest.raises(UsageError, match=r"° wide.*--wide"):
        area_of(*box)
    assert area_of(*box, wide=True).boxes
    if box[0] > box[2]:
        with pytest.raises(UsageError, match="crosses ±180"):
            area_of(*box)


@pytest.mark.parametrize(
    "box",
    [(9, 48, 10, 47), (9, 47, 9, 48), (9, 47, 10, 47), (47, 109, 48, 110), (9, -91, 10, 0),
     (float("nan"), 0, 1, 1), (0, 0, float("inf"), 1), (-400, 0, -390, 1), (0, 0, 361, 1)],
)  # fmt: skip
def test_what_is_no_box_is_refused(box):
    with pytest.raises(UsageError, match="--bbox"):
        area_of(*box, wide=True)


@pytest.mark.parametrize("crs", ["EPSG:32632", "EPSG:2056", "EPSG:3857", "EPSG:3035", "EPSG:2154"])
def test_an_extent_in_another_crs_holds_all_points_that_it_held_there(crs):
    to_map = Transformer.from_crs("EPSG:4326", crs, always_xy=True)
    x, y = to_map.transform(8.5, 47.0)
    area = area_of(x, y, x + 40_000, y + 30_000, crs)
    back = Transformer.from_crs(crs, "EPSG:4326", always_xy=True)
    for dx, dy in [(0, 0), (40_000, 0), (0, 30_000), (40_000, 30_000), (20_000, 30_000)]:
        lon, lat = back.transform(x + dx, y + dy)
        assert any(
            box.west - 1e-6 <= lon <= box.east + 1e-6
            and box.south - 1e-6 <= lat <= box.north + 1e-6
            for box in area.boxes
        )


def test_an_extent_around_the_pole_has_every_longitude():
    area = area_of(-1e6, -1e6, 1e6, 1e6, "EPSG:3413", wide=True)
    assert area.contains(0, 89.9)
    assert area.contains(-180, 85)


def test_what_rounding_adds_beyond_the_globe_is_taken_off():
    """Newer PROJs carry the pole's surroundings to such bounds."""
    carried = (-180.00000000000006, -90.00000000000001, 180.00000000000003, 90.00000000000001)
    assert _on_the_globe(carried) == (-180.0, -90.0, 180.0, 90.0)
    beyond = (-190.0, -91.0, 181.0, 100.0)
    assert _on_the_globe(beyond) == beyond


def test_latitude_first_crss_take_x_first_all_the_same():
    assert area_of(9, 47, 10, 48, "EPSG:4326") == area_of(9, 47, 10, 48, "OGC:CRS84")


def test_an_unknown_crs_is_refused():
    with pytest.raises(FrameError):
        area_of(9, 47, 10, 48, "EPSG:999999")


@given(st.floats(-900, 900), st.floats(0.1, 359), LAT, LON, LAT)
def test_what_a_map_shows_contains_what_is_drawn_on_it(west, width, south, lon, lat):
    assume(south < 89)
    area = area_on_map(west, south, west + width, 200.0, "EPSG:4326")
    from_west = (lon - west) % 360
    assume(min(abs(from_west - width), from_west, 360 - from_west) > 1e-6)
    assert area.contains(lon, lat) == (from_west < width and lat >= south)


@pytest.mark.parametrize(
    ("crs", "half", "south"),
    [("EPSG:4326", 400, -90.0), ("EPSG:3857", 4e7, -85.06), ("EPSG:3031", 1e7, -90.0),
     ("EPSG:8857", 4e7, -90.0)],
)  # fmt: skip
def test_a_map_wider_than_the_world_shows_the_world(crs, half, south):
    (box,) = area_on_map(-half, -half, half, half, crs).boxes
    assert (box.west, box.east) == (-180.0, 180.0)
    assert box.south == pytest.approx(south, abs=1e-4)


def test_a_mercator_map_across_180_shows_both_sides():
    area = area_on_map(1.99e7, -1e6, 2.02e7, 1e6, "EPSG:3857")
    assert area.contains(179.5, 0)
    assert area.contains(-179.0, 0)
    assert not area.contains(0, 0)
