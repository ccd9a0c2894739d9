"""Who imports polygons didn't draw them: others submit them, and the importer may approve."""

import json

import pytest

from ovearth_core.cli.main import main
from ovearth_core.dataset import CategoryRow, Dataset
from ovearth_core.dataset.exchange.benchmark_in import import_benchmark
from ovearth_core.dataset.exchange.imported import source_sha256

from . import making
from .random_benchmarks import PLACES

YES = ("--right-category", "--good-boundary", "--nothing-missed")


@pytest.fixture
def dataset(tmp_path):
    source = tmp_path / "benchmark.json"
    source.write_text(json.dumps(making.benchmark(images=[making.image(1, **PLACES[1])])))
    import_benchmark(tmp_path / "dataset", source, who="mia")
    return Dataset.open(tmp_path / "dataset")


@pytest.fixture
def labels(dataset, tmp_path):
    with dataset.reading() as view:
        file_name, name = next(view.images()).file_name, next(view.categories()).name
    with dataset.writing() as edit:
        for target in list(edit.targets()):
            edit.remove_target(target.id)
    path = tmp_path / "labels.csv"
    path.write_text(f"image,xmin,ymin,xmax,ymax,label\n{file_name},1,2,30,40,{name}\n")
    return path


def test_another_submits_what_a_manager_imported_and_the_manager_approves_it(
    dataset, labels, capsys
):
    arguments = ["import", str(dataset.folder), str(labels), "--format", "csv", "--who", "mia"]
    assert main(arguments) == 0
    with dataset.reading() as view:
        (target,) = view.targets()
    assert (target.annotator, target.created_by) == (None, "mia")
    place = [str(dataset.folder), str(target.id)]
    assert main(["review", "submit", *place, "--who", "anna"]) == 0
    said = ["--who", "mia", "--role", "manager", *YES]
    assert main(["review", "approve", *place, *said]) == 0, capsys.readouterr()
    with dataset.reading() as view:
        assert view.target(target.id).state == "approved"
        assert view.target(target.id).annotator == "anna"


def test_a_benchmark_that_was_imported_shows_no_annotator(dataset, capsys):
    assert main(["review", "list", str(dataset.folder), "--json", "-"]) == 0
    assert {one["annotator"] for one in json.loads(capsys.readouterr().out)} == {None}
    assert main(["review", "list", str(dataset.folder), "--person", "mia", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    with dataset.reading() as view:
        target = next(view.targets())
    assert main(["review", "show", str(dataset.folder), str(target.id), "--json", "-"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["annotator"], shown["drawn by"]) == (None, [])
    assert {one["drawn by"] for one in shown["instances"]} == {None}


def test_the_same_labels_come_in_a_second_time_only_when_asked_to(dataset, labels, capsys):
    copy = labels.with_name("copy.csv")
    copy.write_bytes(labels.read_bytes())
    assert main(["import", str(dataset.folder), str(labels), "--format", "csv"]) == 0
    for source in (labels, copy):
        assert main(["import", str(dataset.folder), str(source), "--format", "csv"]) == 2
        said = capsys.readouterr().err
        assert said.startswith("error: the same labels were imported before (labels.csv, 2")
        assert said.endswith("say --again to have them all a second time\n")
    assert main(["import", str(dataset.folder), str(copy), "--format", "csv", "--again"]) == 0
    with dataset.reading() as view:
        assert len(list(view.instances())) == 2


def test_a_folder_of_the_same_labels_is_known_by_all_of_its_label_files(tmp_path):
    assert source_sha256(tmp_path) is None
    (tmp_path / "a.txt").write_text("one")
    first = source_sha256(tmp_path)
    (tmp_path / "picture.tif").write_text("no label")
    assert source_sha256(tmp_path) == first
    (tmp_path / "b.txt").write_text("two")
    assert source_sha256(tmp_path) != first


def test_a_label_with_a_line_break_in_quotes_is_one_label(dataset, labels):
    text = labels.read_text().replace(",tank\n", ',"tank\n"\n')
    labels.write_text(text + text.splitlines()[1] + '\n"\n')
    assert '"tank\n"' in text
    arguments = ["import", str(dataset.folder), str(labels), "--format", "csv"]
    assert main(arguments) == 0
    with dataset.reading() as view:
        assert len(list(view.instances())) == 2


def test_a_quote_that_is_never_closed_is_named_by_its_line(dataset, labels, capsys):
    labels.write_text(labels.read_text() + 'x.tif,1,2,3,4,"tank\n')
    assert main(["import", str(dataset.folder), str(labels), "--format", "csv"]) == 2
    assert "a quote without an end, " in (said := capsys.readouterr().err)
    assert "labels.csv line 3, close it" in said


def test_coco_has_the_categories_that_are_used_with_their_numbers(dataset, tmp_path):
    with dataset.writing() as edit:
        edit.add(CategoryRow(85, "unused", "Unused"))
    assert main(["export", str(dataset.folder), str(tmp_path / "o.json"), "--format", "coco"]) == 0
    found = json.loads((tmp_path / "o.json").read_text())
    with dataset.reading() as view:
        used = sorted({target.category_id for target in view.targets()})
    assert [category["id"] for category in found["categories"]] == used


def test_a_coco_box_without_polygon_goes_out_of_a_benchmark_with_its_outline(dataset, tmp_path):
    with dataset.reading() as view:
        image = next(view.images())
    document = {
        "images": [{"id": image.id, "file_name": image.file_name,
                    "width": image.width, "height": image.height}],
        "categories": [{"id": 4, "name": "kiosk"}],
        "annotations": [{"id": 77, "image_id": image.id, "category_id": 4, "iscrowd": 0,
                         "segmentation": [], "bbox": [1, 2, 30, 40]}],
    }  # fmt: skip
    (tmp_path / "coco.json").write_text(json.dumps(document))
    told = ["import", str(dataset.folder), str(tmp_path / "coco.json"), "--format", "coco"]
    assert main([*told, "--keep-unmapped"]) == 0
    out = tmp_path / "out.json"
    told = ["export", str(dataset.folder), str(out), "--format", "benchmark", "--state", "draft"]
    assert main(told) == 0
    (found,) = json.loads(out.read_text())["annotations"]
    assert len(found["segmentation"][0]) == 8


@pytest.mark.parametrize("command", [
    ["import", "{}", "labels.csv", "--format", "csv"], ["review", "show", "{}", "1"],
    ["check", "{}", "--fix"],
])  # fmt: skip
def test_an_empty_name_is_refused_wherever_it_would_sign(dataset, command, capsys, monkeypatch):
    told = [word.format(dataset.folder) for word in command]
    for empty in ("", "  "):
        assert main([*told, "--who", empty]) == 2
        assert capsys.readouterr().err.startswith("error: an empty name, --who, say who you are")
    if command[0] != "check":
        monkeypatch.setenv("OVEARTH_USER", "")
        assert main(told) == 2
        assert capsys.readouterr().err.startswith("error: an empty name, OVEARTH_USER, say")
