"""LabelMe files: every kind of shape, groups, sizes, and what is refused."""

import base64
import json
import warnings

import numpy as np
import pytest
from rasterio.io import MemoryFile
from shapely import Polygon

from ovearth_core.errors import InputError
from ovearth_core.geometry import Runs
from ovearth_core.labels.labelme import read

from .labelled import A, labels_of, read_all


def shape(kind, points, label="ship", **more):
    return {"label": label, "points": points, "group_id": None, "shape_type": kind, "flags": {},
            "description": "", "mask": None, **more}  # fmt: skip


def written(folder, *shapes, name="a.json", **more):
    document = {"version": "5.5.0", "flags": {}, "shapes": list(shapes), "imagePath": "a.tif",
                "imageData": "A" * 100, "imageHeight": 800, "imageWidth": 1000, **more}  # fmt: skip
    document = {key: value for key, value in document.items() if value is not ...}
    path = folder / name
    path.write_text(json.dumps(document, indent=2))
    return path


TRIANGLE = [[10.5, 20], [30, 20], [30, 45.25]]


def test_a_polygon_is_read_closed_and_exact(tmp_path):
    path = written(tmp_path, shape("polygon", TRIANGLE, description="at anchor"))
    (image,), left_out = read_all(read, path)
    assert (image.file_name, image.width, image.height) == ("a.tif", 1000, 800)
    (label,) = image.labels
    ((ring,),) = label.polygons
    assert ring.tolist() == [*TRIANGLE, TRIANGLE[0]]
    assert label.extra == {"description": "at anchor"}
    assert label.where.startswith(f"{path} line ")
    assert not left_out


@pytest.mark.parametrize("points", [[[30, 5], [10, 40]], [[10, 5], [30, 5], [30, 40], [10, 40]]])
def test_a_rectangle_becomes_a_given_box_from_any_corners(tmp_path, points):
    (label,) = labels_of(read, written(tmp_path, shape("rectangle", points)))
    assert label.box == (10, 5, 30, 40) and label.polygons is None


def test_a_rotated_rectangle_becomes_a_given_oriented_box(tmp_path):
    corners = [[10, 5], [30, 15], [25, 25], [5, 15]]
    (label,) = labels_of(read, written(tmp_path, shape("rotation", corners, direction=0.46)))
    assert label.obb == (10, 5, 30, 15, 25, 25, 5, 15)
    assert label.extra == {"direction": 0.46}


@pytest.mark.parametrize("radius", [0.5, 7.0, 350.0])
def test_a_circle_is_followed_within_a_hundredth_of_a_pixel(tmp_path, radius):
    points = [[400.0, 400.0], [400.0 + radius, 400.0]]
    (label,) = labels_of(read, written(tmp_path, shape("circle", points)))
    ((ring,),) = label.polygons
    whole = Polygon(ring)
    assert whole.is_valid
    edge = np.array(whole.exterior.segmentize(radius / 500).coords)
    assert np.abs(np.hypot(*(edge - 400.0).T) - radius).max() < 0.0101


def test_a_mask_becomes_the_runs_of_its_pixels(tmp_path):
    patch = np.random.default_rng(0).integers(0, 2, (9, 7)).astype(np.uint8)
    with warnings.catch_warnings(), MemoryFile() as file:
        warnings.simplefilter("ignore")
        with file.open(driver="PNG", width=7, height=9, count=1, dtype="uint8") as image:
            image.write(patch * 255, 1)
        packed = base64.b64encode(file.read()).decode()
    corners = [[20, 30], [26, 38]]
    (label,) = labels_of(read, written(tmp_path, shape("mask", corners, mask=packed)))
    found = Runs.from_rle(label.segmentation).to_array()
    assert found.shape == (A.height, A.width) and found.sum() == patch.sum()
    assert (found[30:39, 20:27] == patch).all()


