"""GroundingDINO's boxes (centre, width and height from 0 to 1), and boxes of pixel corners.

Source: IDEA-Research/GroundingDINO, groundingdino/util/inference.py: `predict` returns boxes as
cxcywh in shares of the image, logits and phrases, which `annotate` multiplies by its size;
YOLO-World's and others' bboxes are xyxy in pixels.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...benchmark import Image
from ...errors import InputError
from .dialect import Dialect
from .reading import Reading
from .records import LABELS, SCORES, box_reader, upright

Floats = NDArray[np.float64]

# A detector's boxes may reach over the edge, but pixels taken for shares lie far beyond.
_FARTHEST_SHARE = 2.0
_KEYS = ("boxes", "bboxes", "hbb", "xyxy", "pred_boxes")


def _from_centre(row: Floats, image: Image, reading: Reading) -> Floats:
    if (np.abs(row) > _FARTHEST_SHARE).any():
        what = f"{row[np.abs(row) > _FARTHEST_SHARE][0]:g} is no share of the image"
        raise InputError(what, mend="pixel corners are the dialect xyxy")
    if (row[2:] < 0).any():
        raise InputError("a negative width or height", mend="write cx, cy, width, height")
    size = np.array([image.width, image.height], np.float64)
    centre, extent = row[:2] * size, row[2:] * size
    return np.concatenate([centre - extent / 2, centre + extent / 2])


def _from_corners(row: Floats, image: Image, reading: Reading) -> Floats:
    return upright(row)


_BESIDE = f"{SCORES[0]} (or {', '.join(SCORES[1:3])}) and {LABELS[0]} (or {LABELS[1]}) beside them"

DIALECTS = (
    Dialect(
        "grounding-dino",
        ("GroundingDINO",),
        "records",
        '{"query_id", "boxes": [[cx, cy, w, h], …]} in shares of the image from 0 to 1, ' + _BESIDE,
        "https://github.com/IDEA-Research/GroundingDINO groundingdino/util/inference.py at"
        " 0c2931b8cd0d4d76e7c598ab071e3a831a0d5725",
        box_reader(_KEYS, 4, "hbb", _from_centre),
    ),
    Dialect(
        "xyxy",
        ("YOLO-World", "LAE-DINO", "SLIP-RS", "GroundingDINO through transformers"),
        "records",
        '{"query_id", "boxes": [[xmin, ymin, xmax, ymax], …]} in pixels, '
        + _BESIDE
        + ", all perhaps within pred_instances; or det_bboxes (or dets), rows with the score as a"
        " fifth number",
        "https://github.com/AILab-CVC/YOLO-World demo/image_demo.py at"
        " 41a2f2dfc0ce904ee4d0adfcad8be744e0ba4e5a (pred_instances' bboxes and scores, as mmdet has"
        " them); facias914/SLIP-RS mmdetection_sliprs/tools/sliprs_infer_visualize.py at"
        " e9e74b0d24216fbd4bd583ee8cf88e98a215956f (results of mmdet 2 at the image's size, rows of"
        " corners and score); LAE-DINO, of mmdet 3, unverified",
        box_reader(_KEYS, 4, "hbb", _from_corners),
    ),
)
