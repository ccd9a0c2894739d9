"""Tiles fetched side by side against a loop that fetches one after the other.

    python benchmarks/tiles.py [ROUNDS]

A server on loopback has ready-made tiles and waits 20 ms before each. The loop asks for the same
tiles over one kept connection, decodes them, and puts them into an array. Both read the same
patches, which need 36 tiles each; the median of ROUNDS is printed. Loopback only.
"""

import socket
import statistics
import subprocess
import sys
import time
import warnings
from pathlib import Path

import httpx
import numpy as np
import rasterio
from rasterio.io import MemoryFile

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ovearth_core.collection.imagery import ImagerySpec, open_source
from ovearth_core.frame import ImageFrame

WAIT_MS = 20
ZOOM = 17
TILES = 6
WANTED = {16: 8.0, 4: 3.0}


def patch(source, number: int) -> ImageFrame:
    """Return a frame of whole tiles, another place for each number."""
    own = source.own_frame(5.0 + number * 0.2, 50.0, 1, 1)
    a, b, c, d, e, f = own.transform
    side = 256 * a
    left, top = round(c / side) * side, round(f / side) * side
    return ImageFrame(own.crs, (a, b, left, d, e, top), 256 * TILES, 256 * TILES)


def one_after_the_other(client: httpx.Client, url: str, frame: ImageFrame) -> np.ndarray:
    """Fetch, decode and put together the tiles of a frame in a plain loop."""
    whole = np.zeros((3, frame.height, frame.width), np.uint8)
    a, _, c, _, _, f = frame.transform
    edge = 20037508.342789244
    first_x, first_y = round((c + edge) / (256 * a)), round((edge - f) / (256 * a))
    for row in range(TILES):
        for column in range(TILES):
            answer = client.get(f"{url}/{ZOOM}/{first_x + column}/{first_y + row}")
            with MemoryFile(answer.content) as file, file.open() as dataset:
                values = dataset.read()
            whole[:, row * 256 : row * 256 + 256, column * 256 : column * 256 + 256] = values
    return whole


def main(rounds: int) -> None:
    """Print how long each takes, and the ratios."""
    warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    script = Path(__file__).with_name("tile_server.py")
    server = subprocess.Popen(
        [sys.executable, str(script), str(port), str(WAIT_MS), "500"], stdout=subprocess.PIPE
    )
    try:
        server.stdout.readline()
        compare(f"http://127.0.0.1:{port}", rounds)
    finally:
        server.terminate()
        server.wait()


def compare(url: str, rounds: int) -> None:
    """Time the loop and the sources in turn, so that both meet the same load."""
    sources = {
        limit: open_source(
            ImagerySpec(
                f"xyz:{url}/{{z}}/{{x}}/{{y}}",
                options=(("zoom", str(ZOOM)), ("per_host", str(limit))),
            )
        )
        for limit in WANTED
    }
    client = httpx.Client()
    times: dict[int, list[float]] = {0: [], **{limit: [] for limit in WANTED}}
    for number in range(rounds + 1):
        frame = patch(sources[4], number)
        started = time.perf_counter()
        plain = one_after_the_other(client, url, frame)
        took = {0: time.perf_counter() - started}
        for limit, source in sources.items():
            started = time.perf_counter()
            pixels = source.read(frame)
            took[limit] = time.perf_counter() - started
            if not (pixels.is_exact and np.array_equal(pixels.values, plain)):
                sys.exit("the two differ")
        if number:  # the first round opens connections
            for limit, seconds in took.items():
                times[limit].append(seconds)
    tiles = TILES * TILES
    loop = statistics.median(times[0])
    print(f"one after the other: {tiles / loop:.0f} tiles/s")
    for limit, wanted in WANTED.items():
        ratio = statistics.median(a / b for a, b in zip(times[0], times[limit], strict=True))
        rate = tiles / statistics.median(times[limit])
        print(f"limit {limit}: {rate:.0f} tiles/s, {ratio:.1f} times as fast (wanted: {wanted:g})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
