"""What Inspect writes, and what it does when something is wrong or goes away."""

import csv
import json
from urllib.parse import quote

import numpy as np
import pytest
from osgeo import gdal
from qgis.core import QgsProject, QgsRasterLayer
from qgis.PyQt.QtCore import QEvent, Qt
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import QAction, QApplication, QDockWidget

from .inspecting import (
    add_run,
    choose,
    click,
    click_row,
    column,
    idle,
    open_benchmark,
    shapes,
    type_path,
    wait_until,
)


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


def test_go_to_image_can_be_pressed_once_there_is_one(window, here):
    assert not window.panel.zoom.isEnabled()
    open_benchmark(window, here)
    add_run(window, here.parent / "runs/careful.jsonl")
    assert not window.panel.zoom.isEnabled()
    click_row(window)
    assert window.panel.zoom.isEnabled()
    window.canvas.zoomByFactor(30)
    click(window.panel.zoom)
    assert window.canvas.extent().height() < 5 * window.panel.scene.layers.image.extent().height()
    open_benchmark(window, here)
    assert not window.panel.zoom.isEnabled()


def test_a_folder_of_masks_is_a_run_that_is_added_by_its_folder(window, here, tmp_path):
    open_benchmark(window, here)
    benchmark = window.state.inspected.benchmark
    (tmp_path / "my masks").mkdir()
    for query in benchmark.queries[:5]:
        image = benchmark.image_by_id[benchmark.target_by_id[query.target_id].image_id]
        name = f"{quote(query.id, safe='')}.png"
        pixels = np.zeros((image.height, image.width), np.uint8)
        pixels[: image.height // 2] = 255
        memory = gdal.GetDriverByName("MEM").Create("", image.width, image.height, 1)
        memory.GetRasterBand(1).WriteArray(pixels)
        gdal.GetDriverByName("PNG").CreateCopy(str(tmp_path / "my masks" / name), memory)
    click(window.panel.runs.add_masks)
    type_path(window, tmp_path / "my masks")
    idle(window)
    assert window.said() == []
    assert [run.path for run in window.state.runs] == [tmp_path / "my masks"]
    assert window.panel.threshold.modality.currentText() == "Masks"
    assert column(window, "Query")
    click_row(window)
    assert shapes(window)


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
    wait_until(lambda: any("removed" in text for text in careful.said()))
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
