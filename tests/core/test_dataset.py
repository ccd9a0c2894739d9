"""A dataset: what goes in comes out, what hangs on something is not orphaned, the log stays."""

import re
import sqlite3
import sys
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from subprocess import PIPE, run

import numpy as np
import pytest

from ovearth_core.dataset import (
    BoxRow,
    Dataset,
    PoiRow,
    QueryRow,
    ReviewRow,
    TargetRow,
)
from ovearth_core.errors import InputError, UsageError

from .datasets import CATEGORIES, FIELD, SQUARE, TANK, image_row, made
from .shared import CHECKOUT


@pytest.fixture
def dataset_and_image(tmp_path):
    return made(tmp_path)


def rows(dataset, name, *arguments):
    with dataset.reading() as view:
        return list(getattr(view, name)(*arguments))


def test_a_new_dataset_holds_its_categories_and_nothing_else(tmp_path):
    dataset = Dataset.create(tmp_path / "new" / "dataset", CATEGORIES)
    assert rows(dataset, "categories") == list(CATEGORIES)
    with dataset.reading() as view:
        assert sum(view.counts().values()) == len(CATEGORIES)
    assert [path.name for path in dataset.folder.iterdir()] == ["dataset.gpkg"]


def test_a_dataset_is_never_made_over_another(dataset_and_image):
    dataset, image = dataset_and_image
    with pytest.raises(UsageError, match="there is a dataset already"):
        Dataset.create(dataset.folder)
    assert rows(Dataset.open(dataset.path), "images") == [image]


def test_every_kind_of_row_comes_back_as_it_was_stored(dataset_and_image):
    dataset, image = dataset_and_image
    with dataset.writing("anna", "annotator") as edit:
        poi = edit.add(PoiRow(None, 15.0, 50.0, TANK, "tank", tags={"man_made": "storage_tank"}))
        target = edit.add(TargetRow(5, image.id, TANK, extra={"a": [1, 0.1]}))
        instance = edit.add_instance(image.id, TANK, SQUARE, bbox=(10, 10, 40.5, 30.25))
        query = edit.add(QueryRow("q1", 5, "referring", "positive", "the tank", flags=("long",)))
        review = edit.add(ReviewRow(None, 5, comment="here", lon=15.0, lat=50.0,
                                    good_boundary=False))  # fmt: skip
        box = edit.add(BoxRow(None, "obb", instance.id, tuple(SQUARE.ravel()), "ground", 3.0))
    assert rows(dataset, "pois") == [poi]
    assert rows(dataset, "targets") == [target]
    assert rows(dataset, "queries", 5) == [query]
    assert rows(dataset, "reviews", 5)[1:] == [review]
    assert instance.target_id == 5
    (read,) = rows(dataset, "instances")
    assert np.array_equal(read.polygons[0][0], np.vstack([SQUARE, SQUARE[:1]]))
    assert replace(read, polygons=None) == replace(instance, polygons=None)
    expected = replace(box, target_id=5, image_id=image.id, category_id=TANK)
    assert rows(dataset, "boxes", "obb") == [expected]


def test_the_first_polygon_of_a_category_makes_the_target_and_others_join_it(dataset_and_image):
    dataset, image = dataset_and_image
    with dataset.writing("anna") as edit:
        first = edit.add_instance(image.id, TANK, SQUARE)
        second = edit.add_instance(image.id, TANK, SQUARE + 100)
        area = edit.add_instance(image.id, FIELD, ((SQUARE,), (SQUARE + 200,)))
    assert first.target_id == second.target_id != area.target_id
    targets = rows(dataset, "targets")
    assert [(t.category_id, t.state, t.annotator) for t in targets] == [
        (TANK, "draft", "anna"), (FIELD, "draft", "anna")]  # fmt: skip
    assert rows(dataset, "instances", area.target_id)[0].geojson()["type"] == "MultiPolygon"


def test_a_target_that_is_past_drawing_takes_no_more_polygons_unless_named(dataset_and_image):
    dataset, image = dataset_and_image
    with dataset.writing("anna") as edit:
        target_id = edit.add_instance(image.id, TANK, SQUARE).target_id
        edit.set_state(target_id, "submitted")
        with pytest.raises(UsageError, match=r"is submitted.*return it first"):
            edit.add_instance(image.id, TANK, SQUARE)
        edit.add_instance(image.id, TANK, SQUARE + 100, target_id=target_id)
    assert len(rows(dataset, "instances", target_id)) == 2


