"""Ids below zero, which benchmarks may have, keep nobody from adding rows without one."""

import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest

from ovearth_core.dataset import CategoryRow, Dataset, InstanceRow, TargetRow
from ovearth_core.errors import InputError

from .datasets import SQUARE, image_row


@pytest.fixture
def below_zero(tmp_path):
    """A dataset whose category, image, target and instance have the id -1."""
    dataset = Dataset.create(tmp_path / "d", [CategoryRow(-1, "tank", "Tank", "Industry")])
    with dataset.writing() as edit:
        edit.add(replace(image_row(), id=-1))
        edit.add(TargetRow(-1, -1, -1))
        edit.add(InstanceRow(-1, -1, ((SQUARE,),)))
    return dataset


def test_rows_without_an_id_can_be_added_beside_one_of_the_id_minus_one(below_zero):
    with below_zero.writing() as edit:
        image = edit.add(image_row("images/b.tif"))
        target = edit.add(TargetRow(None, image.id, -1))
        drawn = edit.add_instance(image.id, -1, SQUARE)
        assert (drawn.target_id, image.id > 0, target.id > 0, drawn.id > 0) == (
            target.id, True, True, True)  # fmt: skip
        assert len(list(edit.instances())) == 2


def test_another_program_can_add_a_category_without_an_id(below_zero):
    with closing(sqlite3.connect(below_zero.path)) as connection:
        connection.execute("INSERT INTO categories (slug, name) VALUES ('field', 'Field')")
        connection.commit()
    with below_zero.reading() as view:
        assert [row.id for row in view.categories()] == [-1, 1]


@pytest.mark.parametrize("row_id", [-1, -2, 3])
def test_an_id_that_is_taken_is_refused_whatever_its_sign(below_zero, row_id):
    row = replace(image_row("images/b.tif"), id=row_id)
    with below_zero.writing() as edit:
        if row_id != -1:
            edit.add(row)
    with pytest.raises(InputError), below_zero.writing() as edit:
        edit.add(replace(row, file_name="images/c.tif"))
