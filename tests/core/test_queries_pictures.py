"""Pictures show a target of any size: an overview, and a part near by where that shows more."""

import io

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as PillowImage

from ovearth_core.benchmark.model import Image
from ovearth_core.errors import InputError, UsageError
from ovearth_core.queries.depiction import depict, picture_sizes, views_of
from ovearth_core.queries.picture_file import packed
from ovearth_core.queries.subject import Subject
from ovearth_core.segment.image_pixels import ArrayPixels

from .language_peer import middle, reds
from .query_scenes import square

PLACE = ("EPSG:32633", (0.3, 0.0, 500000.0, 0.0, -0.3, 5000000.0), 0.3)


def subject(rings, width, height):
    crs, transform, gsd = PLACE
    image = Image(1, "a.tif", width, height, crs, transform, gsd)
    return Subject(1, image, "storage tank", True, tuple([[ring]] for ring in rings))


def shown(rings, width, height, side=1024, outlined=True, value=60):
    of = subject(rings, width, height)
    pixels = ArrayPixels(np.full((height, width, 3), value, np.uint8))
    return depict(of, pixels, side, outlined=outlined), views_of(of, side)


@settings(deadline=None, max_examples=25)
@given(
    st.integers(300, 3000), st.integers(300, 3000), st.floats(0.01, 0.99), st.floats(0.01, 0.99),
    st.floats(1.0, 140.0), st.sampled_from([256, 512, 1024]),
)  # fmt: skip
def test_however_small_a_target_its_outline_is_seen_where_it_lies(width, height, u, v, size, side):
    x, y = u * width, v * height
    pictures, views = shown([square(x, y, size)], width, height, side)
    assert len(pictures) == len(views)
    for picture, view in zip(pictures, views, strict=True):
        rows, columns = picture.pixels.shape[:2]
        assert max(rows, columns) <= side
        seen = reds(picture.pixels.astype(int))
        assert seen.any()
        at = middle(seen)
        # Of what isn't cut off by the image's edge, up to the ring around small things.
        low, high = ([max(0.0, x - size / 2), max(0.0, y - size / 2)],
                     [min(width, x + size / 2), min(height, y + size / 2)])  # fmt: skip
        wanted = (((low[0] + high[0]) / 2 - view.left) / view.width,
                  ((low[1] + high[1]) / 2 - view.top) / view.height)  # fmt: skip
        far = [abs(a - w) * n for a, w, n in zip(at, wanted, (columns, rows), strict=True)]
        assert max(far) <= 14
    last = views[-1]
    scale = pictures[-1].pixels.shape[1] / last.width
    assert size * scale >= min(12, size) or len(views) == 1


def test_a_small_target_in_a_large_image_is_shown_near_by_and_large():
    pictures, _ = shown([square(4000, 300, 14)], 4713, 3000)
    assert len(pictures) == 2
    assert pictures[0].pixels.shape == (652, 1024, 3)
    near = pictures[1].pixels
    seen = reds(near.astype(int))
    _, x = np.nonzero(seen)
    assert x.max() - x.min() > 60
    assert (
        "Picture 2 shows a part of it enlarged: from 83 to 87 % of its width" in pictures[1].caption
    )
    assert "48 m by 48 m on the ground" in pictures[1].caption


def test_a_large_target_needs_no_second_picture():
    pictures, _ = shown([square(500, 500, 700)], 1000, 1000)
    assert len(pictures) == 1


def test_many_small_instances_are_all_outlined_and_a_part_of_them_is_shown_near_by():
    rings = [square(x, y, 16) for x in range(200, 4600, 400) for y in range(200, 2900, 400)]
    pictures, views = shown(rings, 4713, 3000)
    assert len(pictures) == 2
    assert views[1].width < 1200
    left, top = views[1].left, views[1].top
    inside = [r for r in rings if left < r[:, 0].mean() < left + views[1].width
              and top < r[:, 1].mean() < top + views[1].height]  # fmt: skip
    assert inside
    assert reds(pictures[1].pixels.astype(int)).any()


def test_the_outline_covers_nothing_of_the_target_and_holes_are_outlined():
    hole = square(300, 300, 60)[::-1]
    ring = square(300, 300, 200)
    of = Subject(1, Image(1, "a.tif", 600, 600), "pond", True, ([[ring, hole]],))
    (picture, *_) = depict(of, ArrayPixels(np.full((600, 600, 3), 60, np.uint8)), outlined=True)
    seen = reds(picture.pixels.astype(int))
    assert not seen[202:268, 202:398].any()
    assert seen[198, 300]
    assert seen[272, 300]
    assert not seen[300, 300]


def test_a_target_that_covers_the_image_is_framed():
    pictures, _ = shown([square(300, 300, 600)], 600, 600)
    seen = reds(pictures[0].pixels.astype(int))
    assert seen[:3].all()
    assert seen[:, -3:].all()
    assert not seen[10:-10, 10:-10].any()


def test_without_the_outline_the_pixels_are_the_images_own():
    pictures, _ = shown([square(200, 200, 40)], 400, 400, outlined=False)
    assert all((picture.pixels == 60).all() for picture in pictures)


def test_sizes_are_known_before_pictures_are_made():
    for rings, width, height in (
        ([square(50, 50, 9)], 3000, 700),
        ([square(90, 90, 80)], 200, 180),
    ):
        of = subject(rings, width, height)
        pictures, _ = shown(rings, width, height)
        sizes = [(p.pixels.shape[1], p.pixels.shape[0]) for p in pictures]
        assert picture_sizes(of) == sizes


def test_flat_pictures_are_png_and_exact_and_photographs_are_jpeg_and_small():
    flat = np.full((500, 700, 3), 9, np.uint8)
    kind, whole = packed(flat)
    assert kind == "image/png"
    assert (np.asarray(PillowImage.open(io.BytesIO(whole))) == flat).all()
    noise = np.random.default_rng(0).integers(0, 255, (1024, 1024, 3), np.uint8)
    kind, whole = packed(noise)
    assert kind == "image/jpeg"
    assert PillowImage.open(io.BytesIO(whole)).size == (1024, 1024)
    assert len(packed(noise, 500_000)[1]) <= 500_000
    with pytest.raises(InputError, match="give a smaller --side"):
        packed(noise, 10_000)


def test_red_stays_red_in_a_photograph():
    rng = np.random.default_rng(0)
    of = subject([square(500, 300, 90)], 1024, 1024)
    pixels = ArrayPixels(rng.integers(30, 120, (1024, 1024, 3), np.uint8))
    picture = depict(of, pixels, outlined=True)[0]
    _, whole = packed(picture.pixels)
    back = np.asarray(PillowImage.open(io.BytesIO(whole)).convert("RGB")).astype(int)
    at = middle(reds(back))
    assert at == pytest.approx((500 / 1024, 300 / 1024), abs=0.01)


def test_the_digest_tells_pictures_apart():
    (one, *_), _ = shown([square(200, 200, 40)], 400, 400)
    (same, *_), _ = shown([square(200, 200, 40)], 400, 400)
    (other, *_), _ = shown([square(201, 200, 40)], 400, 400)
    assert one.digest == same.digest != other.digest


def test_a_side_must_make_sense():
    with pytest.raises(UsageError, match="give 256 to 4096"):
        shown([square(50, 50)], 100, 100, side=10_000)
