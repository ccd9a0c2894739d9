"""How much people changed: of texts, of polygons, of categories, and what managers sent back."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from ..rows import ORIGINS, POLARITIES, STATES, TASKS, QueryRow, ReviewRow, TargetRow
from ..view import View
from .answers import QUESTIONS
from .history import answers_of
from .query_moves import is_changed

_TEXT_CHANGES = ("changed", "removed", "changed or removed")
_SENT_BACK = ("returned", "rejected")


@dataclass(frozen=True)
class Share:
    """How many of how many: `key` names it in JSON, `label` to people."""

    key: str
    label: str
    count: int
    of: int

    @property
    def share(self) -> float | None:
        """The fraction, None where there are none to count."""
        return self.count / self.of if self.of else None

    def cells(self) -> tuple[str, str, str, str]:
        """Return it as a row of a table; a share that there is none of is a dash."""
        share = "–" if self.share is None else f"{100 * self.share:.1f} %"
        return self.label, str(self.count), str(self.of), share

    def document(self) -> dict[str, Any]:
        """Return it as JSON has it; `share` is null where there is none."""
        return {"count": self.count, "of": self.of, "share": self.share}


def changes(view: View) -> tuple[Share, ...]:
    """Count what people changed, of the targets that are still there.

    Verdicts: of texts that a language model verified, how many it flags. Texts: of queries that
    are accepted or removed, by task and polarity; removed for good, they can't be counted any more.
    Polygons: by origin. Targets: of those that were ever submitted, how many came back, were
    approved at once; questions: of all times each was answered.
    """
    targets = list(view.targets())
    lines = list(view.reviews())
    return (
        *_verdicts(view.queries()),
        *text_shares(view.queries()),
        *_polygons(view),
        *_targets(targets, lines),
        *_questions(lines),
    )


def text_shares(queries: Iterable[QueryRow]) -> Iterator[Share]:
    """Yield how many texts people changed, removed, and either, by task and polarity."""
    counts: Counter[tuple[str, str]] = Counter()
    for query in queries:
        if query.state == "proposed":
            continue
        kind = f"{query.polarity} {query.task}"
        was_changed = is_changed(query)
        was_removed = query.state == "removed"
        happened = (was_changed, was_removed, was_changed or was_removed)
        counts[kind, "all"] += 1
        counts.update(
            (kind, what) for what, is_so in zip(_TEXT_CHANGES, happened, strict=True) if is_so
        )
    for task in TASKS:
        for polarity in POLARITIES if task == "vocabulary" else POLARITIES[:1]:
            kind = f"{polarity} {task}"
            for what in _TEXT_CHANGES:
                yield _share(f"{kind} {what}", f"{kind} texts {what}", counts[kind, what],
                             counts[kind, "all"])  # fmt: skip


def _verdicts(queries: Iterable[QueryRow]) -> Iterator[Share]:
    """Count what the verifying model said of the texts that it looked at."""
    found: Counter[str] = Counter()
    for query in queries:
        if query.verified_at is not None:
            found[query.polarity] += 1
            found["present"] += "present" in query.flags
            found["corrected"] += query.correction is not None
    yield _share("verified negatives present", "negatives that the verifying model sees",
                 found["present"], found["negative"])  # fmt: skip
    yield _share("verified texts corrected", "referring texts that the verifying model corrects",
                 found["corrected"], found["positive"])  # fmt: skip


def _polygons(view: View) -> Iterator[Share]:
    drawn: Counter[str] = Counter()
    changed: Counter[str] = Counter()
    for origin, count in view.instance_changes():
        drawn[origin] += 1
        changed[origin] += bool(count)
    for origin in ORIGINS:
        label = f"polygons changed after they were {_MADE[origin]}"
        yield _share(f"polygons {origin} changed", label, changed[origin], drawn[origin])


_MADE = {
    "drawn": "drawn",
    "click-to-mask": "made by click-to-mask",
    "imported": "imported",
    "run": "taken from a run",
}


def _targets(targets: list[TargetRow], lines: list[ReviewRow]) -> Iterator[Share]:
    ids = {target.id or 0 for target in targets}
    reached: dict[str, set[int]] = {state: set() for state in STATES}
    for line in lines:
        if line.action in ("created", "state") and line.to_state in reached:
            reached[line.to_state].add(line.target_id)
    submitted = reached["submitted"] & ids
    for state in _SENT_BACK:
        yield _share(f"targets {state}", f"submitted targets {state} at least once",
                     len(reached[state] & submitted), len(submitted))  # fmt: skip
    straight = (reached["approved"] & submitted) - reached["returned"] - reached["rejected"]
    yield _share("targets approved at once", "submitted targets approved without coming back",
                 len(straight), len(submitted))  # fmt: skip
    corrected = {line.target_id for line in lines if line.action == "category"} & ids
    yield _share("targets recategorised", "targets whose category was corrected",
                 len(corrected), len(ids))  # fmt: skip


def _questions(lines: list[ReviewRow]) -> Iterator[Share]:
    for name, (_, no) in QUESTIONS.items():
        answers = [answers_of(line).by_field()[name] for line in lines]
        given = [answer for answer in answers if answer is not None]
        yield _share(no, f"answers “{no}”", given.count(False), len(given))


def _share(key: str, label: str, count: int, of: int) -> Share:
    return Share(key.replace(" ", "_").replace("-", "_"), label, count, of)
