"""Takes a benchmark file into a dataset, so that it can be written back as it was."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...benchmark import Benchmark, Image, read_benchmark
from ...errors import FrameError, InputError, OVEarthError, UsageError
from ...paths import inside
from ...raster_file import file_sha256
from ..geometries import geometries_or_none
from ..rows import CategoryRow, ImageRow
from ..store import FILE_NAME, Dataset
from .arrivals import Arrival, Ending
from .benchmark_rows import category_row, image_row, instance_row, query_row, target_row
from .checksums import SUMS_NAME, sums_beside
from .cut_off import settle_alone
from .image_files import ImageFiles
from .import_lock import only_import
from .landing import Landing
from .model import Report
from .staging import folder_for, staged

# The lists of a benchmark whose order is kept where it isn't that of their ids.
ORDERED = ("categories", "images", "targets", "annotations")
_HEAD = ("info", "licenses", "members")
_SHOWN = 10
_HOW_TO_GO_ON = f"get the release again, or take {SUMS_NAME} away to import it as it is"
_CARRIED_AT_ONCE = 500


def import_benchmark(
    place: Path, source: Path, images: Path | None = None, who: str | None = None
) -> Report:
    """Take a benchmark into the dataset at `place`, made with its categories where there is none.

    Targets become approved, queries accepted. images: the folder that its image files' paths start
    from, its own unless given; those that are there are copied into the dataset's folder. All of it
    or nothing. Raises InputError for what is no benchmark of ours, for images that can't be placed
    on the ground, for ids and paths that the dataset has already, and for files of a release that
    were changed since.
    """
    folder = place.parent if place.name == FILE_NAME else place
    others: dict[str, Any] = {}
    benchmark = read_benchmark(source, others)
    if benchmark.is_plain_coco:
        raise UsageError("is plain COCO, no benchmark", str(source), "use --format coco")
    sums = _sums_of(source)
    rows = _checked_images(benchmark, folder)
    notes = _notes(benchmark, others, _checked_shapes(benchmark))
    with folder_for(folder), only_import(folder), ImageFiles(folder) as files:
        if (folder / FILE_NAME).exists():
            dataset = Dataset.open_as_is(folder)
            earlier = settle_alone(dataset)
            added = _new_categories(dataset, benchmark)
            _check_is_new(dataset, rows)
            notes = _beside_those_of(dataset, notes)
        else:
            earlier, added = None, _category_rows(benchmark)
        found = _with_files(rows, images or source.parent, files)
        _check_is_unchanged(found, sums, source, files)
        with _target_of(folder, added) as (dataset, categories):
            is_new = not (folder / FILE_NAME).exists()
            landing = Landing(dataset, str(source), who, is_alone=is_new)
            note = f"imported from {source.name}"
            landing.write(_arrivals(benchmark, categories, found, note), lambda: Ending(notes))
    return _report(landing, len(added), files, len(rows), earlier)


@contextmanager
def _target_of(
    folder: Path, categories: Sequence[CategoryRow]
) -> Iterator[tuple[Dataset, Sequence[CategoryRow]]]:
    """Give the dataset to write into, and the categories that it lacks yet."""
    if (folder / FILE_NAME).exists():
        yield Dataset.open_as_is(folder), categories
    else:
        with staged(folder, categories) as dataset:
            yield dataset, ()


def _checked_images(benchmark: Benchmark, folder: Path) -> list[ImageRow]:
    unplaced = [i for i in benchmark.images if i.crs is None or i.transform is None]
    if unplaced:
        raise FrameError(
            f"{len(unplaced)} images without CRS or transform: {_named(unplaced)}",
            benchmark.source,
            "georeference them (gdal_edit.py, or QGIS's Georeferencer), or score without a dataset",
        )
    names: dict[str, int] = {}
    for image in benchmark.images:
        where = f"{benchmark.source}, image {image.id}"
        if image.file_name in names:
            raise InputError(
                f"its file {image.file_name!r} is that of image {names[image.file_name]}", where,
                "give each image its own file",
            )  # fmt: skip
        names[image.file_name] = image.id
        try:
            inside(folder, image.file_name)
        except InputError as fault:
            raise fault.at(where) from None
    try:
        return [image_row(image) for image in benchmark.images]
    except FrameError as fault:
        raise fault.at(benchmark.source) from None


def _named(images: Sequence[Image]) -> str:
    shown = ", ".join(image.file_name for image in images[:_SHOWN])
    return shown + (" …" if len(images) > _SHOWN else "")


def _checked_shapes(benchmark: Benchmark) -> list[int]:
    """Return the ids of the annotations, whose shapes are whole; GeometryError else."""
    try:
        return [instance_row(instance, "").id or 0 for instance in benchmark.instances]
    except OVEarthError as fault:
        raise fault.at(benchmark.source) from None


def _category_rows(benchmark: Benchmark) -> list[CategoryRow]:
    taken: set[str] = set()
    rows = []
    for category in benchmark.categories:
        rows.append(category_row(category, taken))
        taken.add(rows[-1].slug)
    return rows


def _new_categories(dataset: Dataset, benchmark: Benchmark) -> list[CategoryRow]:
    """Return the categories that a dataset lacks; InputError where an id means another one."""
    with dataset.reading() as view:
        there = {row.id: row for row in view.categories()}
    taken = {row.slug for row in there.values()}
    rows = []
    for category in benchmark.categories:
        own = there.get(category.id)
        if own is None:
            rows.append(category_row(category, taken))
            taken.add(rows[-1].slug)
        elif own.name != category.name:
            raise InputError(
                f"category {category.id} is {category.name!r}, in the dataset it is {own.name!r}",
                benchmark.source,
                "import it into a dataset of its own",
            )
    return rows


def _check_is_new(dataset: Dataset, rows: Iterable[ImageRow]) -> None:
    with dataset.reading() as view:
        taken: dict[object, str] = {}
        for there in view.images():
            taken[there.id] = taken[there.file_name] = there.file_name
    for row in rows:
        if (own := taken.get(row.id, taken.get(row.file_name))) is not None:
            raise InputError(
                f"image {row.id} ({row.file_name}) is in the dataset already, as {own}",
                str(dataset.path),
                "import it into a dataset of its own",
            )


def _with_files(rows: Iterable[ImageRow], folder: Path, files: ImageFiles) -> list[ImageRow]:
    """Return the images' rows, with the checksums of those whose files are at hand."""
    found = []
    for row in rows:
        try:
            path = inside(folder, row.file_name)
        except InputError:
            path = folder / Path(row.file_name).name
        if not path.is_file():
            path = folder / Path(row.file_name).name
        found.append(_with_file(row, path, files) if path.is_file() else row)
    return found


