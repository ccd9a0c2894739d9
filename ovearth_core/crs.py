"""Coordinate reference systems: read from text that nobody vouches for, and asked a few questions.

Coordinates are always x then y: easting or longitude first, whatever the CRS's own axis order.
pyproj is imported when the first CRS is read. CRSs are named by their text and kept by it, so
that values that hold one stay plain; pyproj's CRS objects are safe to share between threads.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from math import pi
from typing import TYPE_CHECKING

from .errors import FrameError

if TYPE_CHECKING:
    from pyproj import CRS

LONLAT = "EPSG:4326"

_NO_GRID = re.compile(
    r"\w*grids\s*=\s*@?null(?![^\s\"])"
    r"|PARAMETERFILE\[\"[^\"]*\",\s*\"@?null\""
    r"|\"PROJ4_GRIDS\",\s*\"@?null\"",
    re.IGNORECASE,
)
_READS_A_FILE = re.compile(
    r"(?:\b\w*grids|\binit|\bfile|\bmodel)\s*=\s*[^\s,\"]+|PARAMETERFILE|PROJ4_GRIDS", re.IGNORECASE
)
_HOW_TO_WRITE_A_CRS = "write it as EPSG:code, WKT or a PROJ string"


@dataclass(frozen=True)
class Seam:
    """Where the x axis of a CRS closes on itself.

    period: one turn of the world along x, in units of the CRS; negative where x runs west.
    linear: longitude is a linear function of x (geographic CRSs and equatorial cylinders).
    """

    period: float
    linear: bool


def file_reference(text: str) -> str | None:
    """Return the part of a CRS or PROJ string that would make PROJ open a file, if any."""
    found = _READS_A_FILE.search(_NO_GRID.sub("", text))
    return found.group(0) if found else None


@lru_cache(maxsize=512)
def read_crs(text: str) -> CRS:
    """Return the horizontal, two-dimensional CRS that `text` describes.

    A compound CRS gives its horizontal part, a three-dimensional one loses its height, and a
    bound one keeps its transformation. Raises FrameError for a CRS that is unknown, has no
    horizontal plane (geocentric, vertical, engineering), or would make PROJ open a file.
    """
    crs = _horizontal(_parse(text), text)
    if not re.fullmatch(r"\s*\w+:\w+\s*", text) and (reference := file_reference(crs.to_wkt())):
        raise _opens_a_file(text, reference)
    if not (crs.is_geographic or crs.is_projected):
        raise FrameError(
            f"the CRS {_shown(text)} is a {crs.type_name}, which has no horizontal plane",
            mend="give the projected or geographic CRS of the image",
        )
    return crs.to_2d() if len(crs.axis_info) == 3 else crs


def _parse(text: str) -> CRS:
    from pyproj import CRS
    from pyproj.exceptions import CRSError, DataDirError

    if not isinstance(text, str) or not text.strip():
        raise FrameError(f"the CRS {text!r} is not a text", mend=f"{_HOW_TO_WRITE_A_CRS}, or null")
    if re.search(r"\bproj\s*[= ]\s*pipeline", text, re.IGNORECASE):
        raise FrameError(f"{_shown(text)} is an operation, not a CRS", mend=_HOW_TO_WRITE_A_CRS)
    if reference := file_reference(text):
        raise _opens_a_file(text, reference)
    try:
        crs = CRS.from_user_input(text)
    except CRSError as error:
        raise FrameError(f"the CRS {_shown(text)} is unknown", mend=_nearest_help(text)) from error
    except DataDirError as error:
        raise FrameError(
            "PROJ's data (proj.db) is not found", "in this Python", "set PROJ_DATA to its folder"
        ) from error
    if not re.search(r"[:=\[{]", text) and _plain(crs.name) != _plain(text):
        raise FrameError(
            f"the CRS {_shown(text)} is ambiguous", mend=f"did you mean {_code_of(crs)}?"
        )
    return crs


def _horizontal(crs: CRS, text: str) -> CRS:
    while crs.is_compound:
        if not crs.sub_crs_list:
            raise FrameError(f"the CRS {_shown(text)} has no parts", mend=_HOW_TO_WRITE_A_CRS)
        crs = crs.sub_crs_list[0]
    return crs


def _opens_a_file(text: str, reference: str) -> FrameError:
    return FrameError(
        f"the CRS {_shown(text)} makes PROJ read more than its text ({reference})",
        mend="give the CRS without grids or files, best as EPSG:code",
    )


def _nearest_help(text: str) -> str:
    bare = re.fullmatch(r"\s*(?:epsg)?[\s:_-]*(\d{4,6})\s*", text, re.IGNORECASE)
    if bare and text.strip().upper() != f"EPSG:{bare.group(1)}":
        return f"did you mean EPSG:{bare.group(1)}?"
    if bare:
        return "look the code up at epsg.io; ESRI's own codes are written ESRI:code"
    return _HOW_TO_WRITE_A_CRS


def _code_of(crs: CRS) -> str:
    authority = crs.to_authority()
    return ":".join(authority) if authority else crs.name


def _plain(name: str) -> str:
    # "32633" is read by PROJ as a code; every other bare word is a name.
    return re.sub(r"[\s_]", "", name).lower()


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else f"{text[:77]}...")


@lru_cache(maxsize=512)
def same_crs(first: str, second: str) -> bool:
    """Return whether x and y mean the same in both CRSs, so that no operation is needed."""
    if first == second:
        return True
    return bool(read_crs(first).equals(read_crs(second), ignore_axis_order=True))


@lru_cache(maxsize=512)
def shortest_name(text: str) -> str:
    """Return the CRS as AUTHORITY:code where that means the same x and y, else as WKT."""
    crs = read_crs(text)
    authority = crs.to_authority()
    code = ":".join(authority) if authority else ""
    return code if code and same_crs(code, text) else crs.to_wkt()


@lru_cache(maxsize=512)
def ellipsoid_axes(text: str) -> tuple[float, float]:
    """Return the semi-major and semi-minor axes, in metres, of the CRS's own ellipsoid."""
    ellipsoid = read_crs(text).ellipsoid
    if ellipsoid is None:
        raise FrameError(f"the CRS {_shown(text)} has no ellipsoid", mend=_HOW_TO_WRITE_A_CRS)
    return float(ellipsoid.semi_major_metre), float(ellipsoid.semi_minor_metre)


