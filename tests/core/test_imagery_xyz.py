"""XYZ tiles: right level, right place, right address, and no more than so many at once."""

import os
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.collection.imagery import ImagerySpec, open_source
from ovearth_core.collection.imagery.server_errors import PoleError, TooCoarseError
from ovearth_core.errors import UsageError
from ovearth_core.frame import ImageFrame

from .framing import framed
from .loopback import Answer, encoded, noise, png, serving
from .tile_worlds import numbers, offsets_px, positions, tile, world

pytest.importorskip("httpx", reason="tiles need httpx: pip install 'ovearth[collect]'")
morecantile = pytest.importorskip("morecantile", reason="tiles need morecantile")

# Half of an eighth is what values can't tell.
LIMIT_PX = 0.0625 + 0.05


def opened(served, tail="/{z}/{x}/{y}.png", **options):
    said = tuple((name, str(value)) for name, value in options.items())
    return open_source(ImagerySpec(f"xyz:{served.url}{tail}", options=said))


@pytest.mark.parametrize(
    ("lon", "lat", "crs"),
    [(15.0, 50.0, "EPSG:32633"), (-70.0, -53.0, "EPSG:32719"), (15.0, 50.0, "EPSG:4326"),
     (179.9999, -17.0, "EPSG:32701"), (-180.0, 66.0, "EPSG:32601"), (20.0, 84.5, "EPSG:5041")],
)  # fmt: skip
@pytest.mark.parametrize("scale", [1.0, 1.3, 1.7, 4.0])
def test_a_patch_lands_where_pyproj_says(lon, lat, crs, scale):
    with serving(world()) as served:
        source = opened(served, max_zoom=17)
        gsd = source.native_gsd_m(lon, lat) * scale
        pixel = gsd / 88_000 if crs == "EPSG:4326" else gsd * 1.002
        pixels = source.read(framed(crs, lon, lat, pixel, width=90, height=70))
        assert pixels.valid.all()
        assert np.abs(offsets_px(pixels)).max() < LIMIT_PX * max(scale, 1.0)


def test_the_level_is_the_coarsest_that_is_as_fine_as_asked():
    with serving(world()) as served:
        source = opened(served, max_zoom=18)
        native = source.native_gsd_m(15.0, 50.0)
        for scale, level in ((1.0, "18"), (1.9, "18"), (2.0, "17"), (3.9, "17"), (4.0, "16")):
            frame = framed("EPSG:32633", 15.0, 50.0, native * scale * 1.001, width=60, height=60)
            assert source.read(frame).about.extra["level"] == level


def test_coarser_than_asked_is_refused_in_one_line():
    with serving(world()) as served:
        source = opened(served, max_zoom=16)
        frame = framed("EPSG:32633", 15.0, 50.0, 0.3, width=60, height=60)
        with pytest.raises(TooCoarseError, match=r"level, 16, is 5\.\d+ times coarser") as fault:
            source.read(frame)
        assert str(fault.value).count("\n") == 0
        assert source.cost(frame).requests > 0


def test_pixels_on_the_tiles_own_grid_are_those_of_the_tiles():
    with serving(world()) as served:
        source = opened(served, zoom=15)
        own = source.own_frame(15.0, 50.0, 300, 200)
        pixels = source.read(own)
        assert pixels.is_exact
        x, y = positions(own, 15)
        assert np.array_equal(pixels.values[0], np.floor(x) * 8 % 65536)
        assert np.array_equal(pixels.values[1], np.floor(y) * 8 % 65536)
        assert source.own_frame(15.0, 50.0, 4, 4).crs == "EPSG:3857"
        assert opened(served).own_frame(15.0, 50.0, 4, 4) is None


