"""The class list of a YOLO dataset: `names` of a data.yaml, or a classes.txt with one a line."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..entry import describe
from ..errors import InputError
from .label_text import is_label_folder, line_place, lines_of

LABEL_FOLDER = "labels"
CLASSES_FILE = "classes.txt"
DATA_FILE = "data.yaml"
NOT_LABELS = (CLASSES_FILE, "train.txt", "val.txt", "test.txt")
_DATA_ENDINGS = (".yaml", ".yml")
_SPLITS = ("train", "val", "valid", "test")
_LARGEST_YAML = 1 << 20


class YoloClasses:
    """Class names by their number in label lines."""

    def __init__(self, names: dict[int, str], where: str) -> None:
        self._names = names
        self._where = where

    def name(self, number: float, where: str) -> str:
        """Return a class's name; InputError, at the label's place, for a number without one."""
        found = self._names.get(int(number)) if number == int(number) else None
        if found is None:
            what = f"class {number:g} is not in {self._where} ({len(self._names)} classes)"
            raise InputError(what, where, "mend the line or the class list")
        return found


def read_classes(source: Path) -> YoloClasses:
    """Return the class list beside the labels: in `source`, or above its label folder.

    Raises InputError where there is none, two that differ, or a data.yaml alone without PyYAML.
    """
    for folder in _places(source):
        text_file = folder / CLASSES_FILE
        yaml_files = _data_files(folder)
        from_text = _listed(text_file) if text_file.is_file() else None
        from_yaml = [names for path in yaml_files if (names := _from_yaml(path)) is not None]
        found = [*([] if from_text is None else [(from_text, text_file)]), *from_yaml]
        if len({tuple(sorted(names.items())) for names, _ in found}) > 1:
            where = " and ".join(str(path) for _, path in found)
            raise InputError("class lists that differ", where, "keep the right one")
        if found:
            return YoloClasses(found[0][0], str(found[0][1]))
        if yaml_files:
            _needs_yaml(yaml_files[0])
    mend = f"write {CLASSES_FILE} there, a name a line, or {DATA_FILE} with names"
    raise InputError("no class list", str(source), mend)


def write_classes(folder: Path, names: Sequence[str]) -> None:
    """Write both lists; the YAML is one that needs no library: keys and quoted names."""
    text = "".join(f"{name}\n" for name in names)
    (folder / CLASSES_FILE).write_text(text, encoding="utf-8", newline="\n")
    quoted = (json.dumps(name, ensure_ascii=False) for name in names)
    listed = "".join(f"  {number}: {name}\n" for number, name in enumerate(quoted))
    head = "path: .\ntrain: images\nval: images\n"
    whole = head + ("names:\n" + listed if listed else "names: {}\n")
    (folder / DATA_FILE).write_text(whole, encoding="utf-8", newline="\n")


def _places(source: Path) -> list[Path]:
    """Return where a class list may lie: in the source's folder, and above label folders.

    No higher: a list in a folder of many data sets would be another one's.
    """
    places = [source.resolve() if source.is_dir() else source.resolve().parent]
    while is_label_folder(places[-1], LABEL_FOLDER) or places[-1].name.lower() in _SPLITS:
        places.append(places[-1].parent)
    return places


def _data_files(folder: Path) -> list[Path]:
    return sorted(p for p in folder.iterdir() if p.suffix.lower() in _DATA_ENDINGS and p.is_file())


def _listed(path: Path) -> dict[int, str]:
    # Numbered by line: an empty one in the middle would shift all classes after it.
    lines = list(lines_of(path))
    for at, (number, _) in enumerate(lines, 1):
        if number != at:
            raise InputError("an empty line", line_place(path, at), "write a class name there")
    return {number - 1: name.strip() for number, name in lines}


def _from_yaml(path: Path) -> tuple[dict[int, str], Path] | None:
    """Return the names of a YAML file; None for one without any, or where there is no reader."""
    try:
        import yaml
    except ImportError:
        return None
    if path.stat().st_size > _LARGEST_YAML:
        return None
    try:
        document = yaml.safe_load(path.read_bytes())
    except (yaml.YAMLError, ValueError, RecursionError) as fault:
        raise InputError(
            f"no YAML ({' '.join(str(fault).split())})", str(path), "mend it"
        ) from None
    names = document.get("names") if isinstance(document, dict) else None
    return None if names is None else (_numbered(names, path), path)


def _numbered(names: Any, path: Path) -> dict[int, str]:
    pairs = list(enumerate(names)) if isinstance(names, list) else None
    if isinstance(names, dict):
        pairs = list(names.items())
    if pairs is None or not all(type(number) is int for number, _ in pairs):
        what = f"'names' is {describe(names)}"
        raise InputError(what, str(path), "write a list, or a name a number")
    # YAML takes `no` for false and `1` for a number: a class is called as it is written.
    for number, name in pairs:
        if not isinstance(name, str):
            what = f"the name of class {number} is {describe(name)}"
            raise InputError(what, str(path), "write it in quotes")
    return dict(pairs)


def _needs_yaml(path: Path) -> None:
    try:
        import yaml  # noqa: F401
    except ImportError:
        mend = f"pip install pyyaml, or write {CLASSES_FILE} beside it, a name a line"
        raise InputError("the class list needs PyYAML", str(path), mend) from None
