"""Predictions on the map: what was matched, spurious and missed, with the numbers of scoring."""

from .answers import AnswerShelf
from .boxes import BoxComparison
from .feature import OUTCOMES, OverlayFeature
from .query import QueryOverlay
from .run import overlay_features, overlay_files

__all__ = [
    "OUTCOMES",
    "AnswerShelf",
    "BoxComparison",
    "OverlayFeature",
    "QueryOverlay",
    "overlay_features",
    "overlay_files",
]
