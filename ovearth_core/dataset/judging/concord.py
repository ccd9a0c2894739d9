"""How far reviewers of texts agree: Krippendorff's alpha, by kind of text."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...errors import MissingPackageError
from ..rows import JudgementRow
from .settlement import latest

# Of one text, what its reviewers said: units of nominal data.
Unit = Sequence[str]


@dataclass(frozen=True)
class Concord:
    """texts: judged by two or more. same: of these, how many all judged alike.

    alpha: Krippendorff's, None where it isn't defined.
    """

    texts: int
    same: int
    alpha: float | None

    def document(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"texts": self.texts, "same": self.same, "alpha": self.alpha}


def concord(units: Iterable[Unit]) -> Concord:
    """Return how far people agree about texts. MissingPackageError without krippendorff."""
    several = [unit for unit in units if len(unit) > 1]
    same = sum(len(set(unit)) == 1 for unit in several)
    return Concord(len(several), same, alpha(several))


def alpha(units: Iterable[Unit]) -> float | None:
    """Return Krippendorff's alpha of nominal data; units of one value don't count.

    None where no unit has two, or all values are one and the same: there is no disagreement to be
    expected then. (K. Krippendorff, Content Analysis, 4th edition 2018, chapter 12.)
    """
    several = [unit for unit in units if len(unit) > 1]
    known = sorted({value for unit in several for value in unit})
    if len(known) < 2:
        return None
    try:
        import krippendorff
    except ImportError:
        raise MissingPackageError(
            "how far reviewers agree needs krippendorff", mend="pip install krippendorff"
        ) from None
    counts = np.array([[list(unit).count(value) for value in known] for unit in several])
    return float(krippendorff.alpha(value_counts=counts, level_of_measurement="nominal"))


def units_of(
    judgements: Iterable[JudgementRow], said: Callable[[JudgementRow], str | None]
) -> list[Unit]:
    """Return what reviewers said of each text, the last word of each reviewer.

    A text that was changed and judged again is another unit. said: what is taken of a judgement;
    those of which it is None are left out.
    """
    by_text: dict[tuple[str, str], list[JudgementRow]] = {}
    for row in judgements:
        by_text.setdefault((row.query_id, row.text), []).append(row)
    return [
        [value for row in latest(rows) if (value := said(row)) is not None]
        for rows in by_text.values()
    ]


def by_kind(
    judgements: Iterable[JudgementRow], kinds: Mapping[str, str]
) -> dict[str, list[JudgementRow]]:
    """Return judgements by the kind of their query; those of unknown ones are left out."""
    found: dict[str, list[JudgementRow]] = {}
    for row in judgements:
        if (kind := kinds.get(row.query_id)) is not None:
            found.setdefault(kind, []).append(row)
    return found
