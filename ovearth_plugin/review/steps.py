"""What a person does with the sample, each a step of the core's session, off the main thread."""

from __future__ import annotations

from collections.abc import Callable

from qgis.PyQt.QtCore import QObject, pyqtSignal

from ...ovearth_core.dataset import CategoryRow
from ...ovearth_core.dataset.review import (
    ReviewSession,
    Said,
    decide,
    edit_text,
    review_session,
    take_correction,
)
from ...ovearth_core.dataset.rows import TargetRow
from .state import ReviewState

# The last two, and boxes: a target that is no longer approved loses them.
_TABLES = ("targets", "queries", "reviews", "hbb", "obb")


class Steps(QObject):
    """Makes the steps. made: one was, by its name; what was typed for it can go."""

    made = pyqtSignal(str)

    def __init__(self, state: ReviewState) -> None:
        super().__init__()
        self._state = state

    def move(self, name: str, said: Said) -> None:
        """Make a move with the target: submit, approve, return …"""
        self._with_target(name, lambda session, target: session.move(name, target, said))

    def comment(self, said: Said) -> None:
        """Say something about the target."""
        self._with_target("comment", lambda session, target: session.comment(target, said))

    def recategorise(self, category: CategoryRow) -> None:
        """Give the target another category."""
        self._with_target(
            "category", lambda session, target: session.recategorise(target, category.id)
        )

    def open_second(self) -> None:
        """Begin a second annotation of the target, and go to it."""

        def begun(row: TargetRow) -> None:
            self._state.go_to(row.image_id, row.id)

        self._with_target("second", lambda session, target: session.open_second(target), begun)

    def edit_text(self, query_id: str, text: str) -> None:
        """Give a query another text."""
        self._do("query", lambda session: edit_text(session, query_id, text))

    def take_corrections(self, query_ids: list[str]) -> None:
        """Give queries the texts that the verifying model would write."""

        def work(session: ReviewSession) -> None:
            for query_id in query_ids:
                take_correction(session, query_id)

        self._do("query", work)

    def decide(self, query_ids: list[str], decision: str) -> None:
        """Accept queries, or remove them."""

        def work(session: ReviewSession) -> None:
            for query_id in query_ids:
                decide(session, query_id, decision)

        self._do("query", work)

    def _with_target(
        self,
        name: str,
        work: Callable[[ReviewSession, int], object],
        then: Callable[[TargetRow], None] | None = None,
    ) -> None:
        sample = self._state.sample
        if sample is None or sample.target is None:
            return
        target_id = sample.target.id or 0
        self._do(name, lambda session: work(session, target_id), then)

    def _do(
        self,
        name: str,
        work: Callable[[ReviewSession], object],
        then: Callable[[TargetRow], None] | None = None,
    ) -> None:
        person = self._state.person

        def write(dataset) -> object:
            with review_session(dataset, person) as session:
                return work(session)

        def done(result) -> None:
            self.made.emit(name)
            self._state.refresh()
            if then is None:
                self._state.renew()
            else:
                then(result)

        self._state.desk.do(self.tr("Writing the step"), write, done, wrote=_TABLES)
