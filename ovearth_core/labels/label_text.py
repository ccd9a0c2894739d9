"""Label files of plain text: found in their folders, read line by line.

Formats of one text file an image name the image by the file's own name, without its ending.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..entry import FARTHEST
from ..errors import InputError
from ..textsource import open_text_bytes

ENDING = ".txt"


def lines_of(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that hold something, without their ends, each with its number from 1.

    UTF-8, with a byte order mark or without. InputError naming the line where it is none.
    """
    with open_text_bytes(path) as file:
        for number, line in enumerate(file, 1):
            try:
                text = line.decode("utf-8-sig" if number == 1 else "utf-8").rstrip("\r\n")
            except UnicodeDecodeError:
                what = "text that is not UTF-8"
                raise InputError(what, line_place(path, number), "save it as UTF-8") from None
            if "\0" in text:
                raise InputError("no text", line_place(path, number), "save it as UTF-8")
            if text.strip():
                yield number, text


def line_place(path: Path, number: int) -> str:
    """Name a line for a message."""
    return f"{path} line {number}"


def numbers_of(words: Sequence[str], where: str) -> tuple[float, ...]:
    """Return words as finite numbers; InputError names the first that is none."""
    found = []
    for word in words:
        try:
            number = float(word)
        except ValueError:
            number = math.nan
        # Python alone would read 1_0 as ten, and the digits of every script.
        if not abs(number) <= FARTHEST or "_" in word or not word.isascii():
            raise InputError(f"{word[:40]!r} is not a finite number", where, "mend that line")
        found.append(number)
    return tuple(found)


def label_files(source: Path, folder_name: str, not_labels: Sequence[str]) -> list[Path]:
    """Return the label files of a source, sorted: itself, or all in its label folders.

    Label folders are those of that name at any depth; without one, the source itself is. InputError
    where there is nothing.
    """
    if source.is_file():
        return [source]
    if not source.is_dir():
        raise InputError("no such file or folder", str(source), "check the path")
    files = [p for p in source.rglob("*" + ENDING) if p.is_file() and _is_label(p, not_labels)]
    within = [p for p in files if _in_label_folder(p, source, folder_name)]
    found = sorted(within or [p for p in files if p.parent == source])
    if not found:
        mend = f"name the folder that holds one {ENDING} file an image"
        raise InputError(f"no label file (*{ENDING}) in it", str(source), mend)
    return found


def image_stem(path: Path, source: Path, folder_name: str) -> str:
    """Return the image's name without its ending: the label file's path in its label folder."""
    inner: list[str] = []
    for parent in path.parents:
        if is_label_folder(parent, folder_name) or parent == source or source.is_file():
            break
        inner.insert(0, parent.name)
    return "/".join([*inner, path.stem])


def is_label_folder(folder: Path, name: str) -> bool:
    """Whether a folder is called so, or so with something behind it (`labelTxt-v1.5`)."""
    return folder.name.lower().startswith(name.lower())


def _in_label_folder(path: Path, source: Path, name: str) -> bool:
    """Whether a label folder holds it, at `source` or below: what lies above is not asked."""
    inner = [folder for folder in path.parents if source == folder or source in folder.parents]
    return any(is_label_folder(folder, name) for folder in inner)


def _is_label(path: Path, not_labels: Sequence[str]) -> bool:
    # Those that begin with a point are what macOS puts beside files in archives.
    return path.name not in not_labels and not path.name.startswith(".")
