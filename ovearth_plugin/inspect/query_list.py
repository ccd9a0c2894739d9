"""The table of queries with its filter, on the screen."""

from __future__ import annotations

from qgis.PyQt.QtCore import QModelIndex, Qt
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QLabel,
    QSizePolicy,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from ...ovearth_core.inspection.query_table import Column
from .filter_bar import FilterBar
from .query_model import QueryModel
from .state import InspectState

_WIDTHS_EM = {
    Column.QUERY: 8, Column.TEXT: 13, Column.TASK: 8, Column.IS_POSITIVE: 7, Column.DOMAIN: 9,
    Column.CATEGORY: 10, Column.SIZE: 6, Column.IS_PRESENT: 6, Column.ERROR: 10,
    Column.DIFFERENCE: 7,
}  # fmt: skip
_NUMBER_EM = 5
# A heading clicked first shows what one looks for: low quality, many errors.
_HIGH_FIRST = frozenset({Column.FP, Column.FN, Column.DIFFERENCE})


class QueryList(QWidget):
    """Filter and table; `count`, for the panel to place, tells how many queries are shown."""

    def __init__(self, state: InspectState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self.filter_bar = FilterBar(state, self)
        self.model = QueryModel(state, self)
        self.view = self._made_view()
        self.count = QLabel(self)
        self.count.setWordWrap(True)
        # As wide as there is room: a sentence in it must not keep the dock wide.
        self.count.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 2, 0, 0)
        layout.setSpacing(2)
        layout.addWidget(self.filter_bar)
        layout.addWidget(self.view, 1)
        # After the model's own: the view has its rows when this is called.
        state.table_changed.connect(self._table_changed)
        state.row_changed.connect(self._follow)
        self._columns: tuple[Column, ...] = ()
        self._table_changed()

    def _made_view(self) -> QTableView:
        view = QTableView(self)
        view.setModel(self.model)
        view.setToolTip(self.tr("The queries of run A's tasks; a click shows one on the map"))
        view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setWordWrap(False)
        view.setAlternatingRowColors(True)
        # Heading, row and scroll bar: beside a second map a small screen has no room for more.
        view.setMinimumHeight(3 * (view.fontMetrics().height() + 3))
        view.verticalHeader().hide()
        # One height for all: measuring a hundred thousand rows would take seconds.
        view.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        view.verticalHeader().setDefaultSectionSize(view.fontMetrics().height() + 6)
        header = view.horizontalHeader()
        header.setSectionsClickable(True)
        header.sectionClicked.connect(self._heading_clicked)
        header.setHighlightSections(False)
        view.selectionModel().currentRowChanged.connect(self._current_changed)
        return view

    def _heading_clicked(self, place: int) -> None:
        state, column = self._state, self.model.column_at(place)
        turned = not state.is_descending if state.column is column else column in _HIGH_FIRST
        state.sort(column, turned)

    def _current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        if current.isValid():
            self._state.select(self.model.row_at(current.row()))

    def _table_changed(self) -> None:
        if self._columns != self.model.columns:
            self._columns = self.model.columns
            self._set_widths()
        self._show_order()
        self._follow()
        table = self._state.table
        if table is None and self._state.first is not None:
            self.count.setText(
                self.tr("A and B have neither masks nor boxes in common: choose another B.")
            )
        elif table is None:
            self.count.setText(self.tr("Open a benchmark, and add a run to look at."))
        else:
            self.count.setText(
                self.tr("{} of {} queries").format(f"{len(self._state.rows):n}", f"{len(table):n}")
            )

    def _set_widths(self) -> None:
        em = self.view.fontMetrics().horizontalAdvance("n")
        for place, column in enumerate(self._columns):
            wide = _WIDTHS_EM.get(column, _NUMBER_EM)
            self.view.setColumnWidth(place, (wide + 2) * em)

    def _show_order(self) -> None:
        header = self.view.horizontalHeader()
        column = self._state.column
        header.setSortIndicatorShown(column is not None)
        if column is not None:
            order = Qt.SortOrder.AscendingOrder
            if self._state.is_descending:
                order = Qt.SortOrder.DescendingOrder
            header.setSortIndicator(self.model.place_of(column), order)

    def _follow(self) -> None:
        """Mark the selected query in the table, wherever it stands now."""
        selection = self.view.selectionModel()
        index = self.model.index_of(self._state.row)
        if not index.isValid():
            selection.clear()
            return
        if index.row() != selection.currentIndex().row():
            self.view.selectRow(index.row())
        self.view.scrollTo(index)
