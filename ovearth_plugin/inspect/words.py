"""The core's words as people read them."""

from __future__ import annotations

from qgis.PyQt.QtCore import QCoreApplication

DASH = "–"


def shown(word: str) -> str:
    """Return a word of the core in the person's language; unknown ones as they are."""
    return _words().get(word, word)


def _words() -> dict[str, str]:
    tr = QCoreApplication.translate
    return {
        "vocabulary": tr("OVEarthWords", "vocabulary"),
        "referring": tr("OVEarthWords", "referring"),
        "reasoning": tr("OVEarthWords", "reasoning"),
        "positive": tr("OVEarthWords", "positive"),
        "negative": tr("OVEarthWords", "negative"),
        "small": tr("OVEarthWords", "small"),
        "medium": tr("OVEarthWords", "medium"),
        "large": tr("OVEarthWords", "large"),
        "hallucinated": tr("OVEarthWords", "hallucinated"),
        "missed": tr("OVEarthWords", "missed"),
        "badly placed": tr("OVEarthWords", "badly placed"),
        "good": tr("OVEarthWords", "good"),
        "matched": tr("OVEarthWords", "matched"),
        "spurious": tr("OVEarthWords", "spurious"),
        "mask": tr("OVEarthWords", "Masks"),
        "hbb": tr("OVEarthWords", "Horizontal boxes"),
        "obb": tr("OVEarthWords", "Oriented boxes"),
        "query_id": tr("OVEarthWords", "Query"),
        "text": tr("OVEarthWords", "Text"),
        "task": tr("OVEarthWords", "Task"),
        "polarity": tr("OVEarthWords", "Polarity"),
        "domain": tr("OVEarthWords", "Domain"),
        "category": tr("OVEarthWords", "Category"),
        "size": tr("OVEarthWords", "Size"),
        "present": tr("OVEarthWords", "Present"),
        "iou": tr("OVEarthWords", "IoU"),
        "tp": tr("OVEarthWords", "TP"),
        "fp": tr("OVEarthWords", "FP"),
        "fn": tr("OVEarthWords", "FN"),
        "f1": tr("OVEarthWords", "F1"),
        "error": tr("OVEarthWords", "Error"),
        "second_iou": tr("OVEarthWords", "IoU of B"),
        "difference": tr("OVEarthWords", "B − A"),
    }
