"""The parts of images that models are shown, and pixels of files."""

import numpy as np
import pytest
import rasterio
from hypothesis import given, settings
from hypothesis import strategies as st
from rasterio.windows import Window

from ovearth_core.errors import InputError
from ovearth_core.segment import ArrayPixels, FilePixels, View

from .shared import DATA, needs_shared

SIZES = st.tuples(st.integers(1, 20000), st.integers(1, 20000))
PARTS = st.floats(0, 1, allow_nan=False)


def extent(size, parts):
    x, y = np.sort(parts[:2]) * size[0], np.sort(parts[2:]) * size[1]
    return np.array([x[0], y[0], x[1], y[1]])


class TestViews:
    @given(SIZES, st.tuples(PARTS, PARTS, PARTS, PARTS), st.integers(64, 4096))
    @settings(max_examples=300)
    def test_lie_on_the_image_hold_what_was_pointed_at_and_are_no_larger_than_allowed(
        self, size, parts, most
    ):
        about = extent(size, np.array(parts))
        view = View.around(about, *size, most)
        assert view.left >= 0
        assert view.top >= 0
        assert view.left + view.width <= size[0]
        assert view.top + view.height <= size[1]
        assert max(view.columns, view.rows) <= most
        assert view.holds(about, *size)
        shown = view.from_image(about.reshape(2, 2))
        assert (shown >= 0).all()
        assert (shown <= [view.columns + 1e-9, view.rows + 1e-9]).all()

    @given(SIZES, st.tuples(PARTS, PARTS, PARTS, PARTS), st.integers(64, 4096))
    def test_carry_coordinates_there_and_back(self, size, parts, most):
        about = extent(size, np.array(parts))
        view = View.around(about, *size, most)
        there_and_back = view.to_image(view.from_image(about.reshape(2, 2)))
        assert there_and_back == pytest.approx(about.reshape(2, 2), abs=1e-9 * max(size))

    @given(SIZES, st.tuples(PARTS, PARTS), st.integers(64, 4096))
    def test_of_small_things_are_shown_pixel_by_pixel(self, size, at, most):
        about = extent(size, np.array([at[0], at[0], at[1], at[1]]))
        view = View.around(about, *size, most)
        if max(size) > most:
            assert view.step.tolist() == [1, 1]

    def test_grow_to_the_whole_image_and_no_farther(self):
        about, least = np.array([5000.0, 5000, 5010, 5010]), 0
        views = []
        for _ in range(6):
            views.append(View.around(about, 9000, 7000, 1000, least=least))
            least = 2 * max(views[-1].width, views[-1].height)
        assert [view.width for view in views] == [1000, 2000, 4000, 8000, 9000, 9000]
        assert views[-1] == views[-2]

    @given(
        st.integers(1, 40), st.integers(1, 40), st.integers(0, 9), st.integers(0, 9),
        st.integers(1, 3), st.integers(0, 99),
    )  # fmt: skip
    @settings(deadline=None)
    def test_masks_come_back_where_they_were(self, rows, columns, left, top, step, seed):
        mask = np.random.default_rng(seed).random((rows, columns)) < 0.5
        view = View(left, top, columns * step, rows * step, columns, rows)
        width, height = left + columns * step + 3, top + rows * step + 2
        whole = np.zeros((height, width), bool)
        whole[top : top + rows * step, left : left + columns * step] = np.kron(
            mask, np.ones((step, step), bool)
        )
        assert (view.runs_in_image(mask, width, height).to_array() == whole).all()

    def test_tell_a_thing_that_goes_on_beyond_them(self):
        view = View(100, 0, 50, 40, 50, 40)
        mask = np.zeros((40, 50), bool)
        mask[0, 10] = True
        assert not view.cuts(mask, 500, 400)
        mask[20, 0] = True
        assert view.cuts(mask, 500, 400)


class TestPixels:
    @needs_shared
    @pytest.mark.parametrize("path", sorted((DATA / "images").glob("*.tif")), ids=lambda p: p.stem)
    def test_of_real_files_are_those_that_rasterio_reads(self, path):
        pixels = FilePixels(path)
        view = View(20, 10, 80, 100, 80, 100)
        with rasterio.open(path) as file:
            assert (pixels.width, pixels.height) == (file.width, file.height)
            bands = [1, 2, 3] if file.count >= 3 else [1, 1, 1]
            judge = np.moveaxis(file.read(bands, window=Window(20, 10, 80, 100)), 0, 2)
            if file.nodata is not None:
                judge[(judge == file.nodata).all(axis=2)] = 0
        found = pixels.read(view)
        assert found.shape == (100, 80, 3)
        assert found.dtype == np.uint8
        assert (found == judge).all()

    def test_of_sixteen_bits_are_stretched_from_the_2nd_to_the_98th_percentile(self, tmp_path):
        values = np.arange(3 * 100 * 100, dtype=np.uint16).reshape(3, 100, 100)
        values[:, 0, 0] = 65535
        found = FilePixels(write(tmp_path, values, nodata=65535)).read(View.whole(100, 100))
        assert found[0, 0].tolist() == [0, 0, 0]
        valid = values[values != 65535]
        low, high = np.percentile(valid, [2, 98])
        judge = np.clip(np.rint((np.moveaxis(values, 0, 2) - low) / (high - low) * 255), 0, 255)
        assert (found == judge)[1:].all()

    def test_of_one_band_are_grey_and_flat_ones_do_no_harm(self, tmp_path):
        flat = np.full((1, 30, 40), 7.0, np.float32)
        flat[0, 3, 3] = np.nan
        found = FilePixels(write(tmp_path, flat)).read(View.whole(40, 30))
        assert found.shape == (30, 40, 3)
        assert len(np.unique(found)) == 1

    def test_coarser_views_are_means_alike_from_files_and_arrays(self, tmp_path):
        values = np.random.default_rng(0).integers(0, 256, (3, 64, 96), dtype=np.uint8)
        view = View(0, 0, 96, 64, 24, 16)
        means = values.reshape(3, 16, 4, 24, 4).mean(axis=(2, 4))
        found = FilePixels(write(tmp_path, values)).read(view)
        assert np.abs(np.moveaxis(found.astype(float), 2, 0) - means).max() <= 1
        held = ArrayPixels(np.ascontiguousarray(np.moveaxis(values, 0, 2)))
        assert (held.width, held.height) == (96, 64)
        # A wider filter: as good a picture, not the same.
        assert np.abs(held.read(view).astype(float) - found).mean() < 12

    def test_a_file_that_is_no_image_is_named(self, tmp_path):
        path = tmp_path / "image.tif"
        path.write_bytes(b"nothing of the kind")
        with pytest.raises(InputError, match=r"not an image that can be read.*image\.tif"):
            FilePixels(path)


def write(folder, values, **options):
    path = folder / "image.tif"
    count, height, width = values.shape
    with rasterio.open(
        path, "w", driver="GTiff", count=count, height=height, width=width, dtype=values.dtype,
        crs="EPSG:32632", transform=rasterio.Affine(1, 0, 500000, 0, -1, 5000000), **options,
    ) as file:  # fmt: skip
        file.write(values)
    return path
