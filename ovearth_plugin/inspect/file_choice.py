"""Asks for a file or folder without stopping the window: no event loop inside of another."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from qgis.core import QgsSettings
from qgis.PyQt.QtWidgets import QFileDialog, QWidget

_FOLDER = "ovearth/folder"


def open_files(
    parent: QWidget, title: str, kinds: str, chosen: Callable[[list[Path]], None]
) -> None:
    """Ask for any number of files that exist."""
    dialog = _dialog(parent, title, kinds)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
    dialog.filesSelected.connect(lambda names: chosen(_remembered(names)))
    dialog.open()


def open_file(parent: QWidget, title: str, kinds: str, chosen: Callable[[Path], None]) -> None:
    """Ask for one file that exists."""
    dialog = _dialog(parent, title, kinds)
    dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
    dialog.fileSelected.connect(lambda name: chosen(_remembered([name])[0]))
    dialog.open()


def open_folder(parent: QWidget, title: str, chosen: Callable[[Path], None]) -> None:
    """Ask for a folder."""
    dialog = _dialog(parent, title, "")
    dialog.setFileMode(QFileDialog.FileMode.Directory)
    dialog.setOption(QFileDialog.Option.ShowDirsOnly)
    dialog.fileSelected.connect(lambda name: chosen(_remembered([name])[0]))
    dialog.open()


def save_file(
    parent: QWidget,
    title: str,
    kinds: str,
    ending: str,
    chosen: Callable[[Path], None],
    is_added_to: bool = False,
) -> None:
    """Ask for a file to write; one that exists is asked about, unless it is only added to."""
    dialog = _dialog(parent, title, kinds)
    dialog.setOption(QFileDialog.Option.DontConfirmOverwrite, is_added_to)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    dialog.setDefaultSuffix(ending)
    dialog.fileSelected.connect(lambda name: chosen(_remembered([name])[0]))
    dialog.open()


def _dialog(parent: QWidget, title: str, kinds: str) -> QFileDialog:
    dialog = QFileDialog(parent, title, QgsSettings().value(_FOLDER, ""), kinds)
    dialog.finished.connect(dialog.deleteLater)
    return dialog


def _remembered(names: list[str]) -> list[Path]:
    paths = [Path(name) for name in names]
    QgsSettings().setValue(_FOLDER, str(paths[0].parent))
    return paths
