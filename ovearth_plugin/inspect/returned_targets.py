"""The returned targets, kept in their file from the first click on."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...ovearth_core.errors import OVEarthError
from ...ovearth_core.inspection.returned import (
    ReturnedTarget,
    change_returned,
    open_returned,
    read_returned,
    returned_path,
)
from ..messages import Messages
from ..tasks import failure_of
from .kept_places import choose_file, chosen_file, rescue_file
from .state import InspectState


class ReturnedTargets(QObject):
    """The list and its file, which other windows write to as well.

    What can't be saved there waits in QGIS's profile, and is saved when the benchmark is opened
    again and it can be.
    """

    changed = pyqtSignal()

    def __init__(self, state: InspectState, messages: Messages) -> None:
        super().__init__()
        self._state = state
        self._messages = messages
        self._benchmark: Path | None = None
        self._in_file: tuple[ReturnedTarget, ...] = ()
        # By benchmark, for the case that the profile can't be written to either.
        self._unsaved: dict[Path, dict[str, ReturnedTarget]] = {}
        self._taken: set[str] = set()
        self.path: Path | None = None
        self.is_saved = True
        state.benchmark_changed.connect(self._open)

    @property
    def entries(self) -> tuple[ReturnedTarget, ...]:
        """All that is in the file, without what was taken out, and what is not saved yet."""
        put = self._put
        kept = [one for one in self._in_file if one.id not in {*self._taken, *put}]
        return (*kept, *put.values())

    def add(self, entry: ReturnedTarget) -> None:
        """Add a target and save the list; what it says already is not added twice."""
        alike = [one for one in self.entries if one.target_id == entry.target_id]
        if any(one.says_the_same(entry) for one in alike):
            self._messages.inform(self.tr("The list says that of this target already."))
            return
        self._put[entry.id] = entry
        self._keep()
        if alike:
            self._messages.inform(
                self.tr("This target is in the list {} times, each with its comment.").format(
                    len(alike) + 1
                )
            )

    def remove(self, entry: ReturnedTarget) -> None:
        """Take a target out and save the list."""
        self._put.pop(entry.id, None)
        self._taken.add(entry.id)
        self._keep()

    def save_in(self, path: Path) -> None:
        """Keep the list in another file from now on, together with what that one holds."""
        before, self.path = self.path, path
        waiting = dict(self._put)
        self._put.update({one.id: one for one in self.entries})
        if not self._save():
            self.path = before
            self._unsaved[self._benchmark] = waiting
            return
        is_own = path == returned_path(self._benchmark)
        choose_file(self._benchmark, None if is_own else path)
        self.changed.emit()

    @property
    def _put(self) -> dict[str, ReturnedTarget]:
        return self._unsaved.setdefault(self._benchmark, {})

    def _keep(self) -> None:
        self.is_saved = self._save()
        if not self.is_saved and self._put:
            # Neither another benchmark nor the end of QGIS takes it along.
            try:
                change_returned(rescue_file(self._benchmark), self._put.values())
            except OVEarthError as fault:
                self._messages.failure(failure_of(fault))
        self.changed.emit()

    def _save(self) -> bool:
        inputs = [self._benchmark, *(run.path for run in self._state.runs)]
        try:
            found = change_returned(self.path, self._put.values(), self._taken, inputs)
        except OVEarthError as fault:
            self._messages.failure(failure_of(fault))
            return False
        self._forget_rescued({*self._put, *self._taken})
        self._in_file = found.targets
        self._put.clear()
        self._taken.clear()
        self.is_saved = True
        return True

    def _forget_rescued(self, ids: set[str]) -> None:
        rescue = rescue_file(self._benchmark)
        # What stays there is only put into the list a second time, where it is already.
        with suppress(OVEarthError, OSError):
            if rescue.exists():
                left = change_returned(rescue, (), ids)
                if not left.document["targets"]:
                    rescue.unlink()

    def _open(self) -> None:
        if not self.is_saved:
            self._messages.inform(
                self.tr("What isn't saved of the last list comes back with its benchmark.")
            )
        self._benchmark = self._state.inspected.path
        self._taken = set()
        self.is_saved = True
        self.path, found, fault = open_returned(self._file())
        self._in_file = found.targets
        if fault is not None:
            # What can't be read is not written over.
            self._messages.failure(failure_of(fault))
        if found.unreadable:
            text = self.tr("{} of the returned list can't be read, and stays in its file as it is.")
            self._messages.warn(text.format("; ".join(found.unreadable)))
        self._fetch_rescued()
        self.changed.emit()

    def _file(self) -> Path:
        chosen = chosen_file(self._benchmark)
        if chosen is not None and not chosen.exists():
            self._messages.warn(
                self.tr("The returned list's file is gone: {}. A new one is begun.").format(chosen)
            )
            chosen = None
        return chosen or returned_path(self._benchmark)

    def _fetch_rescued(self) -> None:
        try:
            rescued = read_returned(rescue_file(self._benchmark)).targets
        except OVEarthError as fault:
            self._messages.failure(failure_of(fault))
            rescued = ()
        self._put.update({one.id: one for one in rescued})
        if self._put:
            self._keep()
