"""Scoring: matching, segmentation, detection, presence, and `evaluate` over them."""

from .evaluation import Options, evaluate
from .matching import THRESHOLDS, match
from .scores import Scores

__all__ = ["THRESHOLDS", "Options", "Scores", "evaluate", "match"]
