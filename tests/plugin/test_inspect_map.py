"""What Inspect has on the map: images where the benchmark says, and nothing that has to go."""

import json
import shutil

import pytest
from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsProject,
    QgsRasterLayer,
)
from qgis.gui import QgsLayerTreeMapCanvasBridge
from qgis.PyQt.QtCore import QEvent, QPoint, QPointF, Qt
from qgis.PyQt.QtGui import QMouseEvent
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QApplication

from .inspecting import (
    LEFT,
    add_run,
    choose,
    click,
    click_row,
    idle,
    open_benchmark,
    shapes,
    type_path,
    wait_until,
)

PNG = "images/farm.png"


def rewritten(here, change):
    """Change each image of a benchmark on disk."""
    document = json.loads(here.read_text(encoding="utf-8"))
    for image in document["images"]:
        change(image)
    here.write_text(json.dumps(document), encoding="utf-8")
    return document


def without_place(image):
    for key in ("crs", "transform", "operation"):
        image.pop(key, None)


def show(window, here, name):
    """Open the benchmark, and select a query of an image."""
    open_benchmark(window, here)
    add_run(window, here.parent / "runs/careful.jsonl")
    benchmark = window.state.inspected.benchmark
    model = window.panel.queries.model
    line = next(
        line for line in range(model.rowCount())
        if benchmark.image_by_id[window.state.inspected.image_of(model.row_at(line))].file_name
        == name and benchmark.queries[model.row_at(line)].is_positive
    )  # fmt: skip
    click_row(window, line)
    return window.panel.scene.layers.image


def corners(layer):
    box = layer.extent()
    return [box.xMinimum(), box.yMinimum(), box.xMaximum(), box.yMaximum()]


class TestPlacing:
    def test_a_png_lies_where_the_benchmark_says(self, window, here):
        tif = here.parent / "images/farm.tif"
        wanted = QgsRasterLayer(str(tif), "as it was")
        gdal.Translate(str(here.parent / PNG), str(tif), options=["-of", "PNG"])
        for beside in here.parent.glob("images/farm.png.*"):
            beside.unlink()
        tif.unlink()

        def name_it(image):
            if image["file_name"] == "images/farm.tif":
                image["file_name"] = PNG

        rewritten(here, name_it)
        image = show(window, here, PNG)
        assert image.crs() == wanted.crs()
        assert corners(image) == pytest.approx(corners(wanted))
        # The same pixels as the file that has a place.
        block = image.dataProvider().block(1, image.extent(), image.width(), image.height())
        other = wanted.dataProvider().block(1, wanted.extent(), wanted.width(), wanted.height())
        assert block.data() == other.data()

    def test_an_image_of_a_benchmark_in_pixels_lies_under_its_boxes_in_pixels(self, window, here):
        rewritten(here, without_place)
        image = show(window, here, "images/farm.tif")
        assert not image.crs().isValid()
        assert corners(image) == [0, -image.height(), image.width(), 0]
        assert image.extent().contains(window.panel.scene.layers.scene.extent())
        assert window.canvas.extent().contains(image.extent())

    def test_a_saved_project_is_read_without_an_unavailable_layer(self, window, here, tmp_path):
        rewritten(here, without_place)
        show(window, here, "images/farm.tif")
        project = QgsProject.instance()
        project.write(str(tmp_path / "saved.qgz"))
        bad = []
        project.readMapLayer.connect(lambda layer, _: bad.append(layer.isValid()))
        project.read(str(tmp_path / "saved.qgz"))
        assert False not in bad
        assert project.mapLayers() == {}

    def test_another_image_of_the_same_name_is_not_taken(self, window, here):
        (here.parent / "images/farm.tif").unlink()
        shutil.copy(here.parent / "images/market.tif", here.parent / "farm.tif")
        assert show(window, here, "images/farm.tif") is None
        text = window.panel.missing.text()
        assert "farm.tif is not the image images/farm.tif: its file" in text
        assert shapes(window)

    def test_a_folder_without_the_image_is_said(self, window, here, tmp_path):
        (here.parent / "images/farm.tif").unlink()
        assert show(window, here, "images/farm.tif") is None
        (tmp_path / "nothing here").mkdir()
        click(window.panel.look)
        type_path(window, tmp_path / "nothing here")
        idle(window)
        assert any("nothing here either: The image images/farm.tif" in one for one in window.said())
        assert window.panel.missing.isVisible()


