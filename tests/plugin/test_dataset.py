"""A dataset in plain QGIS: it opens with names, styles and forms, and shares the file safely."""

import importlib
import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from osgeo import gdal
from qgis.core import (
    QgsApplication,
    QgsFeatureRequest,
    QgsGeometry,
    QgsProject,
    QgsVectorLayer,
    QgsVectorLayerUtils,
)

from .conftest import BUILD, KINDS, SQUARE, commit

EACH = 150

# Another program at the same file, in a process of its own; it says what it has committed.
WRITER = """
import sys, warnings
from pathlib import Path
import pyproj.datadir
warnings.simplefilter("ignore")
pyproj.datadir.set_data_dir(str(Path(sys.base_prefix) / "share" / "proj"))
import numpy as np
from ovearth.ovearth_core.dataset import Dataset
dataset = Dataset.open(Path(sys.argv[1]))
square = np.array([[1.0, 1], [9, 1], [9, 8]])
for number in range(int(sys.argv[2])):
    with dataset.writing("other") as edit:
        edit.add_instance(1, 7, square + number)
    print(number, flush=True)
"""


def change(layer, number, **values):
    layer.startEditing()
    for name, value in values.items():
        assert layer.changeAttributeValue(number, layer.fields().indexOf(name), value)
    commit(layer)


def test_every_layer_opens_with_its_kind_its_rows_and_its_style(layers, dataset):
    with dataset.reading() as view:
        counts = view.counts()
    for name, layer in layers.items():
        assert layer.isValid()
        assert layer.wkbType() == KINDS[name]
        assert layer.featureCount() == counts[name]
        assert len(list(layer.getFeatures())) == counts[name]
        _, has_style = layer.loadDefaultStyle()
        assert has_style
        if layer.isSpatial():
            assert layer.crs().authid() == "EPSG:4326"
    assert layers["pois"].renderer().type() == "categorizedSymbol"
    assert layers["images"].attributeDisplayName(1) == "File"


def test_no_other_table_is_offered_as_a_layer(dataset):
    layer = QgsVectorLayer(str(dataset.path), "any", "ogr")
    names = {part.split("!!::!!")[1] for part in layer.dataProvider().subLayers()}
    assert names - {"layer_styles"} == set(KINDS)


def test_forms_offer_names_for_numbers_and_hide_what_is_not_for_people(layers):
    targets, instances = layers["targets"], layers["instances"]

    def setup(layer, name):
        return layer.editorWidgetSetup(layer.fields().indexOf(name))

    choices = setup(targets, "category_id").config()["map"]
    assert choices == [{"Field": "0"}, {"Storage tank": "7"}]
    states = [next(iter(entry.values())) for entry in setup(targets, "state").config()["map"]]
    assert states == ["draft", "submitted", "returned", "approved", "rejected"]
    assert setup(instances, "pixels").type() == "Hidden"
    for layer, name, shown in (
        (targets, "image_id", "images/a.tif"),
        (instances, "target_id", "1: Storage tank on images/a.tif"),
        (layers["queries"], "target_id", "1: Storage tank on images/a.tif"),
    ):
        assert setup(layer, name).type() == "ValueRelation"
        formatter = QgsApplication.fieldFormatterRegistry().fieldFormatter("ValueRelation")
        index = layer.fields().indexOf(name)
        config = setup(layer, name).config()
        assert formatter.representValue(layer, index, config, None, 1) == shown


def test_the_project_in_the_file_has_all_layers_named_styled_and_related(dataset, tmp_path):
    # The folder may be moved: the project goes along.
    moved = tmp_path / "elsewhere"
    dataset.folder.rename(moved)
    project = QgsProject.instance()
    assert project.read(f"geopackage:{moved / 'dataset.gpkg'}?projectName=OVEarth")
    found = {layer.name(): layer for layer in project.mapLayers().values()}
    assert len(found) == len(KINDS)
    assert all(layer.isValid() for layer in found.values())
    assert {layer.source().split("|")[0] for layer in found.values()} == {
        str(moved / "dataset.gpkg")
    }
    assert project.crs().authid() == "EPSG:4326"
    assert [layer.name() for layer in project.layerTreeRoot().findLayers()[:5]] == [
        "Places of interest", "Oriented boxes", "Horizontal boxes", "Instances", "Images",
    ]  # fmt: skip
    relations = project.relationManager().relations().values()
    assert all(relation.isValid() for relation in relations)
    targets = found["Targets"]
    target = next(targets.getFeatures())
    of_target = {
        relation.referencingLayer().name(): relation.getRelatedFeatures(target)
        for relation in project.relationManager().referencedRelations(targets)
    }
    assert set(of_target) == {"Instances", "Queries", "Reviews"}
    assert all(len(list(features)) == 1 for features in of_target.values())
    index = targets.fields().indexOf("image_id")
    setup = targets.editorWidgetSetup(index)
    formatter = QgsApplication.fieldFormatterRegistry().fieldFormatter(setup.type())
    assert formatter.representValue(targets, index, setup.config(), None, 1) == "images/a.tif"
    project.clear()


def test_new_categories_are_offered_once_they_are_stored(dataset, core):
    with dataset.writing() as edit:
        edit.add(core.CategoryRow(3, "silo", 'Silo <&> "bin"'))
    layer = QgsVectorLayer(f"{dataset.path}|layername=targets", "any", "ogr")
    setup = layer.editorWidgetSetup(layer.fields().indexOf("category_id"))
    assert {'Silo <&> "bin"': "3"} in setup.config()["map"]


