"""Times OVEarth against its peers: best of five, both in one run, reading included.

Of whole commands, each side's time on a one-query benchmark (interpreter start, imports) is taken
off. Usage: python benchmarks/bench.py
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import workloads

from ovearth_core.geometry import min_area_rects
from ovearth_core.geometry.quadrilaterals import grouped_quad_pairs
from ovearth_core.versions import versions

ROUNDS = 5
HERE = Path(__file__).parent
Workload = Callable[..., tuple[Path, list[Path]]]


def best(work: Callable[[], object]) -> float:
    """Return the least seconds of five rounds."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def run(*command: object) -> None:
    """Run a command to its end, its output thrown away."""
    done = subprocess.run([str(part) for part in command], capture_output=True, check=False)
    if done.returncode:
        sys.exit(done.stderr.decode())


def commands(folder: Path, name: str, make: Workload, small: dict[str, int]) -> tuple[float, float]:
    """Return seconds of ours and the peer's on a workload of six runs, start-up taken off."""
    folder.joinpath("one").mkdir(exist_ok=True)
    sides = []
    for program in (
        [Path(sys.executable).with_name("ovearth"), "score"],
        [sys.executable, HERE / "peers.py", name],
    ):
        whole, start = (
            best(lambda files=files, program=program: run(*program, files[0], *files[1]))
            for files in (make(folder), make(folder / "one", **small))
        )
        sides.append(whole - start)
    return sides[0], sides[1]


def quadrilaterals() -> tuple[float, float]:
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

    return best(ours), best(peer)


def rectangles() -> tuple[float, float]:
    """Return seconds of 100,000 minimum-area rectangles, and of OpenCV's in a loop."""
    import cv2

    polygons = workloads.polygons_workload()

    def peer() -> object:
        return [cv2.minAreaRect((p - p[0]).astype(np.float32)) for p in polygons]

    return best(lambda: min_area_rects(polygons)), best(peer)


def main() -> None:
    """Print the table."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        rows = {
            "masks: 2,880 queries, six runs": commands(
                folder, "masks", workloads.masks_workload, {"queries": 1}
            ),
            "boxes: 3,235 queries, six runs": commands(
                folder,
                "boxes",
                workloads.boxes_workload,
                {"queries": 1, "truths": 1, "boxes": 1},
            ),
        }
    rows["quadrilaterals: 1,000 images of 40 x 60"] = quadrilaterals()
    rows["rectangles: 100,000 polygons"] = rectangles()
    print(f"{platform.machine()}, {os.cpu_count()} cores, {versions()}")
    print(f"{'work':42} {'ours':>8} {'peer':>8} {'ratio':>7}")
    for name, (ours, peer) in rows.items():
        print(f"{name:42} {ours:7.2f}s {peer:7.2f}s {peer / ours:6.2f}x")


if __name__ == "__main__":
    main()
