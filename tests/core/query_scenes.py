"""Datasets with pictures on which targets are white squares and pools are blue."""

import numpy as np

from ovearth_core.dataset import Dataset, PoiRow, QueryRow

from . import rasters
from .datasets import CATEGORIES, TANK
from .framing import framed

GREY, WHITE, BLUE = 90, (255, 255, 255), (0, 0, 255)
SIZE = 300


def square(x, y, side=30.0):
    """A ring about a middle."""
    h = side / 2
    return np.array([[x - h, y - h], [x + h, y - h], [x + h, y + h], [x - h, y + h]])


def picture(rings=(), pools=(), size=SIZE):
    """Pixels (3,h,w): grey, with the rings' squares in white and pools in blue."""
    values = np.full((3, size, size), GREY, np.uint8)
    for rings_, colour in ((rings, WHITE), (pools, BLUE)):
        for ring in rings_:
            (left, top), (right, bottom) = np.rint(ring.min(0)), np.rint(ring.max(0))
            for band in range(3):
                values[band, int(top) : int(bottom), int(left) : int(right)] = colour[band]
    return values


def scene(dataset, name, rings, *, pools=(), category=TANK, frame=None, place=None, drawn=True):
    """Add an image with one target of these rings; return the target's id."""
    frame = frame or framed("EPSG:32633", 15.0, 50.0, 0.5, width=SIZE, height=SIZE)
    path = dataset.folder / "images" / f"{name}.tif"
    path.parent.mkdir(exist_ok=True)
    values = picture(rings if drawn else (), pools, max(frame.width, frame.height))
    rasters.write(path, values[:, : frame.height, : frame.width], frame.crs, frame.transform)
    poi_id = None
    if place is not None:
        with dataset.writing() as edit:
            lon, lat = frame.pixel_to_lonlat([[frame.width / 2, frame.height / 2]])[0]
            poi_id = edit.add(PoiRow(None, lon, lat, category, place)).id
    image = dataset.add_image(path, poi_id=poi_id)
    with dataset.writing("anna", "annotator") as edit:
        made = [edit.add_instance(image.id, category, ring) for ring in rings]
    return made[0].target_id


def dataset_of(folder, count=0, **about):
    """A dataset, with so many images of one target each, at places all over."""
    dataset = Dataset.create(folder / "dataset", CATEGORIES)
    for number in range(count):
        x, y = 50 + 100 * (number % 3), 50 + 100 * (number // 3 % 3)
        # No two pictures are the same.
        scene(dataset, f"image{number}", [square(x, y, 30 + 2 * (number // 9))], **about)
    return dataset


def texts(dataset, target_id=None):
    with dataset.reading() as view:
        return list(view.queries(target_id))


def runs(dataset, **chosen):
    with dataset.reading() as view:
        return list(view.query_runs(**chosen))


def add_text(dataset, target_id, text, task="referring", polarity="positive", **more):
    with dataset.writing("anna") as edit:
        count = edit.counts()["queries"]
        return edit.add(QueryRow(f"q{count}", target_id, task, polarity, text, **more)).id
