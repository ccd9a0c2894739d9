"""A dataset's categories: taken from a taxonomy, and found again by any of their names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..errors import InputError, UsageError
from ..taxonomy import Category, Taxonomy, load
from ..taxonomy.words import Likeness, key_of
from .rows import CategoryRow
from .store import IMAGE_FOLDER, Dataset
from .view import View

_SHOWN_NEAREST = 3


def init_dataset(folder: Path, taxonomy: Taxonomy) -> Dataset:
    """Make a dataset with a taxonomy's categories, and its folder for images.

    Raises UsageError where there is one already, OutputError where it can't be written.
    """
    images = folder / IMAGE_FOLDER
    if images.exists() and not images.is_dir():
        raise UsageError("is no folder", str(images), "images go there: move it away")
    notes = {"taxonomy": {"name": taxonomy.name, "version": taxonomy.version}}
    dataset = Dataset.create(folder, map(category_row, taxonomy), notes)
    images.mkdir(exist_ok=True)
    return dataset


def category_row(category: Category) -> CategoryRow:
    """Return a category of a taxonomy as a dataset keeps it; its number is the id."""
    more = {"synonyms": list(category.synonyms), "look_alikes": list(category.look_alikes)}
    return CategoryRow(
        category.number, category.id, category.name, category.domain, category.branch,
        category.instanceable, category.definition,
        {key: value for key, value in more.items() if value},
    )  # fmt: skip


def find_category(view: View, text: str) -> CategoryRow:
    """Return the category with this id, slug, name or synonym, spelling evened out.

    Synonyms are the dataset's own, then those of the taxonomy that comes with OVEarth. InputError,
    with the three nearest names, where there is none.
    """
    rows = list(view.categories())
    if text.isascii() and text.isdigit():
        numbered = [row for row in rows if row.id == int(text)]
        if numbered:
            return numbered[0]
    wanted = key_of(text)
    for names_of in (_own_names, _synonyms, _names_elsewhere):
        for row in rows:
            if wanted and wanted in map(key_of, names_of(row)):
                return row
    likeness = Likeness(text)
    near = sorted(rows, key=lambda row: -max(map(likeness.to, _all_names(row))))
    names = ", ".join(repr(row.name) for row in near[:_SHOWN_NEAREST])
    raise InputError(
        f"unknown category {text!r}",
        "in the dataset",
        f"nearest are {names}" if names else "it has no categories",
    )


def _own_names(row: CategoryRow) -> tuple[str, ...]:
    return (row.slug, row.name)


def _synonyms(row: CategoryRow) -> tuple[str, ...]:
    return tuple(map(str, row.extra.get("synonyms", ())))


def _names_elsewhere(row: CategoryRow) -> tuple[str, ...]:
    known = load().known(row.slug)
    return () if known is None else known.names


def _all_names(row: CategoryRow) -> Iterator[str]:
    yield from _own_names(row)
    yield from _synonyms(row)
