"""Polygons as people write them: GeoJSON, COCO's lists, plain rings; the rest is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.errors import GeometryError
from ovearth_core.geometry import Runs, polygons_from_coco, polygons_from_geojson

RING = [[0, 0], [4, 0], [4, 4], [0, 0]]
POLYGON = {"type": "Polygon", "coordinates": [RING]}
MULTI = {"type": "MultiPolygon", "coordinates": [[RING], [RING]]}


@pytest.mark.parametrize(
    ("geojson", "count"),
    [
        (POLYGON, 1),
        (MULTI, 2),
        ({"type": "GeometryCollection", "geometries": [POLYGON, MULTI]}, 3),
        ({"type": "Feature", "geometry": POLYGON, "properties": None}, 1),
        ({"type": "Feature", "geometry": None}, 0),
        ({"type": "FeatureCollection", "features": [{"type": "Feature", "geometry": MULTI}]}, 2),
        ({"type": "FeatureCollection", "features": []}, 0),
        ({"type": "MultiPolygon", "coordinates": []}, 0),
        ({"type": "GeometryCollection", "geometries": []}, 0),
    ],
)
def test_every_kind_of_geojson_with_an_area_is_read(geojson, count):
    polygons = polygons_from_geojson(geojson)
    assert [[ring.tolist() for ring in rings] for rings in polygons] == [[RING]] * count


def test_a_third_coordinate_is_dropped():
    three = {"type": "Polygon", "coordinates": [[[*position, 7] for position in RING]]}
    assert polygons_from_geojson(three)[0][0].tolist() == RING


def test_rings_may_be_open_or_closed():
    opened = {"type": "Polygon", "coordinates": [RING[:-1]]}
    assert Runs.from_polygons([opened], 5, 5) == Runs.from_polygons([POLYGON], 5, 5)


def test_arrays_lists_and_cocos_flat_lists_are_the_same():
    flat = np.array(RING).reshape(-1).tolist()
    by_coco = Runs.from_rings(polygons_from_coco([flat]), 5, 5)
    for ring in (RING, np.array(RING), np.array(RING, dtype=np.float32), tuple(map(tuple, RING))):
        assert Runs.from_polygons([ring], 5, 5) == by_coco


@pytest.mark.parametrize(
    ("geojson", "said"),
    [
        (None, "is no GeoJSON"),
        ([RING], "is no GeoJSON"),
        ({}, "GeoJSON of type"),
        ({"type": "Point", "coordinates": [0, 0]}, "Point"),
        ({"type": "LineString", "coordinates": RING}, "LineString"),
        ({"type": "polygon", "coordinates": [RING]}, "polygon"),
        ({"type": "Polygon"}, "is not"),
        ({"type": "Polygon", "coordinates": RING}, ""),
        ({"type": "Polygon", "coordinates": [[[0, 0], [1, 1]]]}, "2 distinct positions"),
        ({"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [0, 0], [1, 1]]]}, "2 distinct"),
        ({"type": "Polygon", "coordinates": [[[0], [1, 1], [2, 0]]]}, "x and y"),
        ({"type": "Polygon", "coordinates": [[["0", 0], [1, 1], [2, 0]]]}, "not a coordinate"),
        ({"type": "Polygon", "coordinates": [[[True, 0], [1, 1], [2, 0]]]}, "not a coordinate"),
        ({"type": "Polygon", "coordinates": [[[None, 0], [1, 1], [2, 0]]]}, "not a coordinate"),
        ({"type": "Polygon", "coordinates": [[[np.nan, 0], [1, 1], [2, 0]]]}, "not finite"),
        ({"type": "Polygon", "coordinates": [[[np.inf, 0], [1, 1], [2, 0]]]}, "not finite"),
        ({"type": "Polygon", "coordinates": [[[10**400, 0], [1, 1], [2, 0]]]}, "too large"),
    ],
)
def test_what_is_no_polygon_is_refused_in_a_sentence(geojson, said):
    with pytest.raises(GeometryError) as refusal:
        polygons_from_geojson(geojson)
    assert said in str(refusal.value)


def test_collections_within_collections_end_somewhere():
    nested = POLYGON
    for _ in range(5000):
        nested = {"type": "GeometryCollection", "geometries": [nested]}
    with pytest.raises(GeometryError, match="nested"):
        polygons_from_geojson(nested)


@pytest.mark.parametrize("segmentation", [[[1, 2, 3]], [[1, 2, 3, 4]], [["1", 2, 3, 4, 5, 6]], 7])
def test_what_is_no_coco_polygon_is_refused(segmentation):
    with pytest.raises(GeometryError):
        polygons_from_coco(segmentation)


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=20,
)


@given(st.sampled_from(["Polygon", "MultiPolygon"]), ANYTHING)
def test_no_coordinates_whatever_give_anything_but_polygons_or_a_refusal(kind, coordinates):
    try:
        polygons = polygons_from_geojson({"type": kind, "coordinates": coordinates})
    except GeometryError:
        return
    assert all(ring.shape[1] == 2 for rings in polygons for ring in rings)