def test_an_image_is_not_removed_from_under_its_targets_unless_told(dataset_and_image):
    dataset, image = dataset_and_image
    with dataset.writing("anna") as edit:
        instance = edit.add_instance(image.id, TANK, SQUARE)
        edit.add(QueryRow("q", instance.target_id, "vocabulary", "positive", "tank"))
    with pytest.raises(UsageError, match="1 targets hang on image 1"), dataset.writing() as edit:
        edit.remove_image(image.id)
    with dataset.writing("max") as edit:
        removed = edit.remove_image(image.id, with_targets=True)
    assert removed.images == (image,)
    assert [len(part) for part in (removed.targets, removed.instances, removed.queries)] == [1] * 3
    with dataset.reading() as view:
        counts = view.counts()
    assert {name for name, count in counts.items() if count} == {"categories", "reviews"}
    assert [r.action for r in rows(dataset, "reviews")] == ["created", "removed"]


def test_a_block_that_fails_changes_nothing(dataset_and_image):
    dataset, image = dataset_and_image
    with pytest.raises(ZeroDivisionError), dataset.writing() as edit:
        edit.add_instance(image.id, TANK, SQUARE)
        raise ZeroDivisionError
    assert rows(dataset, "targets") == rows(dataset, "instances") == []


def test_rows_that_name_what_is_not_there_are_refused_in_one_line(dataset_and_image):
    dataset, _ = dataset_and_image
    for row in (TargetRow(None, 99, TANK), QueryRow("q", 99, "vocabulary", "positive", "t")):
        with (
            pytest.raises(InputError, match=r"must name .* there, .*nothing was changed"),
            dataset.writing() as edit,
        ):
            edit.add(row)


def test_many_items_are_written_in_several_transactions(dataset_and_image):
    dataset, _ = dataset_and_image
    names = [f"images/{number}.tif" for number in range(300)]
    assert dataset.write_all(names, lambda edit, name: edit.add(image_row(name))) == 300
    assert [image.file_name for image in rows(dataset, "images")][1:] == names


def test_targets_are_labelled_for_people_and_renamed_with_what_they_name(dataset_and_image):
    dataset, image = dataset_and_image
    with dataset.writing() as edit:
        edit.add(TargetRow(5, image.id, TANK))
        edit.update(replace(CATEGORIES[1], name="Tank"))
    assert labels(dataset) == ["5: Tank on images/a.tif"]
    with dataset.writing() as edit:
        edit.update(replace(edit.target(5), category_id=FIELD))
        edit.update(replace(image, file_name="images/b.tif"))
    assert labels(dataset) == ["5: Field on images/b.tif"]
    assert rows(dataset, "reviews")[-1].comment == f"category {TANK} became {FIELD}"


def labels(dataset):
    with closing(sqlite3.connect(dataset.path)) as connection:
        return [label for (label,) in connection.execute("SELECT label FROM targets")]


def test_a_change_of_state_is_logged_with_who_when_from_to_and_why(dataset_and_image):
    dataset, image = dataset_and_image
    with dataset.writing("anna", "annotator") as edit:
        edit.add(TargetRow(5, image.id, TANK))
        edit.set_state(5, "submitted")
    with dataset.writing("max", "manager") as edit:
        edit.set_state(5, "returned", "boundary")
        edit.set_state(5, "submitted")
        edit.set_state(5, "returned", "boundary")
        edit.set_state(5, "returned", "said twice, changed nothing")
        edit.update(replace(edit.target(5), state="approved"))
    lines = rows(dataset, "reviews")
    assert [(r.who, r.role, r.from_state, r.to_state, r.comment) for r in lines] == [
        ("anna", "annotator", None, "draft", None),
        ("anna", "annotator", "draft", "submitted", None),
        ("max", "manager", "submitted", "returned", "boundary"),
        ("max", "manager", "returned", "submitted", None),
        ("max", "manager", "submitted", "returned", "boundary"),
        ("max", "manager", "returned", "approved", None),
    ]
    assert all(r.at.endswith("Z") for r in lines)
    assert [r.at for r in lines] == sorted(r.at for r in lines)


def test_a_change_that_nobody_signed_is_not_logged_under_the_last_name(dataset_and_image):
    dataset, image = dataset_and_image
    with dataset.writing("anna", "annotator") as edit:
        edit.add(TargetRow(5, image.id, TANK))
        edit.set_state(5, "submitted", "done")
    with closing(sqlite3.connect(dataset.path)) as connection:
        connection.execute("UPDATE targets SET state = 'approved'")
        connection.commit()
    line = rows(dataset, "reviews")[-1]
    assert (line.to_state, line.role, line.comment) == ("approved", None, None)
    assert line.who == "unknown (edited without a name)"


