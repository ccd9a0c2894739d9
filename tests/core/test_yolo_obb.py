"""YOLO-OBB: shares of the image's size, the class list, and what is refused."""

import numpy as np
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from ovearth_core.dataset.exchange.yolo_obb import read, write
from ovearth_core.errors import InputError
from ovearth_core.geometry import min_area_rect

from .labelled import PLANE, TANK, A, Drawn, files_in, labels_of, read_all, rectangles

SHARES = "0.1 0.2 0.3 0.2 0.3 0.4 0.1 0.4"


def made(folder, line=f"1 {SHARES}", classes="plane\nstorage tank\n", label="labels/a.txt"):
    path = folder / label
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(line)
    if classes is not None:
        (folder / "classes.txt").write_text(classes)
    return folder


def test_shares_become_pixels_and_numbers_classes(tmp_path):
    (label,) = labels_of(read, made(tmp_path))
    assert label.class_name == "storage tank"
    assert np.allclose(label.obb, [100, 160, 300, 160, 300, 320, 100, 320])
    assert label.where == f"{tmp_path / 'labels/a.txt'} line 1"


@pytest.mark.parametrize(
    "names", ["names: [plane, storage tank]", "names:\n  0: plane\n  1: storage tank",
              'names: {1: "storage tank", 0: plane}'],
)  # fmt: skip
def test_a_data_yaml_names_the_classes_in_every_form(tmp_path, names):
    made(tmp_path, classes=None)
    (tmp_path / "data.yaml").write_text(f"path: ../datasets/x\nnc: 2\n{names}\n")
    (label,) = labels_of(read, tmp_path)
    assert label.class_name == "storage tank"


@pytest.mark.parametrize(
    ("label", "source"),
    [("labels/a.txt", "labels"), ("labels/a.txt", "labels/a.txt"), ("train/labels/a.txt", "."),
     ("labels/train/a.txt", "."), ("a.txt", ".")],
)  # fmt: skip
def test_labels_and_class_list_are_found_where_tools_put_them(tmp_path, label, source):
    made(tmp_path, label=label)
    (found,), _ = read_all(read, tmp_path / source)
    assert found.file_name.split("/")[-1] == "a"


def test_an_empty_file_is_an_image_without_labels(tmp_path):
    (image,), _ = read_all(read, made(tmp_path, ""))
    assert (image.file_name, image.labels) == ("a", ())


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (f"2 {SHARES}", r"class 2 is not in .*classes\.txt \(2 classes\)"),
        (f"-1 {SHARES}", "class -1 is not in"),
        (f"0.5 {SHARES}", "class 0.5 is not in"),
        ("0 0.5 0.5 0.1 0.1", "5 values .*upright"),
        (f"0 {SHARES} 0.9", "10 values"),
        ("0 120 40 300 40 300 90 120 90", "120 is not between 0 and 1"),
        (f"0 {SHARES}".replace("0.4", "1.01"), "1.01 is not between 0 and 1"),
        (f"0 {SHARES}".replace("0.1", "-0.01"), "-0.01 is not between 0 and 1"),
        (f"0 {SHARES}".replace("0.1", "nan"), "'nan' is not a finite number"),
        (f"plane {SHARES}", "'plane' is not a finite number"),
    ],
)
def test_a_bad_line_is_refused_with_file_and_line(tmp_path, line, said):
    made(tmp_path, f"0 {SHARES}\n{line}\n")
    with pytest.raises(InputError, match=said) as fault:
        labels_of(read, tmp_path)
    assert "a.txt line 2" in str(fault.value)
    assert "\n" not in str(fault.value)


def test_a_value_that_was_rounded_beyond_the_edge_is_taken(tmp_path):
    (label,) = labels_of(read, made(tmp_path, "0 0 0 1.0000005 0 1 1 -0.0000005 1"))
    assert label.obb[2] == pytest.approx(A.width, abs=1e-3)


