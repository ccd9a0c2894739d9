"""The other algorithms: they give the core's results, chain, and run without a window."""

import importlib
import itertools
import json
import math
from collections import Counter
from pathlib import Path
from urllib.parse import urlparse
from urllib.request import url2pathname

import processing
import pytest
from osgeo import gdal, osr
from qgis.core import (
    QgsApplication,
    QgsFeature,
    QgsGeometry,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingParameterDefinition,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)

KITE = "POLYGON((0 0, 30 10, 40 30, 5 12, 0 0))"


def algorithms():
    return QgsApplication.processingRegistry().providerById("ovearth").algorithms()


@pytest.fixture
def fields(qgis_app):
    """A polygon layer in UTM: a kite, a polygon of curves, and rows without a usable shape."""
    layer = QgsVectorLayer("CurvePolygon?crs=EPSG:32632&field=name:string", "fields", "memory")
    features = []
    for name, wkt in (
        ("kite", KITE),
        ("circle", "CURVEPOLYGON(CIRCULARSTRING(100 0, 110 10, 120 0, 110 -10, 100 0))"),
        ("none", None),
        ("line", "POLYGON((0 0, 1 1, 0 0))"),
    ):
        feature = QgsFeature(layer.fields())
        feature.setAttributes([name])
        if wkt is not None:
            geometry = QgsGeometry.fromWkt(wkt)
            geometry.translate(500000, 5200000)
            feature.setGeometry(geometry)
        features.append(feature)
    layer.dataProvider().addFeatures(features)
    return layer


def derive(layer, frame, **more):
    outputs = {"HBB": "TEMPORARY_OUTPUT", "OBB": "TEMPORARY_OUTPUT"}
    return processing.run(
        "ovearth:deriveboxes", {"INPUT": layer, "FRAME": frame, **outputs, **more}
    )


def boxes_of(layer):
    return {feature["name"]: feature for feature in layer.getFeatures()}


def test_every_algorithm_has_a_name_help_and_a_page(plugin):
    for algorithm in algorithms():
        assert algorithm.displayName()
        assert len(algorithm.shortHelpString()) > 80
        page = Path(url2pathname(urlparse(algorithm.helpUrl()).path))
        text = page.read_text(encoding="utf-8")
        assert algorithm.displayName() in text


def test_what_is_rarely_needed_is_flagged_as_advanced(plugin):
    advanced = {
        f"{algorithm.name()} {parameter.name()}"
        for algorithm in algorithms()
        for parameter in algorithm.parameterDefinitions()
        if parameter.flags() & QgsProcessingParameterDefinition.Flag.FlagAdvanced
    }
    of_dialects = {"INPUT_WIDTH", "INPUT_HEIGHT", "RESIZE", "LENIENT", "MAPPING", "CLASSES",
                   "MASK_THRESHOLD", "DUPLICATES", "ANGLE", "ANGLE_UNIT", "SHAPES"}  # fmt: skip
    assert advanced == {
        f"{name} {option}" for name in ("score", "overlaypredictions") for option in of_dialects
    } | {
        "deriveboxes IMAGE", "score MODALITIES", "score MIN_SCORE", "exportbenchmark STATES",
        "exportbenchmark RELEASE", "overlaypredictions LOAD", "searchpois URL",
        "searchpois DATASET", "searchpois SEED", "extractpatches LICENSE",
        "extractpatches ATTRIBUTION", "extractpatches DATE",
    }  # fmt: skip


