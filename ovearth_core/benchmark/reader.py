"""Reads a benchmark file, ours or plain COCO, element by element."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..entry import Entry, describe, nearly
from ..errors import InputError
from ..foreign_file import refuse_foreign
from ..jsonstream import JsonStream, Member
from ..textsource import sha256_later
from .columns import TASKS, Columns, QueryColumns, TargetColumns, places_of
from .elements import NO_TARGET
from .model import FORMAT, Benchmark, Query, Target
from .tables import NO_SIZE, Instances, Queries, Table, Targets, categories_table, images_table

Ints = NDArray[np.int64]
_MEND = "choose the benchmark's .json; a dataset is exported to one first"
_RUN_FORMAT = "ovearth-predictions/"


def read_benchmark(path: Path | str, others: dict[str, Any] | None = None) -> Benchmark:
    """Read the benchmark at `path`: `ovearth-benchmark/1`, or plain COCO.

    `others` is filled with the file's members that a benchmark has no place for. Targets,
    annotations and queries are packed, so that millions of them fit. Raises InputError, with file
    and line, for anything that is not whole: JSON, required keys, ids that are doubled or point
    nowhere, masks of another size than their image.
    """
    path = Path(path)
    # Before anything opens it: a dataset must not be.
    refuse_foreign(path, "no benchmark", _MEND)
    parts = _Parts(path, sha256_later(path), others)
    stream = JsonStream(path)
    for member in stream.members():
        parts.take(member)
    parts.keep_empty(stream.keys)
    is_ours = "targets" in stream.keys or "queries" in stream.keys or parts.declares_ours()
    if "images" not in stream.keys:
        raise InputError("no 'images' in it", str(path), "name a benchmark or a COCO file")
    return parts.benchmark() if is_ours else parts.plain_coco()


class _Parts:
    """The lists of a benchmark while they are read; members may come in any order."""

    def __init__(
        self, path: Path, sha256: Callable[[], str], others: dict[str, Any] | None
    ) -> None:
        self.path = path
        self.sha256 = sha256
        self.others = others
        self.info: dict[str, Any] = {}
        self.licenses: list[dict[str, Any]] = []
        self.categories = categories_table(path)
        self.images = images_table(path)
        self.targets = Targets(path)
        self.instances = Instances(path)
        self.queries = Queries(path)
        self.tables: dict[str, Table[Any]] = {
            "categories": self.categories,
            "images": self.images,
            "targets": self.targets,
            "annotations": self.instances,
            "queries": self.queries,
        }

    def take(self, member: Member) -> None:
        """Take one member of the file in."""
        key, place = member.key, f"{self.path} line {member.line}"
        if key in self.tables:
            if not member.in_list:
                what = f"'{key}' is {describe(member.value)}, not a list"
                raise InputError(what, place, "write a list there")
            self.tables[key].take(member)
        elif key == "query_id" or (key == "format" and str(member.value).startswith(_RUN_FORMAT)):
            raise InputError(
                "is a run of a model, no benchmark", str(self.path),
                "choose the benchmark, and add this file as a run",
            )  # fmt: skip
        elif key == "info":
            if member.in_list:
                raise InputError("'info' is a list", place, "write {…} there")
            self.info = Entry(member.value, f"{place}, info").fields
        elif (near := nearly(key, tuple(self.tables))) is not None:
            raise InputError(f"unknown key {key!r}", place, f"did you mean {near!r}?")
        elif key == "licenses" and member.in_list:
            self.licenses.append(Entry(member.value, f"{place}, licenses").fields)
        elif self.others is not None and key != "licenses":
            self._keep(self.others, member)

    def keep_empty(self, keys: Iterable[str]) -> None:
        """Keep the empty lists, which have no element to be taken, among the other members."""
        if self.others is not None:
            known = {*self.tables, "info", "licenses", *self.others}
            self.others.update({key: [] for key in keys if key not in known})

    def _keep(self, others: dict[str, Any], member: Member) -> None:
        if member.in_list:
            others.setdefault(member.key, []).append(member.value)
        else:
            others[member.key] = member.value

    def declares_ours(self) -> bool:
        """Whether the file says that it is a benchmark of ours; InputError for another version."""
        declared = self.info.get("format")
        if not isinstance(declared, str) or not declared.startswith("ovearth-"):
            return False
        if declared != FORMAT:
            raise InputError(
                f"format is {declared!r}, this version reads {FORMAT!r}",
                f"{self.path}, info",
                "use the version of ovearth that wrote it"
                if declared.startswith("ovearth-benchmark/")
                else "name a benchmark file",
            )
        return True

    def benchmark(self) -> Benchmark:
        """Return the benchmark that the file says it is."""
        self.declares_ours()
        self._check_ids()
        targets, instances, queries = self.targets, self.instances, self.queries
        self._point(targets, "image", targets.column("image_id"), self._image_ids)
        self._point(targets, "category", targets.column("category_id"), self._category_ids)
        self._check_sizes(targets)
        self._point(instances, "target", instances.column("target_id"), targets.column("id"))
        self._check_owners()
        self._check_sizes(instances)
        self._point(queries, "target", queries.column("target_id"), targets.column("id"))
        columns = Columns(queries.columns(), targets.columns(), instances.columns())
        return self._whole(targets.items(), queries.items(), columns)

    def plain_coco(self) -> Benchmark:
        """Return one target per image and category, asked by the category's name."""
        self._check_ids()
        instances = self.instances
        image_ids, category_ids = instances.column("image_id"), instances.column("category_id")
        self._point(instances, "image", image_ids, self._image_ids)
        self._point(instances, "category", category_ids, self._category_ids)
        self._check_sizes(instances)
        places, number = np.unique(
            np.column_stack([image_ids, category_ids]), axis=0, return_inverse=True
        )
        instances.target_ids = number.reshape(-1).astype(np.int64) + 1
        names = {category.id: category.name for category in self.categories.items}
        targets = [Target(k, *place) for k, place in enumerate(places.tolist(), start=1)]
        queries = [
            Query(
                f"{item.image_id}:{item.category_id}",
                item.id,
                TASKS[0],
                True,
                names[item.category_id],
            )
            for item in targets
        ]
        ids = np.arange(1, len(targets) + 1)
        asked = QueryColumns(
            [query.id for query in queries],
            ids,
            np.zeros(len(ids), dtype=np.int8),
            np.ones(len(ids), dtype=np.bool_),
        )
        columns = Columns(asked, TargetColumns(ids, *places.T), instances.columns())
        return replace(self._whole(targets, queries, columns), is_plain_coco=True)

    def _whole(
        self, targets: Sequence[Target], queries: Sequence[Query], columns: Columns
    ) -> Benchmark:
        return Benchmark(
            categories=tuple(self.categories.items),
            images=tuple(self.images.items),
            targets=targets,
            instances=self.instances.items(),
            queries=queries,
            info=self.info,
            licenses=tuple(self.licenses),
            source=str(self.path),
            sha256=self.sha256(),
            given_columns=columns,
        )

    @property
    def _image_ids(self) -> Ints:
        return np.array([image.id for image in self.images.items], dtype=np.int64)

    @property
    def _category_ids(self) -> Ints:
        return np.array([category.id for category in self.categories.items], dtype=np.int64)

    def _check_ids(self) -> None:
        for table in self.tables.values():
            table.check_ids()

    def _point(self, table: Table[Any], kind: str, references: Ints, known: Ints) -> None:
        """Raise InputError where an element names something that is not in the file."""
        for place in np.flatnonzero(~np.isin(references, known)).tolist():
            if references[place] == NO_TARGET and kind == "target":
                raise InputError("'target_id' is missing", table.where(place), "add 'target_id'")
            raise InputError(
                f"it names {kind} {references[place]}, which is not in the file",
                table.where(place),
                f"add that {kind} or mend the id",
            )

    def _check_owners(self) -> None:
        """Raise InputError where an annotation's image or category is not that of its target."""
        instances, targets = self.instances, self.targets
        owners = places_of(instances.column("target_id"), targets.column("id"))
        for name in ("image", "category"):
            own, wanted = instances.column(f"{name}_id"), targets.column(f"{name}_id")[owners]
            for place in np.flatnonzero(own != wanted).tolist():
                raise InputError(
                    f"its {name} is {own[place]}, that of its target"
                    f" {targets.id_at(owners[place])} is {wanted[place]}",
                    instances.where(place),
                    "make them the same",
                )

    def _check_sizes(self, table: Targets | Instances) -> None:
        """Raise InputError where a mask is not of its image's size; its image must be there."""
        images = self.images.items
        places = places_of(table.column("image_id"), self._image_ids)
        sizes = np.array([[image.height, image.width] for image in images], dtype=np.int64)
        own = np.column_stack([table.column("height"), table.column("width")])
        wanted = sizes.reshape(-1, 2)[places]
        is_wrong = (own != wanted).any(axis=1) & (own[:, 0] != NO_SIZE)
        for place in np.flatnonzero(is_wrong).tolist():
            image = images[places[place]]
            raise InputError(
                f"its mask has size {table.segmentation_size(place)}, image {image.id} has"
                f" [{image.height}, {image.width}] (height, width)",
                table.where(place),
                "write the mask at the image's size",
            )
