"""How long the check of texts takes, and a review sheet's way out and back, as texts grow.

Usage: python benchmarks/texts.py [TEXTS …]      (1,000 and 5,000 unless given)

Each image has ten targets of ten texts each, which speak of directions, neighbours and numbers.
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

from ovearth_core.cli.main import main as ovearth
from ovearth_core.dataset import CategoryRow, Dataset, QueryRow
from ovearth_core.queries.check import check_dataset_texts
from ovearth_core.taxonomy import load
from tests.core import rasters
from tests.core.framing import framed

SIDE = 1024
TARGETS = 10
WORDS = (
    ("vocabulary", "positive", "round tank {n}"), ("vocabulary", "positive", "white vessel {n}"),
    ("vocabulary", "negative", "grain silo {n}"), ("vocabulary", "negative", "cooling tower {n}"),
    ("referring", "positive", "the tank {n} in the upper left part of the image, by a road"),
    ("referring", "positive", "tank {n}, north of the piers and next to the pier at the water"),
    ("referring", "positive", "two rows of three tanks {n} in the southeast corner of the yard"),
    ("reasoning", "positive", "where liquids are kept until a ship {n} comes to fetch them"),
    ("reasoning", "positive", "a place {n} that would be dangerous if anybody smoked near it"),
    ("reasoning", "positive", "what a fire brigade {n} would want to cool before all else"),
)  # fmt: skip


def dataset_of(folder: Path, texts: int) -> Dataset:
    """Make a dataset with so many texts, of the taxonomy's first categories."""
    categories = [
        CategoryRow(number, each.name, each.name, each.domain)
        for number, each in zip(range(TARGETS), load(), strict=False)
    ]
    dataset = Dataset.create(folder, categories)
    (dataset.folder / "images").mkdir()
    rng = np.random.default_rng(0)
    targets: list[int] = []
    for number in range(-(-texts // (TARGETS * len(WORDS)))):
        frame = framed("EPSG:32633", 15.0, 40.0 + number / 50, 0.5, width=SIDE, height=SIDE)
        path = dataset.folder / "images" / f"{number}.tif"
        coarse = rng.integers(0, 255, (3, SIDE // 16, SIDE // 16), np.uint8)
        pixels = coarse.repeat(16, axis=1).repeat(16, axis=2)
        rasters.write(path, pixels, frame.crs, frame.transform)
        image = dataset.add_image(path)
        with dataset.writing("anna") as edit:
            for category in categories:
                for x, y in rng.uniform(50, SIDE - 50, (3, 2)):
                    ring = np.array([[x, y], [x + 40, y], [x + 40, y + 40], [x, y + 40]])
                    made = edit.add_instance(image.id, category.id, ring)
                targets.append(made.target_id)
    with dataset.writing("anna") as edit:
        for number in range(texts):
            task, polarity, words = WORDS[number % len(WORDS)]
            edit.add(
                QueryRow(
                    f"q{number}", targets[number * len(targets) // texts], task, polarity,
                    words.format(n=number), state="proposed",
                )
            )  # fmt: skip
    return dataset


def timed(what: str, work: Callable[[], object]) -> None:
    """Do something and print how long it took."""
    start, busy = time.perf_counter(), time.process_time()
    found = work()
    elapsed, used = time.perf_counter() - start, time.process_time() - busy
    print(f"  {what:32} {elapsed:7.2f} s, {used:7.2f} s of a core ({found})", flush=True)


def command(*arguments: object) -> str:
    """Run one of ours."""
    code = ovearth([str(argument) for argument in arguments])
    return f"exit {code}"


def measure(folder: Path, texts: int) -> None:
    """Measure it for so many texts."""
    dataset = dataset_of(folder / "dataset", texts)
    print(f"{texts:,} texts", flush=True)
    timed("check of the dataset", lambda: sum(1 for _ in check_dataset_texts(dataset)))
    sheet = folder / "texts.xlsx"
    out = ("queries", "sheet", dataset.folder, "--export")
    timed("sheet with pictures, out", lambda: command(*out, sheet))
    print(f"  {sheet.stat().st_size / 1e6:.1f} MB")
    timed("sheet as CSV, out", lambda: command(*out, folder / "texts.csv"))
    filled = _filled(sheet, folder / "filled.xlsx")
    back = ("queries", "sheet", dataset.folder, "--by", "anna", "--import", filled)
    timed("sheet with pictures, back", lambda: command(*back))
    timed("the same sheet again", lambda: command(*back))


def _filled(sheet: Path, path: Path) -> Path:
    """Say yes to every text."""
    from openpyxl import load_workbook

    book = load_workbook(sheet)
    texts = book["Texts"]
    column = [cell.value for cell in texts[1]].index("answer") + 1
    for row in range(2, texts.max_row + 1):
        texts.cell(row, column).value = "yes"
    book.save(path)
    return path


def main() -> None:
    """Measure, and print."""
    for texts in map(int, sys.argv[1:] or ("1000", "5000")):
        with tempfile.TemporaryDirectory() as folder:
            measure(Path(folder), texts)
    print(f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")


if __name__ == "__main__":
    main()
