"""What Inspect says is short, is where one looks, and goes with what it is about."""

import json
import shutil

import pytest
from qgis.PyQt.QtCore import QEvent, QPoint, Qt
from qgis.PyQt.QtGui import QHelpEvent
from qgis.PyQt.QtWidgets import QApplication, QTextBrowser, QToolTip

from .inspecting import add_run, choose, click, click_row, idle, open_benchmark, wait_until

WORDS = 600


@pytest.fixture
def lengthy(careful, here, tmp_path):
    """The window with a benchmark whose first query has a very long text, with signs of HTML."""
    document = json.loads(here.read_text(encoding="utf-8"))
    for query in document["queries"]:
        query["text"] = " ".join(f"word{n}" for n in range(WORDS)) + " <b>end</b>"
    (tmp_path / "lengthy.json").write_text(json.dumps(document))
    open_benchmark(careful, tmp_path / "lengthy.json")
    add_run(careful, here.parent / "runs/careful.jsonl")
    return careful


def test_a_long_text_is_cut_to_a_few_lines_and_its_tip_has_the_whole(lengthy):
    row = click_row(lengthy)
    caption, viewport = lengthy.panel.scene.caption, lengthy.canvas.viewport()
    query = lengthy.state.inspected.benchmark.queries[row]
    for width in (1300, 1200, 1500):
        lengthy.resize(width, 850)
        wait_until(lambda: caption.width() <= lengthy.canvas.width())
        assert caption.height() < 8 * caption.fontMetrics().lineSpacing()
        assert caption.text().startswith("word0 word1 ") and "…\n" in caption.text()
        assert query.id in caption.text()
    place = QPoint(30, 30)
    event = QHelpEvent(QEvent.Type.ToolTip, place, viewport.mapToGlobal(place))
    QApplication.sendEvent(viewport, event)
    assert f"word{WORDS - 1} &lt;b&gt;end&lt;/b&gt;" in QToolTip.text()
    QToolTip.hideText()


def test_a_short_text_is_whole_above_the_map(careful):
    row = click_row(careful)
    text = careful.state.inspected.benchmark.queries[row].text
    assert careful.panel.scene.caption.text().startswith(text + "\n")


def test_what_is_said_of_an_image_goes_with_it_and_other_messages_stay(careful, here):
    (here.parent / "images/farm.tif").unlink()
    lines = range(careful.panel.queries.model.rowCount())
    images = careful.state.inspected
    rows = [careful.panel.queries.model.row_at(line) for line in lines]
    names = [images.benchmark.image_by_id[images.image_of(row)].file_name for row in rows]
    gone = next(line for line in lines if names[line].endswith("farm.tif"))
    there = next(line for line in lines if not names[line].endswith("farm.tif"))
    add_run(careful, here.parent / "runs/careful.jsonl")
    (other,) = careful.said()
    click_row(careful, gone)
    said = careful.said()
    assert len(said) == 2 and said[0].startswith("Use “Look elsewhere…”")
    click_row(careful, there)
    assert careful.said() == [other]


def test_a_message_that_a_person_closed_is_no_trouble_later(careful, here):
    shutil.rmtree(here.parent / "images")
    click_row(careful)
    careful.bar.clearWidgets()
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    click_row(careful, 5)
    assert careful.said() == []


def headings(window):
    model = window.panel.queries.model
    roles = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole
    return dict(
        tuple(model.headerData(n, Qt.Orientation.Horizontal, role) for role in roles)
        for n in range(model.columnCount())
    )


def test_every_heading_says_what_it_means_of_masks_and_of_boxes(both):
    choose(both.panel.threshold.modality, "Masks")
    masks = headings(both)
    choose(both.panel.threshold.modality, "Oriented boxes")
    idle(both)
    boxes = headings(both)
    for tips in (masks, boxes):
        assert len(set(tips.values())) == len(tips) and all(tips.values())
    for name in ("TP", "FP", "FN"):
        assert "pixels" in masks[name] and "boxes" in boxes[name]


def test_every_table_plot_and_filter_has_a_tip_of_its_own(careful):
    panel = careful.panel
    bar = panel.queries.filter_bar
    widgets = [
        panel.queries.view, panel.returned_list.tree, panel.scores.by_size,
        panel.scores.by_category, *panel.scores.findChildren(QTextBrowser),
        bar.task, bar.domain, bar.category, bar.size, bar.kind,
    ]  # fmt: skip
    tips = [widget.toolTip() for widget in widgets]
    assert all(tips) and len(set(tips)) == len(tips)
    header = panel.returned_list.tree.headerItem()
    assert all(header.toolTip(place) for place in range(header.columnCount()))


@pytest.mark.parametrize("button", ["open", "add"])
def test_a_picture_chosen_by_mistake_is_named_and_what_to_choose_is_said(careful, here, button):
    picture = here.parent / "images/farm.tif"
    loader = careful.panel.loader
    loader.open_benchmark(picture) if button == "open" else loader.add_runs([picture])
    idle(careful)
    (said,) = careful.said()
    assert said.startswith("is a TIFF image, no ") and "choose" in said
    assert str(here.parent) not in said
    click(careful.panel.queries.filter_bar.worst)


def test_the_heading_of_a_difference_says_of_which_number_it_is(both):
    model = both.panel.queries.model

    def headings():
        across = Qt.Orientation.Horizontal
        return [model.headerData(n, across) for n in range(model.columnCount())]

    assert "IoU: B − A" in headings()
    choose(both.panel.threshold.modality, "Oriented boxes")
    assert "F1: B − A" in headings()
    assert "IoU: B − A" not in headings()
