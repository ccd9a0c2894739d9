"""Geometry blobs are GDAL's to the byte, and are read whoever wrote them."""

import struct
from subprocess import run
from sys import executable

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st
from shapely.geometry import MultiPolygon, Polygon

from ovearth_core.dataset import blob
from ovearth_core.errors import InputError

number = st.floats(-400, 400, allow_nan=False)
ring = st.lists(st.tuples(number, number), min_size=3, max_size=12).map(
    lambda points: np.array([*points, points[0]])
)
polygon = st.lists(ring, min_size=1, max_size=3).map(tuple)
polygons = st.lists(polygon, min_size=1, max_size=3).map(tuple)


def as_shapely(parts):
    return MultiPolygon([Polygon(part[0], part[1:]) for part in parts])


def header(flags, *envelope, order="<"):
    sides = struct.pack(f"{order}{len(envelope)}d", *envelope)
    return b"GP" + struct.pack(order + "BBi", 0, flags, 4326) + sides


def equal(one, other):
    return all(
        np.array_equal(a, b)
        for p, q in zip(one, other, strict=True)
        for a, b in zip(p, q, strict=True)
    )


@given(polygons)
def test_polygons_come_back_to_the_last_bit_with_their_envelope(parts):
    made = blob.polygons_blob(parts)
    assert equal(blob.polygons_of_blob(made), parts)
    outer = np.vstack([part[0] for part in parts])
    west, south, east, north = *outer.min(axis=0), *outer.max(axis=0)
    assert blob.envelope_of_blob(made) == (west, east, south, north)


@given(polygons)
def test_the_binary_is_shapelys(parts):
    assert blob.polygons_wkb(parts) == shapely.to_wkb(as_shapely(parts), byte_order=1)
    assert blob.polygons_wkb(parts[:1], as_multi=False) == shapely.to_wkb(
        as_shapely(parts).geoms[0], byte_order=1
    )


@pytest.mark.parametrize("order", [0, 1])
@pytest.mark.parametrize("flavor", ["iso", "extended"])
@pytest.mark.parametrize("dimensions", [2, 3])
def test_either_byte_order_and_flavour_is_read_and_heights_are_dropped(order, flavor, dimensions):
    corners = np.array([[0, 0], [4, 0.1], [3, 5], [0, 0]])
    heights = np.full((4, dimensions - 2), 9.5)
    shape = MultiPolygon([Polygon(np.hstack([corners, heights]))])
    wkb = shapely.to_wkb(shape, byte_order=order, flavor=flavor, output_dimension=dimensions)
    assert equal(blob.polygons_of_blob(header(1) + wkb), ((corners,),))
    assert blob.envelope_of_blob(header(1) + wkb) == (0, 4, 0, 5)


def test_measures_are_dropped():
    rows = np.array([[0, 0, 7], [4, 0.1, 7], [3, 5, 7], [0, 0, 7]])
    for code, width in ((2003, 3), (3003, 4)):
        table = np.hstack([rows, rows])[:, :width].astype("<f8")
        wkb = struct.pack("<BIII", 1, code, 1, 4) + table.tobytes()
        assert equal(blob.polygons_of_blob(header(1) + wkb), ((rows[:, :2],),))


def test_a_big_endian_header_is_read():
    wkb = shapely.to_wkb(Polygon([(1, 2), (3, 4), (5, 0)]), byte_order=0)
    assert blob.envelope_of_blob(header(2, 1, 5, 0, 4, order=">") + wkb) == (1, 5, 0, 4)


def test_points_come_back_and_their_envelope_is_read_from_the_point():
    made = blob.point_blob(179.5, -12.25)
    assert blob.point_of_blob(made) == (179.5, -12.25)
    assert blob.envelope_of_blob(made) == (179.5, 179.5, -12.25, -12.25)


@pytest.mark.parametrize(
    "made",
    [header(0x11) + struct.pack("<BII", 1, 6, 0), header(1) + struct.pack("<BII", 1, 6, 0),
     header(1) + struct.pack("<BIdd", 1, 1, np.nan, np.nan),
     header(3, *[np.nan] * 4) + struct.pack("<BII", 1, 3, 0)],
)  # fmt: skip
def test_an_empty_geometry_has_no_envelope(made):
    assert blob.envelope_of_blob(made) is None


@pytest.mark.parametrize(
    ("made", "fault"),
    [(b"", "no GeoPackage geometry"), (b"PK\x03\x04 more", "no GeoPackage geometry"),
     (header(0x0B), "header is broken"), (header(3), "header is broken"), (header(1), "cut off"),
     (header(1) + struct.pack("<BII", 1, 3, 99), "cut off"),
     (header(1) + struct.pack("<BIII", 1, 3, 1, 4_000_000_000), "cut off"),
     (header(1) + struct.pack("<BIII", 1, 3, 1, 7) + bytes(16), "cut off"),
     (header(1) + struct.pack("<BIdd", 1, 1, 0, 0), "a point where a polygon belongs"),
     (header(1) + shapely.to_wkb(shapely.LineString([(0, 0), (1, 1)])), "a line where a polygon"),
     (header(1) + struct.pack("<BII", 1, 7, 0), "a collection where"),
     (header(1) + struct.pack("<BII", 1, 10, 0), "a curve polygon where"),
     (header(1) + struct.pack("<BII", 1, 999, 0), "geometry of kind 999 where")],
)  # fmt: skip
def test_what_is_no_polygon_is_refused_by_name(made, fault):
    with pytest.raises(InputError, match=fault):
        blob.polygons_of_blob(made)


@given(st.binary(max_size=120))
def test_no_bytes_do_worse_than_a_named_error(junk):
    for made in (junk, header(1) + junk, header(3, 0, 1, 0, 1) + junk):
        for read in (blob.polygons_of_blob, blob.point_of_blob, blob.envelope_of_blob):
            try:
                read(made)
            except InputError:
                continue


BY_FIONA = """
import sys
from fiona import open
box = {"type": "MultiPolygon", "coordinates": [[[(9, 50), (9.5, 50.25), (9.1, 51), (9, 50)],
       [(9.1, 50.2), (9.2, 50.3), (9.1, 50.3), (9.1, 50.2)]]]}
for name, kind in (("polygons", "MultiPolygon"), ("points", "Point")):
    with open(sys.argv[1], "w", driver="GPKG", layer=name, crs="EPSG:4326",
              schema={"geometry": kind, "properties": {}}) as layer:
        geometry = box if kind != "Point" else {"type": "Point", "coordinates": (9.5, 50.25)}
        layer.write({"type": "Feature", "geometry": geometry, "properties": {}})
"""


def test_blobs_are_gdals_to_the_byte(tmp_path):
    import sqlite3
    from contextlib import closing

    path = tmp_path / "fiona.gpkg"
    run([executable, "-c", BY_FIONA, str(path)], check=True, timeout=60)
    with closing(sqlite3.connect(path)) as connection:
        (polygons_by_gdal,) = connection.execute("SELECT geom FROM polygons").fetchone()
        (point_by_gdal,) = connection.execute("SELECT geom FROM points").fetchone()
    outer = np.array([[9, 50], [9.5, 50.25], [9.1, 51], [9, 50]])
    hole = np.array([[9.1, 50.2], [9.2, 50.3], [9.1, 50.3], [9.1, 50.2]])
    assert blob.polygons_blob(((outer, hole),)) == polygons_by_gdal
    assert blob.point_blob(9.5, 50.25) == point_by_gdal
