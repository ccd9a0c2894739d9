"""`ovearth init` and `ovearth review`: what they print, write, refuse, and what the page shows."""

import json
import re
import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from ovearth_core.benchmark import write_benchmark
from ovearth_core.cli.main import main
from ovearth_core.dataset import Dataset, QueryRow
from ovearth_core.dataset.review import Said, changes
from ovearth_core.taxonomy import load

from .datasets import FIELD, SQUARE, TANK, image_row, made
from .reviewing import ANNA, BEN, GOOD, MIA, drawn_by, moved, shifted, target, twice_drawn
from .shared import CHECKOUT
from .test_review_agreement import exported

PAGE = (CHECKOUT / "docs" / "review.md").read_text(encoding="utf-8")
YES = ("--right-category", "--good-boundary", "--nothing-missed")


@pytest.fixture
def ran(capsys):
    """Run a command that must do well; return what it prints."""

    def ran(*words):
        assert main(list(map(str, words))) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    return ran


@pytest.fixture
def refused(capsys):
    """Run a command that must be refused; return the one line that says why."""

    def refused(*words):
        assert main(list(map(str, words))) == 2
        printed = capsys.readouterr()
        assert printed.out == ""
        assert printed.err.startswith("error: ")
        assert printed.err.count("\n") == 1
        return printed.err

    return refused


def printed_rows(text):
    rows = [line.split() for line in text.splitlines() if line.strip()]
    return [row for row in rows if row[0].isdigit()]


class TestInit:
    def test_a_new_dataset_has_the_taxonomy_s_categories_by_their_numbers(self, tmp_path, ran):
        ran("init", tmp_path / "new")
        with Dataset.open(tmp_path / "new").reading() as view:
            rows = list(view.categories())
        expected = sorted((c.number, c.id, c.name, c.domain, c.branch, c.instanceable,
                           c.definition) for c in load())  # fmt: skip
        assert expected == [(r.id, r.slug, r.name, r.domain, r.branch, r.instanceable,
                             r.definition) for r in rows]  # fmt: skip
        assert (tmp_path / "new" / "images").is_dir()

    def test_nothing_is_made_over_another_or_from_a_broken_taxonomy(self, tmp_path, ran, refused):
        ran("init", tmp_path / "new")
        before = (tmp_path / "new" / "dataset.gpkg").read_bytes()
        assert "there is a dataset already" in refused("init", tmp_path / "new")
        assert (tmp_path / "new" / "dataset.gpkg").read_bytes() == before
        (tmp_path / "own.json").write_text("{}")
        refused("init", tmp_path / "other", "--taxonomy", tmp_path / "own.json")
        assert not (tmp_path / "other").exists()
        (tmp_path / "third").mkdir()
        (tmp_path / "third" / "images").write_text("")
        assert "is no folder" in refused("init", tmp_path / "third")
        assert not (tmp_path / "third" / "dataset.gpkg").exists()


