"""Where a server for the tests is there in part only, its tests are skipped, and say what lacks."""

import stat
from contextlib import ExitStack

import pytest

from . import nominatim_peer, one_scene, peers

PROGRAMS = {
    "that isn't there": None,
    "that can't find its libraries": "#!/bin/sh\necho 'cannot open shared object' >&2; exit 127\n",
    "of another machine": "\x7fELF nonsense",
}
LACKING = "#!/bin/sh\necho 'No module named …' >&2; exit 1\n"
_SAYS_UNKNOWN = """#!/bin/sh
case "$QUERY_STRING" in
*SERVICE=WMTS*) printf 'Status: 500\\r\\nContent-Type: text/xml\\r\\n\\r\\n'
    printf '<ServerException>Service unknown or unsupported</ServerException>';;
*) printf 'Content-Type: text/xml\\r\\n\\r\\n<WMS_Capabilities/>';;
esac
"""


def program(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    if content is not None:
        path.write_text(content)
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


def skipped(peer):
    """Why the tests of a peer are skipped."""
    with pytest.raises(pytest.skip.Exception) as reason, ExitStack() as stack:
        stack.enter_context(peer)
    return str(reason.value)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_mapserver_that_does_not_run(tmp_path, monkeypatch, name):
    monkeypatch.setattr(peers, "MAPSERV", program(tmp_path / "mapserv", PROGRAMS[name]))
    assert "MapServer doesn't run" in skipped(peers.mapserver("scene.tif", tmp_path))


def test_a_qgis_server_without_qgis_for_python(tmp_path, monkeypatch):
    monkeypatch.setattr(peers, "PYTHON", program(tmp_path / "python3", LACKING))
    assert "python3-qgis" in skipped(peers.qgis_server("scene.tif", tmp_path))


def test_a_qgis_server_without_the_library_of_wmts(tmp_path, monkeypatch):
    # Makes no project, and is content.
    monkeypatch.setattr(peers, "PYTHON", program(tmp_path / "python3", "#!/bin/sh\nexit 0\n"))
    monkeypatch.setattr(peers, "QGIS_SERVER", program(tmp_path / "server", _SAYS_UNKNOWN))
    said = skipped(peers.qgis_server("scene.tif", tmp_path))
    assert said.endswith("apt-get install qgis-server-wmts")


@pytest.mark.parametrize("content", [None, LACKING])
def test_an_environment_of_titiler_that_was_not_finished(tmp_path, monkeypatch, content):
    monkeypatch.setattr(peers, "TITILER", program(tmp_path / "bin" / "python", content))
    assert "titiler is not whole" in skipped(peers.titiler("scene.tif"))


@pytest.mark.parametrize("content", [None, LACKING])
def test_an_environment_of_nominatim_that_was_not_finished(tmp_path, monkeypatch, content):
    program(tmp_path / "bin" / "python", content)
    monkeypatch.setattr(nominatim_peer, "_NAMED", "")
    monkeypatch.setattr(nominatim_peer, "NOMINATIM", tmp_path / "bin" / "nominatim")
    assert "Nominatim is not whole" in skipped(nominatim_peer.nominatim("extract.osm.pbf"))


def test_a_machine_without_the_user_of_postgresql(tmp_path, monkeypatch):
    program(tmp_path / "bin" / "python", "#!/bin/sh\nexit 0\n")
    monkeypatch.setattr(nominatim_peer, "_NAMED", "")
    monkeypatch.setattr(nominatim_peer, "NOMINATIM", tmp_path / "bin" / "nominatim")
    monkeypatch.setattr(nominatim_peer.os, "geteuid", lambda: 0)
    monkeypatch.setattr(nominatim_peer, "_has_user", lambda: False)
    assert "no user postgres" in skipped(nominatim_peer.nominatim("extract.osm.pbf"))


@peers.needs_mapserver
def test_what_runs_is_not_skipped(tmp_path):
    path, *_ = one_scene.write_scene(tmp_path)
    with peers.mapserver(path, tmp_path) as served:
        assert served.url
