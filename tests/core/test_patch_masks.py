"""What of a patch holds data is what its file says, whatever said so in the source."""

import numpy as np
import pytest
import rasterio
from affine import Affine
from rasterio.enums import ColorInterp as Color

from ovearth_core.collection.imagery import ImagerySpec, open_source
from ovearth_core.collection.imagery.palette import with_own_mark
from ovearth_core.frame import ImageFrame

from . import rasters
from .framing import framed
from .patch_jobs import FRAME, dataset_at, imagery, images, run

# A strip of columns without data, in a patch of 200 × 200 pixels about (700, 600).
STRIP = slice(690, 700)
WINDOW = ((500, 700), (600, 800))
OTHER_GRID = framed("EPSG:32632", 15.0, 50.0, 0.7, width=64, height=64)


def cut(folder, path, **options):
    """The file of a patch about pixel (700, 600)."""
    dataset = dataset_at(folder, [(700, 600)])
    run(dataset, path, size_px=200, most_nodata=0.2, **options)
    (image,) = images(dataset)
    return dataset.image_path(image)


def strip():
    mask = np.full((FRAME.height, FRAME.width), 255, np.uint8)
    mask[:, STRIP] = 0
    return mask


def test_a_mask_counts_beside_a_mark(tmp_path):
    path = imagery(tmp_path, masked=strip(), nodata=0)
    with rasterio.open(path) as file, rasterio.open(cut(tmp_path, path)) as mine:
        assert np.array_equal(mine.read(), file.read(window=WINDOW))
        assert np.array_equal(mine.dataset_mask(), strip()[500:700, 600:800])


def test_alpha_counts_beside_a_mark_and_no_value_is_changed(tmp_path):
    values = rasters.picture(FRAME.width, FRAME.height, bands=4)
    values[3] = 255
    values[:, :, STRIP] = 0
    colors = [Color.red, Color.green, Color.blue, Color.alpha]
    path = imagery(tmp_path, values=values, colors=colors, nodata=255)
    with rasterio.open(cut(tmp_path, path)) as mine:
        assert np.array_equal(mine.read(), values[:, 500:700, 600:800])
        assert np.array_equal(mine.dataset_mask(), strip()[500:700, 600:800])


def test_bands_with_marks_of_their_own_get_a_mask(tmp_path):
    values = rasters.picture(FRAME.width, FRAME.height) + 8
    values[:, :, STRIP] = np.array([1, 2, 3])[:, None, None]
    imagery(tmp_path, values=values)
    bands = [
        (
            "Byte",
            (
                f"<NoDataValue>{n}</NoDataValue><SimpleSource>"
                f'<SourceFilename relativeToVRT="1">scene.tif</SourceFilename>'
                f"<SourceBand>{n}</SourceBand></SimpleSource>"
            ),
        )
        for n in (1, 2, 3)
    ]
    path = rasters.vrt(tmp_path / "scene.vrt", FRAME, bands)
    with rasterio.open(cut(tmp_path, path)) as mine:
        assert np.array_equal(mine.read(), values[:, 500:700, 600:800])
        assert np.array_equal(mine.dataset_mask(), strip()[500:700, 600:800])


def test_what_is_no_number_counts_beside_a_mark(tmp_path):
    values = rasters.picture(FRAME.width, FRAME.height, bands=1, dtype=np.float32)
    values[:, :, STRIP] = np.nan
    path = imagery(tmp_path, values=values, nodata=-9999)
    with rasterio.open(cut(tmp_path, path)) as mine:
        assert np.array_equal(mine.read(), values[:, 500:700, 600:800], equal_nan=True)
        assert np.array_equal(mine.dataset_mask(), strip()[500:700, 600:800])


