"""Click-to-mask without a window: clicks on the map in, polygons on the map out."""

import gc
import math

import numpy as np
import pytest
import rasterio
import shapely

from ovearth_core.errors import FrameError, UsageError
from ovearth_core.frame import ImageFrame
from ovearth_core.segment import (
    ArrayPixels,
    Clicks,
    ClickSession,
    FilePixels,
    onnx_segmenter,
    open_model,
)

from .sam_models import RADIUS, SIDE, spec
from .shared import DATA, needs_shared

NAIP = DATA / "images" / "m_4208701_ne_16_060_20200902.tif"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return open_model(spec(tmp_path_factory.mktemp("model"), "sam2-samexporter"))


@pytest.fixture(scope="module")
def sam(tmp_path_factory):
    return open_model(spec(tmp_path_factory.mktemp("sam"), "sam"))


def picture(height, width, seed=0):
    return np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)


def utm(width, height, angle=0.0, gsd=0.5):
    cos, sin = gsd * math.cos(angle), gsd * math.sin(angle)
    return ImageFrame("EPSG:32632", (cos, sin, 512000.0, sin, -cos, 5323000.0), width, height)


def shape_of(proposal):
    return shapely.geometry.shape(proposal.geojson())


def session_of(model, height, width, most_px=2048, angle=0.0):
    image = ArrayPixels(picture(height, width))
    return ClickSession(model, image, utm(width, height, angle), most_px)


class TestClicks:
    def test_are_undone_one_by_one_boxes_too(self):
        none = Clicks()
        one = none.with_point(3, 4, True)
        boxed = one.with_box((0, 0, 9, 9))
        again = boxed.with_box((1, 1, 8, 8))
        two = again.with_point(5, 6, False)
        assert two.undone() == again
        assert two.undone().undone() == boxed
        assert two.undone().undone().undone() == one
        assert one.undone() == none
        assert none.undone() == none
        assert (two.points, two.are_inside, two.box) == (((3, 4), (5, 6)), (True, False), again.box)

    def test_are_enough_with_a_box_or_a_point_inside(self):
        assert not Clicks().are_enough
        assert not Clicks().with_point(1, 1, False).are_enough
        assert Clicks().with_point(1, 1, False).with_point(2, 2, True).are_enough
        assert Clicks().with_box((0, 0, 1, 1)).are_enough

    def test_none_at_all_are_refused(self, model):
        with pytest.raises(UsageError, match="neither a point nor a box"):
            session_of(model, 60, 80).propose(Clicks())


class TestProposals:
    @pytest.mark.parametrize("angle", [0.0, 0.3])
    def test_lie_on_the_map_where_it_was_clicked(self, model, angle):
        session = session_of(model, 512, 512, angle=angle)
        centre = utm(512, 512, angle).pixel_to_map([[200.0, 300.0]])[0]
        proposals = session.propose(session.clicked(Clicks(), centre, True))
        best = proposals[0]
        # Two pixels of the model for one of the image, half a metre each; the third mask is best.
        radius_m = (RADIUS - 6) / 2 * 0.5
        disc = shapely.Point(centre).buffer(radius_m, 64)
        found = shape_of(best)
        assert found.intersection(disc).area / found.union(disc).area > 0.98
        assert best.score == pytest.approx(0.95)
        assert best.origin == "sam2-samexporter"
        assert not best.is_cut
        assert [proposal.score for proposal in proposals] == pytest.approx([0.95, 0.9, 0.7])
        assert shapely.is_valid(found)

    def test_of_a_box_on_a_slanting_image_hold_all_its_four_corners(self, sam):
        frame = utm(1024, 1024, 0.3)
        session = session_of(sam, 1024, 1024, angle=0.3)
        middle = frame.pixel_to_map([[512.0, 512.0]])[0]
        clicks = session.boxed(Clicks(), middle - 40, middle + 40)
        found = shape_of(session.propose(clicks)[0])
        box = shapely.box(*(middle - 40), *(middle + 40))
        assert found.buffer(0.6).contains(box)
        assert found.area == pytest.approx((80 * (math.cos(0.3) + math.sin(0.3))) ** 2, rel=0.01)

    def test_follow_points_outside_and_their_undoing(self, sam):
        session, frame = session_of(sam, 1024, 1024), utm(1024, 1024)
        at = frame.pixel_to_map([[500.0, 500.0], [560.0, 500.0]])
        one = session.clicked(Clicks(), at[0], True)
        whole = shape_of(session.propose(one.with_box((0, 0, 1024, 1024)))[0])
        less = session.clicked(one.with_box((0, 0, 1024, 1024)), at[1], False)
        cut = shape_of(session.propose(less)[0])
        assert whole.contains(shapely.Point(at[1]))
        assert not cut.contains(shapely.Point(at[1]))
        assert shape_of(session.propose(less.undone())[0]).equals(whole)

    def test_clicks_may_come_in_another_crs(self, sam):
        session, frame = session_of(sam, 1024, 1024), utm(1024, 1024)
        lonlat = frame.pixel_to_lonlat([[300.0, 400.0]])[0]
        clicks = session.clicked(Clicks(), lonlat, True, "EPSG:4326")
        assert clicks.points[0] == pytest.approx((300, 400), abs=1e-5)

    def test_a_ring_around_a_point_outside_keeps_its_hole(self, sam):
        session = session_of(sam, 1024, 1024)
        clicks = Clicks().with_box((300, 300, 600, 600)).with_point(450, 450, False)
        (rings,) = session.propose(clicks)[0].polygons
        assert len(rings) == 2
        assert session.propose(clicks)[0].geojson()["type"] == "Polygon"

    def test_what_falls_apart_is_a_multipolygon(self, sam):
        session = session_of(sam, 1024, 1024)
        clicks = Clicks().with_box((300, 430, 600, 470)).with_point(450, 450, False)
        assert session.propose(clicks)[0].geojson()["type"] == "MultiPolygon"

    def test_nothing_found_is_no_proposal(self, sam):
        session = session_of(sam, 1024, 1024)
        clicks = Clicks().with_box((300, 300, 330, 330)).with_point(315, 315, False)
        assert session.propose(clicks) == []

    def test_an_image_that_lies_nowhere_is_refused(self, sam):
        session = ClickSession(sam, ArrayPixels(picture(64, 64)), ImageFrame(None, None, 64, 64))
        with pytest.raises(FrameError):
            session.propose(Clicks().with_point(30, 30, True))


