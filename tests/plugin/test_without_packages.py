"""What QGIS ships is enough to score, derive boxes, review and overlay."""

import importlib
import json
import re
import sys
from urllib.parse import quote

import numpy as np
import processing
import pytest
from osgeo import gdal, ogr, osr
from qgis.core import QgsProcessingException

from .inspecting import add_run, open_benchmark

NOT_IN_QGIS = {"shapely", "rasterio", "fiona", "geopandas", "pyarrow", "onnxruntime"}


class Blocked:
    """Finds none of the packages that QGIS lacks, whether or not they are installed."""

    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in NOT_IN_QGIS:
            raise ImportError(f"No module named {name!r}")


@pytest.fixture(autouse=True)
def nothing_but_qgis(monkeypatch):
    for name in [n for n in sys.modules if n.split(".")[0] in NOT_IN_QGIS]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Blocked(), *sys.meta_path])


@pytest.fixture
def core(package):
    return lambda name: importlib.import_module(f"ovearth.ovearth_core.{name}")


@pytest.fixture
def answers(core, sample):
    """Image frame, query and true oriented boxes of every positive query that has any."""
    found = []
    bench = core("benchmark")
    benchmark = bench.read_benchmark(sample.benchmark)
    truth = bench.Truth(benchmark)
    for query, has_boxes in zip(benchmark.queries, benchmark.has_boxes, strict=True):
        if has_boxes:
            target = benchmark.target_by_id[query.target_id]
            image = benchmark.image_by_id[target.image_id]
            if image.crs is not None:
                found.append((image.frame(), query, truth.obb(target.id)))
    return found


def write_vector(path, driver, answers):
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(4326)
    reference.SetAxisMappingStrategy(osr.OAMS_TRADITIONAL_GIS_ORDER)
    options = ["GEOMETRY=AS_WKT"] if driver == "CSV" else []
    file = ogr.GetDriverByName(driver).CreateDataSource(str(path))
    layer = file.CreateLayer("boxes", reference, ogr.wkbPolygon, options)
    for name in ("query_id", "kind"):
        layer.CreateField(ogr.FieldDefn(name, ogr.OFTString))
    for frame, query, boxes in answers:
        for box in boxes + 0.25:
            ring = ogr.Geometry(ogr.wkbLinearRing)
            for x, y in frame.pixel_to_lonlat(np.vstack([box, box[:1]])):
                ring.AddPoint_2D(float(x), float(y))
            polygon = ogr.Geometry(ogr.wkbPolygon)
            polygon.AddGeometry(ring)
            feature = ogr.Feature(layer.GetLayerDefn())
            feature.SetField("query_id", query.id)
            feature.SetField("kind", "obb")
            feature.SetGeometry(polygon)
            layer.CreateFeature(feature)
    if driver == "CSV":
        path.with_suffix(".prj").write_text(reference.ExportToWkt())


def score_here(sample, run, folder):
    out = folder / "here.json"
    processing.run("ovearth:score", {
        "BENCHMARK": str(sample.benchmark), "PREDICTIONS": [str(run)], "SCORES": str(out),
    })  # fmt: skip
    return json.loads(out.read_text(encoding="utf-8"))["runs"]


def score_there(sample, run, folder, command_line):
    command_line("score", sample.benchmark, run, "--json", folder / "there.json")
    return json.loads((folder / "there.json").read_text(encoding="utf-8"))["runs"]


@pytest.mark.parametrize("driver, name", [
    ("GPKG", "run.gpkg"), ("ESRI Shapefile", "run.shp"), ("FlatGeobuf", "run.fgb"),
    ("CSV", "run.csv"),
])  # fmt: skip
def test_vector_runs_score_as_they_do_with_fiona(
    plugin, sample, answers, command_line, tmp_path, driver, name
):
    write_vector(tmp_path / name, driver, answers)
    here = score_here(sample, tmp_path / name, tmp_path)
    there = score_there(sample, tmp_path / name, tmp_path, command_line)
    for runs in (here, there):
        # What PROJ calls an operation differs from version to version.
        runs[0]["frame"].pop("operations")
    assert here == there
    assert here[0]["obb"]["vocabulary"]["tp_50"] > 0


@pytest.mark.parametrize("driver, ending", [("PNG", "png"), ("GTiff", "tif")])
def test_folders_of_masks_score_as_they_do_with_rasterio(
    plugin, core, sample, command_line, tmp_path, driver, ending
):
    folder = tmp_path / "masks"
    folder.mkdir()
    bench = core("benchmark")
    benchmark = bench.read_benchmark(sample.benchmark)
    truth = bench.Truth(benchmark)
    for query in benchmark.queries[::7]:
        pixels = truth.mask(query.target_id).to_array().astype(np.uint8)
        memory = gdal.GetDriverByName("MEM").Create("", *pixels.shape[::-1], 1)
        memory.GetRasterBand(1).WriteArray(np.roll(pixels, 3, axis=1))
        path = folder / f"{quote(query.id, safe='')}.{ending}"
        gdal.GetDriverByName(driver).CreateCopy(str(path), memory)
    here = score_here(sample, folder, tmp_path)
    assert here == score_there(sample, folder, tmp_path, command_line)
    assert 0 < here[0]["segmentation"]["vocabulary"]["ma_iou"] < 1