class TestDeriveBoxes:
    @pytest.mark.parametrize("frame", [1, "1", "map"])
    def test_along_the_map_boxes_are_envelope_and_least_rectangle(self, plugin, fields, frame):
        result = derive(fields, frame)
        hbb, obb = boxes_of(result["HBB"]), boxes_of(result["OBB"])
        assert set(hbb) == set(obb) == {"kite", "circle"}
        kite = QgsGeometry.fromWkt(KITE)
        kite.translate(500000, 5200000)
        assert hbb["kite"].geometry().isGeosEqual(QgsGeometry.fromRect(kite.boundingBox()))
        rectangle, area, *_ = kite.orientedMinimumBoundingBox()
        assert obb["kite"].geometry().area() == pytest.approx(area, rel=1e-9)
        assert obb["kite"].geometry().symDifference(rectangle).area() < 1e-3
        assert hbb["circle"].geometry().area() == pytest.approx(400, rel=1e-3)
        assert hbb["kite"]["frame"] == "map"
        assert hbb["kite"]["area_m2"] == pytest.approx(1200, rel=2e-3)
        assert result["HBB"].crs() == fields.crs()

    def test_the_layer_itself_stays_as_it_is(self, plugin, fields):
        before = [feature.geometry().asWkt() for feature in fields.getFeatures()]
        derive(fields, "ground")
        assert [feature.geometry().asWkt() for feature in fields.getFeatures()] == before
        assert [field.name() for field in fields.fields()] == ["name"]

    def test_along_pixels_boxes_follow_a_rotated_image(self, plugin, fields, tmp_path):
        path = str(tmp_path / "turned.tif")
        image = gdal.GetDriverByName("GTiff").Create(path, 400, 300, 1)
        turn = math.radians(30)
        image.SetGeoTransform([
            499900, math.cos(turn), math.sin(turn), 5200100, math.sin(turn), -math.cos(turn),
        ])  # fmt: skip
        reference = osr.SpatialReference()
        reference.ImportFromEPSG(32632)
        image.SetProjection(reference.ExportToWkt())
        image = None
        result = derive(fields, "pixel", IMAGE=QgsRasterLayer(path, "turned"), OBB=None)
        assert "OBB" not in result
        ring = boxes_of(result["HBB"])["kite"].geometry().asPolygon()[0]
        angles = {
            round(math.degrees(math.atan2(b.y() - a.y(), b.x() - a.x())) % 90, 6)
            for a, b in itertools.pairwise(ring)
        }
        assert angles == {30.0}

    def test_pixels_without_an_image_are_refused_in_a_sentence(self, plugin, fields):
        with pytest.raises(QgsProcessingException, match="need the image"):
            derive(fields, "pixel")

    def test_its_outputs_are_inputs_of_others(self, plugin, fields):
        boxes = derive(fields, "ground")["OBB"]
        centres = processing.run(
            "native:centroids", {"INPUT": boxes, "OUTPUT": "TEMPORARY_OUTPUT"}
        )["OUTPUT"]
        assert centres.featureCount() == 2


def test_checking_lists_what_the_command_lists_and_where(plugin, sample, command_line, tmp_path):
    for place in (sample.dataset, sample.dataset / "dataset.gpkg", sample.benchmark):
        result = processing.run(
            "ovearth:checkdataset",
            {"DATASET": str(place), "FINDINGS": str(tmp_path / "found.json"),
             "PLACES": "TEMPORARY_OUTPUT"},
        )  # fmt: skip
        found = json.loads((tmp_path / "found.json").read_text(encoding="utf-8"))["problems"]
        assert result["COUNT"] == len(found) == result["PLACES"].featureCount()


def test_a_benchmark_with_problems_has_findings_that_count(plugin, sample, tmp_path):
    document = json.loads(sample.benchmark.read_text(encoding="utf-8"))
    document["queries"].append({**document["queries"][0], "id": "again"})
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(document), encoding="utf-8")
    assert processing.run("ovearth:checkdataset", {"DATASET": str(broken)})["COUNT"] > 0


def test_the_exported_benchmark_is_the_commands(plugin, sample, command_line, tmp_path):
    out, by_command = tmp_path / "benchmark.json", tmp_path / "command.json"
    processing.run("ovearth:exportbenchmark",
                   {"DATASET": str(sample.dataset), "BENCHMARK": str(out)})  # fmt: skip
    command_line("export", sample.dataset, by_command, "--format", "benchmark")
    assert out.read_bytes() == by_command.read_bytes()


class Impatient(QgsProcessingFeedback):
    """Cancels once a third is done."""

    def setProgress(self, percent):
        super().setProgress(percent)
        if percent > 33:
            self.cancel()


@pytest.mark.parametrize("more", [{}, {"RELEASE": "1.0"}])
def test_an_export_that_is_canceled_in_the_middle_writes_nothing(plugin, sample, tmp_path, more):
    registry, feedback = QgsApplication.processingRegistry(), Impatient()
    folder = tmp_path / "out"
    folder.mkdir()
    results, _ = registry.createAlgorithmById("ovearth:exportbenchmark").run(
        {"DATASET": str(sample.dataset), "BENCHMARK": str(folder / "benchmark.json"), **more},
        QgsProcessingContext(), feedback,
    )  # fmt: skip
    assert results == {}
    assert 33 < feedback.progress() < 100
    assert list(folder.iterdir()) == []


