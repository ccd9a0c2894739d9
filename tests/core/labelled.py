"""Labels read and written in tests: where their images lie, and datasets that hold them."""

from dataclasses import replace
from pathlib import PurePosixPath

import numpy as np
from hypothesis import strategies as st

from ovearth_core.dataset import CategoryRow, Dataset
from ovearth_core.dataset.exchange.model import WriteOptions
from ovearth_core.errors import InputError
from ovearth_core.labels.model import ReadOptions

from .datasets import image_row
from .framing import framed

TANK, PLANE, FIELD = 7, 9, 3
CATEGORIES = (
    CategoryRow(FIELD, "field", "Field", "Land", instanceable=False),
    CategoryRow(TANK, "storage-tank", "Storage tank", "Industry", "Tanks"),
    CategoryRow(PLANE, "plane", "Plane", "Transport"),
)
A, B = framed("EPSG:32633", 15.0, 50.0), framed("EPSG:3035", 15.01, 50.0, turned=30.0, pixel=0.5)
SQUARE = np.array([[10.0, 10.0], [50.5, 10.0], [50.5, 40.25], [10.0, 40.25], [10.0, 10.0]])


class Frames:
    """Frames by name, found as importing finds them: by path, bare name, or without the ending."""

    def __init__(self, frames):
        self.frames = frames

    def frame(self, file_name):
        asked = PurePosixPath(file_name)
        for key in (str, lambda p: p.name, lambda p: p.stem):
            found = [n for n in self.frames if key(PurePosixPath(n)) == key(asked)]
            if len(found) == 1:
                return self.frames[found[0]]
        raise InputError(f"there is no image {file_name!r}", mend="name the folder of it")

    def names(self):
        return tuple(self.frames)


IMAGES = Frames({"images/a.tif": A, "images/more/b.tif": B})


def read_all(reader, source, images=IMAGES, **options):
    """All that a reader yields, and what it left out."""
    told = ReadOptions(**options)
    return list(reader(source, images, told)), told.left_out


def labels_of(reader, source, images=IMAGES, **options):
    found, _ = read_all(reader, source, images, **options)
    return [label for image in found for label in image.labels]


class Drawn:
    """A dataset with the images of `images`, drawn on and approved."""

    def __init__(self, folder, images=IMAGES):
        self.dataset = Dataset.create(folder, CATEGORIES)
        self.ids = {}
        with self.dataset.writing() as edit:
            for name, frame in images.frames.items():
                self.ids[name] = edit.add(image_row(name, frame)).id

    def draw(self, shape=SQUARE, category=TANK, image="images/a.tif", state="approved", **fields):
        """Add an instance (as it is stored) and leave its target in a state."""
        with self.dataset.writing() as edit:
            targets = [t.id for t in edit.targets(self.ids[image], category)]
            made = edit.add_instance(
                self.ids[image], category, shape, target_id=targets[0] if targets else None,
                origin="imported", **fields,
            )  # fmt: skip
            edit.set_state(made.target_id, state)
            return edit.instance(made.id)

    def take(self, found):
        """Store labels that a reader gave, as importing does, and return the instances."""
        slugs = {category.slug: category.id for category in CATEGORIES}
        slugs |= {category.name: category.id for category in CATEGORIES}
        by_stem = {PurePosixPath(name).stem: name for name in self.ids}
        return [
            self.draw(
                label.polygons or np.array(label.obb).reshape(4, 2), slugs[label.class_name],
                by_stem[PurePosixPath(image.file_name).stem], obb=label.obb, extra=label.extra,
            )
            for image in found for label in image.labels
        ]  # fmt: skip

    def change(self, instance, **fields):
        with self.dataset.writing() as edit:
            edit.update(replace(edit.instance(instance.id), **fields))

    def write(self, writer, out, **options):
        with self.dataset.reading() as view:
            return writer(view, out, WriteOptions(self.dataset.folder, **options))


def files_in(folder):
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


@st.composite
def rectangles(draw, width=A.width, height=A.height):
    """Four corners (4, 2) of a turned rectangle inside an image."""
    half = np.array([draw(st.floats(1.0, 90.0)), draw(st.floats(1.0, 90.0))])
    angle = draw(st.floats(0.0, 2 * np.pi))
    low = float(np.hypot(*half)) + 1e-3
    centre = [draw(st.floats(low, width - low)), draw(st.floats(low, height - low))]
    c, s = np.cos(angle), np.sin(angle)
    signs = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return signs * half @ np.array([[c, s], [-s, c]]) + centre
