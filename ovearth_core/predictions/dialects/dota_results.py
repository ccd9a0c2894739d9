"""DOTA results: `Task1_CLASS.txt` with oriented boxes, `Task2_CLASS.txt` with upright ones.

`image score x1 y1 x2 y2 x3 y3 x4 y4`, or `image score xmin ymin xmax ymax`, in pixels of the image.

Source: https://captain-whu.github.io/DOTA/tasks.html and DOTA_devkit's dota_evaluation_task1.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from ...errors import InputError, OVEarthError
from ...geometry import check_quads
from ...labels.label_text import line_place, lines_of, numbers_of
from .answer import Answer
from .class_names import ClassNames
from .dialect import Dialect
from .image_names import ImageNames
from .reading import Reading
from .records import upright
from .scene import Detection, scene_answers

_NAME = re.compile(r"(?:task([12])_)?(.+)\.txt", re.IGNORECASE)
_BROKEN = "lines that are malformed"
_UPRIGHT, _ORIENTED = 6, 10


def read(source: Path, reading: Reading) -> Iterator[Answer]:
    """Yield the answers of a file, or of all in a folder; see `Reader`. Files are read twice."""

    names, images = ClassNames(reading), ImageNames(reading)
    files = _files(source)
    wanted = _boxes_of_task({_told(path)[0] for path in files}, reading.options.modality)

    def detections() -> Iterator[Detection]:
        number = 0
        for path in files:
            task, class_name = _told(path)
            if not wanted.get(task, ("hbb", "obb")):
                continue
            concepts = names.of_name(class_name, str(path))
            for line, text in lines_of(path):
                number += 1
                where = line_place(path, line)
                try:
                    words = text.split()
                    image = images.of(words[0], where)
                    numbers = numbers_of(words[1:], where)
                    if image is not None and concepts:
                        found = _detection(image.id, concepts, number, where, numbers, task)
                        kinds_of = wanted[task]
                        yield replace(
                            found,
                            hbb=found.hbb if "hbb" in kinds_of else None,
                            obb=found.obb if "obb" in kinds_of else None,
                        )
                except OVEarthError as fault:
                    reading.refuse(fault if fault.where else fault.at(where), _BROKEN)

    if reading.options.modality in ("hbb", "obb"):
        yield from scene_answers(detections, reading, names, (reading.options.modality,))
        return
    kinds = ("hbb",) if all(_told(path)[0] == "2" for path in files) else ("hbb", "obb")
    yield from scene_answers(detections, reading, names, kinds)


def _boxes_of_task(
    tasks: set[str | None], modality: str | None
) -> dict[str | None, tuple[str, ...]]:
    """Return which boxes the files of each task are read for.

    Task 1 gives oriented boxes, whose envelopes are horizontal ones, unless files of Task 2 give
    these: they are the same objects as another head of the model saw them.
    """
    both = {"1", "2"} <= tasks
    read = {"1": ("obb",) if both else ("hbb", "obb"), "2": ("hbb",), None: ("hbb", "obb")}
    wanted = (modality,) if modality in ("hbb", "obb") else ("hbb", "obb")
    return {task: tuple(kind for kind in kinds if kind in wanted) for task, kinds in read.items()}


def _detection(
    image_id: int,
    concepts: tuple[int | str, ...],
    number: int,
    where: str,
    numbers: tuple[float, ...],
    task: str | None,
) -> Detection:
    wanted = {"1": (_ORIENTED,), "2": (_UPRIGHT,)}.get(task or "", (_UPRIGHT, _ORIENTED))
    if len(numbers) + 1 not in wanted:
        listed = " or ".join(str(count - 2) for count in wanted)
        what = f"{len(numbers) - 1} numbers of a box behind the score, not {listed}"
        raise InputError(what, where, "write image score x1 y1 … x4 y4 (Task1), or xmin … ymax")
    score, *box = numbers
    if len(box) == 4:
        hbb = upright(np.array(box))
        return Detection(image_id, concepts, number, where, hbb=hbb, score=score)
    obb = check_quads([box])[0]
    around = np.concatenate([obb.min(axis=0), obb.max(axis=0)])
    return Detection(image_id, concepts, number, where, hbb=around, obb=obb, score=score)


def _told(path: Path) -> tuple[str | None, str]:
    """Return the task and the class that a file's name says."""
    match = _NAME.fullmatch(path.name)
    return (None, path.stem) if match is None else (match[1], match[2])


def _files(source: Path) -> list[Path]:
    if source.is_file():
        return [source]
    found = sorted(path for path in source.glob("*.txt") if not path.name.startswith("."))
    if not found:
        mend = "name the folder with Task1_CLASS.txt files"
        raise InputError("no result file (*.txt) in it", str(source), mend)
    return found


DIALECTS = (
    Dialect(
        "dota",
        ("DOTA results, Task 1 and Task 2",),
        "scene",
        "Task1_CLASS.txt, lines of image, score and four corners, and Task2_CLASS.txt, lines of"
        " image, score, xmin, ymin, xmax and ymax, in pixels; a file or a folder of them",
        "https://github.com/CAPTAIN-WHU/DOTA_devkit dota_evaluation_task1.py at"
        " 62891d31e2162e21b8d72849f2bee970282f6124; https://captain-whu.github.io/DOTA/tasks.html",
        read,
        ("modality",),
    ),
)
