"""A map product as a run: features that name their query, grouped into one record a query."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..benchmark import MODALITIES
from ..crs import geographic_period, same_crs, shortest_name
from ..errors import InputError, OVEarthError, UsageError
from ..geometry import Polygon
from ..spelling import nearest
from .features import QUERY_ID, Feature, FeatureReader, Table, column_named, feature_place
from .header import Header
from .map_shapes import in_one_piece, map_box, map_polygons, map_quad, mask_polygons
from .record import Record
from .run import Predictions
from .run_files import sha256_of_files, with_side_files

Floats = NDArray[np.float64]


def vector_run(path: Path, tables: Sequence[Table], modality: str | None = None) -> Predictions:
    """Return the run that a vector file holds; its features are read when it is iterated.

    `tables`: the file's layers. Those that are named mask, hbb or obb are read, else the only one
    with a column `query_id`. `modality` says what all features are where no column `kind` does.

    The first pass over the file, here, reads attributes alone; the second, at each iteration,
    yields a query's record once all its features have been met. Memory: about 300 bytes a query,
    and 16 bytes a vertex (500 more a feature) of the queries that are not complete yet: one, where
    features of a query follow each other, everything where they are scattered.

    Raises InputError for a missing column or CRS, a word or value that is none, a file that is
    damaged or empty; UsageError for a modality that is none.
    """
    if modality is not None and modality not in MODALITIES:
        raise UsageError(
            f"unknown modality {modality!r}", "--modality", nearest(modality, MODALITIES)
        )
    chosen = _chosen(path, tables)
    readers = [FeatureReader(table, modality) for table in chosen]
    crs = common_crs(path, chosen)
    records = _Records(readers, geographic_period(crs))
    if not records.counts:
        raise InputError("no feature in it", str(path), "write one at least, if only an empty one")
    header = Header(
        path.stem,
        in_map=True,
        crs=crs,
        modalities=tuple(kind for kind in MODALITIES if kind in records.kinds),
    )
    files = with_side_files(path)
    return Predictions(
        header,
        records,
        str(path),
        sha256=sha256_of_files(files),
        entry=records.entry,
        files=files,
    )


def _chosen(path: Path, tables: Sequence[Table]) -> Sequence[Table]:
    named = [table for table in tables if table.layer in MODALITIES]
    if named or len(tables) == 1:
        return named or tables
    with_queries = [table for table in tables if column_named(table.columns, QUERY_ID) is not None]
    if len(with_queries) == 1:
        return with_queries
    listed = ", ".join(repr(table.layer) for table in tables)
    found = "several layers have" if with_queries else "no layer has"
    raise InputError(
        f"{found} a column {QUERY_ID!r} (layers: {listed})",
        str(path),
        "keep one, or name them mask, hbb and obb",
    )


def common_crs(path: Path, tables: Sequence[Table]) -> str:
    """Return the CRS of a file's layers; InputError where one has none, or they have several."""
    names = [_crs_name(path, table) for table in tables]
    for table, name in zip(tables, names, strict=True):
        if not same_crs(name, names[0]):
            raise InputError(
                f"layer {table.layer!r} is in another CRS than {tables[0].layer!r}",
                str(path),
                "reproject it: ogr2ogr -t_srs",
            )
    return names[0]


def _crs_name(path: Path, table: Table) -> str:
    if table.crs is None:
        raise InputError("its CRS is unknown", str(path), table.how_to_give_a_crs)
    try:
        return shortest_name(table.crs)
    except OVEarthError as fault:
        raise fault.at(str(path)) from None


@dataclass(slots=True)
class _Answer:
    """What has been read of one query's features."""

    line: int
    given: set[str] = field(default_factory=set)
    mask: list[Polygon] = field(default_factory=list)
    boxes: dict[str, list[Floats]] = field(default_factory=lambda: {"hbb": [], "obb": []})
    scores: dict[str, list[float | None]] = field(default_factory=lambda: {"hbb": [], "obb": []})

    def take(self, feature: Feature, period: float | None) -> None:
        """Add a feature; GeometryError for a shape that is none, InputError for a lacking score.

        period: one turn of the world in x, None where the CRS has none.
        """
        self.given.add(feature.kind)
        polygons = map_polygons(feature.geometry)
        if not polygons:
            return
        if feature.kind == "mask":
            self.mask += mask_polygons(polygons)
            return
        scores = self.scores[feature.kind]
        scores.append(feature.score)
        if (scores[0] is None) != (feature.score is None):
            raise InputError(
                f"some {feature.kind} of query {feature.query_id!r} have a score and some none",
                mend="give all of them one, or none",
            )
        shape = map_box if feature.kind == "hbb" else map_quad
        self.boxes[feature.kind].append(shape(in_one_piece(polygons, period)))

    def record(self, query_id: str) -> Record:
        """Return it as a record: a kind that has empty features only is an empty answer."""
        mask = {"polygons": {"type": "MultiPolygon", "coordinates": self.mask}}
        return Record(
            query_id,
            self.line,
            frozenset(self.given),
            mask if self.mask else None,
            self._stacked("hbb", 4),
            self._stacked("obb", 4, 2),
            self._scores("hbb"),
            self._scores("obb"),
        )

    def _stacked(self, kind: str, *shape: int) -> Floats | None:
        if kind not in self.given:
            return None
        return np.array(self.boxes[kind], np.float64).reshape(-1, *shape)

    def _scores(self, kind: str) -> Floats | None:
        scores = self.scores[kind]
        return None if None in scores or not scores else np.array(scores, np.float64)


class _Records:
    """The records of a vector file, grouped anew at each iteration.

    A record's `line` counts its first feature through all layers, from 1.
    """

    def __init__(self, readers: Sequence[FeatureReader], period: float | None) -> None:
        self.readers = readers
        self.period = period
        self.counts: Counter[str] = Counter()
        self.kinds: set[str] = set()
        lengths = []
        for reader in readers:
            before = self.counts.total()
            for feature in reader.features(with_geometry=False):
                self.counts[feature.query_id] += 1
                self.kinds.add(feature.kind)
            lengths.append(self.counts.total() - before)
        self.ends = list(accumulate(lengths))

    def entry(self, line: int) -> str:
        """Name a feature by its layer, where there are several, and its number there."""
        layer = bisect_left(self.ends, line)
        before = self.ends[layer - 1] if layer else 0
        return feature_place(self.readers[layer].table.layer, line - before)

    def __iter__(self) -> Iterator[Record]:
        missing = self.counts.copy()
        begun: dict[str, _Answer] = {}
        line = 0
        for reader in self.readers:
            for feature in reader.features(with_geometry=True):
                line += 1
                answer = begun.get(feature.query_id)
                if answer is None:
                    answer = begun[feature.query_id] = _Answer(line)
                try:
                    answer.take(feature, self.period)
                except OVEarthError as fault:
                    where = f"{reader.where(feature.number)}, query {feature.query_id}"
                    raise fault.at(where) from None
                missing[feature.query_id] -= 1
                if not missing[feature.query_id]:
                    yield begun.pop(feature.query_id).record(feature.query_id)
        if begun:
            path = self.readers[0].table.path
            raise InputError("changed while it was read", str(path), "score it again")
