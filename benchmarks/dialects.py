"""How fast answers in text are read, against supervision's parser of the same answers.

Usage: python benchmarks/dialects.py
"""

from __future__ import annotations

import json
import random
import resource
import tempfile
import time
from pathlib import Path

from supervision.detection import vlm

from ovearth_core.benchmark import Benchmark, Category, Image, Query, Target
from ovearth_core.predictions.dialects import open_dialect

ANSWERS, BOXES, SIDE = 20_000, 20, 1024


def main() -> None:
    """Read the same boxes as JSON and as tokens; print answers a second, and the memory."""
    benchmark = Benchmark(
        (Category(1, "tank"),),
        (Image(1, "1.tif", SIDE, SIDE),),
        (Target(1, 1, 1),),
        (),
        tuple(Query(f"q{n}", 1, "vocabulary", True, "tanks") for n in range(ANSWERS)),
    )
    boxes = [
        [*(random.randrange(400) for _ in "xy"), *(random.randrange(500, 999) for _ in "xy")]
        for _ in range(BOXES)
    ]
    said = json.dumps([{"bbox_2d": box, "label": "tank"} for box in boxes])
    tokens = ", ".join("".join(f"<{n}>" for n in box) for box in boxes)
    start = time.perf_counter()
    for _ in range(ANSWERS):
        vlm.from_qwen_3_vl(said, (SIDE, SIDE))
    peer = ANSWERS / (time.perf_counter() - start)
    print(f"supervision, qwen-3-vl, from memory: {peer:,.0f} answers a second")
    for dialect, text in (("qwen3-vl", said), ("rex-omni", f"<|box_start|>{tokens}<|box_end|>")):
        speed = answers_a_second(benchmark, dialect, text)
        print(
            f"{dialect}: {speed:,.0f} answers of {BOXES} boxes a second, {speed / peer:.2f} of it"
        )
    print(f"peak memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10} MB")


def answers_a_second(benchmark: Benchmark, dialect: str, text: str) -> float:
    """Return how many answers of a file are read in a second, checked and placed."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "answers.jsonl"
        lines = (json.dumps({"query_id": f"q{n}", "text": text}) for n in range(ANSWERS))
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        start = time.perf_counter()
        count = sum(1 for _ in open_dialect(path, dialect, benchmark).answers())
        return count / (time.perf_counter() - start)


if __name__ == "__main__":
    main()
