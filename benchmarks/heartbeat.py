"""How long the main thread stands still, and how much of that for want of a processor.

OVEARTH_STACKS=FILE writes where the main thread was whenever a block reached 50 ms.
"""

from __future__ import annotations

import os
import sys
import threading
import time
import traceback
from pathlib import Path

from qgis.core import QgsApplication, QgsProject
from qgis.PyQt import sip
from qgis.PyQt.QtCore import QEvent, QTimer
from qgis.PyQt.QtWidgets import QWidget

_THREADS = Path("/proc/self/task")
_STACKS = os.environ.get("OVEARTH_STACKS")
_LONG_S = 0.05


class Heart:
    """Beats every millisecond on the main thread; the longest pause is the longest block.

    longest_s: of all. longest_held_s: of each less what any thread of this process waited for a
    processor meanwhile, which is what other programs cost: it tells how long single steps take.
    Known on Linux only; elsewhere both are the same.
    """

    def __init__(self) -> None:
        self._me = threading.get_native_id()
        self._timer = QTimer()
        self._timer.timeout.connect(self._beat)
        self._timer.start(1)
        self.reset()
        if _STACKS:
            threading.Thread(target=self._watch, args=(Path(_STACKS),), daemon=True).start()

    def reset(self) -> None:
        """Begin anew."""
        self.longest_s = self.longest_held_s = 0.0
        self._waits = _waits()
        self._last = time.perf_counter()

    def stop(self) -> None:
        """Beat for the last time."""
        self._beat()
        self._timer.stop()

    def _beat(self) -> None:
        pause = time.perf_counter() - self._last
        self.longest_s = max(self.longest_s, pause)
        now = _waits()
        # A thread that holds Python's lock and waits for a processor holds all others up.
        waited = max((now[one] - self._waits.get(one, 0.0) for one in now), default=0.0)
        self.longest_held_s = max(self.longest_held_s, pause - waited)
        self._waits = now
        self._last = time.perf_counter()

    def _watch(self, out: Path) -> None:
        told = 0.0
        with out.open("w", encoding="utf-8") as file:
            while True:
                time.sleep(_LONG_S / 5)
                if told != self._last and time.perf_counter() - self._last > _LONG_S:
                    told = self._last
                    main = sys._current_frames()[threading.main_thread().ident]
                    file.write("".join(traceback.format_stack(main)) + "\n")
                    file.flush()


def end(application: QgsApplication, windows: list[QWidget]) -> None:
    """End QGIS in its order: at Python's end, what is left of it would go in any, and crash."""
    QgsProject.instance().clear()
    for window in windows:
        window.close()
        sip.delete(window)
    QgsApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    application.exitQgis()


def _waits() -> dict[str, float]:
    """Return how many seconds each thread has waited for a processor so far."""
    found = {}
    for place in _THREADS.iterdir() if _THREADS.exists() else ():
        try:
            found[place.name] = int((place / "schedstat").read_text().split()[1]) / 1e9
        except (OSError, IndexError):
            continue
    return found
