"""The tab Review: its widgets in their places."""

from __future__ import annotations

from qgis.gui import QgsMapCanvas, QgsMapTool
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QSplitter,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from ..collect.dataset_row import DatasetRow
from ..keys import Keys
from ..messages import Messages
from ..open_dataset import OpenDataset
from ..tasks import Tasks
from .boxes_row import BoxesRow
from .committer import Committer
from .decision_box import DecisionBox
from .desk import Desk
from .digitising import Digitising
from .drawing_box import DrawingBox
from .history_view import HistoryView
from .map_sample import MapSample
from .problem_marks import ProblemMarks
from .query_table import QueryTable
from .queue_view import QueueView
from .split_polygons import SplitPolygons
from .state import ReviewState
from .steps import Steps
from .transaction_notice import TransactionNotice
from .undo_record import UndoRecord
from .who_bar import WhoBar
from .words import shown


class ReviewPanel(QWidget):
    """The open dataset's targets, one after the other, on the window's map."""

    def __init__(
        self,
        shared: OpenDataset,
        canvas: QgsMapCanvas,
        tasks: Tasks,
        messages: Messages,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._canvas = canvas
        self.desk = Desk(shared, tasks, messages)
        # A model may take seconds, and all boxes too: what is drawn is not to wait for them.
        self.model_desk = Desk(shared, tasks, messages)
        self.boxes_desk = Desk(shared, tasks, messages)
        self.state = ReviewState(shared, self.desk, messages)
        self.steps = Steps(self.state)
        self.scene = MapSample(self.state, canvas, messages)
        self.committer = Committer(self.state, self.scene, messages)
        self.undo = UndoRecord(self.state, messages)
        self.digitising = Digitising(self.state, canvas, self.committer, messages)
        self.problems = ProblemMarks(self.state, self.scene, canvas)
        self.dataset_row = DatasetRow(shared, self)
        self.split = SplitPolygons(self.state, self.scene, canvas)
        self.notice = TransactionNotice(shared, messages, self)
        self.who = WhoBar(self.state, self)
        self.queue = QueueView(self.state, self)
        self.drawing = DrawingBox(
            self.state, self.steps, self.digitising, self.committer, self.undo, self.problems,
            self.model_desk, canvas, messages, self,
        )  # fmt: skip
        self.decision = DecisionBox(self.state, self.steps, self.scene, canvas, messages, self)
        self.queries = QueryTable(self.state, self.steps, self)
        self.history = HistoryView(self.state, self.scene, canvas, self)
        self.boxes = BoxesRow(self.state, self.boxes_desk, messages, self)
        self._lay_out()
        self.keys = Keys(self, canvas, self._is_ours)
        self._add_keys()
        self.committer.committed.connect(self.undo.add)
        self.undo.began.connect(self.problems.forget)
        self.drawing.clicking.stored.connect(self.undo.add)
        self.digitising.ready.connect(self.keys.refresh)
        self.digitising.groups_found.connect(self.notice.refuse)
        self.state.sample_changed.connect(self._tell)
        self.state.sample_renewed.connect(self._tell)
        self.state.may_leave = self.committer.may_leave
        self._tell()

    def stop(self) -> None:
        """Take everything off the map: the plugin is being unloaded."""
        self.keys.stop()
        self.notice.stop()
        self.desk.stop()
        self.model_desk.stop()
        self.boxes_desk.stop()
        self.drawing.stop()
        self.digitising.stop()
        self.committer.stop()
        self.decision.stop()
        self.problems.stop()
        self.split.clear()
        self.history.stop()
        self.scene.stop()

    def _lay_out(self) -> None:
        self.about = QLabel(self)
        self.about.setObjectName("ovearth_sample")
        self.about.setWordWrap(True)
        self.zoom = QPushButton(self.tr("Go to image"), self)
        self.zoom.setToolTip(self.tr("Show the whole image"))
        self.zoom.clicked.connect(self.scene.zoom)
        self.tabs = QTabWidget(self)
        self.tabs.addTab(self.drawing, self.tr("Draw"))
        self.tabs.addTab(self.decision, self.tr("Decide"))
        self.tabs.addTab(self.queries, self.tr("Queries"))
        self.tabs.addTab(self.history, self.tr("History"))
        lower = QWidget(self)
        column = QVBoxLayout(lower)
        column.setContentsMargins(0, 0, 0, 0)
        row = QHBoxLayout()
        row.addWidget(self.about, 1)
        row.addWidget(self.zoom)
        column.addLayout(row)
        column.addWidget(self.tabs, 1)
        split = QSplitter(Qt.Orientation.Vertical, self)
        split.addWidget(self.queue)
        split.addWidget(lower)
        split.setStretchFactor(0, 2)
        split.setStretchFactor(1, 3)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(6, 6, 6, 6)
        layout.setSpacing(4)
        for widget in (self.dataset_row, self.notice, self.who):
            layout.addWidget(widget)
        layout.addWidget(split, 1)
        layout.addWidget(self.boxes)

    def _add_keys(self) -> None:
        add = self.keys.add
        add("review/next", "N", self.queue.next)
        add("review/draw", "D", self.drawing.draw)
        add("review/click", "K", self.drawing.click)
        add("review/take", "M", self.drawing.take)
        add("review/undo", "U", self.drawing.undo)
        add("review/submit", "F", self.drawing.submit)
        for number, button in enumerate(self.decision.questions.buttons.values(), 1):
            add(f"review/question-{number}", str(number), button, button.text()[2:])
        add("review/pin", "P", self.decision.pin)
        add("review/approve", "A", self.decision.moves["approve"])
        add("review/return", "B", self.decision.moves["return"])

    def _is_ours(self, tool: QgsMapTool | None) -> bool:
        ours = (self.decision.pin_tool.tool, self.drawing.clicking.tool)
        return tool in ours or (self.isVisible() and self.digitising.is_drawing_with(tool))

    def _tell(self) -> None:
        sample = self.state.sample
        self.zoom.setEnabled(sample is not None)
        if sample is None:
            self.about.setText(self.tr("No sample: click a line above, or go to the next."))
            return
        parts = [sample.image.file_name]
        if sample.target is not None:
            parts.append(self.tr("target {}").format(sample.target.id))
            parts.append(sample.category.name)
            parts.append(shown(sample.target.state))
            if sample.target.annotator:
                parts.append(sample.target.annotator)
        self.about.setText(" · ".join(parts))
