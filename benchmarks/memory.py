"""Measures how memory and time grow with the number of queries: peak of whole commands.

Usage: python benchmarks/memory.py [masks|boxes|million]...
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import workloads

OVEARTH = Path(sys.executable).with_name("ovearth")
MILLION = 1_000_000
QUERIES_PER_TARGET = 10


def peak(benchmark: Path, runs: list[Path], kernels: str) -> tuple[float, float]:
    """Return seconds and peak megabytes of scoring the first run."""
    start = time.perf_counter()
    child = subprocess.Popen(
        [OVEARTH, "score", benchmark, runs[0]],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "OVEARTH_KERNELS": kernels},
    )
    _, status, usage = os.wait4(child.pid, 0)
    if status:
        sys.exit(f"ovearth score failed with status {status}")
    return time.perf_counter() - start, usage.ru_maxrss / 1024


def masks(folder: Path, times: int) -> tuple[Path, list[Path]]:
    """Return the benchmark and runs of masks, with so many times the queries."""
    return workloads.masks_workload(folder, 2880 * times)


def boxes(folder: Path, times: int) -> tuple[Path, list[Path]]:
    """Return the benchmark and runs of boxes, with so many times the queries."""
    return workloads.boxes_workload(folder, 3235 * times, 5517 * times, 7051 * times)


def million(folder: Path, _: int) -> tuple[Path, list[Path]]:
    """Return a million queries, ten a target, and a run with a box for each."""
    rng = np.random.default_rng(4)
    targets = MILLION // QUERIES_PER_TARGET
    low = (1500 * rng.random((targets, 2))).round(2).tolist()
    benchmark, run = folder / "million.json", folder / "million.jsonl"
    with benchmark.open("w", encoding="utf-8") as file:
        start = {
            "info": {"format": "ovearth-benchmark/1"},
            "categories": [{"id": 0, "name": "thing"}],
            "images": [{"id": 0, "file_name": "0.tif", "width": 1600, "height": 1600}],
        }
        file.write(json.dumps(start)[:-1])
        place = {"image_id": 0, "category_id": 0}
        lists = {
            "targets": ({"id": k, **place} for k in range(targets)),
            "annotations": (
                {"id": k, "target_id": k, **place, "bbox": [*low[k], 50, 40]}
                for k in range(targets)
            ),
            "queries": (
                {
                    "id": f"query-{k}",
                    "target_id": k // QUERIES_PER_TARGET,
                    "task": "vocabulary",
                    "polarity": "positive",
                    "text": f"the thing number {k} of them all",
                }
                for k in range(MILLION)
            ),
        }
        for key, items in lists.items():
            file.write(f', "{key}": [')
            for number, item in enumerate(items):
                file.write((",\n" if number else "\n") + json.dumps(item))
            file.write("]")
        file.write("}")
    with run.open("w", encoding="utf-8") as file:
        for k in range(MILLION):
            x, y = low[k // QUERIES_PER_TARGET]
            file.write(
                json.dumps({"query_id": f"query-{k}", "hbb": [[x, y, x + 48, y + 41]]}) + "\n"
            )
    return benchmark, [run]


MAKERS = {"masks": (masks, (1, 10)), "boxes": (boxes, (1, 10)), "million": (million, (1,))}


def made(name: str, folder: str, times: int) -> tuple[Path, list[Path]]:
    """Make the files in a process of its own: a child begins with its parent's peak of memory."""
    command = [sys.executable, __file__, "--make", name, folder, str(times)]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    benchmark, *runs = map(Path, done.stdout.split())
    return benchmark, runs


def main() -> None:
    """Print a line a measurement."""
    for name in sys.argv[1:] or MAKERS:
        for times in MAKERS[name][1]:
            with TemporaryDirectory() as folder:
                files = made(name, folder, times)
                for side, kernels in (("fast", "compiled"), ("NumPy", "numpy")):
                    seconds, megabytes = peak(*files, kernels)
                    print(f"{name:8} x{times:<3} {side:6} {seconds:7.1f} s {megabytes:7.0f} MB")


if __name__ == "__main__":
    workloads.RUNS = 1
    if sys.argv[1:2] == ["--make"]:
        name, folder, times = sys.argv[2:]
        benchmark, runs = MAKERS[name][0](Path(folder), int(times))
        print(benchmark, *runs)
    else:
        main()
