"""Frames made for tests, and the check that their pixels come back."""

from math import cos, radians, sin

import numpy as np
from pyproj import Transformer

from ovearth_core.frame import ImageFrame

LIMIT_PX = 1e-6
WORLD_MERCATOR = 20037508.342789244
NORTH_UP = (0.1, 0.0, 500000.0, 0.0, -0.1, 5000000.0)


def framed(crs, lon, lat, pixel=0.1, turned=0.0, south_up=False, width=1000, height=800):
    """An image whose centre lies at a longitude and latitude, turned by degrees."""
    forward = Transformer.from_crs("EPSG:4326", crs, always_xy=True)
    x, y = forward.transform(lon, lat)
    c, s = pixel * cos(radians(turned)), pixel * sin(radians(turned))
    a, b, d, e = (c, -s, s, c) if south_up else (c, s, s, -c)
    across, down = width / 2, height / 2
    transform = (a, b, x - a * across - b * down, d, e, y - d * across - e * down)
    return ImageFrame(crs, transform, width, height)


def some_pixels(frame, margin=0.2, count=300):
    size = [frame.width, frame.height]
    inside = np.random.default_rng(0).uniform(-margin, 1 + margin, (count, 2)) * size
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5]]) * size
    return np.vstack([inside, corners])


def assert_comes_back(frame, crs=None, margin=0.2):
    pixels = some_pixels(frame, margin)
    if crs is None:
        back = frame.map_to_pixel(frame.pixel_to_map(pixels))
        assert np.abs(back - pixels).max() < LIMIT_PX
        back = frame.lonlat_to_pixel(frame.pixel_to_lonlat(pixels))
    else:
        back = frame.map_to_pixel(frame.pixel_to_crs(pixels, crs), crs=crs)
    assert np.abs(back - pixels).max() < LIMIT_PX
