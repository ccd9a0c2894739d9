"""Which category a class of a label file is: told by a mapping file, by name, or by synonym."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from ...entry import describe
from ...errors import InputError
from ...jsonstream import distinct_keys
from ...taxonomy import load
from ...taxonomy.words import Likeness, key_of
from ..rows import CategoryRow

_HEADINGS = ("class", "category")
_NEAREST = 3


class ClassMapping:
    """Finds categories of a dataset by the names that other datasets give them.

    given: class to category id or name, None for a class whose labels are to be skipped; it wins.
    Then come names and slugs, then the categories' own synonyms, then those of the taxonomy that
    comes with OVEarth, all with their spelling evened out.
    """

    def __init__(
        self, categories: Iterable[CategoryRow], given: Mapping[str, int | str | None] | None = None
    ) -> None:
        self._categories = list(categories)
        self._by_key = _by_key(self._categories)
        self._given = {name: self._told(name, value) for name, value in (given or {}).items()}
        self._given_by_key = {key_of(name): value for name, value in self._given.items()}

    def knows(self, class_name: str) -> bool:
        """Whether a class maps to a category, or is to be skipped."""
        return (
            class_name in self._given
            or key_of(class_name) in self._given_by_key
            or key_of(class_name) in self._by_key
        )

    def category_id(self, class_name: str) -> int | None:
        """Return a known class's category, None for one that is to be skipped."""
        if class_name in self._given:
            return self._given[class_name]
        key = key_of(class_name)
        return self._given_by_key[key] if key in self._given_by_key else self._by_key[key]

    def nearest(self, class_name: str) -> list[str]:
        """Return the names of the three categories that are spelt most like a class."""
        likeness = Likeness(class_name)
        ranked = sorted(self._categories, key=lambda row: -likeness.to(row.name))
        return [row.name for row in ranked[:_NEAREST]]

    def add(self, category: CategoryRow) -> None:
        """Know one more category, by its name."""
        self._categories.append(category)
        self._by_key.setdefault(key_of(category.name), category.id)

    def _told(self, class_name: str, value: int | str | None) -> int | None:
        if value is None or value == "":
            return None
        for row in self._categories:
            if value in (row.id, row.slug, row.name) or value == str(row.id):
                return row.id
        found = self._by_key.get(key_of(str(value)))
        if found is None:
            near = ", ".join(map(repr, self.nearest(str(value)))) or "none: the dataset has none"
            raise InputError(
                f"the class {class_name!r} is mapped to {value!r}, which is no category",
                "--mapping",
                f"nearest are {near}",
            )
        return found


def read_mapping(path: Path) -> dict[str, int | str | None]:
    """Read a mapping file: a JSON object, or CSV with the columns class and category.

    An empty category, or null, says that labels of the class are to be skipped. InputError for
    anything else, with the line.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise InputError("no such file", str(path), "mend --mapping") from None
    except (OSError, UnicodeDecodeError) as fault:
        raise InputError(f"can't be read ({fault})", str(path), "write it as UTF-8") from None
    is_json = text.lstrip().startswith(("{", "[")) or path.suffix.lower() == ".json"
    return _from_json(text, path) if is_json else _from_csv(text, path)


def _from_json(text: str, path: Path) -> dict[str, int | str | None]:
    try:
        found: dict[str, Any] = json.loads(text, object_pairs_hook=distinct_keys)
    except InputError as fault:
        raise fault.at(str(path)) from None
    except (ValueError, RecursionError) as fault:
        raise InputError(f"not JSON ({fault})", str(path), "mend it") from None
    if not isinstance(found, dict):
        raise InputError(
            f"{describe(found)}, no JSON object", str(path),
            'write {"class": category id or name, or null to skip it}',
        )  # fmt: skip
    for name, value in found.items():
        if value is not None and type(value) not in (int, str):
            raise InputError(
                f"the class {name!r} is mapped to {describe(value)}",
                str(path),
                "write a category's id or name, or null to skip it",
            )
    return found


def _from_csv(text: str, path: Path) -> dict[str, int | str | None]:
    found: dict[str, int | str | None] = {}
    for number, cells in enumerate(csv.reader(text.splitlines()), start=1):
        row = [cell.strip() for cell in cells]
        is_heading = number == 1 and tuple(cell.lower() for cell in row) == _HEADINGS
        if not any(row) or is_heading:
            continue
        where = f"{path} line {number}"
        if len(row) != len(_HEADINGS) or not row[0]:
            raise InputError(f"{len(row)} columns", where, "write two: class,category")
        if found.get(row[0], row[1]) != row[1]:
            raise InputError(f"the class {row[0]!r} is mapped twice", where, "keep one of them")
        found[row[0]] = row[1]
    return found


def _by_key(categories: list[CategoryRow]) -> dict[str, int]:
    """Return category ids by evened-out names: their own before the taxonomy's synonyms."""
    found: dict[str, int] = {}
    for row in categories:
        for name in (row.name, row.slug):
            found.setdefault(key_of(name), row.id)
    for row in categories:
        for name in row.extra.get("synonyms") or ():
            found.setdefault(key_of(str(name)), row.id)
    whole = load()
    for row in categories:
        known = whole.known(row.slug) or whole.known(row.name)
        for name in known.names if known is not None else ():
            found.setdefault(key_of(name), row.id)
    return found
