"""What every format of labels is read into: labelled images; and what a reader may be told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from ..frame import ImageFrame
from ..image_places import Polygons


@dataclass(frozen=True, slots=True)
class Label:
    """One object of a label file, in pixels of its image.

    class_name: as the file says it. polygons: closed rings, the outer one first. box: x0, y0, x1,
    y1 and obb: four corners, flat, where the file gives them: they stay given. bbox: x, y, width,
    height for files that say it so, to the last bit; wins over box. segmentation: COCO polygons or
    RLE exactly as read. label_id, target_id, class_id: the file's own numbers, kept where they are
    free. changed_at: when it was drawn or changed last, as the file says.
    extra: whatever else the file says of it. where: "FILE line 3".
    """

    class_name: str
    polygons: Polygons | None = None
    box: tuple[float, float, float, float] | None = None
    obb: tuple[float, ...] | None = None
    is_crowd: bool = False
    segmentation: Any = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    where: str = ""
    bbox: tuple[float, float, float, float] | None = None
    label_id: int | None = None
    class_id: int | None = None
    target_id: int | None = None
    changed_at: str | None = None


@dataclass(frozen=True, slots=True)
class LabelledImage:
    """One image with its labels. width, height: in pixels, as the file says, checked where given.

    file_name: as the file says it; a path, a bare name, or a name without its ending. An image may
    come several times, and may have no label. image_id: the file's own number, kept where free.
    extra: goes to the image's row when the image is new.
    """

    file_name: str
    labels: tuple[Label, ...] = ()
    width: int | None = None
    height: int | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)
    where: str = ""
    image_id: int | None = None


class ImageLookup(Protocol):
    """The images that labels may belong to: the dataset's, then those of `--images DIR`."""

    def frame(self, file_name: str) -> ImageFrame:
        """Return the frame of an image, named as the label file names it.

        Found by path, else by bare name, else without its ending. InputError where there is none,
        or several; FrameError for one without CRS and transform.
        """

    def names(self) -> tuple[str, ...]:
        """Return every image's name, as `frame` takes it: for shapes that don't name theirs."""


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What a reader may be told. class_column, image_column: of tables and vector files.

    outside: what to do with shapes that lie in no image, or cross one's edge: "refuse" them all,
    "skip" and count them, or "clip" them at the edge. left_out: filled by the reader, why and how
    many; each pass sets what it found, so that a second one doesn't count twice.
    """

    class_column: str | None = None
    image_column: str | None = None
    outside: str = "refuse"
    left_out: dict[str, int] = field(default_factory=dict, compare=False)


class LabelReader(Protocol):
    """Reads a label file, or a folder of them.

    Raises InputError with file and line for anything malformed. What a reader needn't check, since
    importing does so for all: classes that don't map, unknown images, a wrong image size, labels
    that lie outside of the image, rings of fewer than three different points.
    """

    def __call__(
        self, source: Path, images: ImageLookup, options: ReadOptions
    ) -> Iterator[LabelledImage]:
        """Yield the images one by one; may be called again for a second pass."""
