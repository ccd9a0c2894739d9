"""What a dialect may be told, by the options of the command line or of the functions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path

from ...benchmark import MODALITIES
from ...errors import InputError, UsageError
from ...spelling import nearest
from ...textsource import open_text_bytes

ANGLES = ("le90", "le135", "oc")
ANGLE_UNITS = ("radians", "degrees")
RESIZES = ("nearest",)
_OPTIONS = {
    name: "--" + name.replace("_", "-")
    for name in (
        *("input_size", "resize", "classes", "threshold"),
        *("angle", "angle_unit", "duplicates"),
    )
}
_LONGEST_LIST = 1 << 22


@dataclass(frozen=True)
class DialectOptions:
    """How to read. Paths are None where not given.

    lenient: keep what is whole and count what is not. mapping: which output belongs to which query
    or category. input_size: width, height of the image as the model saw it, in pixels. resize: how
    masks of another size are brought to their image's: "nearest"; None refuses them. classes: a
    file with the names of an index map's values. threshold: the least score of foreground. angle,
    angle_unit: convention of angles. modality: what shapes are that may be several things.
    duplicates: IoU from which on two boxes of a map product are one, 0 for none. query_ids: of
    blind requests, request to query.
    """

    lenient: bool = False
    mapping: Path | None = None
    input_size: tuple[int, int] | None = None
    resize: str | None = None
    classes: Path | None = None
    threshold: float | None = None
    angle: str | None = None
    angle_unit: str | None = None
    modality: str | None = None
    duplicates: float | None = None
    query_ids: Mapping[str, str] | None = None

    def check(self, dialect: str, used: Sequence[str], needed: Sequence[str] = ()) -> None:
        """Raise UsageError for values that are none, and for options that a dialect has no use for.

        used: names of those that it looks at, besides `lenient`, `mapping` and `modality` (which
        scoring has its own use for: see check_modality); needed: of those that must be given.
        """
        _check_word(self.resize, RESIZES, "--resize")
        _check_word(self.angle, ANGLES, "--angle")
        _check_word(self.angle_unit, ANGLE_UNITS, "--angle-unit")
        _check_word(self.modality, MODALITIES, "--modality")
        if self.input_size is not None and min(self.input_size) < 1:
            raise UsageError("no size of an image", "--input-size", "give width and height")
        if self.threshold is not None and not math.isfinite(self.threshold):
            raise UsageError("no threshold", "--threshold", "give a number such as 0.5")
        if self.duplicates is not None and not 0 <= self.duplicates <= 1:
            raise UsageError("no IoU", "--duplicates", "give a number from 0 to 1")
        for name, option in _OPTIONS.items():
            if getattr(self, name) is not None and name not in used:
                raise UsageError(f"means nothing to {dialect}", option, "leave it out")
            if getattr(self, name) is None and name in needed:
                words = f": {', '.join(ANGLES)}" if name == "angle" else ""
                raise UsageError(f"{dialect} needs a value", option, f"say it{words}")

    def check_modality(self, dialect: str, used: Sequence[str]) -> None:
        """Raise UsageError for a `modality` that means nothing to a dialect."""
        if self.modality in MODALITIES and "modality" not in used:
            raise UsageError(f"means nothing to {dialect}", "--modality", "leave it out")

    def refuse_without_dialect(self) -> None:
        """Raise UsageError where something is given that only a dialect has a use for."""
        for field in fields(self):
            is_given = getattr(self, field.name) not in (None, False)
            if is_given and field.name not in ("modality", "query_ids"):
                option = "--" + field.name.replace("_", "-")
                mend = "name one: --from DIALECT"
                raise UsageError("means nothing without a dialect", option, mend)

    def files(self) -> list[Path]:
        """Return the files that options name."""
        return [path for path in (self.mapping, self.classes) if path is not None]


def read_classes_file(path: Path) -> list[str]:
    """Return the names in a class list, one a line, the first being class 0.

    Raises InputError for a file that is no text, has an empty line among its names, or none.
    """
    with open_text_bytes(path) as file:
        whole = file.read(_LONGEST_LIST + 1)
    if len(whole) > _LONGEST_LIST:
        raise InputError("too long for a class list", str(path), "write one name a line")
    try:
        names = [line.strip() for line in whole.decode("utf-8-sig").rstrip().splitlines()]
    except UnicodeDecodeError:
        raise InputError("text that is not UTF-8", str(path), "save it as UTF-8") from None
    if not names or not all(names):
        what = "an empty line" if names else "no class in it"
        raise InputError(what, str(path), "write one name a line, the first is class 0")
    return names


def _check_word(word: str | None, words: Sequence[str], option: str) -> None:
    if word is not None and word not in words:
        raise UsageError(f"unknown {word!r}", option, nearest(word, words))
