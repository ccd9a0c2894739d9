"""The core's words about reviews as people read them."""

from __future__ import annotations

from qgis.PyQt.QtCore import QCoreApplication


def shown(word: str) -> str:
    """Return a word of the core in the person's language; unknown ones as they are."""
    return _words().get(word, word)


def _words() -> dict[str, str]:
    tr = QCoreApplication.translate
    return {
        "annotator": tr("OVEarthReview", "annotator"),
        "manager": tr("OVEarthReview", "manager"),
        "untouched": tr("OVEarthReview", "nothing drawn"),
        "draft": tr("OVEarthReview", "draft"),
        "submitted": tr("OVEarthReview", "submitted"),
        "returned": tr("OVEarthReview", "returned"),
        "approved": tr("OVEarthReview", "approved"),
        "rejected": tr("OVEarthReview", "rejected"),
        "proposed": tr("OVEarthReview", "proposed"),
        "accepted": tr("OVEarthReview", "accepted"),
        "removed": tr("OVEarthReview", "removed"),
        "accept": tr("OVEarthReview", "accept"),
        "edit": tr("OVEarthReview", "edit"),
        "remove": tr("OVEarthReview", "remove"),
        "yes": tr("OVEarthReview", "yes"),
        "no": tr("OVEarthReview", "no"),
        "unsure": tr("OVEarthReview", "unsure"),
        "right_category": tr("OVEarthReview", "Right category?"),
        "good_boundary": tr("OVEarthReview", "Good boundary?"),
        "nothing_missed": tr("OVEarthReview", "Nothing missed?"),
        "pixel": tr("OVEarthReview", "Pixels of the image"),
        "map": tr("OVEarthReview", "Map coordinates"),
        "ground": tr("OVEarthReview", "Metres on the ground"),
    }
