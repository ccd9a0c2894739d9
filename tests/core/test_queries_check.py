"""Texts that can't be asked are found without a model."""

import json

import pytest

from ovearth_core.cli.main import main
from ovearth_core.dataset import CategoryRow, Dataset
from ovearth_core.queries.check import check_benchmark_texts, check_dataset_texts
from ovearth_core.queries.language import foreign

from . import making
from .framing import framed
from .query_scenes import SIZE, add_text, scene, square, texts

SHIP, LAND = 30, 31
KINDS = (
    CategoryRow(7, "storage-tank", "storage tank", "Industry"),
    CategoryRow(SHIP, "ship", "ship", "Transport"),
    CategoryRow(LAND, "cropland", "cropland", "Plant", instanceable=False),
)


@pytest.fixture
def dataset(tmp_path):
    """One image with three tanks in its upper left, and a field at the bottom."""
    made = Dataset.create(tmp_path / "dataset", KINDS)
    made.tanks = scene(made, "a", [square(60 + 40 * n, 60) for n in range(3)])
    (image,) = images(made)
    with made.writing() as edit:
        made.field = edit.add_instance(image.id, LAND, square(150, 250, 80)).target_id
    return made


def images(dataset):
    with dataset.reading() as view:
        return list(view.images())


def kinds(dataset, *texts_):
    """The kinds found of texts: (text, task, polarity) of the tanks, or (target, ...) first."""
    ids = []
    for text in texts_:
        target = dataset.tanks if isinstance(text[0], str) else text[0]
        rest = text if isinstance(text[0], str) else text[1:]
        ids.append(add_text(dataset, target, *rest, state="proposed"))
    found = [f for f in check_dataset_texts(dataset) if f.id in ids or f.item != "query"]
    return sorted({f.kind for f in found})


@pytest.mark.parametrize(("text", "found"), [
    ("the three storage tanks in the upper left of the image", []),
    ("all tanks in the north-west", []),
    ("a row of storage tanks in the upper left", []),
    ("the group of three tanks near the top left corner", []),
    ("the leftmost storage tank in the upper left", ["part-of-target"]),
    ("The largest of the tanks in the upper left", ["part-of-target"]),
    ("one of the storage tanks at the top", ["part-of-target"]),
    ("the two storage tanks in the upper left", ["part-of-target"]),
    ("both storage tanks at the top", ["part-of-target"]),
    ("12 storage tanks in the upper left", ["part-of-target"]),
    ("the storage tank in the upper left", ["one-of-several"]),
    ("storage tanks next to the largest building", []),
    ("In the upper left, the second storage tank", ["part-of-target"]),
    ("the storage tanks in the lower right", ["wrong-direction"]),
    ("the storage tanks south of the cropland", ["wrong-direction"]),
    ("the storage tanks north of the arable fields", []),
    ("tanks", ["short-text"]),
    (" ".join(["the storage tanks at the top and"] * 7), ["long-text"]),
    ("die Tanks in der Nähe von der Straße und dem Haus", ["language"]),
    ("图像左上角的储罐", ["language", "short-text"]),
])  # fmt: skip
def test_referring_texts(dataset, text, found):
    assert kinds(dataset, (text,)) == found


@pytest.mark.parametrize(("text", "found"), [
    ("swimming pool", []),
    ("Storage-Tanks", ["negative-present"]),
    ("oil tank", ["negative-kind"]),
    ("arable land", ["negative-present"]),
    ("farmland", ["negative-present"]),
    ("empty storage tank", ["negative-kind"]),
    ("cereal field", ["negative-kind"]),
    ("storage tank ladder", []),
    ("ship", []),
    ("a small and very old swimming pool", ["long-text"]),
])  # fmt: skip
def test_negatives(dataset, text, found):
    assert kinds(dataset, (text, "vocabulary", "negative")) == found


def test_a_negative_may_be_no_positive_of_another_target(dataset):
    assert kinds(dataset, (dataset.field, "wheat", "vocabulary"),
                 ("Wheat", "vocabulary", "negative")) == ["negative-present"]  # fmt: skip


@pytest.mark.parametrize(("text", "found"), [
    ("where oil is kept until a ship fetches it", []),
    ("things for storing oil, storage tanks they are", ["names-category"]),
    ("they store", ["short-text"]),
])  # fmt: skip
def test_reasoning_texts(dataset, text, found):
    assert kinds(dataset, (text, "reasoning")) == found


@pytest.mark.parametrize("text", ["parking", "parking lot", "water park", "amusement park"])
def test_a_look_alike_of_a_category_is_a_good_negative(tmp_path, text):
    made = Dataset.create(tmp_path / "dataset", (CategoryRow(1, "park", "park", "Leisure"),))
    park = scene(made, "a", [square(60, 60)], category=1)
    assert kinds(made, (park, text, "vocabulary", "negative")) == []
    assert kinds(made, (park, "town parks", "vocabulary", "negative")) == ["negative-kind"]


def test_a_place_told_from_parking_is_not_told_from_a_park(tmp_path):
    rows = (CategoryRow(1, "park", "park", "Leisure"), CategoryRow(2, "lake", "lake", "Nature"))
    made = Dataset.create(tmp_path / "dataset", rows)
    park = scene(made, "a", [square(60, 60)], category=1)
    (image,) = images(made)
    with made.writing() as edit:
        lake = edit.add_instance(image.id, 2, square(200, 200)).target_id
    assert kinds(made, (lake, "the lake north of the parking")) == []
    assert kinds(made, (lake, "the lake north of the parks")) == ["wrong-direction"]
    # Nor do they say the same twice.
    assert kinds(made, (park, "parking", "vocabulary"), (park, "a park", "vocabulary")) == []


