"""Patches from tiles and maps that QGIS draws: exact, whole, polite, stopped and taken up."""

import importlib

import numpy as np
import pytest
from qgis.PyQt.QtTest import QTest

from .collecting import (
    WORLD,
    add_places,
    choose_imagery,
    drawn,
    expected,
    extract,
    images,
    open_dataset,
    read,
    results,
    serving,
    tiles,
    wms_layer,
    xyz_layer,
)
from .inspecting import click, idle, wait_until

ZOOM = 17
PLACES = [(9.45 + 0.02 * n, 47.2 + 0.01 * n) for n in range(6)]


@pytest.fixture
def empty(core, tmp_path):
    init = importlib.import_module("ovearth.ovearth_core.dataset.categories").init_dataset
    taxonomy = importlib.import_module("ovearth.ovearth_core.taxonomy").load()
    made = init(tmp_path / "dataset", taxonomy)
    add_places(core, made, PLACES)
    return made


@pytest.fixture
def ready(window, empty):
    open_dataset(window, empty.folder)
    return window


@pytest.fixture
def tile_server():
    with serving(tiles) as served:
        yield served


def frames(dataset):
    """Return each patch's file and frame."""
    return [(dataset.folder / row.file_name, row.frame()) for row in images(dataset)]


def test_tiles_are_read_at_the_coarsest_level_that_is_as_fine_and_lie_where_they_should(
    ready, empty, tile_server
):
    choose_imagery(ready, xyz_layer(tile_server, ZOOM), 200, 0.9)
    extract(ready)
    assert [row[1] for row in results(ready)] == ["patch"] * 6
    for path, frame in frames(empty):
        values, _, tags = read(path)
        assert frame.gsd() == pytest.approx(0.9, rel=1e-6)
        # 0.81 m a pixel at 47° N: zoom 17; 1.6 m would be too coarse.
        off = np.abs(values.astype(int) - expected(frame, ZOOM).astype(int))
        assert off.max() <= 2
        assert tags["RESAMPLING"] == "cubic"
    zooms = {int(path.split("/")[1]) for path in tile_server.asked}
    assert zooms == {ZOOM}


def test_a_coarser_patch_is_made_from_a_coarser_level(ready, empty, tile_server):
    choose_imagery(ready, xyz_layer(tile_server, 18), 100, 1.7)
    extract(ready)
    assert {int(path.split("/")[1]) for path in tile_server.asked} == {16}
    for path, frame in frames(empty):
        off = np.abs(read(path)[0].astype(int) - expected(frame, 16).astype(int))
        assert off.max() <= 2


def test_what_is_finer_than_the_tiles_is_refused(ready, empty, tile_server):
    choose_imagery(ready, xyz_layer(tile_server, ZOOM), 100, 0.3)
    extract(ready)
    assert {row[1] for row in results(ready)} == {"too coarse"}
    assert images(empty) == []


def test_the_whole_world_is_not_across_the_antimeridian(core, window, tmp_path, tile_server):
    init = importlib.import_module("ovearth.ovearth_core.dataset.categories").init_dataset
    made = init(tmp_path / "edge", importlib.import_module("ovearth.ovearth_core.taxonomy").load())
    add_places(core, made, [(179.9995, -17.0), (-179.9995, -17.02)])
    open_dataset(window, made.folder)
    choose_imagery(window, xyz_layer(tile_server, ZOOM), 200, 1.2)
    extract(window)
    rows = images(made)
    assert len(rows) == 2
    for path, frame in frames(made):
        values = read(path)[0]
        assert values.shape == (3, 200, 200)
        found = expected(frame, ZOOM).astype(int)
        # Beyond 180° the columns begin again; a turn is a whole number of waves.
        assert np.abs(values[1].astype(int) - found[1]).max() <= 2


def test_a_map_is_drawn_in_pieces_of_at_most_a_thousand_pixels(ready, empty):
    sizes = []
    with serving(drawn(18, sizes)) as served:
        choose_imagery(ready, wms_layer(served), 700, 0.8)
        extract(ready)
    assert [row[1] for row in results(ready)] == ["patch"] * 6
    assert max(max(size) for size in sizes) <= 1000
    for path, frame in frames(empty):
        off = np.abs(read(path)[0].astype(int) - expected(frame, 18).astype(int))
        assert np.percentile(off, 99.9) <= 3


def test_a_map_needs_to_be_told_how_fine_it_is(ready, empty):
    with serving(drawn(18, [])) as served:
        choose_imagery(ready, wms_layer(served), 100, 0.0)
        extract(ready)
    assert "say how many metres a pixel shall have" in " ".join(ready.said())
    assert images(empty) == []


def test_a_server_that_is_down_in_the_middle_is_listed_and_running_again_goes_on(
    ready, empty, tile_server
):
    layer = xyz_layer(tile_server, ZOOM)
    tile_server.gives = lambda path: len(tile_server.asked) < 12
    panel = choose_imagery(ready, layer, 150, 0.9)
    extract(ready)
    made = images(empty)
    assert 0 < len(made) < 6
    listed = [row for row in results(ready) if row[1] == "failed"]
    assert listed
    assert all("transparent" in row[2] for row in listed)
    tile_server.gives = lambda path: True
    extract(ready)
    assert len(images(empty)) == 6
    assert f"{len(made)} there already" in panel.said.text()
    for path, frame in frames(empty):
        off = np.abs(read(path)[0].astype(int) - expected(frame, ZOOM).astype(int))
        assert off.max() <= 2


def test_canceled_at_once_while_the_server_is_slow_and_taken_up_again(ready, empty, tile_server):
    import threading

    go_on = threading.Event()
    seen = []

    def gives(path):
        seen.append(path)
        return len(seen) <= 8 or go_on.wait(30)

    tile_server.gives = gives
    panel = choose_imagery(ready, xyz_layer(tile_server, ZOOM), 150, 0.9)
    click(panel.extract)
    wait_until(lambda: len(seen) > 8)
    click(panel.cancel)
    idle(ready)
    assert not go_on.is_set()
    assert panel.said.text() == "Stopped; what was cut is kept."
    first = {row.file_name: row.sha256 for row in images(empty)}
    assert len(first) < 6
    go_on.set()
    extract(ready)
    assert len(images(empty)) == 6
    assert first.items() <= {row.file_name: row.sha256 for row in images(empty)}.items()
    assert not list(empty.folder.rglob("*.part"))


def test_the_layer_may_go_while_it_is_read(ready, empty, tile_server):
    from qgis.core import QgsProject

    layer = xyz_layer(tile_server, ZOOM)
    panel = choose_imagery(ready, layer, 150, 0.9)
    click(panel.extract)
    QTest.qWait(20)
    QgsProject.instance().removeMapLayer(layer)
    idle(ready)
    assert len(images(empty)) == 6


def test_what_the_dataset_keeps_of_a_layer_has_no_key_in_it(ready, empty, tile_server):
    from .collecting import add_raster

    url = f"http://127.0.0.1:{tile_server.port}/%7Bz%7D/%7Bx%7D/%7By%7D.png?token%3Dsecret123"
    layer = add_raster(f"type=xyz&url={url}&zmax={ZOOM}&zmin=0", "tiles", "wms")
    choose_imagery(ready, layer, 150, 0.9)
    extract(ready)
    rows = images(empty)
    assert len(rows) == 6
    assert any("token=secret123" in path for path in tile_server.asked)
    assert "secret123" not in empty.path.read_bytes().decode("latin-1")
    assert "secret123" not in (empty.folder / "patches-report.json").read_text()
    assert {row.source for row in rows} == {"tiles"}
    assert WORLD > 0
