"""A folder served with ranges, in a process of its own.

GDAL keeps Python's lock through some of its requests: a server in the same process would wait
for it for ever.
"""

import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def serving_folder(folder):
    """Serve a folder's files while the block runs; yields the address."""
    command = [sys.executable, "-m", "tests.core.file_server", str(folder)]
    root = Path(__file__).resolve().parents[2]
    server = subprocess.Popen(
        command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        yield server.stdout.readline().strip()
    finally:
        server.communicate(timeout=20)


if __name__ == "__main__":
    from tests.core.loopback import serving
    from tests.core.stac_worlds import files

    with serving(files(Path(sys.argv[1]))) as served:
        sys.stdout.write(f"{served.url}\n")
        sys.stdout.flush()
        sys.stdin.read()
