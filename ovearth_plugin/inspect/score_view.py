"""The scores of all runs: the paper's tables, counts at the threshold, IoU by category and size."""

from __future__ import annotations

from html import escape

from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtWidgets import (
    QPushButton,
    QScrollArea,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from ...ovearth_core.inspection.summary import by_category, by_size, counts_at
from ...ovearth_core.report.score_table import score_tables
from ...ovearth_core.scoring.error_kinds import KINDS
from ..flow import Flow
from .bar_plot import BarPlot
from .export import Exporter
from .file_choice import open_folder, save_file
from .state import InspectState
from .words import DASH, shown


class ScoreView(QWidget):
    """Follows the state at once: every number is the core's own.

    category_chosen: a bar that was clicked.
    """

    category_chosen = pyqtSignal(str)

    def __init__(
        self, state: InspectState, exporter: Exporter, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._state = state
        self.at_threshold = _browser(self)
        self.tables = _browser(self)
        self.by_size = BarPlot(self.tr("IoU by size (side of the target, pixels)"), self)
        self.by_category = BarPlot(self.tr("IoU by category, worst first"), self)
        self.at_threshold.setToolTip(
            self.tr("TP, FP and FN are pixels for masks, boxes at the threshold for boxes")
        )
        self.tables.setToolTip(self.tr("The scores of all runs; they don't depend on the slider"))
        self.by_size.setToolTip(self.tr("The mark on a bar is run B"))
        self.by_category.setToolTip(self.tr("Click a bar to see its queries"))
        self.by_category.chosen.connect(self.category_chosen)
        inner = QWidget(self)
        column = QVBoxLayout(inner)
        column.setContentsMargins(4, 4, 4, 4)
        for widget in (self.at_threshold, self.by_size, self.by_category, self.tables):
            column.addWidget(widget)
        column.addStretch()
        scroll = QScrollArea(self)
        scroll.setWidgetResizable(True)
        scroll.setWidget(inner)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 0)
        layout.addWidget(scroll, 1)
        layout.addWidget(self._made_buttons(exporter))
        # What isn't seen is made when it is.
        self._is_stale = {self._show_tables: True, self._show_counts: True}
        state.runs_changed.connect(lambda: self._changed(self._show_tables))
        state.table_changed.connect(lambda: self._changed(self._show_counts))

    def showEvent(self, event) -> None:  # noqa: N802
        """Catch up with what changed unseen."""
        super().showEvent(event)
        for show, is_stale in self._is_stale.items():
            if is_stale:
                self._changed(show)

    def _changed(self, show) -> None:
        self._is_stale[show] = not self.isVisible()
        if self.isVisible():
            show()

    def _made_buttons(self, exporter: Exporter) -> Flow:
        csv, gpkg = self.tr("CSV (*.csv)"), self.tr("GeoPackage (*.gpkg)")
        self.export_scores = QPushButton(self.tr("Scores to CSV…"), self)
        self.export_queries = QPushButton(self.tr("Table to CSV…"), self)
        self.export_overlay = QPushButton(self.tr("Overlay to GeoPackage…"), self)
        self.export_scores.setToolTip(self.tr("The paper's tables of all runs"))
        self.export_queries.setToolTip(
            self.tr("The table of queries, filtered and ordered as it is")
        )
        self.export_overlay.setToolTip(
            self.tr("All of run A on the map: matched, spurious and missed")
        )
        for button, kinds, ending, write in (
            (self.export_scores, csv, "csv", exporter.scores),
            (self.export_queries, csv, "csv", exporter.queries),
            (self.export_overlay, gpkg, "gpkg", exporter.overlay),
        ):
            button.clicked.connect(
                lambda _=False, b=button, k=kinds, e=ending, w=write: save_file(
                    self, b.text().rstrip("…"), k, e, w
                )
            )
        self.export_report = QPushButton(self.tr("Report…"), self)
        self.export_report.setToolTip(
            self.tr("Write an HTML page with all scores, analyses and pictures into a folder")
        )
        self.export_report.clicked.connect(
            lambda: open_folder(self, self.tr("Folder for the report"), exporter.report)
        )
        return Flow(
            (self.export_scores, self.export_queries, self.export_overlay, self.export_report),
            self,
        )

    def _show_tables(self) -> None:
        runs = self._state.runs
        parts = []
        for table in score_tables({"runs": [run.document for run in runs]}):
            rows = [
                [
                    _cell(shown(group.text) if group.text else ""),
                    *(_cell(cell.text, cell.is_best) for cell in cells),
                ]
                for group, *cells in table.texts()
            ]
            headings = [table.headings[0], self.tr("model"), *table.headings[2:]]
            parts.append(_html(table.title, headings, rows))
        if parts:
            parts.append(escape(self.tr("Metrics in percent, MCC from -1 to 1; the best in bold.")))
        self.tables.show_html("".join(parts))
        for button in (
            *(self.export_scores, self.export_queries),
            *(self.export_overlay, self.export_report),
        ):
            button.setEnabled(bool(runs))

    def _show_counts(self) -> None:
        state = self._state
        facts = None if state.inspected is None else state.inspected.facts
        if facts is None or state.table is None:
            self.at_threshold.show_html("")
            self.by_size.show_slices([], [])
            self.by_category.show_slices([], [])
            return
        rows = []
        for run in state.runs:
            outcomes = run.outcomes.get(state.modality)
            counted = [] if outcomes is None else counts_at(facts, outcomes, state.step)
            rows += [self._count_cells(run.name, counts) for counts in counted]
        headings = ["", self.tr("task"), "TP", "FP", "FN", "F1", *map(shown, KINDS)]
        title = self.tr("{} at IoU ≥ {}").format(shown(state.modality), f"{state.threshold:.2f}")
        self.at_threshold.show_html(_html(title, headings, rows))
        second = None if state.second is None else state.second.outcomes[state.modality]
        first = state.first.outcomes[state.modality]
        for plot, slices in ((self.by_size, by_size), (self.by_category, by_category)):
            plot.show_slices(slices(facts, first), [] if second is None else slices(facts, second))

    def _count_cells(self, name: str, counts) -> list[str]:
        numbers = [counts.matched, counts.spurious, counts.missed]
        cells = [DASH if number is None else str(number) for number in numbers]
        f1 = DASH if counts.f1 is None else f"{100 * counts.f1:.2f}"
        texts = [name, shown(counts.task), *cells, f1, *map(str, counts.kinds)]
        return [_cell(text) for text in texts]


class _Table(QTextBrowser):
    """Shows tables as tall as they are: the scroll bar is the panel's."""

    def show_html(self, html: str) -> None:
        self.setHtml(html)
        self._fit()

    def resizeEvent(self, event) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        height = int(self.document().size().height())
        bar = self.horizontalScrollBar()
        # Margins are the theme's: what the viewport doesn't get of the whole.
        around = self.height() - self.viewport().height() if self.isVisible() else 2
        if not bar.isVisible() and bar.maximum():
            around += bar.sizeHint().height()
        self.setFixedHeight(height + max(2, around))


def _browser(parent: QWidget) -> _Table:
    browser = _Table(parent)
    browser.setFrameShape(QTextBrowser.Shape.NoFrame)
    browser.setLineWrapMode(QTextBrowser.LineWrapMode.NoWrap)
    browser.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    browser.setOpenLinks(False)
    return browser


def _cell(text: str, is_best: bool = False) -> str:
    return f"<b>{escape(text)}</b>" if is_best else escape(text)


def _html(title: str, headings: list[str], rows: list[list[str]]) -> str:
    # Two words stand over each other, or the last columns would lie beyond the dock's edge.
    head = "".join(
        f"<th align='left' valign='bottom'>{escape(text).replace(' ', '<br>')}&nbsp;</th>"
        for text in headings
    )
    body = "".join(
        "<tr>" + "".join(f"<td>{cell}&nbsp;</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<p><b>{escape(title)}</b></p><table cellspacing='1'><tr>{head}</tr>{body}</table>"