class TestOverlay:
    def test_it_has_the_layers_fields_and_numbers_of_the_core(self, plugin, sample, tmp_path):
        out = tmp_path / "overlay.gpkg"
        result = processing.run("ovearth:overlaypredictions", {
            "BENCHMARK": str(sample.benchmark), "PREDICTIONS": str(sample.runs[0]),
            "THRESHOLD": 0.5, "OUTPUT": str(out),
        })  # fmt: skip
        scores = tmp_path / "scores.json"
        processing.run("ovearth:score", {
            "BENCHMARK": str(sample.benchmark), "PREDICTIONS": [str(sample.runs[0])],
            "SCORES": str(scores),
        })  # fmt: skip
        (run,) = json.loads(scores.read_text(encoding="utf-8"))["runs"]
        queries = {
            q["id"]: q for q in json.loads(sample.benchmark.read_text(encoding="utf-8"))["queries"]
        }
        for modality in ("hbb", "obb"):
            layer = QgsVectorLayer(result[modality.upper()], modality, "ogr")
            assert layer.crs().authid() == "EPSG:4326"
            assert layer.renderer().type() == "categorizedSymbol"
            counts = Counter(
                f["outcome"] for f in layer.getFeatures()
                if queries[f["query_id"]]["polarity"] == "positive"
            )  # fmt: skip
            wanted = run[modality].values()
            assert counts["matched"] == sum(task["tp_50"] for task in wanted)
            assert counts["spurious"] == sum(task["fp_50"] for task in wanted)
            assert counts["missed"] == sum(task["fn_50"] for task in wanted)
        masks = QgsVectorLayer(result["MASK"], "mask", "ogr")
        assert all(f.geometry().isGeosValid() for f in masks.getFeatures())

    def test_its_layers_lie_on_the_image_to_a_millionth_of_a_pixel(
        self, plugin, sample, package, tmp_path
    ):
        result = processing.run("ovearth:overlaypredictions", {
            "BENCHMARK": str(sample.benchmark), "PREDICTIONS": str(sample.runs[0]),
            "THRESHOLD": 0.5, "OUTPUT": str(tmp_path / "overlay.gpkg"),
        })  # fmt: skip
        core = importlib.import_module("ovearth.ovearth_core.benchmark")
        benchmark = core.read_benchmark(sample.benchmark)
        truth = core.Truth(benchmark)
        layer = QgsVectorLayer(result["OBB"], "obb", "ogr")
        seen = 0
        for feature in layer.getFeatures("\"outcome\" = 'missed'"):
            query = benchmark.queries[benchmark.query_index[feature["query_id"]]]
            target = benchmark.target_by_id[query.target_id]
            frame = benchmark.image_by_id[target.image_id].frame()
            ring = [[p.x(), p.y()] for p in feature.geometry().asPolygon()[0]][:4]
            pixels = frame.lonlat_to_pixel(ring)
            away = abs(truth.obb(target.id) - pixels).max(axis=(1, 2)).min()
            assert away < 1e-6
            seen += 1
        assert seen

    def test_canceling_writes_nothing(self, plugin, sample, tmp_path):
        registry = QgsApplication.processingRegistry()
        feedback = QgsProcessingFeedback()
        feedback.cancel()
        results, _ = registry.createAlgorithmById("ovearth:overlaypredictions").run({
            "BENCHMARK": str(sample.benchmark), "PREDICTIONS": str(sample.runs[0]),
            "THRESHOLD": 0.5, "OUTPUT": str(tmp_path / "overlay.gpkg"),
        }, QgsProcessingContext(), feedback)  # fmt: skip
        assert results == {}
        assert not (tmp_path / "overlay.gpkg").exists()

    def test_bad_input_is_one_sentence(self, plugin, sample, tmp_path):
        run = tmp_path / "run.jsonl"
        run.write_text('{"query_id": "of another benchmark", "hbb": []}\n', encoding="utf-8")
        with pytest.raises(QgsProcessingException, match="unknown query id") as said:
            processing.run("ovearth:overlaypredictions", {
                "BENCHMARK": str(sample.benchmark), "PREDICTIONS": str(run),
                "THRESHOLD": 0.5, "OUTPUT": str(tmp_path / "overlay.gpkg"),
            })  # fmt: skip
        assert "Traceback" not in str(said.value)


def test_they_run_through_qgis_process(qgis_process, sample, tmp_path):
    for name in ("deriveboxes", "checkdataset", "exportbenchmark", "overlaypredictions"):
        assert name in qgis_process("list").stdout
    overlay, boxes = tmp_path / "overlay.gpkg", tmp_path / "boxes.gpkg"
    qgis_process("run", "ovearth:overlaypredictions", "--", f"BENCHMARK={sample.benchmark}",
                 f"PREDICTIONS={sample.runs[0]}", "THRESHOLD=0.5", f"OUTPUT={overlay}")  # fmt: skip
    qgis_process("run", "ovearth:deriveboxes", "--", f"INPUT={overlay}|layername=mask",
                 "FRAME=ground", f"HBB={boxes}", f"OBB={tmp_path / 'obb.gpkg'}")  # fmt: skip
    mask = QgsVectorLayer(f"{overlay}|layername=mask", "mask", "ogr")
    assert QgsVectorLayer(str(boxes), "hbb", "ogr").featureCount() == mask.featureCount() > 0


@pytest.fixture(autouse=True)
def empty_project():
    yield
    QgsProject.instance().clear()
