"""The statistics are those of `metrics.md`, the same for a dataset and its benchmark."""

import json
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image as Picture

from ovearth_core.cli.main import main
from ovearth_core.dataset import Dataset, QueryRow, TargetRow
from ovearth_core.statistics.counting import benchmark_statistics, dataset_statistics
from ovearth_core.statistics.distribution import Distribution
from ovearth_core.statistics.tally import Tally, angle_deg

from . import making
from .datasets import CATEGORIES, FIELD, SQUARE, TANK, image_row
from .framing import framed

KEYS = [
    "images", "targets", "boxes", "categories", "positive_phrases", "negative_phrases",
    "unique_positive_phrases", "unique_negative_phrases", "phrases_of_both_polarities",
    "unique_phrases", "referring", "reasoning", "boxes_below_1_percent",
    "boxes_above_50_percent", "targets_by_tasks", "distributions",
]  # fmt: skip
# Figures that need numbers which a benchmark without CRS and continents hasn't.
DISTRIBUTIONS = {
    "image_width", "image_height", "gsd_m", "boxes_per_target", "box_area_share",
    "words_per_text", "obb_angle_deg", "continents", "categories_by_domain", "targets_by_domain",
}  # fmt: skip


def statistics(tmp_path, document):
    return benchmark_statistics(making.read(tmp_path, document))


def text(query_id, target_id, words, task="vocabulary", polarity="positive"):
    return {**making.query(query_id, target_id, task, polarity), "text": words}


def test_every_number_of_a_small_benchmark_is_as_counted_by_hand(tmp_path):
    document = making.benchmark()
    document["images"] += [making.image(2), making.image(3, 50, 40)]
    document["targets"].append({"id": 3, "image_id": 3, "category_id": 1})
    document["annotations"] += [
        making.annotation(4, 3, making.square(0, 0, 35), image_id=3),
        making.annotation(5, 3, making.square(0, 0, 4), image_id=3),
        making.annotation(6, 3, making.square(0, 0, 30), image_id=3, iscrowd=1),
    ]
    document["queries"] = [
        text("1", 1, "tank"), text("2", 1, "tank"), text("3", 1, "round tank"),
        text("4", 1, "field", polarity="negative"), text("5", 2, "field"),
        text("6", 2, "Tank", polarity="negative"), text("7", 2, "tank", polarity="negative"),
        text("8", 1, "the tank on the left", "referring"),
        text("9", 1, "where is oil", "reasoning"), text("10", 3, "where is gas", "reasoning"),
    ]  # fmt: skip
    found = statistics(tmp_path, document)
    assert list(found) == KEYS
    spreads = found.pop("distributions")
    assert found == {
        "images": 2, "targets": 3, "boxes": 4, "categories": 2, "positive_phrases": 4,
        "negative_phrases": 3, "unique_positive_phrases": 3, "unique_negative_phrases": 3,
        "phrases_of_both_polarities": 2, "unique_phrases": 4, "referring": 1, "reasoning": 2,
        "boxes_below_1_percent": 1, "boxes_above_50_percent": 1,
        "targets_by_tasks": {"vocabulary+referring+reasoning": 1, "vocabulary": 1, "reasoning": 1},
    }  # fmt: skip
    assert set(spreads) == DISTRIBUTIONS
    assert spreads["boxes_per_target"]["mean"] == pytest.approx(4 / 3)
    assert spreads["gsd_m"]["count"] == 0
    assert spreads["gsd_m"]["median"] is None
    assert spreads["image_width"]["min"] == 50
    assert spreads["words_per_text"]["referring"]["mean"] == 5
    assert spreads["box_area_share"]["max"] == 35 * 35 / 2000
    assert spreads["continents"] == {"unknown": 2}


@pytest.mark.parametrize(("side", "below", "above"), [(10, 0, 0), (9.9, 1, 0), (80, 0, 1)])
def test_one_percent_and_half_are_strict(tmp_path, side, below, above):
    document = making.benchmark(images=[making.image(1, 100, 100)])
    document["targets"] = document["targets"][:1]
    document["annotations"] = [making.annotation(1, 1, making.square(0, 0, side))]
    document["queries"] = [making.query("v", 1)]
    found = statistics(tmp_path, document)
    assert (found["boxes_below_1_percent"], found["boxes_above_50_percent"]) == (below, above)


def test_a_benchmark_of_half_an_image_has_no_box_above_half(tmp_path):
    half = making.annotation(1, 1, [[0, 0, 50, 0, 50, 100, 0, 100]])
    document = making.benchmark(images=[making.image(1, 100, 100)], annotations=[half])
    assert statistics(tmp_path, document)["boxes_above_50_percent"] == 0


def test_the_gsd_is_that_of_the_ground_and_not_of_the_map(tmp_path):
    frame = framed("EPSG:3857", 0.0, 60.0, pixel=1.0)
    place = {"crs": frame.crs, "transform": list(frame.transform), "continent": "Europe"}
    document = making.benchmark(images=[making.image(1, frame.width, frame.height, **place)])
    spreads = statistics(tmp_path, document)["distributions"]
    assert spreads["gsd_m"]["median"] == pytest.approx(0.5, rel=0.01)
    assert spreads["continents"] == {"Europe": 1}


