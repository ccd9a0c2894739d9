"""A server of ready-made tiles that answers after a wait, in a process of its own.

    python benchmarks/tile_server.py PORT MILLISECONDS COUNT

It does next to nothing, so that what is measured is the client. Each of COUNT tiles is a
photograph-like JPEG of 256 × 256 pixels; /z/x/y gives one of them.
"""

import asyncio
import re
import sys
import warnings

import numpy as np
import rasterio
from rasterio.io import MemoryFile


def tiles(count: int) -> list[bytes]:
    """Return the bytes of `count` different JPEGs."""
    warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
    made = []
    for seed in range(count):
        coarse = np.random.default_rng(seed).integers(20, 230, (3, 32, 32), dtype=np.uint8)
        values = coarse.repeat(8, axis=1).repeat(8, axis=2)
        with MemoryFile() as file:
            with file.open(
                driver="JPEG", count=3, height=256, width=256, dtype="uint8", QUALITY=85
            ) as out:
                out.write(values)
            made.append(file.read())
    return made


def with_comment(body: bytes, comment: bytes) -> bytes:
    """Return a JPEG with a comment in it: no two tiles are alike to the byte."""
    return body[:2] + b"\xff\xfe" + (len(comment) + 2).to_bytes(2, "big") + comment + body[2:]


async def serve(port: int, wait_s: float, count: int) -> None:
    """Serve until the process ends."""
    bodies = tiles(count)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                z, x, y = map(int, re.findall(rb"/(\d+)", head.split(b"\r\n", 1)[0])[:3])
                await asyncio.sleep(wait_s)
                body = with_comment(bodies[(x * 31 + y) % count], b"%d %d %d" % (z, x, y))
                writer.write(
                    b"HTTP/1.1 200 OK\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n%s"
                    % (len(body), body)
                )
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", port)
    async with server:
        print("ready", flush=True)
        await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]), float(sys.argv[2]) / 1000.0, int(sys.argv[3])))
