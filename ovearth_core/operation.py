"""The coordinate operation between two CRSs: chosen or recorded, run forward and roughly back.

An operation is named by PROJ strings in x/y order (easting, northing; longitude, latitude in
degrees), as QGIS writes them, so that every program that is given one computes the same numbers.
None uses a grid: what a machine happens to have installed must not move a coordinate.

PROJ's own inverse of an operation is off by up to millimetres where a Helmert step drops the
height or uses small angles; `refinement` takes it from there. Transformers are cached by string:
since pyproj 3.1 one made from a pipeline keeps a PROJ object for each thread, so that the cache
is shared between threads.
"""

from __future__ import annotations

import re
import threading
import warnings
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .crs import (
    Seam,
    degrees_and_meridian,
    file_reference,
    geographic_base,
    geographic_period,
    is_rotated,
    read_crs,
)
from .errors import FrameError

if TYPE_CHECKING:
    from pyproj import Transformer

Points = NDArray[np.float64]
Area = tuple[float, float, float, float]

_GRID_METHODS = {
    "hgridshift", "vgridshift", "gridshift", "xyzgridshift", "deformation", "defmodel", "tinshift",
}  # fmt: skip
_DATUMS_WITHOUT_GRIDS = {"WGS84", "NAD83"}
# PROJ's way to write that no grid is meant.
_NULL_SHIFT = re.compile(r"\+proj=hgridshift \+grids=@null(?!\S)")
_NOOP = "+proj=noop"
_HOW_TO_RECORD = "record a PROJ string without grids, as ImageFrame.operation_to gives it, or null"
_warning_filters = threading.Lock()


@dataclass(frozen=True)
class Operation:
    """A way from one CRS to another.

    name: for people. pipelines: PROJ strings run one after the other, none for no operation.
    accuracy_m: as stated by its source, None where unknown. ballpark: datums are taken as equal.
    """

    name: str
    pipelines: tuple[str, ...]
    accuracy_m: float | None = None
    ballpark: bool = False

    @property
    def proj(self) -> str:
        """The whole operation as one PROJ string, fit to be recorded."""
        if len(self.pipelines) < 2:
            return self.pipelines[0] if self.pipelines else _NOOP
        steps = [step for pipeline in self.pipelines for step in _steps(pipeline)]
        return "+proj=pipeline " + " ".join(" ".join(["+step", *step]) for step in steps)

    @property
    def is_noop(self) -> bool:
        """Whether coordinates pass through unchanged."""
        return all(pipeline == _NOOP for pipeline in self.pipelines)

    @property
    def has_inverse(self) -> bool:
        """Whether PROJ has an inverse, however rough, of every step."""
        return all(bool(_transformer(pipeline).has_inverse) for pipeline in self.pipelines)

    def forward(self, xy: Points) -> Points:
        """Carry points (N,2) from the first CRS to the second; inf where that can't be done."""
        for pipeline in self.pipelines:
            xy = _run(pipeline, xy, "FORWARD")
        return xy

    def backward(self, xy: Points) -> Points:
        """Carry points (N,2) back by PROJ's own inverse, which may be off by millimetres."""
        for pipeline in reversed(self.pipelines):
            xy = _run(pipeline, xy, "INVERSE")
        return xy

    def then(self, following: Operation) -> Operation:
        """Return this operation followed by another one."""
        known = [self.accuracy_m, following.accuracy_m]
        total = None if None in known else sum(a for a in known if a is not None)
        return Operation(
            f"{self.name}, then {following.name}",
            self.pipelines + following.pipelines,
            total,
            self.ballpark or following.ballpark,
        )


NO_OPERATION = Operation("none (equal CRSs)", (), 0.0)


@lru_cache(maxsize=512)
def _transformer(pipeline: str) -> Transformer:
    from pyproj import Transformer

    return Transformer.from_pipeline(pipeline)


def _run(pipeline: str, xy: Points, direction: str) -> Points:
    if pipeline == _NOOP or not len(xy):
        return xy
    x, y = _transformer(pipeline).transform(
        np.ascontiguousarray(xy[:, 0]),
        np.ascontiguousarray(xy[:, 1]),
        direction=direction,
        errcheck=False,
    )
    return np.column_stack([x, y]).astype(np.float64, copy=False)


@lru_cache(maxsize=512)
def choose_operation(from_crs: str, to_crs: str, area: Area | None = None) -> Operation:
    """Return PROJ's best operation between two CRSs, of those that need no grid.

    area: west, south, east, north in degrees, west > east across the antimeridian.
    Raises FrameError where there is none.
    """
    candidates = _gridless(read_crs(from_crs), read_crs(to_crs), area)
    if not candidates:
        raise FrameError(
            f"there is no operation without grids from {from_crs} to {to_crs}",
            mend="reproject the data with a GIS first",
        )
    return candidates[0]


def _gridless(source: Any, target: Any, area: Area | None) -> list[Operation]:
    from pyproj.exceptions import ProjError
    from pyproj.transformer import AreaOfInterest, TransformerGroup

    try:
        # A missing grid is no fault here; warning filters belong to the whole process.
        with _warning_filters, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            group = TransformerGroup(
                source,
                target,
                always_xy=True,
                area_of_interest=AreaOfInterest(*area) if area else None,
            )
    except ProjError:
        return []
    found = (_described(transformer) for transformer in group.transformers)
    return [operation for operation in found if _grid_in(operation.pipelines[0]) is None]


