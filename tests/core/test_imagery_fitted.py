"""Rasters placed by RPCs or control points lie where the polynomials say, evaluated anew here.

The ramps of `test_imagery_exactness` are placed by what is linear; here polynomials are curved, as
those of real scenes are, and the judge is their published form (RPC00B; least squares) and pyproj.
"""

import numpy as np
import pytest
import rasterio
from affine import Affine
from hypothesis import given
from hypothesis import strategies as st
from pyproj import Transformer
from rasterio.control import GroundControlPoint
from rasterio.rpc import RPC

from ovearth_core.collection.imagery import ImagerySpec, open_source
from ovearth_core.collection.imagery.fitted_placing import _in_one_piece

from . import rasters
from .framing import framed

LIMIT_PX = 0.05
SCALES = [1.0, 1.3, 1.7, 4.0]
SIZE = 700
# Right and across of the antimeridian: where its middle is said to lie does not matter.
PLACES = {"inland": (15.0, 50.0), "at 180": (180.0, -17.0), "at -180": (-180.0, -17.0),
          "beside 180": (179.9995, 63.0), "beside -180": (-179.9995, 63.0)}  # fmt: skip


class Judge:
    """A ramp at a place, and where its file says that points of the earth lie in it."""

    def __init__(self, place):
        self.lon, self.lat = PLACES[place]
        self.crs = "EPSG:4326"

    def target(self, gsd_m):
        zone = int((self.lon + 180) // 6) % 60 + 1
        crs = f"EPSG:{(32600 if self.lat > 0 else 32700) + zone}"
        return framed(crs, self.lon, self.lat, gsd_m, width=84, height=76)

    def positions(self, frame):
        """Columns and rows (N,2) of the centres of a frame's pixels."""
        rows, columns = np.mgrid[0 : frame.height, 0 : frame.width] + 0.5
        east, north = Affine(*frame.transform) @ (columns.ravel(), rows.ravel())
        there = Transformer.from_crs(frame.crs, self.crs, always_xy=True)
        x, y = there.transform(east, north)
        if self.crs == "EPSG:4326":
            x = self.lon + (x - self.lon + 180.0) % 360.0 - 180.0
        return self.pixel(x, y)


def powers(lon, lat, height):
    """The twenty terms of a polynomial of RPC00B, in its order."""
    one = np.ones_like(lon)
    x, y, h = lon, lat, height * one
    return np.stack([
        one, x, y, h, x * y, x * h, y * h, x * x, y * y, h * h, x * y * h, x**3, x * y * y,
        x * h * h, x * x * y, y**3, y * h * h, x * x * h, y * y * h, h**3,
    ])  # fmt: skip


class Rational(Judge):
    """A scene of a satellite, turned and curved in every term."""

    def __init__(self, path, place, reach_deg=0.002):
        super().__init__(place)
        random = np.random.default_rng(5)
        bent = random.uniform(-0.004, 0.004, (4, 20))
        samp, line, samp_den, line_den = bent
        samp[:3], line[:3] = (0.01, 0.92, 0.31), (-0.02, 0.28, -0.95)
        samp_den[0] = line_den[0] = 1.0
        self._samp, self._line, self._samp_den, self._line_den = bent
        self._reach = np.array([reach_deg / np.cos(np.radians(self.lat)), reach_deg])
        rpcs = RPC(
            err_bias=0.0, err_rand=0.0, height_off=412.0, height_scale=500.0,
            lat_off=self.lat, lat_scale=reach_deg, long_off=self.lon, long_scale=self._reach[0],
            line_off=SIZE / 2 - 0.5, line_scale=SIZE / 2,
            samp_off=SIZE / 2 - 0.5, samp_scale=SIZE / 2,
            line_num_coeff=list(line), line_den_coeff=list(line_den),
            samp_num_coeff=list(samp), samp_den_coeff=list(samp_den),
        )  # fmt: skip
        write(path, rpcs=rpcs)

    def pixel(self, lon, lat):
        """RPC00B at the height offset; samples and lines count from the first pixel's middle."""
        terms = powers((lon - self.lon) / self._reach[0], (lat - self.lat) / self._reach[1], 0.0)
        samp = (self._samp @ terms) / (self._samp_den @ terms)
        line = (self._line @ terms) / (self._line_den @ terms)
        return np.column_stack([samp, line]) * SIZE / 2 + SIZE / 2


class Fitted(Judge):
    """A scanned map: its points are where a bent sheet puts them, and a little off."""

    def __init__(self, path, place, crs, count, wrapped=False):
        super().__init__(place)
        self.crs = crs
        pixel = 5e-6 if crs == "EPSG:4326" else 0.6
        frame = framed(crs, self.lon, self.lat, pixel, turned=25.0, width=SIZE, height=SIZE)
        random = np.random.default_rng(count)
        columns, rows = self._columns_rows(count, random)
        dx, dy = (columns - SIZE / 2) / SIZE, (rows - SIZE / 2) / SIZE
        bent = 30 * dx * dx - 22 * dx * dy + 15 * dy * dy
        x, y = Affine(*frame.transform) @ (columns + bent, rows - 0.7 * bent)
        self._order = 2 if count >= 6 else 1
        self._middle = np.array([x.mean(), y.mean()])
        self._pixel = pixel * SIZE
        basis = self._basis(x, y)
        self._weights = np.linalg.lstsq(basis, np.column_stack([columns, rows]), rcond=None)[0]
        said = (x + 180.0) % 360.0 - 180.0 if wrapped else x
        points = [GroundControlPoint(*at) for at in zip(rows, columns, said, y, strict=True)]
        write(path, gcps=points, crs=crs)

    @staticmethod
    def _columns_rows(count, random):
        corners = np.array([[0, 0], [SIZE, 0], [SIZE, SIZE], [0, SIZE]], float)
        inside = random.uniform(0, SIZE, (count - 4, 2))
        return np.vstack([corners, inside]).T + random.normal(0, 0.8, (2, count))

    def _basis(self, x, y):
        u, v = (x - self._middle[0]) / self._pixel, (y - self._middle[1]) / self._pixel
        terms = [np.ones_like(u), u, v, u * u, u * v, v * v]
        return np.column_stack(terms[: 3 if self._order == 1 else 6])

    def pixel(self, x, y):
        """The least squares of so many points: first order for up to five, then second (GDAL)."""
        return self._basis(x, y) @ self._weights


def write(path, overviews=(2, 4), **placed):
    with rasterio.open(
        path, "w", driver="GTiff", width=SIZE, height=SIZE, count=2, dtype="float32", tiled=True,
        blockxsize=256, blockysize=256, **placed,
    ) as file:  # fmt: skip
        file.write(rasters.ramp(SIZE, SIZE))
    with rasterio.open(path, "r+") as file:
        file.build_overviews(list(overviews), rasterio.enums.Resampling.average)


def assert_is_where_the_judge_says(path, judge, scale):
    source = open_source(ImagerySpec(str(path), resampling="bilinear"))
    frame = judge.target(source.native_gsd_m(judge.lon, judge.lat) * scale)
    where = judge.positions(frame)
    pixels = source.read(frame)
    margin = 5 * scale + 3
    inside = ((where > margin) & (where < SIZE - margin)).all(axis=1)
    assert inside.mean() > 0.9
    assert pixels.valid.ravel()[inside].all()
    off = np.abs(pixels.values.reshape(2, -1).T - where)[inside] / scale
    assert off.max() < LIMIT_PX, off.max()


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("place", PLACES)
def test_rpcs(tmp_path, place, scale):
    judge = Rational(tmp_path / "a.tif", place)
    assert_is_where_the_judge_says(tmp_path / "a.tif", judge, scale)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("crs", ["EPSG:32633", "EPSG:32632", "EPSG:3857", "EPSG:4326"])
@pytest.mark.parametrize("count", [4, 5, 6, 9, 10, 30])
def test_control_points(tmp_path, count, crs, scale):
    judge = Fitted(tmp_path / "a.tif", "inland", crs, count)
    assert_is_where_the_judge_says(tmp_path / "a.tif", judge, scale)


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("wrapped", [False, True])
@pytest.mark.parametrize("place", [place for place in PLACES if place != "inland"])
def test_control_points_across_180(tmp_path, place, wrapped, scale):
    judge = Fitted(tmp_path / "a.tif", place, "EPSG:4326", 12, wrapped)
    assert_is_where_the_judge_says(tmp_path / "a.tif", judge, scale)


def test_control_points_around_the_whole_world_stay_where_they_are(tmp_path):
    columns, rows = (part.ravel() for part in np.meshgrid([0, 175, 350, 525, 700], [0, 350, 700]))
    lon, lat = columns / 700 * 360 - 180, 90 - rows / 700 * 180
    points = [GroundControlPoint(*at) for at in zip(rows, columns, lon, lat, strict=True)]
    write(tmp_path / "a.tif", gcps=points, crs="EPSG:4326")
    source = open_source(ImagerySpec(str(tmp_path / "a.tif"), resampling="bilinear"))
    for place in (-150.0, -20.0, 100.0, 170.0):
        frame = framed("EPSG:4326", place, 20.0, 0.2, width=40, height=40)
        off = source.read(frame).values[:, 20, 20] - (place + 180.1) / 360 * 700
        assert abs(off[0]) < LIMIT_PX


@given(
    st.lists(st.tuples(st.floats(0, 170), st.integers(-2, 2)), min_size=1, max_size=30),
    st.floats(-400, 400),
)
def test_points_of_half_the_world_are_beside_each_other_however_they_are_written(points, start):
    apart, turns = np.array(points).T
    joined = _in_one_piece(start + apart + 360.0 * turns, 360.0)
    assert np.ptp(joined) == pytest.approx(np.ptp(apart), abs=1e-9)
    assert np.abs((joined - start - apart) / 360.0 % 1.0 - 0.5) == pytest.approx(0.5, abs=1e-9)
