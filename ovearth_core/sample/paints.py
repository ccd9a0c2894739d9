"""The colours of the scene: what each kind of thing looks like in summer and in winter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Colour = tuple[float, float, float]


@dataclass(frozen=True)
class Paint:
    """How a kind of thing is painted; amplitudes are in levels of 0 to 255.

    grain: metre-sized texture. mottle: patches of many metres. spread: from the darkest to the
    lightest of its kind. furrow_m: distance of furrows, 0 for none.
    """

    rgb: Colour
    winter: Colour
    grain: float = 4.0
    mottle: float = 0.0
    spread: float = 0.0
    opacity: float = 1.0
    furrow_m: float = 0.0
    furrow_depth: float = 0.0


# Between two colours each: summer meadow, and snow on it.
GROUND = (
    (np.array([92.0, 112, 62]), np.array([142.0, 154, 94])),
    (np.array([206.0, 212, 220]), np.array([236.0, 238, 242])),
)

# The layers of a crown: paint, size, and how far towards the sun.
TREE_COLOURS = (("crown", 1.0, 0.0), ("leaves", 0.74, 0.12), ("sunlit", 0.42, 0.26))

_SNOW = (233.0, 236.0, 241.0)


def _car(r: float, g: float, b: float) -> Paint:
    return Paint((r, g, b), (r * 0.5 + 105, g * 0.5 + 105, b * 0.5 + 108), grain=3)


PAINTS = {
    "nothing": Paint((0, 0, 0), (0, 0, 0), opacity=0),
    "lawn": Paint((104, 128, 70), (226, 230, 236), 9, 14, 12, opacity=0.75),
    "verge": Paint((122, 128, 88), (200, 205, 212), 8, 6, opacity=0.8),
    "gravel": Paint((168, 160, 145), (214, 215, 218), 12, 10),
    "paving": Paint((186, 178, 166), (216, 218, 222), 5, 4, 20),
    "concrete": Paint((190, 188, 182), (222, 224, 227), 6, 6, 14),
    "asphalt": Paint((108, 110, 114), (176, 180, 186), 6, 6, 14),
    "road": Paint((120, 120, 122), (112, 114, 118), 5, 5),
    "track": Paint((166, 148, 116), (208, 206, 204), 10, 8),
    "marking": Paint((226, 226, 220), (226, 228, 230), 3, opacity=0.85),
    "field": Paint((190, 172, 98), (222, 222, 222), 8, 16, furrow_m=2.4, furrow_depth=9),
    "reeds": Paint((92, 112, 58), (176, 172, 160), 14, 8),
    "pond": Paint((48, 72, 76), (150, 168, 180), 3, 5),
    "pool": Paint((72, 184, 206), (170, 200, 210), 5),
    "helipad": Paint((88, 104, 98), (150, 158, 158), 4),
    "tank": Paint((222, 222, 216), (226, 228, 232), 3, spread=10),
    "pipe": Paint((196, 196, 190), (216, 218, 222), 3),
    "flat roof": Paint((166, 166, 164), (224, 227, 232), 5, 5, 90),
    "tile roof": Paint((164, 92, 66), (214, 208, 208), 7, 0, 60),
    "barn roof": Paint((134, 84, 70), (210, 206, 206), 6, 4),
    "skylight": Paint((120, 146, 166), (190, 202, 212), 3),
    "seam": Paint((120, 120, 120), (200, 204, 210), 0, opacity=0.5),
    "plant room": Paint((138, 140, 142), (190, 194, 200), 3, spread=60),
    "red band": Paint((178, 44, 40), (190, 90, 88), 3),
    "trampoline": Paint((44, 62, 96), (190, 196, 206), 3),
    "bale": Paint((234, 234, 226), _SNOW, 4),
    "glass": Paint((44, 52, 62), (120, 128, 138), 2),
    "dark": Paint((20, 22, 30), (60, 66, 80), 0, opacity=0.3),
    "light": Paint((250, 248, 240), _SNOW, 0, opacity=0.45),
    "crown": Paint((50, 74, 40), (150, 146, 142), 16, 0, 26),
    "leaves": Paint((74, 102, 52), (168, 164, 160), 18, 0, 26, opacity=0.85),
    "sunlit": Paint((106, 134, 70), (206, 206, 206), 16, 0, 20, opacity=0.6),
    "car white": _car(236, 236, 234),
    "car silver": _car(184, 188, 192),
    "car grey": _car(112, 116, 122),
    "car black": _car(36, 38, 42),
    "car red": _car(168, 34, 36),
    "car blue": _car(40, 74, 140),
    "car green": _car(52, 96, 70),
}
