"""The list Returned and the form that fills it: nothing that was written is lost."""

import importlib
import json
import shutil

import pytest
from qgis.core import QgsApplication, QgsCoordinateReferenceSystem
from qgis.PyQt.QtCore import QPoint, Qt
from qgis.PyQt.QtTest import QTest

from .inspecting import Window, add_run, click, click_row, idle, open_benchmark, type_path


@pytest.fixture
def file(here):
    """Where the list is kept."""
    return here.parent / "benchmark.returned.json"


@pytest.fixture
def other(here, tmp_path):
    """Another benchmark with the same images."""
    return shutil.copy(here, tmp_path / "other.json")


def comments(path):
    return [one["comment"] for one in json.loads(path.read_text(encoding="utf-8"))["targets"]]


def write(window, text):
    line = window.panel.return_form.comment
    line.setFocus()
    QTest.keyClicks(line, text)


def send(window, text, line=0):
    click_row(window, line)
    write(window, text)
    QTest.keyClick(window.panel.return_form.comment, Qt.Key.Key_Return)


def shown(window):
    tree = window.panel.returned_list.tree
    return [tree.topLevelItem(n).text(1) for n in range(tree.topLevelItemCount())]


def tab(window):
    return window.panel.tabs.tabText(2)


def keep_in(window, path):
    window.panel.tabs.setCurrentIndex(2)
    click(window.panel.returned_list.save_as)
    type_path(window, path)
    window.panel.tabs.setCurrentIndex(0)


def test_two_windows_on_one_benchmark_keep_what_both_return(careful, package, here, file):
    second = Window(package)
    second.show()
    QTest.qWaitForWindowExposed(second)
    open_benchmark(second, here)
    add_run(second, here.parent / "runs/careful.jsonl")
    send(careful, "from the first")
    send(second, "from the second", 1)
    send(careful, "from the first again", 2)
    assert comments(file) == ["from the first", "from the second", "from the first again"]
    assert shown(careful) == comments(file)
    assert shown(second) == comments(file)[:2]
    tree = second.panel.returned_list.tree
    second.panel.tabs.setCurrentIndex(2)
    tree.setCurrentItem(tree.topLevelItem(0))
    click(second.panel.returned_list.remove)
    assert comments(file) == ["from the second", "from the first again"]
    second.stop()
    second.tasks.stop()
    second.deleteLater()


def test_the_list_goes_on_beside_one_that_cannot_be_read_also_the_next_day(careful, here, file):
    file.write_text("{not a list")
    for day in ("monday", "tuesday"):
        open_benchmark(careful, here)
        add_run(careful, here.parent / "runs/careful.jsonl")
        send(careful, day)
    assert file.read_text() == "{not a list"
    assert comments(here.parent / "benchmark.returned-2.json") == ["monday", "tuesday"]


def test_an_entry_that_is_none_is_said_and_stays_in_the_file(careful, here, file):
    entry = {"target_id": 1, "query_id": "q", "image": "i", "category": "c", "comment": "precious",
             "returned_at": "t"}  # fmt: skip
    entries = [entry, "x", {**entry, "comment": 5}, {**entry, "target_id": []}]
    file.write_text(json.dumps({"format": "ovearth-returned/1", "targets": entries}))
    open_benchmark(careful, here)
    assert any("entry 2" in text and "entry 4" in text for text in careful.said())
    assert shown(careful) == ["precious"]
    add_run(careful, here.parent / "runs/careful.jsonl")
    send(careful, "new")
    after = json.loads(file.read_text(encoding="utf-8"))["targets"]
    assert after[:4] == entries and after[4]["comment"] == "new"


def test_what_could_not_be_saved_outlives_another_benchmark_and_the_plugin(
    careful, package, here, other, file
):
    # Root may write anywhere: a folder in the file's place can't be written by anyone.
    file.mkdir()
    open_benchmark(careful, here)
    for number in range(2, 100):
        file.with_name(f"benchmark.returned-{number}.json").mkdir()
    add_run(careful, here.parent / "runs/careful.jsonl")
    open_benchmark(careful, here)
    add_run(careful, here.parent / "runs/careful.jsonl")
    send(careful, "precious")
    assert tab(careful) == "Returned (1, unsaved)"
    open_benchmark(careful, other)
    assert shown(careful) == [] and tab(careful) == "Returned"
    careful.stop()
    later = Window(package)
    later.show()
    QTest.qWaitForWindowExposed(later)
    open_benchmark(later, here)
    assert shown(later) == ["precious"] and tab(later) == "Returned (1, unsaved)"
    for folder in here.parent.glob("benchmark.returned*"):
        folder.rmdir()
    open_benchmark(later, here)
    assert comments(file) == ["precious"] and tab(later) == "Returned (1)"
    open_benchmark(later, here)
    assert comments(file) == ["precious"]
    later.stop()
    later.tasks.stop()
    later.deleteLater()


