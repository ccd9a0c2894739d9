"""The pictures of a run's gallery, in memory and in the file that a report keeps of them."""

from __future__ import annotations

import base64
import binascii
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ...entry import Entry
from ..kept_json import kept_list, read_kept

FORMAT = "ovearth-gallery/1"
_LARGEST_PICTURE = 1 << 18
_JPEG = b"\xff\xd8\xff"
_MEND = "make the report anew from predictions"
_TEXTS = ("query_id", "text", "task", "polarity", "category", "image", "modality", "kind", "score")


@dataclass(frozen=True)
class Picture:
    """A query with its truth and a run's answer drawn over the image, as a JPEG.

    kind: of error. score: a sentence for people. is_best: of the best, else of the worst.
    is_part: whether the picture shows part of the image only.
    """

    query_id: str
    text: str
    task: str
    polarity: str
    category: str
    image: str
    modality: str
    kind: str
    score: str
    is_best: bool
    is_part: bool
    jpeg: bytes


@dataclass(frozen=True)
class Gallery:
    """Pictures of one run, and sentences about what is lacking."""

    pictures: tuple[Picture, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def byte_count(self) -> int:
        """The size of all pictures."""
        return sum(len(picture.jpeg) for picture in self.pictures)


def gallery_text(gallery: Gallery) -> str:
    """Return a gallery as the JSON that a report keeps."""
    pictures = [
        {**asdict(picture), "jpeg": base64.b64encode(picture.jpeg).decode("ascii")}
        for picture in gallery.pictures
    ]
    document = {"format": FORMAT, "pictures": pictures, "notes": list(gallery.notes)}
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def read_gallery(path: Path) -> Gallery:
    """Read what gallery_text wrote; InputError for anything else."""
    document = read_kept(path, FORMAT)
    notes = document.fields.get("notes")
    if not isinstance(notes, list) or not all(isinstance(note, str) for note in notes):
        raise document.fail("'notes' is no list of texts", _MEND)
    return Gallery(tuple(map(_picture, kept_list(document, "pictures"))), tuple(notes))


def _picture(entry: Entry) -> Picture:
    values: dict[str, Any] = {key: entry.text(key) for key in _TEXTS}
    values |= {key: entry.boolean(key, default=False) for key in ("is_best", "is_part")}
    return Picture(**values, jpeg=_jpeg(entry))


def _jpeg(entry: Entry) -> bytes:
    value: Any = entry.fields.get("jpeg")
    try:
        jpeg = base64.b64decode(value, validate=True)
    except (TypeError, ValueError, binascii.Error):
        jpeg = b""
    if not jpeg.startswith(_JPEG) or len(jpeg) > _LARGEST_PICTURE:
        raise entry.fail("'jpeg' is no small JPEG in base64", _MEND)
    return jpeg
