"""Draw the README's picture: two images of the sample with truth and a run's oriented boxes."""

import json
import sys
from pathlib import Path

import cv2
import numpy as np

from ovearth_core.benchmark import Benchmark, Image, Truth, read_benchmark
from ovearth_core.sample import write_sample

SHOWN = ("images/works-summer.tif", "images/market.tif")
SIDE = 460
# Two colours that colour-blind people can tell apart, blue-green-red.
TRUTH, PREDICTION = (115, 158, 0), (0, 94, 213)


def drawn(folder: Path, benchmark: Benchmark, image: Image) -> np.ndarray:
    """Return one image with the boxes of its targets, as blue-green-red pixels."""
    pixels = cv2.imread(str(folder / image.file_name))
    scale = SIDE / max(pixels.shape[:2])
    pixels = cv2.resize(pixels, None, fx=2 * scale, fy=2 * scale, interpolation=cv2.INTER_CUBIC)
    truth = Truth(benchmark)
    targets = {target.id for target in benchmark.targets if target.image_id == image.id}
    asked = {query.id for query in benchmark.queries if query.target_id in targets}
    positive = {query.id for query in benchmark.queries if query.is_positive}
    with (folder / "runs" / "careful.jsonl").open() as lines:
        records = [record for record in map(json.loads, lines) if "query_id" in record]
    for record in records:
        if record["query_id"] in asked & positive and record["query_id"].endswith("voc-1"):
            outline(pixels, np.array(record["obb"] or []).reshape(-1, 4, 2), scale, PREDICTION)
    for target in targets:
        if benchmark.is_instanceable(benchmark.target_by_id[target]):
            outline(pixels, truth.obb(target), scale, TRUTH)
    return cv2.resize(pixels, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)[:SIDE]


def outline(pixels: np.ndarray, boxes: np.ndarray, scale: float, colour: tuple[int, ...]) -> None:
    """Draw closed outlines in place, boxes (N, 4, 2) in the image's own pixels."""
    for box in boxes:
        corners = np.round(box * 2 * scale).astype(np.int32)
        cv2.polylines(pixels, [corners], isClosed=True, color=colour, thickness=3)


def main(out: Path) -> None:
    """Write the picture."""
    folder = Path("build/picture")
    sample = write_sample(folder)
    benchmark = read_benchmark(sample.benchmark)
    images = {image.file_name: image for image in benchmark.images}
    parts = [drawn(folder, benchmark, images[name]) for name in SHOWN]
    height = min(len(part) for part in parts)
    joined = np.hstack([part[:height] for part in parts])
    cv2.imwrite(str(out), joined, [cv2.IMWRITE_JPEG_QUALITY, 82])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
