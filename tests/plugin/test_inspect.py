"""The dock's tab Inspect in a window of its own, driven by mouse and keys."""

import csv
import importlib
import json
import shutil
import time
from pathlib import Path

import pytest
from qgis.core import QgsCoordinateReferenceSystem, QgsProject, QgsRasterLayer
from qgis.gui import QgsMapCanvas, QgsMessageBar
from qgis.PyQt.QtCore import QEvent, QPoint, Qt
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import (
    QAction,
    QApplication,
    QComboBox,
    QDockWidget,
    QFileDialog,
    QLineEdit,
    QMainWindow,
    QMessageBox,
    QVBoxLayout,
    QWidget,
)

LEFT = Qt.MouseButton.LeftButton
LONG_S = 60


def wait_until(condition):
    """Let events pass until the condition holds."""
    end = time.monotonic() + LONG_S
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        QTest.qWait(5)


class Window(QMainWindow):
    """A map with a message bar over it, and OVEarth's dock."""

    def __init__(self, package):
        super().__init__()
        module = {
            name: importlib.import_module(f"ovearth.ovearth_plugin.{name}")
            for name in ("dock", "messages", "tasks")
        }
        self.canvas = QgsMapCanvas()
        self.bar = QgsMessageBar()
        middle = QWidget()
        column = QVBoxLayout(middle)
        column.addWidget(self.bar)
        column.addWidget(self.canvas, 1)
        self.setCentralWidget(middle)
        messages = module["messages"].Messages(self.bar)
        self.tasks = module["tasks"].Tasks(messages.failure)
        self.dock = module["dock"].OVEarthDock(self.canvas, self.tasks, messages, self)
        self.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
        self.panel = self.dock.inspect
        self.state = self.panel.state
        self.resize(1300, 850)

    def stop(self):
        if self.dock is not None:
            self.dock.stop()
            self.dock = None

    def said(self):
        return [item.text() for item in self.bar.items()]


@pytest.fixture
def window(package, qgis_new_project):
    shown = Window(package)
    shown.show()
    QTest.qWaitForWindowExposed(shown)
    yield shown
    shown.stop()
    shown.tasks.stop()
    wait_until(lambda: shown.tasks.running == 0)
    QgsProject.instance().clear()
    shown.close()
    shown.deleteLater()


@pytest.fixture
def here(sample, tmp_path):
    """The sample in a folder of the test's own."""
    for name in ("images", "runs"):
        shutil.copytree(sample.benchmark.parent / name, tmp_path / name)
    return Path(shutil.copy(sample.benchmark, tmp_path))


def click(widget, place=None):
    QTest.mouseClick(widget, LEFT, Qt.KeyboardModifier.NoModifier, place or QPoint())


def type_path(window, path):
    """Fill the file dialog that is open, and press Enter."""
    wait_until(lambda: _dialogs(window))
    (dialog,) = _dialogs(window)
    line = dialog.findChild(QLineEdit)
    line.clear()
    QTest.keyClicks(line, str(path))
    QTest.keyClick(line, Qt.Key.Key_Return)
    for question in window.findChildren(QMessageBox):
        QTest.keyClick(question, Qt.Key.Key_Y)
    wait_until(lambda: not _dialogs(window))


def _dialogs(window):
    return [one for one in window.findChildren(QFileDialog) if one.isVisible()]


def idle(window):
    wait_until(lambda: window.tasks.running == 0)


def open_benchmark(window, path):
    click(window.panel.runs.open)
    type_path(window, path)
    idle(window)


def add_run(window, path):
    click(window.panel.runs.add)
    type_path(window, path)
    idle(window)


def choose(box: QComboBox, text: str):
    """Choose an entry by keys: Home, then Down."""
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_Home)
    while box.currentText() != text:
        before = box.currentIndex()
        QTest.keyClick(box, Qt.Key.Key_Down)
        assert box.currentIndex() != before, f"no {text} in the list"


def click_row(window, line=0):
    view = window.panel.queries.view
    view.scrollTo(view.model().index(line, 0))
    click(view.viewport(), view.visualRect(view.model().index(line, 0)).center())
    idle(window)
    return window.state.row