class TestLooking:
    def test_a_list_is_filtered_by_state_category_image_and_person(self, tmp_path, ran):
        dataset, image = made(tmp_path)
        with dataset.writing() as edit:
            second = edit.add(image_row("images/b.tif"))
        drawn_by(dataset, image, ANNA)
        drawn_by(dataset, second, BEN)
        drawn_by(dataset, second, ANNA, FIELD)
        moved(dataset, ANNA, "submit", 3)

        def ids(*options):
            text = ran("review", "list", dataset.folder, *options, "--json", "-")
            return [row["target"] for row in json.loads(text)]

        assert ids() == [1, 2, 3]
        assert ids("--state", "draft") == [1, 2]
        assert ids("--state", "submitted", "--state", "draft") == [1, 2, 3]
        for name in ("storage-tank", "Storage tank", "storage tanks", "StorageTank", TANK):
            assert ids("--category", name) == [1, 2]
        for name in ("images/b.tif", "b.tif", second.id):
            assert ids("--image", name) == [2, 3]
        assert ids("--person", "ANNA") == [1, 3]
        assert ids("--mine", "--who", "anna") == [1]
        assert ids("--mine", "--who", "mia", "--role", "manager") == [3]
        assert ids("--mine", "--who", "Anna", "--role", "manager") == []
        assert printed_rows(ran("review", "list", dataset.folder, "--image", image.id))[0][:4] == [
            "1", "draft", "Storage", "tank"]  # fmt: skip

    def test_unknown_names_are_refused_with_the_nearest(self, tmp_path, refused):
        dataset, image = made(tmp_path)
        drawn_by(dataset, image, ANNA)
        ask = ("review", "list", dataset.folder)
        assert "nearest are 'Storage tank', 'Field'" in refused(*ask, "--category", "tonk")
        assert "nearest are 'images/a.tif'" in refused(*ask, "--image", "aa.tif")
        assert "did you mean 'draft'" in refused(*ask, "--state", "drafft")
        assert "did you mean 'manager'" in refused(*ask, "--mine", "--role", "manger")
        assert "there is no target 9" in refused("review", "log", dataset.folder, 9)
        assert "there is no row 9 in targets" in refused("review", "show", dataset.folder, 9)
        assert "nearest are" in refused(
            "review", "category", dataset.folder, 1, "--to", "x", "--who", "anna")  # fmt: skip
        assert "ovearth init" in refused("review", "list", tmp_path / "none")

    def test_a_comment_in_several_lines_stays_one_row(self, tmp_path, ran):
        dataset, image = made(tmp_path)
        drawn_by(dataset, image, ANNA)
        ran("review", "comment", dataset.folder, 1, "one\ntwo\x1b[31m", "--who", "ben")
        text = ran("review", "log", dataset.folder)
        assert r"one\ntwo\x1b[31m" in text
        assert "comment" in text

    def test_the_log_as_json_holds_every_field_and_the_pixel(self, tmp_path, ran):
        dataset, image = made(tmp_path)
        drawn_by(dataset, image, ANNA)
        ran("review", "comment", dataset.folder, 1, "here", "--pixel", 12.5, 7, "--who", "ben")
        out = tmp_path / "log.json"
        ran("review", "log", dataset.folder, 1, "--json", out)
        line = json.loads(out.read_text())[-1]
        assert (line["pixel"], line["who"], line["action"]) == ([12.5, 7.0], "ben", "comment")
        assert line["right_category"] is None

    def test_a_result_never_replaces_the_dataset(self, tmp_path, ran, capsys):
        dataset, *_ = twice_drawn(tmp_path)
        before = dataset.path.read_bytes()
        for command in ("list", "log", "stats", "agreement"):
            assert main(["review", command, str(dataset.folder), "--json", str(dataset.path)]) == 2
        assert dataset.path.read_bytes() == before


class TestDoing:
    def test_what_became_of_the_targets_is_printed_once_it_is_stored(self, tmp_path, ran):
        dataset, first, other = twice_drawn(tmp_path)
        words = ("--who", "mia", "--role", "manager")
        rows = printed_rows(ran("review", "choose", dataset.folder, other, *YES, *words))
        assert {row[0]: row[1] for row in rows} == {str(first): "rejected", str(other): "approved"}

    def test_one_that_is_refused_keeps_the_others_from_changing(self, tmp_path, refused):
        dataset, first, _ = twice_drawn(tmp_path)
        draft = drawn_by(dataset, replace(image_row(), id=1), ANNA, FIELD)
        line = refused("review", "approve", dataset.folder, first, draft, *YES, "--who", "mia",
                       "--role", "manager")  # fmt: skip
        assert f"it is draft, and approve takes one that is submitted, target {draft}" in line
        assert target(dataset, first).state == "submitted"

    def test_bad_use_is_refused_in_one_line(self, tmp_path, refused):
        dataset, *_ = twice_drawn(tmp_path)
        ask = ("review", "comment", dataset.folder, 1, "here", "--who", "ben")
        assert "two places" in refused(*ask, "--pixel", 1, 1, "--lonlat", 1, 1)
        assert "is not on the image" in refused(*ask, "--pixel", -1, 5)
        assert "is not on the image" in refused(*ask, "--pixel", "nan", 5)
        assert "approve is for a manager" in refused("review", "approve", dataset.folder, 1, *YES)
        assert "an empty name, --who" in refused(
            "review", "submit", dataset.folder, 1, "--who", " "
        )
        assert "give both" in refused(
            "review", "ceiling", dataset.folder, "--out", tmp_path / "r", "--part", tmp_path / "p"
        )  # fmt: skip

    def test_a_ceiling_that_fails_writes_neither_file(self, tmp_path, refused):
        dataset, first, _ = twice_drawn(tmp_path)
        moved(dataset, MIA, "choose", first, GOOD)
        write_benchmark(replace(exported(dataset), queries=()), tmp_path / "b.json")
        line = refused("review", "ceiling", dataset.folder, "--out", tmp_path / "r.jsonl",
                       "--benchmark", tmp_path / "b.json", "--part", tmp_path / "p")  # fmt: skip
        assert "1 answered queries are not in the benchmark (v)" in line
        assert not (tmp_path / "r.jsonl").exists()
        assert not (tmp_path / "p").exists()


