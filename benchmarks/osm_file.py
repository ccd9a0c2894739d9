"""Times a search of a large OpenStreetMap file against GDAL's OSM driver, and takes its memory.

The file is a small extract replicated with shifted ids and places (58 MB from a hundred copies of
Liechtenstein's). Both sides find ten categories; GDAL's by `ogr2ogr -where` on its three layers,
the kindest way to it: no tag of what it finds is read, and no selector is applied whole. Sides
take turns, best of three. Usage: python benchmarks/osm_file.py EXTRACT.osm.pbf [COPIES]
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from replicated_extract import replicate

from ovearth_core.taxonomy import load
from ovearth_core.taxonomy.tag_value import Equal, OneOf

ROUNDS = 3
CATEGORIES = (
    "fuel-station", "school", "parking-lot", "soccer-field", "church",
    "supermarket", "playground", "vineyard", "swimming-pool", "woodland",
)  # fmt: skip
# The tags that are columns of their own in GDAL's osmconf.ini; the others are in other_tags.
LAYERS = {
    "points": {"man_made", "place", "highway", "barrier"},
    "lines": {"man_made", "highway", "barrier", "waterway"},
    "multipolygons": {
        "amenity", "building", "landuse", "leisure", "man_made", "natural", "shop", "sport",
        "tourism", "place",
    },
}  # fmt: skip
GLOBE = ("--bbox", "-180", "-90", "180", "90", "--wide")


def where(columns: set[str]) -> str:
    """Return the condition on one tag of each selector, as OVEarth's own filter in C++ has it."""
    taxonomy = load()
    pairs = {}
    for name in CATEGORIES:
        for selector in taxonomy[name].osm:
            key, value = next(t for t in selector.tags if isinstance(t[1], Equal | OneOf))
            texts = (value.value,) if isinstance(value, Equal) else value.values
            pairs |= dict.fromkeys((key, text) for text in texts)
    return " OR ".join(
        f"{key}='{text}'" if key in columns else f'other_tags LIKE \'%"{key}"=>"{text}"%\''
        for key, text in pairs
    )


def by_gdal(source: Path, folder: Path) -> None:
    """Find them with GDAL's driver."""
    for layer, columns in LAYERS.items():
        target = folder / f"{layer}.gpkg"
        target.unlink(missing_ok=True)
        command = ["ogr2ogr", "-f", "GPKG", target, source, layer, "-where", where(columns)]
        subprocess.run(command, check=True, capture_output=True)


def by_ovearth(source: Path, folder: Path) -> None:
    """Find them with OVEarth, choosing and writing included."""
    wanted = [part for name in CATEGORIES for part in ("--category", name)]
    command = [sys.executable, "-m", "ovearth_core.cli", "pois", "search", *wanted, *GLOBE]
    command += ["--source", str(source), "--out", str(folder / "places.csv")]
    subprocess.run(command, check=True, capture_output=True)


def timed(side: Callable[[Path, Path], None], source: Path, folder: Path) -> tuple[float, float]:
    """Return the seconds that a side takes, and those of processor time."""
    start, used = time.perf_counter(), processor_s()
    side(source, folder)
    return time.perf_counter() - start, processor_s() - used


def processor_s() -> float:
    """Return the seconds of processor time of all children so far."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def memory_mb(side: Callable[[Path, Path], None], source: Path, folder: Path) -> float:
    """Return the most memory of any child so far, this side the last."""
    side(source, folder)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024


def main(extract: Path, copies: int) -> None:
    """Print seconds, ratio and memory."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        source = replicate(extract, folder / "large.osm.pbf", copies)
        print(f"{source.stat().st_size / 1e6:.0f} MB, {len(CATEGORIES)} categories")
        memory = memory_mb(by_ovearth, source, folder)
        ours, theirs = [], []
        for _ in range(ROUNDS):
            ours.append(timed(by_ovearth, source, folder))
            if shutil.which("ogr2ogr"):
                theirs.append(timed(by_gdal, source, folder))
        wall, used = map(min, zip(*ours, strict=True))
        print(f"ovearth pois search: {wall:.1f} s, processor {used:.1f} s, {memory:.0f} MB")
        if theirs:
            peer, peer_used = map(min, zip(*theirs, strict=True))
            print(f"GDAL's OSM driver: {peer:.1f} s, processor {peer_used:.1f} s")
            print(f"{peer / wall:.2f} times as fast, {peer_used / used:.2f} by processor time")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 100)
