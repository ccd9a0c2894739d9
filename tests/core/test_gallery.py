"""The gallery: which answers are pictured, and that what is drawn lies where it belongs."""

import io
import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Picture

from ovearth_core.analysis.hardest import answer_quality, looked_at
from ovearth_core.benchmark import Image
from ovearth_core.errors import InputError
from ovearth_core.overlay import OverlayFeature
from ovearth_core.overlay.colours import COLOURS
from ovearth_core.report.gallery.choosing import best_and_worst
from ovearth_core.report.gallery.frame import window_about
from ovearth_core.report.gallery.overlaying import LONGEST_SIDE, overlay_jpeg
from ovearth_core.report.gallery.picture import Gallery, gallery_text, read_gallery
from ovearth_core.report.gallery.picture import Picture as Shown

from . import made_runs, making

WHOLE = (0, 0, 100, 100)


def ring(x0, y0, x1, y1):
    return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]], dtype=float)


def feature(outcome, *polygons, modality="mask"):
    return OverlayFeature("q", 1, "tank", modality, outcome, 0.5, None, polygons)


def drawn(*features, window=WHOLE, true_boxes=()):
    grey = np.full((window[3], window[2], 3), 128, dtype=np.uint8)
    with Picture.open(io.BytesIO(overlay_jpeg(grey, window, features, true_boxes))) as picture:
        pixels = np.asarray(picture.convert("RGB")).astype(int)
    assert max(pixels.shape[:2]) == LONGEST_SIDE
    return pixels


def at(pixels, x, y, window=WHOLE):
    """The mean colour about a place in the image."""
    row = round((y - window[1]) / window[3] * pixels.shape[0])
    column = round((x - window[0]) / window[2] * pixels.shape[1])
    return pixels[row - 2 : row + 3, column - 2 : column + 3].mean(axis=(0, 1))


def mixed(outcome):
    return np.array(COLOURS[outcome]) * 110 / 255 + 128 * 145 / 255


def test_each_outcome_is_filled_with_its_colour_where_it_lies():
    pixels = drawn(
        feature("matched", (ring(10, 10, 40, 40),)),
        feature("spurious", (ring(60, 10, 90, 40),)),
        feature("missed", (ring(10, 60, 40, 90),)),
    )
    for outcome, x, y in (("matched", 25, 25), ("spurious", 75, 25), ("missed", 25, 75)):
        assert at(pixels, x, y) == pytest.approx(mixed(outcome), abs=12)
    assert at(pixels, 75, 75) == pytest.approx([128] * 3, abs=3)


def test_holes_stay_open_and_islands_in_them_are_drawn_whatever_the_order():
    island, lake = (ring(40, 40, 60, 60),), (ring(10, 10, 90, 90), ring(25, 25, 75, 75))
    for polygons in ((island, lake), (lake, island)):
        pixels = drawn(feature("matched", *polygons))
        assert at(pixels, 17, 50) == pytest.approx(mixed("matched"), abs=12)
        assert at(pixels, 32, 50) == pytest.approx([128] * 3, abs=6)
        assert at(pixels, 50, 50) == pytest.approx(mixed("matched"), abs=12)


def test_a_part_of_the_image_shows_its_own_place():
    window = (40, 20, 50, 50)
    pixels = drawn(feature("spurious", (ring(60, 40, 80, 60),)), window=window)
    assert at(pixels, 70, 50, window) == pytest.approx(mixed("spurious"), abs=12)
    assert at(pixels, 50, 30, window) == pytest.approx([128] * 3, abs=6)


