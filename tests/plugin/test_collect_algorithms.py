"""Searching places and cutting patches as algorithms: chained, and without a window."""

import importlib
import json

import processing
import pytest
from qgis.core import QgsProcessingException, QgsRasterLayer, QgsVectorLayer

from .collecting import (
    LIECHTENSTEIN,
    add_raster,
    images,
    make_raster,
    needs_osm,
    read,
    serving,
    tiles,
    xyz_layer,
)
from .test_collect import PLACES, vector_layer


@pytest.fixture
def places(qgis_new_project):
    """Four places with categories, and one far off."""
    return vector_layer("EPSG:4326", [
        (lon, lat, f"place {n}", "fuel-station") for n, (lon, lat) in enumerate(PLACES)
    ])  # fmt: skip


def opened(folder):
    return importlib.import_module("ovearth.ovearth_core.dataset").Dataset.open(folder)


def test_patches_go_into_a_dataset_that_is_made_and_again_nothing_is_left(plugin, places, tmp_path):
    raster = QgsRasterLayer(str(make_raster(tmp_path / "scene.tif")), "scene")
    parameters = {"POIS": places, "IMAGERY": raster, "SIZE": 100, "FOLDER": str(tmp_path / "out")}
    first = processing.run("ovearth:extractpatches", parameters)
    assert (first["PATCHES"], first["REFUSED"], first["FAILED"]) == (4, 1, 0)
    rows = images(opened(tmp_path / "out"))
    assert len(rows) == 4
    values, transform, tags = read(tmp_path / "out" / rows[0].file_name)
    assert values.shape == (3, 100, 100)
    assert transform[1] == 2.0
    assert tags["CATEGORY"] == "fuel-station"
    again = processing.run("ovearth:extractpatches", parameters)
    assert again["PATCHES"] == 4
    assert images(opened(tmp_path / "out")) == rows


def test_a_coarser_pixel_is_taken_to_the_letter(plugin, places, tmp_path):
    raster = QgsRasterLayer(str(make_raster(tmp_path / "scene.tif")), "scene")
    folder = tmp_path / "out"
    processing.run("ovearth:extractpatches", {
        "POIS": places, "IMAGERY": raster, "SIZE": 50, "GSD": 3.0, "FOLDER": str(folder),
    })  # fmt: skip
    assert [row.gsd_m for row in images(opened(folder))] == pytest.approx([3.0] * 4)


def test_tiles_are_imagery_as_well(plugin, places, tmp_path):
    with serving(tiles) as served:
        done = processing.run("ovearth:extractpatches", {
            "POIS": places, "IMAGERY": xyz_layer(served, 17), "SIZE": 64, "GSD": 0.9,
            "FOLDER": str(tmp_path / "out"),
        })  # fmt: skip
    assert done["PATCHES"] == 5


def test_a_server_that_is_down_is_counted_and_listed(plugin, places, tmp_path):
    with serving(tiles) as served:
        layer = xyz_layer(served, 17)
        served.is_down = True
        done = processing.run("ovearth:extractpatches", {
            "POIS": places, "IMAGERY": layer, "SIZE": 64, "GSD": 0.9,
            "FOLDER": str(tmp_path / "out"),
        })  # fmt: skip
    assert done["FAILED"] == 5
    report = json.loads((tmp_path / "out/patches-report.json").read_text())
    assert all("transparent" in entry["detail"] for entry in report["failed"])


@needs_osm
def test_what_a_search_finds_is_what_patches_are_cut_of(plugin, tmp_path, qgis_new_project):
    pytest.importorskip("osmium.filter", reason="osmium 4 is not installed here")
    found = processing.run("ovearth:searchpois", {
        "CATEGORIES": "petrol station, school", "EXTENT": "9.4,9.7,47.0,47.3 [EPSG:4326]",
        "SOURCE": str(LIECHTENSTEIN), "LIMIT": 3, "MIN_SPACING": 100, "SEED": 2,
        "OUTPUT": "TEMPORARY_OUTPUT",
    })  # fmt: skip
    assert found["CHOSEN"] == 6
    layer = found["OUTPUT"]
    assert layer.crs().authid() == "EPSG:4326"
    assert {feature["category"] for feature in layer.getFeatures()} == {"fuel-station", "school"}
    raster = make_raster(
        tmp_path / "wide.tif", origin=(530000.0, 5240000.0), pixel=20.0, size=(1000, 1800)
    )
    done = processing.run("ovearth:extractpatches", {
        "POIS": layer, "IMAGERY": add_raster(raster, "wide"), "SIZE": 32,
        "FOLDER": str(tmp_path / "out"),
    })  # fmt: skip
    assert done["PATCHES"] == 6


