"""What docs/points-of-interest.md shows runs, against files and servers of our own."""

import json
import re
import shlex
import shutil

import numpy as np
import pytest

from ovearth_core.cli.main import main
from ovearth_core.dataset import Dataset

from .misbehaving import reply, serving
from .osm_extract import LIECHTENSTEIN
from .shared import CHECKOUT, needs_shared
from .test_pois_features import write_overture

pytest.importorskip("osmium", reason="osmium is not installed: pip install osmium")
PAGE = (CHECKOUT / "docs" / "points-of-interest.md").read_text(encoding="utf-8")
COMMANDS = [line[2:] for line in PAGE.splitlines() if line.startswith("$ ovearth ")]
SERVERS = ("https://overpass.example.org", "https://nominatim.example.org")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that the page names."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OVEARTH_CACHE", str(tmp_path / "cache"))
    shutil.copy(LIECHTENSTEIN, tmp_path / "extract.osm.pbf")
    write_overture(tmp_path / "overture.parquet", np.array([[9.5, 47.1], [9.6, 47.2]]))
    (tmp_path / "mapping.json").write_text(re.search(r"```json\n(.*?)```", PAGE, re.DOTALL)[1])
    Dataset.create(tmp_path / "dataset")
    return tmp_path


@needs_shared
def test_its_commands_run(folder):
    node = {"type": "node", "id": 7, "lat": 47.1, "lon": 9.5, "tags": {"amenity": "fuel"}}

    def answer(asked):
        place = {"osm_type": "node", "osm_id": 7, "lat": "47.1", "lon": "9.5",
                 "category": "amenity", "type": "fuel"}  # fmt: skip
        body = [place] if asked.path == "/search" else {"elements": [node]}
        return reply(json.dumps(body))

    assert len(COMMANDS) == 7
    with serving(answer) as (url, asked):
        for command in COMMANDS:
            for server in SERVERS:
                command = command.replace(server, url)
            assert main(shlex.split(command)[1:]) == 0, command
    assert [request.path for request in asked] == ["/api/interpreter", "/search"]
    for name in ("places.geojson", "places.gpkg", "sample.geojson", "world.geojson", "report.json"):
        assert (folder / name).stat().st_size > 100


@needs_shared
def test_its_python_runs(folder, capsys):
    program = re.search(r"```python\n(.*?)```", PAGE, re.DOTALL)[1]
    exec(compile(program, "points-of-interest.md", "exec"), {})
    lines = capsys.readouterr().out.splitlines()
    assert 0 < len(lines) <= 10
    assert all(line.startswith("osm:") for line in lines)
