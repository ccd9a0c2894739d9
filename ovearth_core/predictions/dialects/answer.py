"""One answer as a dialect gives it: in pixels of its image unless the run says otherwise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import InputError
from ..record import Record

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model gave for one query.

    line: where its source has it, counted from 1. given: the modalities that it answers, empty or
    not. mask: as in a record. hbb: (N, 4), obb: (N, 4, 2), parallel where both unless obb_scores
    says that they are of different objects. scores, labels: of the boxes, or empty. attributes:
    whatever else is said of it, as JSON has it. where: its place, where `line` doesn't say it.
    """

    query_id: str
    line: int
    given: frozenset[str]
    mask: Any = None
    hbb: Floats | None = None
    obb: Floats | None = None
    scores: Sequence[float] = ()
    labels: Sequence[str | None] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)
    obb_scores: Sequence[float] | None = None
    where: str = ""

    def record(self) -> Record:
        """Return what of it is scored."""
        scores = _column(self.scores)
        of_obb = scores if self.obb_scores is None else _column(self.obb_scores)
        return Record(
            self.query_id, self.line, self.given, self.mask, self.hbb, self.obb, scores, of_obb
        )

    def document(self) -> dict[str, Any]:
        """Return it as a line of a run's file; InputError where no line can hold it."""
        if self.obb_scores is not None:
            raise InputError(
                f"query {self.query_id!r} has horizontal and oriented boxes of different objects",
                mend="convert one kind: --modality hbb or obb (score takes both as they are)",
            )
        document: dict[str, Any] = {"query_id": self.query_id}
        if "mask" in self.given:
            document["mask"] = self.mask
        if "hbb" in self.given:
            document["hbb"] = [] if self.hbb is None else self.hbb.tolist()
        if "obb" in self.given:
            document["obb"] = [] if self.obb is None else self.obb.reshape(-1, 8).tolist()
        if len(self.scores):
            document["scores"] = [float(score) for score in self.scores]
        if any(label is not None for label in self.labels):
            document["labels"] = list(self.labels)
        if self.attributes:
            document["attributes"] = dict(self.attributes)
        return document


def _column(scores: Sequence[float]) -> Floats | None:
    return np.array(scores, np.float64) if len(scores) else None


def empty_answer(query_id: str, line: int, *given: str) -> Answer:
    """Return the answer that nothing is there, in the modalities `given`."""
    return Answer(
        query_id,
        line,
        frozenset(given),
        hbb=np.empty((0, 4)) if "hbb" in given else None,
        obb=np.empty((0, 4, 2)) if "obb" in given else None,
    )
