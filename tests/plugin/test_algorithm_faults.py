"""What the algorithms do with what they can't use, and with what was there before."""

import json
from pathlib import Path

import processing
import pytest
from processing.gui.Postprocessing import handleAlgorithmResults
from qgis.core import (
    QgsApplication,
    QgsLayerTreeModel,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProject,
    QgsVectorLayer,
)
from qgis.gui import QgsLayerTreeView


@pytest.fixture(autouse=True)
def empty_project():
    yield
    QgsProject.instance().clear()


@pytest.fixture(autouse=True)
def layer_tree(qgis_iface, monkeypatch):
    """The window's layer tree, which QGIS 3.44 puts results into and pytest-qgis doesn't have."""
    view = QgsLayerTreeView()
    view.setModel(QgsLayerTreeModel(QgsProject.instance().layerTreeRoot(), view))
    monkeypatch.setattr(qgis_iface, "layerTreeView", lambda: view, raising=False)
    yield
    view.deleteLater()


class Heard(QgsProcessingFeedback):
    """Keeps what is said."""

    def __init__(self):
        super().__init__(False)
        self.info, self.debug = [], []

    def pushInfo(self, info):
        self.info.append(info)

    def pushDebugInfo(self, info):
        self.debug.append(info)


def overlay(sample, out, run=0, **more):
    return {
        "BENCHMARK": str(sample.benchmark), "PREDICTIONS": str(sample.runs[run]),
        "THRESHOLD": 0.5, "OUTPUT": str(out), **more,
    }  # fmt: skip


def run_in_project(parameters):
    """Run the overlay and load what it made, as the toolbox does."""
    context, feedback = QgsProcessingContext(), QgsProcessingFeedback(False)
    context.setProject(QgsProject.instance())
    context.setFeedback(feedback)
    algorithm = QgsApplication.processingRegistry().createAlgorithmById(
        "ovearth:overlaypredictions"
    )
    _, succeeded = algorithm.run(parameters, context, feedback)
    assert succeeded
    handleAlgorithmResults(algorithm, context, feedback, False)
    return {layer.name(): layer for layer in QgsProject.instance().mapLayers().values()}


def test_layers_of_an_overlay_are_named_by_the_model_and_have_the_style_of_the_file(
    plugin, sample, tmp_path
):
    (hasty,) = (n for n, run in enumerate(sample.runs) if run.name == "hasty.jsonl.gz")
    layers = run_in_project(overlay(sample, tmp_path / "o.gpkg", hasty))
    assert set(layers) == {
        "hasty: Masks", "hasty: Horizontal boxes", "hasty: Oriented boxes",
    }  # fmt: skip
    for layer in layers.values():
        assert layer.renderer().type() == "categorizedSymbol"
        assert layer.renderer().classAttribute() == "outcome"


def test_a_file_that_is_written_anew_is_counted_anew_in_loaded_layers(plugin, sample, tmp_path):
    out = tmp_path / "o.gpkg"
    run_in_project(overlay(sample, out))
    (layer,) = (
        one for one in QgsProject.instance().mapLayers().values() if one.source().endswith("=hbb")
    )
    before = layer.featureCount()
    run_in_project(overlay(sample, out, 1))
    fresh = QgsVectorLayer(f"{out}|layername=hbb", "fresh", "ogr").featureCount()
    assert layer.featureCount() == fresh == len(list(layer.getFeatures())) != before


def test_an_overlay_is_a_geopackage_by_its_name_too(plugin, sample, tmp_path):
    with pytest.raises(
        QgsProcessingException, match=r"is a GeoPackage, not \.shp.*name it o\.gpkg"
    ):
        processing.run("ovearth:overlaypredictions", overlay(sample, tmp_path / "o.shp"))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", ["abc", "0,5x", "nan"])