def test_what_people_changed_is_counted_as_a_person_would_count_it(tmp_path):
    dataset, first, other = twice_drawn(tmp_path)
    moved(dataset, MIA, "return", first, Said(answers=replace(GOOD.answers, good_boundary=False)))
    moved(dataset, ANNA, "submit", first)
    moved(dataset, MIA, "choose", first, GOOD)
    with dataset.writing("mia") as edit:
        for number, state in enumerate(("accepted", "accepted", "removed", "proposed")):
            name = f"r{number}"
            edit.add(QueryRow(name, first, "referring", "positive", f"tank {number}", state=state))
        edit.update(replace(edit.query("r0"), text="the left tank"))
        edit.update(replace(edit.query("r2"), text="the right tank"))
        edit.add_instance(1, TANK, shifted(100), target_id=other, origin="click-to-mask")
        clicked = edit.add_instance(1, TANK, SQUARE, target_id=other, origin="click-to-mask")
        edit.update(replace(clicked, polygons=((shifted(3),),)))
    with dataset.reading() as view:
        found = {share.key: (share.count, share.of) for share in changes(view)}
        shares = {share.key: share.share for share in changes(view)}
    assert found["positive_referring_changed"] == (2, 3)
    assert found["positive_referring_removed"] == (1, 3)
    assert found["positive_referring_changed_or_removed"] == (2, 3)
    assert found["negative_vocabulary_changed"] == (0, 1)
    assert found["polygons_click_to_mask_changed"] == (1, 2)
    assert found["polygons_drawn_changed"] == (0, 2)
    assert found["targets_returned"] == (1, 2)
    assert found["targets_rejected"] == (1, 2)
    assert found["targets_approved_at_once"] == (0, 2)
    assert found["targets_recategorised"] == (0, 2)
    assert found["bad_boundary"] == (1, 2)
    assert found["wrong_category"] == (0, 2)
    assert shares["positive_reasoning_changed"] is None
    assert shares["bad_boundary"] == 0.5


def test_what_the_review_page_shows_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OVEARTH_USER", "eva")
    (tmp_path / "own.json").write_text(json.dumps({"categories": [{
        "id": "pier", "number": 1, "name": "pier", "domain": "water", "branch": "port",
        "definition": "A deck on piles.", "instanceable": True}]}))  # fmt: skip
    (tmp_path / "model.jsonl").write_text('{"query_id": "q", "mask": null}\n')
    commands = re.findall(r"^\$ ovearth (.*)$", PAGE, re.MULTILINE)
    assert len(commands) == 22
    for command in commands:
        refused_here = " assign " in command
        assert main(shlex.split(command)) == (2 if refused_here else 0), command
        prepare_next(command)
    assert "it is approved, and assign takes" in capsys.readouterr().err
    assert json.loads((tmp_path / "log.json").read_text())
    dataset = Dataset.open(tmp_path / "tanks")
    states = [target(dataset, target_id).state for target_id in (1, 2, 3)]
    assert states == ["approved", "approved", "rejected"]


def prepare_next(command):
    """What is done in QGIS and by export between the page's commands."""
    if command == "init tanks":
        dataset = Dataset.open(Path("tanks"))
        tank, crop = load().find("storage tank").number, load().find("cropland").number
        with dataset.writing() as edit:
            image = edit.add(image_row())
        first = drawn_by(dataset, image, ANNA, tank)
        drawn_by(dataset, image, ANNA, crop, shifted(200))
        with dataset.writing() as edit:
            edit.add(QueryRow("q", first, "vocabulary", "positive", "storage tank"))
    if " second " in command:
        tank = load().find("storage tank").number
        with Dataset.open(Path("tanks")).writing("ben", "annotator") as edit:
            edit.add_instance(1, tank, shifted(2), target_id=3)
    if "--out human.jsonl" in command:
        dataset = Dataset.open(Path("tanks"))
        write_benchmark(exported(dataset), Path("benchmark.json"))
