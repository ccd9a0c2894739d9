"""Reports made for tests: of the sample, and of a benchmark in which every text is hostile."""

from __future__ import annotations

import json
import warnings
from pathlib import Path

import numpy as np
import rasterio
from rasterio.errors import NotGeoreferencedWarning

from ovearth_core.cli.main import main

from . import making

HOSTILE = "</script><script>hacked=1</script><img src=x onerror=hacked=2>'\"&{{7*7}}\u202e\x1b[31m"
# The same in a file's name, which holds no slash.
HOSTILE_NAME = "<script>hacked=3<img src=x onerror=hacked=4>'\"&{{7*7}}"


def report(*arguments):
    return main(["report", *map(str, arguments)])


def page_of(folder: Path) -> str:
    return (folder / "index.html").read_text(encoding="utf-8")


def write_image(path: Path, width: int = 100, height: int = 80) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    values = np.random.default_rng(0).integers(90, 110, (3, height, width), dtype=np.uint8)
    shape = {"count": 3, "width": width, "height": height, "dtype": "uint8"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NotGeoreferencedWarning)
        with rasterio.open(path, "w", driver="GTiff", **shape) as file:
            file.write(values)


def hostile_files(folder: Path) -> tuple[Path, list[Path]]:
    """A benchmark and two runs: names, texts, ids and attributes are all attempts at the page."""
    file_name = f"images/{HOSTILE_NAME}.tif"
    document = making.benchmark()
    document["info"].update(description=HOSTILE, version=HOSTILE)
    for number, category in enumerate(document["categories"]):
        category.update(name=f"{HOSTILE}{number}", supercategory=HOSTILE, branch=HOSTILE)
    document["images"][0].update(file_name=file_name, continent=HOSTILE)
    for query in document["queries"]:
        query.update(id=f"{query['id']}{HOSTILE}", text=HOSTILE)
    write_image(folder / file_name)
    benchmark = making.write_benchmark(folder, document)
    ids = [query["id"] for query in document["queries"]]
    runs = []
    for number in (1, 2):
        header = {
            "model": f"{HOSTILE}{number}", "interface": "mllm", "family": HOSTILE,
            "variant": str(number), "baseline": f"{HOSTILE}1", HOSTILE: HOSTILE,
        }  # fmt: skip
        mask = {"size": [80, 100], "counts": [800 * number, 1600, 8000 - 1600 - 800 * number]}
        records = [
            {"query_id": each, "mask": mask, "hbb": [[10, 10, 30 + number, 30]]} for each in ids
        ]
        name = f"{HOSTILE_NAME}{number}.jsonl"
        runs.append(making.write_run(folder, header, *records, name=name))
    return benchmark, runs


def many_runs(folder: Path, benchmark: Path, run: Path, count: int) -> list[Path]:
    """Runs made of one by leaving out more and more of its answers."""
    header, *records = run.read_text(encoding="utf-8").splitlines()
    paths = []
    for number in range(count):
        rng = np.random.default_rng(number)
        kept = [line for line in records if rng.random() > number / (2 * count)]
        named = {**json.loads(header), "model": f"model {number:02d}"}
        paths.append(making.write_run(folder, named, *kept, name=f"{number:02d}.jsonl"))
    return paths
