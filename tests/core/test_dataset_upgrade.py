"""A dataset of an older version is brought up to date, and what it was is kept beside it."""

import sqlite3
from contextlib import closing

import pytest

from ovearth_core.dataset import Dataset
from ovearth_core.dataset.identity import stored_version
from ovearth_core.dataset.tables import VERSION
from ovearth_core.errors import InputError

from .datasets import SQUARE, TANK, made


@pytest.fixture
def older(tmp_path):
    """A dataset as version 1 wrote it: without styles, and with a trigger that is no more."""
    dataset, image = made(tmp_path)
    with dataset.writing("anna") as edit:
        edit.add_instance(image.id, TANK, SQUARE)
    new = ("model", "prompt", "correction", "verified_model", "verified_prompt", "verified_at",
           "verified_why")  # fmt: skip
    with closing(sqlite3.connect(dataset.path)) as connection:
        connection.executescript(
            "DROP TRIGGER targets_take_query_runs_along; DROP TABLE query_runs;"
            "DROP TABLE query_judgements;"
            "DELETE FROM gpkg_contents WHERE table_name IN ('query_runs', 'query_judgements');"
            + "".join(f"ALTER TABLE queries DROP COLUMN {name};" for name in new)
            + "DROP TABLE layer_styles; DROP TABLE qgis_projects;"
            "DELETE FROM gpkg_contents WHERE table_name = 'layer_styles';"
            "DROP TRIGGER reviews_lose_none; DROP TRIGGER targets_log_state;"
            "CREATE TRIGGER long_gone AFTER INSERT ON pois BEGIN SELECT 1; END;"
            "UPDATE ovearth_dataset SET value = '1' WHERE key = 'version';"
        )
    return dataset


def content(path):
    with closing(sqlite3.connect(path)) as connection:
        return [
            connection.execute("SELECT * FROM " + table).fetchall()
            for table in ("images", "targets", "instances", "reviews", "categories")
        ]


def schema(path):
    with closing(sqlite3.connect(path)) as connection:
        return set(connection.execute("SELECT type, name, sql FROM sqlite_master"))


def test_opening_upgrades_and_keeps_a_copy_of_what_was_before(older, tmp_path):
    before = content(older.path)
    Dataset.open(older.folder)
    assert stored_version(older.path) == VERSION
    assert content(older.path) == before
    copy = older.folder / "dataset-version-1.gpkg"
    assert stored_version(copy) == 1
    assert content(copy) == before
    # Opened again, there is nothing to do.
    Dataset.open(older.folder)
    assert sorted(path.name for path in older.folder.iterdir()) == [
        "dataset-version-1.gpkg", "dataset.gpkg"]  # fmt: skip


def test_an_upgraded_file_is_made_as_a_new_one_is(older, tmp_path):
    Dataset.open(older.folder)
    assert schema(older.path) == schema(Dataset.create(tmp_path / "new").path)


def test_a_second_upgrade_keeps_a_copy_of_its_own(older):
    (older.folder / "dataset-version-1.gpkg").write_bytes(b"somebody's")
    Dataset.open(older.folder)
    assert (older.folder / "dataset-version-1.gpkg").read_bytes() == b"somebody's"
    assert stored_version(older.folder / "dataset-version-1-2.gpkg") == 1


def test_an_upgrade_that_fails_changes_nothing(older):
    # A table in the way of the step from version 1 to 2, which finds it in the middle of its work.
    with closing(sqlite3.connect(older.path)) as connection:
        connection.execute("CREATE TABLE layer_styles (strange TEXT)")
    before = schema(older.path), content(older.path)
    with pytest.raises(InputError, match=r"SQLite can't do it .*dataset.gpkg"):
        Dataset.open(older.folder)
    assert (schema(older.path), content(older.path)) == before
    assert stored_version(older.path) == 1


def test_a_newer_version_is_refused_and_left_alone(older):
    with closing(sqlite3.connect(older.path)) as connection:
        connection.execute("UPDATE ovearth_dataset SET value = '99' WHERE key = 'version'")
        connection.commit()
    with pytest.raises(InputError, match=r"has version 99, this OVEarth knows .*update OVEarth"):
        Dataset.open(older.folder)
    assert [path.name for path in older.folder.iterdir()] == ["dataset.gpkg"]
