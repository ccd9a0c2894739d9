"""Takes labels of any format into a dataset: looked through first, then written, all or none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from ...errors import InputError
from ...labels.model import Label, LabelledImage, LabelReader, ReadOptions
from ..geometries import geometries_or_none
from ..rows import ImageRow, InstanceRow
from ..store import Dataset
from .arrivals import Arrival, Ending
from .class_mapping import ClassMapping
from .cut_off import settle_alone
from .image_files import ImageFiles
from .image_lookup import DatasetImages, KnownImage
from .import_lock import only_import
from .imported import check_is_new, line_of, source_sha256
from .label_shape import LabelShape, shape_of
from .landing import Landing
from .model import Report
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
    again: bool = False,
) -> Report:
    """Take the labels that `reader` finds at `source` into a dataset, as drafts.

    images_dir: where images lie that the dataset hasn't; they are copied into its `images/`.
    mapping: class to category id or name, None to skip it (see `ClassMapping`). keep_unmapped:
    classes that don't map become categories. who: signs it. again: take in what was imported
    before, which doubles its labels; UsageError without.

    The whole file is looked through before anything is written (see `survey` for what is refused).
    It is written in many short transactions; after an error, what was written is taken back, after
    a crash the next one to open the dataset finishes it (`cut_off.settle`).
    """
    options = options or ReadOptions()
    with only_import(dataset.folder), ImageFiles(dataset.folder) as files:
        earlier = settle_alone(dataset)
        images = DatasetImages(dataset, images_dir)
        checksum = source_sha256(source)
        with dataset.reading() as view:
            check_is_new(view, source, checksum, again=again)
            classes = ClassMapping(view.categories(), mapping)
        seen = survey(
            reader(source, images, options), images, classes, dataset, source,
            keep_unmapped=keep_unmapped,
        )  # fmt: skip
        rows = {name: _new_row(known, images, files) for name, known in seen.images.items()
                if known.row is None}  # fmt: skip
        arrivals = _Arrivals(source, images, classes, rows)
        landing = Landing(dataset, str(source), who)
        landing.write(
            arrivals.all(seen, reader(source, images, options)),
            lambda: Ending(bare=arrivals.bare(), imported=line_of(source, checksum)),
        )
    return _report(landing, seen, options, earlier)


class _Arrivals:
    """What is written, row by row; `bare` is known when all of it was yielded."""

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
        self._come: set[str] = set()
        self._labelled: set[str] = set()

    def all(self, seen: Survey, found: Iterable[LabelledImage]) -> Iterator[Arrival]:
        """Yield the rows: categories, then image by image its row and its labels."""
        for category in seen.new_categories:
            yield Arrival("row", category)
        for image in found:
            known = self._images.find(image.file_name)
            if known.file_name in self._rows and known.file_name not in self._come:
                self._come.add(known.file_name)
                yield Arrival("image", _told(self._rows[known.file_name], image))
            frame = self._images.frame(image.file_name)
            labels = [
                (self._row(label, shape_of(label, frame)), category_id)
                for label in image.labels
                if (category_id := self._classes.category_id(label.class_name)) is not None
            ]
            if labels:
                self._labelled.add(known.file_name)
            made = geometries_or_none(frame, [row.polygons for row, _ in labels])
            for (row, category_id), geometry in zip(labels, made, strict=True):
                yield Arrival("label", row, known.file_name, category_id, geometry)

    def bare(self) -> tuple[str, ...]:
        """Return new images without any label, by file: a benchmark takes them along."""
        return tuple(name for name in self._rows if name not in self._labelled)

    def _row(self, label: Label, shape: LabelShape) -> InstanceRow:
        """Return a label as an instance, of a target that is found when it lands.

        Its own target's number is that of a target that has to be made, 0 for any.
        """
        label_id = label.label_id
        return InstanceRow(
            None if label_id is None or label_id < 0 else label_id,
            max(label.target_id or 0, 0),
            shape.polygons,
            shape.is_multi,
            label.is_crowd,
            shape.segmentation,
            shape.bbox,
            shape.obb,
            origin="imported",
            origin_note=self._note,
            changed_at=label.changed_at,
            extra=_extra(label, shape),
        )


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


def _report(landing: Landing, seen: Survey, options: ReadOptions, earlier: str | None) -> Report:
    names = ("images", "targets", "instances")
    counts = {f"new {name}": landing.counts[name] for name in names}
    if seen.new_categories:
        counts["new categories"] = len(seen.new_categories)
    left_out = {f"labels of {name!r} (skipped by the mapping)": n
                for name, n in seen.skipped.items()}  # fmt: skip
    notes = () if earlier is None else (earlier,)
    return Report(counts, {**left_out, **options.left_out}, notes)