def test_boxes_do_not_outlive_their_polygon_or_their_targets_approval(dataset_and_image):
    dataset, image = dataset_and_image
    with dataset.writing() as edit:
        number = edit.add_instance(image.id, TANK, SQUARE).id
        edit.set_state(1, "approved")

    def box(edit):
        for kind in ("hbb", "obb"):
            edit.add(BoxRow(None, kind, number, tuple(SQUARE.ravel())))
        assert len(list(edit.boxes("hbb"))) == len(list(edit.boxes("obb"))) == 1

    def move(edit):
        moved = edit.instance(number).polygons[0][0] + 0.5
        edit.update(replace(edit.instance(number), polygons=((moved,),)))

    for change in (
        move,
        lambda edit: edit.set_state(1, "returned"),
        lambda edit: edit.update(replace(edit.target(1), category_id=FIELD)),
        lambda edit: edit.remove_instance(number),
    ):
        with dataset.writing() as edit:
            box(edit)
            change(edit)
            assert list(edit.boxes("hbb")) == list(edit.boxes("obb")) == []


def test_the_first_text_of_a_query_is_kept_when_it_is_changed(dataset_and_image):
    dataset, image = dataset_and_image
    with dataset.writing("anna") as edit:
        edit.add(TargetRow(5, image.id, TANK))
        edit.add(QueryRow("q", 5, "vocabulary", "positive", "first"))
    for text in ("second", "third"):
        with dataset.writing("max") as edit:
            edit.update(replace(edit.query("q"), text=text))
    (query,) = rows(dataset, "queries")
    assert (query.text, query.original_text, query.changed_by) == ("third", "first", "max")


def test_notes_are_kept_with_the_dataset(dataset_and_image):
    dataset, _ = dataset_and_image
    value = {"licenses": [{"id": 1, "name": "CC BY 4.0"}], "version": "1.0é"}
    with dataset.writing() as edit:
        edit.set_note("info", {"old": True})
        edit.set_note("info", value)
    with dataset.reading() as view:
        assert view.note("info") == value
        assert view.note("other") is None
    with dataset.writing() as edit:
        edit.set_note("info", None)
    with closing(sqlite3.connect(dataset.path)) as connection:
        kept = connection.execute("SELECT key FROM ovearth_dataset").fetchall()
    assert kept == [("version",)]


def test_a_dataset_is_made_together_with_its_notes(tmp_path):
    dataset = Dataset.create(tmp_path / "d", CATEGORIES, {"taxonomy": {"name": "own"}})
    with dataset.reading() as view:
        assert view.note("taxonomy") == {"name": "own"}


def test_ids_of_what_was_removed_are_never_given_again(dataset_and_image):
    dataset, image = dataset_and_image
    with dataset.writing() as edit:
        edit.add(TargetRow(None, image.id, TANK))
        edit.remove_target(1)
        assert edit.add(TargetRow(None, image.id, TANK)).id == 2
    assert [(r.target_id, r.action) for r in rows(dataset, "reviews")] == [
        (1, "created"), (1, "removed"), (2, "created")]  # fmt: skip


def test_importing_the_store_brings_nothing_heavy_along():
    script = (
        "import sys, ovearth_core.dataset; "
        "print(sorted({'rasterio', 'shapely', 'fiona', 'geopandas', 'pyproj'} & set(sys.modules)))"
    )
    done = run([sys.executable, "-c", script], cwd=CHECKOUT, check=True, stdout=PIPE, text=True)
    assert done.stdout == "[]\n"


@pytest.mark.parametrize("name", ["a b", "50%25 #1?x=y&mode=ro", "größe–🌍", "it's; DROP TABLE"])
def test_a_dataset_lies_in_a_folder_of_any_name(tmp_path, name):
    dataset, image = made(tmp_path / name)
    assert rows(Dataset.open(dataset.folder), "images") == [image]
    assert [path.name for path in dataset.folder.iterdir()] == ["dataset.gpkg"]


def test_a_relative_folder_stays_where_it_was_opened(tmp_path, monkeypatch):
    made(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert len(rows(Dataset.open(Path("dataset")), "images")) == 1
    assert len(rows(Dataset.open(Path("dataset/dataset.gpkg")), "images")) == 1


@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_the_program_in_the_documentation_runs(tmp_path, monkeypatch, capsys):
    import rasterio
    from rasterio.transform import from_origin

    text = (CHECKOUT / "docs" / "dataset.md").read_text(encoding="utf-8")
    program = re.search(r"```python\n(.*?)```", text, re.DOTALL)[1]
    (tmp_path / "tanks" / "images").mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    with rasterio.open("tanks/images/a.tif", "w", driver="GTiff", width=64, height=64, count=1,
                       dtype="uint8", crs="EPSG:2056",
                       transform=from_origin(2.6e6, 1.2e6, 0.1, 0.1)):  # fmt: skip
        pass
    exec(compile(program, "dataset.md", "exec"), {})
    ring = [[10.0, 10.0], [50.0, 10.0], [50.0, 40.0], [10.0, 10.0]]
    assert capsys.readouterr().out == f"{ {'type': 'Polygon', 'coordinates': [ring]} }\n"