def test_an_unknown_image_is_named_with_the_label_file(tmp_path):
    made(tmp_path, label="labels/c.txt")
    with pytest.raises(InputError, match=r"no image 'c', .*c\.txt"):
        labels_of(read, tmp_path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("names: 3", "'names' is 3"),
        ("names: [plane, no]", "the name of class 1 is False"),
        ("names: {a: plane}", "'names' is an object"),
        ("names: [plane", "no YAML"),
        ("names: !!python/object/apply:os.getcwd []", "no YAML"),
        ("nc: 2", "no class list"),
        ("- plane", "no class list"),
    ],
)
def test_a_bad_class_list_is_refused_and_nothing_in_it_is_run(tmp_path, text, said):
    made(tmp_path, classes=None)
    (tmp_path / "data.yaml").write_text(text)
    with pytest.raises(InputError, match=said) as fault:
        labels_of(read, tmp_path)
    assert "\n" not in str(fault.value)


def test_class_lists_that_differ_or_lack_are_refused(tmp_path):
    made(tmp_path, classes="plane\n\nstorage tank\n")
    with pytest.raises(InputError, match=r"classes\.txt line 2"):
        labels_of(read, tmp_path)
    (tmp_path / "classes.txt").write_text("storage tank\nplane\n")
    (tmp_path / "data.yaml").write_text("names: [plane, storage tank]")
    with pytest.raises(InputError, match="class lists that differ"):
        labels_of(read, tmp_path)
    (tmp_path / "classes.txt").unlink()
    (tmp_path / "data.yaml").unlink()
    with pytest.raises(InputError, match="no class list"):
        labels_of(read, tmp_path)


def test_a_class_list_above_the_data_set_is_another_ones(tmp_path):
    made(tmp_path / "mine", classes=None)
    (tmp_path / "classes.txt").write_text("ship\nplane\n")
    (tmp_path / "data.yaml").write_text("names: [ship, plane]")
    for source in ("mine", "mine/labels"):
        with pytest.raises(InputError, match="no class list"):
            labels_of(read, tmp_path / source)


def test_only_label_folders_within_the_source_count(tmp_path):
    root = made(tmp_path / "labels-of-2020" / "yolo")
    (root / "notes.txt").write_text("bought in May")
    (root / "labels" / "._a.txt").write_bytes(b"\xff")
    found, _ = read_all(read, root)
    assert [image.file_name for image in found] == ["a"]


@settings(max_examples=25, deadline=None)
@given(quads=st.lists(rectangles(), min_size=1, max_size=4))
def test_boxes_come_back_within_a_billionth_of_a_pixel(tmp_path_factory, quads):
    folder = tmp_path_factory.mktemp("yolo")
    drawn = Drawn(folder / "dataset")
    for quad in quads:
        drawn.draw(quad, PLANE, obb=tuple(quad.ravel().tolist()))
    report = drawn.write(write, folder / "out")
    assert not any("beyond" in note for note in report.notes)
    found = labels_of(read, folder / "out")
    assert [label.class_name for label in found] == ["Plane"] * len(quads)
    assert np.abs(np.array([x.obb for x in found]).reshape(-1, 4, 2) - quads).max() < 1e-9


def test_a_box_over_the_edge_is_moved_onto_it_and_counted(tmp_path):
    drawn = Drawn(tmp_path / "dataset")
    diamond = np.array([[500, 0], [900, 400], [500, 799], [2, 400]], float)
    corner = np.array([[0, 0], [60, 0], [0, 40]], float)
    drawn.draw(diamond)
    drawn.draw(corner)
    over = sum(
        bool((r < -1e-3).any() or (r > [A.width, A.height]).any())
        for r in map(min_area_rect, (diamond, corner))
    )
    report = drawn.write(write, tmp_path / "out")
    assert over and any(note.startswith(f"{over} boxes reach beyond") for note in report.notes)
    values = [float(x) for line in (tmp_path / "out/labels/a.txt").read_text().splitlines()
              for x in line.split()[1:]]  # fmt: skip
    assert min(values) >= 0.0 and max(values) <= 1.0


def test_both_class_lists_are_written_and_agree(tmp_path):
    drawn = Drawn(tmp_path / "dataset")
    drawn.draw(category=TANK)
    drawn.write(write, tmp_path / "out")
    assert files_in(tmp_path / "out") == ["classes.txt", "data.yaml", "labels/a.txt"]
    names = yaml.safe_load((tmp_path / "out/data.yaml").read_text())["names"]
    assert names == {0: "Storage tank", 1: "Plane"}
    assert (tmp_path / "out/classes.txt").read_text().splitlines() == list(names.values())
