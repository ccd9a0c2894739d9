"""What checks and the verifying model found, in the person's language."""

from __future__ import annotations

from qgis.PyQt.QtCore import QCoreApplication


def flag_word(flag: str) -> str:
    """Return a flag of a text in words; unknown ones as they are."""
    return _words().get(flag, flag)


def _words() -> dict[str, str]:
    tr = QCoreApplication.translate
    return {
        "present": tr("OVEarthReview", "seen on the image"),
        "corrected": tr("OVEarthReview", "written otherwise by the model"),
        "doubled-text": tr("OVEarthReview", "said twice"),
        "both-polarities": tr("OVEarthReview", "positive and negative"),
        "names-category": tr("OVEarthReview", "names its category"),
        "ambiguous-text": tr("OVEarthReview", "fits another target too"),
        "repeated-text": tr("OVEarthReview", "the same as on another image"),
        "negative-present": tr("OVEarthReview", "is on the image"),
        "negative-kind": tr("OVEarthReview", "a kind of what is on the image"),
        "wrong-direction": tr("OVEarthReview", "wrong direction"),
        "not-near": tr("OVEarthReview", "not near"),
        "part-of-target": tr("OVEarthReview", "only a part"),
        "one-of-several": tr("OVEarthReview", "one of several"),
        "long-text": tr("OVEarthReview", "long"),
        "short-text": tr("OVEarthReview", "short"),
        "language": tr("OVEarthReview", "not English"),
        "no-text": tr("OVEarthReview", "no text"),
        "negative-task": tr("OVEarthReview", "a negative of this task"),
    }
