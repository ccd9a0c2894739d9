"""The table of queries for Qt's views; order and filter are the state's, kept in NumPy."""

from __future__ import annotations

from qgis.PyQt.QtCore import QAbstractTableModel, QModelIndex, Qt

from ...ovearth_core.inspection.query_table import Column, QueryTable
from .state import InspectState
from .words import DASH, heading, heading_tip, shown

_NUMBERS = frozenset(
    {Column.IOU, Column.TP, Column.FP, Column.FN, Column.F1, Column.SECOND_IOU, Column.DIFFERENCE}
)
_HERE = QModelIndex()


class QueryModel(QAbstractTableModel):
    """Shows the rows of the state's table; cells are made when they are seen."""

    def __init__(self, state: InspectState, parent=None) -> None:
        super().__init__(parent)
        self._state = state
        self._columns: tuple[Column, ...] = ()
        self._rows: list[int] = []
        state.table_changed.connect(self._reset)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The shown columns, the first leftmost."""
        return self._columns

    def column_at(self, place: int) -> Column:
        """Return the column that stands at a place."""
        return self._columns[place]

    def place_of(self, column: Column) -> int:
        """Return where a column stands, -1 for one that isn't shown."""
        return self._columns.index(column) if column in self._columns else -1

    def row_at(self, place: int) -> int:
        """Return the query, by its place in the benchmark, that a line shows."""
        return self._rows[place]

    def index_of(self, row: int | None) -> QModelIndex:
        """Return the line's first cell of a query, an invalid index where it isn't shown."""
        if row is None or row not in self._rows:
            return QModelIndex()
        return self.index(self._rows.index(row), 0)

    def rowCount(self, parent: QModelIndex = _HERE) -> int:  # noqa: N802
        """Return how many queries pass the filter."""
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: QModelIndex = _HERE) -> int:  # noqa: N802
        """Return the number of columns: two more where runs are compared."""
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: QModelIndex, role: int = Qt.ItemDataRole.DisplayRole):
        """Return a cell's text, alignment, or for the long ones the whole text as a tip."""
        column = self._columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(column, self._rows[index.row()])
        if role == Qt.ItemDataRole.TextAlignmentRole and column in _NUMBERS:
            return int(Qt.AlignmentFlag.AlignRight) | int(Qt.AlignmentFlag.AlignVCenter)
        if role == Qt.ItemDataRole.ToolTipRole and column in (Column.TEXT, Column.QUERY):
            return self._text(column, self._rows[index.row()])
        return None

    def headerData(  # noqa: N802
        self,
        section: int,
        orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ):
        """Return a column's heading, and what it means as a tip."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return heading(self._columns[section].value, self._state.modality)
        if role == Qt.ItemDataRole.ToolTipRole:
            return heading_tip(self._columns[section].value, self._state.modality)
        return None

    def _text(self, column: Column, row: int) -> str:
        value = self._state.table.value(column, row)
        if value is None:
            return DASH
        if isinstance(value, bool):
            return self.tr("yes") if value else self.tr("no")
        if isinstance(value, float):
            return f"{value:+.3f}" if column is Column.DIFFERENCE and value else f"{value:.3f}"
        if isinstance(value, str) and column not in (Column.TEXT, Column.QUERY, Column.CATEGORY):
            return shown(value)
        return str(value)

    def _reset(self) -> None:
        self.beginResetModel()
        table = self._state.table
        self._columns = () if table is None else _in_order(table)
        self._rows = self._state.rows
        self.endResetModel()


def _in_order(table: QueryTable) -> tuple[Column, ...]:
    """Return a table's columns.

    Of boxes F1 first among the numbers, which is what they are for, and how much better B's is.
    """
    if table.first.modality == "mask":
        return table.columns
    first = [one for one in (Column.F1, Column.DIFFERENCE) if one in table.columns]
    others = [column for column in table.columns if column not in first]
    place = others.index(Column.IOU)
    return (*others[:place], *first, *others[place:])
