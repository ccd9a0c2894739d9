"""What shows nothing is told from what shows a little, also after JPEG."""

import numpy as np
import pytest
from rasterio.io import MemoryFile

from ovearth_core.collection.imagery import About, Pixels
from ovearth_core.collection.patches.refusal import unfit

from .patch_jobs import FRAME


def pixels_of(values):
    """Values (3,h,w) as they are read from a picture that holds data all over."""
    valid = np.ones(values.shape[1:], np.bool_)
    return Pixels(FRAME, values, valid, About("a"), ("red", "green", "blue"))


def seen(picture, quality):
    """A picture (h,w,3) as it comes from a server, as JPEG where it has a quality."""
    values = np.ascontiguousarray(np.moveaxis(np.clip(picture, 0, 255).astype(np.uint8), 2, 0))
    if quality is None:
        return pixels_of(values)
    with MemoryFile() as memory:
        _, height, width = values.shape
        with memory.open(
            driver="JPEG", count=3, height=height, width=width, dtype="uint8", quality=quality
        ) as file:
            file.write(values)
        with memory.open() as file:
            return pixels_of(file.read())


@pytest.mark.parametrize("quality", [None, 40, 75, 95])
@pytest.mark.parametrize("waves", [0.0, 1.2])
@pytest.mark.parametrize("length", [20, 40, 100])
def test_a_ship_on_a_calm_sea_is_no_blank_and_no_placeholder(quality, waves, length):
    random = np.random.default_rng(1)
    sea = np.full((512, 512, 3), (5, 20, 40)) + random.normal(0, waves, (512, 512, 3))
    sea[200 : 200 + length, 200 : 200 + length // 3] = random.integers(
        60, 255, (length, length // 3, 3)
    )
    assert unfit(seen(sea, quality), 0.05) is None


@pytest.mark.parametrize("quality", [None, 40, 75, 95])
@pytest.mark.parametrize("waves", [0.0, 0.3])
def test_a_sea_alone_is_blank(quality, waves):
    sea = np.full((512, 512, 3), (5, 20, 40)) + np.random.default_rng(1).normal(
        0, waves, (512, 512, 3)
    )
    assert unfit(seen(sea, quality), 0.05).reason == "blank"


@pytest.mark.parametrize("quality", [None, 40, 75, 95])
@pytest.mark.parametrize(("ground", "ink"), [
    ((204, 204, 204), (120, 120, 120)), ((250, 250, 250), (200, 0, 0)),
    ((229, 227, 223), (40, 60, 90)), ((20, 20, 20), (200, 200, 200)),
])  # fmt: skip
def test_letters_on_a_ground_are_a_placeholder(quality, ground, ink):
    cv2 = pytest.importorskip("cv2", reason="the letters are OpenCV's")
    tile = np.full((256, 256, 3), ground, np.uint8)
    for row, words in ((110, "Map data not"), (135, "yet available")):
        cv2.putText(tile, words, (60, row), cv2.FONT_HERSHEY_SIMPLEX, 0.5, ink, 1, cv2.LINE_AA)
    four = np.tile(seen(tile, quality).values, (1, 2, 2))
    assert unfit(pixels_of(four), 0.05).reason == "placeholder"
