"""A target's image, opened: its file must be there, and of the size that the dataset knows."""

from __future__ import annotations

from ..dataset import Dataset
from ..errors import InputError
from ..segment.image_pixels import FilePixels
from .subject import Subject


def pixels_of(dataset: Dataset, subject: Subject) -> FilePixels:
    """Return the pixels of the image that a target is on; InputError where they can't be had."""
    with dataset.reading() as view:
        path = dataset.image_path(view.image(subject.image.id))
    if not path.is_file():
        raise InputError("the image's file is not at hand", subject.image.file_name)
    pixels = FilePixels(path)
    if (pixels.width, pixels.height) != (subject.image.width, subject.image.height):
        raise InputError("the file has another size", subject.image.file_name, "ovearth check")
    return pixels
