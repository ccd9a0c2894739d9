"""Rasters made for tests: ramps whose values say where each pixel lies, and pictures."""

import numpy as np
import rasterio
from affine import Affine
from rasterio.control import GroundControlPoint
from rasterio.rpc import RPC


def ramp(width, height):
    """Values (2,h,w): the x and the y, in pixels, of each pixel's centre."""
    y, x = np.mgrid[0:height, 0:width] + 0.5
    return np.stack([x, y]).astype(np.float32)


def picture(width, height, bands=3, seed=0, dtype=np.uint8):
    """A picture of noise on noise, so that no two places look alike."""
    random = np.random.default_rng(seed)
    coarse = random.integers(0, 180, (bands, -(-height // 16), -(-width // 16)))
    whole = coarse.repeat(16, axis=1).repeat(16, axis=2)[:, :height, :width]
    return (whole + random.integers(1, 60, whole.shape)).astype(dtype)


def write(path, values, crs=None, transform=None, overviews=(), masked=None, **profile):
    """Write a raster; transform: a, b, c, d, e, f."""
    place = {} if transform is None else {"transform": Affine(*transform)}
    options = {"driver": "GTiff", "tiled": True, "blockxsize": 256, "blockysize": 256, **profile}
    colors, palette = options.pop("colors", None), options.pop("palette", None)
    with (
        rasterio.Env(GDAL_TIFF_INTERNAL_MASK=True),
        rasterio.open(
            path, "w", width=values.shape[2], height=values.shape[1], count=values.shape[0],
            dtype=values.dtype, crs=crs, **place, **options,
        ) as file,
    ):  # fmt: skip
        file.write(values)
        if colors:
            file.colorinterp = colors
        if palette:
            file.write_colormap(1, palette)
        if masked is not None:
            file.write_mask(masked)
    if overviews:
        with rasterio.open(path, "r+") as file:
            file.build_overviews(list(overviews), rasterio.enums.Resampling.average)
    return path


def with_points(path, values, crs, transform):
    """Write a raster that only ground control points place, where `transform` would put it."""
    height, width = values.shape[1:]
    place = Affine(*transform)
    points = [
        GroundControlPoint(row, column, *(place @ (column, row)))
        for row in (0, height / 2, height)
        for column in (0, width / 2, width)
    ]
    with rasterio.open(
        path, "w", driver="GTiff", width=width, height=height, count=len(values),
        dtype=values.dtype, gcps=points, crs=crs,
    ) as file:  # fmt: skip
        file.write(values)
    return path


def with_rpcs(path, values, lon, lat, degrees, height_m=0.0):
    """Write a raster that only RPCs place: north up, its middle at lon, lat, at any height."""
    height, width = values.shape[1:]
    one = [1.0] + [0.0] * 19
    rpcs = RPC(
        err_bias=0.0, err_rand=0.0, height_off=height_m, height_scale=500.0, lat_off=lat,
        lat_scale=degrees * height / 2, long_off=lon, long_scale=degrees * width / 2,
        # Lines and samples count from the middle of the first pixel.
        line_off=height / 2 - 0.5, line_scale=height / 2, samp_off=width / 2 - 0.5,
        samp_scale=width / 2, line_den_coeff=one, samp_den_coeff=one,
        line_num_coeff=[0.0, 0.0, -1.0] + [0.0] * 17, samp_num_coeff=[0.0, 1.0] + [0.0] * 18,
    )  # fmt: skip
    with rasterio.open(
        path, "w", driver="GTiff", width=width, height=height, count=len(values),
        dtype=values.dtype, rpcs=rpcs,
    ) as file:  # fmt: skip
        file.write(values)
    return path


def vrt(path, frame, bands):
    """Write a virtual raster over a frame. bands: type and content of each band."""
    a, b, c, d, e, f = frame.transform
    told = "".join(
        f'<VRTRasterBand dataType="{kind}" band="{number}">{inside}</VRTRasterBand>'
        for number, (kind, inside) in enumerate(bands, 1)
    )
    path.write_text(
        f'<VRTDataset rasterXSize="{frame.width}" rasterYSize="{frame.height}">'
        f"<SRS>{frame.crs}</SRS><GeoTransform>{c}, {a}, {b}, {f}, {d}, {e}</GeoTransform>"
        f"{told}</VRTDataset>"
    )
    return path
