"""Takes labels of any format into a dataset: looked through first, then written, all or none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...errors import InputError
from ..edit import Edit
from ..geometries import geometries_or_none
from ..rows import ImageRow, InstanceRow
from ..store import Dataset
from .class_mapping import ClassMapping
from .image_files import ImageFiles
from .image_lookup import DatasetImages, KnownImage
from .import_lock import only_import
from .label_shape import LabelShape, shape_of
from .landing import Landing, Row, Step, take_back
from .model import Label, LabelledImage, LabelReader, ReadOptions, Report
from .survey import Survey, survey

# A benchmark image's fields that its row takes; what else a label file says of one stays in extra.
_ABOUT = ("source", "attribution", "date_captured", "location_group", "continent")


def import_labels(
    dataset: Dataset,
    reader: LabelReader,
    source: Path,
    images_dir: Path | None = None,
    mapping: Mapping[str, int | str | None] | None = None,
    *,
    keep_unmapped: bool = False,
    who: str | None = None,
    options: ReadOptions | None = None,
) -> Report:
    """Take the labels that `reader` finds at `source` into a dataset, as drafts.

    images_dir: where images lie that the dataset hasn't; they are copied into its `images/`.
    mapping: class to category id or name, None to skip it (see `ClassMapping`). keep_unmapped:
    classes that don't map become categories. who: signs it.

    The whole file is looked through before anything is written (see `survey` for what is refused).
    It is written in many short transactions; after an error, or at the next import after a crash,
    what was written is taken back.
    """
    options = options or ReadOptions()
    with only_import(dataset.folder), ImageFiles(dataset.folder) as files:
        earlier = take_back(dataset, who)
        images = DatasetImages(dataset, images_dir)
        with dataset.reading() as view:
            classes = ClassMapping(view.categories(), mapping)
            bare = view.note("bare images") or []
        seen = survey(
            reader(source, images, options), images, classes, dataset, source,
            keep_unmapped=keep_unmapped,
        )  # fmt: skip
        rows = {name: _new_row(known, images, files) for name, known in seen.images.items()
                if known.row is None}  # fmt: skip
        steps = _Steps(source, images, classes, rows)
        landing = Landing(dataset, str(source), who)
        landing.write(
            steps.all(seen, reader(source, images, options)),
            lambda: {"bare images": bare + steps.bare()},
        )
    return _report(landing, seen, options, earlier)


class _Steps:
    """What is written, step by step; knows the ids that new images have got."""

    def __init__(
        self,
        source: Path,
        images: DatasetImages,
        classes: ClassMapping,
        rows: dict[str, ImageRow],
    ) -> None:
        self._note = f"imported from {source.name}"
        self._images = images
        self._classes = classes
        self._rows = rows
        self._ids: dict[str, int] = {}
        self._labelled: set[str] = set()

    def all(self, seen: Survey, found: Iterable[LabelledImage]) -> Iterator[Step]:
        """Yield the steps: categories, then image by image its row and its labels."""
        for category in seen.new_categories:
            yield _adding(category)
        for image in found:
            known = self._images.find(image.file_name)
            if known.file_name in self._rows and known.file_name not in self._ids:
                yield self._image(image, known)
            frame = self._images.frame(image.file_name)
            labels = [
                (label, shape_of(label, frame), category_id)
                for label in image.labels
                if (category_id := self._classes.category_id(label.class_name)) is not None
            ]
            if labels:
                self._labelled.add(known.file_name)
            made = geometries_or_none(frame, [shape.polygons for _, shape, _ in labels])
            for (label, shape, category_id), geometry in zip(labels, made, strict=True):
                yield self._label(label, shape, known, category_id, geometry)

    def bare(self) -> list[int]:
        """Return the ids of new images without any label: a benchmark takes them along."""
        return [i for name, i in self._ids.items() if name not in self._labelled]

    def _image(self, image: LabelledImage, known: KnownImage) -> Step:
        def add(edit: Edit) -> list[Row]:
            if known.file_name in self._ids:
                return []
            row = _told(self._rows[known.file_name], image)
            if row.id is not None and _is_taken(edit.image, row.id):
                row = replace(row, id=None)
            made = edit.add(row)
            self._ids[known.file_name] = made.id or 0
            return [made]

        return add

    def _label(
        self,
        label: Label,
        shape: LabelShape,
        known: KnownImage,
        category_id: int,
        geometry: bytes | None,
    ) -> Step:
        def add(edit: Edit) -> list[Row]:
            image_id = known.row.id if known.row is not None else self._ids[known.file_name]
            there = {target.id for target in edit.targets(image_id, category_id)}
            target = edit.open_target(image_id or 0, category_id)
            label_id = label.label_id
            if label_id is None or label_id < 0 or _is_taken(edit.instance, label_id):
                label_id = None
            made = edit.add(
                InstanceRow(
                    label_id,
                    target.id or 0,
                    shape.polygons,
                    shape.is_multi,
                    label.is_crowd,
                    shape.segmentation,
                    shape.bbox,
                    shape.obb,
                    origin="imported",
                    origin_note=self._note,
                    extra=_extra(label, shape),
                ),
                geometry,
            )
            return [made] if target.id in there else [target, made]

        return add


def _new_row(known: KnownImage, images: DatasetImages, files: ImageFiles) -> ImageRow:
    """Return the row of an image that is new, its file copied into the dataset's folder."""
    frame = images.frame(known.file_name)
    if known.path is None or frame.crs is None or frame.transform is None:
        raise InputError("the image has no place", known.file_name, "georeference it")
    return ImageRow(
        None, known.file_name, frame.width, frame.height, frame.crs, frame.transform,
        frame.operation or "", frame.gsd(), sha256=files.bring(known.path, known.file_name),
    )  # fmt: skip


def _told(row: ImageRow, image: LabelledImage) -> ImageRow:
    """Return an image's row with what the label file says of it."""
    about: dict[str, Any] = {
        key: image.extra[key] for key in _ABOUT if isinstance(image.extra.get(key), str)
    }
    extra = {key: value for key, value in image.extra.items() if key not in about}
    number = image.image_id if image.image_id is not None and image.image_id >= 0 else None
    return replace(row, id=number, extra=extra, **about)


def _extra(label: Label, shape: LabelShape) -> dict[str, Any]:
    made_from = {} if shape.made_from is None else {"imported_as": shape.made_from}
    return {**label.extra, **made_from}


def _adding(row: Any) -> Step:
    return lambda edit: (edit.add(row),)


def _is_taken(row_of: Callable[[int], object], row_id: int) -> bool:
    try:
        row_of(row_id)
    except InputError:
        return False
    return True


def _report(landing: Landing, seen: Survey, options: ReadOptions, earlier: str | None) -> Report:
    names = ("images", "targets", "instances")
    counts = {f"new {name}": landing.counts[name] for name in names}
    if seen.new_categories:
        counts["new categories"] = len(seen.new_categories)
    left_out = {f"labels of {name!r} (skipped by the mapping)": n
                for name, n in seen.skipped.items()}  # fmt: skip
    notes = []
    if earlier is not None:
        notes.append(f"an import of {earlier} that was cut off was taken back first")
    return Report(counts, {**left_out, **options.left_out}, tuple(notes))