@pytest.mark.parametrize(
    ("said", "sent"), [(512, 256), (256, 512), (None, 512), (1024, 256), (128, 256)]
)
def test_what_arrives_decides_over_what_was_said_of_tile_sizes(said, sent):
    with serving(world(sent)) as served:
        options = {} if said is None else {"tile_size": said}
        source = opened(served, max_zoom=17, **options)
        frame = framed("EPSG:32633", 15.0, 50.0, 1.0, width=90, height=70)
        pixels = source.read(frame)
        off = offsets_px(pixels, sent)
        assert np.abs(off).max() < LIMIT_PX
        assert pixels.about.extra["level"] == {256: "17", 512: "16"}[sent]
        own = morecantile.tms.get("WebMercatorQuad").matrix(17).cellSize * 256 / sent
        assert source.native_gsd_m(15.0, 50.0) == pytest.approx(own * 0.6435, rel=0.01)


def test_tiles_that_are_sharper_than_said_are_fine_enough():
    with serving(world(512)) as served:
        source = opened(served, max_zoom=16)
        frame = framed("EPSG:32633", 15.0, 50.0, 0.8, width=60, height=60)
        pixels = source.read(frame)
        assert pixels.about.extra["level"] == "16"
        assert np.abs(offsets_px(pixels, 512)).max() < LIMIT_PX


def test_a_first_look_shows_how_fine_tiles_are():
    with serving(world(512)) as served:
        fine, coarse = opened(served, max_zoom=16), opened(served, max_zoom=17)
        assert coarse.native_gsd_m(15.0, 50.0) == pytest.approx(fine.native_gsd_m(15.0, 50.0) / 2)
        assert len(served.asked) == 2


def test_tiles_of_mixed_or_odd_sizes_are_refused():
    def mixed(path, _):
        z, x, y = numbers(path)
        return Answer(png(tile(z, x, y, 256 if x % 2 else 300)))

    frame = framed("EPSG:32633", 15.0, 50.0, 1.0, width=400, height=400)
    with serving(mixed) as served, pytest.raises(Exception, match="300 × 300 pixels came"):
        opened(served).read(frame)


@pytest.mark.parametrize(
    ("tail", "options", "pattern"),
    [("/{z}/{x}/{y}.png", {"tms": "yes"}, None),
     ("/{z}/{x}/{-y}.png", {}, None),
     ("/{s}/{z}/{x}/{y}.png", {}, r"/[abc]/\d+/"),
     ("/{s}/{z}/{x}/{y}.png", {"subdomains": "123"}, r"/[123]/\d+/"),
     ("/{s}/{z}/{x}/{y}.png", {"subdomains": "t0,t1"}, r"/t[01]/\d+/"),
     ("/{switch:t0,t1}/{z}/{x}/{y}.png", {}, r"/t[01]/\d+/"),
     ("/{z}/{x}/{y}{r}.png", {"retina": "yes"}, r"\d@2x\.png$"),
     ("/{z}/{x}/{y}{r}.png", {}, r"\d\.png$")],
)  # fmt: skip
def test_every_way_to_write_an_address_asks_for_the_same_tiles(tail, options, pattern):
    flipped = "{-y}" in tail or "tms" in options
    frame = framed("EPSG:32633", 15.0, 50.0, 1.0, width=300, height=300)
    with serving(world(flipped=flipped)) as served:
        pixels = opened(served, tail, **options).read(frame)
        assert np.abs(offsets_px(pixels)).max() < LIMIT_PX
        assert pattern is None or all(re.search(pattern, path) for path in served.asked)


def test_a_quadkey_names_the_same_tile():
    grid = morecantile.tms.get("WebMercatorQuad")

    def answer(path, _):
        found = grid.quadkey_to_tile(path.rpartition("/")[2])
        return Answer(png(tile(found.z, found.x, found.y)))

    frame = framed("EPSG:32633", 15.0, 50.0, 1.0, width=90, height=90)
    with serving(answer) as served:
        pixels = opened(served, "/tiles/{q}").read(frame)
        assert np.abs(offsets_px(pixels)).max() < LIMIT_PX
        assert ImagerySpec(served.url + "/tiles/{q}").kind() == "xyz"