class TestTablesOfColours:
    def scene(self, folder, empty=0):
        values = rasters.picture(FRAME.width, FRAME.height, bands=1) + 8
        values[:, :, STRIP] = empty
        palette = {i: (i, 255 - i, i // 2, 0 if i in (0, 7) else 255) for i in range(256)}
        # A TIFF keeps no alpha with its colours.
        path = folder / "scene.png"
        with rasterio.open(
            path, "w", driver="PNG", width=FRAME.width, height=FRAME.height, count=1, dtype="uint8",
            crs=FRAME.crs, transform=Affine(*FRAME.transform),
        ) as file:  # fmt: skip
            file.write(values)
            file.write_colormap(1, palette)
        return values, path

    @pytest.mark.parametrize("empty", [0, 7])
    def test_a_clear_colour_holds_no_data(self, tmp_path, empty):
        values, path = self.scene(tmp_path, empty)
        with rasterio.open(cut(tmp_path, path)) as mine:
            assert np.array_equal(mine.read(), values[:, 500:700, 600:800])
            assert np.array_equal(mine.dataset_mask(), strip()[500:700, 600:800])

    def test_what_is_outside_gets_an_index_that_nothing_else_has(self, tmp_path):
        """Beside a mask QGIS would take indices for brightness."""
        values, path = self.scene(tmp_path, empty=9)
        dataset = dataset_at(tmp_path, [(30, 600)])
        run(dataset, path, size_px=200, most_nodata=0.5)
        (image,) = images(dataset)
        with rasterio.open(dataset.image_path(image)) as mine:
            found, mask = mine.read(), mine.dataset_mask()
            assert np.array_equal(found[:, :, 70:], values[:, 500:700, :130])
            assert (mask[:, 70:] == 255).all()
            assert (mask[:, :70] == 0).all()
            assert mine.nodata is not None
            assert mine.nodata not in values
            assert mine.colormap(1)[int(mine.nodata)][3] == 0

    def test_an_index_that_is_used_is_no_mark(self, tmp_path):
        values = np.arange(256, dtype=np.uint8).repeat(7500).reshape(1, 1200, 1600)
        indices, mark = with_own_mark(
            values, values[0] < 300, np.zeros((1200, 1600), np.bool_), None
        )
        assert np.array_equal(indices, values)
        assert mark is None
        valid = np.ones((1200, 1600), np.bool_)
        valid[:, :5] = False
        outside = ~valid
        indices, mark = with_own_mark(values, valid, outside, None)
        assert mark is None
        assert np.array_equal(indices, values)

    @pytest.mark.parametrize("gsd", [None, 0.6])
    def test_black_is_looked_for_in_colours(self, tmp_path, gsd):
        """Index 0 is red, index 1 is black."""
        values = rasters.picture(FRAME.width, FRAME.height, bands=1) % 60 + 8
        values[:, 540:550] = 0
        values[:, :540] = 1
        palette = {i: (0, i, 255, 255) for i in range(256)} | {0: (200, 0, 0, 255)}
        palette[1] = (0, 0, 0, 255)
        path = imagery(tmp_path, values=values, palette=palette)
        dataset = dataset_at(tmp_path, [(700, 600)])
        run(dataset, path, size_px=200, gsd_m=gsd, most_nodata=0.9, black_is_nodata=True)
        (image,) = images(dataset)
        with rasterio.open(dataset.image_path(image)) as mine:
            valid = mine.dataset_mask() > 0
        edge = 40 if gsd is None else valid[:, 100].argmax()
        assert not valid[:edge].any()
        assert valid[edge:].all()
        assert 40 <= edge <= 52

    def test_a_clear_colour_is_refused_in_both_grids(self, tmp_path):
        _, path = self.scene(tmp_path)
        dataset = dataset_at(tmp_path, [(700, 600)])
        for gsd in (None, 0.6):
            report = run(dataset, path, size_px=200, gsd_m=gsd, most_nodata=0.01)
            assert [entry["reason"] for entry in report.refused] == ["nodata"]
        assert not images(dataset)

    def test_large_indices_have_colours_of_their_own(self, tmp_path):
        values = np.full((1, FRAME.height, FRAME.width), 300, np.uint16)
        values[:, :, ::2] = 20
        palette = {i: (i % 256, 0, i // 256 * 100, 255) for i in range(65536) if i < 512}
        path = imagery(tmp_path, values=values, palette=palette)
        frame = OTHER_GRID
        found = open_source(ImagerySpec(str(path), resampling="nearest")).read(frame)
        assert {tuple(v) for v in found.values.reshape(3, -1).T} == {(20, 0, 0), (44, 0, 100)}


class TestGapsOfOneBand:
    """A hole in the second of three bands."""

    @pytest.mark.parametrize("scale", [1.4, 4.0])
    @pytest.mark.parametrize(
        ("dtype", "mark", "hole"),
        [("int16", -9999, -9999), ("float32", None, np.nan), ("float32", -3.4e38, -3.4e38)],
    )
    def test_is_not_blended_with_what_is_beside_it(self, tmp_path, dtype, mark, hole, scale):
        values = rasters.picture(FRAME.width, FRAME.height).astype(dtype)
        whole = imagery(tmp_path, "whole.tif", values=values.copy())
        values[1, 560:640, 660:740] = hole
        path = imagery(tmp_path, values=values, nodata=mark)
        pixel, west, north = 0.5 * scale, FRAME.transform[2], FRAME.transform[5]
        transform = (pixel, 0.0, west + 300.2, 0.0, -pixel, north - 250.1)
        frame = ImageFrame(FRAME.crs, transform, 150, 150)
        found = open_source(ImagerySpec(str(path))).read(frame)
        clean = open_source(ImagerySpec(str(whole))).read(frame)
        assert found.valid.all()
        assert np.array_equal(found.values[[0, 2]], clean.values[[0, 2]])
        gap = np.isnan(found.values[1]) if mark is None else found.values[1] == np.float32(mark)
        assert gap.sum() == pytest.approx((80 / scale) ** 2, rel=0.1)
        assert np.isnan(found.nodata) if mark is None else found.nodata == pytest.approx(mark)
        beside = found.values[1][~gap]
        assert beside.min() >= clean.values.min() - 60
        assert beside.max() <= clean.values.max() + 60

    def test_black_in_one_band_of_a_picture_is_a_brightness(self, tmp_path):
        values = rasters.picture(FRAME.width, FRAME.height)
        values[1] = 0
        path = imagery(tmp_path, values=values, nodata=0)
        found = open_source(ImagerySpec(str(path))).read(OTHER_GRID)
        assert found.valid.all()
        assert (found.values[1] == 0).all()
        assert found.nodata is None


def test_bands_of_several_types_become_one_that_holds_them_all(tmp_path):
    small = rasters.picture(FRAME.width, FRAME.height, bands=1)
    large = rasters.picture(FRAME.width, FRAME.height, bands=1, seed=1).astype(np.float32) / 7
    imagery(tmp_path, "small.tif", values=small)
    imagery(tmp_path, "large.tif", values=large)
    bands = [
        (
            kind,
            (
                '<SimpleSource><SourceFilename relativeToVRT="1">'
                f"{name}.tif</SourceFilename></SimpleSource>"
            ),
        )
        for kind, name in (("Byte", "small"), ("Float32", "large"))
    ]
    path = rasters.vrt(tmp_path / "scene.vrt", FRAME, bands)
    with rasterio.open(cut(tmp_path, path)) as mine:
        assert np.array_equal(mine.read(), np.concatenate([small, large])[:, 500:700, 600:800])
    assert open_source(ImagerySpec(str(path))).read(OTHER_GRID).valid.all()
