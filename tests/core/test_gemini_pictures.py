"""Gemini's masks are pictures in their boxes, brought to their pixels as Google's guide says."""

import base64
import io
import json
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as Picture
from supervision.detection import vlm

from ovearth_core.errors import InputError
from ovearth_core.geometry import Runs
from ovearth_core.png_text import grey_of
from ovearth_core.predictions.dialects import DialectOptions, open_dialect
from ovearth_core.predictions.dialects.picture_mask import mask_in_box
from ovearth_core.scoring import evaluate

from . import dialect_scene as scene
from . import making
from .shared import CHECKOUT

WIDTH, HEIGHT = 100, 80
ADDRESS = "data:image/png;base64,"


def png(values, **options):
    file = io.BytesIO()
    picture = values if isinstance(values, Picture.Image) else Picture.fromarray(values)
    picture.save(file, "PNG", **options)
    return base64.b64encode(file.getvalue()).decode()


def chunk(name, content):
    return struct.pack(">I", len(content)) + name + content + struct.pack(
        ">I", zlib.crc32(name + content)
    )  # fmt: skip


def bomb(width, height):
    """A PNG that says that it is large, and has next to nothing in it."""
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    parts = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0")) + chunk(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + parts).decode()


def answered(folder, *objects, **options):
    """The answer about image 1, of 100 by 80 pixels, and what was left out of it."""
    path = making.write_run(folder, {"query_id": "v1", "text": json.dumps(list(objects))})
    run = open_dialect(path, "gemini", making.read(folder, making.benchmark()),
                       DialectOptions(**options))  # fmt: skip
    (found,) = run.answers()
    return found, dict(run.told["left_out"])


def test_the_scene_scores_as_the_truth_does_by_its_pictures(tmp_path):
    white = np.full((256, 256), 255, np.uint8)
    objects = [
        {"box_2d": box, "label": "tank", "mask": ADDRESS + png(white)}
        for box in scene.bins(1000, y_first=True)
    ]
    run = scene.opened(tmp_path, "gemini", scene.text(json.dumps(objects), "[]"))
    scores = evaluate(scene.benchmark(tmp_path), run).to_dict()
    assert scores["segmentation"]["vocabulary"]["ma_iou"] > 0.99
    assert scores["presence"]["mask"]["mcc"] == 1.0


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    shape=st.tuples(st.integers(1, 300), st.integers(1, 300)),
    corners=st.tuples(*[st.integers(0, 1000)] * 4),
)
def test_every_pixel_is_that_of_supervision(seed, shape, corners):
    y0, y1, x0, x1 = (*sorted(corners[:2]), *sorted(corners[2:]))
    # A smooth picture: pixels of 127 and a half fall either way.
    random = np.random.default_rng(seed)
    rough = Picture.fromarray(random.integers(0, 256, (5, 5), np.uint8))
    picture = np.asarray(rough.resize(shape, Picture.Resampling.BICUBIC))
    said = {"box_2d": [y0, x0, y1, x1], "label": "a", "mask": ADDRESS + png(picture)}
    text = f"```json\n{json.dumps([said])}\n```"
    expected = vlm.from_google_gemini_2_5(text, (WIDTH, HEIGHT))[4][0]
    box = np.array([x0 * WIDTH, y0 * HEIGHT, x1 * WIDTH, y1 * HEIGHT]) / 1000
    found = mask_in_box(said["mask"], box, (WIDTH, HEIGHT))
    pixels = np.zeros((HEIGHT, WIDTH), bool) if found is None else found.to_array()
    assert (pixels != expected).sum() <= 0.002 * expected.size


def test_a_mask_larger_than_a_block_of_rows_is_in_one_piece():
    wedge = np.tri(64, 64, dtype=np.uint8) * 255
    found = mask_in_box(png(wedge), np.array([0, 0, 1300, 1300.0]), (1300, 1300))
    expected = np.asarray(Picture.fromarray(wedge).resize((1300, 1300), Picture.BILINEAR)) > 127
    assert (found.to_array() != expected).sum() <= 5