@needs_osm
def test_a_search_into_a_dataset_finds_nothing_twice(plugin, dataset, qgis_new_project, tmp_path):
    pytest.importorskip("osmium.filter", reason="osmium 4 is not installed here")
    init = importlib.import_module("ovearth.ovearth_core.dataset.categories").init_dataset
    init(tmp_path / "mine", importlib.import_module("ovearth.ovearth_core.taxonomy").load())
    parameters = {
        "CATEGORIES": "fuel station", "EXTENT": "9.4,9.7,47.0,47.3 [EPSG:4326]", "LIMIT": 3,
        "SOURCE": str(LIECHTENSTEIN), "DATASET": str(tmp_path / "mine"),
        "OUTPUT": "TEMPORARY_OUTPUT",
    }  # fmt: skip
    assert processing.run("ovearth:searchpois", parameters)["CHOSEN"] == 3
    assert processing.run("ovearth:searchpois", parameters)["CHOSEN"] == 0


def test_a_layer_is_searched_too(plugin, places):
    found = processing.run("ovearth:searchpois", {
        "CATEGORIES": "fuel-station", "EXTENT": "9.4,9.5,47.0,47.4 [EPSG:4326]", "LAYER": places,
        "OUTPUT": "TEMPORARY_OUTPUT",
    })  # fmt: skip
    assert (found["FOUND"], found["CHOSEN"]) == (4, 4)


@pytest.mark.parametrize("change, said", [
    ({"CATEGORIES": "fule staton"}, "fuel station"),
    ({"SOURCE": "overpass"}, "either a source or a layer"),
    ({"LAYER": None}, "either a source or a layer"),
    ({"EXTENT": "10,11,95,96 [EPSG:4326]"}, "a latitude beyond"),
])  # fmt: skip
def test_bad_input_is_one_sentence(plugin, places, change, said):
    parameters = {
        "CATEGORIES": "fuel-station", "EXTENT": "9.4,9.5,47.0,47.4 [EPSG:4326]", "LAYER": places,
        "OUTPUT": "TEMPORARY_OUTPUT", **change,
    }  # fmt: skip
    with pytest.raises(QgsProcessingException) as fault:
        processing.run("ovearth:searchpois", parameters)
    assert said in str(fault.value)
    assert "Traceback" not in str(fault.value)


def test_both_run_through_qgis_process(qgis_process, tmp_path):
    raster = make_raster(tmp_path / "scene.tif")
    places = tmp_path / "places.geojson"
    features = [
        {"type": "Feature", "properties": {"name": f"p{n}", "category": "fuel-station"},
         "geometry": {"type": "Point", "coordinates": place}}
        for n, place in enumerate(PLACES)
    ]  # fmt: skip
    places.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    out = tmp_path / "found.geojson"
    qgis_process(
        "run", "ovearth:searchpois", "--", "CATEGORIES=fuel-station",
        "EXTENT=9.4,9.5,47.0,47.4 [EPSG:4326]", f"LAYER={places}", f"OUTPUT={out}",
    )  # fmt: skip
    assert QgsVectorLayer(str(out), "found", "ogr").featureCount() == 4
    folder = tmp_path / "out"
    done = qgis_process(
        "run", "ovearth:extractpatches", "--", f"POIS={out}", f"IMAGERY={raster}", "SIZE=64",
        f"FOLDER={folder}",
    )  # fmt: skip
    assert "4 patches" in done.stdout
    assert len(list((folder / "images").glob("*.tif"))) == 4