def test_the_profile_holds_nothing_of_a_list_that_is_saved(careful, here, file, tmp_path):
    file.mkdir()
    send(careful, "precious")
    places = importlib.import_module("ovearth.ovearth_plugin.inspect.kept_places")
    rescue = places.rescue_file(here)
    assert str(rescue).startswith(QgsApplication.qgisSettingsDirPath())
    assert comments(rescue) == ["precious"]
    keep_in(careful, tmp_path / "elsewhere.json")
    assert not rescue.exists()
    assert comments(tmp_path / "elsewhere.json") == ["precious"]


@pytest.mark.parametrize(
    "name", ["benchmark.json", "runs/careful.jsonl", "images/farm.tif", "notes.json"]
)
def test_another_file_is_never_replaced_by_the_list(careful, here, file, name):
    (here.parent / "notes.json").write_text('{"my": "notes"}')
    send(careful, "one")
    before = (here.parent / name).read_bytes()
    keep_in(careful, here.parent / name)
    assert (here.parent / name).read_bytes() == before
    assert careful.said()
    assert careful.panel.returned.path == file
    send(careful, "two", 1)
    assert comments(file) == ["one", "two"]


def test_a_list_that_is_chosen_is_added_to_and_taken_again_the_next_day(
    careful, here, file, tmp_path
):
    send(careful, "one")
    shutil.copy(file, tmp_path / "ours.json")
    theirs = json.loads(file.read_text(encoding="utf-8"))
    theirs["targets"][0] = {**theirs["targets"][0], "id": "theirs", "comment": "theirs"}
    (tmp_path / "ours.json").write_text(json.dumps(theirs))
    keep_in(careful, tmp_path / "ours.json")
    assert comments(tmp_path / "ours.json") == ["theirs", "one"] == shown(careful)
    open_benchmark(careful, here)
    add_run(careful, here.parent / "runs/careful.jsonl")
    send(careful, "two", 2)
    assert comments(tmp_path / "ours.json") == ["theirs", "one", "two"]
    (tmp_path / "ours.json").unlink()
    open_benchmark(careful, here)
    assert any("ours.json" in text for text in careful.said())
    assert shown(careful) == comments(file) == ["one"]


def test_a_comment_is_kept_with_its_query_until_it_is_sent(careful, here, other, file):
    line = careful.panel.return_form.comment
    click_row(careful)
    write(careful, "half a thou")
    (here.parent / "images").rename(here.parent / "moved")
    click_row(careful, 40)
    assert line.text() == ""
    write(careful, "another")
    click(careful.panel.look)
    type_path(careful, here.parent / "moved")
    idle(careful)
    assert line.text() == "another"
    open_benchmark(careful, other)
    open_benchmark(careful, here)
    add_run(careful, here.parent / "runs/careful.jsonl")
    click_row(careful)
    assert line.text() == "half a thou"
    write(careful, "ght")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert comments(file) == ["half a thought"]
    click_row(careful, 40)
    assert line.text() == "another"
    click_row(careful)
    assert line.text() == ""


def test_a_pinned_place_is_kept_with_its_query_too(careful, file):
    careful.canvas.setDestinationCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
    form, viewport = careful.panel.return_form, careful.canvas.viewport()
    click_row(careful)
    click(form.pin)
    click(viewport, viewport.rect().center() + QPoint(5, 9))
    centre = form._marker.center()
    click_row(careful, 60)
    assert form._marker is None
    click_row(careful)
    assert form._marker.center().distance(centre) < 1e-6
    write(careful, "here")
    click(form.send)
    assert form._marker is None
    (entry,) = json.loads(file.read_text(encoding="utf-8"))["targets"]
    assert entry["x_px"] is not None


def test_a_pin_outside_of_the_image_is_refused_and_the_next_click_counts(careful):
    form, viewport = careful.panel.return_form, careful.canvas.viewport()
    click_row(careful)
    careful.canvas.zoomByFactor(3)
    click(form.pin)
    click(viewport, QPoint(3, 3))
    assert "outside the image" in careful.said()[0]
    assert form.pin.isChecked() and form._marker is None
    click(viewport, viewport.rect().center())
    assert not form.pin.isChecked() and form._marker is not None


def test_enter_without_a_comment_asks_for_one(careful, file):
    click_row(careful)
    QTest.keyClick(careful.panel.return_form.comment, Qt.Key.Key_Return)
    assert not file.exists()
    assert "Write what is wrong" in careful.said()[0]


def test_the_same_said_twice_of_a_target_is_once_in_the_list_and_another_comment_is_told(
    careful, file
):
    for text in ("roof", "roof", "wall"):
        send(careful, text)
    assert comments(file) == ["roof", "wall"]
    assert any("already" in text for text in careful.said())
    assert any("2 times" in text for text in careful.said())
    assert tab(careful) == "Returned (2)"


def test_remove_can_be_pressed_once_a_target_is_marked(careful):
    send(careful, "roof")
    careful.panel.tabs.setCurrentIndex(2)
    listed = careful.panel.returned_list
    assert not listed.remove.isEnabled()
    item = listed.tree.topLevelItem(0)
    click(listed.tree.viewport(), listed.tree.visualItemRect(item).center())
    assert listed.remove.isEnabled()
    click(listed.remove)
    assert not listed.remove.isEnabled() and tab(careful) == "Returned"
