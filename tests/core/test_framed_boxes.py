"""Boxes and vertices of many objects at once are, to the bit, those of each one alone."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ovearth_core.benchmark import Benchmark, Category, Image, Instance, Target
from ovearth_core.benchmark.box_table import box_rows
from ovearth_core.benchmark.framed_boxes import ImageShapes, framed_boxes
from ovearth_core.benchmark.truth import Truth
from ovearth_core.crs import LONLAT
from ovearth_core.dataset.blob import polygons_blob
from ovearth_core.dataset.geometries import geometries
from ovearth_core.dataset.shapes import many_to_lonlat, to_lonlat
from ovearth_core.errors import OVEarthError
from ovearth_core.frame import ImageFrame
from ovearth_core.geometry import Runs, corner_order, corner_orders

PLACES = [
    ("EPSG:2056", (0.1, 0, 2_600_000.3, 0, -0.1, 1_200_000.7)),
    ("EPSG:32633", (0.3, 0.02, 400_000, 0.02, -0.3, 5_500_000)),
    ("EPSG:4326", (1e-6, 0, 179.9995, 0, -1e-6, 10.0)),
    ("EPSG:3413", (10, 0, -5000, 0, -10, 5000)),
]
SIDE = 1000


def instances(seed, count=60):
    """Outlines, some flat, some on whole pixels or in two parts; masks; given boxes."""
    random = np.random.default_rng(seed)
    made = []
    for number in range(count):
        middle = random.uniform(50, 950, 2)
        points = middle + random.normal(size=(random.integers(3, 12), 2)) * random.uniform(1, 40)
        quad = middle + np.array([[0, 0], [10, 3], [8, 9.0], [-2, 6]])
        flat = middle + np.outer(random.uniform(-30, 30, len(points)), random.normal(size=2))
        box = (*middle.tolist(), 10.5, 20.25)
        mask = np.zeros((SIDE, SIDE), bool)
        mask[int(middle[1]) : int(middle[1]) + 9, int(middle[0]) : int(middle[0]) + 14] = True
        shape = (
            {"segmentation": (points,)},
            {"segmentation": (np.round(points),)},
            {"segmentation": (flat,)},
            {"segmentation": (points, points + 30)},
            {"segmentation": (points,), "bbox": box},
            {"segmentation": (points,), "obb": tuple(quad.ravel().tolist())},
            {"bbox": box},
            {"segmentation": Runs.from_array(mask).to_rle()},
        )[number % 8]
        made.append(Instance(number + 1, 1, 1, 1, False, **shape))
    return made


def benchmark(listed, crs, transform):
    image = Image(1, "a.tif", SIDE, SIDE, crs, transform, None, None)
    category = Category(1, "tank", "Industry", "Oil", True)
    return Benchmark((category,), (image,), [Target(1, 1, 1, None)], listed, [], source="b")


@pytest.mark.parametrize("frame", ["pixel", "map", "ground"])
@pytest.mark.parametrize("place", PLACES, ids=lambda place: place[0])
def test_the_table_of_many_has_the_rows_of_each_alone(place, frame):
    listed = instances(1)
    whole = list(box_rows(benchmark(listed, *place), frame))
    alone = [next(box_rows(benchmark([one], *place), frame)) for one in listed]
    assert whole == alone
    assert len(whole) == len(listed)


def test_corners_and_upright_sizes_of_many_are_those_of_each_alone():
    listed = instances(2)
    whole = benchmark(listed, *PLACES[0])
    truth, image = Truth(whole), whole.images[0]

    def found(some, frame):
        boxes = framed_boxes(ImageShapes(truth, some, image), frame)
        upright = boxes.corners_px("hbb")
        return list(zip(upright, boxes.corners_px("obb"), boxes.sizes(upright), strict=True))

    for frame in ("pixel", "map", "ground"):
        for many, one in zip(found(listed, frame), listed, strict=True):
            (alone,) = found([one], frame)
            assert np.array_equal(many[0], alone[0])
            assert np.array_equal(many[1], alone[1])
            assert many[2] == alone[2]


def test_the_one_at_fault_is_named_and_those_before_it_are_given():
    listed = instances(3, 5)
    listed.insert(3, Instance(99, 1, 1, 1, False, segmentation={"size": [1, 1], "counts": [9]}))
    rows = box_rows(benchmark(listed, *PLACES[0]), "pixel")
    assert [next(rows)["annotation_id"] for _ in range(3)] == [1, 2, 3]
    with pytest.raises(OVEarthError, match="annotation 99"):
        next(rows)


@given(arrays(np.float64, (7, 4, 2), elements=st.integers(-3, 3).map(float)))
def test_corners_begin_upper_left_and_run_clockwise(quads):
    orders = corner_orders(quads)
    for quad, order in zip(quads, orders, strict=True):
        assert np.array_equal(corner_order(quad), order)
        assert sorted(order) == [0, 1, 2, 3]
        step = (np.roll(order, -1) - order) % 4
        assert set(step.tolist()) in ({1}, {3})
        x, y = quad[order].T
        # Clockwise on the image, where y runs down; the shoelace formula is the judge.
        if set(step.tolist()) == {3}:
            assert np.sum(x * np.roll(y, -1) - y * np.roll(x, -1)) > 0
        nearest = min(a + b for a, b in quad)
        assert x[0] + y[0] <= nearest + 1e-4
        assert y[0] == min(b for a, b in quad if a + b <= nearest + 1e-4)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.sampled_from(PLACES))
def test_vertices_of_many_objects_are_carried_as_those_of_each(seed, place):
    random = np.random.default_rng(seed)
    frame = ImageFrame(place[0], place[1], SIDE, SIDE)
    shapes = [
        tuple(
            tuple(
                random.uniform(0, SIDE, (random.integers(3, 9), 2))
                for _ in range(random.integers(1, 3))
            )
            for _ in range(random.integers(1, 3))
        )
        for _ in range(random.integers(1, 9))
    ]
    many = many_to_lonlat(frame, shapes)
    blobs = geometries(frame, shapes)
    for shape, carried, blob in zip(shapes, many, blobs, strict=True):
        alone = to_lonlat(frame, shape)
        assert [[ring.tolist() for ring in rings] for rings in carried] == [
            [ring.tolist() for ring in rings] for rings in alone]  # fmt: skip
        assert blob == polygons_blob(alone)


def test_objects_at_a_poles_seam_are_each_in_one_piece():
    frame = ImageFrame("EPSG:3413", PLACES[3][1], SIDE, SIDE)
    random = np.random.default_rng(4)
    objects = [random.uniform(450, 550, (6, 2)) for _ in range(40)]
    for many, one in zip(frame.objects_to_crs(objects, LONLAT), objects, strict=True):
        assert np.array_equal(many, frame.object_to_crs(one, LONLAT))
    assert frame.objects_to_crs([], LONLAT) == []