def test_an_image_across_180_degrees_is_not_drawn_torn_in_a_far_crs_without_a_word(
    window, tmp_path
):
    document = {
        "info": {"format": "ovearth-benchmark/1"}, "categories": [{"id": 1, "name": "thing"}],
        "images": [{"id": 1, "file_name": "a.tif", "width": 300, "height": 200, "crs": "EPSG:4326",
                    "transform": [1e-5, 0, 179.999, 0, -1e-5, -17.0]}],
        "targets": [{"id": 1, "image_id": 1, "category_id": 1}],
        "annotations": [{"id": 1, "target_id": 1, "image_id": 1, "category_id": 1,
                         "bbox": [50, 40, 60, 40]}],
        "queries": [{"id": "q", "target_id": 1, "task": "vocabulary", "polarity": "positive",
                     "text": "thing"}],
    }  # fmt: skip
    (tmp_path / "b.json").write_text(json.dumps(document))
    (tmp_path / "r.jsonl").write_text('{"query_id": "q", "hbb": [[50, 40, 110, 80]]}\n')
    window.canvas.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:32632"))
    open_benchmark(window, tmp_path / "b.json")
    add_run(window, tmp_path / "r.jsonl")
    click_row(window)
    assert any("choose EPSG:4326 for the project" in text for text in window.said())


@pytest.fixture
def bridged(both):
    """The window of two runs, its map bound to the layer tree as in QGIS."""
    bridge = QgsLayerTreeMapCanvasBridge(QgsProject.instance().layerTreeRoot(), both.canvas)
    yield both
    del bridge


def picture(window):
    swipe = window.panel.scene.swipe
    wait_until(lambda: swipe.item is not None and not swipe.item.picture.isNull())
    return swipe.item.picture


def settled(window):
    """The picture once nothing is drawn any more."""
    swipe = window.panel.scene.swipe
    QTest.qWait(50)
    wait_until(lambda: not window.canvas.isDrawing() and not swipe._jobs)
    return picture(window).copy()


class TestSwipe:
    def test_an_image_that_is_removed_is_gone_from_the_picture_too(self, bridged, capsys):
        choose(bridged.panel.mode, "Swipe from A to B")
        click_row(bridged, 2)
        before = settled(bridged)
        QgsProject.instance().removeMapLayer(bridged.panel.scene.layers.image.id())
        bridged.canvas.refresh()
        wait_until(lambda: settled(bridged) != before)
        assert "Traceback" not in capsys.readouterr().err

    def test_it_turns_with_the_map(self, bridged):
        choose(bridged.panel.mode, "Swipe from A to B")
        click_row(bridged, 2)
        before = settled(bridged)
        bridged.canvas.setRotation(30)
        wait_until(lambda: settled(bridged) != before)

    def test_what_is_unticked_is_not_shown_beside_or_under_it(self, bridged):
        image = bridged.panel.scene.layers
        choose(bridged.panel.mode, "Swipe from A to B")
        click_row(bridged, 2)
        before = settled(bridged)
        root = QgsProject.instance().layerTreeRoot()
        root.findLayer(image.image.id()).setItemVisibilityChecked(False)
        wait_until(lambda: settled(bridged) != before)
        choose(bridged.panel.mode, "A and B side by side")
        idle(bridged)
        second = bridged.panel.second_map.canvas
        assert image.image not in second.layers()
        root.findLayer(image.image.id()).setItemVisibilityChecked(True)
        wait_until(lambda: image.image in second.layers())

    def test_a_new_project_takes_it_away(self, bridged):
        choose(bridged.panel.mode, "Swipe from A to B")
        click_row(bridged, 2)
        picture(bridged)
        QgsProject.instance().clear()
        assert bridged.panel.scene.swipe.item is None


def test_the_second_map_is_240_pixels_high_on_a_laptop_and_a_left_drag_pans_both(bridged):
    bridged.resize(1366, 700)
    choose(bridged.panel.mode, "A and B side by side")
    click_row(bridged, 2)
    second = bridged.panel.second_map.canvas
    wait_until(second.isVisible)
    QTest.qWait(50)
    assert second.height() >= 240
    assert bridged.panel.queries.view.height() >= 60
    assert bridged.height() <= 768
    before, viewport = bridged.canvas.center(), second.viewport()
    start = viewport.rect().center()
    QTest.mousePress(viewport, LEFT, Qt.KeyboardModifier.NoModifier, start)
    for step in (10, 30, 60):
        # QTest's own moves have no button down.
        at = QPointF(start + QPoint(step, 0))
        kind, none = QEvent.Type.MouseMove, Qt.KeyboardModifier.NoModifier
        where = QPointF(viewport.mapToGlobal(at.toPoint()))
        QApplication.sendEvent(viewport, QMouseEvent(kind, at, where, LEFT, LEFT, none))
    QTest.mouseRelease(viewport, LEFT, Qt.KeyboardModifier.NoModifier, start + QPoint(60, 0))
    moved = before.x() - bridged.canvas.center().x()
    wide = second.mapUnitsPerPixel() * 60
    assert moved == pytest.approx(wide, rel=0.2)


