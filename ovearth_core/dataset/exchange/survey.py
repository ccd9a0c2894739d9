"""The first pass over a label file: all that would stop its import, found before it begins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from ...errors import FrameError, InputError, OVEarthError, UsageError
from ...labels.model import Label, LabelledImage
from ..rows import CategoryRow
from ..store import Dataset
from .benchmark_rows import slug_of
from .class_mapping import ClassMapping
from .image_lookup import DatasetImages, KnownImage, UnknownImageError
from .label_shape import shape_of

_SHOWN = 10
_OPEN = ("draft", "returned")


@dataclass
class Survey:
    """What the first pass has found. new_categories: those that unmapped classes become."""

    images: dict[str, KnownImage] = field(default_factory=dict)
    labels: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    new_categories: list[CategoryRow] = field(default_factory=list)
    unmapped: Counter[str] = field(default_factory=Counter)
    class_ids: dict[str, int | None] = field(default_factory=dict)
    pairs: set[tuple[int, int]] = field(default_factory=set)
    unknown: Counter[str] = field(default_factory=Counter)
    unplaced: dict[str, OVEarthError] = field(default_factory=dict)


def survey(
    found: Iterable[LabelledImage],
    images: DatasetImages,
    mapping: ClassMapping,
    dataset: Dataset,
    source: Path,
    *,
    keep_unmapped: bool,
) -> Survey:
    """Look at every image and label; nothing is written.

    Raises InputError, in one line with the place, for labels that have no shape or lie outside of
    their image, for images that are unknown, of another size, or can't be placed on the ground,
    for classes that don't map unless they are to be kept, and UsageError for targets that are
    past drawing.
    """
    seen = Survey()
    for image in found:
        _look_at(image, images, mapping, seen)
    _check_images(seen, source)
    if seen.unmapped and not keep_unmapped:
        raise _unmapped(seen, mapping, source)
    _name_categories(seen, mapping, dataset)
    _check_open(seen, dataset)
    return seen


def _look_at(
    image: LabelledImage, images: DatasetImages, mapping: ClassMapping, seen: Survey
) -> None:
    try:
        known = images.find(image.file_name)
        frame = images.frame(image.file_name)
    except UnknownImageError:
        seen.unknown[image.file_name] += 1
        return
    except FrameError as fault:
        seen.unplaced[image.file_name] = fault
        return
    except InputError as fault:
        raise fault.at(image.where) from None
    sizes = (image.width, frame.width), (image.height, frame.height)
    if any(own is not None and own != true for own, true in sizes):
        raise InputError(
            f"{image.file_name} is {frame.width} by {frame.height} pixels, the labels are for"
            f" {image.width} by {image.height}",
            image.where,
            "take the labels that belong to the image",
        )
    seen.images[known.file_name] = known
    for label in image.labels:
        _look_at_label(label, known, mapping, seen)
        shape_of(label, frame)


def _look_at_label(label: Label, image: KnownImage, mapping: ClassMapping, seen: Survey) -> None:
    name = label.class_name
    if not mapping.knows(name):
        seen.unmapped[name] += 1
        seen.class_ids.setdefault(name, label.class_id)
        seen.labels += 1
        return
    category_id = mapping.category_id(name)
    if category_id is None:
        seen.skipped[name] += 1
        return
    seen.labels += 1
    if image.row is not None and image.row.id is not None:
        seen.pairs.add((image.row.id, category_id))


def _check_images(seen: Survey, source: Path) -> None:
    if seen.unknown:
        raise UnknownImageError(
            f"{len(seen.unknown)} images are neither in the dataset nor in a folder given:"
            f" {_listed(seen.unknown)}",
            str(source),
            "name the folder that they are in: --images DIR",
        )
    if seen.unplaced:
        fault = next(iter(seen.unplaced.values()))
        raise FrameError(
            f"{len(seen.unplaced)} images can't be placed on the ground:"
            f" {_listed(seen.unplaced)} ({fault.what})",
            fault.where,
            fault.mend,
        )


def _unmapped(seen: Survey, mapping: ClassMapping, source: Path) -> InputError:
    first = next(iter(seen.unmapped))
    near = ", ".join(map(repr, mapping.nearest(first))) or "none, the dataset has no categories"
    return InputError(
        f"{len(seen.unmapped)} classes of {sum(seen.unmapped.values())} labels are no categories:"
        f" {_listed(seen.unmapped)}",
        str(source),
        f"map them (--mapping FILE) or add them (--keep-unmapped); nearest to {first!r} are {near}",
    )


def _name_categories(seen: Survey, mapping: ClassMapping, dataset: Dataset) -> None:
    """Make categories of the classes that don't map, with their own numbers where free."""
    with dataset.reading() as view:
        there = list(view.categories())
    ids, slugs = {row.id for row in there}, {row.slug for row in there}
    for name in seen.unmapped:
        if mapping.knows(name):
            continue  # spelt like one that was just added
        wanted = seen.class_ids[name]
        free = wanted is not None and wanted >= 0 and wanted not in ids
        number = wanted if free and wanted is not None else max(ids, default=0) + 1
        row = CategoryRow(number, slug_of(name, number, slugs), name)
        ids.add(row.id)
        slugs.add(row.slug)
        mapping.add(row)
        seen.new_categories.append(row)


def _check_open(seen: Survey, dataset: Dataset) -> None:
    with dataset.reading() as view:
        for image_id, category_id in sorted(seen.pairs):
            found = [t for t in view.targets(image_id, category_id) if t.rival_of is None]
            if found and not any(target.state in _OPEN for target in found):
                raise UsageError(
                    f"target {found[0].id} is {found[0].state}, and labels would join it",
                    f"image {image_id}, category {category_id}",
                    "return it first, or skip its class in --mapping",
                )


def _listed(names: Iterable[str]) -> str:
    listed = list(names)
    return ", ".join(listed[:_SHOWN]) + (" …" if len(listed) > _SHOWN else "")
