"""A dataset: a folder with `dataset.gpkg` and its images; opened, read and written."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from ..errors import InputError, OVEarthError, UsageError, one_line
from ..paths import inside
from ..raster_file import file_sha256, placed_frame
from .database import PATIENCE_S, HeldError, can_write, read_transaction, write_transaction
from .edit import Edit
from .identity import stored_version
from .making import make_file
from .rows import CategoryRow, ImageRow
from .tables import VERSION
from .upgrade import upgrade_file
from .view import View

FILE_NAME = "dataset.gpkg"
IMAGE_FOLDER = "images"

# A bulk write lets go of the file this often, so that QGIS can commit in between.
_BUDGET_S = 0.03
_BREATH_S = 0.002
_FIRST_BATCH = 16
_MOST_CRSS = 20

ItemT = TypeVar("ItemT")

_LOG = logging.getLogger("ovearth")


class Dataset:
    """A dataset's folder. Holds no file open: each block of reading or writing does, on its own.

    patience_s: how long a block waits while another program holds the file.
    """

    def __init__(self, folder: Path, patience_s: float = PATIENCE_S) -> None:
        self.folder = folder
        self.path = folder / FILE_NAME
        self._patience_s = patience_s
        self._is_warm = False

    @classmethod
    def create(
        cls,
        folder: Path,
        categories: Iterable[CategoryRow] = (),
        notes: Mapping[str, Any] | None = None,
    ) -> Dataset:
        """Make a new dataset, whole or not at all, in a folder that is made where it lacks.

        notes: what `View.note` gives, by key.         Raises UsageError where there is one already,
        OutputError where it can't be written.
        """
        make_file(folder / FILE_NAME, categories, notes)
        return cls(folder)

    @classmethod
    def open(cls, place: Path) -> Dataset:
        """Open a dataset by its folder or its `dataset.gpkg`.

        One of an older version is upgraded, after a copy of it is put beside it. An import that
        was killed while it was written is finished first, or taken back, and a warning says so.
        Raises InputError for what is none: no file, no GeoPackage, someone else's, a newer one.
        """
        # It writes by way of this module.
        from .exchange.cut_off import settle

        dataset = cls.open_as_is(place)
        if (done := settle(dataset)) is not None:
            _LOG.warning("note: %s", one_line(done))
        return dataset

    @classmethod
    def open_as_is(cls, place: Path) -> Dataset:
        """Open a dataset without looking for an import that was cut off."""
        folder = place.parent if place.name == FILE_NAME else place
        dataset = cls(folder)
        if not dataset.path.is_file():
            raise InputError("there is no dataset", str(dataset.path), "make one: ovearth init")
        if stored_version(dataset.path) < VERSION:
            upgrade_file(dataset.path)
        return dataset

    def can_be_written(self) -> bool:
        """Whether this user may write to the file, and beside it, where its journal goes."""
        return can_write(self.path) and can_write(self.folder)

    @contextmanager
    def reading(self) -> Iterator[View]:
        """Read one consistent state for the length of the block.

        Other programs can't commit while it lasts: be quick, or read row ids first.
        """
        with read_transaction(self.path, self._patience_s) as connection:
            yield View(connection)

    @contextmanager
    def writing(self, who: str | None = None, role: str | None = None) -> Iterator[Edit]:
        """Change things in one transaction: all of the block's changes, or none after an error.

        who signs the changes, in a role ("annotator" or "manager"). Others wait meanwhile: prepare
        what is slow before. Raises OutputError when the file is held by another program, full or
        read only, InputError for rows that don't fit.
        """
        self.warm_up()
        with write_transaction(self.path, self._patience_s) as connection:
            edit = Edit(connection, who, role)
            yield edit
            edit.finish()

    @contextmanager
    def if_free(self) -> Iterator[View | None]:
        """Read while nobody else can write, or get None at once where somebody else is writing.

        For whoever can't wait, and is about to write by another way: QGIS's main thread.
        """
        with ExitStack() as held:
            try:
                connection = held.enter_context(write_transaction(self.path, 0.0))
            except HeldError:
                connection = None
            yield None if connection is None else View(connection)

    def warm_up(self) -> None:
        """Load PROJ and the images' CRSs, which takes a fifth of a second, before others wait."""
        if self._is_warm:
            return
        self._is_warm = True
        with self.reading() as view:
            frames = view.frames_of_crss(_MOST_CRSS)
        for frame in frames:
            # Whoever draws on such an image is told.
            with suppress(OVEarthError):
                frame.footprint(1)

    def write_all(
        self,
        items: Iterable[ItemT],
        write: Callable[[Edit, ItemT], object],
        who: str | None = None,
        role: str | None = None,
    ) -> int:
        """Write many items in transactions of some 30 ms each, and return how many.

        Each item is there whole or not at all; after an error those of earlier transactions stay.
        Items are taken before the file is held: their source may be slow, or read the dataset.
        """
        source = iter(items)
        count, size = 0, _FIRST_BATCH
        # The batch is taken before the file is held: the source may be slow.
        while batch := list(islice(source, size)):
            start = time.monotonic()
            with self.writing(who, role) as edit:
                for item in batch:
                    write(edit, item)
            spent = max(time.monotonic() - start, 1e-4)
            count += len(batch)
            size = max(1, min(2 * size, int(len(batch) * _BUDGET_S / spent)))
            time.sleep(_BREATH_S)
        return count

    def add_image(
        self, path: Path, who: str | None = None, *, image_id: int | None = None, **about: Any
    ) -> ImageRow:
        """Take an image file of the dataset's folder in, and return its row.

        about: `ImageRow`'s source, license, attribution, date_captured, location_group, continent,
        poi_id, extra. Raises FrameError without a CRS and an affine transform, InputError for a
        file that is no image, lies outside the folder, or is there already.
        """
        row = self.read_image(path, image_id=image_id, **about)
        with self.writing(who) as edit:
            return edit.add(row)

    def read_image(self, path: Path, *, image_id: int | None = None, **about: Any) -> ImageRow:
        """Return the row that an image file makes, not stored yet; faults as for `add_image`."""
        name = self.relative(path)
        frame = placed_frame(path)
        # placed_frame refuses frames without these.
        crs, transform, operation = frame.crs, frame.transform, frame.operation
        if crs is None or transform is None or operation is None:
            raise UsageError("the image has no place", str(path), "georeference it")
        return ImageRow(
            image_id, name, frame.width, frame.height, crs, transform, operation,
            gsd_m=frame.gsd(), sha256=file_sha256(path), **about,
        )  # fmt: skip

    def relative(self, path: Path) -> str:
        """Return a path of the dataset's folder as it is stored; InputError outside of it."""
        try:
            return path.resolve().relative_to(self.folder.resolve()).as_posix()
        except ValueError:
            raise InputError(
                "the file is not in the dataset's folder",
                str(path),
                f"copy it into {self.folder / IMAGE_FOLDER}",
            ) from None

    def image_path(self, image: ImageRow) -> Path:
        """Return where an image's file lies, whether it is at hand or not."""
        return inside(self.folder, image.file_name)