class TestProject:
    def test_a_new_one_clears_caption_pin_and_button_without_a_message(self, careful):
        row = click_row(careful)
        form = careful.panel.return_form
        QTest.keyClicks(form.comment, "half written")
        click(form.pin)
        viewport = careful.canvas.viewport()
        click(viewport, viewport.rect().center())
        assert form._marker is not None
        QgsProject.instance().clear()
        QTest.qWait(20)
        assert not careful.panel.scene.caption.isVisible()
        assert form._marker is None and form.comment.text() == "half written"
        assert not careful.panel.zoom.isEnabled()
        assert careful.said() == []
        assert careful.state.row == row

    def test_a_click_on_the_selected_row_brings_its_layers_back(self, careful):
        row = click_row(careful, 3)
        layers = careful.panel.scene.layers
        for lose in (
            QgsProject.instance().clear,
            lambda: QgsProject.instance().removeMapLayer(layers.image.id()),
            lambda: QgsProject.instance().removeMapLayer(layers.scene.id()),
        ):
            lose()
            assert click_row(careful, 3) == row
            assert layers.image is not None and layers.scene.featureCount()
            assert careful.panel.scene.caption.isVisible()
            assert careful.panel.zoom.isEnabled()

    def test_a_drawing_that_was_begun_before_does_not_land_in_it(self, careful):
        click_row(careful)
        careful.panel.scene.draw()
        careful.panel.scene.draw()
        QgsProject.instance().clear()
        idle(careful)
        QTest.qWait(50)
        assert QgsProject.instance().mapLayers() == {}
        assert not careful.panel.scene.caption.isVisible()

    def test_looking_at_queries_leaves_nothing_to_save(self, careful, tmp_path):
        QgsProject.instance().write(str(tmp_path / "p.qgz"))
        for line in (0, 7, 9):
            click_row(careful, line)
            QTest.qWait(20)
        assert not QgsProject.instance().isDirty()
        QgsProject.instance().setTitle("theirs")
        click_row(careful, 2)
        assert QgsProject.instance().isDirty()

    def test_a_copy_that_someone_made_of_a_layer_is_theirs(self, careful, tmp_path):
        click_row(careful)
        project = QgsProject.instance()
        copies = [
            layer.clone() for layer in (careful.panel.scene.layers.scene,
                                        careful.panel.scene.layers.image)
        ]  # fmt: skip
        project.addMapLayers(copies)
        project.write(str(tmp_path / "saved.qgz"))
        ids = {copy.id() for copy in copies}
        project.clear()
        project.read(str(tmp_path / "saved.qgz"))
        assert set(project.mapLayers()) == ids


def test_a_closed_dock_leaves_nothing_over_the_map_and_shows_it_again(bridged):
    choose(bridged.panel.mode, "Swipe from A to B")
    click_row(bridged, 2)
    picture(bridged)
    bridged.dock.close()
    assert not bridged.panel.scene.caption.isVisible()
    assert bridged.panel.scene.swipe.item is None
    QTest.qWait(30)
    bridged.dock.setUserVisible(True)
    idle(bridged)
    assert bridged.panel.scene.caption.isVisible()
    assert not picture(bridged).isNull()


def test_the_last_picture_goes_with_the_last_run(careful):
    bridge = QgsLayerTreeMapCanvasBridge(QgsProject.instance().layerTreeRoot(), careful.canvas)
    click_row(careful)
    wait_until(lambda: careful.canvas.layers() and not careful.canvas.isDrawing())
    QTest.qWait(400)
    click(careful.panel.runs.remove)
    wait_until(lambda: not careful.canvas.layers() and not careful.canvas.isDrawing())
    QTest.qWait(400)
    image = careful.canvas.grab().toImage()
    middle = image.pixelColor(image.width() // 2, image.height() // 2)
    assert middle == careful.canvas.canvasColor()
    del bridge


def test_the_dock_leaves_room_for_the_map_on_a_screen_of_1024_pixels(both):
    choose(both.panel.threshold.modality, "Oriented boxes")
    both.resize(1024, 700)
    QTest.qWait(30)
    assert both.width() == 1024
    for tab in (both.dock.collect, both.dock.review, both.panel):
        both.dock.tabs.setCurrentWidget(tab)
        QTest.qWait(10)
        assert both.dock.minimumSizeHint().width() <= 420
        assert both.width() == 1024


def test_f1_is_the_first_number_of_boxes_and_seen_without_scrolling(both):
    header, model = both.panel.queries.view.horizontalHeader(), both.panel.queries.model
    for modality, first in (("Oriented boxes", "F1"), ("Masks", "IoU"), ("Oriented boxes", "F1")):
        choose(both.panel.threshold.modality, modality)
        names = [
            model.headerData(place, Qt.Orientation.Horizontal)
            for place in range(model.columnCount())
        ]
        place = names.index(first)
        assert names[place - 1] == "Error"
        width = header.fontMetrics().horizontalAdvance("n") * 40
        assert header.sectionPosition(place) < width < header.length()
        assert header.sectionSize(names.index("Query")) > header.sectionSize(place)
