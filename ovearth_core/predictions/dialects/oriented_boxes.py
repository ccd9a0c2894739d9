"""Oriented boxes as four corners, or as centre, size and an angle in a named convention.

mmrotate's conventions differ in the range of the angle only: from the x axis to the side of length
w, positive from +x towards +y (clockwise as seen on the image).

Source: open-mmlab/mmrotate, mmrotate/core/bbox/transforms.py, obb2poly_le90, _le135 and _oc;
OpenRSD's SimpleRun/step1_inference.py writes `polys` (corners), `scores` and `texts`.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ...benchmark import Image
from ...errors import InputError
from ...geometry import check_quads
from .dialect import Dialect
from .reading import Reading
from .records import box_reader

Floats = NDArray[np.float64]

# The range of each convention in radians; either end is taken, for rounding.
_RANGES = {
    "le90": (-math.pi / 2, math.pi / 2),
    "le135": (-math.pi / 4, 3 * math.pi / 4),
    "oc": (0.0, math.pi / 2),
}
_ROUNDING = 1e-4
_CORNER_KEYS = ("polys", "obb", "corners", "quads", "boxes", "bboxes")
_ANGLE_KEYS = ("boxes", "bboxes", "rboxes", "obb")


def corners_of(box: Floats) -> Floats:
    """Return the corners (4, 2) of centre x, y, width, height and angle in radians (5,).

    The angle runs from +x towards +y, the corners clockwise as seen on the image.
    """
    along = np.array([math.cos(box[4]), math.sin(box[4])]) * (box[2] / 2)
    across = np.array([-math.sin(box[4]), math.cos(box[4])]) * (box[3] / 2)
    return np.array([-along - across, along - across, along + across, across - along]) + box[:2]


def _from_angle(row: Floats, image: Image, reading: Reading) -> Floats:
    convention = str(reading.options.angle)
    angle = row[4]
    if reading.options.angle_unit == "degrees":
        angle = math.radians(angle)
    lowest, highest = _RANGES[convention]
    if not lowest - _ROUNDING <= angle <= highest + _ROUNDING:
        what = f"an angle of {row[4]:g} is none in {convention}"
        raise InputError(what, mend="name its convention (--angle) and unit (--angle-unit)")
    if row[2] < 0 or row[3] < 0:
        raise InputError("a negative width or height", mend="write cx, cy, w, h, angle")
    return corners_of(np.array([*row[:4], angle]))


def _from_corners(row: Floats, image: Image, reading: Reading) -> Floats:
    corners: Floats = check_quads(row.reshape(1, 8))[0]
    return corners


DIALECTS = (
    Dialect(
        "obb-angle",
        ("OpenRSD", "mmrotate's detectors"),
        "records",
        '{"query_id", "boxes": [[cx, cy, w, h, angle], …]} in pixels, angles in the convention'
        " --angle le90 (-90° to 90°), le135 (-45° to 135°) or oc (0° to 90°: OpenCV 4.5.1 to 4.x),"
        " from +x to the side of length w, clockwise as seen, in radians unless --angle-unit"
        " degrees; or det_bboxes (or dets), rows with the score as a sixth number",
        "https://github.com/open-mmlab/mmrotate mmrotate/core/bbox/transforms.py at"
        " 0724acc9a03577d19eaf5524385ad23315da739a",
        box_reader(_ANGLE_KEYS, 5, "obb", _from_angle),
        ("angle", "angle_unit"),
        ("angle",),
    ),
    Dialect(
        "obb-corners",
        ("OpenRSD",),
        "records",
        '{"query_id", "polys": [[x1, y1, …, x4, y4], …]} in pixels, "scores" and "texts" beside',
        "https://github.com/floatingstarZ/OpenRSD SimpleRun/step1_inference.py at"
        " 10bda67d60d9c43a9cd458fa59940132ba2b33ab",
        box_reader(_CORNER_KEYS, 8, "obb", _from_corners),
    ),
)
