"""Pictures inside a workbook: each stored once, however often it is shown."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any
from zipfile import ZipFile

from ...errors import UsageError
from ..depiction import Picture
from .thumbnail import picture_bytes

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

MOST_BYTES = 200_000_000
_POINTS_PER_PX = 0.75
_ROOM_POINTS = 4.0
# What a row's height can be.
_TALLEST_POINTS = 409.0


@dataclass(frozen=True)
class PackedPicture:
    """A JPEG of width x height pixels, and what it is called in the workbook."""

    whole: bytes
    width: int
    height: int
    name: str


class PictureStore:
    """Packs pictures and gives them names; UsageError once there are too many bytes of them."""

    def __init__(self) -> None:
        self._bytes = 0
        self._numbers = count(1)

    def pack(self, pictures: Sequence[Picture], side: int) -> list[PackedPicture]:
        """Return pictures with at most `side` pixels on their longer side."""
        packed = []
        for picture in pictures:
            whole, width, height = picture_bytes(picture, side)
            self._bytes += len(whole)
            if self._bytes > MOST_BYTES:
                raise UsageError(
                    f"more than {MOST_BYTES // 1_000_000} MB of pictures", "review sheet",
                    "give a smaller --side, choose some by --target, or --no-pictures",
                )  # fmt: skip
            name = f"/xl/media/picture{next(self._numbers)}.jpeg"
            packed.append(PackedPicture(whole, width, height, name))
        return packed


def place(sheet: Worksheet, packed: PackedPicture, row: int, column: int) -> None:
    """Show a picture in a cell, its row made as tall as it needs."""
    image = _named_image(packed)
    most = (_TALLEST_POINTS - _ROOM_POINTS) / _POINTS_PER_PX
    shrink = min(1.0, most / packed.height)
    image.width, image.height = round(packed.width * shrink), round(packed.height * shrink)
    sheet.add_image(image, sheet.cell(row, column).coordinate)
    needed = image.height * _POINTS_PER_PX + _ROOM_POINTS
    has = sheet.row_dimensions[row].height or 0.0
    sheet.row_dimensions[row].height = max(has, needed)


def _named_image(packed: PackedPicture) -> Any:
    from openpyxl.drawing.image import Image

    class NamedImage(Image):  # type: ignore[misc]
        """An image that is stored under its own name, not under its place in the workbook."""

        @property
        def path(self) -> str:
            """Its name."""
            return packed.name

    return NamedImage(io.BytesIO(packed.whole))


class OnceZip(ZipFile):
    """A ZIP file that takes each name once: what comes again under it is the same picture."""

    def writestr(self, zinfo_or_arcname: Any, data: Any, *more: Any, **options: Any) -> None:
        """Write an entry, unless there is one of this name."""
        name = getattr(zinfo_or_arcname, "filename", zinfo_or_arcname)
        if name not in self.NameToInfo:
            super().writestr(zinfo_or_arcname, data, *more, **options)
