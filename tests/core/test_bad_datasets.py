"""What is no dataset, or can't be read or written, is said in one line, and nothing changes."""

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing

import numpy as np
import pytest

from ovearth_core.dataset import Dataset, QueryRow, ReviewRow, TargetRow
from ovearth_core.dataset.blob import point_blob
from ovearth_core.dataset.database import connected, prepare
from ovearth_core.errors import FrameError, GeometryError, InputError, OutputError, UsageError

from .datasets import CATEGORIES, SQUARE, TANK, image_row, made
from .shared import CHECKOUT, DATA, needs_shared

BY_FIONA = """
import sys
from fiona import open
with open(sys.argv[1], "w", driver="GPKG", layer="theirs", crs="EPSG:4326",
          schema={"geometry": "Point", "properties": {}}) as layer:
    layer.write({"type": "Feature", "geometry": {"type": "Point", "coordinates": (9, 50)},
                 "properties": {}})
"""


def test_a_folder_without_a_dataset_is_told_how_to_make_one(tmp_path):
    for place in (tmp_path, tmp_path / "nowhere", tmp_path / "dataset.gpkg"):
        with pytest.raises(InputError, match=r"there is no dataset, .*ovearth init"):
            Dataset.open(place)
    (tmp_path / "dataset.gpkg").mkdir()
    with pytest.raises(InputError, match="there is no dataset"):
        Dataset.open(tmp_path)


def test_someone_elses_geopackage_is_refused_and_left_alone(tmp_path):
    path = tmp_path / "dataset.gpkg"
    subprocess.run([sys.executable, "-c", BY_FIONA, str(path)], check=True, timeout=60)
    before = path.read_bytes()
    with pytest.raises(InputError, match=r"is a GeoPackage, but no dataset of OVEarth.*import"):
        Dataset.open(tmp_path)
    assert path.read_bytes() == before
    with pytest.raises(UsageError, match="there is a dataset already"):
        Dataset.create(tmp_path)
    with pytest.raises(UsageError, match="is a file, not a folder"):
        Dataset.create(path)


