"""DOTA text: what is read, what comes back, and what is refused."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ovearth_core.dataset.exchange.dota import read, write
from ovearth_core.errors import InputError, OutputError, OVEarthError
from ovearth_core.geometry import Runs, min_area_rect

from .labelled import (
    FIELD,
    PLANE,
    SQUARE,
    TANK,
    A,
    Drawn,
    Frames,
    files_in,
    labels_of,
    read_all,
    rectangles,
)

BOX = "937.0 913.0 921.0 912.0 923.0 874.0 940.0 875.0"
NUMBERS = (937.0, 913.0, 921.0, 912.0, 923.0, 874.0, 940.0, 875.0)


def written(folder, text, name="a.txt"):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_headers_boxes_classes_and_flags_are_read(tmp_path):
    text = (
        f"imagesource:GoogleEarth\r\ngsd:0.146343590398\r\n{BOX} small-vehicle 1\r\n{BOX} plane\n"
    )
    (image,), _ = read_all(read, written(tmp_path, text))
    assert image.file_name == "a"
    assert image.extra == {"imagesource": "GoogleEarth", "gsd": 0.146343590398}
    first, second = image.labels
    assert (first.class_name, first.obb, first.extra) == (
        "small-vehicle",
        NUMBERS,
        {"difficult": 1},
    )
    assert (second.class_name, second.obb, second.extra) == ("plane", NUMBERS, {})
    assert second.where == f"{tmp_path / 'a.txt'} line 4"
    assert first.polygons is None and first.box is None


@pytest.mark.parametrize("unknown", ["null", "None", "", "nan"])
def test_an_unknown_gsd_is_none_rather_than_a_number(tmp_path, unknown):
    (image,), _ = read_all(read, written(tmp_path, f"imagesource:\ngsd:{unknown}\n"))
    assert image.extra == {}


@pytest.mark.parametrize("text", ["", "\n\n", "imagesource:JL\ngsd:0.5\n", b"\xef\xbb\xbf"])
def test_a_file_without_boxes_is_an_image_without_labels(tmp_path, text):
    (image,), _ = read_all(read, written(tmp_path, text))
    assert image.labels == ()


@pytest.mark.parametrize("folder", ["", "labelTxt/", "train/labelTxt-v1.5/DOTA-v1.5_train/"])
def test_label_files_are_found_where_dota_has_them(tmp_path, folder):
    written(tmp_path, f"{BOX} plane 0", folder + "P0001.txt")
    if folder:
        written(tmp_path, "no label", "readme.txt")
    found, _ = read_all(read, tmp_path)
    assert [image.file_name.split("/")[-1] for image in found] == ["P0001"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("1 2 3 4 5 6 plane 0", "6 numbers and 2 more words"),
        (f"{BOX}", "8 numbers and 0 more words"),
        (f"{BOX} small vehicle 0", "8 numbers and 3 more words"),
        (BOX.replace("921.0", "nan") + " plane 0", "'nan' is not a finite number"),
        (BOX.replace("921.0", "1e400") + " plane 0", "'1e400' is not a finite number"),
        (BOX.replace("921.0", "9_1") + " plane 0", "'9_1' is not a finite number"),
        (BOX.replace("921.0", "12,5") + " plane 0", "'12,5' is not a finite number"),
        (f"{BOX} plane maybe", "the difficult flag is 'maybe'"),
        ("gsd:much", "'much' is not a finite number"),
    ],
)
def test_a_bad_line_is_refused_with_file_and_line(tmp_path, line, said):
    path = written(tmp_path, f"imagesource:x\n\n{line}\n")
    with pytest.raises(InputError, match=r"a\.txt line 3") as fault:
        labels_of(read, path)
    assert said in str(fault.value)
    assert "\n" not in str(fault.value)


@pytest.mark.parametrize("text", ["1 2 \xe9".encode("latin-1"), "gsd:1\n".encode("utf-16"), b"\0"])
def test_another_encoding_is_refused_by_its_line(tmp_path, text):
    with pytest.raises(InputError, match=r"a\.txt line 1, save it as UTF-8"):
        labels_of(read, written(tmp_path, text))


def test_a_folder_without_label_files_is_refused(tmp_path):
    with pytest.raises(InputError, match="no label file"):
        labels_of(read, tmp_path)
    with pytest.raises(InputError, match="no such file"):
        labels_of(read, tmp_path / "nowhere")


@settings(max_examples=25, deadline=None)
@given(
    quads=st.lists(rectangles(), min_size=1, max_size=4),
    flags=st.lists(st.sampled_from([0, 1, 2]), min_size=4, max_size=4),
)
def test_boxes_and_flags_come_back_to_the_last_bit(tmp_path_factory, quads, flags):
    folder = tmp_path_factory.mktemp("dota")
    lines = [
        " ".join([*map(repr, quad.ravel().tolist()), "plane", str(flag)])
        for quad, flag in zip(quads, flags, strict=False)
    ]
    written(folder, "\n".join(lines), "in/a.txt")
    once, _ = read_all(read, folder / "in")
    drawn = Drawn(folder / "dataset")
    drawn.take(once)
    report = drawn.write(write, folder / "out")
    assert report.counts["boxes"] == len(quads)
    again = labels_of(read, folder / "out")
    assert [(x.class_name, x.obb, x.extra) for x in again] == [
        (x.class_name, x.obb, x.extra) for x in once[0].labels
    ]


def test_a_drawn_polygon_goes_out_as_its_smallest_rectangle(tmp_path):
    drawn = Drawn(tmp_path / "dataset")
    star = np.array([[10, 10], [60, 30], [100, 12], [80, 55], [95, 99], [50, 70], [10, 95]], float)
    drawn.draw(star, image="images/more/b.tif")
    drawn.write(write, tmp_path / "out")
    (label,) = labels_of(read, tmp_path / "out")
    assert np.allclose(np.array(label.obb).reshape(4, 2), min_area_rect(star), atol=1e-6)
    assert label.class_name == "storage-tank"
    assert files_in(tmp_path / "out") == ["labelTxt/more/b.txt"]


def test_what_dota_cannot_hold_is_counted(tmp_path):
    drawn = Drawn(tmp_path / "dataset")
    hole = np.array([[20, 20], [20, 30], [30, 30], [20, 20]], float)
    drawn.draw(((SQUARE, hole),))
    drawn.draw(SQUARE + 100, PLANE, is_crowd=True)
    drawn.draw(SQUARE + 100, FIELD)
    drawn.draw(SQUARE, TANK, "images/more/b.tif", state="draft")
    report = drawn.write(write, tmp_path / "out")
    assert dict(report.counts) == {"images": 1, "boxes": 1}
    assert dict(report.left_out) == {
        "targets that are draft": 1,
        "crowds": 1,
        "areas of categories that have no instances": 1,
        "holes in outlines": 1,
    }
    assert any("queries" in note for note in report.notes)


def test_the_header_says_the_true_gsd_and_the_source(tmp_path):
    drawn = Drawn(tmp_path / "dataset")
    drawn.draw()
    drawn.write(write, tmp_path / "out")
    lines = (tmp_path / "out/labelTxt/a.txt").read_text().splitlines()
    assert lines[:2] == ["imagesource:null", f"gsd:{A.gsd()!r}"]


def test_writing_twice_gives_the_same_bytes_and_never_mixes_with_what_is_there(tmp_path):
    drawn = Drawn(tmp_path / "dataset")
    drawn.draw()
    drawn.write(write, tmp_path / "one")
    drawn.write(write, tmp_path / "two")
    one, two = (tmp_path / n / "labelTxt/a.txt" for n in ("one", "two"))
    assert one.read_bytes() == two.read_bytes()
    with pytest.raises(OutputError, match="not empty"):
        drawn.write(write, tmp_path / "one")
    assert files_in(tmp_path / "one") == ["labelTxt/a.txt"]


def test_two_images_whose_labels_would_be_one_file_are_refused_and_nothing_is_left(tmp_path):
    drawn = Drawn(tmp_path / "dataset", Frames({"images/a.tif": A, "images/A.png": A}))
    drawn.draw()
    drawn.draw(image="images/A.png")
    with pytest.raises(OutputError, match=r"images/a\.tif and images/A\.png would be one file"):
        drawn.write(write, tmp_path / "deep/out")
    assert not (tmp_path / "deep").exists()


def test_a_mask_that_cannot_be_read_is_named_and_leaves_nothing(tmp_path):
    drawn = Drawn(tmp_path / "dataset")
    first = drawn.draw()
    broken = {"size": [A.height, A.width], "counts": [1, 2]}
    with drawn.dataset.writing() as edit:
        bad = edit.add(type(first)(None, first.target_id, segmentation=broken))
    with pytest.raises(OVEarthError, match=f"instance {bad.id}"):
        drawn.write(write, tmp_path / "out")
    assert [p.name for p in tmp_path.iterdir()] == ["dataset"]


def test_a_mask_alone_goes_out_as_the_smallest_rectangle_around_its_pixels(tmp_path):
    drawn = Drawn(tmp_path / "dataset")
    first = drawn.draw()
    mask = np.zeros((A.height, A.width), bool)
    mask[100:140, 200:260] = True
    with drawn.dataset.writing() as edit:
        edit.remove_instance(first.id)
        edit.add(type(first)(None, first.target_id, segmentation=Runs.from_array(mask).to_rle()))
    drawn.write(write, tmp_path / "out")
    (label,) = labels_of(read, tmp_path / "out")
    assert sorted(np.array(label.obb).reshape(4, 2).tolist()) == [
        [200, 100], [200, 140], [260, 100], [260, 140],
    ]  # fmt: skip
