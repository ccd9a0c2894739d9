"""Times patches cut from a local COG of 13,000² against loops of GDAL's own programs.

Own grid: `gdal_translate -projwin` with the same creation options, then `gdaladdo`. Resampled:
`gdalwarp -et 0.01` with the same options, then `gdaladdo`. Ours is `ovearth patches --jobs 2`;
the time of the same job for one patch (interpreter start, imports) is taken off, as the programs'
own starts are part of what a loop costs. Files are compared before anything is timed. Usage:
python benchmarks/patches.py [PATCHES] [SIDE]
"""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import rasterio
from rasterio.transform import Affine

from ovearth_core.dataset import CategoryRow, Dataset, PoiRow
from ovearth_core.frame import ImageFrame

SIDE = 13_000
ROUNDS = 3
CRS, CORNER, PIXEL = "EPSG:32633", (500_000.0, 5_540_000.0), 0.3
GSD_M = 0.4
CREATION = ["-co", "TILED=YES", "-co", "COMPRESS=ZSTD", "-co", "ZSTD_LEVEL=1", "-co", "PREDICTOR=2"]
AIMS = {"own grid": 5.0, "resampled": 2.5}
CACHE = Path(os.environ.get("TMPDIR", "/tmp")) / "ovearth-bench-cog.tif"


