"""The pictures of a target that a model is shown: all of the image, and the target near by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from ..geometry import Polygon
from ..segment.image_pixels import ImagePixels
from ..segment.view import View
from .bearings import north_on_picture, north_words
from .red_outline import with_outline
from .subject import Subject

Floats = NDArray[np.float64]
Pixels = NDArray[np.uint8]

LEAST_SIDE, MOST_SIDE = 256, 4096
DEFAULT_SIDE = 1024
# The near picture's window is this many times as wide as the target, and at least so many pixels.
_ROOM = 2.5
_LEAST_WINDOW_PX = 160
# The near picture is worth its price where it shows things this much larger.
_WORTH = 1.5
# Of several instances strewn over the image, those near by are shown so that one is this wide.
_INSTANCE_PX = 48.0


@dataclass(frozen=True, eq=False)
class Picture:
    """One picture: its pixels (rows, columns, 3), and in words what it shows."""

    pixels: Pixels
    caption: str

    @property
    def digest(self) -> str:
        """SHA-256 of the pixels, which no way of packing changes."""
        size = np.array(self.pixels.shape, np.int64).tobytes()
        return sha256(size + np.ascontiguousarray(self.pixels).tobytes()).hexdigest()


def depict(
    subject: Subject, image: ImagePixels, side: int = DEFAULT_SIDE, *, outlined: bool
) -> tuple[Picture, ...]:
    """Return the picture of the whole image, and one of the target's part where that shows more.

    side: the most pixels of a picture's longer side. outlined: the target in red. Raises
    InputError where the image can't be read, UsageError for a side that makes no sense.
    """
    views = views_of(subject, side)
    pictures = []
    for number, view in enumerate(views):
        shown = _enlarged(view, side)
        pixels = _repeated(image.read(view), shown)
        if outlined:
            pixels = with_outline(pixels, shown, list(subject.shapes))
        pictures.append(Picture(pixels, _caption(subject, view, number)))
    return tuple(pictures)


def views_of(subject: Subject, side: int = DEFAULT_SIDE) -> tuple[View, ...]:
    """Return the parts of the image that are shown, the whole of it first."""
    if not LEAST_SIDE <= side <= MOST_SIDE:
        raise UsageError(
            f"pictures of {side} pixels a side", "--side", f"give {LEAST_SIDE} to {MOST_SIDE}"
        )
    width, height = subject.image.width, subject.image.height
    whole = View.whole(width, height, side)
    near = _window(subject, side)
    is_worth = _scale(near, side) >= _WORTH * _scale(whole, side)
    return (whole, near) if is_worth else (whole,)


def picture_sizes(subject: Subject, side: int = DEFAULT_SIDE) -> list[tuple[int, int]]:
    """Return width and height of the pictures that `depict` gives, without making them."""
    shown = (_enlarged(view, side) for view in views_of(subject, side))
    return [(view.columns, view.rows) for view in shown]


def _window(subject: Subject, side: int) -> View:
    extents = np.array([_extent(shape) for shape in subject.shapes])
    width, height = subject.image.width, subject.image.height
    extent = subject.extent
    wanted = _side_about(extent)
    if len(extents) > 1:
        # Shown whole they might all be specks: then a part with most of them, one wide enough.
        typical = float(np.median((extents[:, 2:] - extents[:, :2]).max(axis=1)))
        largest = max(_LEAST_WINDOW_PX, typical * side / _INSTANCE_PX)
        if wanted > largest:
            wanted = largest
            extent = _fullest(extents, wanted)
    wanted = min(wanted, float(max(width, height)))
    left, across = _placed((extent[0] + extent[2]) / 2.0, wanted, width)
    top, down = _placed((extent[1] + extent[3]) / 2.0, wanted, height)
    step = max(1.0, max(across, down) / side)
    return View(left, top, across, down, max(1, round(across / step)), max(1, round(down / step)))


def _side_about(extent: Floats) -> float:
    return max(_LEAST_WINDOW_PX, _ROOM * float((extent[2:] - extent[:2]).max()))


def _extent(shape: Sequence[Polygon]) -> Floats:
    points = np.concatenate([rings[0] for rings in shape])
    return np.concatenate([points.min(axis=0), points.max(axis=0)])


def _fullest(extents: Floats, wanted: float) -> Floats:
    """Return the extent (4,) of the window of a size that holds the middles of most instances."""
    middles = (extents[:, :2] + extents[:, 2:]) / 2.0
    # From each instance on, to the right and down; a sample where there are very many.
    starts = middles[:: max(1, len(middles) // 200)] - wanted / 8.0
    best = max(starts, key=lambda low: int(_inside(middles, low, wanted).sum()))
    held = middles[_inside(middles, best, wanted)]
    return np.concatenate([held.min(axis=0), held.max(axis=0)])


def _inside(middles: Floats, low: Floats, wanted: float) -> NDArray[np.bool_]:
    reach = wanted * 0.75
    return np.asarray(((middles >= low) & (middles <= low + reach)).all(axis=1))


def _placed(middle: float, side: float, size: int) -> tuple[int, int]:
    """Return where a window of `side` about `middle` begins within 0 to size, and its length."""
    length = min(size, int(np.ceil(side)))
    return int(max(0, min(np.floor(middle - length / 2.0), size - length))), length


def _scale(view: View, side: int) -> float:
    """Return how many pixels of the picture one of the image's is wide, once enlarged."""
    return _enlarged(view, side).columns / view.width


def _enlarged(view: View, side: int) -> View:
    """Return a small view with whole numbers of pixels for each: models see little of specks."""
    times = max(1, side // max(view.columns, view.rows))
    return replace(view, columns=view.columns * times, rows=view.rows * times)


def _repeated(pixels: Pixels, view: View) -> Pixels:
    times = view.columns // pixels.shape[1]
    return pixels if times == 1 else pixels.repeat(times, axis=0).repeat(times, axis=1)


def _caption(subject: Subject, view: View, number: int) -> str:
    image = subject.image
    if number == 0:
        what = f"Picture 1 shows the whole image of {image.width} x {image.height} pixels"
    else:
        right, bottom = view.left + view.width, view.top + view.height
        across = _percent(view.left, right, image.width)
        down = _percent(view.top, bottom, image.height)
        what = f"Picture {number + 1} shows a part of it enlarged: {across} of its width from the"
        what += f" left and {down} of its height from the top"
    gsd = image.gsd_m or subject.frame.gsd()
    size = "" if gsd is None else (
        f", {_metres(view.width * gsd)} by {_metres(view.height * gsd)} on the ground;"
        f" the image's ground sampling distance is {gsd:.3g} m a pixel"
    )  # fmt: skip
    return f"{what}{size}; {_north(subject)}."


def _percent(low: float, high: float, size: int) -> str:
    return f"from {100 * low / size:.0f} to {100 * high / size:.0f} %"


def _metres(length: float) -> str:
    return f"{length / 1000:.3g} km" if length >= 1000 else f"{length:.3g} m"


def _north(subject: Subject) -> str:
    frame = subject.frame
    if frame.crs is None or frame.transform is None:
        return "where north is isn't known"
    return north_words(north_on_picture(frame))