def test_a_word_for_a_number_is_refused(plugin, sample, tmp_path, value):
    parameters = {
        "BENCHMARK": str(sample.benchmark), "PREDICTIONS": [str(sample.runs[0])],
        "SCORES": str(tmp_path / "s.json"), "MIN_SCORE": value,
    }  # fmt: skip
    with pytest.raises(QgsProcessingException, match="number"):
        processing.run("ovearth:score", parameters)
    assert not (tmp_path / "s.json").exists()


def test_no_least_score_is_none(plugin, sample, tmp_path):
    for value, wanted in (("", None), ("0.25", 0.25)):
        processing.run("ovearth:score", {
            "BENCHMARK": str(sample.benchmark), "PREDICTIONS": [str(sample.runs[0])],
            "SCORES": str(tmp_path / "s.json"), "MIN_SCORE": value,
        })  # fmt: skip
        (run,) = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))["runs"]
        assert run.get("min_score") == wanted


def test_boxes_of_points_are_refused_and_no_file_is_left(plugin, sample, tmp_path):
    points = QgsVectorLayer("Point?crs=EPSG:4326", "stops", "memory")
    for layer, more, said in (
        (points, {}, "stops has no polygons"),
        (f"{sample.dataset}/dataset.gpkg|layername=instances", {"FRAME": "pixel"}, "need"),
    ):
        with pytest.raises(QgsProcessingException, match=said):
            processing.run("ovearth:deriveboxes", {
                "INPUT": layer, "FRAME": "map", "HBB": str(tmp_path / "h.gpkg"), **more,
            })  # fmt: skip
        assert list(tmp_path.iterdir()) == []


def test_lists_and_maps_of_a_source_go_along_as_text(plugin, tmp_path):
    source = tmp_path / "places.geojson"
    ring = [[8, 47], [8.001, 47], [8.001, 47.001], [8, 47]]
    feature = {
        "type": "Feature", "geometry": {"type": "Polygon", "coordinates": [ring]},
        "properties": {"tags": {"man_made": "größe"}, "names": ["a", "b"], "n": 3},
    }  # fmt: skip
    source.write_text(json.dumps({"type": "FeatureCollection", "features": [feature]}))
    out = tmp_path / "h.gpkg"
    processing.run("ovearth:deriveboxes", {"INPUT": str(source), "FRAME": "map", "HBB": str(out)})
    (box,) = QgsVectorLayer(str(out), "h", "ogr").getFeatures()
    assert json.loads(box["tags"]) == {"man_made": "größe"}
    assert json.loads(box["names"]) == ["a", "b"]
    assert box["n"] == 3


def test_a_release_is_a_folder_whose_benchmark_goes_on_to_scoring(plugin, sample, tmp_path):
    heard = Heard()
    result = processing.run(
        "ovearth:exportbenchmark",
        {"DATASET": str(sample.dataset), "RELEASE": "1.0", "BENCHMARK": str(tmp_path / "b2.json")},
        feedback=heard,
    )
    assert result["BENCHMARK"] == str(tmp_path / "b2" / "benchmark.json")
    assert [path.name for path in tmp_path.iterdir()] == ["b2"]
    assert (tmp_path / "b2" / "SHA256SUMS").is_file()
    said = "\n".join(heard.info)
    assert "135 queries" in said and "Report(" not in said and f"{tmp_path / 'b2'}" in said
    scores = processing.run("ovearth:score", {
        "BENCHMARK": result["BENCHMARK"], "PREDICTIONS": [str(sample.runs[0])],
        "SCORES": str(tmp_path / "s.json"),
    })  # fmt: skip
    assert Path(scores["SCORES"]).exists()


def test_a_foreseen_fault_is_a_sentence_in_qgis_process(qgis_process, sample, tmp_path):
    done = qgis_process("run", "ovearth:score", "--", f"BENCHMARK={tmp_path / 'nope.json'}",
                        f"PREDICTIONS={sample.runs[0]}", f"SCORES={tmp_path / 's.json'}",
                        may_fail=True)  # fmt: skip
    assert done.returncode == 1
    said = done.stdout + done.stderr
    assert f"ERROR:\tno such file, {tmp_path / 'nope.json'}, check the path" in said
    assert 'File "' not in said
