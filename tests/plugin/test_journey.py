"""The whole journey in one go: from an empty folder to a scored run, and back into Review."""

import importlib

import numpy as np
import pytest
from osgeo import gdal

from . import journey
from .collecting import images, needs_osm, results, serving, states
from .inspecting import click
from .journey import ACCEPTED, MIDDLE, PIXEL_M, RADIUS_M, SIDE_M, SIZE, SQUARE, WIDER
from .reviewing import give_drawing_tool, instances, log, target

NAME = "fuel station"


@pytest.fixture
def travelling(window, package):
    """The window with QGIS's tool to draw at hand."""
    give_drawing_tool(window, package)
    yield window
    window.canvas.unsetMapTool(window.canvas.mapTool())


@needs_osm
def test_a_dataset_is_made_from_nothing_scored_and_sent_back(travelling, core, model, tmp_path):
    pytest.importorskip("osmium.filter", reason="osmium 4 is not installed here")
    window = travelling
    dataset = makes_a_dataset(window, tmp_path / "stations")
    finds_and_accepts_places(window, dataset)
    cuts_patches(window, dataset, tmp_path)
    draws_and_clicks(window, dataset, model)
    is_sent_back_and_corrects(window, dataset)
    approves_and_derives_boxes(window, core, dataset)
    benchmark = exports(dataset)
    scores_a_run(dataset, benchmark)
    inspects_and_returns(window, dataset)
    goes_on(window, dataset)
    assert findings(dataset) == []


def makes_a_dataset(window, folder):
    dataset = journey.make_dataset(window, folder)
    assert dataset.path == folder / "dataset.gpkg"
    assert (folder / "images").is_dir()
    with dataset.reading() as view:
        assert view.counts()["categories"] > 100
        assert view.counts()["pois"] == 0
    assert window.dock.open_dataset.layers.layer("instances").featureCount() == 0
    return dataset


def finds_and_accepts_places(window, dataset):
    journey.search_places(window)
    assert states(dataset) == ["candidate"] * 5, window.said()
    assert window.dock.open_dataset.layers.layer("pois").featureCount() == 5
    journey.accept_places(window, dataset)
    assert states(dataset) == ["accepted"] * ACCEPTED + ["rejected"] * 2


def cuts_patches(window, dataset, folder):
    scene = journey.write_scene(folder / "scene/scene.tif", dataset)
    journey.cut_from_raster(window, scene)
    assert [row[1] for row in results(window)] == ["patch"] * ACCEPTED, window.said()
    with serving(journey.winter(scene)) as served:
        journey.cut_from_server(window, served)
        assert [row[1] for row in results(window)] == ["patch"] * ACCEPTED, window.said()
    assert any("GetMap" in path for path in served.asked)
    made = images(dataset)
    assert len({row.file_name for row in made}) == len(made) == 2 * ACCEPTED
    for row in made:
        file = gdal.Open(str(dataset.folder / row.file_name))
        assert (file.RasterXSize, file.RasterYSize) == (SIZE, SIZE)
        assert row.gsd_m == pytest.approx(PIXEL_M, rel=1e-3)
    # The disc of the scene lies in the middle of each, dark in those of the server.
    for number, row in enumerate(made):
        file = gdal.Open(str(dataset.folder / row.file_name))
        raw = np.frombuffer(file.GetRasterBand(1).ReadRaster(), np.uint8).reshape(SIZE, SIZE)
        lit = raw > 200 if number < ACCEPTED else raw < 55
        assert np.argwhere(lit).mean(axis=0) + 0.5 == pytest.approx([MIDDLE, MIDDLE], abs=1.0)


def draws_and_clicks(window, dataset, model):
    journey.review_as(window, "anna")
    assert "6 of 6" in window.dock.review.queue.count.text()
    for number in range(ACCEPTED):
        sample = journey.take_next(window)
        assert (sample.image.id, sample.target) == (number + 1, None)
        if number == 1:
            journey.click_polygon(window, model, MIDDLE, MIDDLE, NAME)
        else:
            journey.draw(window, SQUARE, NAME)
        assert window.dock.review.problems.findings == []
        journey.submit(window)
        assert target(dataset, number + 1).state == "submitted"
    rows = instances(dataset)
    assert [(row.image_id, row.target_id, row.origin, row.created_by) for row in rows] == [
        (1, 1, "drawn", "anna"), (2, 2, "click-to-mask", "anna"), (3, 3, "drawn", "anna"),
    ]  # fmt: skip
    # A click is no finer than a pixel of the screen, which is finer here than one of the image.
    assert np.abs(rows[0].polygons[0][0][:4] - SQUARE).max() < 1.0
    assert area(rows[1]) == pytest.approx(np.pi * RADIUS_M**2, rel=0.02)
    assert [action for action, *_ in log(dataset, 1)] == ["created", "drew", "state"]


