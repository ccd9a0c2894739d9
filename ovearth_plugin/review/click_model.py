"""The model of click-to-mask: chosen once, remembered, opened when it is first needed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from qgis.PyQt.QtCore import QObject, Qt, pyqtSignal
from qgis.PyQt.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPushButton, QVBoxLayout, QWidget

from ..help import help_address
from ..inspect.file_choice import open_files
from ..messages import Messages
from ..settings import store, stored
from ..tasks import Failure
from .desk import Desk

if TYPE_CHECKING:
    from ...ovearth_core.dataset import ImageRow
    from ...ovearth_core.segment import ClickSession, Segmenter

_SETTING = "segment-model"


class ClickModel(QObject):
    """Which model, and its sessions. wanted: none is chosen yet, or the chosen one is none."""

    wanted = pyqtSignal()
    changed = pyqtSignal()
    # The chosen model was opened, and answers.
    opened = pyqtSignal()

    def __init__(self, desk: Desk, messages: Messages) -> None:
        super().__init__()
        self._desk = desk
        self._messages = messages
        self._opened: tuple[str, Segmenter] | None = None
        # While it is tried, nothing else asks it: one fault is told once.
        self._is_tried = False
        desk.idle.connect(self._given_up)

    @property
    def spec(self) -> str:
        """What was chosen, as the core's `open_model` takes it; empty where nothing was."""
        return stored(_SETTING)

    def choose(self, spec: str) -> None:
        """Choose a model; it is opened at once, to say if it is none."""
        store(_SETTING, spec.strip())
        self._opened = None
        self._is_tried = bool(self.spec)
        self.changed.emit()
        if self.spec:
            self._desk.do(self.tr("Opening the model"), lambda _: self._try(),
                          self._found, self._failed, newest_of="model")  # fmt: skip
            self._is_tried = self._desk.is_busy

    def session(self, image: ImageRow, then: Callable[[ClickSession], None]) -> None:
        """Open a session about an image, in the background."""
        if not self.spec:
            self.wanted.emit()
            return
        if self._is_tried:
            return

        def work(dataset) -> ClickSession:
            from ...ovearth_core.segment import ClickSession, FilePixels

            return ClickSession(self._model(), FilePixels(dataset.image_path(image)), image.frame())

        self._desk.do(self.tr("Opening the model"), work, then, self._failed, newest_of="session")

    def _model(self) -> Segmenter:
        """Return the model, opened once; only the desk calls it, a piece at a time."""
        from ...ovearth_core.segment import open_model

        spec = self.spec
        if self._opened is None or self._opened[0] != spec:
            self._opened = spec, open_model(spec)
        return self._opened[1]

    def _try(self) -> None:
        from ...ovearth_core.segment import tried_model

        spec = self.spec
        self._opened = spec, tried_model(spec)

    def _given_up(self) -> None:
        self._is_tried = False

    def _found(self, _: None) -> None:
        self._is_tried = False
        self.opened.emit()
        self._messages.succeed(self.tr("The model is ready: click on a thing."))

    def _failed(self, failure: Failure) -> None:
        self._is_tried = False
        self._messages.failure(failure)
        self.wanted.emit()


class ModelRow(QWidget):
    """Where a person says which model; seen when it is needed."""

    def __init__(self, model: ClickModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        words = self.tr(
            "Click-to-mask needs a SAM or SAM 2 model: its encoder.onnx and decoder.onnx, or"
            " the address of a server. None comes with OVEarth: {}where to get one{}."
        )
        page = help_address("clicktomask")
        self.about = QLabel(words.format(f'<a href="{page}">', "</a>"), self)
        self.about.setTextFormat(Qt.TextFormat.RichText)
        self.about.setOpenExternalLinks(True)
        self.about.setWordWrap(True)
        self.spec = QLineEdit(self)
        self.spec.setObjectName("ovearth_model")
        self.spec.setPlaceholderText(self.tr("Folder, encoder.onnx,decoder.onnx or http://…"))
        self.spec.returnPressed.connect(self._choose)
        self.browse = QPushButton(self.tr("Files…"), self)
        self.browse.clicked.connect(self._ask_files)
        row = QHBoxLayout()
        row.addWidget(self.spec, 1)
        row.addWidget(self.browse)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.about)
        layout.addLayout(row)
        model.wanted.connect(self.ask)
        self.hide()

    def ask(self) -> None:
        """Show the row."""
        self.spec.setText(self._model.spec)
        self.show()
        self.spec.setFocus()

    def _choose(self) -> None:
        self.hide()
        self._model.choose(self.spec.text())

    def _ask_files(self) -> None:
        title = self.tr("The model's two ONNX files")
        open_files(self, title, self.tr("ONNX (*.onnx)"), self._take_files)

    def _take_files(self, paths: list[Path]) -> None:
        self.spec.setText(",".join(map(str, paths)))
        self._choose()
