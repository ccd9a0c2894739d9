"""Outlines of masks: few vertices, the same pixels, never crossing, holes kept."""

import cv2
import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from ovearth_core.geometry import Runs
from ovearth_core.geometry.outline import outlines, pixel_outlines, ring_area
from ovearth_core.segment.cleaning import mask_polygons, without_hairs

from .shared import DATA, needs_shared

MASKS = arrays.arrays(
    np.bool_, st.tuples(st.integers(2, 14), st.integers(2, 14)), elements=st.booleans()
)


def shape_of(polygons):
    return shapely.MultiPolygon([shapely.Polygon(rings[0], rings[1:]) for rings in polygons])


def runs(mask):
    return Runs.from_array(mask)


def blobs(seed, size=120, smoothness=6.0):
    """A mask as a model gives it: smooth noise, cut at its median."""
    noise = np.random.default_rng(seed).standard_normal((size, size)).astype(np.float32)
    return cv2.GaussianBlur(noise, (0, 0), smoothness) > 0


def middles(ring):
    way = (ring[1:] + ring[:-1]) / 2.0
    return shapely.LineString(np.vstack([way, way[:1]]))


def farthest(mask):
    """The Hausdorff distance between the ways through the edges' middles and the outlines."""
    return max(
        shapely.hausdorff_distance(middles(along), shapely.LineString(drawn), densify=0.02)
        for pixels, few in zip(pixel_outlines(runs(mask)), outlines(runs(mask)), strict=True)
        for along, drawn in zip(pixels, few, strict=True)
    )


class TestEveryMask:
    @given(MASKS)
    @settings(deadline=None, max_examples=300)
    def test_holds_the_same_pixels_when_drawn_again(self, mask):
        drawn = outlines(runs(mask))
        assert Runs.from_rings(drawn, *mask.shape) == runs(mask)

    @given(MASKS)
    @settings(deadline=None, max_examples=300)
    def test_is_valid_as_a_whole_with_as_many_parts_and_holes(self, mask):
        before, drawn = pixel_outlines(runs(mask)), outlines(runs(mask))
        assert [len(rings) for rings in drawn] == [len(rings) for rings in before]
        assert shapely.is_valid_reason(shape_of(drawn)) == "Valid Geometry"

    @given(MASKS.filter(np.any))
    @settings(deadline=None, max_examples=60)
    def test_is_drawn_within_half_a_pixel_of_the_way_between_pixels(self, mask):
        assert farthest(mask) <= 0.5 + 1e-6

    @given(MASKS.filter(np.any))
    @settings(deadline=None, max_examples=100)
    def test_stays_on_the_image_and_turns_as_the_traced_one(self, mask):
        height, width = mask.shape
        for before, drawn in zip(pixel_outlines(runs(mask)), outlines(runs(mask)), strict=True):
            for along, ring in zip(before, drawn, strict=True):
                assert (ring >= 0).all()
                assert (ring <= [width, height]).all()
                assert (ring[0] == ring[-1]).all()
                assert shapely.LinearRing(ring).is_ccw == shapely.LinearRing(along).is_ccw

    @given(MASKS.filter(np.any), st.integers(0, 3))
    @settings(deadline=None, max_examples=60)
    def test_turned_by_a_right_angle_is_drawn_as_well(self, mask, turns):
        turned = np.rot90(mask, turns)
        assert Runs.from_rings(outlines(runs(turned)), *turned.shape) == runs(turned)


