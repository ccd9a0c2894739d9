"""CSV of boxes: columns by name, whatever their order, and what is refused."""

import csv
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ovearth_core.dataset.exchange import dota, yolo_obb
from ovearth_core.dataset.exchange.csv_boxes import read
from ovearth_core.errors import InputError
from ovearth_core.raster_file import placed_frame

from .labelled import Drawn, Frames, labels_of, read_all
from .shared import DATA, needs_shared

HEADER = "image_path,xmin,ymin,xmax,ymax,label"


def written(folder, text, encoding="utf-8"):
    path = folder / "boxes.csv"
    path.write_text(text, encoding=encoding)
    return path


@given(order=st.permutations(["image_path", "xmin", "ymin", "xmax", "ymax", "label", "score"]))
@settings(max_examples=30, deadline=None)
def test_the_order_of_columns_changes_nothing(tmp_path_factory, order):
    values = {"image_path": "a.tif", "xmin": "1", "ymin": "2.5", "xmax": "30", "ymax": "40",
              "label": "Plane", "score": "0.7"}  # fmt: skip
    text = ",".join(order) + "\n" + ",".join(values[name] for name in order)
    (image,), _ = read_all(read, written(tmp_path_factory.mktemp("csv"), text))
    (label,) = image.labels
    assert (image.file_name, label.class_name) == ("a.tif", "Plane")
    assert label.box == (1.0, 2.5, 30.0, 40.0)
    assert label.extra == {"score": "0.7"}


@needs_shared
@pytest.mark.parametrize("name", ["OSBS_029.csv", "2018_SJER_3_252000_4107000_image_477_truth.csv"])
def test_real_files_are_read_as_a_plain_reader_by_name_reads_them(name):
    path = DATA / "labels" / name
    with path.open(newline="") as file:
        rows = list(csv.DictReader(file))
    labels = labels_of(read, path)
    assert [label.box for label in labels] == [
        tuple(float(row[key]) for key in ("xmin", "ymin", "xmax", "ymax")) for row in rows
    ]
    assert [label.class_name for label in labels] == [row["label"] for row in rows]
    assert len(labels) == {"OSBS_029.csv": 61}.get(name, 7)


@needs_shared
@pytest.mark.parametrize("module", [dota, yolo_obb])
def test_real_boxes_come_back_through_box_formats(tmp_path, module):
    path = DATA / "images" / "OSBS_029.tif"
    drawn = Drawn(tmp_path / "dataset", Frames({"images/OSBS_029.tif": placed_frame(path)}))
    boxes = []
    for label in labels_of(read, DATA / "labels" / "OSBS_029.csv"):
        x0, y0, x1, y1 = label.box
        corners = np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])
        drawn.draw(corners, image="images/OSBS_029.tif", obb=tuple(corners.ravel().tolist()))
        boxes.append(corners)
    drawn.write(module.write, tmp_path / "out")
    images = Frames({"images/OSBS_029.tif": placed_frame(path)})
    again = labels_of(module.read, tmp_path / "out", images)
    found = np.array([label.obb for label in again]).reshape(-1, 4, 2)
    assert np.abs(found - boxes).max() < (1e-15 if module is dota else 1e-9)


def test_oriented_boxes_and_image_sizes_are_read(tmp_path):
    text = "filename;width;height;class;x1;y1;x2;y2;x3;y3;x4;y4\na.jpg;640;480;ship;1;2;3;4;5;6;7;8"
    (image,), _ = read_all(read, written(tmp_path, text))
    assert (image.width, image.height) == (640, 480)
    assert image.labels[0].obb == (1, 2, 3, 4, 5, 6, 7, 8)
    assert image.labels[0].box is None


def test_two_corners_named_short_are_an_upright_box(tmp_path):
    (label,) = labels_of(read, written(tmp_path, "image,x1,y1,x2,y2,class\na,1,2,3,4,ship"))
    assert label.box == (1, 2, 3, 4)


def test_other_columns_can_be_chosen(tmp_path):
    text = "image,label,img,species,xmin,ymin,xmax,ymax\n1,2,a.tif,oak,1,2,3,4"
    (image,), _ = read_all(
        read, written(tmp_path, text), class_column="species", image_column="img"
    )
    assert (image.file_name, image.labels[0].class_name) == ("a.tif", "oak")
    assert image.labels[0].extra == {"image": "1", "label": "2"}