class TestLargeImages:
    def test_are_shown_in_parts_pixel_by_pixel_to_the_same_polygon(self, sam):
        """A part of 1,024 pixels is what the model sees: its disc has its radius there."""
        session = session_of(sam, 3000, 5000, most_px=SIDE)
        clicks = Clicks().with_point(4003.5, 1502.25, True)
        (rings,) = session.propose(clicks)[0].pixels
        disc = shapely.Point(4003.5, 1502.25).buffer(RADIUS - 6, 64)
        found = shapely.Polygon(rings[0])
        assert found.intersection(disc).area / found.union(disc).area > 0.98

    def test_many_things_clicked_all_over_the_map_keep_the_last_eight_views_only(self, tmp_path):
        model = open_model(spec(tmp_path, "sam"))
        session = session_of(model, 400, 2400, most_px=64)
        kind = onnx_segmenter._Seen
        # What other tests have left in the caches of this process is theirs.
        before = [found for found in gc.get_objects() if isinstance(found, kind)]
        for number in range(13):
            session.propose(Clicks().with_point(100 + 150 * number, 200, True))
        gc.collect()
        seen = [found for found in gc.get_objects() if isinstance(found, kind)]
        assert sum(1 for found in seen if not any(found is one for one in before)) == 8

    def test_the_next_click_nearby_uses_the_same_part(self, sam):
        image = Counting(picture(3000, 5000))
        session = ClickSession(sam, image, utm(5000, 3000), SIDE)
        clicks = Clicks().with_point(4000, 1500, True)
        session.propose(clicks)
        session.propose(clicks.with_point(4050, 1540, True))
        assert image.reads == 1
        session.propose(Clicks().with_point(400, 300, True))
        assert image.reads == 2

    def test_a_thing_larger_than_the_part_is_looked_at_again_from_farther_away(self):
        pixels = np.zeros((3000, 5000, 3), np.uint8)
        pixels[1000:1800, 2000:3500] = 200
        image = Counting(pixels)
        session = ClickSession(BrightThings(), image, utm(5000, 3000), 256)
        first = Clicks().with_point(2500, 1500, True)
        best = session.propose(first)[0]
        barn = shapely.box(2000, 1000, 3500, 1800)
        found = shapely.Polygon(best.pixels[0][0])
        assert found.intersection(barn).area / found.union(barn).area > 0.97
        assert not best.is_cut
        reads = image.reads
        # A second click on it begins from there, another thing from near.
        session.propose(first.with_point(2600, 1500, True))
        assert image.reads == reads
        session.propose(Clicks().with_point(4900, 2900, True))
        assert image.reads == reads + 1

    def test_a_box_larger_than_the_part_is_shown_whole(self, sam):
        session = ClickSession(sam, ArrayPixels(picture(3000, 5000)), utm(5000, 3000), 256)
        (rings,) = session.propose(Clicks().with_box((1000, 500, 3000, 2500)))[0].pixels
        assert shapely.Polygon(rings[0]).area == pytest.approx(4e6, rel=0.01)

    @needs_shared
    def test_real_imagery_is_read_from_its_file(self, sam):
        image = FilePixels(NAIP)
        with rasterio.open(NAIP) as file:
            frame = ImageFrame(
                file.crs.to_wkt(), tuple(file.transform)[:6], file.width, file.height
            )
        session = ClickSession(sam, image, frame, 256)
        centre = frame.pixel_to_map([[image.width / 2, image.height / 2]])[0]
        best = session.propose(session.clicked(Clicks(), centre, True))[0]
        found = shape_of(best)
        assert found.contains(shapely.Point(centre))
        assert shapely.is_valid(found)


class Counting(ArrayPixels):
    """An image that counts how often it is read."""

    reads = 0

    def read(self, view):
        object.__setattr__(self, "reads", self.reads + 1)
        return super().read(view)


class BrightThings:
    """Another model: all that is bright, whatever is clicked."""

    name = "bright"

    def set_image(self, pixels):
        self.mask = pixels[..., 0] > 100

    def predict(self, points, labels, box=None):
        return self.mask[None], np.array([1.0])