def test_boxes_are_outlined_and_true_ones_are_white():
    box = feature("matched", (ring(20, 20, 80, 80),), modality="hbb")
    pixels = drawn(box, true_boxes=[ring(30, 30, 70, 70)[:4]])
    assert at(pixels, 50, 50) == pytest.approx([128] * 3, abs=4)
    blue = pixels[pixels.shape[0] // 5, pixels.shape[1] // 2]
    assert blue[2] > blue[0] + 60
    white = pixels[int(0.3 * LONGEST_SIDE) - 2 : int(0.3 * LONGEST_SIDE) + 3, LONGEST_SIDE // 2]
    assert white.max() > 170


def test_a_box_that_lies_nowhere_near_breaks_nothing():
    far = feature("spurious", (ring(-1e14, -1e14, 1e15, 1e15),), modality="hbb")
    assert drawn(far, feature("missed", (ring(1e14, 0, 2e14, 5),), modality="hbb")).size


@given(
    st.integers(1, 3000),
    st.integers(1, 3000),
    st.lists(st.tuples(st.floats(-100, 3100), st.floats(-100, 3100)), max_size=6),
)
def test_a_window_is_on_the_image_and_holds_what_it_is_about(width, height, points):
    image = Image(id=1, file_name="a.tif", width=width, height=height)
    rings = [np.array(points).reshape(-1, 2)] if points else []
    left, top, across, down = window_about(rings, image)
    assert 0 <= left <= left + across <= width and across >= 1
    assert 0 <= top <= top + down <= height and down >= 1
    for x, y in points:
        x, y = min(max(x, 0), width), min(max(y, 0), height)
        assert left - 1 <= x <= left + across + 1
        assert top - 1 <= y <= top + down + 1


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory):
    count = 40
    document = making.benchmark(
        images=[making.image(number) for number in range(count // 2)],
        targets=[
            {"id": number, "image_id": number // 2, "category_id": 1} for number in range(count)
        ],
        annotations=[
            making.annotation(number, number, making.square(10, 10, 20), image_id=number // 2)
            for number in range(count)
        ],
        queries=[
            made
            for number in range(count)
            for made in (
                making.query(f"v{number}", number),
                making.query(f"n{number}", number, polarity="negative"),
                making.query(f"f{number}", number, "referring"),
            )
        ],
    )
    benchmark = making.read(tmp_path_factory.mktemp("many"), document)
    return made_runs.random_runs(benchmark, 3, modalities=("mask", "hbb"))


@given(st.integers(0, 2), st.sampled_from(["mask", "hbb"]), st.integers(1, 9), st.data())
def test_the_best_and_the_worst_are_so_and_of_different_targets(
    evaluated, number, modality, most, data
):
    run = evaluated.runs[number]
    count = len(evaluated.benchmark.queries)
    has_image = np.array(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    best, worst = best_and_worst(evaluated, run, modality, has_image, most)
    positive = evaluated.benchmark.columns.queries.is_positive
    rows = np.concatenate([looked_at(evaluated, task, modality) for task in run.tasks])
    quality = dict(
        zip(rows.tolist(), answer_quality(run, rows, positive[rows], modality), strict=True)
    )
    seen = [row for row in rows.tolist() if has_image[row]]
    good = [row for row in seen if positive[row] and quality[row] > 0]
    for rows_shown in (best, worst):
        assert len(rows_shown) <= most
        assert all(has_image[rows_shown])
    assert len(set(evaluated.facts.target_ids[best])) == len(best)
    assert not set(best) & set(worst)
    assert bool(best) == bool(good)
    if good:
        assert quality[best[0]] == max(quality[row] for row in good)
        assert all(quality[a] >= quality[b] for a, b in pairwise(best))
    assert all(quality[row] < 1 for row in worst)
    bad = [row for row in seen if quality[row] < 1 and row not in best]
    assert bool(worst) == bool(bad)
    positive_bad = [row for row in bad if positive[row]]
    if positive_bad and most > 1:
        assert quality[worst[0]] == min(quality[row] for row in positive_bad)


def shown(**changes):
    texts = dict.fromkeys(
        ("query_id", "text", "task", "polarity", "category", "image", "modality", "kind", "score"),
        "word",
    )
    return Shown(
        **{**texts, "is_best": True, "is_part": False, "jpeg": b"\xff\xd8\xff1", **changes}
    )


def test_a_kept_gallery_comes_back_as_it_was(tmp_path):
    gallery = Gallery((shown(), shown(text="</script>", is_best=False)), ("a note",))
    (tmp_path / "g.json").write_text(gallery_text(gallery), encoding="utf-8")
    assert read_gallery(tmp_path / "g.json") == gallery


@pytest.mark.parametrize("change", [
    {"format": "x"}, {"pictures": 7}, {"notes": [7]}, {"notes": None}, {"pictures": [7]},
    {"pictures": [{}]}, {"jpeg": "!!"}, {"jpeg": "QUJD"}, {"jpeg": 7}, {"is_best": 1},
])  # fmt: skip
def test_a_damaged_gallery_is_named(tmp_path, change):
    document = json.loads(gallery_text(Gallery((shown(),))))
    for key, value in change.items():
        (document if key in document else document["pictures"][0])[key] = value
    (tmp_path / "g.json").write_text(json.dumps(document))
    with pytest.raises(InputError, match=r"g\.json"):
        read_gallery(tmp_path / "g.json")
