"""Pictures of the hardest queries: the image as it is, the truth outlined where it lies."""

import io

import numpy as np
import pytest
import rasterio
from PIL import Image as Picture

from ovearth_core.benchmark import Truth
from ovearth_core.errors import InputError
from ovearth_core.inspection.image_files import ImageFiles
from ovearth_core.report.hardest_pictures import hardest_pictures
from ovearth_core.report.query_picture import query_picture

from . import making


def write_image(folder, bands=3, width=100, height=80, dtype="uint8"):
    path = folder / "images" / "1.tif"
    path.parent.mkdir(exist_ok=True)
    shape = {"count": bands, "width": width, "height": height, "dtype": dtype}
    values = np.arange(width * height).reshape(height, width) % 50 + 100
    with (
        pytest.warns(rasterio.errors.NotGeoreferencedWarning),
        rasterio.open(path, "w", driver="GTiff", **shape) as file,
    ):
        file.write(np.broadcast_to(values, (bands, height, width)).astype(dtype))
    return path


def pixels_of(png):
    with Picture.open(io.BytesIO(png)) as picture:
        return np.asarray(picture.convert("RGB")).astype(int)


def is_yellow(pixels):
    return (pixels[..., 0] > 200) & (pixels[..., 1] > 190) & (pixels[..., 2] < 110)


@pytest.fixture
def benchmark(tmp_path):
    return making.read(tmp_path, making.benchmark())


@pytest.mark.parametrize(("bands", "dtype"), [(3, "uint8"), (1, "uint16"), (4, "float32")])
def test_the_outline_lies_about_the_target(benchmark, tmp_path, bands, dtype):
    file = write_image(tmp_path, bands, dtype=dtype)
    image = benchmark.images[0]
    with_target = query_picture(Truth(benchmark), 1, image, file, "two squares", "a")
    found = is_yellow(pixels_of(with_target))
    columns = np.flatnonzero(found.any(axis=0)) / found.shape[1]
    # From 10 to 70 of 100 pixels, within the picture's margins.
    assert columns.min() == pytest.approx(0.10, abs=0.03)
    assert columns.max() == pytest.approx(0.70, abs=0.03)
    without = query_picture(Truth(benchmark), None, image, file, "nothing", "a")
    assert not is_yellow(pixels_of(without)).any()


def test_a_file_of_another_size_is_refused(benchmark, tmp_path):
    file = write_image(tmp_path, width=90)
    with pytest.raises(InputError, match="90 by 80 pixels where the benchmark says 100 by 80"):
        query_picture(Truth(benchmark), 1, benchmark.images[0], file, "", "a")


def test_what_is_no_image_is_refused(benchmark, tmp_path):
    file = tmp_path / "a.tif"
    file.write_text("no image")
    with pytest.raises(InputError, match="no image that can be read"):
        query_picture(Truth(benchmark), 1, benchmark.images[0], file, "", "a")


def test_an_image_that_lacks_is_left_out(benchmark, tmp_path):
    told = [{"query_id": "v1", "image_id": 1, "polarity": "positive", "mean": 0.1}]
    hardest = {"mask": {"vocabulary": told}}
    files = ImageFiles(tmp_path / "benchmark.json")
    assert list(hardest_pictures(benchmark, files, hardest, 3)) == [
        ("mask-vocabulary-01.png", None)
    ]
    write_image(tmp_path)
    ((name, png),) = hardest_pictures(benchmark, files, hardest, 3)
    assert name == "mask-vocabulary-01.png"
    assert png.startswith(b"\x89PNG")