def make_cog(path: Path) -> None:
    """Write a picture of 13,000² with overviews, as a COG, once."""
    if path.exists():
        return
    random = np.random.default_rng(0)
    plain = path.with_name("plain.tif")
    transform = Affine(PIXEL, 0, CORNER[0], 0, -PIXEL, CORNER[1])
    with rasterio.open(
        plain, "w", driver="GTiff", width=SIDE, height=SIDE, count=3, dtype="uint8", crs=CRS,
        transform=transform, tiled=True, blockxsize=512, blockysize=512,
    ) as file:  # fmt: skip
        for top in range(0, SIDE, 512):
            rows = min(512, SIDE - top)
            coarse = random.integers(0, 200, (3, rows // 8 + 1, SIDE // 8 + 1))
            strip = coarse.repeat(8, 1).repeat(8, 2)[:, :rows, :SIDE]
            noise = random.integers(0, 20, strip.shape)
            file.write((strip + noise).astype(np.uint8), window=((top, top + rows), (0, SIDE)))
    options = ["-co", "COMPRESS=DEFLATE", "-co", "PREDICTOR=YES", "-co", "NUM_THREADS=ALL_CPUS"]
    subprocess.run(["gdal_translate", "-q", "-of", "COG", *options, plain, path], check=True)
    plain.unlink()


def cpu_s() -> float:
    """Return the processor seconds of all programs that were started so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def places(count: int, side: int) -> list[tuple[int, int]]:
    """Return the middles, in pixels, of windows spread over the picture."""
    random = np.random.default_rng(1)
    margin = side
    return [tuple(xy) for xy in random.integers(margin, SIDE - margin, (count, 2)).tolist()]


def frame() -> ImageFrame:
    """Return where the picture lies."""
    return ImageFrame(CRS, (PIXEL, 0, CORNER[0], 0, -PIXEL, CORNER[1]), SIDE, SIDE)


def make_dataset(folder: Path, middles: list[tuple[int, int]]) -> Path:
    """Make a dataset with a place for each window."""
    shutil.rmtree(folder, ignore_errors=True)
    dataset = Dataset.create(folder, [CategoryRow(1, "airplane", "Airplane")])
    with dataset.writing() as edit:
        for lon, lat in frame().pixel_to_lonlat(np.array(middles, float)):
            edit.add(PoiRow(None, lon, lat, 1))
    return folder


def ours(dataset: Path, *options: str) -> float:
    """Return the seconds of a whole command on a new dataset."""
    command = [sys.executable, "-m", "ovearth_core.cli", "patches", dataset, "--imagery", CACHE,
               "--keep-duplicates", "--jobs", "2", *options]  # fmt: skip
    start = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - start


def theirs(frames: list[ImageFrame], folder: Path, resampled: bool) -> float:
    """Return the seconds of a loop of GDAL's programs."""
    start = time.perf_counter()
    for number, place in enumerate(frames):
        out = folder / f"{number}.tif"
        out.unlink(missing_ok=True)
        (left, top), (right, bottom) = place.pixel_to_map([[0, 0], [place.width, place.height]])
        corners = [repr(float(v)) for v in (left, bottom, right, top)]
        if resampled:
            subprocess.run(
                ["gdalwarp", "-q", "-et", "0.01", "-r", "cubic", "-t_srs", place.crs, "-te",
                 *corners, "-ts", str(place.width), str(place.height), *CREATION, CACHE, out],
                check=True,
            )  # fmt: skip
        else:
            window = [corners[0], corners[3], corners[2], corners[1]]
            subprocess.run(
                ["gdal_translate", "-q", "-projwin", *window, *CREATION, CACHE, out], check=True
            )
        subprocess.run(["gdaladdo", "-q", "-r", "average", out], check=True)
    return time.perf_counter() - start


def frames_of(dataset: Path) -> list[ImageFrame]:
    """Return the frames of a dataset's patches."""
    with Dataset.open(dataset).reading() as view:
        return [row.frame() for row in view.images()]


def compare(dataset: Path, folder: Path, exact: bool) -> None:
    """Check that both sides made the same pictures."""
    with Dataset.open(dataset).reading() as view:
        rows = list(view.images())
    for number, row in enumerate(rows[:5]):
        with (
            rasterio.open(dataset / row.file_name) as a,
            rasterio.open(folder / f"{number}.tif") as b,
        ):
            mine, peer = a.read().astype(int), b.read().astype(int)
            off = np.abs(mine - peer)
            assert off.max() == 0 if exact else off.mean() < 2.0, (number, off.max(), off.mean())


def main() -> None:
    """Print both ratios."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    side = int(sys.argv[2]) if len(sys.argv) > 2 else 1024
    make_cog(CACHE)
    kinds = {"own grid": ["--grid", "own"], "resampled": ["--gsd", str(GSD_M)]}
    with TemporaryDirectory() as place:
        folder = Path(place)
        middles = places(count, side)
        for title, kind in kinds.items():
            options = [*kind, "--size", str(side)]
            make_dataset(folder / "one", middles[:1])
            ours(folder / "one", *options)  # compiled kernels are kept on disk
            best = dict.fromkeys(("ours", "start", "theirs"), np.inf)
            cpu = dict(best)
            for _ in range(ROUNDS):
                make_dataset(folder / "all", middles)
                before = cpu_s()
                best["ours"] = min(best["ours"], ours(folder / "all", *options))
                cpu["ours"] = min(cpu["ours"], cpu_s() - before)
                make_dataset(folder / "one", middles[:1])
                before = cpu_s()
                best["start"] = min(best["start"], ours(folder / "one", *options))
                cpu["start"] = min(cpu["start"], cpu_s() - before)
                before = cpu_s()
                frames = frames_of(folder / "all")
                best["theirs"] = min(best["theirs"], theirs(frames, folder, title == "resampled"))
                cpu["theirs"] = min(cpu["theirs"], cpu_s() - before)
            compare(folder / "all", folder, title == "own grid")
            mine = best["ours"] - best["start"]
            print(
                f"{title}: {len(frames)} patches of {side}²: ours {best['ours']:.2f} s"
                f" (start {best['start']:.2f} s), theirs {best['theirs']:.2f} s:"
                f" {best['theirs'] / mine:.1f}× without the start (aim {AIMS[title]}×),"
                f" {best['theirs'] / best['ours']:.1f}× with it; processor time:"
                f" {(cpu['ours'] - cpu['start']) / (count - 1) * 1e3:.0f} ms a patch, theirs"
                f" {cpu['theirs'] / count * 1e3:.0f} ms"
            )


if __name__ == "__main__":
    main()