def is_sent_back_and_corrects(window, dataset):
    journey.review_as(window, "mia", "manager")
    first = journey.take_next(window).target.id
    journey.send_back(window, "the roof is wider", (100, 100))
    assert target(dataset, first).state == "returned"
    with dataset.reading() as view:
        line = next(row for row in view.reviews(first) if row.action == "return")
        pin = view.frame(target(dataset, first).image_id).lonlat_to_pixel([[line.lon, line.lat]])
    assert (line.who, line.comment, line.good_boundary) == ("mia", "the roof is wider", False)
    assert np.abs(pin - 100).max() < 2
    journey.review_as(window, "anna")
    # The one that came back is next, before those that nothing is drawn on.
    sample = journey.take_next(window)
    while sample.target is None:
        sample = journey.take_next(window)
    assert sample.target.id == first
    journey.correct(window, WIDER)
    (row,) = (row for row in instances(dataset) if row.target_id == first)
    assert np.abs(row.polygons[0][0][:-1] - WIDER).max() < 1.0
    journey.submit(window)
    assert [action for action, *_ in log(dataset, first)][-3:] == ["erased", "drew", "state"]


def approves_and_derives_boxes(window, core, dataset):
    journey.propose_texts(window, core, dataset)
    journey.review_as(window, "mia", "manager")
    for _ in range(ACCEPTED):
        sample = journey.take_next(window)
        journey.accept_text(window, sample.target)
        journey.approve(window)
        assert target(dataset, sample.target.id).state == "approved", window.said()
    journey.derive_boxes(window)
    with dataset.reading() as view:
        assert [query.state for query in view.queries()] == ["accepted"] * ACCEPTED
        assert view.counts()["hbb"] == view.counts()["obb"] == ACCEPTED
        by_target = {row.id: row.target_id for row in view.instances()}
        widths = {by_target[row.instance_id]: np.ptp(np.reshape(row.corners, (4, 2)), axis=0)
                  for row in view.boxes("hbb")}  # fmt: skip
    assert widths[1] == pytest.approx([70.0, 70.0], abs=1.5)
    assert widths[2] == pytest.approx([2 * RADIUS_M] * 2, abs=1.5)
    assert widths[3] == pytest.approx([SIDE_M] * 2, abs=1.5)
    assert window.dock.open_dataset.layers.layer("hbb").featureCount() == ACCEPTED


def exports(dataset):
    path = dataset.folder / "benchmark.json"
    document = journey.export(dataset, path)
    assert len(document["images"]) == len(document["targets"]) == ACCEPTED
    assert len(document["annotations"]) == len(document["queries"]) == ACCEPTED
    assert {query["text"] for query in document["queries"]} == {NAME}
    assert all((dataset.folder / image["file_name"]).is_file() for image in document["images"])
    return document


def scores_a_run(dataset, benchmark):
    run = journey.write_run(dataset.folder / "tiny.jsonl", benchmark)
    found = journey.score(dataset.folder / "benchmark.json", run, dataset.folder / "scores.json")
    (scored,) = found["runs"]
    assert scored["model"] == "tiny"
    assert scored["records"] == ACCEPTED
    # Two boxes lie on theirs, and one half beside it: an IoU of a third.
    counts = scored["hbb"]["vocabulary"]
    assert [counts[name] for name in ("queries", "tp_50", "fp_50", "fn_50")] == [3, 2, 1, 1]


def inspects_and_returns(window, dataset):
    window.dock.tabs.setCurrentWidget(window.dock.inspect)
    folder = dataset.folder
    row = journey.inspect(window, folder / "benchmark.json", folder / "tiny.jsonl")
    query = window.state.inspected.benchmark.queries[row]
    assert query.target_id == 3
    assert window.panel.scene.layers.image.source().endswith(".tif")
    journey.return_from_inspect(window, "it begins further right")
    assert target(dataset, 3).state == "returned"
    with dataset.reading() as view:
        line = [row for row in view.reviews(3) if row.action == "return"][-1]
        place = view.frame(3).lonlat_to_pixel([[line.lon, line.lat]])
        assert view.counts()["hbb"] == 2
    assert (line.who, line.comment) == ("mia", "it begins further right")
    assert np.abs(place - MIDDLE).max() < 8


def goes_on(window, dataset):
    """What was returned from Inspect waits in Review, and can be approved again."""
    journey.review_as(window, "anna")
    sample = journey.take_next(window)
    while sample.target is None:
        sample = journey.take_next(window)
    assert sample.target.id == 3
    journey.submit(window)
    journey.review_as(window, "mia", "manager")
    assert journey.take_next(window).target.id == 3
    journey.approve(window)
    assert target(dataset, 3).state == "approved"
    click(window.dock.review.boxes.derive)
    journey.idle(window)
    with dataset.reading() as view:
        assert view.counts()["hbb"] == ACCEPTED


def findings(dataset):
    check = importlib.import_module("ovearth.ovearth_core.checking.dataset_rows").check_dataset
    return [str(finding) for finding in check(dataset)]


def area(row):
    x, y = np.asarray(row.polygons[0][0]).T
    return abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2