class TestWhatPeopleSee:
    @pytest.mark.parametrize(("height", "width"), [(1, 1), (1, 9), (9, 1), (2, 2), (20, 150)])
    def test_a_rectangle_keeps_its_four_corners(self, height, width):
        mask = np.zeros((height + 4, width + 4), bool)
        mask[2 : 2 + height, 2 : 2 + width] = True
        ((ring,),) = outlines(runs(mask))
        assert len(ring) == 5
        assert shape_of([[ring]]).equals(shapely.box(2, 2, 2 + width, 2 + height))

    def test_a_slanting_building_has_a_twentieth_of_the_vertices_that_simplify_leaves(self):
        corners = np.array([[40, 80], [230, 20], [262, 120], [72, 180]], float)
        mask = Runs.from_polygons([corners], 200, 300).to_array()
        ((ring,),) = outlines(runs(mask))
        ((along,),) = pixel_outlines(runs(mask))
        simple = shapely.simplify(shapely.LinearRing(along), 0.5)
        assert len(ring) - 1 <= 24
        assert len(simple.coords) > 10 * len(ring)
        drawn = shapely.Polygon(ring)
        truth = shapely.Polygon(corners)
        overlap = drawn.intersection(truth).area / drawn.union(truth).area
        assert overlap > 0.995

    @pytest.mark.parametrize("seed", range(6))
    def test_smooth_blobs_keep_their_area_without_spikes(self, seed):
        mask = blobs(seed)
        for rings in outlines(runs(mask)):
            for ring in rings:
                assert smallest_angle(ring) > 15.0
        area = shape_of(outlines(runs(mask))).area
        assert area == pytest.approx(np.count_nonzero(mask), rel=0.002)
        edges = sum(len(ring) for rings in pixel_outlines(runs(mask)) for ring in rings)
        assert sum(len(ring) for rings in outlines(runs(mask)) for ring in rings) < edges / 4

    @needs_shared
    def test_what_is_bright_on_a_real_image_is_drawn_exactly(self):
        import rasterio

        with rasterio.open(DATA / "images" / "2018_SJER_3_252000_4107000_image_477.tif") as file:
            mask = file.read(1)[:300, :300] > 150
        polygons = outlines(runs(mask))
        assert Runs.from_rings(polygons, *mask.shape) == runs(mask)
        assert shapely.is_valid(shape_of(polygons))

    def test_an_empty_mask_has_no_outline(self):
        assert outlines(runs(np.zeros((5, 7), bool))) == []
        assert mask_polygons(np.zeros((5, 7), bool)) == []


def smallest_angle(ring):
    """The smallest angle, in degrees, between a ring's lines."""
    before = np.roll(ring[:-1], 1, axis=0) - ring[:-1]
    after = np.roll(ring[:-1], -1, axis=0) - ring[:-1]
    lengths = np.hypot(*before.T) * np.hypot(*after.T)
    return np.degrees(np.arccos(np.clip((before * after).sum(axis=1) / lengths, -1, 1))).min()


class TestCleaning:
    def mask(self):
        mask = np.zeros((60, 80), bool)
        mask[10:50, 10:60] = True
        mask[20:30, 20:30] = False
        return mask

    def test_holes_of_four_pixels_stay_and_smaller_ones_are_filled(self):
        mask = self.mask()
        mask[35:37, 35:37] = False
        mask[40, 40:43] = False
        (rings,) = mask_polygons(mask)
        assert sorted(ring_area(ring) for ring in rings[1:]) == [
            pytest.approx(4),
            pytest.approx(100),
        ]

    def test_specks_go_unless_they_were_clicked(self):
        mask = self.mask()
        mask[5:8, 70:73] = True
        assert len(mask_polygons(mask)) == 1
        assert len(mask_polygons(mask, np.array([[71.5, 6.5]]))) == 2
        assert len(mask_polygons(mask, np.array([[71.5, 2.5]]))) == 1

    def test_parts_of_a_hundredth_of_the_largest_stay_the_largest_first(self):
        mask = self.mask()
        mask[2:8, 66:76] = True
        first, second = mask_polygons(mask)
        assert ring_area(first[0]) > ring_area(second[0]) == pytest.approx(60, abs=1)

    def test_a_hair_goes_and_a_thing_one_pixel_wide_stays(self):
        mask = self.mask()
        mask[25, 60:78] = True
        assert (without_hairs(mask) == self.mask()).all()
        road = np.zeros((40, 40), bool)
        road[20, 3:37] = True
        assert (without_hairs(road) == road).all()
        assert len(mask_polygons(road)[0][0]) == 5

    @given(MASKS)
    @settings(deadline=None, max_examples=150)
    def test_what_is_left_is_valid_and_never_more_than_filled_holes(self, mask):
        polygons = mask_polygons(mask)
        assert bool(polygons) == bool(mask.any())
        assert shapely.is_valid(shape_of(polygons))
        drawn = Runs.from_rings(polygons, *mask.shape).to_array()
        padded = np.pad(mask, 1).astype(np.uint8)
        # A polygon's hole may touch its outer ring at a corner, which is no way out.
        outside = cv2.connectedComponents(1 - padded, connectivity=4)[1]
        added = drawn & ~mask
        assert not (outside[1:-1, 1:-1] == outside[0, 0])[added].any()
