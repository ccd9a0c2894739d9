"""The dataset that is open: one for all tabs of the dock."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from qgis.core import QgsProject
from qgis.PyQt.QtCore import QObject, pyqtSignal

from .dataset_layers import DatasetLayers
from .messages import Messages
from .settings import store
from .tasks import Reporter, Tasks

if TYPE_CHECKING:
    from ..ovearth_core.dataset import Dataset

LAST_DATASET = "dataset"


class OpenDataset(QObject):
    """A dataset's folder, opened or made by a person, with its layers in the project.

    opened: it is there, and its layers are in the project. closed: there is none any more, also
    before another is opened. changed: one of the tabs wrote into it, with the tables' names.
    """

    opened = pyqtSignal()
    closed = pyqtSignal()
    changed = pyqtSignal(list)

    def __init__(self, tasks: Tasks, messages: Messages, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._messages = messages
        self._opening: Path | None = None
        self.layers = DatasetLayers()
        self.dataset: Dataset | None = None
        self.is_read_only = False
        QgsProject.instance().cleared.connect(self.close)

    def open(self, place: Path) -> None:
        """Open a dataset's folder (or its dataset.gpkg), in the background."""
        folder = place.parent if place.suffix == ".gpkg" else place
        if self._opening is not None:
            self._messages.inform(self.tr("A dataset is being opened already."))
            return
        if self.dataset is not None and _same(self.dataset.folder, folder) and self.is_there():
            self._messages.inform(self.tr("This dataset is open already: {}").format(folder))
            return
        self._start(self.tr("Opening the dataset"), folder, _opened)

    def make(self, folder: Path) -> None:
        """Make a new dataset with the taxonomy's categories in a folder, and open it."""
        self._start(self.tr("Making the dataset"), folder, _made)

    def close(self) -> None:
        """Put the dataset away; its layers leave the project."""
        self._opening = None
        if self.dataset is None:
            return
        self.dataset = None
        self.is_read_only = False
        self.layers.clear()
        self.closed.emit()

    def ready(self) -> Dataset | None:
        """Return the dataset to be written into; where it can't be, say why and return None."""
        if self.dataset is None:
            self._messages.warn(self.tr("Open a dataset first."))
            return None
        if not self.is_there():
            return None
        if self.is_read_only:
            self._messages.warn(self._read_only_words().format(self.dataset.folder))
            return None
        return self.dataset

    def is_there(self) -> bool:
        """Whether the dataset's file lies where it was opened; if not, say so and close it."""
        if self.dataset is None:
            return False
        if self.dataset.path.is_file():
            return True
        self._messages.warn(
            self.tr("The dataset is no longer in {}: open its folder where it is now.").format(
                self.dataset.folder
            )
        )
        self.close()
        return False

    def wrote(self, *tables: str, is_larger: bool = True) -> None:
        """Tell that rows of these tables were written; call it after each write of the core's.

        is_larger: there may be new rows, or fewer; else they are only drawn anew, which is quicker.
        """
        if is_larger:
            self.layers.reload(*tables)
        else:
            self.layers.repaint(*tables)
        self.changed.emit(list(tables))

    def stop(self) -> None:
        """Forget the dataset; its layers stay in the project: the plugin is being unloaded."""
        QgsProject.instance().cleared.disconnect(self.close)
        self._opening = None
        self.dataset = None
        self.layers.stop()

    def _read_only_words(self) -> str:
        return self.tr(
            "The dataset in {} can be looked at, not changed: you have no right to write there."
        )

    def _start(self, title: str, folder: Path, work) -> None:
        self._opening = folder

        def ended() -> None:
            self._opening = None

        def open_it(report: Reporter) -> Dataset:
            report.check()
            return work(folder)

        self._tasks.start(title, open_it, self._take, ended=ended, of_project=False)

    def _take(self, dataset: Dataset) -> None:
        self.close()
        self.dataset = dataset
        self.is_read_only = not dataset.can_be_written()
        store(LAST_DATASET, str(dataset.folder))
        if self.is_read_only:
            self._messages.warn(self._read_only_words().format(dataset.folder))
        self.layers.show(dataset.path, self.is_read_only, self.opened.emit)


def _opened(folder: Path) -> Dataset:
    from ..ovearth_core.dataset import Dataset

    dataset = Dataset.open(folder)
    # Here rather than at a person's first key, on the main thread.
    dataset.warm_up()
    return dataset


def _made(folder: Path) -> Dataset:
    from ..ovearth_core.dataset.categories import init_dataset
    from ..ovearth_core.taxonomy import load

    return init_dataset(folder, load())


def _same(one: Path, other: Path) -> bool:
    return one.resolve() == other.resolve()