@pytest.mark.parametrize(
    ("content", "fault"),
    [(b"", "is empty: no dataset was ever written into it.*ovearth init"),
     (b"PK\x03\x04" * 500, "is not a GeoPackage"),
     (b"SQLite format 3\0" + b"\xff" * 4000, "is not a GeoPackage|is damaged")],
)  # fmt: skip
def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path, content, fault):
    path = tmp_path / "dataset.gpkg"
    path.write_bytes(content)
    with pytest.raises(InputError, match=fault):
        Dataset.open(tmp_path)
    assert path.read_bytes() == content
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_cut_off_or_overwritten_in_the_middle_is_said_to_be_damaged(tmp_path):
    dataset, image = made(tmp_path)
    with dataset.writing() as edit:
        target = edit.add(TargetRow(None, image.id, TANK)).id
        for number in range(2000):
            edit.add(QueryRow(str(number), target, "vocabulary", "positive", "tank " * 20))
    whole = dataset.path.read_bytes()
    for damaged in (
        whole[: len(whole) // 2],
        whole[: len(whole) // 2] + bytes(100_000) + whole[len(whole) // 2 + 100_000 :],
    ):
        dataset.path.write_bytes(damaged)
        with pytest.raises(InputError, match=r"is damaged, .*restore it from a backup"):  # noqa: SIM117
            with Dataset.open(dataset.folder).reading() as view:
                list(view.queries())
        assert dataset.path.read_bytes() == damaged


# Rights are root's to ignore: the child gives them up once it has loaded what it needs.
AS_NOBODY = """
import os, sys
from pathlib import Path
import rasterio
from ovearth_core.dataset import CategoryRow, Dataset, View
from ovearth_core.errors import OVEarthError
from tests.core.datasets import image_row
image_row()
folder = Path(sys.argv[1])
if os.geteuid() == 0:
    os.seteuid(65534)
def attempt(what):
    try:
        print(what())
    except OVEarthError as fault:
        print(type(fault).__name__, fault)
def read():
    with Dataset.open(folder).reading() as view:
        return view.counts()["images"]
def write():
    with Dataset.open(folder).writing() as edit:
        return edit.add(image_row("images/b.tif"))
attempt(read)
attempt(write)
attempt(lambda: Dataset.create(folder / "within"))
"""


@pytest.mark.parametrize("only_the_folder", [True, False])
def test_a_read_only_dataset_is_read_but_not_written(open_folder, only_the_folder):
    dataset, _ = made(open_folder)
    before = dataset.path.read_bytes()
    dataset.path.chmod(0o666 if only_the_folder else 0o444)
    dataset.folder.chmod(0o555)
    try:
        child = subprocess.run(
            [sys.executable, "-c", AS_NOBODY, str(dataset.folder)],
            cwd=CHECKOUT, capture_output=True, text=True, check=True, timeout=60,
        )  # fmt: skip
    finally:
        dataset.folder.chmod(0o755)
    read, write, create = child.stdout.splitlines()
    assert read == "1"
    for line in (write, create):
        assert line.startswith(("OutputError can't be", "OutputError can't make"))
        assert "check the" in line
    assert dataset.path.read_bytes() == before
    assert [path.name for path in dataset.folder.iterdir()] == ["dataset.gpkg"]


COMMANDS_AS_NOBODY = """
import os, sys
import numpy, pyproj, rasterio, shapely, matplotlib, rich
from ovearth_core.cli.main import main
from ovearth_core.dataset.review import session
for command in ("check", "stats", "boxes"):
    main([command, "--help"])
main(["check", sys.argv[2]])
main(["stats", sys.argv[2]])
print("-" * 9, flush=True)
if os.geteuid() == 0:
    os.seteuid(65534)
for command in ("check", "stats", "review list"):
    print(main([*command.split(), sys.argv[1]]), flush=True)
"""


def in_wal_mode(folder, closes):
    dataset, _ = made(folder)
    connection = sqlite3.connect(dataset.path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("UPDATE categories SET definition = 'a'")
    if closes:
        connection.close()
    return dataset, connection


def as_nobody(dataset, tmp_path):
    other, _ = made(tmp_path)
    dataset.folder.chmod(0o555)
    try:
        return subprocess.run(
            [sys.executable, "-c", COMMANDS_AS_NOBODY, str(dataset.folder), str(other.folder)],
            cwd=CHECKOUT, capture_output=True, text=True, check=True, timeout=60,
        )  # fmt: skip
    finally:
        dataset.folder.chmod(0o755)


@pytest.mark.parametrize("empty_log", [True, False])
def test_a_dataset_left_in_wal_mode_is_read_in_a_read_only_folder(open_folder, tmp_path, empty_log):
    dataset, _ = in_wal_mode(open_folder, closes=True)
    if empty_log:
        dataset.path.with_name("dataset.gpkg-wal").touch()
    before = sorted(path.name for path in dataset.folder.iterdir())
    done = as_nobody(dataset, tmp_path)
    told = done.stdout.partition("-" * 9)[2]
    assert "[no-file]" in told
    assert [line for line in told.splitlines() if line in ("0", "1", "2")] == ["1", "0", "0"]
    assert done.stderr == ""
    assert sorted(path.name for path in dataset.folder.iterdir()) == before


def test_changes_in_a_log_that_can_not_be_read_are_not_passed_over(open_folder, tmp_path):
    dataset, connection = in_wal_mode(open_folder, closes=False)
    log = dataset.path.with_name("dataset.gpkg-wal").read_bytes()
    file = dataset.path.read_bytes()
    connection.close()
    # As after a crash, or where somebody copied two of the three files.
    dataset.path.write_bytes(file)
    dataset.path.with_name("dataset.gpkg-wal").write_bytes(log)
    done = as_nobody(dataset, tmp_path)
    assert done.stdout.partition("-" * 9)[2].split() == ["2", "2", "2"]
    lines = done.stderr.splitlines()
    assert len(lines) == 3
    for line in lines:
        assert "its last changes are still in dataset.gpkg-wal" in line
        assert "copy the whole folder" in line


@pytest.fixture
def open_folder():
    """A folder that everybody may enter: pytest's own is its user's alone."""
    from tempfile import TemporaryDirectory

    with TemporaryDirectory() as name:
        os.chmod(name, 0o755)  # noqa: PTH101
        yield type(CHECKOUT)(name)


@pytest.fixture
def small_disk(tmp_path):
    """A file system of one megabyte."""
    place = tmp_path / "disk"
    place.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)]
    if os.geteuid() or subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("only root can mount a small file system here")
    yield place
    subprocess.run(["umount", str(place)], check=True)


def test_a_full_disk_is_said_and_nothing_is_changed(small_disk):
    dataset, image = made(small_disk)
    with dataset.writing() as edit:
        target = edit.add(TargetRow(None, image.id, TANK)).id
    texts = ("tank " * 200 for _ in range(5000))
    with (
        pytest.raises(OutputError, match=r"the disk is full, nothing was changed.*make room"),
        dataset.writing() as edit,
    ):
        for number, text in enumerate(texts):
            edit.add(QueryRow(str(number), target, "vocabulary", "positive", text))
    with Dataset.open(dataset.folder).reading() as view:
        assert view.counts()["queries"] == 0
        assert view.counts()["targets"] == 1
    with pytest.raises(OSError, match="No space left"):
        (small_disk / "filler").write_bytes(bytes(1_000_000))
    with pytest.raises(OutputError, match="the disk is full"):
        Dataset.create(small_disk / "second", CATEGORIES)
    assert not (small_disk / "second").exists()


def test_the_log_can_not_be_changed_by_any_statement(tmp_path):
    dataset, image = made(tmp_path)
    with dataset.writing("anna") as edit:
        target = edit.add(TargetRow(None, image.id, TANK)).id
        edit.add(ReviewRow(None, target, comment="kept"))
    before = log(dataset)
    for statement in (
        "UPDATE reviews SET who = 'me'", "UPDATE OR REPLACE reviews SET id = 1 WHERE id = 2",
        "DELETE FROM reviews", "DELETE FROM reviews WHERE id = 2",
        "INSERT OR REPLACE INTO reviews (id, target_id) VALUES (1, 1)",
        "REPLACE INTO reviews (id, target_id, who) VALUES (2, 1, 'me')",
        "INSERT INTO reviews (id, target_id) VALUES (1, 1) ON CONFLICT DO UPDATE SET who = 'me'",
        "INSERT INTO reviews (id, target_id) VALUES (1, 1) ON CONFLICT DO NOTHING",
        "INSERT INTO reviews (id, target_id) VALUES (-1, 1)",
        "INSERT INTO reviews (target_id) VALUES (99)",
    ):  # fmt: skip
        # As a program would that knows nothing of this one: no foreign keys, no functions.
        with closing(sqlite3.connect(dataset.path)) as connection:
            with pytest.raises(sqlite3.IntegrityError):
                connection.execute(statement)
            connection.commit()
        assert log(dataset) == before
    with pytest.raises(UsageError, match="can only be added to"), dataset.writing() as edit:
        edit.update(ReviewRow(1, target, comment="me"))


def log(dataset):
    with dataset.reading() as view:
        return list(view.reviews())


def test_guards_hold_without_foreign_keys_too(tmp_path):
    dataset, image = made(tmp_path)
    with dataset.writing("anna") as edit:
        edit.add_instance(image.id, TANK, SQUARE)
        edit.add(QueryRow("q", 1, "vocabulary", "positive", "tank"))
        edit.add(image_row("images/b.tif"))
        edit.add(TargetRow(None, 2, TANK))
    for statement in (
        "DELETE FROM images", "UPDATE images SET width = 3 WHERE id = 1",
        "UPDATE images SET id = 9 WHERE id = 1",
        "REPLACE INTO images SELECT * FROM images", "DELETE FROM targets",
        "REPLACE INTO targets SELECT * FROM targets",
        "UPDATE OR REPLACE targets SET id = 1 WHERE id = 2",
        "UPDATE targets SET image_id = 2 WHERE id = 1", "UPDATE targets SET state = 'done'",
        "UPDATE targets SET image_id = 7 WHERE id = 2",
        "INSERT INTO targets (image_id, category_id) VALUES (9, 7)",
        "INSERT INTO targets (image_id, category_id) VALUES (1, 9)",
        "INSERT INTO instances (target_id) VALUES (9)",
        "UPDATE instances SET target_id = 2", "UPDATE instances SET target_id = 9",
        "REPLACE INTO instances SELECT * FROM instances",
        "INSERT INTO queries (target_id, text) VALUES (9, 'x')",
        "UPDATE queries SET target_id = 9",
        "REPLACE INTO queries (id, target_id, text) VALUES ('q', 1, 'x')",
        "DELETE FROM categories", "REPLACE INTO categories SELECT * FROM categories",
    ):  # fmt: skip
        with closing(sqlite3.connect(dataset.path)) as connection:
            prepare(connection)
            connection.execute("PRAGMA foreign_keys = OFF")
            before = dump(connection)
            with pytest.raises(sqlite3.IntegrityError):
                assert not connection.execute(statement), statement
            connection.commit()
            assert dump(connection) == before, statement


def dump(connection):
    tables = ("images", "targets", "instances", "queries", "categories", "reviews")
    return [connection.execute("SELECT * FROM " + table).fetchall() for table in tables]


def test_a_polygon_that_is_none_is_refused(tmp_path):
    dataset, image = made(tmp_path)
    for shape, fault in (
        ([[0, 0], [1, 1]], "three"), ([[0, 0], [1, 1], [np.nan, 0]], "finite|number"),
        ({"type": "Point", "coordinates": [0, 0]}, "Point"),
        ({"type": "GeometryCollection", "geometries": []}, "without a polygon"), ("abc", "abc"),
    ):  # fmt: skip
        with pytest.raises(GeometryError, match=fault), dataset.writing() as edit:
            edit.add_instance(image.id, TANK, shape)
    with dataset.reading() as view:
        assert view.counts()["targets"] == 0


def test_an_instance_that_can_not_be_read_is_named_or_collected(tmp_path):
    dataset, image = made(tmp_path)
    with dataset.writing() as edit:
        for shift in range(3):
            edit.add_instance(image.id, TANK, SQUARE + shift)
    with connected(dataset.path) as connection:
        connection.execute("UPDATE instances SET geom = ? WHERE id = 2", (point_blob(0, 0),))
    with pytest.raises(InputError, match="instance 2 of image 1"), dataset.reading() as view:
        list(view.instances())
    faults = []
    with dataset.reading() as view:
        assert [row.id for row in view.instances(faults=faults)] == [1, 3]
    ((number, fault),) = faults
    assert number == 2
    assert "a point where a polygon belongs" in str(fault)
    with dataset.writing() as edit:
        removed = edit.remove_image(image.id, with_targets=True)
    assert sorted(row.id for row in removed.instances) == [1, 2, 3]


# Images


def write_tif(path, **options):
    import rasterio

    with rasterio.open(path, "w", driver="GTiff", width=8, height=6, count=1, dtype="uint8",
                       **options) as image:  # fmt: skip
        image.write(np.ones((1, 6, 8), np.uint8))
    return path


@pytest.mark.filterwarnings("ignore::rasterio.errors.NotGeoreferencedWarning")
@pytest.mark.filterwarnings("ignore::PendingDeprecationWarning")
def test_images_without_a_place_are_refused_by_name_with_how_to_georeference_them(tmp_path):
    from rasterio.control import GroundControlPoint as Gcp
    from rasterio.rpc import RPC
    from rasterio.transform import from_origin

    dataset = Dataset.create(tmp_path / "dataset", CATEGORIES)
    (dataset.folder / "images").mkdir()

    def place(name, **options):
        return write_tif(dataset.folder / "images" / name, **options)

    gcps = [Gcp(r, c, 15 + c * 1e-5, 50 - r * 1e-5) for r, c in ((0, 0), (0, 8), (6, 0), (6, 8))]
    numbers = [1.0] + [0.0] * 19
    rpc = RPC(0, 1, 50, 1, numbers, numbers, 3, 4, 15, 1, numbers, numbers, 4, 4)
    transform = from_origin(5e5, 5e6, 0.1, 0.1)
    for path, fault in (
        (place("plain.tif"), r"plain.tif, .*georeference"),
        (place("no-crs.tif", transform=transform), "the image has no CRS"),
        (place("no-transform.tif", crs="EPSG:32633"), "the image has no transform"),
        (place("gcps.tif", gcps=gcps, crs="EPSG:4326"), "only ground control points.*warp"),
        (place("rpc.tif", rpcs=rpc), "only rational polynomials.*warp"),
    ):
        with pytest.raises(FrameError, match=fault) as error:
            dataset.add_image(path)
        assert path.name in str(error.value)
    outside = write_tif(tmp_path / "outside.tif", crs="EPSG:32633", transform=transform)
    with pytest.raises(InputError, match=r"not in the dataset's folder.*copy it into"):
        dataset.add_image(outside)
    (dataset.folder / "text.tif").write_text("no image")
    with pytest.raises(InputError, match="is no image that can be read"):
        dataset.add_image(dataset.folder / "text.tif")
    with pytest.raises(InputError, match="there is no such file"):
        dataset.add_image(dataset.folder / "nowhere.tif")
    good = dataset.add_image(place("good.tif", crs="EPSG:32633", transform=transform))
    with pytest.raises(InputError, match=r"file_name.*nothing was changed"):
        dataset.add_image(dataset.folder / "images" / "good.tif")
    with dataset.reading() as view:
        assert list(view.images()) == [good]


@needs_shared
def test_a_real_image_keeps_its_place_its_true_gsd_and_its_checksum(tmp_path):
    import hashlib

    dataset = Dataset.create(tmp_path / "dataset", CATEGORIES)
    for source in (DATA / "images").glob("*.tif"):
        path = dataset.folder / "images" / source.name
        path.parent.mkdir(exist_ok=True)
        shutil.copy(source, path)
        row = dataset.add_image(path, "anna", source="NEON", date_captured="2018-05-01")
        assert row.file_name == "images/" + source.name
        assert row.sha256 == hashlib.sha256(source.read_bytes()).hexdigest()
        assert row.gsd_m == pytest.approx(row.frame().gsd())
        assert dataset.image_path(row) == path.resolve()
        with dataset.reading() as view:
            assert view.image(row.id) == row
            assert view.image_of_file(row.file_name) == row
            assert view.image_of_file("images/other.tif") is None
