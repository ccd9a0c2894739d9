"""Every label format, by the commands: in, out, in again; bad input says one line, no more."""

import json
import shlex
from pathlib import Path

import geopandas
import numpy as np
import pytest
import rasterio
from rasterio.transform import Affine
from shapely import Polygon

from ovearth_core.cli.main import main
from ovearth_core.dataset import Dataset

from .datasets import image_row
from .framing import framed
from .labelled import CATEGORIES
from .shared import CHECKOUT, DATA, needs_shared

FRAME = framed("EPSG:32633", 15.0, 50.0, width=100, height=80)
SIZE = np.array([FRAME.width, FRAME.height])
QUAD = [20.5, 10.0, 60.0, 20.25, 50.0, 60.0, 12.0, 45.0]
RING = np.array(QUAD).reshape(4, 2)
FAR = (RING + np.array([500, 0])).ravel().tolist()


def image_file(path, frame=FRAME):
    path.parent.mkdir(parents=True, exist_ok=True)
    with rasterio.open(
        path, "w", driver="GTiff", width=frame.width, height=frame.height, count=1, dtype="uint8",
        crs=frame.crs, transform=Affine(*frame.transform),
    ) as file:  # fmt: skip
        file.write(np.zeros((1, frame.height, frame.width), np.uint8))