def _with_file(row: ImageRow, path: Path, files: ImageFiles) -> ImageRow:
    checksum = files.bring(path, row.file_name)
    if row.sha256 is not None:
        return row  # what the file of the benchmark says is what `check` compares with
    return replace(row, sha256=checksum, extra={**row.extra, "sha256": None})


def _sums_of(source: Path) -> dict[str, str]:
    """Return the checksums that a release was frozen with; InputError where `source` isn't it."""
    sums = sums_beside(source)
    if sums and file_sha256(source) != sums[source.name]:
        raise InputError(
            f"was changed since it was released ({SUMS_NAME} has another checksum)",
            str(source),
            _HOW_TO_GO_ON,
        )
    return sums


def _check_is_unchanged(
    rows: Iterable[ImageRow], sums: Mapping[str, str], source: Path, files: ImageFiles
) -> None:
    """Refuse image files that aren't the released ones; those not at hand may come later."""
    changed = [
        row.file_name
        for row in rows
        if (checksum := files.checksums.get(row.file_name)) is not None
        and sums.get(row.file_name, checksum) != checksum
    ]
    if changed:
        shown = ", ".join(changed[:_SHOWN]) + (" …" if len(changed) > _SHOWN else "")
        raise InputError(
            f"{len(changed)} image files were changed since it was released: {shown}",
            str(source),
            _HOW_TO_GO_ON,
        )


def _arrivals(
    benchmark: Benchmark, categories: Iterable[CategoryRow], images: Sequence[ImageRow], note: str
) -> Iterator[Arrival]:
    yield from (Arrival("row", category) for category in categories)
    yield from (Arrival("row", image) for image in images)
    yield from (Arrival("row", target_row(target, note)) for target in benchmark.targets)
    yield from _instances(benchmark, images, note)
    yield from (Arrival("row", query_row(query, note)) for query in benchmark.queries)


def _instances(benchmark: Benchmark, images: Sequence[ImageRow], note: str) -> Iterator[Arrival]:
    """Yield the instances with their geometries, those of an image carried in one go."""
    image_of = {image.id: image for image in images}
    source = iter(benchmark.instances)
    while chosen := list(itertools.islice(source, _CARRIED_AT_ONCE)):
        rows = [instance_row(instance, note) for instance in chosen]
        made: list[bytes | None] = [None] * len(rows)
        places: dict[int, list[int]] = {}
        for place, instance in enumerate(chosen):
            places.setdefault(instance.image_id, []).append(place)
        for image_id, own in places.items():
            frame = image_of[image_id].frame()
            found = geometries_or_none(frame, [rows[place].polygons for place in own])
            for place, geometry in zip(own, found, strict=True):
                made[place] = geometry
        for row, geometry in zip(rows, made, strict=True):
            yield Arrival("row", row, geometry=geometry)


def _notes(
    benchmark: Benchmark, others: Mapping[str, Any], annotations: list[int]
) -> dict[str, Any]:
    """Return what has no table: the file's head, and orders that ids don't give."""
    targets = benchmark.columns.targets
    with_targets = set(targets.image_ids.tolist())
    images = [image.id for image in benchmark.images]
    notes: dict[str, Any] = {
        "info": dict(benchmark.info),
        "licenses": [dict(one) for one in benchmark.licenses],
        "members": dict(others),
        "bare images": [image_id for image_id in images if image_id not in with_targets],
    }
    categories = [category.id for category in benchmark.categories]
    orders = (categories, images, targets.ids.tolist(), annotations)
    for name, ids in zip(ORDERED, orders, strict=True):
        if any(one > other for one, other in itertools.pairwise(ids)):
            notes[f"order:{name}"] = ids
    return notes


def _beside_those_of(dataset: Dataset, notes: Mapping[str, Any]) -> dict[str, Any]:
    """Return notes that leave a dataset its own head, and add to its lists."""
    with dataset.reading() as view:
        own = {key: view.note(key) for key in notes}
    return {
        key: value if own[key] is None else own[key] + value if key not in _HEAD else own[key]
        for key, value in notes.items()
    }


def _report(
    landing: Landing, categories: int, files: ImageFiles, images: int, earlier: str | None
) -> Report:
    counts = {"categories": categories}
    counts |= {name: landing.counts[name] for name in ("images", "targets", "instances", "queries")}
    notes = []
    if earlier is not None:
        notes.append(earlier)
    if files.found < images:
        notes.append(f"{images - files.found} of {images} image files aren't at hand: see check")
    return Report(counts, notes=tuple(notes))
