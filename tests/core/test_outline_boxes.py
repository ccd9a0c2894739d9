"""Boxes of polygons on a map, in the frames of benchmarks."""

import numpy as np
import pytest

from ovearth_core.errors import UsageError
from ovearth_core.frame import ImageFrame
from ovearth_core.outline_boxes import OutlineBoxes

KITE = np.array([[0.0, 0.0], [30.0, 10.0], [40.0, 30.0], [5.0, 12.0], [0.0, 0.0]])
ORIGIN = np.array([500000.0, 5200000.0])
TURNED = ImageFrame("EPSG:32632", (0.4, 0.3, 499990.0, 0.3, -0.4, 5200050.0), 400, 300)


def extent(ring):
    return [*ring.min(axis=0), *ring.max(axis=0)]


def boxes_of(ring, *frame):
    ((hbb, obb),) = OutlineBoxes(*frame).of([[[ring]]])
    return hbb, obb


def sorted_rows(corners):
    return corners[np.lexsort(corners.T)]


def test_along_the_map_the_horizontal_box_is_the_envelope():
    ring = KITE + ORIGIN
    hbb, obb = boxes_of(ring, "EPSG:32632", "map", extent(ring))
    wanted = np.array([[0, 0], [40, 0], [0, 30], [40, 30]]) + ORIGIN
    np.testing.assert_allclose(sorted_rows(hbb.corners), sorted_rows(wanted), atol=1e-6)
    sides = np.linalg.norm(np.roll(obb.corners, -1, axis=0) - obb.corners, axis=1)
    assert sides[0] * sides[1] < 40 * 30
    assert hbb.area_m2 == pytest.approx(1200, rel=1e-3)  # UTM's scale on its central meridian
    assert (hbb.width_m, hbb.length_m) == pytest.approx((30, 40), rel=1e-3)


def test_along_the_ground_boxes_are_in_metres_east_and_north():
    ring = np.array([[8, 47], [8.001, 47], [8.001, 47.001], [8, 47.001], [8, 47]])
    hbb, _ = boxes_of(ring, "EPSG:4326", "ground", extent(ring))
    assert hbb.width_m == pytest.approx(76.0, abs=0.1)
    assert hbb.length_m == pytest.approx(111.2, abs=0.1)
    assert hbb.azimuth_deg % 180 == pytest.approx(0, abs=0.1)


def test_along_pixels_boxes_follow_the_image():
    ring = TURNED.pixel_to_map(np.array([[10, 10], [60, 10], [60, 30], [10, 30], [10, 10]]))
    hbb, obb = boxes_of(ring, "EPSG:32632", "pixel", extent(ring), TURNED)
    for box in (hbb, obb):
        corners = TURNED.map_to_pixel(box.corners)
        assert extent(corners) == pytest.approx([10, 10, 60, 30], abs=1e-6)
        assert box.area_m2 == pytest.approx(1000 * 0.25, rel=1e-3)


@pytest.mark.parametrize("crs", ["EPSG:4326", "EPSG:32633", "EPSG:3857"])
def test_the_image_may_be_in_another_crs_than_the_polygons(crs):
    ring = TURNED.pixel_to_crs(np.array([[10, 10], [60, 10], [60, 30], [10, 10]]), crs)
    hbb, _ = boxes_of(ring, crs, "pixel", extent(ring), TURNED)
    corners = TURNED.map_to_pixel(hbb.corners, crs)
    assert extent(corners) == pytest.approx([10, 10, 60, 30], abs=1e-6)


def test_without_a_crs_pixels_are_the_map_and_nothing_has_a_size():
    for frame in ("pixel", "map"):
        hbb, obb = boxes_of(KITE, None, frame, extent(KITE))
        assert extent(hbb.corners) == [0, 0, 40, 30]
        assert hbb.area_m2 is obb.length_m is None


def test_what_a_frame_lacks_is_said():
    with pytest.raises(UsageError, match="have no ground"):
        OutlineBoxes(None, "ground", [0, 0, 1, 1])
    with pytest.raises(UsageError, match="need the image"):
        OutlineBoxes("EPSG:4326", "pixel", [0, 0, 1, 1])
    with pytest.raises(UsageError, match="unknown frame"):
        OutlineBoxes("EPSG:4326", "pixels", [0, 0, 1, 1])


def test_many_come_out_as_one_by_one_and_what_is_no_polygon_as_none():
    ring = KITE + ORIGIN
    boxes = OutlineBoxes("EPSG:32632", "ground", extent(ring))
    line = [[ring[[0, 1, 0]]]]
    many = boxes.of([[[ring]], line, [], [[ring + 5.0]]])
    assert many[1] is many[2] is None
    for found, shape in ((many[0], ring), (many[3], ring + 5.0)):
        (alone,) = boxes.of([[[shape]]])
        for one, other in zip(found, alone, strict=True):
            assert np.array_equal(one.corners, other.corners)
            assert one.area_m2 == other.area_m2
