"""From places to tasks: which category each is of, and what its patch will be called."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import Any

from ...dataset import CategoryRow, Dataset
from ...dataset.rows import PoiRow
from ...errors import InputError
from ...taxonomy.words import Likeness
from ..continents import CONTINENTS, continents_of
from ..imagery import ImagerySpec, specs_at
from ..imagery.server_errors import is_of_source
from .extraction import Outcome, Task
from .grid import PatchShape
from .place import Place
from .refusal import DUPLICATE, FAILED, MOST_FAULTS_IN_A_ROW, OUTSIDE, Refusal
from .report import Report

_IMAGES = "images"
_LONGEST_NAME = 100
_PLACES_TOGETHER = 4096
# About how large a patch is, in metres, for a search of pictures by place.
_USUAL_EXTENT_M = 1000.0


class Categories:
    """A dataset's categories, found by whatever they are called, and how large they usually are."""

    def __init__(self, rows: Iterable[CategoryRow]) -> None:
        from ...taxonomy import load

        self._rows = list(rows)
        self._taxonomy = load()
        self._by_name: dict[str, CategoryRow] = {}
        for row in self._rows:
            for name in (str(row.id), row.slug.lower(), row.name.lower()):
                self._by_name.setdefault(name, row)

    def settled(self, place: Place) -> Place:
        """Return a place with its category's id and slug.

        A category that only the taxonomy has is left without an id. Raises InputError, with the
        three nearest names, for one that neither has.
        """
        row = None
        if place.category_id is not None:
            row = next((r for r in self._rows if r.id == place.category_id), None)
        elif place.category is not None:
            row = self._by_name.get(place.category.lower())
            if row is None and (known := self._taxonomy.known(place.category)) is not None:
                row = self._by_name.get(known.id.lower())
                if row is None:
                    return replace(place, category=known.id, category_id=None)
            if row is None:
                raise self._unknown(place.category, place)
        if row is None:
            return replace(place, category_id=None)
        return replace(place, category=row.slug, category_id=row.id)

    def _unknown(self, name: str, place: Place) -> InputError:
        by_name: dict[str, tuple[str, ...]] = {row.name: (row.slug, row.name) for row in self._rows}
        by_name |= {known.name: (known.id, *known.names) for known in self._taxonomy.categories}
        likeness = Likeness(name[:_LONGEST_NAME])
        near = sorted(by_name, key=lambda own: -max(likeness.to(word) for word in by_name[own]))
        nearest = ", ".join(repr(word) for word in near[:3])
        return InputError(
            f"unknown category {name!r}", place.where or place.label, f"nearest are {nearest}"
        )

    def usual_m(self, place: Place) -> float | None:
        """Return the largest usual size of what is at a place, in metres, if known."""
        known = None if place.category is None else self._taxonomy.known(place.category)
        return None if known is None or known.size_m is None else known.size_m[1]


def dataset_places(
    dataset: Dataset, states: Iterable[str] = ("candidate", "accepted")
) -> list[Place]:
    """Return a dataset's own places of interest that were not rejected."""
    wanted = set(states)
    with dataset.reading() as view:
        return [_place(row) for row in view.pois() if row.state in wanted]


def _place(row: PoiRow) -> Place:
    continent = row.extra.get("continent") or row.tags.get("continent")
    return Place(
        row.lon, row.lat, row.id, row.name, None, row.category_id, row.source, row.source_id,
        continent=continent if isinstance(continent, str) else None, tags=row.tags,
    )  # fmt: skip


def planned(
    places: Iterable[Place],
    spec: ImagerySpec,
    shape: PatchShape,
    categories: Categories,
    most_nodata: float,
    compression: str,
    report: Report,
) -> Iterator[Task]:
    """Yield a task for each place, and each date of it; a place given twice is a duplicate.

    Where a search of pictures fails at a place, the report has it as failed. What would be the
    same at every place, or is so at many in a row, is raised.
    """
    seen: set[str] = set()
    faults_in_a_row = 0
    for found in _with_continents(places):
        place = categories.settled(found)
        usual_m = categories.usual_m(place)
        asked_m = shape.extent_m or (shape.size_px or 0) * (shape.gsd_m or 0)
        extent_m = asked_m or usual_m or _USUAL_EXTENT_M
        try:
            pictures = specs_at(spec, place.lon, place.lat, extent_m)
        except InputError as fault:
            faults_in_a_row += 1
            if is_of_source(fault) or faults_in_a_row >= MOST_FAULTS_IN_A_ROW:
                raise
            task = Task(task_key(place, spec, shape), "", place, spec, shape)
            report.take(Outcome(task, Refusal(FAILED, str(fault))))
            continue
        faults_in_a_row = 0
        if not pictures:
            task = Task(task_key(place, spec, shape), "", place, spec, shape)
            report.take(Outcome(task, Refusal(OUTSIDE, "no picture of the place was found")))
        for picture in pictures:
            key = task_key(place, picture, shape)
            if key in seen:
                twice = Task(key, "", place, picture, shape)
                report.take(Outcome(twice, Refusal(DUPLICATE, "the same place is there twice")))
                continue
            seen.add(key)
            slug = re.sub(r"[^a-z0-9]+", "-", (place.category or "patch").lower()).strip("-")
            name = f"{_IMAGES}/{slug[:40] or 'patch'}-{key}.tif"
            yield Task(key, name, place, picture, shape, usual_m, most_nodata, compression)


def _with_continents(places: Iterable[Place]) -> Iterator[Place]:
    """Yield places with the continents that their coordinates tell, where nothing else does."""
    rest = iter(places)
    # Together: alone each takes as long as hundreds.
    while some := list(islice(rest, _PLACES_TOGETHER)):
        numbers = continents_of([place.lon for place in some], [place.lat for place in some])
        for place, number in zip(some, numbers, strict=True):
            yield replace(place, continent=place.continent or CONTINENTS[number])


def task_key(place: Place, spec: ImagerySpec, shape: PatchShape) -> str:
    """Return what is the same when the same patch is asked for again, and differs otherwise."""
    return _key({"place": place.key, **_about(spec, shape)})


def imagery_key(spec: ImagerySpec, shape: PatchShape) -> str:
    """Return what is the same for all jobs that could make the same patch."""
    return _key(_about(spec, shape))


def _key(about: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()[:16]


def _about(spec: ImagerySpec, shape: PatchShape) -> dict[str, Any]:
    # A server signs the same address anew each time.
    text = spec.published if spec.is_told_by_server else spec.text
    if "://" not in text and Path(spec.place()).exists():
        text = str(Path(spec.place()).resolve())
    return {
        "imagery": text, "date": spec.date_captured, "resampling": spec.resampling,
        "black": spec.black_is_nodata, "options": spec.options, "shape": asdict(shape),
    }  # fmt: skip
