"""Polygons come back to their image's pixels within 1e-6, after any number of saves."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import numpy as np
import pytest

from ovearth_core.crs import LONLAT
from ovearth_core.dataset.blob import polygons_blob, polygons_of_blob
from ovearth_core.dataset.database import connected
from ovearth_core.dataset.shapes import to_lonlat, to_pixels
from ovearth_core.errors import FrameError
from ovearth_core.frame import ImageFrame
from ovearth_core.raster_file import placed_frame

from .datasets import SQUARE, TANK, made
from .framing import LIMIT_PX, framed
from .shared import DATA, needs_shared

SAVES = 100
UNPLACED = {"float_nan.tif": "has no CRS", "rotated.tif": "has no CRS"}

MADE = {
    "Swiss LV95": framed("EPSG:2056", 8.0, 47.0),
    "British grid": framed("EPSG:27700", -1.0, 52.0),
    "Dutch RD": framed("EPSG:28992", 5.5, 52.0),
    "European LAEA": framed("EPSG:3035", 10.0, 50.0),
    "Czech Krovak": framed("EPSG:5514", 15.0, 50.0),
    "rotated": framed("EPSG:2056", 8.0, 47.0, turned=33.0),
    "south-up": framed("EPSG:28992", 5.5, 52.0, south_up=True),
    "rotated and south-up": framed("EPSG:5514", 15.0, 50.0, turned=200.0, south_up=True),
    "across the antimeridian, UTM": framed("EPSG:32760", 179.9999, -17.0, 10.0),
    "across the antimeridian, Mercator": framed("EPSG:3832", 180.0, -17.0),
    "across the antimeridian, degrees": framed("EPSG:4326", 179.99999, 10.0, 1e-6),
    "beyond the antimeridian": ImageFrame("EPSG:4326", (1e-4, 0, 180, 0, -1e-4, 9), 500, 400),
    "at the pole": framed("EPSG:3031", 10.0, -89.999),
}


def recorded(frame):
    operation = frame.operation_to(LONLAT).proj
    return ImageFrame(frame.crs, frame.transform, frame.width, frame.height, operation)


def some_shape(frame):
    """A polygon over most of the image with a hole, and a small one near its corner."""
    size = np.array([frame.width, frame.height], dtype=float)
    angles = np.linspace(0, 2 * np.pi, 60)[:, None]
    circle = np.hstack([np.cos(angles), np.sin(angles)])
    circle[-1] = circle[0]
    return (
        (size * (0.5 + 0.45 * circle), size * (0.5 + 0.2 * circle[::-1])),
        (size * (0.02 + 0.01 * circle),),
    )


def farthest(one, other):
    return max(
        float(np.abs(a - b).max())
        for p, q in zip(one, other, strict=True)
        for a, b in zip(p, q, strict=True)
    )


def assert_stays(frame):
    """Save by geometry alone, as after an edit in QGIS that forgets the exact pixels."""
    shape = some_shape(frame)
    saved = shape
    for _ in range(SAVES):
        saved = to_pixels(frame, polygons_of_blob(polygons_blob(to_lonlat(frame, saved))))
    assert farthest(saved, shape) < LIMIT_PX


@pytest.mark.parametrize("name", MADE)
def test_a_hundred_saves_move_no_vertex_of_a_made_image(name):
    assert_stays(recorded(MADE[name]))


@needs_shared
@pytest.mark.parametrize(
    "path", sorted([*(DATA / "images").glob("*.tif"), *(DATA / "odd").glob("*.tif")]), ids=str
)
def test_a_hundred_saves_move_no_vertex_of_a_real_image(path):
    if path.name in UNPLACED:
        with pytest.raises(FrameError, match=UNPLACED[path.name]):
            placed_frame(path)
    else:
        assert_stays(placed_frame(path))


def test_longitudes_run_past_180_rather_than_around_the_world():
    frame = recorded(MADE["across the antimeridian, UTM"])
    for polygon in to_lonlat(frame, some_shape(frame)):
        for ring in polygon:
            assert np.ptp(ring[:, 0]) < 1
            assert 179 < ring[:, 0].min() < ring[:, 0].max() < 181


def test_a_hundred_saves_of_what_was_read_change_no_bit_of_the_file(tmp_path):
    dataset, image = made(tmp_path, MADE["Czech Krovak"])
    with dataset.writing() as edit:
        number = edit.add_instance(image.id, TANK, SQUARE + 1 / 3).id
    before = stored(dataset)
    for save in range(SAVES):
        with dataset.writing() as edit:
            edit.update(replace(edit.instance(number), origin_note=str(save)))
    assert stored(dataset) == before
    with dataset.reading() as view:
        read = view.instance(number)
    assert np.array_equal(read.polygons[0][0][:-1], SQUARE + 1 / 3)
    assert read.changes == 0


def test_a_geometry_changed_by_another_program_is_read_in_pixels_and_then_stays(tmp_path):
    dataset, image = made(tmp_path, MADE["Swiss LV95"])
    with dataset.writing() as edit:
        number = edit.add_instance(image.id, TANK, SQUARE, segmentation=[[1, 2, 3, 4, 5, 6]]).id
    moved = ((np.vstack([SQUARE[:3], [[12.5, 44.0]], SQUARE[:1]]),),)
    lonlat = to_lonlat(image.frame(), moved)
    with connected(dataset.path) as connection:
        connection.execute(
            "UPDATE instances SET geom = ? WHERE id = ?", (polygons_blob(lonlat), number)
        )
    for _ in range(SAVES):
        with dataset.writing() as edit:
            read = edit.instance(number)
            edit.update(replace(read, origin_note="saved"))
        assert farthest(read.polygons, moved) < LIMIT_PX
    assert read.segmentation is None
    assert read.changes == 1


def stored(dataset):
    with closing(sqlite3.connect(dataset.path)) as connection:
        return connection.execute("SELECT id, geom, pixels, changes FROM instances").fetchall()