def test_options_can_follow_the_address_and_are_never_sent():
    with serving(world()) as served:
        spec = ImagerySpec(f"{served.url}/{{z}}/{{x}}/{{y}}.png#max_zoom=14&per_host=2")
        source = open_source(spec)
        frame = framed("EPSG:32633", 15.0, 50.0, 20.0, width=300, height=300)
        assert int(source.read(frame).about.extra["level"]) <= 14
        assert not any("zoom" in path for path in served.asked)
        assert "zoom" not in source.about.source


@pytest.mark.parametrize("limit", [1, 4, 16])
def test_a_host_never_gets_more_requests_at_once_than_allowed(limit):
    with serving(world()) as served:
        source = opened(served, max_zoom=17, per_host=limit)
        source.read(framed("EPSG:32633", 15.0, 50.0, 0.8, width=1400, height=1400))
        assert len(served.asked) > 30
        assert served.most_at_once <= limit


def test_only_the_tiles_that_are_needed_are_asked_for_and_none_twice():
    with serving(world()) as served:
        source = opened(served, max_zoom=17)
        frame = framed("EPSG:32633", 15.0, 50.0, 0.8, width=500, height=500)
        pixels = source.read(frame)
        assert len(served.asked) == len(set(served.asked)) == pixels.about.extra["tiles"]
        assert source.cost(frame).requests == len(served.asked)
        assert len(served.asked) <= 16


@pytest.mark.parametrize(
    ("lat", "crs"), [(89.9, "EPSG:5041"), (-88.0, "EPSG:5042"), (90.0, "EPSG:5041")]
)
def test_poles_are_refused_by_name(lat, crs):
    with serving(world()) as served:
        source = opened(served, max_zoom=12)
        assert source.native_gsd_m(0.0, lat) is None
        with pytest.raises(PoleError, match=r"north or south of the tiles|pole|lies nowhere"):
            source.read(framed(crs, 0.0, lat, 30.0, width=100, height=100))


def test_a_patch_over_the_edge_of_the_tiles_has_no_data_there():
    with serving(world()) as served:
        frame = framed("EPSG:5041", 0.0, 85.05, 20.0, width=100, height=200)
        valid = opened(served, max_zoom=14).read(frame).valid
        assert 0.2 < valid.mean() < 0.8


@pytest.mark.parametrize(
    ("driver", "bands"), [("PNG", 1), ("PNG", 3), ("JPEG", 1), ("JPEG", 3), ("WEBP", 3)]
)
def test_every_format_and_gray_are_read(driver, bands):
    with serving(lambda path, _: Answer(encoded(noise(numbers(path), bands), driver))) as served:
        frame = framed("EPSG:32633", 15.0, 50.0, 1.0, width=60, height=60)
        pixels = opened(served).read(frame)
        assert pixels.valid.all()
        assert pixels.colors == {1: ("gray",), 3: ("red", "green", "blue")}[bands]


def test_gray_tiles_among_coloured_ones_become_coloured():
    def answer(path, _):
        return Answer(png(noise(numbers(path), 1 + 2 * (numbers(path)[1] % 2))))

    with serving(answer) as served:
        frame = framed("EPSG:32633", 15.0, 50.0, 1.0, width=500, height=500)
        assert opened(served).read(frame).values.shape == (3, 500, 500)


