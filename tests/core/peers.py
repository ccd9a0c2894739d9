"""Real servers of imagery on loopback where they are installed: MapServer, QGIS Server, titiler.

Where one is there but a part of it lacks, or it doesn't run at all, its tests are skipped too, and
say what lacks.
"""

import os
import re
import socket
import subprocess
import time
import urllib.error
import urllib.request
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

import pytest

from .loopback import Answer, serving
from .shared import CHECKOUT

MAPSERV = Path("/usr/lib/cgi-bin/mapserv")
PYTHON = Path("/usr/bin/python3")
QGIS_SERVER = Path("/usr/lib/cgi-bin/qgis_mapserv.fcgi")
TITILER = Path(os.environ.get("OVEARTH_TITILER", CHECKOUT / ".venv-titiler")) / "bin" / "python"

needs_mapserver = pytest.mark.skipif(
    not MAPSERV.exists(), reason="MapServer is not installed: apt-get install cgi-mapserver"
)
needs_qgis_server = pytest.mark.skipif(
    not QGIS_SERVER.exists(),
    reason="QGIS Server is not installed: apt-get install qgis-server qgis-server-wms "
    "qgis-server-wmts",
)
# A process is started for each request: half a minute in all.
is_full = pytest.mark.skipif(
    not os.environ.get("OVEARTH_TEST_FULL"), reason="takes half a minute: make test-full"
)
needs_titiler = pytest.mark.skipif(
    not TITILER.exists(),
    reason=f"titiler is not at {TITILER.parent}: python -m venv, pip install titiler.core uvicorn",
)

# What QGIS Server says where the library of a service is not there.
_UNKNOWN_SERVICE = b"Service unknown or unsupported"
_MAP = """MAP
  NAME "test"
  SIZE 400 400
  MAXSIZE 1000
  PROJECTION "init=epsg:3857" END
  EXTENT -20037508 -20037508 20037508 20037508
  WEB
    METADATA
      "wms_title" "test"
      "wms_onlineresource" "http://127.0.0.1/"
      "wms_srs" "EPSG:3857 EPSG:4326 EPSG:32633 EPSG:31467"
      "wms_enable_request" "*"
    END
  END
  OUTPUTFORMAT NAME "png" DRIVER AGG/PNG MIMETYPE "image/png" IMAGEMODE RGBA EXTENSION "png" END
  LAYER
    NAME "scene" TYPE RASTER STATUS ON DATA "{path}"
    PROJECTION "init=epsg:3857" END
    METADATA "wms_title" "scene" "wms_attribution_title" "its maker" END
  END
  LAYER
    NAME "gone" TYPE RASTER STATUS ON DATA "{path}.gone"
    PROJECTION "init=epsg:3857" END
    METADATA "wms_title" "gone" "wms_extent" "-1 -1 1 1" END
  END
END
"""
_PROJECT = """
import sys
from qgis.core import QgsApplication, QgsCoordinateReferenceSystem, QgsProject, QgsRasterLayer
app = QgsApplication([], False)
app.initQgis()
project = QgsProject.instance()
layer = QgsRasterLayer(sys.argv[1], "scene")
project.addMapLayer(layer)
project.setCrs(QgsCoordinateReferenceSystem("EPSG:3857"))
for name in ("WMTSLayers", "WMTSPngLayers"):
    project.writeEntry(name, "Layer", [layer.id()])
project.writeEntry("WMTSGrids", "CRS", ["EPSG:3857", "EPSG:4326"])
project.writeEntry("WMTSGrids", "Config", [
    "EPSG:3857,20037508.342789248,-20037508.342789248,559082264.0287179,20",
    "EPSG:4326,90.0,-180.0,279541132.0143588675418869,20",
])
project.write(sys.argv[2])
app.exitQgis()
"""


