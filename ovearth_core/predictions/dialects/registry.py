"""All dialects by name: those that come with OVEarth, and those of installed packages."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from ...errors import UsageError
from ...spelling import nearest
from .dialect import Dialect

GROUP = "ovearth.dialects"
# Modules in this package, imported when a dialect of theirs is asked for.
_MODULES: dict[str, tuple[str, ...]] = {
    "dense": ("dense",),
    "sam3": ("sam3",),
    "seg_token": ("seg-token",),
    "text4seg": ("text4seg",),
    "plain_boxes": ("grounding-dino", "xyxy"),
    "oriented_boxes": ("obb-angle", "obb-corners"),
    "rex_omni": ("rex-omni",),
    "locate_anything": ("locate-anything",),
    "qwen": ("qwen2.5-vl", "qwen3-vl"),
    "gemini": ("gemini",),
    "deepseek_vl2": ("deepseek-vl2",),
    "paligemma": ("paligemma",),
    "florence_2": ("florence-2",),
    "coco_results": ("coco",),
    "dota_results": ("dota",),
    "ultralytics": ("ultralytics",),
    "labelme_shapes": ("labelme",),
    "csv_table": ("csv",),
    "map_product": ("map",),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def dialect_names() -> list[str]:
    """Return the names of all dialects, those that come with OVEarth first."""
    return [*_MODULE_OF, *sorted(set(_points()) - set(_MODULE_OF))]


def find_dialect(name: str) -> Dialect:
    """Return a dialect by its name; UsageError for an unknown one, or one that can't be loaded."""
    points = _points().get(name, [])
    if len(points) + (name in _MODULE_OF) > 1:
        others = ", ".join(point.value for point in points)
        what = f"there are two dialects {name!r} (also {others})"
        raise UsageError(what, "--from", "uninstall one, or rename yours")
    if name in _MODULE_OF:
        found: Dialect = _built_in(name)
        return found
    if not points:
        raise UsageError(f"unknown dialect {name!r}", "--from", _advice(name))
    return _loaded(points[0])


def dialects_of(family: str) -> list[str]:
    """Return the dialects, of those that come with OVEarth, that a family of models speaks.

    family: its name, in whatever case, with or without its spaces and hyphens.
    """
    wanted = _plain(family)
    return [
        name
        for name in _MODULE_OF
        if any(_plain(spoken) == wanted for spoken in _built_in(name).families)
    ]


def _plain(family: str) -> str:
    return "".join(filter(str.isalnum, family)).casefold()


def _advice(name: str) -> str:
    """Return what to write in the place of an unknown name, which may be that of a model."""
    spoken = dialects_of(name)
    return f"{name} speaks {' or '.join(spoken)}" if spoken else nearest(name, dialect_names())


def _built_in(name: str) -> Dialect:
    module = import_module(f".{_MODULE_OF[name]}", __package__)
    dialects: tuple[Dialect, ...] = module.DIALECTS
    return next(dialect for dialect in dialects if dialect.name == name)


def _points() -> dict[str, list[EntryPoint]]:
    found: dict[str, list[EntryPoint]] = {}
    for point in entry_points(group=GROUP):
        found.setdefault(point.name, []).append(point)
    return found


def _loaded(point: EntryPoint) -> Dialect:
    try:
        found = point.load()
    except Exception as fault:
        what = f"the dialect {point.name!r} can't be loaded ({type(fault).__name__}: {fault})"
        raise UsageError(what, point.value, "mend the package that brings it") from None
    if not isinstance(found, Dialect):
        what = f"the entry point {point.name!r} is no Dialect"
        raise UsageError(what, point.value, "name an object of the class Dialect")
    return found
