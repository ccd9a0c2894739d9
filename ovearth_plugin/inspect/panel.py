"""The tab Inspect: its widgets in their places."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from qgis.gui import QgsMapCanvas
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from ..messages import Messages
from ..tasks import Tasks
from .export import Exporter
from .file_choice import open_folder
from .into_review import IntoReview
from .loader import Loader
from .map_scene import ALONE, SIDE_BY_SIDE, SWIPE, MapScene
from .query_list import QueryList
from .return_form import ReturnForm
from .returned_list import ReturnedList
from .returned_targets import ReturnedTargets
from .run_list import RunList
from .score_view import ScoreView
from .second_map import SecondMap
from .state import InspectState
from .threshold import Threshold

if TYPE_CHECKING:
    from ..review.panel import ReviewPanel


class InspectPanel(QWidget):
    """Runs of a benchmark, query by query, on the window's map."""

    def __init__(
        self,
        canvas: QgsMapCanvas,
        tasks: Tasks,
        messages: Messages,
        parent: QWidget | None = None,
        review: ReviewPanel | None = None,
    ) -> None:
        super().__init__(parent)
        # What is said of an image goes with it.
        self._of_image = messages.passing()
        self.state = InspectState()
        self.state.row_changed.connect(self._of_image.take_back)
        self.loader = Loader(self.state, tasks, messages)
        self.exporter = Exporter(self.state, tasks, messages)
        self.returned = ReturnedTargets(self.state, messages)
        self.into_review = IntoReview(self.state, self.returned, review, messages)
        self.runs = RunList(self.state, self.loader, messages, self)
        self.threshold = Threshold(self.state, self)
        # The table first: the map and the scores follow what it shows.
        self.queries = QueryList(self.state, self)
        self.second_map = SecondMap(canvas, self)
        self.scene = MapScene(self.state, canvas, self.second_map, tasks, self._of_image)
        self.scores = ScoreView(self.state, self.exporter, self)
        self.return_form = ReturnForm(
            self.state, self.scene, self.into_review, canvas, messages, self
        )
        self.returned_list = ReturnedList(self.state, self.returned, self)
        self._told_of_images = False
        self._looked_in: Path | None = None
        self._lay_out()
        self.scene.image_missing.connect(self._image_missing)
        # Also a click on the row that is selected already.
        self.queries.view.clicked.connect(lambda _: self.scene.bring_back())
        self.scores.category_chosen.connect(self._category_chosen)
        self.state.runs_changed.connect(self._runs_changed)
        self.state.benchmark_changed.connect(self._benchmark_changed)
        self._runs_changed()

    def stop(self) -> None:
        """Take everything off the map: the plugin is being unloaded."""
        self.loader.stop()
        self.return_form.stop()
        self.scene.stop()

    def _lay_out(self) -> None:
        queries = QWidget(self)
        column = QVBoxLayout(queries)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.queries, 1)
        column.addLayout(self._made_view_row())
        column.addWidget(self.return_form)
        self.tabs = QTabWidget(self)
        self.tabs.addTab(queries, self.tr("Queries"))
        self.tabs.addTab(self.scores, self.tr("Scores"))
        self.tabs.addTab(self.returned_list, self.tr("Returned"))
        self.returned.changed.connect(self._show_returned_count)
        split = QSplitter(Qt.Orientation.Vertical, self)
        split.addWidget(self.tabs)
        split.addWidget(self.second_map)
        split.setStretchFactor(0, 3)
        split.setStretchFactor(1, 2)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.setSpacing(3)
        layout.addWidget(self.runs)
        layout.addWidget(self.threshold)
        layout.addLayout(self._made_missing_row())
        layout.addWidget(split, 1)

    def _made_view_row(self) -> QHBoxLayout:
        self.mode = QComboBox(self)
        self.mode.addItem(self.tr("A alone"), ALONE)
        self.mode.addItem(self.tr("A and B side by side"), SIDE_BY_SIDE)
        self.mode.addItem(self.tr("Swipe from A to B"), SWIPE)
        self.mode.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.mode.setMinimumContentsLength(12)
        self.mode.setToolTip(self.tr("How run B is shown beside run A"))
        self.mode.activated.connect(lambda _: self.scene.set_mode(self.mode.currentData()))
        self.zoom = QPushButton(self.tr("Go to image"), self)
        self.zoom.setToolTip(self.tr("Show the whole image of the selected query"))
        self.zoom.clicked.connect(self.scene.zoom_to_image)
        self.zoom.setEnabled(False)
        self.scene.drawn.connect(lambda: self.zoom.setEnabled(self.scene.scene is not None))
        row = QHBoxLayout()
        # The count of queries in the same line: a laptop's screen has few.
        row.addWidget(self.queries.count, 1)
        row.addWidget(self.mode)
        row.addWidget(self.zoom)
        return row

    def _made_missing_row(self) -> QHBoxLayout:
        self.missing = QLabel(self)
        self.missing.setWordWrap(True)
        self.look = QPushButton(self.tr("Look elsewhere…"), self)
        self.look.setToolTip(self.tr("Choose the folder that the images are in now"))
        self.look.clicked.connect(
            lambda: open_folder(self, self.tr("Where are the images?"), self._look_in)
        )
        self.missing.hide()
        self.look.hide()
        row = QHBoxLayout()
        row.addWidget(self.missing, 1)
        row.addWidget(self.look)
        return row

    def _look_in(self, folder: Path) -> None:
        self._looked_in = folder
        self.state.look_in(folder)

    def _image_missing(self, text: str | None) -> None:
        is_missing = text is not None
        looked_in, self._looked_in = self._looked_in, None
        self.missing.setVisible(is_missing)
        self.look.setVisible(is_missing)
        if not is_missing:
            return
        self.missing.setText(text)
        if looked_in is not None:
            self._of_image.warn(
                self.tr("It isn't in the folder {} either: {}").format(looked_in, text)
            )
        elif not self._told_of_images:
            # Once a benchmark: the row above the table says it for each query.
            self._told_of_images = True
            self._of_image.warn(self.tr("Use “Look elsewhere…” in the panel. {}").format(text))

    def _show_returned_count(self) -> None:
        text = self.tr("Returned")
        count = len(self.returned.entries)
        if not self.returned.is_saved:
            text = self.tr("Returned ({}, unsaved)").format(count)
        elif count:
            text = self.tr("Returned ({})").format(count)
        self.tabs.setTabText(self.tabs.indexOf(self.returned_list), text)

    def _category_chosen(self, name: str) -> None:
        self.queries.filter_bar.choose_category(name)
        self.tabs.setCurrentIndex(0)

    def _benchmark_changed(self) -> None:
        self._told_of_images = False

    def _runs_changed(self) -> None:
        can_compare = self.state.second is not None
        self.mode.setEnabled(can_compare)
        if not can_compare and self.mode.currentIndex():
            self.mode.setCurrentIndex(0)
            self.scene.set_mode(ALONE)
