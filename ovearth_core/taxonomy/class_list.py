"""A class list of anyone's: a text file, a JSON list, or the categories of a COCO file."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from ..entry import describe
from ..errors import InputError, one_line
from ..jsonstream import DECODER
from .model import LONGEST_NAME

_MOST_BYTES = 64 << 20
_LISTS = ("categories", "classes", "names")


def read_class_list(path: Path) -> list[str]:
    """Return the class names in `path`, in order, each once.

    Read are: one name a line (`#` starts a comment), a JSON list of names, a JSON object with
    `categories` (COCO, a benchmark, a taxonomy), `classes` or `names` (a list, or an object of
    number to name as YOLO has it). InputError where no name is found.
    """
    text = _text_of(path)
    names = _from_json(text, path) if text.lstrip()[:1] in {"[", "{"} else _from_lines(text)
    if not names:
        raise InputError("no class name in it", str(path), "write one name a line")
    for name in names:
        if len(name) > LONGEST_NAME or not name.isprintable():
            raise InputError(f"{one_line(name)[:40]!r} is no class name", str(path), "mend it")
    return list(dict.fromkeys(names))


def _text_of(path: Path) -> str:
    try:
        if path.exists() and not path.is_file():
            raise InputError("no file", str(path), "name a list of classes")
        if path.stat().st_size > _MOST_BYTES:
            raise InputError("larger than any class list", str(path), "name a list of classes")
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InputError("not UTF-8 text", str(path), "save it as UTF-8") from None
    except OSError as fault:
        raise InputError(f"can't be read ({fault.strerror})", str(path), "name a file") from None


def _from_lines(text: str) -> list[str]:
    # A comment starts a line or follows a space: "C#-port" is a name.
    lines = (re.split(r"(?:^|\s)#", line, maxsplit=1)[0].strip() for line in text.splitlines())
    return [line for line in lines if line]


def _from_json(text: str, path: Path) -> list[str]:
    try:
        value = DECODER.decode(text.strip())
    except (json.JSONDecodeError, RecursionError) as fault:
        raise InputError(f"not JSON ({fault})", str(path), "mend it") from None
    if isinstance(value, dict):
        found = next((value[key] for key in _LISTS if key in value), None)
        if found is None:
            raise InputError("no 'categories' in it", str(path), "name a list of classes")
        value = list(found.values()) if isinstance(found, dict) else found
    if not isinstance(value, list):
        raise InputError(f"its classes are {describe(value)}", str(path), "write a list")
    return [_name(item, path) for item in value]


def _name(item: Any, path: Path) -> str:
    name = item.get("name") if isinstance(item, dict) else item
    if not isinstance(name, str) or not name.strip():
        raise InputError(f"a class is {describe(item)}, not a name", str(path), "write names")
    return name.strip()