def geographic_base(text: str) -> CRS:
    """Return the geographic CRS that the CRS is built on: its own datum, no shift."""
    crs = read_crs(text)
    while crs.is_bound or crs.is_derived:
        if crs.source_crs is None:
            break
        crs = crs.source_crs
    return crs.to_2d() if len(crs.axis_info) == 3 else crs


def degrees_and_meridian(text: str) -> tuple[float, float]:
    """Return what turns longitudes of `geographic_base(text)` into degrees from Greenwich.

    The first number is degrees per unit (0.9 for grads), the second the prime meridian in degrees.
    """
    base = geographic_base(text)
    per_radian = 180.0 / pi
    degrees = round(base.axis_info[0].unit_conversion_factor * per_radian, 12)
    meridian = base.prime_meridian
    if meridian is None:
        return degrees, 0.0
    radians = float(meridian.longitude) * float(meridian.unit_conversion_factor)
    return degrees, radians * per_radian


def geographic_period(text: str) -> float | None:
    """Return one turn in the units of a geographic CRS (360 for degrees), None for others."""
    crs = read_crs(text)
    if not crs.is_geographic:
        return None
    return round(2.0 * pi / crs.axis_info[0].unit_conversion_factor, 9)


def is_rotated(text: str) -> bool:
    """Return whether this is a geographic CRS derived from another one (a rotated pole)."""
    crs = read_crs(text)
    return bool(crs.is_geographic and crs.is_derived)