class TestPictures:
    @pytest.mark.parametrize(
        "picture",
        [
            Picture.fromarray(np.arange(256, dtype=np.uint8).reshape(16, 16)),
            Picture.fromarray(np.arange(768, dtype=np.uint16).astype(np.uint8).reshape(16, 16, 3)),
            Picture.fromarray(np.arange(1024, dtype=np.uint16).astype(np.uint8).reshape(16, 16, 4)),
            Picture.fromarray(np.eye(9, 16) > 0),
        ],
        ids=["grey", "colour", "with transparency", "one bit"],
    )
    def test_they_are_grey_as_pillow_makes_them(self, picture):
        expected = np.asarray(picture.convert("RGB").convert("L"))
        assert (grey_of(png(picture)) == expected).all()

    def test_one_with_transparency_beside_grey_is_its_grey(self):
        grey = np.arange(256, dtype=np.uint8).reshape(16, 16)
        picture = Picture.merge("LA", [Picture.fromarray(grey), Picture.fromarray(255 - grey)])
        assert (grey_of(png(picture)) == grey).all()

    def test_sixteen_bits_are_cut_to_eight(self):
        deep = (np.arange(256, dtype=np.uint16).reshape(16, 16) << 8) + 5
        assert (grey_of(png(deep)) == deep >> 8).all()

    def test_the_address_before_them_may_be_missing(self):
        whole = png(np.full((2, 2), 9, np.uint8))
        assert (grey_of(whole) == grey_of(ADDRESS + whole)).all()

    def test_where_rasterio_is_missing_gdal_reads_them_alike(self):
        python = "/usr/bin/python3"
        code = (
            "import sys; sys.modules['rasterio'] = None\n"
            "from ovearth_core.png_text import grey_of; print(grey_of(sys.argv[1]).tolist())"
        )
        asked = [python, "-c", "import osgeo.gdal, numpy"]
        if subprocess.run(asked, check=False, capture_output=True).returncode:
            pytest.skip("this machine's Python has no GDAL")
        grey = np.arange(12, dtype=np.uint8).reshape(3, 4) * 20
        done = subprocess.run([python, "-c", code, png(grey)], check=True, cwd=CHECKOUT,
                              capture_output=True, text=True, timeout=60)  # fmt: skip
        assert json.loads(done.stdout) == grey.tolist()


class TestMalformedOnes:
    BOX = {"box_2d": [100, 100, 500, 600], "label": "a"}  # noqa: RUF012 - never changed
    PALETTE = png(Picture.new("P", (2, 2)))

    @pytest.mark.parametrize(
        ("mask", "said"),
        [
            ("", "no PNG in base64"),
            ("<start_of_mask><seg_12>", "no PNG in base64"),
            (ADDRESS + png(np.zeros((9, 9), np.uint8))[:60], "a PNG that is cut off"),
            (ADDRESS + png(np.zeros((9, 9), np.uint8))[:61], "no PNG in base64"),
            (ADDRESS + bomb(9, 9), "a PNG that can't be read"),
            (ADDRESS + bomb(100_000, 100_000), "a picture of 100000 by 100000 pixels"),
            (ADDRESS + bomb(0, 5), "a picture of 0 by 5 pixels"),
            (PALETTE, "palette"),
            (7, "'mask' is not a list of positions, or a PNG"),
        ],
    )
    def test_they_are_errors_with_their_place_or_counted_and_the_box_kept(
        self, tmp_path, mask, said
    ):
        with pytest.raises(InputError, match=said) as refused:
            answered(tmp_path, {**self.BOX, "mask": mask})
        assert "line 1, query v1, character 2" in refused.value.where
        found, left = answered(tmp_path, {**self.BOX, "mask": mask}, lenient=True)
        assert left == {"broken or cut-off boxes": 1}
        assert found.hbb.tolist() == [[10, 8, 60, 40]]

    def test_a_picture_in_a_box_that_is_none_is_counted_once(self, tmp_path):
        white = png(np.full((2, 2), 255, np.uint8))
        broken = {"box_2d": [100, 100, 50, 600], "mask": white}
        found, left = answered(tmp_path, broken, {**self.BOX, "mask": white}, lenient=True)
        assert left == {"broken or cut-off boxes": 1}
        assert Runs.from_rle(found.mask).area == 50 * 32

    def test_a_box_without_a_whole_pixel_has_an_empty_mask(self, tmp_path):
        white = png(np.full((2, 2), 255, np.uint8))
        found, _ = answered(tmp_path, {"box_2d": [100, 100, 100, 104], "mask": white})
        assert found.mask is None
        assert found.given == {"hbb", "mask"}

    def test_pictures_and_outlines_are_united(self, tmp_path):
        white = png(np.full((2, 2), 255, np.uint8))
        outline = [[600, 500], [700, 500], [700, 750], [600, 750]]
        found, _ = answered(
            tmp_path,
            {**self.BOX, "mask": white},
            {"box_2d": [500, 600, 750, 700], "mask": outline},
        )
        assert Runs.from_rle(found.mask).area == 50 * 32 + 10 * 20
        assert len(found.hbb) == 2


@pytest.mark.skipif(sys.platform == "win32", reason="addresses are limited otherwise")
def test_a_picture_that_says_it_is_large_takes_no_memory_for_it():
    with pytest.raises(InputError, match="60000 by 60000"):
        grey_of(bomb(60_000, 60_000))
