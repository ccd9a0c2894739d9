"""A raster made of others, one of which isn't there: nothing black is kept in its place."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import rasterio

from ovearth_core.collection.imagery import ImagerySpec, begin_search, open_source
from ovearth_core.errors import InputError

from . import rasters
from .framing import framed
from .patch_jobs import FRAME, dataset_at, images, run

HALF = FRAME.width // 2
_PART = """<SimpleSource><SourceFilename relativeToVRT="1">{name}.tif</SourceFilename>
<SourceBand>{band}</SourceBand><SourceProperties RasterXSize="800" RasterYSize="1200"
DataType="Byte" BlockXSize="256" BlockYSize="256"/><SrcRect xOff="0" yOff="0" xSize="800"
ySize="1200"/><DstRect xOff="{left}" yOff="0" xSize="800" ySize="1200"/></SimpleSource>"""


@pytest.fixture
def scene(tmp_path):
    """Two halves side by side; the right one is moved away."""
    a, b, c, d, e, f = FRAME.transform
    values = rasters.picture(FRAME.width, FRAME.height)
    for name, left in (("left", 0), ("right", HALF)):
        place = (a, b, c + a * left, d, e, f)
        part = np.ascontiguousarray(values[:, :, left : left + HALF])
        rasters.write(tmp_path / f"{name}.tif", part, FRAME.crs, place)
    bands = [
        (
            "Byte",
            _PART.format(name="left", band=band, left=0)
            + _PART.format(name="right", band=band, left=HALF),
        )
        for band in (1, 2, 3)
    ]
    path = rasters.vrt(tmp_path / "scene.vrt", FRAME, bands)
    (tmp_path / "right.tif").rename(tmp_path / "away.tif")
    begin_search(ImagerySpec(str(path)))
    return path


PLACES = [(x, y) for y in range(150, 1100, 190) for x in (300, 1200, 790)]


def test_every_place_on_it_fails_and_the_others_are_there(tmp_path, scene):
    dataset = dataset_at(tmp_path, PLACES)
    choice = {"size_px": 150, "most_nodata": 0.9, "keep_duplicates": True}
    with pytest.raises(InputError, match=r"10 of 15 patches failed .*right\.tif"):
        run(dataset, scene, **choice)
    report = json.loads((dataset.folder / "patches-report.json").read_text())
    assert not report["refused"]
    assert all("right.tif" in entry["detail"] for entry in report["failed"])
    kept = images(dataset)
    assert len(kept) == 5
    for image in kept:
        with rasterio.open(dataset.image_path(image)) as file:
            assert not (file.read() == 0).any()
    (tmp_path / "away.tif").rename(tmp_path / "right.tif")
    run(dataset, scene, **choice)
    assert len(images(dataset)) == len(PLACES)


@pytest.mark.parametrize("gsd", [0.5, 0.8])
def test_threads_beside_each_other_are_all_told(scene, gsd):
    """Another one is open meanwhile, as in a job that has been planned."""
    idle = open_source(ImagerySpec(str(scene)))
    idle.native_gsd_m(15.0, 50.0)
    own = threading.local()

    def is_told(place):
        if not hasattr(own, "source"):
            own.source = open_source(ImagerySpec(str(scene)))
        lon, lat = FRAME.pixel_to_lonlat(np.array([place], float))[0]
        try:
            own.source.read(framed("EPSG:32633", lon, lat, gsd, width=150, height=150))
        except InputError as fault:
            return "right.tif" in str(fault)
        return False

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(is_told, PLACES)) == [x > 700 for x, _ in PLACES]
