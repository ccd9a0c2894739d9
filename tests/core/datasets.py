"""Datasets made for tests."""

import numpy as np

from ovearth_core.crs import LONLAT
from ovearth_core.dataset import CategoryRow, Dataset, ImageRow

from .framing import framed

TANK, FIELD = 7, 0
CATEGORIES = (
    CategoryRow(FIELD, "field", "Field", "Land", "Crops", instanceable=False),
    CategoryRow(TANK, "storage-tank", "Storage tank", "Industry", definition="Holds liquids"),
)
SQUARE = np.array([[10.0, 10.0], [50.5, 10.0], [50.5, 40.25], [10.0, 40.25]])


def image_row(file_name="images/a.tif", frame=None, **about):
    frame = frame or framed("EPSG:32633", 15.0, 50.0)
    operation = frame.operation_to(LONLAT).proj
    return ImageRow(None, file_name, frame.width, frame.height, frame.crs, frame.transform,
                    operation, frame.gsd(), **about)  # fmt: skip


def made(folder, frame=None):
    """A dataset with one image, and that image."""
    dataset = Dataset.create(folder / "dataset", CATEGORIES)
    with dataset.writing() as edit:
        image = edit.add(image_row(frame=frame))
    return dataset, image
