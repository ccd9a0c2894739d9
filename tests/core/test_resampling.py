"""Resampling: both bodies give the same, GDAL gives nearly the same, and nothing bleeds."""

import numpy as np
import pytest
import rasterio
from affine import Affine
from hypothesis import given, settings
from hypothesis import strategies as st
from rasterio.enums import Resampling
from rasterio.vrt import WarpedVRT

from ovearth_core.collection.dhash import ALIKE_BITS, dhash, differing_bits
from ovearth_core.collection.imagery import ImagerySpec, open_source
from ovearth_core.collection.imagery.blackness import black_edges
from ovearth_core.collection.imagery.resampling import Nodes, resample
from ovearth_core.collection.imagery.window import averaged
from ovearth_core.collection.patches import metric_frame

from . import rasters
from .both_bodies import with_both
from .framing import framed

NAMES = st.sampled_from(["nearest", "bilinear", "cubic"])


def nodes_of(scale, turned, shift, size):
    """Nodes of a turned and scaled grid, every fourth pixel."""
    y, x = np.mgrid[0 : size + 1 : 4, 0 : size + 1 : 4].astype(float)
    c, s = scale * np.cos(turned), scale * np.sin(turned)
    return Nodes(c * x - s * y + shift, s * x + c * y + shift, 4.0, 4.0)


@settings(max_examples=40, deadline=None)
@given(
    name=NAMES, scale=st.floats(0.3, 3.5), turned=st.floats(-3, 3), shift=st.floats(-5, 30),
    masked=st.booleans(), seed=st.integers(0, 99),
    dtype=st.sampled_from([np.uint8, np.uint16, np.int16, np.float32]),
)  # fmt: skip
def test_both_bodies_give_the_same(name, scale, turned, shift, masked, seed, dtype):
    random = np.random.default_rng(seed)
    values = random.integers(0, 255, (2, 40, 50)).astype(dtype)
    valid = random.random((40, 50)) > 0.3 if masked else None
    nodes = nodes_of(scale, turned, shift, 24)
    numpy, compiled = with_both(
        lambda: resample(values, valid, nodes, (24, 24), name, (scale, scale))
    )
    assert np.array_equal(numpy[1], compiled[1])
    # Sums are taken in another order: a value halfway between two whole ones may go either way.
    # Where a few taps with small weights are all that has data, that is magnified.
    off = np.abs(numpy[0].astype(float) - compiled[0])
    assert np.quantile(off, 0.98) <= (1e-3 if dtype == np.float32 else 1)
    assert masked or off.max() <= (1e-3 if dtype == np.float32 else 1)


@settings(max_examples=40, deadline=None)
@given(name=NAMES, scale=st.floats(0.3, 3.5), turned=st.floats(-3, 3), level=st.integers(0, 255))
def test_one_colour_stays_one_colour_whatever_is_beside_it(name, scale, turned, level):
    values = np.full((1, 60, 60), 255 - level, np.uint8)
    values[:, :30] = level
    valid = np.zeros((60, 60), bool)
    valid[:30] = True
    nodes = nodes_of(scale, turned, 20.0, 32)
    out, seen = resample(values, valid, nodes, (32, 32), name, (scale, scale))
    assert (out[0][seen] == level).all()
    assert (out[0][~seen] == 0).all()


@pytest.mark.parametrize("scale", [0.7, 1.0, 1.3, 1.9])
@pytest.mark.parametrize("name", ["bilinear", "cubic"])
def test_a_picture_is_what_gdal_makes_of_it(tmp_path, name, scale):
    frame = framed("EPSG:3857", 15.0, 50.0, 0.8, width=700, height=700)
    values = rasters.picture(700, 700)
    path = rasters.write(tmp_path / "a.tif", values, frame.crs, frame.transform)
    wanted = metric_frame(15.0, 50.0, 200, 200, frame.gsd() * scale)
    mine = open_source(ImagerySpec(str(path), resampling=name)).read(wanted).values.astype(int)
    with (
        rasterio.open(path) as file,
        WarpedVRT(
            file, crs=wanted.crs, transform=Affine(*wanted.transform), width=200, height=200,
            resampling=Resampling[name], tolerance=0.001,
        ) as judge,
    ):  # fmt: skip
        off = np.abs(judge.read().astype(int) - mine)
    assert off.mean() < 1.0
    assert np.quantile(off, 0.999) <= 8


@settings(max_examples=30, deadline=None)
@given(shrink=st.integers(1, 5), seed=st.integers(0, 99))
def test_averages_are_those_of_the_pixels_with_data(shrink, seed):
    random = np.random.default_rng(seed)
    values = random.integers(0, 255, (2, 4 * shrink, 3 * shrink), np.uint8)
    valid = random.random(values.shape[1:]) > 0.4
    means, seen = averaged(values, valid, shrink)
    for row in range(4):
        for column in range(3):
            block = np.s_[
                row * shrink : (row + 1) * shrink, column * shrink : (column + 1) * shrink
            ]
            has = valid[block]
            assert (
                seen is None
                or seen[row, column] == (2 * has.sum() >= shrink * shrink)
                or (shrink == 1)
            )
            if has.any() and shrink > 1:
                assert means[0, row, column] == np.floor(values[0][block][has].mean() + 0.5)


def test_black_counts_only_where_it_reaches_an_edge():
    values = np.full((3, 20, 20), 9, np.uint8)
    values[:, :5, :5] = values[:, 10:12, 10:12] = 0
    values[2, 15, 15] = 0
    expected = np.zeros((20, 20), bool)
    expected[:5, :5] = True
    assert np.array_equal(black_edges(values), expected)


class TestDhash:
    def test_the_same_picture_brighter_or_noisier_is_alike(self):
        random = np.random.default_rng(0)
        blocks = random.integers(20, 180, (32, 32, 3)).repeat(16, 0).repeat(16, 1)
        noisy = blocks * 1.2 + random.integers(-3, 4, blocks.shape)
        assert differing_bits(dhash(blocks), dhash(noisy)) <= ALIKE_BITS
        assert differing_bits(dhash(blocks), dhash(blocks[::2, ::2])) <= ALIKE_BITS

    def test_other_pictures_are_not(self):
        random = np.random.default_rng(0)
        looks = [dhash(random.integers(0, 255, (200, 300))) for _ in range(20)]
        assert all(
            differing_bits(a, b) > ALIKE_BITS for i, a in enumerate(looks) for b in looks[:i]
        )

    @given(height=st.integers(1, 40), width=st.integers(1, 40), seed=st.integers(0, 9))
    def test_every_size_has_one_of_64_bits(self, height, width, seed):
        pixels = np.random.default_rng(seed).random((height, width, 3)).astype(np.float32)
        assert 0 <= dhash(pixels) < 1 << 64