def test_doubled_texts_within_a_target(dataset):
    assert kinds(dataset, ("round tanks", "vocabulary"), ("Round  Tanks", "vocabulary")) == [
        "doubled-text"]  # fmt: skip


def test_texts_that_differ_in_number_and_hyphens_are_doubled(dataset):
    assert kinds(dataset, ("round-tanks", "vocabulary"), ("Round tank", "vocabulary")) == [
        "doubled-text"]  # fmt: skip


def test_a_text_with_both_polarities_is_found_in_another_spelling_too(dataset):
    assert kinds(dataset, ("oil drums", "vocabulary"), ("oil-drum", "vocabulary", "negative")) == [
        "both-polarities"]  # fmt: skip


def test_a_text_of_two_targets_on_one_image_singles_out_neither(dataset):
    assert kinds(dataset, ("what people built here long ago", "reasoning"),
                 (dataset.field, "What people  built here long ago", "reasoning")) == [
        "ambiguous-text"]  # fmt: skip


def test_a_text_of_targets_on_two_images_is_repeated_and_phrases_may_be(dataset):
    other = scene(dataset, "b", [square(60, 60)])
    same = "it keeps what will be burnt in winter"
    assert kinds(dataset, (same, "reasoning"), (other, same, "reasoning")) == ["repeated-text"]
    assert (
        kinds(dataset, ("silver tanks", "vocabulary"), (other, "silver tanks", "vocabulary")) == []
    )


def test_north_is_north_on_a_rotated_image(tmp_path):
    made = Dataset.create(tmp_path / "dataset", KINDS)
    frame = framed("EPSG:32633", 15.0, 50.0, 0.5, 90.0, width=SIZE, height=SIZE)
    made.tanks = scene(made, "a", [square(150, 40)], frame=frame)
    at_top = kinds(made, ("the storage tank at the top",))
    assert at_top == []
    wrong = {word for word in ("north", "south", "east", "west")
             if kinds(made, (f"the storage tank in the {word}",))}  # fmt: skip
    assert len(wrong) == 3
    assert "north" in wrong


def test_removed_texts_are_left_alone(dataset):
    add_text(dataset, dataset.tanks, "the storage tanks in the lower right", state="removed")
    assert list(check_dataset_texts(dataset)) == []


def test_the_command_lists_flags_and_unflags(dataset, tmp_path, capsys):
    wrong = add_text(dataset, dataset.tanks, "the leftmost storage tank at the bottom",
                     flags=("corrected", "long-text"), state="proposed")  # fmt: skip
    command = ["queries", "check", str(dataset.folder)]
    out = tmp_path / "found.json"
    assert main([*command, "--json", str(out)]) == 1
    printed = capsys.readouterr().out
    assert "2 problem(s) in the texts of" in printed
    found = json.loads(out.read_text())["problems"]
    assert {(f["kind"], f["severity"], f["id"]) for f in found} == {
        ("wrong-direction", "error", wrong), ("part-of-target", "error", wrong)}  # fmt: skip
    assert texts(dataset)[0].flags == ("corrected", "long-text")
    assert main([*command, "--flag", "--who", "eve"]) == 1
    (text,) = texts(dataset)
    assert text.flags == ("corrected", "wrong-direction", "part-of-target")
    assert text.text == "the leftmost storage tank at the bottom"
    with dataset.writing() as edit:
        edit.update(type(text)(**{**fields(text), "text": "the storage tanks at the top"}))
    assert main([*command, "--flag"]) == 0
    assert texts(dataset)[0].flags == ("corrected",)


def fields(row):
    return {name: getattr(row, name) for name in row.__dataclass_fields__}


def test_a_benchmark_is_checked_as_a_dataset_is(dataset, tmp_path, capsys):
    add_text(dataset, dataset.tanks, "the leftmost storage tank at the bottom")
    add_text(dataset, dataset.tanks, "farmland", "vocabulary", "negative")
    with dataset.writing("m", "manager") as edit:
        for target in (dataset.tanks, dataset.field):
            edit.set_state(target, "approved")
    in_dataset = [(f.kind, f.id) for f in check_dataset_texts(dataset)]
    out = tmp_path / "benchmark.json"
    assert main(["export", str(dataset.folder), str(out), "--format", "benchmark"]) == 0
    capsys.readouterr()
    assert main(["queries", "check", str(out)]) == 1
    printed = capsys.readouterr().out
    assert [line.split("[")[1].split("]")[0] for line in printed.splitlines() if "[" in line] == [
        kind for kind, _ in in_dataset]  # fmt: skip
    assert main(["queries", "check", str(out), "--flag"]) == 2


def test_a_benchmark_without_places_is_checked_by_the_picture(tmp_path):
    document = making.benchmark(queries=[
        {**making.query("f", 1, "referring"), "text": "all tanks in the lower right corner"},
        {**making.query("g", 1, "referring"), "text": "all tanks in the north of the image"},
    ])  # fmt: skip
    found = list(check_benchmark_texts(making.read(tmp_path, document)))
    assert [(f.kind, f.id) for f in found] == [("wrong-direction", "f")]


@pytest.mark.parametrize(("text", "found"), [
    ("the tanks that are next to the river", None),
    ("tanks", None),
    ("large white round storage tanks", None),
    ("les réservoirs qui se trouvent près de la rivière", "French"),
    ("los tanques que están junto al río", "Spanish"),
    ("de tanks die naast het water staan", "Dutch"),
    ("i serbatoi che sono vicino al fiume della città", "Italian"),
    ("нефтяные резервуары", "in another script"),
    ("the café of Saint-Étienne-du-Rouvray near the old mill", None),
])  # fmt: skip
def test_languages_are_told_apart(text, found):
    assert foreign(text) == found
