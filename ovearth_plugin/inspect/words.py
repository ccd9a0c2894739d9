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
    }


def heading(word: str, modality: str) -> str:
    """Return a column's heading; a difference says of which number it is."""
    if word != "difference":
        return shown(word)
    tr = QCoreApplication.translate
    is_boxes = modality in ("hbb", "obb")
    return tr("OVEarthWords", "F1: B − A") if is_boxes else tr("OVEarthWords", "IoU: B − A")


def heading_tip(word: str, modality: str) -> str:
    """Return what a column of the table means, for masks or for boxes; nothing if it is plain."""
    return _tips("boxes" if modality in ("hbb", "obb") else "masks").get(word, "")


def _tips(kind: str) -> dict[str, str]:
    tr = QCoreApplication.translate
    is_boxes = kind == "boxes"
    return {
        "query_id": tr("OVEarthWords", "The query's id in the benchmark"),
        "text": tr("OVEarthWords", "What the model was asked"),
        "task": tr("OVEarthWords", "How it was asked: by name, by a description, by a question"),
        "polarity": tr("OVEarthWords", "Positive: it is in the image. Negative: it is not"),
        "domain": tr("OVEarthWords", "The domain of the target's category"),
        "category": tr("OVEarthWords", "The target's category"),
        "size": tr(
            "OVEarthWords", "By the target's pixels: small below 32², medium below 96², large above"
        ),
        "present": tr("OVEarthWords", "Whether the run says that there is something"),
        "error": tr("OVEarthWords", "What kind of mistake it is at the threshold, if any"),
        "iou": tr("OVEarthWords", "Mean over the true boxes, of the best predicted one for each")
        if is_boxes
        else tr("OVEarthWords", "Intersection of prediction and truth over their union, in pixels"),
        "tp": tr("OVEarthWords", "True positives: matched boxes at the threshold")
        if is_boxes
        else tr("OVEarthWords", "True positives: pixels in prediction and truth"),
        "fp": tr("OVEarthWords", "False positives: spurious boxes at the threshold")
        if is_boxes
        else tr("OVEarthWords", "False positives: pixels in the prediction only"),
        "fn": tr("OVEarthWords", "False negatives: missed boxes at the threshold")
        if is_boxes
        else tr("OVEarthWords", "False negatives: pixels in the truth only"),
        "f1": tr("OVEarthWords", "2TP / (2TP + FP + FN) of the query"),
        "second_iou": tr("OVEarthWords", "The IoU of run B"),
        "difference": tr(
            "OVEarthWords",
            "By how much B's F1 is better than A's: matched boxes count, not how well they match",
        )
        if is_boxes
        else tr("OVEarthWords", "By how much B's IoU is better than A's"),
    }
