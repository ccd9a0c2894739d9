"""The texts asked of the target, with what the check found: edit, accept, remove."""

from __future__ import annotations

from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLabel,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ...ovearth_core.dataset.judging import Verdicts, verdicts_of
from ...ovearth_core.dataset.review import has_correction, is_changed, text_changes
from ...ovearth_core.dataset.rows import QueryRow
from ..inspect.words import shown as query_word
from .state import ReviewState
from .steps import Steps
from .verdict_words import found_lines, found_words, reviewers_lines, reviewers_words
from .words import shown

_TEXT, _FOUND, _REVIEWERS = 2, 4, 5


class QueryTable(QWidget):
    """A double click on a text edits it; what people changed is counted below."""

    def __init__(self, state: ReviewState, steps: Steps, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._state = state
        self._steps = steps
        self._queries: tuple[QueryRow, ...] = ()
        self._verdicts: dict[str, Verdicts] = {}
        self.table = QTableWidget(0, 6, self)
        self.table.setObjectName("ovearth_queries")
        self.table.setHorizontalHeaderLabels(
            [self.tr("Polarity"), self.tr("Task"), self.tr("Text"), self.tr("State"),
             self.tr("Found by checks and the model"), self.tr("Reviewers")]
        )  # fmt: skip
        self.table.verticalHeader().hide()
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.horizontalHeader().setSectionResizeMode(_TEXT, QHeaderView.ResizeMode.Stretch)
        self.table.itemChanged.connect(self._edited)
        self.table.itemSelectionChanged.connect(self._allow)
        self.correct = QPushButton(self.tr("Take correction"), self)
        self.correct.setToolTip(
            self.tr(
                "Put what the verifying model would write in place of the selected texts; the first"
                " text is kept beside it"
            )
        )
        self.correct.clicked.connect(self._correct)
        self.accept = QPushButton(self.tr("Accept"), self)
        self.accept.setToolTip(self.tr("Ask the selected texts"))
        self.accept.clicked.connect(lambda: self._decide("accepted"))
        self.remove = QPushButton(self.tr("Remove"), self)
        self.remove.setToolTip(self.tr("Ask the selected texts no more; they are kept"))
        self.remove.clicked.connect(lambda: self._decide("removed"))
        self.count = QLabel(self)
        self.count.setObjectName("ovearth_changed_texts")
        self.count.setWordWrap(True)
        row = QHBoxLayout()
        row.addWidget(self.count, 1)
        row.addWidget(self.correct)
        row.addWidget(self.accept)
        row.addWidget(self.remove)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.addWidget(self.table, 1)
        layout.addLayout(row)
        state.sample_changed.connect(self._fill)
        state.sample_renewed.connect(self._fill)
        self._fill()

    def _fill(self) -> None:
        sample = self._state.sample
        self._queries = () if sample is None else sample.queries
        self._verdicts = {} if sample is None else verdicts_of(sample.queries, sample.judgements)
        self.table.blockSignals(True)
        self.table.setRowCount(len(self._queries))
        for line, query in enumerate(self._queries):
            self._fill_line(line, query)
        self.table.blockSignals(False)
        found = text_changes(self._queries)
        self.count.setText(
            self.tr("Of {} texts decided, people changed {} and removed {}").format(
                found.decided, found.changed, found.removed
            )
        )
        for button in (self.accept, self.remove):
            button.setEnabled(bool(self._queries))
        self._allow()

    def _allow(self) -> None:
        """Offer what the selected texts can be given."""
        self.correct.setEnabled(any(map(has_correction, self._selected())))

    def _fill_line(self, line: int, query: QueryRow) -> None:
        verdicts = self._verdicts[query.id]
        tips = {_FOUND: found_lines(query), _REVIEWERS: reviewers_lines(verdicts)}
        if is_changed(query):
            tips[_TEXT] = self.tr("Was: {}").format(query.original_text)
        texts = (
            query_word(query.polarity),
            query_word(query.task),
            query.text,
            shown(query.state),
            found_words(query),
            reviewers_words(verdicts),
        )
        for column, text in enumerate(texts):
            item = QTableWidgetItem(text)
            if column != _TEXT:
                item.setFlags(item.flags() & ~Qt.ItemFlag.ItemIsEditable)
            if query.state == "removed":
                font = item.font()
                font.setStrikeOut(True)
                item.setFont(font)
            item.setToolTip(tips.get(column, ""))
            self.table.setItem(line, column, item)

    def _edited(self, item: QTableWidgetItem) -> None:
        query = self._queries[item.row()]
        if item.column() != _TEXT or item.text() == query.text:
            return
        if not item.text().strip():
            # Nothing can't be asked: the text comes back, the button removes.
            self._fill()
            return
        self._steps.edit_text(query.id, item.text())

    def _selected(self) -> list[QueryRow]:
        lines = {index.row() for index in self.table.selectionModel().selectedRows()}
        return [self._queries[line] for line in sorted(lines) if line < len(self._queries)]

    def _correct(self) -> None:
        chosen = [query.id for query in self._selected() if has_correction(query)]
        if chosen:
            self._steps.take_corrections(chosen)

    def _decide(self, decision: str) -> None:
        chosen = [query.id for query in self._selected()]
        if chosen:
            self._steps.decide(chosen, decision)
