"""How long a report on many runs takes, what it takes to add one, and how large the page is.

Usage: python benchmarks/report.py [RUNS] [PAGE]      (49 runs unless given; PAGE: keep it there)
       python benchmarks/report.py RUNS --named-anew  (four runs scored, their results under so many
                                                       names: only what follows the scoring)

On a benchmark with the paper's own counts, runs made by moving the true squares about.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from ovearth_core.benchmark import Truth, read_benchmark
from ovearth_core.cli.main import main as ovearth
from tests.core import making, paper_benchmark


def write_run(folder: Path, benchmark: Path, number: int) -> Path:
    """Write a run that is the worse the higher its number."""
    rng = random.Random(number)
    known = read_benchmark(benchmark)
    truth = Truth(known)
    boxes = {target.id: truth.hbb(target.id).tolist() for target in known.targets}
    path = folder / f"{number:02d}.jsonl"
    far = 0.2 + number / 10
    with path.open("w", encoding="utf-8") as file:
        kind = ("ovs", "mllm", "grounding")[number % 3]
        header = {
            "model": f"model {number:02d}", "interface": kind, "mllm": kind == "mllm",
            "eo_specific": number % 4 == 0, "family": f"family {number % 7}",
        }  # fmt: skip
        file.write(json.dumps(header) + "\n")
        for query in known.queries:
            if not query.is_positive and rng.random() < 0.7:
                continue
            moved = []
            for x0, y0, x1, y1 in boxes[query.target_id]:
                dx, dy = rng.gauss(0, far), rng.gauss(0, far)
                moved.append([x0 + dx, y0 + dy, x1 + dx, y1 + dy])
            rings = [
                [[[x0, y0], [x1, y0], [x1, y1], [x0, y1], [x0, y0]]] for x0, y0, x1, y1 in moved
            ]
            shape = {"type": "MultiPolygon", "coordinates": rings}
            mask = {"polygons": shape} if rings else None
            file.write(json.dumps({"query_id": query.id, "mask": mask, "hbb": moved}) + "\n")
    return path


def timed(what: str, *arguments: object) -> None:
    """Run a command and print how long it took."""
    start, busy = time.perf_counter(), time.process_time()
    code = ovearth([str(argument) for argument in arguments])
    if code:
        sys.exit(code)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    print(f"{what}: {seconds:.1f} s, {busy:.1f} s of a core, peak {peak:.0f} MB", flush=True)


def named_anew(folder: Path, kept: Sequence[Path], count: int) -> list[Path]:
    """Write per-query files of so many models, with the results of a few."""
    paths = []
    for number in range(count):
        header, lines = kept[number % len(kept)].read_text("utf-8").split("\n", 1)
        told = {**json.loads(header), "model": f"model {number:02d}"}
        paths.append(folder / f"again-{number:02d}.jsonl")
        paths[-1].write_text(f"{json.dumps(told)}\n{lines}", "utf-8")
    return paths


def after_scoring(count: int) -> None:
    """Score four runs, then report on their results under many names."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        benchmark = making.write_benchmark(folder, paper_benchmark.paper_benchmark())
        runs = [write_run(folder, benchmark, number) for number in (0, 9, 18, 27)]
        timed("four runs scored", "score", benchmark, *runs, "--per-query", folder / "q")
        many = named_anew(folder, sorted((folder / "q").iterdir()), count)
        timed(f"{count} runs from per-query files", "report", benchmark, *many, "--out",
              folder / "report")  # fmt: skip


def main() -> None:
    """Make the files, then the reports."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 49
    if "--named-anew" in sys.argv:
        after_scoring(count)
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        benchmark = making.write_benchmark(folder, paper_benchmark.paper_benchmark())
        runs = [write_run(folder, benchmark, number) for number in range(count)]
        page = folder / "report" / "index.html"
        timed(f"{count - 1} runs from predictions", "report", benchmark, *runs[:-1], "--out",
              page.parent)  # fmt: skip
        timed("one more with --add", "report", benchmark, runs[-1], "--out", page.parent, "--add")
        print(f"the page: {page.stat().st_size / 1e6:.1f} MB")
        kept = sorted((page.parent / "per-query").iterdir())
        timed(f"{count} runs from per-query files", "report", benchmark, *kept, "--out",
              folder / "again")  # fmt: skip
        keep = Path(sys.argv[2]) if len(sys.argv) > 2 else None
        if keep is not None:
            keep.write_bytes(page.read_bytes())


if __name__ == "__main__":
    main()
