"""Promptable segmentation (SAM, SAM 2): clicks and boxes in, masks and polygons out."""

from .cleaning import mask_polygons
from .image_pixels import ArrayPixels, FilePixels, ImagePixels
from .model_spec import open_model, tried_model
from .prompt import Prompt
from .segmenter import Segmenter
from .session import Clicks, ClickSession, Proposal
from .view import View

__all__ = [
    "ArrayPixels",
    "ClickSession",
    "Clicks",
    "FilePixels",
    "ImagePixels",
    "Prompt",
    "Proposal",
    "Segmenter",
    "View",
    "mask_polygons",
    "open_model",
    "tried_model",
]