def test_a_state_changed_in_qgis_is_logged_under_the_name_of_who_did_it(layers, dataset):
    change(layers["targets"], 1, state="submitted", changed_why="done")
    with dataset.reading() as view:
        line = list(view.reviews())[-1]
        target = view.target(1)
    assert (line.from_state, line.to_state, line.comment) == ("draft", "submitted", "done")
    assert line.who == target.changed_by not in {"anna", None}
    assert line.role is None
    assert target.changed_at.endswith("Z")


def test_a_polygon_moved_in_qgis_is_read_in_pixels_where_it_was_moved(layers, dataset):
    layer = layers["instances"]
    layer.startEditing()
    feature = next(layer.getFeatures())
    geometry = feature.geometry()
    with dataset.reading() as view:
        lon, lat = view.frame(1).pixel_to_lonlat([[60.0, 12.0]])[0]
    assert geometry.moveVertex(lon, lat, 1)
    layer.changeGeometry(feature.id(), geometry)
    commit(layer)
    with dataset.reading() as view:
        row = view.instance(1)
    moved = SQUARE.copy()
    moved[1] = 60.0, 12.0
    assert np.abs(row.polygons[0][0][:4] - moved).max() < 1e-6
    assert row.changes == 1


def test_a_given_box_goes_with_the_old_polygon_and_the_new_pixels_are_kept(layers, dataset):
    with dataset.writing("anna") as edit:
        edit.update(replace(edit.instance(1), bbox=(10.0, 10.0, 40.5, 30.25)))
    layer = layers["instances"]
    layer.startEditing()
    geometry = next(layer.getFeatures()).geometry()
    geometry.translate(1e-6, 0.0)
    layer.changeGeometry(1, geometry)
    commit(layer)
    with dataset.writing("anna", "annotator") as edit:
        moved = edit.instance(1)
        assert list(edit.inexact_instances()) == [1]
        edit.set_state(moved.target_id, "submitted")
    with dataset.reading() as view:
        assert list(view.inexact_instances()) == []
        row = view.instance(1)
        (line,) = [line for line in view.reviews() if line.action == "box"]
    assert (row.bbox, row.geojson()) == (None, moved.geojson())
    assert "bbox [10.0,10.0,40.5,30.25] no longer counts" in line.comment


def test_an_edit_of_attributes_in_qgis_keeps_the_exact_pixels(layers, dataset):
    change(layers["instances"], 1, origin_note="by hand")
    with dataset.reading() as view:
        row = view.instance(1)
    assert np.array_equal(row.polygons[0][0][:4], SQUARE)
    assert (row.origin_note, row.changes) == ("by hand", 0)


def test_what_would_break_the_dataset_is_refused_in_qgis_too(layers, dataset):
    for name, number in (("images", 1), ("targets", 1), ("reviews", 1)):
        layer = layers[name]
        layer.startEditing()
        layer.deleteFeature(number)
        assert not layer.commitChanges()
        layer.rollBack()
    with dataset.reading() as view:
        counts = view.counts()
    assert (counts["images"], counts["targets"], counts["reviews"]) == (1, 1, 1)


def test_an_image_file_is_taken_in_without_rasterio(dataset, sample):
    (dataset.folder / "images").mkdir()
    benchmark = json.loads(sample.benchmark.read_text(encoding="utf-8"))
    for image in benchmark["images"]:
        path = shutil.copy(sample.benchmark.parent / image["file_name"], dataset.folder / "images")
        row = dataset.add_image(Path(path), "anna")
        assert (row.width, row.height) == (image["width"], image["height"])
        assert row.crs == image["crs"]
        assert row.transform == pytest.approx(image["transform"], rel=1e-12)
        assert row.gsd_m == pytest.approx(image["gsd"])
    with dataset.reading() as view:
        assert view.counts()["images"] == 1 + len(benchmark["images"])


def test_an_image_without_a_place_is_refused_without_rasterio_too(dataset):
    path = dataset.folder / "plain.tif"
    image = gdal.GetDriverByName("GTiff").Create(str(path), 8, 6)
    image = None  # noqa: F841  (closed, and so written)
    errors = importlib.import_module("ovearth.ovearth_core.errors")
    with pytest.raises(errors.FrameError, match=r"plain.tif, georeference it first"):
        dataset.add_image(path)


def test_qgis_and_another_writer_at_once_lose_nothing_and_no_layer_reads_empty(layers, dataset):
    environment = {**os.environ, "PYTHONPATH": str(BUILD)}
    other = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(dataset.path), str(EACH)],
        env=environment, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    layer, images = layers["instances"], layers["images"]
    drawn = QgsGeometry(next(layer.getFeatures()).geometry())
    ours = 0
    while other.poll() is None or ours < EACH // 3:
        layer.startEditing()
        names = {"target_id": 1, "origin_note": f"qgis {ours}"}
        values = {layer.fields().indexOf(name): value for name, value in names.items()}
        layer.addFeature(QgsVectorLayerUtils.createFeature(layer, drawn, values))
        commit(layer)
        ours += 1
        assert len(list(layer.getFeatures())) > ours
        assert len(list(images.getFeatures(QgsFeatureRequest()))) == 1
    assert other.stdout.read().split() == [str(number) for number in range(EACH)]
    other.stdout.close()
    with dataset.reading() as view:
        rows = list(view.instances())
    assert sum(row.created_by == "other" for row in rows) == EACH
    notes = [row.origin_note for row in rows if row.origin_note]
    assert notes == [f"qgis {number}" for number in range(ours)]
    assert layers["instances"].dataProvider().featureCount() == len(rows) == 1 + EACH + ours
    assert len(list(layer.getFeatures(drawn.boundingBox()))) >= ours
