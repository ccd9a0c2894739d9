"""Runs are added once, for the benchmark that they are of, and read again when they changed."""

import json
import shutil

import pytest

from .inspecting import add_run, choose, click, click_row, idle, open_benchmark, type_path


@pytest.fixture
def run(here):
    return here.parent / "runs/careful.jsonl"


@pytest.fixture
def mine(here, tmp_path):
    """A benchmark of our own with one query, and a run of it."""
    document = json.loads(here.read_text(encoding="utf-8"))
    document["queries"] = [{**document["queries"][0], "id": "mine"}]
    (tmp_path / "mine.json").write_text(json.dumps(document))
    (tmp_path / "mine.jsonl").write_text('{"query_id": "mine", "hbb": []}\n')
    return tmp_path / "mine.json"


def names(window):
    return [run.name for run in window.state.runs]


def test_runs_that_are_added_while_a_benchmark_opens_are_of_that_one(careful, mine):
    careful.panel.loader.open_benchmark(mine)
    add_run(careful, mine.with_suffix(".jsonl"))
    assert names(careful) == ["mine"]
    assert careful.said() == []


def test_runs_that_are_added_while_the_first_benchmark_opens_wait_for_it(window, mine):
    assert not window.panel.runs.add.isEnabled()
    window.panel.loader.open_benchmark(mine)
    assert window.panel.runs.add.isEnabled()
    add_run(window, mine.with_suffix(".jsonl"))
    assert names(window) == ["mine"]


def test_runs_for_a_benchmark_that_does_not_open_are_not_blamed_on_the_one_that_stays(
    careful, mine
):
    mine.write_text("{")
    careful.panel.loader.open_benchmark(mine)
    # At once: a file this short is given up before the next click.
    careful.panel.loader.add_runs([mine.with_suffix(".jsonl")])
    idle(careful)
    assert names(careful) == ["careful"]
    (said,) = careful.said()
    assert "mine.json" in said


def test_a_benchmark_opened_while_another_opens_is_the_one_that_stays(window, mine, here, run):
    window.panel.loader.open_benchmark(mine)
    window.panel.loader.open_benchmark(here)
    window.panel.loader.add_runs([run])
    idle(window)
    assert window.state.inspected.path == here
    assert names(window) == ["careful"]


def test_the_same_run_is_in_the_list_once_however_its_path_is_spelt(careful, run, here, tmp_path):
    (tmp_path / "link.jsonl").symlink_to(run)
    spelt = here.parent / "runs" / ".." / "runs" / "careful.jsonl"
    careful.panel.loader.add_runs([spelt, tmp_path / "link.jsonl", run])
    idle(careful)
    assert names(careful) == ["careful"]
    assert any("left out" in text for text in careful.said())


def test_a_run_that_is_being_read_is_not_read_twice(window, here, run):
    open_benchmark(window, here)
    window.panel.loader.add_runs([run, run])
    window.panel.loader.add_runs([run])
    idle(window)
    assert names(window) == ["careful"]


def test_a_run_given_up_can_be_added_again_at_once(window, here, run):
    open_benchmark(window, here)
    window.panel.loader.add_runs([run])
    click(window.panel.runs.stop)
    window.panel.loader.add_runs([run])
    idle(window)
    assert names(window) == ["careful"]
    click(window.panel.runs.remove)
    add_run(window, run)
    assert names(window) == ["careful"]


def test_a_run_whose_file_has_changed_takes_the_place_of_what_was_read(both, run, here):
    click_row(both)
    assert both.state.second.name == "careful"
    before = both.state.second
    lines = run.read_text(encoding="utf-8").splitlines()
    run.write_text("\n".join(lines[:-5]) + "\n", encoding="utf-8")
    add_run(both, run)
    assert names(both) == ["careful", "hasty"]
    assert both.state.second is both.state.runs[0] is not before
    assert both.state.first.name == "hasty"
    click_row(both, 3)


def test_two_runs_without_anything_in_common_are_said_and_nothing_can_be_slid(careful, tmp_path):
    benchmark = careful.state.inspected.benchmark
    boxes, masks = tmp_path / "boxes.jsonl", tmp_path / "masks.jsonl"
    query = benchmark.queries[0].id
    boxes.write_text(json.dumps({"query_id": query, "hbb": []}) + "\n")
    masks.write_text(json.dumps({"query_id": query, "mask": None}) + "\n")
    add_run(careful, boxes)
    add_run(careful, masks)
    choose(careful.panel.runs.first, "boxes")
    assert careful.panel.threshold.slider.isEnabled()
    choose(careful.panel.runs.second, "masks")
    assert "neither masks nor boxes in common" in careful.panel.queries.count.text()
    assert not careful.panel.threshold.slider.isEnabled()
    choose(careful.panel.runs.second, "none")
    assert careful.panel.threshold.slider.isEnabled()


@pytest.mark.parametrize("write", ["queries", "scores", "overlay"])
def test_nothing_that_is_read_is_exported_over(careful, here, write):
    folder = here.parent
    (folder / "linked.csv").symlink_to(folder / "images/farm.tif")
    (folder / "dataset.gpkg").write_bytes(b"a dataset")
    (folder / "benchmark.returned.json").write_text("mine")
    for name in ("images/farm.tif", "runs/careful.jsonl", "benchmark.json", "linked.csv",
                 "dataset.gpkg", "benchmark.returned.json"):  # fmt: skip
        before = (folder / name).read_bytes()
        getattr(careful.panel.exporter, write)(folder / name)
        idle(careful)
        assert (folder / name).read_bytes() == before
        wanted = "a dataset" if name == "dataset.gpkg" else "what is read"
        assert f"would replace {wanted}" in careful.said()[0]
        assert name.split("/")[-1].replace("linked.csv", "farm.tif") in careful.said()[0]


def test_images_found_elsewhere_are_not_exported_over_either(careful, here, tmp_path):
    away = tmp_path / "moved"
    shutil.move(here.parent / "images", away)
    click_row(careful)
    click(careful.panel.look)
    type_path(careful, away)
    idle(careful)
    before = (away / "farm.tif").read_bytes()
    careful.panel.exporter.scores(away / "farm.tif")
    idle(careful)
    assert (away / "farm.tif").read_bytes() == before
