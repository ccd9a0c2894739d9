"""The taxonomy as a tree: searched, ticked, counted against the wanted numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from qgis.PyQt.QtCore import QModelIndex, Qt, QTimer, pyqtSignal
from qgis.PyQt.QtGui import QStandardItem, QStandardItemModel
from qgis.PyQt.QtWidgets import QHeaderView, QLineEdit, QTreeView, QVBoxLayout, QWidget

from ...ovearth_core.errors import OVEarthError
from .state import CollectState

if TYPE_CHECKING:
    from ...ovearth_core.dataset.tallies import CategoryTally

_NAME, _HAVE, _WANTED = range(3)
_CATEGORY = Qt.ItemDataRole.UserRole + 1
# A search begins when typing pauses.
_PAUSE_MS = 150
# Of targets wanted of a category.
_MOST = 1_000_000


class CategoryTree(QWidget):
    """Domain, branch, category. `wanted_changed`: a person wrote a number, for this slug.

    `wanted_refused`: what was written is no number, as a sentence.
    """

    wanted_changed = pyqtSignal(str, int)
    wanted_refused = pyqtSignal(str)

    def __init__(self, state: CollectState, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._is_filling = False
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(self.tr("Search categories: a name, synonym or tag"))
        self.search.setClearButtonEnabled(True)
        self.model = QStandardItemModel(0, 3, self)
        self.view = QTreeView(self)
        self.view.setModel(self.model)
        self.view.setUniformRowHeights(True)
        self.view.setEditTriggers(QTreeView.EditTrigger.DoubleClicked)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_PAUSE_MS)
        self._timer.timeout.connect(self._filter)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.search)
        column.addWidget(self.view, 1)
        self._items: dict[str, list[QStandardItem]] = {}
        self._wanted: Mapping[str, int] = {}
        self.search.textChanged.connect(lambda _: self._timer.start())
        self.model.itemChanged.connect(self._changed)
        state.taxonomy_changed.connect(self._fill)
        self._fill()

    def show_tallies(self, tallies: Mapping[int, CategoryTally], wanted: Mapping[str, int]) -> None:
        """Show what the dataset has of each category, and how many are wanted."""
        taxonomy = self._state.taxonomy
        if taxonomy is None:
            return
        self._is_filling = True
        self._wanted = wanted
        for category in taxonomy:
            tally, number = tallies.get(category.number), wanted.get(category.id)
            _, have, want = self._items[category.id]
            have.setText("" if tally is None else _said(tally))
            if tally is not None:
                have.setToolTip(
                    self.tr("{} targets, {} places accepted, {} undecided").format(
                        tally.targets, tally.accepted, tally.candidates
                    )
                )
            want.setText("" if number is None else str(number))
            is_short = number is not None and (tally.targets if tally else 0) < number
            font = have.font()
            font.setBold(is_short)
            have.setFont(font)
        self._is_filling = False

    def _fill(self) -> None:
        self._is_filling = True
        self.model.clear()
        self._items = {}
        self.model.setHorizontalHeaderLabels(
            [self.tr("Category"), self.tr("There"), self.tr("Wanted")]
        )
        header = self.view.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(_NAME, QHeaderView.ResizeMode.Stretch)
        self.view.setColumnWidth(_HAVE, 80)
        self.view.setColumnWidth(_WANTED, 60)
        taxonomy = self._state.taxonomy
        if taxonomy is not None:
            parents: dict[str, QStandardItem] = {}
            for domain in taxonomy.domains:
                parents[domain.name] = self._group(self.model.invisibleRootItem(), domain.name)
            for branch in taxonomy.branches:
                parents[branch.name] = self._group(parents[branch.parent], branch.name)
            for category in taxonomy:
                self._add(parents[category.branch], category)
        self._is_filling = False
        if self.search.text().strip():
            # Typed before there was anything to search.
            self._filter()

    def _group(self, parent: QStandardItem, name: str) -> QStandardItem:
        item = QStandardItem(name)
        item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        parent.appendRow([item, _plain(""), _plain("")])
        return item

    def _add(self, parent: QStandardItem, category) -> None:
        name = QStandardItem(category.name)
        name.setData(category.id, _CATEGORY)
        name.setToolTip(category.definition)
        name.setFlags(
            Qt.ItemFlag.ItemIsEnabled
            | Qt.ItemFlag.ItemIsSelectable
            | Qt.ItemFlag.ItemIsUserCheckable
        )
        name.setCheckState(Qt.CheckState.Unchecked)
        wanted = QStandardItem()
        wanted.setData(category.id, _CATEGORY)
        wanted.setToolTip(self.tr("How many targets are wanted: double-click to write a number"))
        row = [name, _plain(""), wanted]
        parent.appendRow(row)
        self._items[category.id] = row

    def _changed(self, item: QStandardItem) -> None:
        if self._is_filling:
            return
        slug = item.data(_CATEGORY)
        if slug is None:
            return
        if item.column() == _WANTED:
            self._take_wanted(item, slug)
            return
        self._state.choose(
            [
                category
                for category in self._state.taxonomy or ()
                if self._items[category.id][_NAME].checkState() == Qt.CheckState.Checked
            ]
        )

    def _take_wanted(self, item: QStandardItem, slug: str) -> None:
        """Take the number that was written; put the one that was there back if it is none."""
        text = item.text().strip()
        is_number = not text or (text.isascii() and text.isdigit() and int(text[:9]) <= _MOST)
        is_number = is_number and len(text) <= len(str(_MOST))
        before = self._wanted.get(slug, 0)
        number = int(text or "0") if is_number else before
        self._is_filling = True
        item.setText(str(number) if number else "")
        self._is_filling = False
        if is_number:
            self.wanted_changed.emit(slug, number)
        else:
            self.wanted_refused.emit(
                self.tr("Wanted is a whole number up to {}, not {!r}.").format(_MOST, text[:40])
            )

    def _filter(self) -> None:
        """Show what the core's search finds, and what is ticked."""
        from ...ovearth_core.taxonomy.search import search

        taxonomy, text = self._state.taxonomy, self.search.text().strip()
        if taxonomy is None:
            return
        shown: set[str] | None = None
        if text:
            try:
                shown = {hit.category.id for hit in search(taxonomy, text)}
            except OVEarthError:
                shown = set()
            shown |= {category.id for category in self._state.categories}
        self._show_only(QModelIndex(), shown)
        if shown is None:
            self.view.collapseAll()
        else:
            self.view.expandAll()

    def _show_only(self, parent: QModelIndex, shown: set[str] | None) -> bool:
        """Hide all but these below an item; return whether any is left."""
        is_any = False
        for row in range(self.model.rowCount(parent)):
            index = self.model.index(row, _NAME, parent)
            slug = index.data(_CATEGORY)
            if slug is None:
                is_shown = self._show_only(index, shown)
            else:
                is_shown = shown is None or slug in shown
            self.view.setRowHidden(row, parent, not is_shown)
            is_any = is_any or is_shown
        return is_any


def _said(tally: CategoryTally) -> str:
    waiting = tally.candidates + tally.accepted
    return f"{tally.targets} + {waiting}" if waiting else str(tally.targets)


def _plain(text: str) -> QStandardItem:
    item = QStandardItem(text)
    item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
    return item
