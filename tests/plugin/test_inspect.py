"""Inspect in a window of its own: table, map, threshold and comparison, by mouse and keys."""

import json

import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsProject, QgsRasterLayer
from qgis.PyQt.QtCore import QPoint, Qt
from qgis.PyQt.QtTest import QTest

from .inspecting import (
    LEFT,
    choose,
    click,
    click_heading,
    click_row,
    column,
    idle,
    shapes,
    wait_until,
)


def test_a_run_fills_the_table_with_every_query_that_it_attempts(careful, sample):
    document = json.loads(sample.benchmark.read_text(encoding="utf-8"))
    ids = {query["id"] for query in document["queries"]}
    assert set(column(careful, "Query")) == ids
    assert careful.panel.queries.count.text() == f"{len(ids)} of {len(ids)} queries"


def test_the_numbers_are_those_of_the_command_line(both, here, command_line, tmp_path):
    command_line("score", here, here.parent / "runs/hasty.jsonl.gz", "--per-query", tmp_path / "q")
    lines = (tmp_path / "q/hasty.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    shown = dict(zip(column(both, "Query"), column(both, "IoU"), strict=True))
    wanted = {}
    for line in map(json.loads, lines):
        wanted[line["query_id"]] = f"{line['mask']['iou']:.3f}" if "mask" in line else "–"
    assert shown == wanted


def test_a_filter_by_keys_leaves_what_it_names(careful):
    choose(careful.panel.queries.filter_bar.task, "referring")
    assert set(column(careful, "Task")) == {"referring"}
    choose(careful.panel.queries.filter_bar.kind, "badly placed")
    assert set(column(careful, "Error")) <= {"badly placed"}
    choose(careful.panel.queries.filter_bar.task, "All tasks")
    choose(careful.panel.queries.filter_bar.kind, "hallucinated")
    assert set(column(careful, "Polarity")) == {"negative"}
    assert len(column(careful, "Query")) == 6


def test_a_click_on_a_heading_sorts_and_worst_first_is_one_click(careful):
    click_heading(careful, "Category")
    names = column(careful, "Category")
    assert names == sorted(names, key=str.casefold)
    click_heading(careful, "Category")
    assert column(careful, "Category") == names[::-1]
    click(careful.panel.queries.filter_bar.worst)
    errors = column(careful, "Error")
    assert errors[0] in {"hallucinated", "missed"}
    assert errors[-1] == "good"


def test_selecting_a_query_goes_to_its_image_and_shows_its_text(careful):
    row = click_row(careful)
    query = careful.state.inspected.benchmark.queries[row]
    assert careful.panel.scene.caption.isVisible()
    assert query.text in careful.panel.scene.caption.text()
    image = careful.panel.scene.layers.image
    assert isinstance(image, QgsRasterLayer)
    target = careful.state.inspected.benchmark.target_by_id[query.target_id]
    name = careful.state.inspected.benchmark.image_by_id[target.image_id].file_name
    assert image.source().endswith(name)
    assert careful.canvas.extent().contains(image_extent(careful))


def image_extent(window):
    from qgis.core import QgsCoordinateTransform

    layer = window.panel.scene.layers.scene
    crs = window.canvas.mapSettings().destinationCrs()
    transform = QgsCoordinateTransform(layer.crs(), crs, QgsProject.instance())
    return transform.transformBoundingBox(layer.extent()) if crs.isValid() else layer.extent()


@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:3857", "EPSG:3035"])
def test_every_image_is_gone_to_in_any_crs_of_the_project(careful, crs):
    careful.canvas.setDestinationCrs(QgsCoordinateReferenceSystem(crs))
    seen = set()
    for line in range(careful.panel.queries.model.rowCount()):
        row = careful.panel.queries.model.row_at(line)
        image = careful.state.inspected.image_of(row)
        if image in seen:
            continue
        seen.add(image)
        click_row(careful, line)
        if shapes(careful):
            assert careful.canvas.extent().contains(image_extent(careful))
    assert len(seen) == 6


def test_the_boxes_on_the_map_are_those_of_the_overlay_to_a_millionth(both):
    from ovearth.ovearth_core.overlay import QueryOverlay

    choose(both.panel.threshold.modality, "Oriented boxes")
    overlay = QueryOverlay.of_scores(both.state.first.scores)
    benchmark = both.state.inspected.benchmark
    for line in range(0, both.panel.queries.model.rowCount(), 9):
        row = click_row(both, line)
        query = benchmark.queries[row]
        record = both.state.first.answers.get(query.id)
        wanted = {}
        for feature in overlay.box_features(query.id, record, "obb", both.state.threshold):
            frame = benchmark.image_by_id[feature.image_id].frame()
            wanted.setdefault(feature.outcome, []).append(feature.in_map(frame)[0][0])
        found = shapes(both)
        found.pop("truth", None)
        assert {name: len(some) for name, some in found.items()} == {
            name: len(some) for name, some in wanted.items()
        }
        for name, some in found.items():
            for feature, ring in zip(some, wanted[name], strict=True):
                vertices = [(v.x(), v.y()) for v in feature.geometry().vertices()]
                for (x, y), (u, v) in zip(vertices, ring.tolist(), strict=True):
                    assert abs(x - u) < 1e-6 and abs(y - v) < 1e-6


def test_the_slider_changes_table_map_and_scores_at_once(both):
    choose(both.panel.threshold.modality, "Horizontal boxes")
    click_row(both, 3)
    both.panel.tabs.setCurrentIndex(1)
    slider = both.panel.threshold.slider
    slider.setFocus()
    before = both.panel.scores.at_threshold.toPlainText()
    while slider.value() < slider.maximum():
        QTest.keyClick(slider, Qt.Key.Key_Right)
    idle(both)
    assert both.panel.threshold.value.text() == "0.95"
    after = both.panel.scores.at_threshold.toPlainText()
    assert after != before and "0.95" in after
    table, row = both.state.table, both.state.row
    found = shapes(both)
    assert len(found.get("matched", [])) == table.first.matched(table.step)[row]
    assert len(found.get("spurious", [])) == table.first.spurious(table.step)[row]
    assert len(found.get("missed", [])) == table.first.missed(table.step)[row]


def test_each_box_has_its_iou_beside_it(both):
    choose(both.panel.threshold.modality, "Horizontal boxes")
    click_row(both, 3)
    layer = both.panel.scene.layers.scene
    assert layer.labelsEnabled()
    for feature in layer.getFeatures():
        label = "" if feature["outcome"] == "truth" else f"{feature['iou']:.2f}"
        assert feature["label"] == label


def test_b_better_than_a_shows_such_queries_only(both):
    click(both.panel.queries.filter_bar.better, QPoint(8, 8))
    differences = column(both, "IoU: B − A")
    assert differences
    assert all(text.startswith("+") for text in differences)


def test_side_by_side_the_two_maps_move_together(both):
    choose(both.panel.mode, "A and B side by side")
    click_row(both, 2)
    second = both.panel.second_map.canvas
    assert second.isVisible()
    names = [layer.name() for layer in second.layers()]
    assert names[0].startswith("careful: ")
    assert both.panel.scene.layers.image in second.layers()
    assert both.panel.scene.layers.scene.name().startswith("hasty: ")
    for moved, other in ((both.canvas, second), (second, both.canvas)):
        moved.zoomByFactor(0.5)
        assert other.center().distance(moved.center()) < moved.mapUnitsPerPixel()
        assert other.scale() == pytest.approx(moved.scale(), rel=1e-6)


def test_the_map_stays_where_it_is_when_the_second_one_comes_and_changes_its_size(both):
    click_row(both, 2)
    centre, scale = both.canvas.center(), both.canvas.scale()
    second = both.panel.second_map.canvas
    choose(both.panel.mode, "A and B side by side")
    idle(both)
    wait_until(second.isVisible)
    for size in (None, (1366, 768), (1500, 1000), (1300, 850)):
        if size is not None:
            both.resize(*size)
        QTest.qWait(50)
        assert both.canvas.center().distance(centre) < both.canvas.mapUnitsPerPixel()
        assert both.canvas.scale() == pytest.approx(scale, rel=0.5)
        assert second.center().distance(centre) < both.canvas.mapUnitsPerPixel()
        assert second.scale() == pytest.approx(both.canvas.scale(), rel=1e-6)
    both.panel.tabs.setCurrentIndex(1)
    choose(both.panel.mode, "A alone")
    idle(both)
    assert both.canvas.center().distance(centre) < both.canvas.mapUnitsPerPixel()


def test_the_box_of_modalities_shows_what_is_looked_at(both):
    for name, text in (("obb", "Oriented boxes"), ("mask", "Masks")):
        both.state.choose_modality(name)
        assert both.panel.threshold.modality.currentText() == text
    idle(both)


def test_the_swipe_shows_b_right_of_a_line_that_the_mouse_drags(both):
    choose(both.panel.mode, "Swipe from A to B")
    click_row(both, 2)
    swipe = both.panel.scene.swipe
    wait_until(lambda: not swipe.item.picture.isNull())
    assert swipe.item.picture.size() == both.canvas.viewport().size()
    viewport = both.canvas.viewport()
    middle = viewport.height() // 2
    QTest.mousePress(
        viewport, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(swipe.item.line_x, middle)
    )
    QTest.mouseMove(viewport, QPoint(100, middle))
    QTest.mouseRelease(viewport, LEFT, Qt.KeyboardModifier.NoModifier, QPoint(100, middle))
    assert abs(swipe.item.line_x - 100) <= 2
    choose(both.panel.mode, "A alone")
    idle(both)
    assert swipe.item is None