def put(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def words(values):
    return " ".join(map(str, values))


def dota(folder, quad=QUAD, name="plane", image="a"):
    put(folder / f"dota/labelTxt/{image}.txt", f"imagesource:x\ngsd:0.1\n{words(quad)} {name} 1\n")
    return folder / "dota"


def yolo(folder, quad=QUAD, name="plane", image="a"):
    put(folder / "yolo/classes.txt", f"ship\n{name}\n")
    shares = (np.array(quad).reshape(-1, 2) / SIZE).ravel().tolist()
    put(folder / f"yolo/labels/{image}.txt", f"1 {words(shares)}\n")
    return folder / "yolo"


def csv(folder, quad=QUAD, name="plane", image="a"):
    head = "x1,y1,x2,y2,x3,y3,x4,y4,label,image"
    return put(folder / "boxes.csv", f"{head}\n{','.join(map(str, quad))},{name},{image}.tif\n")


def labelme(folder, quad=QUAD, name="plane", image="a", width=100):
    points = np.array(quad).reshape(-1, 2).tolist()
    shapes = [{"label": name, "points": points, "shape_type": "polygon"}]
    document = {"shapes": shapes, "imagePath": f"{image}.tif", "imageWidth": width}
    return put(folder / "labelme/a.json", json.dumps(document))


def vector(folder, quad=QUAD, name="plane", image="a"):
    ring = FRAME.pixel_to_crs(np.array(quad).reshape(-1, 2), "EPSG:3035")
    columns = {"class": [name], "image": [image]}
    path = folder / "shapes.gpkg"
    geopandas.GeoDataFrame(columns, geometry=[Polygon(ring)], crs="EPSG:3035").to_file(path)
    return path


SOURCES = {"dota": dota, "yolo-obb": yolo, "csv": csv, "labelme": labelme, "vector": vector}


class Desk:
    """A dataset and image files beside it, and the commands run on it."""

    def __init__(self, folder, capsys):
        self.folder = folder
        self.dataset = Dataset.create(folder / "ds", CATEGORIES)
        self._capsys = capsys
        image_file(folder / "tiles/a.tif")

    def run(self, *words):
        code = main([str(word) for word in words])
        out, err = self._capsys.readouterr()
        return code, out, err

    def take(self, source, kind, *options):
        return self.run("import", self.dataset.folder, source, "--format", kind,
                        "--images", self.folder / "tiles", *options)  # fmt: skip

    def give(self, kind, name):
        out = self.folder / name
        return self.run(
            "export", self.dataset.folder, out, "--format", kind, "--state", "draft"
        ), out

    def instances(self):
        with self.dataset.reading() as view:
            return list(view.instances())

    def state(self):
        files = {p: p.read_bytes() for p in self.dataset.folder.rglob("*") if p.is_file()}
        with self.dataset.reading() as view:
            return {p for p in files if p.suffix == ".tif"}, view.counts()


@pytest.fixture
def desk(tmp_path, capsys):
    return Desk(tmp_path, capsys)


@pytest.mark.parametrize("kind", SOURCES)
class TestEveryFormat:
    def test_comes_in_with_its_shape_within_a_millionth_of_a_pixel(self, desk, kind):
        code, out, err = desk.take(SOURCES[kind](desk.folder), kind)
        assert (code, err) == (0, "") and "1 new instances" in out
        (row,) = desk.instances()
        ring = np.array(row.polygons[0][0])
        assert all(np.abs(ring - corner).sum(axis=1).min() < 1e-6 for corner in RING)
        if kind in ("dota", "yolo-obb", "csv"):
            assert np.abs(np.array(row.obb) - QUAD).max() < 1e-9
            assert row.extra["imported_as"] == "obb"
        else:
            assert row.obb is None

    def test_stops_at_a_class_that_is_no_category(self, desk, kind):
        self.refused(desk, SOURCES[kind](desk.folder, name="zeppelin"), kind, "zeppelin")

    def test_stops_at_an_image_that_is_nowhere(self, desk, kind):
        self.refused(desk, SOURCES[kind](desk.folder, image="elsewhere"), kind, "elsewhere")

    def test_stops_at_a_shape_outside_its_image(self, desk, kind):
        said = {"yolo-obb": "is not between 0 and 1", "vector": "lie in no image"}
        self.refused(desk, SOURCES[kind](desk.folder, FAR), kind, said.get(kind, "outside"))

    def test_stops_at_a_shape_without_area(self, desk, kind):
        flat = [20.0, 10.0] * 4
        self.refused(desk, SOURCES[kind](desk.folder, flat), kind, "")

    def test_stops_at_crossing_sides_of_a_box(self, desk, kind):
        crossing = [*QUAD[:2], *QUAD[4:6], *QUAD[2:4], *QUAD[6:]]
        if kind in ("dota", "yolo-obb", "csv"):
            self.refused(desk, SOURCES[kind](desk.folder, crossing), kind, "sides that cross")

    def test_is_said_of_a_source_that_is_not_there(self, desk, kind):
        self.refused(desk, desk.folder / "nowhere", kind, "nowhere")

    @staticmethod
    def refused(desk, source, kind, said):
        before = desk.state()
        code, out, err = desk.take(source, kind)
        assert (code, out) == (2, "")
        assert err.startswith("error: ") and err.count("\n") == 1
        assert said in err and "Traceback" not in err and "a fault of ovearth" not in err
        assert desk.state() == before


@pytest.mark.parametrize("kind", ["dota", "yolo-obb"])
def test_what_went_out_and_came_in_again_goes_out_the_same(desk, tmp_path, kind, capsys):
    assert desk.take(SOURCES[kind](desk.folder), kind)[0] == 0
    (code, *_), first = desk.give(kind, "first")
    assert code == 0
    (tmp_path / "again").mkdir()
    again = Desk(tmp_path / "again", capsys)
    assert again.take(first, kind)[0] == 0
    _, second = again.give(kind, "second")
    names = sorted(p.relative_to(first) for p in first.rglob("*") if p.is_file())
    for name in names:
        # The source of the image is only known where a label file says it.
        assert (first / name).read_text() == (second / name).read_text(), name
    assert len(names) == {"dota": 1, "yolo-obb": 3}[kind]


@pytest.mark.parametrize("kind", ["dota", "yolo-obb"])
def test_images_of_one_name_in_several_folders_keep_their_own_labels(desk, tmp_path, kind, capsys):
    for name in ("north/a", "south/a"):
        image_file(desk.folder / f"tiles/{name}.tif")
    for at, name in enumerate(("a", "north/a", "south/a")):
        source = SOURCES[kind](desk.folder, (RING + at).ravel().tolist(), image=name)
    assert desk.take(source, kind)[0] == 0
    _, out = desk.give(kind, "out")
    (tmp_path / "again").mkdir()
    again = Desk(tmp_path / "again", capsys)
    code, _, err = again.run("import", again.dataset.folder, out, "--format", kind,
                             "--images", desk.folder / "tiles")  # fmt: skip
    assert (code, err) == (0, "")
    for one in (desk, again):
        with one.dataset.reading() as view:
            found = {view.image(r.image_id).file_name: r.obb[0] for r in view.instances()}
        assert found == pytest.approx(
            {"images/a.tif": 20.5, "images/north/a.tif": 21.5, "images/south/a.tif": 22.5}
        )


def test_an_image_without_an_ending_is_found_by_its_name(desk):
    with desk.dataset.writing() as edit:
        edit.add(image_row("images/bare", FRAME))
    assert desk.take(dota(desk.folder, image="bare"), "dota")[0] == 0
    with desk.dataset.reading() as view:
        assert view.image(desk.instances()[0].image_id).file_name == "images/bare"


def test_a_name_with_a_point_is_not_that_of_another_image(desk):
    TestEveryFormat.refused(desk, dota(desk.folder, image="a.0002"), "dota", "a.0002")


@pytest.mark.parametrize("kind", ["dota", "yolo-obb", "geojson", "geoparquet", "stac"])
def test_every_export_says_what_it_wrote_and_keeps_what_it_would_replace(desk, kind):
    if kind == "stac":
        pytest.importorskip("pystac")
    desk.take(SOURCES["dota"](desk.folder), "dota")
    (code, out, err), _ = desk.give(kind, "out")
    assert (code, err) == (0, "") and out.startswith("1 images, 1 ")
    (desk.folder / "full").mkdir()
    put(desk.folder / "full/mine.txt", "mine")
    (code, out, err), _ = desk.give(kind, "full")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert [p.name for p in (desk.folder / "full").iterdir()] == ["mine.txt"]
    assert not [p for p in desk.folder.iterdir() if p.name.startswith(".")]


def test_headers_of_dota_go_to_the_new_image_and_the_flag_to_the_object(desk):
    desk.take(dota(desk.folder), "dota")
    with desk.dataset.reading() as view:
        (image,) = view.images()
    assert image.extra == {"imagesource": "x", "gsd": 0.1}
    assert desk.instances()[0].extra["difficult"] == 1


def test_a_labelme_file_of_another_size_is_refused(desk):
    source = labelme(desk.folder, width=640)
    TestEveryFormat.refused(desk, source, "labelme", "a.tif is 100 by 80 pixels")


def test_shapes_outside_are_skipped_and_counted_by_the_option(desk):
    code, out, _ = desk.take(vector(desk.folder, FAR), "vector", "--outside", "skip")
    assert code == 0 and "left out: 1 features lie in no image" in out


@needs_shared
@pytest.mark.parametrize("kind", ["dota", "yolo-obb", "vector"])
def test_real_boxes_go_out_and_come_in_again_as_they_were(desk, tmp_path, kind, capsys):
    options = ["--format", "csv", "--images", DATA / "images", "--keep-unmapped"]
    for name in ("OSBS_029.csv", "2018_SJER_3_252000_4107000_image_477_truth.csv"):
        code, *_ = desk.run("import", desk.dataset.folder, DATA / "labels" / name, *options)
        assert code == 0
    out_kind = "geojson" if kind == "vector" else kind
    _, out = desk.give(out_kind, "out.geojson")
    (tmp_path / "again").mkdir()
    again = Desk(tmp_path / "again", capsys)
    code, *_ = again.run("import", again.dataset.folder, out, "--format", kind, "--images",
                         DATA / "images", "--keep-unmapped")  # fmt: skip
    assert code == 0
    first, second = ([row.polygons[0][0] for row in d.instances()] for d in (desk, again))
    assert len(first) == len(second) == 68

    def boxes(rings):
        return np.array(sorted([*r.min(axis=0), *r.max(axis=0)] for r in np.round(rings, 5)))

    assert np.abs(boxes(first) - boxes(second)).max() < 1e-4
    assert Path(out).exists()


def test_what_the_page_shows_runs(desk, monkeypatch):
    pytest.importorskip("pystac")
    page = (CHECKOUT / "docs" / "exchange-formats.md").read_text(encoding="utf-8")
    commands = [line[2:] for line in page.splitlines() if line.startswith("$ ovearth ")]
    assert len(commands) == 12
    monkeypatch.chdir(desk.folder)
    desk.dataset.folder.rename("my-dataset")
    dota(desk.folder).rename("DOTA")
    Path("DOTA/labelTxt").rename("DOTA/train")
    yolo(desk.folder)
    csv(desk.folder, name="0")
    put(Path("classes.json"), '{"0": "plane"}')
    put(Path("species.csv"), "image,xmin,ymin,xmax,ymax,species\na.tif,1,2,30,40,Quercus\n")
    labelme(desk.folder)
    vector(desk.folder)
    table = geopandas.read_file("shapes.gpkg").rename(columns={"class": "kind"})
    table.to_file("buildings.gpkg")
    table.to_file("roads.gpkg", layer="roads")
    for command in commands:
        assert main(shlex.split(command)[1:]) == 0, command


@pytest.mark.parametrize(
    ("name", "options", "refused"),
    [
        ("coco", ["--outside", "skip"], "--outside"),
        ("coco", ["--outside", "refuse"], "--outside"),
        ("csv", ["--class-column", "kind", "--outside", "clip"], "--outside"),
        ("dota", ["--class-column", "a", "--image-column", "b"], "--class-column, --image-column"),
        ("yolo-obb", ["--image-column", "b"], "--image-column"),
        ("labelme", ["--class-column", "a"], "--class-column"),
        ("benchmark", ["--mapping", "m.csv", "--keep-unmapped"], "--mapping, --keep-unmapped"),
        ("benchmark", ["--class-column", "a"], "--class-column"),
    ],
)
def test_options_that_a_format_has_no_use_for_are_refused_by_name(
    tmp_path, capsys, name, options, refused
):
    arguments = ["import", str(tmp_path / "d"), str(tmp_path / "f"), "--format", name, *options]
    assert main(arguments) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"--format {name} has no use for that" in line
    assert f" {refused}, leave it out (it is for " in line
    assert list(tmp_path.iterdir()) == []