@pytest.mark.parametrize("grid", ["WorldCRS84Quad", "NZTM2000Quad", "UTM31WGS84Quad"])
def test_other_grids_of_tiles_lie_where_morecantile_puts_them(grid):
    tms = morecantile.tms.get(grid)
    with serving(world()) as served:
        source = opened(served, zoom=4, grid=grid)
        lon, lat = {"NZTM2000Quad": (175.0, -40.0), "UTM31WGS84Quad": (3.5, 48.0)}.get(
            grid, (20, 40)
        )
        frame = source.own_frame(lon, lat, 1, 1)
        pixels = source.read(frame)
        found = tms.tile(lon, lat, 4)
        x, y = int(pixels.values[0, 0, 0]) // 8, int(pixels.values[1, 0, 0]) // 8
        assert abs(x // 256 - found.x) <= (x % 256 in (0, 255))
        assert abs(y // 256 - found.y) <= (y % 256 in (0, 255))
        bounds = tms.xy_bounds(morecantile.Tile(x // 256, y // 256, 4))
        width = bounds.right - bounds.left
        assert frame.transform[2] == pytest.approx(bounds.left + x % 256 * width / 256)
        assert frame.transform[5] == pytest.approx(bounds.top - y % 256 * width / 256)


@given(
    st.integers(0, 2**8 * 256 * 2), st.integers(0, 2**8 * 256 - 1), st.integers(1, 700),
    st.integers(1, 700),
)  # fmt: skip
def test_pieces_cover_a_window_once(left, top, width, height):
    from ovearth_core.collection.imagery.tile_level import TileLevel
    from ovearth_core.collection.imagery.window import Extent

    side = 2 * 20037508.342789244 / 65536
    frame = ImageFrame(
        "EPSG:3857", (side, 0, -20037508.342789244, 0, -side, 20037508.342789244), 65536, 65536
    )
    level = TileLevel("8", frame, 256, 256)
    extent = level.clipped(Extent(left - 65536, top, left - 65536 + width, top + height))
    covered = np.zeros(extent.size, int)
    for piece in level.pieces(extent):
        assert 0 <= piece.column < 256
        assert 0 <= piece.row < 256
        assert (piece.left - piece.column * 256) % 65536 == 0
        rows = slice(max(piece.top - extent.top, 0), max(piece.top + 256 - extent.top, 0))
        columns = slice(max(piece.left - extent.left, 0), max(piece.left + 256 - extent.left, 0))
        covered[rows, columns] += 1
    assert (covered == 1).all()


@pytest.mark.parametrize(
    ("text", "message"),
    [("xyz:https://h/{z}/{x}.png", "names no tile"),
     ("xyz:ftp://h/{z}/{x}/{y}", "no address of a web"),
     ("xyz:https://h/{z}/{x}/{y}/{foo}", "unknown place {foo}"),
     ("xyz:https://h/{z}/{x}/{y}#zom=3", "unknown option"),
     ("xyz:https://h/{z}/{x}/{y}#zoom=x", "can't be its value"),
     ("xyz:https://h/{z}/{x}/{y}#max_zoom=40", "zoom 0 to 40"),
     ("xyz:https://h/{z}/{x}/{y}#per_host=0", "per_host is 0"),
     ("xyz:https://h/{z}/{x}/{y}#timeout=nan", "timeout is nan"),
     ("xyz:https://h/{z}/{x}/{y}#timeout=inf", "timeout is inf"),
     ("xyz:https://h/{z}/{x}/{y}#backoff=nan", "backoff is nan"),
     ("xyz:https://h/{z}/{x}/{y}#backoff=inf", "backoff is inf"),
     ("https://h/scene.tif#timeout=nan", "timeout is nan"),
     ("https://h/scene.tif#attempts=0", "attempts is 0"),
     ("https://h/scene.tif#attemps=2", "did you mean 'attempts'?"),
     ("https://h/scene.tif#per_host=2", "unknown option"),
     ("xyz:https://h/{z}/{x}/{y}#grid=Mercator", "unknown grid"),
     ("xyz:https://u:p@h/{z}/{x}/{y}", "password"),
     ("xyz:https://h/{z}/{x}/{y}?key=abc", "key 'key' is written out"),
     ("xyz:https://h/{z}/{x}/{y}?key=${OVEARTH_NO_SUCH}", "OVEARTH_NO_SUCH is not set")],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_in_one_line(text, message):
    with pytest.raises(UsageError, match=re.escape(message)) as fault:
        open_source(ImagerySpec(text))
    assert "\n" not in str(fault.value)
    assert "abc" not in str(fault.value)
    assert "u:p" not in str(fault.value)
    assert "OVEARTH_NO_SUCH" not in os.environ
