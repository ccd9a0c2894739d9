"""Near-duplicates: a hash that survives what files go through, and footprints that overlap."""

from dataclasses import replace

import numpy as np
import pytest
import rasterio
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.checking.near_duplicates import near_duplicates
from ovearth_core.dhash import ALIKE_BITS, dhash, differing_bits
from ovearth_core.imagehash import image_hash

from .datasets import image_row
from .framing import framed
from .test_dataset_check import raster


def scene(seed, size=(256, 288)):
    coarse = np.random.default_rng(seed).uniform(0, 255, (8, 9))
    return np.kron(coarse, np.ones((size[0] // 8, size[1] // 9)))


@given(st.integers(0, 200))
def test_cells_are_compared_with_their_left_neighbours(seed):
    coarse = np.random.default_rng(seed).uniform(0, 255, (8, 9))
    bits = (np.diff(coarse, axis=1) > 0).ravel()
    expected = sum(1 << (63 - place) for place in np.flatnonzero(bits).tolist())
    assert dhash(np.kron(coarse, np.ones((5, 7)))) == expected


@given(st.integers(0, 50), st.integers(8, 70), st.integers(9, 70))
def test_any_size_has_a_hash_and_a_flat_image_has_none_set(seed, height, width):
    grey = np.random.default_rng(seed).uniform(0, 1, (height, width))
    assert 0 <= dhash(grey) < 2**64
    assert dhash(np.zeros((height, width))) == 0


def test_noise_light_and_size_move_few_bits_and_another_scene_many(tmp_path):
    pixels = np.stack([scene(1)] * 3)
    noise = np.random.default_rng(0).normal(0, 4, pixels.shape)
    hashes = [
        image_hash(raster(tmp_path / f"{name}.tif", pixels=np.clip(values, 0, 255)))
        for name, values in {
            "same": pixels, "noisy": pixels + noise, "dark": pixels * 0.6,
            "half": pixels[:, ::2, ::2], "other": np.stack([scene(2)] * 3),
        }.items()
    ]  # fmt: skip
    assert all(differing_bits(hashes[0], each) <= ALIKE_BITS for each in hashes[1:4])
    assert differing_bits(hashes[0], hashes[4]) > 15


@pytest.mark.parametrize("dtype", ["uint16", "float32"])
def test_other_pixel_types_and_single_bands_are_read(tmp_path, dtype):
    path = tmp_path / "one.tif"
    with rasterio.open(path, "w", driver="GTiff", dtype=dtype, count=1, width=288,
                       height=256) as file:  # fmt: skip
        file.write((scene(1) * 100).astype(dtype), 1)
    eight = raster(tmp_path / "eight.tif", pixels=np.stack([scene(1)] * 3))
    assert differing_bits(image_hash(path), image_hash(eight)) <= ALIKE_BITS


def images_at(*lonlats, crs="EPSG:3857", **about):
    return [
        replace(image_row(f"images/{n}.tif", framed(crs, *lonlat)), id=n, **about)
        for n, lonlat in enumerate(lonlats)
    ]


def pairs(images, hash_of=lambda image: 0):
    return [finding.id for finding in near_duplicates(images, hash_of)]


def test_only_overlapping_footprints_are_compared_and_hashed_once():
    asked = []
    images = images_at((10, 50), (10.0002, 50), (10, 50.00001), (30, 10), (10.01, 50))
    found = pairs(images, lambda image: asked.append(image.id) or 7)
    assert found == [1, 2]
    assert sorted(asked) == [0, 1, 2]


def test_images_that_share_an_edge_do_not_overlap():
    frame = framed("EPSG:32633", 15.0, 50.0)
    a, b, c, d, e, f = frame.transform
    beside = replace(frame, transform=(a, b, c + 1000 * a, d, e, f))
    images = [replace(image_row(f"{n}.tif", fr), id=n) for n, fr in enumerate((frame, beside))]
    assert pairs(images) == []


def test_images_on_both_sides_of_the_antimeridian_are_compared():
    assert pairs(images_at((179.99999, 10), (-179.99999, 10), crs="EPSG:4326"), lambda _: 1) == [1]
    assert pairs(images_at((179.9, 10), (-179.9, 10)), lambda _: 1) == []


def test_images_over_one_pole_are_compared():
    frames = [framed("EPSG:3031", 30.0, -89.99999), framed("EPSG:3413", 0.0, 89.99999),
              framed("EPSG:3031", 77.0, -89.99998, turned=20.0)]  # fmt: skip
    images = [replace(image_row(f"{n}.tif", fr), id=n) for n, fr in enumerate(frames)]
    assert pairs(images) == [2]


@given(st.lists(st.integers(0, 2**64 - 1), min_size=2, max_size=6))
def test_what_is_told_is_what_comparing_all_pairs_gives(hashes):
    images = images_at(*[(10, 50)] * len(hashes))
    expected = [
        n for n, one in enumerate(hashes)
        if any(differing_bits(one, other) <= ALIKE_BITS for other in hashes[:n])
    ]  # fmt: skip
    assert sorted(pairs(images, lambda image: hashes[image.id])) == expected


def test_an_image_without_a_file_is_not_compared():
    assert pairs(images_at((10, 50), (10, 50)), lambda image: None) == []
