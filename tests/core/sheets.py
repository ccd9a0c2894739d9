"""Datasets with texts to judge, and reviewers who fill in sheets, for tests."""

import csv
import io

import numpy as np
from openpyxl import load_workbook

from ovearth_core.cli.main import main
from ovearth_core.dataset import Dataset, QueryRow

from . import rasters
from .datasets import CATEGORIES, TANK
from .framing import framed

SIZE = 200
GREY, WHITE = 90, 255
PLACES = ((60, 60), (140, 120))
TEXTS = (
    ("v", "vocabulary", "positive", "white tank"),
    ("n", "vocabulary", "negative", "silo"),
    ("f", "referring", "positive", "the tank in the north"),
    ("s", "reasoning", "positive", "what holds oil"),
)


def square(x, y, side=30.0):
    h = side / 2
    return np.array([[x - h, y - h], [x + h, y - h], [x + h, y + h], [x - h, y + h]])


def dataset_of(folder, places=PLACES):
    """A dataset: an image for each place, a white tank on it, four proposed texts about it."""
    dataset = Dataset.create(folder / "dataset", CATEGORIES)
    for number, (x, y) in enumerate(places, 1):
        frame = framed("EPSG:32633", 15.0, 50.0, 0.5, width=SIZE, height=SIZE)
        values = np.full((3, SIZE, SIZE), GREY, np.uint8)
        values[:, y - 15 : y + 15, x - 15 : x + 15] = WHITE
        path = dataset.folder / "images" / f"{number}.tif"
        path.parent.mkdir(exist_ok=True)
        rasters.write(path, values, frame.crs, frame.transform)
        image = dataset.add_image(path)
        with dataset.writing("anna", "annotator") as edit:
            target = edit.add_instance(image.id, TANK, square(x, y)).target_id
            for name, task, polarity, text in TEXTS:
                edit.add(QueryRow(f"{name}{number}", target, task, polarity,
                                  f"{text} {number}", state="proposed"))  # fmt: skip
    return dataset


def ran(*words):
    return main(["queries", "sheet", *map(str, words)])


def exported(dataset, path, *options):
    assert ran(dataset.folder, "--export", path, *options) == 0
    return path


def rows_of(path):
    """The rows of a sheet as a list of dicts of texts, the file's own order."""
    if path.suffix == ".csv":
        return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8-sig"), newline="")))
    head, *rows = load_workbook(path)["Texts"].iter_rows(values_only=True)
    return [dict(zip(head, ("" if v is None else v for v in row), strict=True)) for row in rows]


def write_rows(path, rows, names=None, delimiter=","):
    """Write rows as a person's spreadsheet program would, as CSV or anew as a workbook."""
    names = names or list(rows[0])
    if path.suffix == ".csv":
        out = io.StringIO(newline="")
        writer = csv.DictWriter(out, names, extrasaction="ignore", delimiter=delimiter)
        writer.writeheader()
        writer.writerows(rows)
        path.write_bytes(out.getvalue().encode("utf-8-sig"))
        return path
    from openpyxl import Workbook

    book = Workbook()
    book.active.append(names)
    for row in rows:
        book.active.append([row[name] for name in names])
        for cell in book.active[book.active.max_row]:
            # A text stays one.
            cell.data_type = "n" if cell.value is None else "s"
    book.save(path)
    return path


def filled(source, path, answers, change=lambda rows: rows):
    """A copy of a sheet with what a reviewer says, by query id; then changed as a whole."""
    rows = rows_of(source)
    for row in rows:
        row.update(answers.get(row["query id"], {}))
    return write_rows(path, change(rows))


def state(dataset):
    with dataset.reading() as view:
        return {q.id: (q.state, q.text, q.original_text) for q in view.queries()}


def judgements(dataset):
    with dataset.reading() as view:
        return list(view.judgements())