def click_heading(window, text):
    header = window.panel.queries.view.horizontalHeader()
    model = window.panel.queries.model
    place = next(
        n for n in range(model.columnCount())
        if model.headerData(n, Qt.Orientation.Horizontal) == text
    )  # fmt: skip
    window.panel.queries.view.scrollTo(model.index(0, place))
    x = header.sectionViewportPosition(place) + header.sectionSize(place) // 2
    click(header.viewport(), QPoint(x, header.height() // 2))


def column(window, text):
    model = window.panel.queries.model
    place = next(
        n for n in range(model.columnCount())
        if model.headerData(n, Qt.Orientation.Horizontal) == text
    )  # fmt: skip
    return [model.index(line, place).data() for line in range(model.rowCount())]


def shapes(window):
    """The shown features by outcome."""
    found = {}
    for feature in window.panel.scene.layers.scene.getFeatures():
        found.setdefault(feature["outcome"], []).append(feature)
    return found


@pytest.fixture
def careful(window, here):
    """The window with the sample and its run `careful`."""
    open_benchmark(window, here)
    add_run(window, here.parent / "runs/careful.jsonl")
    return window


@pytest.fixture
def both(careful, here):
    """The window with hasty as A and careful as B."""
    add_run(careful, here.parent / "runs/hasty.jsonl.gz")
    choose(careful.panel.runs.first, "hasty")
    choose(careful.panel.runs.second, "careful")
    idle(careful)
    return careful


def test_a_run_fills_the_table_with_every_query_that_it_attempts(careful, sample):
    document = json.loads(sample.benchmark.read_text(encoding="utf-8"))
    ids = {query["id"] for query in document["queries"]}
    assert set(column(careful, "Query")) == ids
    assert careful.panel.queries.count.text() == f"{len(ids)} of {len(ids)} queries"


def test_the_numbers_are_those_of_the_command_line(both, here, command_line, tmp_path):
    command_line("score", here, here.parent / "runs/hasty.jsonl.gz", "--per-query", tmp_path / "q")
    lines = (tmp_path / "q/hasty.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    for text in lines:
        line = json.loads(text)
        row = both.state.inspected.benchmark.query_index[line["query_id"]]
        place = both.panel.queries.model.index_of(row)
        if "hbb" not in line or both.state.modality != "mask":
            continue
        shown = both.panel.queries.model
        iou = shown.index(place.row(), [c.value for c in both.state.table.columns].index("iou"))
        assert iou.data() == f"{line['mask']['iou']:.3f}"


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
    differences = column(both, "B − A")
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


def test_a_returned_target_is_kept_with_the_place_one_clicked(careful, here):
    row = click_row(careful)
    QTest.keyClicks(careful.panel.return_form.comment, "roof left out")
    click(careful.panel.return_form.pin)
    viewport = careful.canvas.viewport()
    click(viewport, viewport.rect().center())
    click(careful.panel.return_form.send)
    document = json.loads((here.parent / "benchmark.returned.json").read_text(encoding="utf-8"))
    (entry,) = document["targets"]
    assert entry["query_id"] == careful.state.inspected.benchmark.queries[row].id
    assert (entry["comment"], entry["run"]) == ("roof left out", "careful")
    image = careful.panel.scene.scene.image
    assert entry["x_px"] == pytest.approx(image.width / 2, abs=image.width / 20)
    assert entry["y_px"] == pytest.approx(image.height / 2, abs=image.height / 20)
    assert careful.panel.returned_list.tree.topLevelItemCount() == 1


def test_the_list_of_returned_targets_is_there_again_with_the_benchmark(careful, here):
    row = click_row(careful)
    click(careful.panel.return_form.send)
    open_benchmark(careful, here)
    assert careful.state.row is None
    careful.panel.tabs.setCurrentIndex(2)
    tree = careful.panel.returned_list.tree
    tree.setCurrentItem(tree.topLevelItem(0))
    QTest.keyClick(tree, Qt.Key.Key_Return)
    assert careful.state.row == row
    click(careful.panel.returned_list.remove)
    document = json.loads((here.parent / "benchmark.returned.json").read_text(encoding="utf-8"))
    assert document["targets"] == []


def test_a_list_that_cannot_be_written_is_said_and_kept_and_can_go_elsewhere(
    careful, here, tmp_path
):
    # Root may write anywhere: a folder in the file's place can't be written by anyone.
    (here.parent / "benchmark.returned.json").mkdir()
    click_row(careful)
    click(careful.panel.return_form.send)
    assert any("benchmark.returned.json" in text for text in careful.said())
    assert careful.panel.returned_list.tree.topLevelItemCount() == 1
    careful.panel.tabs.setCurrentIndex(2)
    click(careful.panel.returned_list.save_as)
    type_path(careful, tmp_path / "elsewhere.json")
    document = json.loads((tmp_path / "elsewhere.json").read_text(encoding="utf-8"))
    assert len(document["targets"]) == 1


def test_the_table_is_exported_as_it_stands(careful, tmp_path):
    choose(careful.panel.queries.filter_bar.task, "referring")
    careful.panel.tabs.setCurrentIndex(1)
    click(careful.panel.scores.export_queries)
    type_path(careful, tmp_path / "table.csv")
    idle(careful)
    with (tmp_path / "table.csv").open(encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert [line["query_id"] for line in lines] == column(careful, "Query")


def test_the_scores_are_exported_as_the_command_writes_them(careful, here, tmp_path, command_line):
    careful.panel.tabs.setCurrentIndex(1)
    click(careful.panel.scores.export_scores)
    type_path(careful, tmp_path / "scores.csv")
    idle(careful)
    command_line("score", here, here.parent / "runs/careful.jsonl", "--csv", tmp_path / "cli.csv")
    assert (tmp_path / "scores.csv").read_text() == (tmp_path / "cli.csv").read_text()


def test_the_overlay_is_exported_and_never_over_the_benchmark(careful, here, tmp_path):
    careful.panel.tabs.setCurrentIndex(1)
    click(careful.panel.scores.export_overlay)
    type_path(careful, tmp_path / "overlay.gpkg")
    idle(careful)
    assert (tmp_path / "overlay.gpkg").exists()
    before = here.read_bytes()
    careful.panel.exporter.queries(here)
    idle(careful)
    assert here.read_bytes() == before
    assert any("would replace what is read" in text for text in careful.said())


def test_the_scores_show_the_papers_tables_and_a_bar_leads_to_its_queries(careful):
    careful.panel.tabs.setCurrentIndex(1)
    assert "97.92" in careful.panel.scores.tables.toPlainText()
    plot = careful.panel.scores.by_category
    assert plot.names()
    click(plot, plot.bar_rect(0).center().toPoint())
    assert careful.panel.tabs.currentIndex() == 0
    assert set(column(careful, "Category")) == {plot.names()[0]}


def test_images_that_moved_are_said_and_found_where_one_says(careful, here, tmp_path):
    away = tmp_path / "moved"
    (here.parent / "images").rename(away)
    click_row(careful)
    assert careful.panel.missing.isVisible()
    assert shapes(careful) is not None
    assert careful.panel.scene.layers.image is None
    assert len(careful.said()) == 1
    click(careful.panel.look)
    type_path(careful, away)
    idle(careful)
    assert not careful.panel.missing.isVisible()
    assert careful.panel.scene.layers.image.isValid()


def test_a_run_of_another_benchmark_is_one_sentence(careful, tmp_path):
    other = tmp_path / "other.jsonl"
    other.write_text('{"query_id": "elsewhere", "hbb": []}\n')
    add_run(careful, other)
    (said,) = careful.said()
    assert "answers another benchmark" in said
    assert "Traceback" not in said
    assert [run.name for run in careful.state.runs] == ["careful"]


def test_a_broken_benchmark_is_one_sentence_and_the_last_one_stays(careful, tmp_path):
    broken = tmp_path / "broken.json"
    broken.write_text('{"images": [')
    open_benchmark(careful, broken)
    (said,) = careful.said()
    assert "broken.json" in said
    assert careful.state.first.name == "careful"


def test_a_layer_deleted_under_the_panel_comes_back_with_the_next_query(careful):
    click_row(careful)
    scene = careful.panel.scene.layers
    QgsProject.instance().removeMapLayers([scene.scene.id(), scene.image.id()])
    assert scene.scene is None and scene.image is None
    assert any("removed" in text for text in careful.said())
    click_row(careful, 5)
    assert scene.scene.featureCount() > 0
    assert scene.image.isValid()


def test_a_project_closed_while_a_task_runs_loses_no_run(careful, here):
    click(careful.panel.runs.add)
    type_path(careful, here.parent / "runs/hasty.jsonl.gz")
    QgsProject.instance().clear()
    idle(careful)
    assert [run.name for run in careful.state.runs] == ["careful", "hasty"]
    click_row(careful)
    assert careful.panel.scene.layers.scene.isValid()


def test_masks_lie_on_the_pixels_of_rotated_images_without_seams(both):
    choose(both.panel.threshold.modality, "Masks")
    benchmark, rotated = both.state.inspected.benchmark, 0
    for line in range(both.panel.queries.model.rowCount()):
        row = both.panel.queries.model.row_at(line)
        image = benchmark.image_by_id[both.state.inspected.image_of(row)]
        if image.transform[1] == 0 or not both.state.table.first.is_asked[row]:
            continue
        click_row(both, line)
        for some in shapes(both).values():
            corners = [[v.x(), v.y()] for one in some for v in one.geometry().vertices()]
            pixels = image.frame().map_to_pixel(corners)
            assert abs(pixels - pixels.round()).max() < 1e-6
        wholes = [geometry(some) for some in shapes(both).values()]
        union = wholes[0].unaryUnion(wholes)
        assert union.area() == pytest.approx(sum(whole.area() for whole in wholes), rel=1e-9)
        rotated += 1
    assert rotated > 3


def geometry(features):
    return features[0].geometry().unaryUnion([feature.geometry() for feature in features])


def test_the_button_opens_the_dock_and_unloading_takes_both_away(package, qgis_iface):
    window = qgis_iface.mainWindow()
    window.show()
    for _ in range(2):
        plugin = package.classFactory(qgis_iface)
        plugin.initGui()
        assert plugin.dock_button.dock is None
        plugin.dock_button.action.trigger()
        assert plugin.dock_button.dock.isVisible()
        plugin.dock_button.action.trigger()
        assert not plugin.dock_button.dock.isVisible()
        plugin.unload()
        QTest.qWait(20)
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        assert [
            one for one in window.findChildren(QDockWidget) if "OVEarth" in one.objectName()
        ] == []
        assert window.findChildren(QAction, "ovearth_dock_action") == []
    window.hide()


# Viénot, Brettel and Mollon (1999): linear RGB as people without red or green cones see it.
DICHROMATS = {
    "protanopia": [[0.11238, 0.88762, 0], [0.11238, 0.88762, 0], [0.00401, -0.00401, 1]],
    "deuteranopia": [[0.29275, 0.70725, 0], [0.29275, 0.70725, 0], [-0.02234, 0.02234, 1]],
}


@pytest.mark.parametrize("vision", DICHROMATS)
def test_the_three_colours_differ_for_colour_blind_people(package, vision):
    import numpy as np
    from ovearth.ovearth_core.overlay.colours import COLOURS

    seen = []
    for rgb in COLOURS.values():
        linear = (np.array(rgb) / 255) ** 2.2
        perceived = np.clip(np.array(DICHROMATS[vision]) @ linear, 0, 1) ** (1 / 2.2) * 255
        seen.append(perceived)
    for a, b in ((0, 1), (0, 2), (1, 2)):
        assert np.linalg.norm(seen[a] - seen[b]) > 80


def test_layers_that_are_not_ours_stay_as_they_are(careful, here):
    theirs = QgsRasterLayer(str(here.parent / "images/farm.tif"), "theirs")
    QgsProject.instance().addMapLayer(theirs)
    name, crs = theirs.name(), theirs.crs()
    for line in (0, 20, 40):
        click_row(careful, line)
    careful.stop()
    assert QgsProject.instance().mapLayers() == {theirs.id(): theirs}
    assert (theirs.name(), theirs.crs()) == (name, crs)
    assert QgsProject.instance().layerTreeRoot().findGroups() == []


def test_what_a_saved_project_kept_of_inspect_is_gone_when_it_is_read(careful, tmp_path):
    click_row(careful)
    project = QgsProject.instance()
    project.write(str(tmp_path / "saved.qgz"))
    project.clear()
    project.read(str(tmp_path / "saved.qgz"))
    assert project.mapLayers() == {}
    assert project.layerTreeRoot().findGroups() == []
