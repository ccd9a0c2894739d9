"""From a query that is looked at into Review: return its target, take a prediction as a draft."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qgis.PyQt.QtCore import QObject

from ...ovearth_core.inspection.into_dataset import (
    RETURNED,
    predicted_at,
    return_target,
    take_as_draft,
)
from ...ovearth_core.inspection.returned import ReturnedTarget
from ..messages import Messages
from ..tasks import Failure
from .returned_targets import ReturnedTargets
from .state import InspectState

if TYPE_CHECKING:
    from ...ovearth_core.dataset.review import Drawing
    from ..review.panel import ReviewPanel

_MOVED = ("targets", "reviews", "hbb", "obb")
_DRAWN = ("instances", "targets", "reviews")


class IntoReview(QObject):
    """Writes into the open dataset; where none is open, a returned target goes into the list."""

    def __init__(
        self,
        state: InspectState,
        returned: ReturnedTargets,
        review: ReviewPanel | None,
        messages: Messages,
    ) -> None:
        super().__init__()
        self._state = state
        self._returned = returned
        self._review = review
        self._messages = messages

    @property
    def is_open(self) -> bool:
        """Whether there is a dataset to write into."""
        return self._review is not None and self._review.state.shared.dataset is not None

    def send(self, entry: ReturnedTarget) -> None:
        """Return a target, or keep it in the list."""
        if not self.is_open:
            self._returned.add(entry)
            return
        review = self._review
        person = review.state.person

        def done(what: str) -> None:
            if what == RETURNED:
                self._messages.succeed(self.tr("The target is returned, and waits in Review."))
            else:
                self._messages.inform(
                    self.tr(
                        "Your comment is in the target's log; a manager can return it in Review."
                    )
                )
            review.state.refresh()
            review.state.renew()

        def failed(failure: Failure) -> None:
            # What was written is not lost.
            self._returned.add(entry)
            self._messages.failure(failure)

        review.desk.do(
            self.tr("Returning the target"),
            lambda dataset: return_target(dataset, person, entry),
            done,
            failed,
            wrote=_MOVED,
        )

    def take(self, x_px: float, y_px: float) -> None:
        """Draw what run A predicts at a place of the image on the query's target."""
        state = self._state
        if state.row is None or state.first is None or state.inspected is None:
            return
        if not self.is_open:
            self._messages.warn(self.tr("Open the benchmark's dataset in Review first."))
            return
        review, run, modality = self._review, state.first, state.modality
        benchmark = state.inspected.benchmark
        query = benchmark.queries[state.row]
        target = benchmark.target_by_id[query.target_id]
        file_name = benchmark.image_by_id[target.image_id].file_name
        person = review.state.person

        def work(dataset) -> Drawing | None:
            shape = predicted_at(run, query.id, modality, x_px, y_px)
            if shape is None:
                return None
            return take_as_draft(dataset, person, query.id, file_name, shape, run.name)[1]

        def done(drawing: Drawing | None) -> None:
            if drawing is None:
                self._messages.warn(self.tr("Run A predicts nothing there."))
                return
            review.undo.add(drawing)
            self._messages.succeed(self.tr("The polygon is in the target's draft, in Review."))
            review.state.refresh()
            review.state.renew()

        review.desk.do(self.tr("Taking the polygon"), work, done, wrote=_DRAWN)
