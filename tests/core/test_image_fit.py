"""A file is held against what its row or its benchmark says of size, CRS and place."""

import json

import numpy as np
import pytest
import rasterio
from rasterio.transform import Affine

from ovearth_core.benchmark import Image, read_benchmark
from ovearth_core.checking.benchmark_file import check_benchmark
from ovearth_core.image_fit import Fit, compare
from ovearth_core.inspection.image_files import ImageFiles
from ovearth_core.raster_file import RasterHeader

UTM, PLACE = "EPSG:32632", (0.5, 0.0, 500000.0, 0.0, -0.5, 5200000.0)
MOVED = (0.5, 0.0, 500010.0, 0.0, -0.5, 5200000.0)
NOWHERE = (0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


def row(crs=UTM, transform=PLACE):
    return Image(1, "images/a.tif", 30, 20, crs, transform)


def header(crs=UTM, transform=PLACE, size=(30, 20)):
    gdals = None if transform is None else Affine(*transform).to_gdal()
    return RasterHeader(*size, crs, gdals, has_gcps=False, has_rpcs=False)


@pytest.mark.parametrize(
    "image, file, fit",
    [
        (row(), header(), Fit.SAME),
        (row(), header(size=(20, 30)), Fit.SIZE),
        (row(), header(crs="EPSG:32633"), Fit.CRS),
        (row(), header(transform=MOVED), Fit.PLACE),
        (row(), header(None, MOVED), Fit.PLACE),
        (row(), header(None, None), Fit.NO_FILE_CRS),
        (row(), header(None), Fit.NO_FILE_CRS),
        (row(), header(UTM, None), Fit.NO_FILE_PLACE),
        (row(), RasterHeader(30, 20, UTM, NOWHERE, False, False), Fit.NO_FILE_PLACE),
        (row(None, None), header(), Fit.NO_ROW_PLACE),
        (row(None, None), header(None, None), Fit.SAME),
        (row(None, None), RasterHeader(30, 20, None, NOWHERE, False, False), Fit.SAME),
        (row(None), header(None), Fit.SAME),
    ],
)
def test_what_differs_first_is_named(image, file, fit):
    assert compare(image, file).fit is fit


def write(path, crs=UTM, transform=PLACE, size=(30, 20)):
    path.parent.mkdir(parents=True, exist_ok=True)
    placed = {} if crs is None else {"crs": crs, "transform": Affine(*transform)}
    driver = "PNG" if path.suffix == ".png" else "GTiff"
    with rasterio.open(path, "w", driver, *size, count=1, dtype="uint8", **placed) as file:
        file.write(np.zeros((1, size[1], size[0]), np.uint8))


@pytest.fixture
def folder(tmp_path):
    """A benchmark of five images, of which four files differ each in its way, and one is away."""
    placed = {"crs": UTM, "transform": PLACE}
    names = {"fine.tif": placed, "plain.png": placed, "pixels.tif": {}, "small.tif": placed,
             "moved.tif": placed, "away.tif": placed}  # fmt: skip
    images = [
        {"id": n, "file_name": f"images/{name}", "width": 30, "height": 20, **more}
        for n, (name, more) in enumerate(names.items(), 1)
    ]
    document = {"info": {"format": "ovearth-benchmark/1"}, "categories": [{"id": 1, "name": "a"}],
                "images": images, "targets": [], "annotations": [], "queries": []}  # fmt: skip
    (tmp_path / "benchmark.json").write_text(json.dumps(document))
    write(tmp_path / "images/fine.tif")
    write(tmp_path / "images/plain.png", crs=None)
    write(tmp_path / "images/pixels.tif")
    write(tmp_path / "images/small.tif", size=(20, 20))
    write(tmp_path / "images/moved.tif", transform=MOVED)
    return tmp_path


def test_a_check_of_a_benchmark_finds_images_that_lie_elsewhere_or_nowhere(folder):
    findings = check_benchmark(read_benchmark(folder / "benchmark.json"), folder)
    kinds = {finding.kind: finding.image_id for finding in findings if finding.kind != "no-gsd"}
    assert kinds == {
        "no-query": None, "file-no-place": 2, "no-place": 3, "file-size": 4, "file-place": 5,
    }  # fmt: skip


def test_an_image_is_found_by_name_size_and_place(folder):
    files, images = ImageFiles(folder / "benchmark.json"), read_benchmark(folder / "benchmark.json")
    found = {image.file_name[7:]: files.find(image) for image in images.images}
    assert [name for name, one in found.items() if one.path is not None] == [
        "fine.tif", "plain.png", "pixels.tif",
    ]  # fmt: skip
    assert not found["fine.tif"].is_placed_by_benchmark
    assert found["plain.png"].is_placed_by_benchmark and found["pixels.tif"].is_placed_by_benchmark
    assert "20 x 20 pixels, the benchmark 30 x 20" in found["small.tif"].unfit[1]
    assert "elsewhere" in found["moved.tif"].unfit[1]
    assert found["away.tif"].unfit is None


def test_a_file_that_does_not_fit_is_passed_over_for_one_that_does(folder):
    (image,) = (
        one for one in read_benchmark(folder / "benchmark.json").images if "small" in one.file_name
    )
    write(folder / "elsewhere/small.tif")
    files = ImageFiles(folder / "benchmark.json").also_in(folder / "elsewhere")
    assert files.find(image).path == folder / "elsewhere/small.tif"
