"""Features of a map product: a table of any format, and its rows read as answers to queries."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, time
from decimal import Decimal
from pathlib import Path
from typing import Any, Protocol

from ..benchmark import MODALITIES
from ..entry import describe
from ..errors import InputError
from ..spelling import nearest

Geometry = Mapping[str, Any]
Row = tuple[Sequence[Any], Geometry | None]

QUERY_ID, KIND, SCORE = "query_id", "kind", "score"
_LARGEST_SCORE = 1e15


class Table(Protocol):
    """One layer of a file, whatever its format."""

    path: Path
    layer: str | None
    columns: Sequence[str]
    crs: str | None
    how_to_give_a_crs: str

    @property
    def geometry_column(self) -> str | None:
        """Return which of the columns is the geometry itself, None where it is kept apart."""
        ...

    def rows(self, columns: Sequence[str], with_geometry: bool) -> Iterator[Row]:
        """Yield the values of `columns` and a GeoJSON-like geometry (None: null, or not asked for).

        Anew each time, in file order. Raises InputError where the file is damaged.
        """
        ...


@dataclass(frozen=True, slots=True)
class Feature:
    """A row that has been understood; `number` counts from 1 in its layer."""

    number: int
    query_id: str
    kind: str
    score: float | None
    geometry: Geometry | None


def feature_place(layer: str | None, number: int) -> str:
    """Return such as `feature 7`, or `layer 'hbb' feature 7` in a file of several layers."""
    return f"feature {number}" if layer is None else f"layer {layer!r} feature {number}"


def column_named(columns: Sequence[str], name: str) -> str | None:
    """Return the column of that name, in whatever case a format has turned it to."""
    if name in columns:
        return name
    return next((column for column in columns if column.lower() == name), None)


class FeatureReader:
    """Reads the features of one table.

    `kind`: what all features are where there is no column `kind`; where there is one too and the
    layer is named after a kind, both must agree. Raises InputError without column `query_id`.
    """

    def __init__(self, table: Table, kind: str | None) -> None:
        self.table = table
        self._id_column = column_named(table.columns, QUERY_ID)
        self._kind_column = column_named(table.columns, KIND)
        self._score_column = column_named(table.columns, SCORE)
        self._layer_kind = table.layer if table.layer in MODALITIES else None
        self._kind = self._layer_kind or kind
        where = str(table.path) if table.layer is None else f"{table.path} layer {table.layer!r}"
        if self._id_column is None:
            listed = ", ".join(table.columns[:20]) or "none"
            raise InputError(
                f"no column {QUERY_ID!r} (there are: {listed})",
                where,
                "add one that names each feature's query",
            )
        if self._kind_column is None and self._kind is None:
            raise InputError(
                f"no column {KIND!r} says what its polygons are",
                where,
                "add one (mask, hbb or obb), or score with exactly one --modality",
            )

    def features(self, with_geometry: bool) -> Iterator[Feature]:
        """Yield the features in file order; raises InputError naming the first faulty one."""
        columns = [
            column
            for column in (self._id_column, self._kind_column, self._score_column)
            if column is not None
        ]
        at = {column: index for index, column in enumerate(columns)}
        id_at = at[str(self._id_column)]
        kind_at = None if self._kind_column is None else at[self._kind_column]
        score_at = None if self._score_column is None else at[self._score_column]
        for number, (values, geometry) in enumerate(self.table.rows(columns, with_geometry), 1):
            yield Feature(
                number,
                self._query_id(values[id_at], number),
                str(self._kind) if kind_at is None else self._word(values[kind_at], number),
                None if score_at is None else self._score(values[score_at], number),
                geometry,
            )

    def fail(self, number: int, what: str, mend: str) -> InputError:
        """Return the error for a feature."""
        return InputError(what, self.where(number), mend)

    def where(self, number: int) -> str:
        """Name a feature's place for a message."""
        return f"{self.table.path} {feature_place(self.table.layer, number)}"

    def _query_id(self, value: Any, number: int) -> str:
        if isinstance(value, str) and value:
            return value
        if isinstance(value, int) and not isinstance(value, bool):
            return str(value)
        what = "null" if value in (None, "") else f"{describe(value)}, not text"
        raise self.fail(number, f"{QUERY_ID!r} is {what}", "every feature names its query, as text")

    def _word(self, value: Any, number: int) -> str:
        if value in (None, ""):
            raise self.fail(number, f"{KIND!r} is null", f"write {', '.join(MODALITIES)}")
        if not isinstance(value, str) or value not in MODALITIES:
            raise self.fail(
                number, f"{KIND!r} is {describe(value)}", nearest(str(value), MODALITIES)
            )
        if self._layer_kind not in (None, value):
            raise self.fail(
                number, f"{KIND!r} is {value!r} in the layer {self.table.layer!r}", "rename one"
            )
        return value

    def _score(self, value: Any, number: int) -> float | None:
        if value is None or value == "":
            return None
        score = math.nan
        if isinstance(value, (int, float, Decimal, str)) and not isinstance(value, bool):
            with suppress(ValueError, OverflowError):
                score = float(value)
        if not abs(score) <= _LARGEST_SCORE:
            raise self.fail(
                number,
                f"{SCORE!r} is {describe(value)}, not a finite number",
                "write a number, or null for all",
            )
        return score


def plain(value: Any) -> Any:
    """Return attributes as JSON holds them; what is null, or no number, is left out."""
    if isinstance(value, Mapping):
        found = {str(key): plain(item) for key, item in value.items()}
        return {key: item for key, item in found.items() if item is not None}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, Decimal):
        value = float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, (date, time)):
        return value.isoformat()
    return value if value is None or isinstance(value, (bool, int, str)) else str(value)
