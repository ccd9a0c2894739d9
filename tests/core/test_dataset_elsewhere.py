"""What other programs make of a dataset's file, each in a process of its own."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest

from ovearth_core.dataset import BoxRow, PoiRow, QueryRow
from ovearth_core.dataset.shapes import to_lonlat

from .datasets import FIELD, SQUARE, TANK, made

LAYERS = {"images", "instances", "pois", "hbb", "obb", "targets", "queries", "reviews",
          "categories", "layer_styles"}  # fmt: skip
SPATIAL = {"images": "Polygon", "instances": "MultiPolygon", "pois": "Point",
           "hbb": "Polygon", "obb": "Polygon"}  # fmt: skip

BY_FIONA = """
import fiona, json, sys
found = {}
for name in fiona.listlayers(sys.argv[1]):
    with fiona.open(sys.argv[1], layer=name) as layer:
        geometries = [f.geometry and dict(f.geometry, geometries=None) for f in layer]
        found[name] = [layer.schema["geometry"], layer.crs.to_epsg(), geometries]
print(json.dumps(found))
"""

BY_PYOGRIO = """
import json, pyogrio, shapely, sys
found = {}
for name, kind in pyogrio.list_layers(sys.argv[1]):
    meta, ids, geometries, fields = pyogrio.raw.read(sys.argv[1], layer=name, return_fids=True)
    shapes = [] if geometries is None else shapely.from_wkb(geometries)
    found[name] = [kind, ids.tolist(), [s and json.loads(shapely.to_geojson(s)) for s in shapes]]
within = pyogrio.raw.read(sys.argv[1], layer="instances", bbox=tuple(json.loads(sys.argv[2])),
                          return_fids=True)
found["within"] = within[1].tolist()
print(json.dumps(found))
"""

# As one copies and pastes an object, and moves it before saving.
COPY_BY_FIONA = """
import fiona, json, sys
with fiona.open(sys.argv[1], layer="instances") as layer:
    feature = next(iter(layer))
geometry = {"type": "MultiPolygon", "coordinates": json.loads(sys.argv[2])}
with fiona.open(sys.argv[1], "a", layer="instances") as layer:
    layer.write({"type": "Feature", "geometry": geometry,
                 "properties": dict(feature.properties, origin_note="by fiona")})
"""


@pytest.fixture
def filled(tmp_path):
    dataset, image = made(tmp_path)
    with dataset.writing("anna", "annotator") as edit:
        tank = edit.add_instance(image.id, TANK, SQUARE)
        edit.add_instance(image.id, FIELD, ((SQUARE, SQUARE[::-1] * 0.5 + 15), (SQUARE + 200,)))
        edit.add(PoiRow(None, 15.0, 50.0))
        edit.add(QueryRow("q", tank.target_id, "vocabulary", "positive", "tank"))
        for kind in ("hbb", "obb"):
            edit.add(BoxRow(None, kind, tank.id, tuple(SQUARE.ravel())))
    return dataset


def asked(script, *arguments):
    command = [sys.executable, "-c", script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr, done.stderr
    return json.loads(done.stdout or "null")


def geometries(dataset):
    with dataset.reading() as view:
        return [to_lonlat(view.frame(row.image_id), row.polygons) for row in view.instances()]


def as_lists(polygons):
    return [[ring.tolist() for ring in polygon] for polygon in polygons]


def as_nested_lists(coordinates):
    if isinstance(coordinates, (int, float)):
        return coordinates
    return [as_nested_lists(part) for part in coordinates]


def test_fiona_finds_the_layers_and_the_very_coordinates(filled):
    found = asked(BY_FIONA, filled.path)
    assert set(found) == LAYERS
    for name, kind in SPATIAL.items():
        assert found[name][:2] == [kind, 4326]
    read = [as_nested_lists(shape["coordinates"]) for shape in found["instances"][2]]
    assert read == [as_lists(polygons) for polygons in geometries(filled)]
    assert found["pois"][2][0]["coordinates"] == [15.0, 50.0]


def test_pyogrio_finds_the_same_and_so_does_its_spatial_index(filled):
    expected = [as_lists(polygons) for polygons in geometries(filled)]
    corner = expected[1][1][0][0]
    box = [corner[0] - 1e-9, corner[1] - 1e-9, corner[0] + 1e-9, corner[1] + 1e-9]
    found = asked(BY_PYOGRIO, filled.path, json.dumps(box))
    assert set(found) == LAYERS | {"within"}
    assert [shape["coordinates"] for shape in found["instances"][2]] == expected
    assert found["instances"][1] == [1, 2]
    assert found["categories"][1] == [FIELD, TANK]
    assert found["within"] == [2]


def test_what_another_program_copies_and_moves_is_where_it_moved_it(filled):
    with filled.writing() as edit:
        edit.update(replace(edit.instance(1), segmentation=[[1, 2, 3, 4, 5, 6]]))
        frame = edit.frame(1)
    asked(COPY_BY_FIONA, filled.path, json.dumps(as_lists(to_lonlat(frame, ((SQUARE + 9,),)))))
    with filled.reading() as view:
        rows = list(view.instances())
    assert [row.origin_note for row in rows] == [None, None, "by fiona"]
    assert rows[0].segmentation == [[1, 2, 3, 4, 5, 6]]
    assert rows[2].segmentation is None
    assert rows[2].polygons[0][0][:4] == pytest.approx(SQUARE + 9, abs=1e-6)


def test_an_id_of_zero_is_an_id(filled):
    with filled.reading() as view:
        assert view.category(FIELD).id == FIELD == 0
        assert len(list(view.targets(category_id=0))) == 1
