"""Writes a dataset as a benchmark file: the same bytes each time, as long as it is unchanged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeVar

from ...atomic import AtomicFiles
from ...benchmark.model import FORMAT
from ...benchmark.writer import add_documents
from ..view import View
from .benchmark_documents import (
    Document,
    category_document,
    image_document,
    instance_document,
    query_document,
    target_document,
)
from .model import Report, WriteOptions
from .outgoing import outgoing

_UNRELEASED = "unreleased"


class _Identified(Protocol):
    @property
    def id(self) -> int | None: ...


RowT = TypeVar("RowT", bound=_Identified)


def write(view: View, out: Path, options: WriteOptions) -> Report:
    """Write `ovearth-benchmark/1`; what came from a benchmark file is written back as it was.

    Out go the categories, the targets in the wanted states with their instances and accepted
    queries, and the images of these, and those that a benchmark brought without any target.
    """
    if options.release is not None:
        from .release import write_release

        return write_release(view, out, options)
    with AtomicFiles([options.folder / "dataset.gpkg"]) as files:
        return add_benchmark_of(files, view, out, options)


def add_benchmark_of(files: AtomicFiles, view: View, out: Path, options: WriteOptions) -> Report:
    """Write the benchmark as one of several files that appear together."""
    content = _Content(view, options)
    info = {"format": FORMAT, **(view.note("info") or {"version": _UNRELEASED})}
    if options.release is not None:
        info["version"] = options.release
    lists: dict[str, Iterable[Document]] = {
        "licenses": iter(view.note("licenses") or []),
        "categories": content.categories(),
        "images": content.images(),
        "targets": content.targets(),
        "annotations": content.annotations(),
        "queries": content.queries(),
    }
    add_documents(files, out, info, lists, view.note("members"))
    left_out = outgoing(view, options).left_out()
    return Report(content.counts, {**left_out, **content.left_out})


class _Content:
    """The lists of the file, each made while it is written; ids are what is held of them."""

    def __init__(self, view: View, options: WriteOptions) -> None:
        self._view = view
        self._step = options.step
        self.counts: Counter[str] = Counter()
        self.left_out: Counter[str] = Counter()
        ids = outgoing_ids(view, options)
        self._target_ids, self._image_ids = ids.targets, ids.images
        self._sizes: dict[int | None, tuple[int, int]] = {}

    def categories(self) -> Iterator[Document]:
        """Yield all categories."""
        taken: set[str] = set()
        for row in self._in_order("categories", self._view.categories, self._view.category):
            yield category_document(row, taken)
            taken.add(row.slug)
            self.counts["categories"] += 1

    def images(self) -> Iterator[Document]:
        """Yield the images that go out, noting their sizes."""
        for row in self._in_order("images", self._view.images, self._view.image):
            if row.id not in self._image_ids:
                self.left_out["images without a target that goes out"] += 1
                continue
            self._sizes[row.id] = (row.height, row.width)
            self.counts["images"] += 1
            yield image_document(row)

    def targets(self) -> Iterator[Document]:
        """Yield the targets that go out."""
        for row in self._in_order("targets", self._view.targets, self._view.target):
            if row.id in self._target_ids:
                self.counts["targets"] += 1
                yield target_document(row)

    def annotations(self) -> Iterator[Document]:
        """Yield the instances of these."""
        for row in self._in_order("annotations", self._view.instances, self._view.instance):
            if row.target_id in self._target_ids:
                self.counts["instances"] += 1
                yield instance_document(row, *self._sizes[row.image_id])

    def queries(self) -> Iterator[Document]:
        """Yield the accepted queries of these."""
        for row in self._view.queries():
            self._step()
            if row.target_id not in self._target_ids:
                continue
            if row.state != "accepted":
                self.left_out[f"queries that are {row.state}"] += 1
                continue
            self.counts["queries"] += 1
            yield query_document(row)

    def _in_order(
        self, name: str, every: Callable[[], Iterator[RowT]], one: Callable[[int], RowT]
    ) -> Iterator[RowT]:
        """Yield rows in the order that their file had; those that came later, by id at its end."""
        order: list[int] | None = self._view.note(f"order:{name}")
        if order is None:
            for row in every():
                self._step()
                yield row
            return
        there = {row.id for row in every()}
        for row_id in order:
            if row_id in there:
                self._step()
                yield one(row_id)
        told = set(order)
        for row in every():
            if row.id not in told:
                self._step()
                yield row


@dataclass(frozen=True)
class OutgoingIds:
    """Ids of the targets that go out, and of the images."""

    targets: frozenset[int | None]
    images: frozenset[int | None]


def outgoing_ids(view: View, options: WriteOptions) -> OutgoingIds:
    """Return which targets and images go out.

    Images of targets that do, and those that were brought without any target by a benchmark or a
    label file, and have none since: they say that nothing is there.
    """
    choice = outgoing(view, options)
    targets: set[int | None] = set()
    images: set[int | None] = set()
    behind: set[int | None] = set()
    for target in view.targets():
        if choice.takes(target):
            targets.add(target.id)
            images.add(target.image_id)
        else:
            behind.add(target.image_id)
    bare = set(view.note("bare images") or [])
    return OutgoingIds(frozenset(targets), frozenset(images | (bare - behind)))
