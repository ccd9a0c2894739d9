"""Datasets and imagery for tests of patches, and a server that knows ranges."""

import contextlib
import re
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

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


class _Ranges(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self._answer(with_body=False)

    def do_GET(self):
        self._answer(with_body=True)

    def _answer(self, with_body):
        name = self.path.split("?")[0].lstrip("/")
        whole = self.server.files.get(name)
        if whole is None:
            self.send_response(404)
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        wanted = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        start = int(wanted[1]) if wanted else 0
        end = min(int(wanted[2] or len(whole)) + 1, len(whole)) if wanted else len(whole)
        part = whole[start:end]
        self.send_response(206 if wanted else 200)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(len(part)))
        if wanted:
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(whole)}")
        self.end_headers()
        if with_body:
            self.server.sent += len(part)
            self.server.requests += 1
            self.wfile.write(part)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(**files):
    """A server of these files on loopback: (its address, itself, which counts what it sends)."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Ranges)
    server.files = {name.replace("__", "."): path.read_bytes() for name, path in files.items()}
    server.sent = server.requests = 0
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", server
    finally:
        server.shutdown()
        server.server_close()
