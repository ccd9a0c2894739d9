"""Times OVEarth against its peers: best of five, all in one run, reading included.

Of whole commands, each side's time on a one-query benchmark (interpreter start, imports) is taken
off. Ours is timed with compiled kernels and orjson, and with NumPy alone. Rounds go from side to
side in turn, so that a slow moment of the machine meets all of them. Usage: python
benchmarks/bench.py [masks|boxes|quadrilaterals|rectangles]...
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import workloads

from ovearth_core.geometry import min_area_rects
from ovearth_core.geometry.quadrilaterals import grouped_quad_pairs
from ovearth_core.versions import versions

ROUNDS = 5
HERE = Path(__file__).parent
OVEARTH = Path(sys.executable).with_name("ovearth")
KERNELS = {"fast": "compiled", "NumPy": "numpy"}
Workload = Callable[..., tuple[Path, list[Path]]]
Side = Callable[[], object]


@dataclass(frozen=True)
class Work:
    """One row of the table: what is done, how, and the ratios to the peer that were aimed at."""

    title: str
    sides: Callable[[Path], dict[str, float]]
    aims: tuple[str, str]


def best(sides: dict[str, Side]) -> dict[str, float]:
    """Return each side's least seconds of five rounds, taken in turn."""
    least = dict.fromkeys(sides, float("inf"))
    for _ in range(ROUNDS):
        for name, work in sides.items():
            start = time.perf_counter()
            work()
            least[name] = min(least[name], time.perf_counter() - start)
    return least


def forced(kernels: str, work: Side) -> Side:
    """Return the work, done with one kind of kernel."""

    def done() -> object:
        os.environ["OVEARTH_KERNELS"] = kernels
        return work()

    return done


def command(environment: dict[str, str], *parts: object) -> Side:
    """Return a whole command as a side, its output thrown away."""

    def run() -> None:
        done = subprocess.run(
            [str(part) for part in parts],
            capture_output=True,
            check=False,
            env={**os.environ, **environment},
        )
        if done.returncode:
            sys.exit(done.stderr.decode())

    return run


def commands(name: str, make: Workload, one: dict[str, int]) -> Callable[[Path], dict[str, float]]:
    """Return a measurement of commands on a workload of six runs, start-up taken off."""

    def measure(folder: Path) -> dict[str, float]:
        seconds = []
        for place, sizes in ((folder / "whole", {}), (folder / "one", one)):
            place.mkdir(exist_ok=True)
            benchmark, runs = make(place, **sizes)
            files = (benchmark, *runs)
            sides = {
                side: command({"OVEARTH_KERNELS": kernels}, OVEARTH, "score", *files)
                for side, kernels in KERNELS.items()
            }
            jobs = (OVEARTH, "score", *files, "--jobs", 2)
            sides["fast, --jobs 2"] = command({"OVEARTH_KERNELS": "compiled"}, *jobs)
            sides["peer"] = command({}, sys.executable, HERE / "peers.py", name, *files)
            seconds.append(best(sides))
        return {side: seconds[0][side] - seconds[1][side] for side in seconds[0]}

    return measure


def quadrilaterals(_: Path) -> dict[str, float]:
    """Return seconds of a batch of quadrilateral IoU, and of shapely behind an envelope filter."""
    import shapely

    truths, boxes = workloads.quads_workload()
    a_counts, b_counts = (np.full(len(quads), quads.shape[1]) for quads in (truths, boxes))

    def ours() -> object:
        return grouped_quad_pairs(
            truths.reshape(-1, 4, 2), a_counts, boxes.reshape(-1, 4, 2), b_counts
        )

    def peer() -> object:
        found = []
        for a, b in zip(truths, boxes, strict=True):
            low = np.maximum(a.min(axis=1)[:, None], b.min(axis=1)[None])
            high = np.minimum(a.max(axis=1)[:, None], b.max(axis=1)[None])
            i, j = np.nonzero((high > low).all(axis=2))
            p, q = shapely.polygons(a)[i], shapely.polygons(b)[j]
            common = shapely.area(shapely.intersection(p, q))
            found.append(common / (shapely.area(p) + shapely.area(q) - common))
        return found

    return best({side: forced(kernels, ours) for side, kernels in KERNELS.items()} | {"peer": peer})


def rectangles(_: Path) -> dict[str, float]:
    """Return seconds of 100,000 minimum-area rectangles, and of OpenCV's in a loop."""
    import cv2

    polygons = workloads.polygons_workload()

    def ours() -> object:
        return min_area_rects(polygons)

    def peer() -> object:
        return [cv2.minAreaRect((p - p[0]).astype(np.float32)) for p in polygons]

    return best({side: forced(kernels, ours) for side, kernels in KERNELS.items()} | {"peer": peer})


WORKS = {
    "masks": Work(
        "masks: 2,880 queries, six runs",
        commands("masks", workloads.masks_workload, {"queries": 1}),
        ("2.5x", "0.4x"),
    ),
    "boxes": Work(
        "boxes: 3,235 queries, six runs",
        commands("boxes", workloads.boxes_workload, {"queries": 1, "truths": 1, "boxes": 1}),
        ("10x", "4x"),
    ),
    "quadrilaterals": Work(
        "quadrilaterals: 1,000 images of 40 x 60", quadrilaterals, ("15x", "2x")
    ),
    "rectangles": Work("rectangles: 100,000 polygons", rectangles, ("2x", "0.5x")),
}


def main() -> None:
    """Print the table."""
    print(f"{platform.machine()}, {os.cpu_count()} cores, {versions()}")
    print(f"{'work':42}{'side':>16}{'seconds':>10}{'to peer':>9}{'aim':>7}")
    for name in sys.argv[1:] or WORKS:
        work = WORKS[name]
        with TemporaryDirectory() as folder:
            seconds = work.sides(Path(folder))
        aims = dict(zip(KERNELS, work.aims, strict=True))
        for side, taken in seconds.items():
            ratio = "" if side == "peer" else f"{seconds['peer'] / taken:.2f}x"
            print(f"{work.title:42}{side:>16}{taken:10.3f}{ratio:>9}{aims.get(side, ''):>7}")


if __name__ == "__main__":
    main()
