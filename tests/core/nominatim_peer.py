"""A real Nominatim server on loopback, over a PostgreSQL of its own, where both are installed."""

import os
import pwd
import shutil
import socket
import subprocess
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from .peers import runs, skip_unless
from .shared import CHECKOUT

NOMINATIM = (
    Path(os.environ.get("OVEARTH_NOMINATIM_VENV", CHECKOUT / ".venv-nominatim"))
    / "bin"
    / "nominatim"
)
_NAMED = os.environ.get("OVEARTH_NOMINATIM", "")
_PARTS = "import falcon, nominatim_api, nominatim_db.cli, uvicorn"
_IMPORT_S, _START_S = 300, 60


def _postgresql():
    """Where the programs of the newest PostgreSQL with PostGIS are, None without."""
    found = [
        Path("/usr/lib/postgresql") / extension.parts[-3] / "bin"
        for extension in Path("/usr/share/postgresql").glob("*/extension/postgis.control")
    ]
    found = [folder for folder in found if (folder / "initdb").exists()]
    return max(found, key=lambda folder: int(folder.parent.name), default=None)


def _lacking():
    """What lacks for a server of our own, None where nothing does."""
    if not NOMINATIM.exists():
        return f"Nominatim is not at {NOMINATIM.parent}"
    if _postgresql() is None or shutil.which("osm2pgsql") is None:
        return "PostgreSQL, PostGIS or osm2pgsql is not installed"
    return None if os.environ.get("OVEARTH_TEST_FULL") else "takes a minute: make test-full"


needs_nominatim = pytest.mark.skipif(
    not _NAMED and _lacking() is not None,
    reason=f"{_lacking()} (make install-peers; or set OVEARTH_NOMINATIM to a server's address)",
)


@contextmanager
def nominatim(extract):
    """Serve an OpenStreetMap file by Nominatim; yields the address.

    A server that OVEARTH_NOMINATIM names is used instead; it has to know the same file.
    """
    if _NAMED:
        yield _NAMED
        return
    skip_unless(
        runs(str(NOMINATIM.with_name("python")), "-c", _PARTS),
        f"Nominatim is not whole in {NOMINATIM.parent}: remove it, make install-peers",
    )
    skip_unless(
        os.geteuid() != 0 or _has_user(),
        "PostgreSQL doesn't run as root, and there is no user postgres",
    )
    with ExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory(prefix="ovearth-nominatim-")))
        database = stack.enter_context(_database(folder))
        port = _free_port()
        environment = {
            "PATH": f"{_postgresql()}:/usr/bin:/bin",
            "HOME": str(folder),
            "NOMINATIM_DATABASE_DSN": f"pgsql:{database};dbname=nominatim",
            "NOMINATIM_DATABASE_WEBUSER": "nominatim",
            # createdb of PostgreSQL's reads these.
            "PGHOST": "127.0.0.1", "PGUSER": "nominatim",
            "PGPORT": database.partition("port=")[2].partition(";")[0],
        }  # fmt: skip
        command = [NOMINATIM, "import", "--osm-file", extract, "--no-updates", "--threads", "2"]
        subprocess.run(
            command, cwd=folder, env=environment, check=True, timeout=_IMPORT_S,
            capture_output=True, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        served = [NOMINATIM, "serve", "--server", f"127.0.0.1:{port}"]
        stack.enter_context(_running(served, port, cwd=folder, env=environment))
        yield f"http://127.0.0.1:{port}"


def _has_user():
    try:
        return bool(pwd.getpwnam("postgres"))
    except KeyError:
        return False


@contextmanager
def _database(folder):
    """A PostgreSQL with its data in a folder; yields where it is, as Nominatim writes it."""
    port, data = _free_port(), folder / "data"
    data.mkdir()
    who = {}
    if os.geteuid() == 0:
        # It refuses to run as root.
        who = {"user": "postgres", "group": "postgres", "extra_groups": []}
        for owned in (folder, data):
            shutil.chown(owned, "postgres", "postgres")
    programs = _postgresql()
    subprocess.run(
        [programs / "initdb", "-D", data, "-U", "nominatim", "-A", "trust", "-E", "UTF8"],
        check=True, timeout=_START_S, capture_output=True, cwd=folder, **who,
    )  # fmt: skip
    command = [programs / "postgres", "-D", data, "-p", str(port), "-k", folder, "-F",
               "-c", "listen_addresses=127.0.0.1"]  # fmt: skip
    with _running(command, port, cwd=folder, **who):
        yield f"host=127.0.0.1;port={port};user=nominatim"


@contextmanager
def _running(command, port, **options):
    """Run a server until it is no longer needed; go on as soon as its port answers."""
    server = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options
    )
    try:
        for _ in range(10 * _START_S):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if server.poll() is not None:
                pytest.fail(f"{Path(command[0]).name} ended at once, with {server.returncode}")
            time.sleep(0.1)
        yield
    finally:
        server.terminate()
        try:
            server.wait(timeout=20)
        except subprocess.TimeoutExpired:
            server.kill()


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
