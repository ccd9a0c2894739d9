"""A vector file without query ids: objects by the images that they lie in and by their class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ...benchmark import MODALITIES
from ...errors import InputError
from ...foreign_file import refuse_dataset
from ..features import Table
from ..sources import VECTOR_ENDINGS, vector_tables
from ..vector_run import common_crs
from .answer import Answer
from .class_names import ClassNames
from .duplicates import without_doubles
from .map_layer import MapLayer
from .reading import Reading
from .scene import Detection, query_answers, scene_answers
from .score_rule import ScoreRule

_DUPLICATES = 0.5


def opened_tables(source: Path) -> Sequence[Table]:
    """Return the layers of a vector file; InputError for another file, and a dataset's own."""
    refuse_dataset(source)
    tables = vector_tables(source)
    if not tables:
        raise InputError("no vector file", str(source), f"name one of {', '.join(VECTOR_ENDINGS)}")
    return tables


def vector_answers(source: Path, reading: Reading) -> Iterator[Answer]:
    """Yield the answers of a vector file, in its CRS; by query id where a column has it."""
    tables = opened_tables(source)
    crs = common_crs(source, tables)
    names = ClassNames(reading)
    readers = [MapLayer(table, crs, reading, names) for table in tables]
    with_ids = [reader for reader in readers if reader.query is not None]

    def answered() -> Iterator[tuple[str, Detection]]:
        number = 0
        rule = ScoreRule(reading)
        for reader in with_ids:
            for query_id, found in reader.answers(rule):
                number += 1
                yield query_id, replace(found, line=number)

    def detections() -> Iterator[Detection]:
        number = 0
        for reader in readers:
            for found in reader.detections():
                number += 1
                yield replace(found, line=number)

    if with_ids:
        yield from query_answers(answered, reading)
        return
    least = reading.options.duplicates
    kinds = (reading.options.modality,) if reading.options.modality else MODALITIES
    yield from scene_answers(
        detections,
        reading,
        names,
        kinds,
        lambda some: without_doubles(some, _DUPLICATES if least is None else least),
    )
