"""Datasets and imagery for tests of patches, and a server that knows ranges."""

import contextlib
import subprocess
import sys
import urllib.request
from pathlib import Path

import numpy as np

from ovearth_core.collection.imagery import ImagerySpec
from ovearth_core.collection.patches import (
    PatchJob,
    PatchShape,
    dataset_places,
    extract_patches,
    plan_patches,
)
from ovearth_core.dataset import Dataset, PoiRow

from . import rasters
from .datasets import CATEGORIES, TANK
from .framing import framed

FRAME = framed("EPSG:32633", 15.0, 50.0, 0.5, width=1600, height=1200)


def dataset_at(folder, pixels, frame=FRAME):
    """A dataset whose places lie at these pixels of a frame."""
    dataset = Dataset.create(folder / "dataset", CATEGORIES)
    with dataset.writing() as edit:
        for number, (lon, lat) in enumerate(frame.pixel_to_lonlat(np.array(pixels, float))):
            row = PoiRow(
                None, lon, lat, TANK, f"place {number}", source="osm", source_id=f"osm:way/{number}"
            )
            edit.add(row)
    return dataset


def imagery(folder, name="scene.tif", frame=FRAME, values=None, **options):
    """A picture to cut patches from."""
    if values is None:
        values = rasters.picture(frame.width, frame.height)
    path = folder / name
    return rasters.write(path, values, frame.crs, frame.transform, **options)


def run(dataset, path, choice=None, places=None, **options):
    """Run a job; options of PatchShape, of ImagerySpec and of PatchJob."""
    shape = {k: options.pop(k) for k in list(options) if k in PatchShape.__dataclass_fields__}
    spec = {
        k: options.pop(k)
        for k in list(options)
        if k in ImagerySpec.__dataclass_fields__ and k != "text"
    }
    shape.setdefault("size_px", 128) if "extent_m" not in shape else None
    job = PatchJob(ImagerySpec(str(path), **spec), PatchShape(**shape), **options)
    found = dataset_places(dataset) if places is None else places
    return extract_patches(dataset, plan_patches(dataset, found, job), job, choice)


def images(dataset):
    with dataset.reading() as view:
        return list(view.images())


class Server:
    """A server of files on loopback, in a process of its own: GDAL waits for it with our lock."""

    def __init__(self, folder):
        script = Path(__file__).with_name("range_server.py")
        self._process = subprocess.Popen(
            [sys.executable, script, folder], stdout=subprocess.PIPE, text=True
        )
        self.address = f"http://127.0.0.1:{int(self._process.stdout.readline())}"

    def sent(self):
        """Return how many bytes of files it has sent."""
        with urllib.request.urlopen(f"{self.address}/bytes-sent", timeout=10) as answer:
            return int(answer.read())

    def asked(self):
        """Return what was asked for: lines of a path with its query, and the login."""
        with urllib.request.urlopen(f"{self.address}/asked", timeout=10) as answer:
            return answer.read().decode()

    def refuse(self, how, after=0):
        """Refuse all requests for files, but for the next ones: a status or word, 0 for none."""
        urllib.request.urlopen(f"{self.address}/refuse/{how}/{after}", timeout=10).close()

    def close(self):
        self._process.terminate()
        self._process.wait()
        self._process.stdout.close()


@contextlib.contextmanager
def served(folder):
    """Serve a folder's files, by ranges."""
    server = Server(folder)
    try:
        yield server
    finally:
        server.close()
