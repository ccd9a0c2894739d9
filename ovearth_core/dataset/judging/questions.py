"""What a reviewer is asked of a text, and which answers go with which decisions."""

from __future__ import annotations

from dataclasses import dataclass

from ...errors import UsageError
from ..rows import ANSWERS, DECISIONS, JudgementRow

ACCEPT, EDIT, REMOVE = DECISIONS
YES, NO, UNSURE = ANSWERS
LONGEST_TEXT = 2000


@dataclass(frozen=True)
class Question:
    """One of the three questions: its short name, and the whole sentence."""

    name: str
    sentence: str


GRANULARITY = Question(
    "granularity",
    "Does the phrase mean just what is outlined, at the right granularity: no wider, no narrower?",
)
ABSENCE = Question("absence", "Is what the phrase names unambiguously absent from the whole image?")
UNIQUENESS = Question(
    "uniqueness",
    "Does the text single out the whole outlined region, all of its parts, and no other visible"
    " object?",
)
QUESTIONS = (GRANULARITY, ABSENCE, UNIQUENESS)


def question_of(task: str, polarity: str) -> Question:
    """Return what is asked of texts of a task and polarity."""
    if polarity == "negative":
        return ABSENCE
    return GRANULARITY if task == "vocabulary" else UNIQUENESS


def check_judgement(row: JudgementRow) -> None:
    """Raise UsageError, its place left open, for a judgement that contradicts itself.

    An edit has another text, and only an edit has one; whoever edits or removes says why, or
    answers the question with no; what is answered with no can't be accepted.
    """
    for value, known, noun in (
        (row.decision, DECISIONS, "decision"), (row.answer or YES, ANSWERS, "answer")
    ):  # fmt: skip
        if value not in known:
            raise UsageError(f"no {noun} {value[:40]!r}", mend="give " + ", ".join(known))
    if row.decision == EDIT:
        _check_new_text(row)
    elif row.new_text is not None:
        raise UsageError(
            f"a new text, but the decision is {row.decision!r}", mend="choose edit, or clear it"
        )
    if row.decision == ACCEPT and row.answer == NO:
        raise UsageError(
            "accepted, but the question is answered with no", mend="choose edit or remove"
        )
    if row.decision != ACCEPT and not row.reason and row.answer != NO:
        raise UsageError(
            f"{row.decision!r} without a reason", mend="give one, or answer the question with no"
        )


def _check_new_text(row: JudgementRow) -> None:
    text = row.new_text or ""
    if not text.strip():
        raise UsageError("'edit' without a new text", mend="write one, or choose remove")
    if text.split() == row.text.split():
        raise UsageError("the new text is the old one", mend="choose accept")
    if len(text) > LONGEST_TEXT:
        raise UsageError(
            f"a new text of {len(text)} characters", mend=f"write at most {LONGEST_TEXT}"
        )
    if not text.isprintable():
        raise UsageError("a new text with a line's end or a control character", mend="take it out")
