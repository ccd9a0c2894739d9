"""How fast answers are read in dialects, against supervision's parser of the same, and in memory.

Usage: python benchmarks/dialects.py [ANSWERS]
"""

from __future__ import annotations

import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from supervision.detection import vlm

from ovearth_core.benchmark import Benchmark, Category, Image, Query, Target
from ovearth_core.predictions.dialects import open_dialect

ANSWERS, BOXES, SIDE = 20_000, 20, 1024
PEER_ANSWERS = 20_000


def main(answers: int) -> None:
    """Read the same boxes as JSON, as tokens and as COCO results; print speed and memory."""
    numbers = range(answers)
    benchmark = Benchmark(
        (Category(1, "tank"),),
        tuple(Image(n, f"{n}.tif", SIDE, SIDE) for n in numbers),
        tuple(Target(n, n, 1) for n in numbers),
        (),
        tuple(Query(f"q{n}", n, "vocabulary", True, "tanks") for n in numbers),
    )
    boxes = [
        [*(random.randrange(400) for _ in "xy"), *(random.randrange(500, 999) for _ in "xy")]
        for _ in range(BOXES)
    ]
    said = json.dumps([{"bbox_2d": box, "label": "tank"} for box in boxes])
    tokens = ", ".join("".join(f"<{n}>" for n in box) for box in boxes)
    start = time.perf_counter()
    for _ in range(PEER_ANSWERS):
        vlm.from_qwen_3_vl(said, (SIDE, SIDE))
    peer = PEER_ANSWERS / (time.perf_counter() - start)
    print(f"supervision, qwen-3-vl, from memory: {peer:,.0f} answers a second")
    before = peak_mb()
    print(f"{answers:,} answers of {BOXES} boxes; with the benchmark alone {before} MB")
    marked = f"<|box_start|>{tokens}<|box_end|>"
    for dialect, lines in (
        ("qwen3-vl", records(answers, said)),
        ("rex-omni", records(answers, marked)),
        ("coco", results(answers, boxes)),
    ):
        seconds = read_in(benchmark, dialect, lines, answers)
        speed = answers / seconds
        print(
            f"{dialect}: {seconds:.0f} s, {speed:,.0f} answers a second, {speed / peer:.2f} of it,"
            f" most memory so far {peak_mb()} MB"
        )


def records(answers: int, text: str) -> Iterator[str]:
    """Yield the lines of answers in text."""
    for n in range(answers):
        yield json.dumps({"query_id": f"q{n}", "text": text}) + "\n"


def results(answers: int, boxes: list[list[int]]) -> Iterator[str]:
    """Yield COCO results, a line each, image by image."""
    for n in range(answers):
        for k, (x0, y0, x1, y1) in enumerate(boxes):
            found = {"image_id": n, "category_id": 1, "bbox": [x0, y0, x1 - x0, y1 - y0]}
            end = "]" if n == answers - 1 and k == len(boxes) - 1 else ",\n"
            yield ("[" if n == k == 0 else "") + json.dumps({**found, "score": 0.5}) + end


def read_in(benchmark: Benchmark, dialect: str, lines: Iterator[str], answers: int) -> float:
    """Return in how many seconds a file is read, its answers checked and placed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.json"
        with path.open("w", encoding="utf-8") as file:
            file.writelines(lines)
        start = time.perf_counter()
        count = sum(1 for _ in open_dialect(path, dialect, benchmark).answers())
        seconds = time.perf_counter() - start
    if count != answers:
        sys.exit(f"{dialect}: {count} answers of {answers}")
    return seconds


def peak_mb() -> int:
    """Return the most memory that this process has had, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else ANSWERS)