def test_shapes_of_one_label_and_group_are_parts_of_one_object(tmp_path):
    far = [[x + 100, y] for x, y in TRIANGLE]
    path = written(
        tmp_path, shape("polygon", TRIANGLE, group_id=1), shape("polygon", far, group_id=1),
        shape("polygon", far, group_id=2), shape("polygon", far, "buoy", group_id=1),
        shape("polygon", far),
    )  # fmt: skip
    labels = labels_of(read, path)
    assert [(x.class_name, len(x.polygons)) for x in labels] == [
        ("ship", 2), ("ship", 1), ("buoy", 1), ("ship", 1),
    ]  # fmt: skip


def test_points_and_lines_are_left_out_and_counted_once_a_pass(tmp_path):
    path = written(
        tmp_path,
        shape("point", [[1, 1]]),
        shape("linestrip", TRIANGLE),
        shape("line", TRIANGLE[:2]),
    )
    (image,), left_out = read_all(read, path)
    assert image.labels == ()
    assert left_out == {"points and lines, which have no area": 3}


def test_a_folder_and_paths_of_windows_are_understood(tmp_path):
    written(tmp_path, name="1.json", imagePath="..\\images\\a.tif")
    (tmp_path / "in").mkdir()
    written(tmp_path / "in", name="2.json", imagePath="../../b.tif", imageWidth=None)
    found, _ = read_all(read, tmp_path)
    assert [(i.file_name, i.width, i.labels) for i in found] == [
        ("images/a.tif", 1000, ()), ("b.tif", None, ()),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (shape("polygon", TRIANGLE[:2]), "a ring of 2 distinct positions"),
        (shape("polygon", [[1, 2], [3, "4"], [5, 6]]), "'points' holds '4', not a number"),
        (shape("polygon", [1, 2, 3, 4, 5, 6]), "'points' are not positions"),
        (shape("polygon", None), "'points' is missing"),
        (shape("rectangle", TRIANGLE), "a rectangle of 3 points"),
        (shape("rectangle", [[1, 2], [1, 5]]), "a rectangle without area"),
        (shape("circle", [[1, 2], [1, 2]]), "a circle without area"),
        (shape("circle", TRIANGLE), "a circle without area"),
        (shape("rotation", TRIANGLE), "a rotated rectangle of 3 points"),
        (shape("polygone", TRIANGLE), "did you mean 'polygon'?"),
        (shape("mask", [[0, 0], [3, 3]], mask="AAAA"), "a mask that is no PNG"),
        (shape("mask", [[0, 0], [3, 3]]), "'mask' is missing"),
        (shape("polygon", TRIANGLE, label=7), "'label' is 7, not text"),
    ],
)
def test_a_bad_shape_is_refused_with_file_and_line(tmp_path, bad, said):
    path = written(tmp_path, shape("polygon", TRIANGLE), bad)
    with pytest.raises(InputError if "ring" not in said else ValueError) as fault:
        labels_of(read, path)
    assert said in str(fault.value)
    assert f"{path} line " in str(fault.value)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"shapes": ...}, "no 'shapes' and 'imagePath' in it"),
        ({"imagePath": ...}, "no 'shapes' and 'imagePath' in it"),
        ({"imageWidth": "1000"}, "'imageWidth' is '1000', not a whole number"),
    ],
)
def test_another_json_is_refused_by_name(tmp_path, more, said):
    document = {"shapes": [], "imagePath": "a.tif", "imageWidth": 1000, **more}
    path = tmp_path / "a.json"
    path.write_text(json.dumps({k: v for k, v in document.items() if v is not ...}))
    with pytest.raises(InputError, match=said):
        labels_of(read, path)


def test_damaged_and_missing_files_are_refused(tmp_path):
    whole = written(tmp_path, shape("polygon", TRIANGLE)).read_bytes()
    for cut in range(0, len(whole) - 1, 40):
        (tmp_path / "a.json").write_bytes(whole[:cut])
        with pytest.raises(InputError):
            labels_of(read, tmp_path / "a.json")
    (tmp_path / "a.json").unlink()
    with pytest.raises(InputError, match="no LabelMe file"):
        labels_of(read, tmp_path)
