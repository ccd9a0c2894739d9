"""What models, checks and reviewers say of a text, in the person's language."""

from __future__ import annotations

from qgis.PyQt.QtCore import QCoreApplication

from ...ovearth_core.dataset.judging import Verdicts
from ...ovearth_core.dataset.review import has_correction
from ...ovearth_core.dataset.rows import JudgementRow, QueryRow
from .flag_words import flag_word
from .words import shown


def found_words(query: QueryRow) -> str:
    """Return what checks and the verifying model found, and what that model would write."""
    flags = ", ".join(map(flag_word, query.flags))
    if not has_correction(query):
        return flags
    better = _tr("better: {}").format(query.correction)
    return "; ".join(filter(None, (flags, better)))


def found_lines(query: QueryRow) -> str:
    """Return why the verifying model says so, and the names that the manual has for the flags."""
    return "\n".join(filter(None, (query.verified_why, ", ".join(query.flags))))


def reviewers_words(verdicts: Verdicts) -> str:
    """Return how many reviewers decided what."""
    counts = ", ".join(f"{shown(name)} {count}" for name, count in verdicts.counts)
    return _tr("{} (no majority)").format(counts) if verdicts.is_contested else counts


def reviewers_lines(verdicts: Verdicts) -> str:
    """Return what each reviewer says, a line each."""
    lines = [_line(row) for row in verdicts.last]
    if verdicts.earlier:
        lines.append(_tr("Judgements of earlier texts, or taken back: {}").format(verdicts.earlier))
    return "\n".join(lines)


def _line(row: JudgementRow) -> str:
    said = shown(row.decision)
    if row.new_text:
        said += f" → {row.new_text}"
    if row.answer:
        said += _tr(", to the question: {}").format(shown(row.answer))
    return f"{row.who}: {said}" + (f" ({row.reason})" if row.reason else "")


def _tr(text: str) -> str:
    return QCoreApplication.translate("OVEarthReview", text)