@lru_cache
def runs(*command):
    """Whether a program runs and is content; asked once for each command."""
    try:
        done = subprocess.run(
            command, capture_output=True, timeout=60, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def skip_unless(works, reason):
    if not works:
        pytest.skip(reason)


@contextmanager
def common_gateway(program, environment):
    """Serve what a CGI program answers."""

    def answer(path, body):
        query = path.partition("?")[2]
        done = subprocess.run(
            [program], capture_output=True, timeout=60, check=False,
            env={
                "PATH": "/usr/bin:/bin", "REQUEST_METHOD": "GET", "QUERY_STRING": query,
                "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "80", "SCRIPT_NAME": "/",
                "REQUEST_URI": path, "HTTP_HOST": "127.0.0.1", "SERVER_PROTOCOL": "HTTP/1.1",
                **environment,
            },
        )  # fmt: skip
        head, content = re.split(rb"\r?\n\r?\n", done.stdout, maxsplit=1)
        headers = dict(
            line.split(": ", 1) for line in head.decode("latin-1").splitlines() if ": " in line
        )
        status = int(headers.get("Status", "200").split()[0])
        return Answer(content, status, headers.get("Content-Type", "text/plain"))

    with serving(answer) as served:
        yield served


@contextmanager
def mapserver(scene, folder):
    """Serve a raster of EPSG:3857 by WMS, as the layer `scene`; `gone` has lost its file."""
    skip_unless(runs(str(MAPSERV), "-v"), f"MapServer doesn't run: try {MAPSERV} -v")
    mapfile, config = folder / "test.map", folder / "mapserver.conf"
    mapfile.write_text(_MAP.format(path=scene))
    config.write_text(
        f'CONFIG\n  ENV\n    MS_MAP_PATTERN "^{re.escape(str(folder))}"\n  END\nEND\n'
    )
    environment = {"MAPSERVER_CONFIG_FILE": str(config), "MS_MAPFILE": str(mapfile)}
    with common_gateway(str(MAPSERV), environment) as served:
        yield served


@contextmanager
def qgis_server(scene, folder):
    """Serve a raster of EPSG:3857 by WMS and WMTS, as the layer `scene`."""
    skip_unless(
        runs(str(PYTHON), "-c", "import qgis.core"),
        "QGIS Server's project can't be made: apt-get install python3-qgis",
    )
    script, project = folder / "project.py", folder / "test.qgs"
    script.write_text(_PROJECT)
    offscreen = {
        "QT_QPA_PLATFORM": "offscreen",
        "HOME": str(folder),
        "XDG_RUNTIME_DIR": str(folder),
    }
    subprocess.run(
        [PYTHON, script, scene, project], check=True, timeout=120,
        capture_output=True, env={"PATH": "/usr/bin:/bin", **offscreen},
    )  # fmt: skip
    environment = {**offscreen, "QGIS_PROJECT_FILE": str(project)}
    with common_gateway(str(QGIS_SERVER), environment) as served:
        for service in ("WMS", "WMTS"):
            skip_unless(
                _UNKNOWN_SERVICE not in _told(f"{served.url}/?SERVICE={service}"),
                f"QGIS Server lacks a part: apt-get install qgis-server-{service.lower()}",
            )
        yield served


def _told(url):
    """What a server says, whatever its status."""
    try:
        with urllib.request.urlopen(f"{url}&REQUEST=GetCapabilities", timeout=60) as answer:
            return answer.read()
    except urllib.error.HTTPError as fault:
        return fault.read()


@contextmanager
def titiler(scene):
    """Serve a raster by XYZ; yields the address of its tiles."""
    skip_unless(
        runs(str(TITILER), "-c", "import fastapi, titiler.core.factory, uvicorn"),
        f"titiler is not whole in {TITILER.parent}: remove it, make install-peers",
    )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = (
        "import uvicorn; from fastapi import FastAPI;"
        "from titiler.core.factory import TilerFactory;"
        "from titiler.core.errors import DEFAULT_STATUS_CODES, add_exception_handlers;"
        "app = FastAPI(); app.include_router(TilerFactory().router);"
        "add_exception_handlers(app, DEFAULT_STATUS_CODES);"
        f"uvicorn.run(app, host='127.0.0.1', port={port}, log_level='error')"
    )
    server = subprocess.Popen([TITILER, "-c", program], env={"PATH": "/usr/bin:/bin"})
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if server.poll() is not None:
                pytest.fail(f"titiler ended at once, with {server.returncode}")
            time.sleep(0.1)
        address = "/tiles/WebMercatorQuad/{z}/{x}/{y}.png"
        yield f"http://127.0.0.1:{port}{address}?url={scene}"
    finally:
        server.terminate()
        server.wait(timeout=20)
