"""The formats by name, and where each is read and written; a module is imported when it is used."""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module
from typing import cast

from ...errors import UsageError
from ...labels.model import LabelReader
from ...spelling import nearest
from .model import LabelWriter

# Format: module of this package, or from where its dots lead to, and function in it.
READERS = {
    "coco": "coco_labels:read",
    "dota": "dota:read",
    "yolo-obb": "yolo_obb:read",
    "labelme": "..labels.labelme:read",
    "vector": "vector:read",
    "csv": "csv_boxes:read",
}
WRITERS = {
    "benchmark": "benchmark_out:write",
    "coco": "coco_out:write",
    "dota": "dota:write",
    "yolo-obb": "yolo_obb:write",
    "geojson": "geojson:write",
    "geoparquet": "geoparquet:write",
    "stac": "stac:write",
}
# Read by a way of its own: it brings categories, targets and queries with it.
BENCHMARK = "benchmark"
IMPORTED = (BENCHMARK, *READERS)
# What else can be told when importing, and the formats that listen.
LISTENING = {
    "--mapping": tuple(READERS),
    "--keep-unmapped": tuple(READERS),
    "--class-column": ("vector", "csv"),
    "--image-column": ("vector", "csv"),
    "--outside": ("vector",),
    "--again": tuple(READERS),
}
EXPORTED = tuple(WRITERS)


def reader_of(name: str) -> LabelReader:
    """Return the reader of a format; UsageError, with the nearest name, where there is none."""
    return cast("LabelReader", _function(READERS, name, IMPORTED))


def writer_of(name: str) -> LabelWriter:
    """Return the writer of a format; UsageError, with the nearest name, where there is none."""
    return cast("LabelWriter", _function(WRITERS, name, EXPORTED))


def check_format(name: str, known: tuple[str, ...]) -> None:
    """Raise UsageError for a format that isn't among the known ones."""
    if name not in known:
        raise UsageError(f"there is no format {name!r}", "--format", nearest(name, known))


def check_options(name: str, given: Collection[str]) -> None:
    """Raise UsageError, with the names of all, where options are given that a format ignores."""
    deaf = [option for option in given if name not in LISTENING[option]]
    if not deaf:
        return
    why = ": it brings its own categories" if name == BENCHMARK else ""
    listeners = dict.fromkeys(one for option in deaf for one in LISTENING[option])
    raise UsageError(
        f"--format {name} has no use for that{why}",
        ", ".join(deaf),
        f"leave it out (it is for {', '.join(listeners)})",
    )


def _function(table: dict[str, str], name: str, known: tuple[str, ...]) -> object:
    check_format(name, known)
    module, function = table[name].split(":")
    return getattr(import_module("." + module, __package__), function)
