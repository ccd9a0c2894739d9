"""The dock on a small screen: rows flow into lines, and nothing is cut at 420 pixels."""

import importlib
from itertools import pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from qgis.PyQt.QtCore import QRect
from qgis.PyQt.QtGui import QFont
from qgis.PyQt.QtTest import QTest
from qgis.PyQt.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QPushButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from .inspecting import add_run, choose, open_benchmark

WIDEST = 420


@pytest.fixture
def small_letters():
    """Letters of nine points, as in QGIS's own window; offscreen, Qt's are of twelve."""
    before = QApplication.font()
    QApplication.setFont(QFont(before.family(), 9))
    yield
    QApplication.setFont(before)


@pytest.fixture
def flow(package):
    return importlib.import_module("ovearth.ovearth_plugin.flow")


def test_every_tab_fits_into_420_pixels_also_with_runs_that_are_compared(
    small_letters, window, here
):
    open_benchmark(window, here)
    add_run(window, here.parent / "runs/careful.jsonl")
    add_run(window, here.parent / "runs/hasty.jsonl.gz")
    choose(window.panel.runs.second, "hasty")
    for tab in (window.dock.collect, window.dock.review, window.dock.inspect):
        window.dock.tabs.setCurrentWidget(tab)
        for place in range(tab.tabs.count()):
            tab.tabs.setCurrentIndex(place)
            QTest.qWait(10)
            needed = window.dock.tabs.minimumSizeHint().width()
            assert needed <= WIDEST, (type(tab).__name__, tab.tabs.tabText(place))


def test_in_a_narrow_dock_no_button_is_narrower_than_its_text(small_letters, window):
    window.dock.widget().setFixedWidth(WIDEST)
    QTest.qWait(10)
    for tab in (window.dock.collect, window.dock.review, window.dock.inspect):
        window.dock.tabs.setCurrentWidget(tab)
        for place in range(tab.tabs.count()):
            tab.tabs.setCurrentIndex(place)
            QTest.qWait(10)
            seen = [one for one in tab.findChildren((QPushButton, QCheckBox)) if one.isVisible()]
            assert seen
            for one in seen:
                text = one.fontMetrics().horizontalAdvance(one.text())
                assert one.width() >= text, one.text()
                assert tab.rect().contains(QRect(one.mapTo(tab, one.rect().topLeft()), one.size()))


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(st.tuples(st.integers(1, 30), st.booleans(), st.booleans()), max_size=9),
    st.integers(20, 900),
)
def test_what_flows_stays_in_order_within_its_width_and_never_overlaps(flow, things, width):
    parent = QWidget()
    widgets = []
    for letters, grows, is_hidden in things:
        widget = QPushButton("n" * letters, parent)
        if grows:
            widget.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        widget.setVisible(not is_hidden)
        widgets.append(widget)
    column = QVBoxLayout(parent)
    column.setContentsMargins(0, 0, 0, 0)
    row = flow.Flow(widgets, parent)
    column.addWidget(row)
    column.addStretch(1)
    width = max(width, row.minimumSizeHint().width(), 1)
    parent.resize(width, 400)
    parent.show()
    shown = [one.geometry() for one in widgets if one.isVisible()]
    for one, widget in zip(shown, (w for w in widgets if w.isVisible()), strict=True):
        assert one.width() >= widget.sizeHint().width()
        assert one.left() >= 0
        assert one.right() < width
    for one, other in pairwise(shown):
        is_beside = other.top() == one.top() and other.left() > one.right()
        is_below = other.top() > one.bottom() and other.left() == 0
        assert is_beside or is_below
    assert all(row.rect().contains(one) for one in shown)
    parent.close()
    parent.deleteLater()


def test_one_that_wants_to_grow_takes_what_its_line_leaves(flow):
    grows, stays = QComboBox(), QPushButton("Go")
    grows.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    row = flow.Flow((grows, stays))
    row.resize(500, 40)
    row.show()
    assert stays.width() == stays.sizeHint().width()
    assert stays.geometry().right() == 499
    row.close()
    row.deleteLater()
