"""Boxes of a whole run turned into masks, as the paper does with SAM 2.1."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..atomic import AtomicFiles
from ..benchmark import Benchmark, Image, read_benchmark
from ..errors import InputError, InterruptedWorkError, OVEarthError
from ..inspection.image_files import ImageFiles
from ..one_at_a_time import one_at_a_time
from ..overlay.answers import AnswerShelf
from ..predictions import Header, Placing, Predictions, read_predictions
from ..spelling import counted
from .box_masks import BoxMasks, Unmasked
from .image_pixels import FilePixels
from .model_spec import model_identity, model_name, open_model
from .unfinished import Unfinished
from .view import MOST_PX

# Called with images done and images in all.
Progress = Callable[[int, int], None]

_FORMAT = "ovearth-masks-from-boxes/1"


@dataclass
class MaskReport:
    """What became of a run: queries written, boxes and masks of them, and boxes without a mask.

    replaced: queries whose own masks gave way to those of their boxes.
    """

    queries: int = 0
    boxes: int = 0
    replaced: int = 0
    unmasked: list[Unmasked] = field(default_factory=list)

    @property
    def masks(self) -> int:
        """How many boxes have a mask."""
        return self.boxes - len(self.unmasked)

    def take(self, results: dict[str, Any]) -> None:
        """Add the results of one image."""
        self.queries += len(results["records"])
        self.boxes += results["boxes"]
        self.replaced += results["replaced"]
        self.unmasked += [Unmasked(*entry) for entry in results["unmasked"]]

    def __str__(self) -> str:
        masks, boxes = counted(self.masks, "mask", "masks"), counted(self.boxes, "box", "boxes")
        said = f"{masks} of {boxes} in {counted(self.queries, 'query', 'queries')}"
        if self.replaced:
            said += f"; {counted(self.replaced, 'query', 'queries')} had masks, now replaced"
        return said


def masks_from_boxes(
    source: Path,
    benchmark: Path,
    out: Path,
    model: str,
    folders: Sequence[Path] = (),
    progress: Progress | None = None,
    most_px: int = MOST_PX,
) -> MaskReport:
    """Write a run like `source` with a mask for each box, prompted by it; boxes and scores stay.

    Oriented boxes prompt by their envelopes, where there are no horizontal ones. Images are looked
    for beside the benchmark, then in `folders`, and opened one at a time; what is done is kept
    beside `out` until all is, so that running it again goes on. Raises as the readers and the model
    do, InputError for unknown or doubled queries and missing images, InterruptedWorkError when a
    person stopped it.
    """
    truth = read_benchmark(benchmark)
    run = read_predictions(source)
    job = _Job(truth, run, ImageFiles(benchmark, folders))
    # Nothing is written where the model is none.
    identity = model_identity(model)
    key = {
        "format": _FORMAT,
        "run": run.sha256,
        "benchmark": truth.sha256,
        "model": identity,
        "most_px": most_px,
    }
    with (
        AtomicFiles([benchmark, *run.files]) as files,
        files.open(out) as file,
        one_at_a_time(_lock(out), "another job is writing the same file"),
    ):
        unfinished = Unfinished(out, key)
        job.do(unfinished, model, most_px, progress)
        file.write(
            json.dumps(_header(run.header, model_name(model)).document(), ensure_ascii=False) + "\n"
        )
        report = MaskReport()
        for results in unfinished.results():
            report.take(results)
            for record in results["records"]:
                file.write(json.dumps(record, ensure_ascii=False) + "\n")
    unfinished.remove()
    return report


class _Job:
    """The images that a run answers about, and where they are."""

    def __init__(self, truth: Benchmark, run: Predictions, files: ImageFiles) -> None:
        self._run = run
        self._placing = Placing(truth, run.header, run.folder)
        self._queries = _by_image(truth, run)
        self._images = [truth.image_by_id[image_id] for image_id in self._queries]
        self._paths = {image.id: _path(image, files, truth.source) for image in self._images}
        self._answers = AnswerShelf(run)

    def do(
        self, unfinished: Unfinished, model: str, most_px: int, progress: Progress | None
    ) -> None:
        """Do the images that are not done yet."""
        left = [image for image in self._images if image.id not in unfinished.done]
        done = len(self._images) - len(left)
        try:
            masks = BoxMasks(open_model(model), self._placing, most_px) if left else None
            for image in left:
                if masks is not None:
                    unfinished.keep(image.id, self._results(masks, image))
                done += 1
                if progress is not None:
                    progress(done, len(self._images))
        except KeyboardInterrupt:
            raise InterruptedWorkError(
                f"stopped after {done} of {counted(len(self._images), 'image', 'images')}",
                str(unfinished.path.parent),
                "run it again for the rest",
            ) from None

    def _results(self, masks: BoxMasks, image: Image) -> dict[str, Any]:
        records = [
            record
            for query_id in self._queries[image.id]
            if (record := self._answers.get(query_id)) is not None
        ]
        pixels = None
        try:
            if any(masks.has_boxes(record) for record in records):
                pixels = _opened(self._paths[image.id], image)
            return masks.results(image, pixels, records)
        except OVEarthError as fault:
            where = f"{self._run.source}, image {image.id}"
            raise type(fault)(
                fault.what, f"{where}, {fault.where}" if fault.where else where, fault.mend
            ) from None


def _by_image(truth: Benchmark, run: Predictions) -> dict[int, list[str]]:
    """Return the queries answered of each image, in the run's order."""
    found: dict[int, list[str]] = {}
    seen: set[str] = set()
    for record in run:
        index = truth.query_index.get(record.query_id)
        where = run.where(record)
        if index is None:
            raise InputError(
                f"unknown query id {record.query_id!r}", where, f"{truth.source} has no such query"
            )
        if record.query_id in seen:
            raise InputError(
                f"query {record.query_id!r} is answered twice", where, "keep one of the answers"
            )
        seen.add(record.query_id)
        target = truth.target_by_id[truth.queries[index].target_id]
        found.setdefault(target.image_id, []).append(record.query_id)
    return found


def _path(image: Image, files: ImageFiles, source: str) -> Path:
    path = files.path(image)
    if path is None:
        raise InputError(
            f"no file {image.file_name!r}", f"{source}, image {image.id}", "say where with --images"
        )
    return path


def _opened(path: Path, image: Image) -> FilePixels:
    pixels = FilePixels(path)
    if (pixels.width, pixels.height) != (image.width, image.height):
        raise InputError(
            f"the file has {pixels.width} x {pixels.height} pixels, the benchmark says"
            f" {image.width} x {image.height}",
            str(path),
            "name the folder with the benchmark's images",
        )
    return pixels


def _header(header: Header, model: str) -> Header:
    """Return the header of a run that has masks, too, made by a model."""
    modalities = header.modalities
    if modalities is not None and "mask" not in modalities:
        modalities = ("mask", *modalities)
    known = dict(header.attributes)
    attributes = {**known.pop("other", {}), **known, "masks_from_boxes": model}
    return replace(header, modalities=modalities, attributes=attributes)


def _lock(out: Path) -> Path:
    place = out.resolve()
    return place.with_name(f".{place.name[:100]}.lock")
