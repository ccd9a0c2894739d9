"""Cutting patches in the background: planned and estimated first, then made, stopped any time."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...ovearth_core.collection.patches import (
    PatchJob,
    Plan,
    Report,
    dataset_places,
    extract_patches,
    plan_patches,
)
from ...ovearth_core.engine_daemons import DaemonThreads
from ...ovearth_core.errors import InputError
from ..tasks import Reporter
from .layer_imagery import KIND

if TYPE_CHECKING:
    from ...ovearth_core.dataset import Dataset

ACCEPTED = ("accepted",)
NOT_REJECTED = ("candidate", "accepted")


def leaving(job: PatchJob, report: Reporter) -> Callable[[], None] | None:
    """Return what ends the waiting for a server when a person cancels, nothing for drawn layers.

    Those end by themselves when their layer is canceled, and must: QGIS lets go of it then.
    """
    return None if job.spec.kind() == KIND else report.check


@dataclass(frozen=True)
class PatchRun:
    """One run, whole. states: of the places to cut about."""

    dataset: Dataset
    job: PatchJob
    states: tuple[str, ...]
    who: str

    def plan(self, report: Reporter) -> Plan:
        """Return what would be done; nothing is written."""
        places = dataset_places(self.dataset, self.states)
        report.check()
        plan = plan_patches(self.dataset, places, self.job, check=leaving(self.job, report))
        report.check()
        return plan

    def run(self, report: Reporter) -> Report:
        """Make the patches; CanceledError after those that were made are stored.

        What failed is listed in the report: only a fault of the whole run is raised.
        """
        plan = self.plan(report)
        try:
            extract_patches(
                self.dataset, plan, self.job, who=self.who,
                progress=lambda done, count, _: report(done, count),
                engine=DaemonThreads(leaving(self.job, report)),
            )  # fmt: skip
        except InputError:
            # Said with the others, in the list of what has no patch.
            if not plan.report.failed:
                raise
        return plan.report