def test_a_line_without_numbers_is_an_image_that_holds_nothing(tmp_path):
    found, _ = read_all(read, written(tmp_path, f"{HEADER}\na.tif,,,,,\nb.tif,1,1,2,2,x\n"))
    assert [(image.file_name, len(image.labels)) for image in found] == [("a.tif", 0), ("b.tif", 1)]


def test_tabs_keep_empty_cells_at_both_ends(tmp_path):
    text = "note\timage\txmin\tymin\txmax\tymax\tlabel\tlast\n\ta.tif\t1\t2\t3\t4\tship\t\n"
    (label,) = labels_of(read, written(tmp_path, text))
    assert label.box == (1, 2, 3, 4) and label.extra == {}


def test_quoted_cells_may_hold_the_delimiter(tmp_path):
    text = f'{HEADER}\n"a, b.tif",1,2,3,4,"ship, large"\n'
    (image,), _ = read_all(read, written(tmp_path, text, "utf-8-sig"))
    assert (image.file_name, image.labels[0].class_name) == ("a, b.tif", "ship, large")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("a.tif,1,2,3,nan,x", "'nan' is not a finite number"),
        ("a.tif,1,2,3,,x", "'' is not a finite number"),
        ("a.tif,1,2,3,four,x", "'four' is not a finite number"),
        ("a.tif,3,2,1,4,x", "a box without area: 3 to 1"),
        ("a.tif,1,2,1,4,x", "a box without area: 1 to 1"),
        ("a.tif,1,2,3,4,", "no class"),
        (",1,2,3,4,x", "no image name"),
        ("a.tif,1,2,3,4", "5 values under 6 columns"),
        ("a.tif,1,2,3,4,x,y", "7 values under 6 columns"),
        ('"a.tif,1,2,3,4,x', "a quote without an end"),
    ],
)
def test_a_bad_line_is_refused_with_file_and_line(tmp_path, line, said):
    text = f"{HEADER}\na.tif,1,2,3,4,x\n\n{line}\n"
    with pytest.raises(InputError) as fault:
        labels_of(read, written(tmp_path, text))
    assert said in str(fault.value)
    assert "boxes.csv line 4" in str(fault.value)


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("a.tif,1,2,3,4,x", "no image column (there are: a.tif, 1, 2, 3, 4, x)"),
        ("image,xmin,ymin,xmax,ymax,kind", "no class column (there are: image, xmin"),
        (
            "image,label,xmin,ymin,xmax",
            "no four or eight columns of a box (there are: image",
        ),
        ("image,label,xmin,xmin,ymin,xmax,ymax", "two columns 'xmin'"),
    ],
)
def test_needed_columns_that_lack_are_said_with_those_that_are_there(tmp_path, header, said):
    with pytest.raises(InputError) as fault:
        labels_of(read, written(tmp_path, header + "\n"))
    assert said in str(fault.value)
    assert "image_path, xmin, ymin, xmax, ymax" in str(fault.value) or "two columns" in said


def test_an_empty_file_and_other_encodings_are_refused(tmp_path):
    with pytest.raises(InputError, match="an empty file"):
        labels_of(read, written(tmp_path, ""))
    with pytest.raises(InputError, match=r"line 2, save it as UTF-8"):
        labels_of(read, written(tmp_path, f"{HEADER}\né.tif,1,2,3,4,x\n", "latin-1"))
    with pytest.raises(InputError, match="save it as UTF-8"):
        labels_of(read, written(tmp_path, HEADER, "utf-16"))


def test_images_in_any_order_keep_all_their_boxes(tmp_path):
    names = ["a", "b", "a", "a", "c", "b"]
    lines = [f"{name},{n},0,{n + 1},1,x" for n, name in enumerate(names)]
    found, _ = read_all(read, written(tmp_path, "\n".join([HEADER, *lines])))
    flat = list(itertools.chain.from_iterable((i.file_name, x.box[0]) for i in found
                                              for x in i.labels))  # fmt: skip
    assert flat[::2] == names and flat[1::2] == list(range(6))