def test_only_what_goes_out_of_a_dataset_is_counted(tmp_path):
    dataset = Dataset.create(tmp_path / "d", CATEGORIES)
    with dataset.writing("anna") as edit:
        image = edit.add(image_row(continent="Asia"))
        edit.add(image_row("images/b.tif"))
        tank = edit.add_instance(image.id, TANK, SQUARE)
        edit.add_instance(image.id, TANK, SQUARE + 100, is_crowd=True)
        edit.add_instance(image.id, FIELD, SQUARE + 200)
        edit.add(QueryRow("a", tank.target_id, "vocabulary", "positive", "tank"))
        edit.add(QueryRow("b", tank.target_id, "reasoning", "positive", "why", state="proposed"))
        edit.set_state(tank.target_id, "approved")
        rival = edit.add(TargetRow(None, image.id, TANK, rival_of=tank.target_id))
        edit.set_state(rival.id, "approved")
    found = dataset_statistics(dataset)
    assert [found[key] for key in ("images", "targets", "boxes", "reasoning")] == [1, 1, 1, 0]
    assert found["distributions"]["continents"] == {"Asia": 1}
    assert found["distributions"]["gsd_m"]["median"] == pytest.approx(0.1, rel=1e-3)


def test_an_empty_dataset_has_dashes_and_no_number_made_up(tmp_path, capsys):
    dataset = Dataset.create(tmp_path / "d", CATEGORIES)
    assert main(["stats", str(dataset.folder), "--out", str(tmp_path / "figures")]) == 0
    printed = capsys.readouterr().out
    assert "nan" not in printed.lower()
    assert next(line for line in printed.splitlines() if "GSD" in line).split()[-6:] == ["–"] * 6


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(0, 3), min_size=1, max_size=12), st.data())
def test_counting_in_parts_gives_what_counting_the_whole_gives(tmp_path_factory, sides, data):
    document = making.benchmark(images=[], targets=[], annotations=[], queries=[])
    for number, count in enumerate(sides):
        document["images"].append(making.image(number))
        document["targets"].append(
            {"id": number, "image_id": number, "category_id": data.draw(st.sampled_from([1, 2]))}
        )
        for each in range(count):
            side = data.draw(st.floats(1, 60))
            document["annotations"].append(making.annotation(
                10 * number + each, number, making.square(each, each, side), image_id=number,
                category_id=document["targets"][-1]["category_id"]))  # fmt: skip
        document["queries"].append(
            text(f"q{number}", number, data.draw(st.sampled_from(["a", "a b", "c"])),
                 polarity=data.draw(st.sampled_from(["positive", "negative"]))))  # fmt: skip
    folder = tmp_path_factory.mktemp("b")
    whole = statistics(folder, document)
    tally = Tally()
    for number in range(len(sides)):
        part = {key: value for key, value in document.items() if key in ("info", "categories")}
        part["images"] = [document["images"][number]]
        part["targets"] = [document["targets"][number]]
        part["annotations"] = [a for a in document["annotations"] if a["image_id"] == number]
        part["queries"] = [document["queries"][number]]
        tally.add(making.read(folder, part))
    assert json.dumps(tally.as_json(), sort_keys=True) == json.dumps(whole, sort_keys=True)


@given(st.floats(0, 360))
def test_an_angle_is_from_x_towards_y_below_90(turn):
    radians = math.radians(turn)
    side = np.array([math.cos(radians), math.sin(radians)])
    up = np.array([-side[1], side[0]])
    angle = angle_deg(np.array([0 * side, 3 * side, 3 * side + up, up]))
    assert 0 <= angle < 90
    assert math.isclose((angle - turn + 45) % 90, 45, abs_tol=0.0011)


@given(st.lists(st.one_of(st.integers(-9, 9).map(float), st.floats(-1e6, 1e6)), min_size=1))
def test_a_distribution_is_that_of_numpy_and_its_histogram_holds_every_number(numbers):
    spread = Distribution()
    for number in numbers:
        spread.add(number)
    found = spread.as_json()
    assert found["median"] == pytest.approx(np.median(numbers), abs=1e-9)
    assert sum(found["histogram"]["counts"]) == found["count"] == len(numbers)
    assert (found["min"], found["max"]) == (min(numbers), max(numbers))


def test_the_command_writes_json_tables_and_figures(tmp_path, capsys):
    path = making.write_benchmark(tmp_path)
    out, figures = tmp_path / "stats.json", tmp_path / "figures"
    assert main(["stats", str(path), "--json", str(out), "--out", str(figures)]) == 0
    assert list(json.loads(out.read_text())) == KEYS
    assert "unique positive phrases" in capsys.readouterr().out
    names = {file.stem for file in figures.iterdir()}
    assert {"boxes-per-target", "words-per-text", "targets-by-tasks", "image-sizes"} <= names
    assert "gsd" not in names
    for stem in names:
        assert (figures / f"{stem}.svg").read_text().lstrip().startswith("<?xml")
        with Picture.open(figures / f"{stem}.png") as picture:
            assert picture.size == (1200, 800)
            assert len(picture.convert("RGB").getcolors(1 << 20)) > 3


def test_figures_of_the_same_numbers_are_the_same_files(tmp_path):
    path = making.write_benchmark(tmp_path)
    for name in ("one", "two"):
        assert main(["stats", str(path), "--out", str(tmp_path / name)]) == 0
    for file in (tmp_path / "one").iterdir():
        assert file.read_bytes() == (tmp_path / "two" / file.name).read_bytes()