@pytest.mark.parametrize("name", ["run.gpkg", "run.shp", "run.fgb"])
def test_damaged_files_are_one_sentence(plugin, sample, answers, tmp_path, name):
    driver = {"gpkg": "GPKG", "shp": "ESRI Shapefile", "fgb": "FlatGeobuf"}[name[4:]]
    path = tmp_path / name
    write_vector(path, driver, answers)
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(QgsProcessingException) as said:
        score_here(sample, path, tmp_path)
    assert name in str(said.value)
    assert "Traceback" not in str(said.value)


LINE = re.compile(r"GeoParquet needs pyarrow and shapely, .*run\.parquet\. In .*: .*pip install .*"
                  r'"pyarrow>=15" "shapely>=2"$')  # fmt: skip


def test_a_feature_that_needs_more_says_the_line_that_installs_it(plugin, sample, tmp_path):
    (tmp_path / "run.parquet").write_bytes(b"PAR1")
    with pytest.raises(QgsProcessingException) as said:
        score_here(sample, tmp_path / "run.parquet", tmp_path)
    assert LINE.search(str(said.value))


def test_the_message_bar_says_the_line_too(window, here, tmp_path):
    (tmp_path / "run.parquet").write_bytes(b"PAR1")
    open_benchmark(window, here)
    add_run(window, tmp_path / "run.parquet")
    (said,) = window.said()
    assert LINE.search(said)


def test_overlay_boxes_and_check_need_nothing_else(plugin, sample, tmp_path):
    overlay = processing.run("ovearth:overlaypredictions", {
        "BENCHMARK": str(sample.benchmark), "PREDICTIONS": str(sample.runs[0]),
        "THRESHOLD": 0.5, "OUTPUT": str(tmp_path / "overlay.gpkg"),
    })  # fmt: skip
    boxes = processing.run("ovearth:deriveboxes", {
        "INPUT": overlay["MASK"], "FRAME": 2, "HBB": "memory:", "OBB": "memory:",
    })  # fmt: skip
    assert boxes["OBB"].featureCount() > 0
    for place in (sample.dataset, sample.benchmark):
        assert "COUNT" in processing.run("ovearth:checkdataset", {"DATASET": str(place)})


def test_a_review_goes_from_draft_to_approved(core, tmp_path):
    frames, dataset = core("frame"), core("dataset")
    bare = frames.ImageFrame("EPSG:32632", (0.5, 0, 500000, 0, -0.5, 5200000), 100, 80)
    made = dataset.Dataset.create(tmp_path / "d", [dataset.CategoryRow(1, "tank", "Tank")])
    with made.writing("anna", "annotator") as edit:
        operation = bare.operation_to("EPSG:4326").proj
        edit.add(dataset.ImageRow(None, "a.tif", 100, 80, bare.crs, bare.transform, operation,
                                  bare.gsd()))  # fmt: skip
        target = edit.add_instance(1, 1, np.array([[1.0, 1], [9, 1], [9, 8]])).target_id
    with made.writing("bert", "manager") as edit:
        edit.set_state(target, "submitted")
        edit.set_state(target, "approved")
    assert str(core("dataset.boxes").derive_boxes(made, "ground")).startswith("2 derived")


class BrightThings:
    """A model for click-to-mask that needs no package: all that is bright."""

    name = "bright"

    def set_image(self, pixels):
        self.mask = pixels[..., 0] > 128

    def predict(self, points, labels, box=None):
        return self.mask[None], np.array([1.0])


def test_clicks_become_polygons(core, tmp_path):
    segment, pixels = core("segment"), np.full((300, 400), 20, np.uint8)
    pixels[50:250, 100:300] = 200
    pixels[100:140, 150:200] = 20
    path = tmp_path / "image.tif"
    file = gdal.GetDriverByName("GTiff").Create(str(path), 400, 300, 3)
    for band in (1, 2, 3):
        file.GetRasterBand(band).WriteArray(pixels)
    file = None
    frame = core("frame").ImageFrame("EPSG:32632", (0.5, 0, 512000, 0, -0.5, 5323000), 400, 300)
    image = segment.FilePixels(path)
    assert (
        image.read(segment.View(90, 40, 50, 60, 50, 60))[..., 1] == pixels[40:100, 90:140]
    ).all()
    session = segment.ClickSession(BrightThings(), image, frame)
    best = session.propose(session.clicked(segment.Clicks(), (512100, 5322960), True))[0]
    polygon = ogr.CreateGeometryFromJson(json.dumps(best.geojson()))
    assert polygon.IsValid()
    assert polygon.GetArea() == pytest.approx((200 * 200 - 40 * 50) / 4)


def test_a_model_file_names_the_package_that_it_needs(core, tmp_path):
    pair = [tmp_path / "encoder.onnx", tmp_path / "decoder.onnx"]
    for path in pair:
        path.write_bytes(b"\x08\x08")
    with pytest.raises(core("errors").MissingPackageError, match="pip install onnxruntime"):
        core("segment").open_model(",".join(map(str, pair)))