def _described(transformer: Transformer) -> Operation:
    # Such strings already carry axis order and units: one made into a transformer again by
    # from_pipeline gives the same numbers in x/y order (compared in the tests).
    text = transformer.definition.strip()
    pipeline = _NOOP if re.match(r"(proj=)?noop\b", text) else _with_pluses(text)
    # pyproj 3.8 says of the whole what older ones said of a step.
    said = transformer.description.replace(" (with axis order normalized for visualization)", "")
    parts = [p for p in said.split(" + ") if "axis order change" not in p]
    name = " + ".join(parts) or "axis order change"
    accuracy = float(transformer.accuracy)
    return Operation(
        name, (pipeline,), accuracy if accuracy >= 0 else None, "ballpark" in name.lower()
    )


def _with_pluses(text: str) -> str:
    return " ".join("+" + token.lstrip("+") for token in text.split())


@lru_cache(maxsize=512)
def recorded_operation(text: str) -> Operation:
    """Return the operation that a file recorded as a PROJ string.

    Raises FrameError for anything but a PROJ string that PROJ can run from the text alone.
    """
    from pyproj.exceptions import ProjError

    if not isinstance(text, str) or not re.match(r"\s*\+?proj=\w", text):
        raise FrameError(
            f"the operation {str(text)[:80]!r} is not a PROJ string", "", _HOW_TO_RECORD
        )
    pipeline = _with_pluses(text)
    if grid := _grid_in(pipeline):
        raise FrameError(f"the recorded operation uses a grid or file ({grid})", "", _HOW_TO_RECORD)
    if not _steps(pipeline):
        raise FrameError("the recorded operation has no steps", "", _HOW_TO_RECORD)
    try:
        _transformer(pipeline)
    except ProjError as error:
        raise FrameError(
            f"the recorded operation is unknown to PROJ ({text[:200]})", "", _HOW_TO_RECORD
        ) from error
    return Operation(f"recorded: {pipeline}", (_NOOP if pipeline == _NOOP else pipeline,))


def _steps(pipeline: str) -> list[list[str]]:
    """Split a PROJ string into its steps; what stands before the first step holds for all."""
    parts = [part.split() for part in re.split(r"\+step\b", pipeline)]
    if "+proj=pipeline" not in parts[0]:
        return [parts[0]] if len(parts) == 1 else []
    shared = [option for option in parts[0] if option != "+proj=pipeline"]
    if "+inv" in shared or any("+proj=pipeline" in step for step in parts[1:]):
        return []
    return [step + shared for step in parts[1:]]


def _grid_in(pipeline: str) -> str | None:
    """Return the parameter by which a PROJ string would read a grid or another file, if any."""
    pipeline = _NULL_SHIFT.sub("", pipeline)
    if reference := file_reference(pipeline):
        return reference
    for token in pipeline.split():
        key, _, value = token.lstrip("+").partition("=")
        if key == "proj" and value in _GRID_METHODS:
            return token
        if key == "datum" and value not in _DATUMS_WITHOUT_GRIDS:
            return token
        # Besides grids: PROJ strings name units, ellipsoids and numbers, never paths.
        if "/" in value or "\\" in value or "@" in value.replace("@null", ""):
            return token
    return None


@lru_cache(maxsize=512)
def own_lonlat(crs: str) -> Operation:
    """Return the way from a CRS to longitude and latitude on its own datum, without any shift.

    Longitudes are in degrees from Greenwich, whatever the CRS's units and prime meridian.
    """
    candidates = _gridless(read_crs(crs), geographic_base(crs), None)
    if not candidates:
        raise FrameError(f"the CRS {crs} has no way back to longitude and latitude")
    degrees, meridian = degrees_and_meridian(crs)
    pipelines = candidates[0].pipelines
    if degrees != 1.0 or meridian != 0.0:
        scale = f"+s11={degrees!r} +s22={degrees!r}"
        pipelines += (f"+proj=affine +xoff={meridian!r} {scale}",)
    return Operation("own longitude and latitude", pipelines, 0.0)


@lru_cache(maxsize=512)
def seam(crs: str) -> Seam | None:
    """Return how the CRS's x axis closes around the world, None where it doesn't.

    A projected CRS is tried out: eight meridians on three parallels tell an equatorial cylinder.
    """
    if turn := geographic_period(crs):
        return Seam(turn, linear=not is_rotated(crs))
    longitudes = np.arange(8) * 45.0 - 173.0
    slopes = []
    for latitude in (-20.0, 10.0, 35.0):
        x, y = own_lonlat(crs).backward(np.column_stack([longitudes, np.full(8, latitude)])).T
        if not (np.isfinite(x).all() and np.isfinite(y).all()):
            return None
        slope = float(np.median(np.roll(x, -2) - x)) / 90.0
        period = 360.0 * slope
        if slope == 0.0 or np.ptp(y) > 1e-9 * abs(period):
            return None
        turns = (x - x[0] - slope * (longitudes - longitudes[0])) / period
        if np.abs(turns - np.round(turns)).max() > 1e-9:
            return None
        slopes.append(slope)
    if np.ptp(slopes) > 1e-12 * abs(slopes[0]):
        return None
    return Seam(360.0 * slopes[0], linear=True)
