"""Runs of models: their files, records, and where their coordinates lie on the images."""

from .header import Header
from .placing import Placing
from .record import Record
from .run import Predictions, model_name, predictions_from
from .sources import read_predictions

__all__ = [
    "Header",
    "Placing",
    "Predictions",
    "Record",
    "model_name",
    "predictions_from",
    "read_predictions",
]
