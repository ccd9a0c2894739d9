"""Candidates decided over one by one, wanted numbers, tallies, and layers that others draw."""

import numpy as np
import pytest

from ovearth_core.collection.imagery import ImagerySpec
from ovearth_core.collection.imagery.drawn import DrawnLayer, drawn_source
from ovearth_core.collection.imagery.tile_level import TileLevel
from ovearth_core.collection.patches.grid import PatchShape, metric_frame, outline
from ovearth_core.collection.pois.candidates import ACCEPTED, REJECTED, Candidates
from ovearth_core.collection.wanted import set_wanted, wanted_numbers
from ovearth_core.dataset import CategoryRow, Dataset, PoiRow
from ovearth_core.dataset.tallies import CategoryTally, category_tallies, poi_tallies
from ovearth_core.errors import InputError, UsageError
from ovearth_core.frame import ImageFrame

WORLD = 20037508.342789244


@pytest.fixture
def dataset(tmp_path):
    made = Dataset.create(tmp_path / "d", [CategoryRow(3, "silo", "silo")])
    with made.writing("anna") as edit:
        for number in range(3):
            edit.add(PoiRow(None, 9.0 + number, 47.0, 3, f"p{number}"))
    return made


def rows(dataset):
    with dataset.reading() as view:
        return [(row.lon, row.state) for row in view.pois()]


def test_steps_are_stored_at_once_and_taken_back_in_turn(dataset):
    before = rows(dataset)
    candidates = Candidates(dataset, "ben")
    assert candidates.next().id == 1
    candidates.decide(1, ACCEPTED)
    assert candidates.next(1).id == 2
    candidates.move(2, 190.5, 10.0)
    candidates.decide(2, REJECTED)
    assert rows(dataset) == [(9.0, "accepted"), (-169.5, "rejected"), (11.0, "candidate")]
    assert candidates.next(3).id == 3
    for _ in range(3):
        candidates.undo()
    assert rows(dataset) == before
    assert candidates.undo() is None
    with dataset.reading() as view:
        assert view.poi(1).changed_by == "ben"


def test_what_somebody_else_changed_since_is_not_taken_back(dataset):
    candidates = Candidates(dataset)
    candidates.decide(1, ACCEPTED)
    Candidates(dataset).decide(1, REJECTED)
    with pytest.raises(InputError, match="somebody else"):
        candidates.undo()
    assert rows(dataset)[0] == (9.0, "rejected")


def test_what_makes_no_sense_changes_nothing(dataset):
    candidates = Candidates(dataset)
    with pytest.raises(UsageError):
        candidates.decide(1, "perhaps")
    with pytest.raises(UsageError):
        candidates.move(1, 0.0, 91.0)
    with pytest.raises(InputError):
        candidates.decide(99, ACCEPTED)
    assert not candidates.can_undo


def test_wanted_numbers_are_kept_and_forgotten(dataset):
    set_wanted(dataset, {"silo": 20, "barn": 3})
    set_wanted(dataset, {"barn": 0})
    with dataset.reading() as view:
        assert wanted_numbers(view) == {"silo": 20}
    with pytest.raises(UsageError):
        set_wanted(dataset, {"silo": -1})


def test_tallies_count_by_category_and_state(dataset):
    Candidates(dataset).decide(2, ACCEPTED)
    with dataset.reading() as view:
        assert category_tallies(view) == {3: CategoryTally(0, 2, 1)}
        assert poi_tallies(view) == {"candidate": 2, "accepted": 1, "rejected": 0}


@pytest.mark.parametrize("lat", [-60.0, 0.0, 47.0, 83.0])
def test_an_outline_is_that_of_the_patch_itself(lat):
    ring = outline(9.3, lat, PatchShape(300, gsd_m=0.7))
    assert np.allclose(ring, metric_frame(9.3, lat, 300, 300, 0.7).footprint(4))


def pixel_of(zoom):
    return 2 * WORLD / 256 / 2**zoom


def layer(asked, levels=(), gsd_m=None, hole=False):
    """A layer whose red and green are waves over web Mercator's metres."""

    def draw(box, width, height):
        asked.append((box, width, height))
        west, south, east, north = box
        x = west + (np.arange(width) + 0.5) / width * (east - west)
        y = north - (np.arange(height) + 0.5) / height * (north - south)
        red = 128 + 100 * np.sin(x / 12.0)[None] + 0 * y[:, None]
        green = 128 + 100 * np.sin(y / 12.0)[:, None] + 0 * x[None]
        alpha = np.full_like(red, 0.0 if hole else 255.0)
        return np.rint(np.stack([red, green, 0 * red, alpha], axis=-1)).astype(np.uint8)

    box = (-WORLD, -WORLD, WORLD, WORLD)
    return DrawnLayer("drawn", "EPSG:3857", box, draw, lambda: None, levels, gsd_m)


def levels(*zooms):
    return tuple(
        TileLevel(
            str(zoom),
            ImageFrame("EPSG:3857", (pixel_of(zoom), 0, -WORLD, 0, -pixel_of(zoom), WORLD),
                       256 * 2**zoom, 256 * 2**zoom),
            256, 256,
        )
        for zoom in zooms
    )  # fmt: skip


def off(pixels):
    from ovearth_core.operation import choose_operation

    frame = pixels.frame
    row, column = np.mgrid[0 : frame.height, 0 : frame.width] + 0.5
    points = frame.pixel_to_map(np.column_stack([column.ravel(), row.ravel()]))
    x, y = choose_operation(frame.crs, "EPSG:3857").forward(points).T
    wanted = 128 + 100 * np.sin(np.stack([x, y]) / 12.0)
    return np.abs(pixels.values[:2].reshape(2, -1) - wanted).max()


def test_levels_are_asked_on_their_own_grid_and_resampled_to_their_place():
    asked = []
    source = drawn_source(ImagerySpec("layer:x"), layer(asked, levels(15, 16, 17, 18)))
    assert off(source.read(metric_frame(9.5, 47.2, 120, 90, 0.9))) <= 2.0
    ((box, width, _),) = asked
    assert (box[2] - box[0]) / width == pytest.approx(pixel_of(17))
    assert ((box[0] + WORLD) / pixel_of(17)) % 1 == pytest.approx(0.0, abs=1e-3)


def test_any_scale_is_drawn_in_pieces_and_resampled_to_its_place():
    asked = []
    source = drawn_source(ImagerySpec("layer:x"), layer(asked, gsd_m=0.5))
    assert off(source.read(metric_frame(9.5, 47.2, 700, 600, 0.5))) <= 2.0
    assert len(asked) > 1
    assert max(max(size) for _, *size in asked) <= 1000


@pytest.mark.parametrize("more", [{"levels": levels(17)}, {"gsd_m": 0.9}])
def test_transparent_parts_are_a_failure(more):
    source = drawn_source(ImagerySpec("layer:x"), layer([], hole=True, **more))
    with pytest.raises(InputError, match="transparent"):
        source.read(metric_frame(9.5, 47.2, 50, 50, 0.9))


def test_what_says_nothing_of_its_pixels_is_refused():
    with pytest.raises(UsageError, match="how fine"):
        drawn_source(ImagerySpec("layer:x"), layer([]))
