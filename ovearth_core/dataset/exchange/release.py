"""A frozen release: a folder with the benchmark, its images, and a checksum of every file."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from ...atomic import AtomicFiles
from ...errors import InputError, OutputError, OVEarthError, UsageError, one_line
from ...paths import inside
from ...raster_file import check_pixels, file_sha256
from ..rows import ImageRow
from ..view import View
from .benchmark_out import add_benchmark_of, outgoing_ids
from .beside import folder_beside
from .checksums import SUMS_NAME, read_sums
from .model import Report, WriteOptions

BENCHMARK_NAME = "benchmark.json"
_SHOWN = 10
_VERSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]{0,99}")


@dataclass(frozen=True)
class ReleaseFault:
    """A file of a release that isn't what it was when it was frozen."""

    file: str
    what: str
    mend: str

    def __str__(self) -> str:
        return one_line(f"{self.file}: {self.what}; {self.mend}")


def write_release(view: View, out: Path, options: WriteOptions) -> Report:
    """Freeze a release in the new folder `out`, which appears whole or not at all.

    It holds `benchmark.json` with the version, the images, and `SHA256SUMS` as `sha256sum -c` reads
    it. UsageError where the folder is there, InputError where images lack, were
    changed, or can't be read whole.
    """
    if not (options.release or "").strip():
        raise UsageError("a release without a version", "--release", "name one: --release 1.0")
    if not _VERSION.fullmatch(options.release or ""):
        raise UsageError(
            f"{options.release!r} is no version", "--release",
            "write letters, digits, dots, hyphens, underscores and plus signs, such as 1.0",
        )  # fmt: skip
    wanted = outgoing_ids(view, options).images
    images = [row for row in view.images() if row.id in wanted]
    _check_at_hand(images, options.folder)
    with _new_folder(out) as beside:
        sums = {}
        for row in images:
            options.step()
            sums[row.file_name] = _copied(row, options.folder, beside)
        with AtomicFiles() as files:
            report = add_benchmark_of(files, view, beside / BENCHMARK_NAME, options)
        sums[BENCHMARK_NAME] = file_sha256(beside / BENCHMARK_NAME)
        lines = [f"{checksum}  {name}\n" for name, checksum in sorted(sums.items())]
        with AtomicFiles() as files:
            files.write(beside / SUMS_NAME, "".join(lines))
    notes = (*report.notes, f"release {options.release}: verify with sha256sum -c {SUMS_NAME}")
    return replace(report, notes=notes)


def verify_release(folder: Path) -> Iterator[ReleaseFault]:
    """Yield what has changed in a release's folder since it was frozen: nothing, if it is whole.

    Files that were changed, that lack, and that weren't there. InputError where there is no
    `SHA256SUMS`, or one with a line that is none.
    """
    sums = read_sums(folder / SUMS_NAME)
    for name, checksum in sums.items():
        path = inside(folder, name)
        if not path.is_file():
            yield ReleaseFault(name, "is missing", "get the release again, whole")
        elif file_sha256(path) != checksum:
            yield ReleaseFault(name, "was changed", "get the release again, whole")
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name != SUMS_NAME and name not in sums:
            yield ReleaseFault(name, "is not part of the release", "take it out of the folder")


def _check_at_hand(images: list[ImageRow], folder: Path) -> None:
    missing = [row.file_name for row in images if not inside(folder, row.file_name).is_file()]
    if missing:
        shown = ", ".join(missing[:_SHOWN]) + (" …" if len(missing) > _SHOWN else "")
        raise InputError(
            f"{len(missing)} image files are missing: {shown}", str(folder),
            "put them there, or export without --release",
        )  # fmt: skip
    for row in images:
        if row.file_name in (BENCHMARK_NAME, SUMS_NAME) or "\n" in row.file_name:
            raise InputError(
                f"an image can't be named {row.file_name!r} in a release", mend="rename it"
            )


def _copied(row: ImageRow, folder: Path, beside: Path) -> str:
    source, copy = inside(folder, row.file_name), inside(beside, row.file_name)
    try:
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, copy)
    except OSError as fault:
        raise OutputError(
            f"can't copy it ({fault.strerror})", f"{source} to {copy}", "check the space"
        ) from None
    checksum = file_sha256(copy)
    if row.sha256 is not None and checksum != row.sha256:
        raise InputError(
            "the image has changed since it was taken in", str(source),
            "restore it (ovearth check lists all)",
        )  # fmt: skip
    try:
        check_pixels(copy)
    except InputError as fault:
        raise InputError(fault.what, str(source), "restore it (ovearth check lists all)") from None
    return checksum


@contextmanager
def _new_folder(out: Path) -> Iterator[Path]:
    """Give a folder beside `out` that takes its place when the block ends well."""
    if out.exists():
        raise UsageError("is there already", str(out), "name a new folder: releases stay frozen")
    try:
        with folder_beside(out) as beside:
            yield beside
            beside.rename(out)
    except OSError as fault:
        if isinstance(fault, OVEarthError):
            raise
        raise OutputError(
            f"can't make it ({fault.strerror})", str(out), "check the folder and its space"
        ) from None
