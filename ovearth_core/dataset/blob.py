"""GeoPackage geometry blobs: a header with the envelope, then well-known binary, x and y only.

A point is (2,) and a polygon a tuple of closed rings (N, 2), the outer one first, float64. The
blobs are, byte for byte, those that GDAL writes. Heights and measures are dropped when read;
kinds of geometry that a dataset doesn't hold are refused by name.

Source: OGC 12-128r17 (GeoPackage 1.3), clause 2.1.3; ISO 13249-3 for well-known binary.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from ..errors import InputError

Ring = NDArray[np.float64]
Polygon = tuple[Ring, ...]
Polygons = tuple[Polygon, ...]
Envelope = tuple[float, float, float, float]

LONLAT_SRS = 4326

_MAGIC = b"GP"
_POINT, _POLYGON, _MULTI_POLYGON = 1, 3, 6
_NAMES = {
    1: "point", 2: "line", 3: "polygon", 4: "multipoint", 5: "multiline", 6: "multipolygon",
    7: "collection", 8: "circular string", 9: "compound curve", 10: "curve polygon",
}  # fmt: skip
_ENVELOPE_DOUBLES = {0: 0, 1: 4, 2: 6, 3: 6, 4: 8}
_LITTLE_ENDIAN, _HAS_XY_ENVELOPE, _IS_EMPTY = 0x01, 0x02, 0x10
_FINGERPRINT = 8
_EWKB_Z, _EWKB_M, _EWKB_SRS = 0x80000000, 0x40000000, 0x20000000
_MEND = "redraw it, or take it out with a GIS"


def polygons_wkb(polygons: Polygons, *, as_multi: bool = True) -> bytes:
    """Return little-endian well-known binary of a multipolygon, or of the only polygon."""
    if not as_multi and len(polygons) == 1:
        return _polygon_wkb(polygons[0])
    head = struct.pack("<BII", 1, _MULTI_POLYGON, len(polygons))
    return head + b"".join(_polygon_wkb(polygon) for polygon in polygons)


def polygons_blob(polygons: Polygons, *, as_multi: bool = True, srs_id: int = LONLAT_SRS) -> bytes:
    """Return the GeoPackage blob of a multipolygon, or of the only polygon."""
    head = _MAGIC + struct.pack("<BBi", 0, _LITTLE_ENDIAN | _HAS_XY_ENVELOPE, srs_id)
    return head + _envelope_bytes(polygons) + polygons_wkb(polygons, as_multi=as_multi)


def point_blob(x: float, y: float, srs_id: int = LONLAT_SRS) -> bytes:
    """Return the GeoPackage blob of a point; like GDAL's, without an envelope."""
    return _MAGIC + struct.pack("<BBiBIdd", 0, _LITTLE_ENDIAN, srs_id, 1, _POINT, x, y)


def polygons_of_blob(blob: bytes) -> Polygons:
    """Return the polygons of a GeoPackage blob; InputError for anything else."""
    return polygons_of_wkb(blob, _header(blob).size)[0]


def polygons_of_wkb(wkb: bytes, offset: int = 0) -> tuple[Polygons, bool]:
    """Return the polygons of well-known binary from `offset` on, and whether it is a multi-one."""
    reader = _Wkb(wkb, offset)
    kind = reader.kind()
    if kind == _POLYGON:
        return (reader.polygon(),), False
    if kind != _MULTI_POLYGON:
        raise _refused(kind, "polygon")
    parts = []
    for _ in range(reader.count()):
        if (part := reader.kind()) != _POLYGON:
            raise _refused(part, "polygon")
        parts.append(reader.polygon())
    return tuple(parts), True


def point_of_blob(blob: bytes) -> tuple[float, float]:
    """Return x and y of a point's GeoPackage blob; InputError for anything else."""
    reader = _Wkb(blob, _header(blob).size)
    if (kind := reader.kind()) != _POINT:
        raise _refused(kind, "point")
    x, y = reader.rows(1)[0]
    return float(x), float(y)


def envelope_of_blob(blob: bytes) -> Envelope | None:
    """Return xmin, xmax, ymin, ymax of a GeoPackage blob, None for an empty geometry."""
    header = _header(blob)
    if header.is_empty:
        return None
    if header.envelope is not None:
        return None if np.isnan(header.envelope[0]) else header.envelope
    reader = _Wkb(blob, header.size)
    if reader.kind() == _POINT:
        x, y = point_of_blob(blob)
        return None if np.isnan(x) else (x, x, y, y)
    rings = [ring for polygon in polygons_of_blob(blob) for ring in polygon if len(ring)]
    return _envelope(np.vstack(rings)) if rings else None


def exact_pixels(polygons: Polygons, *, as_multi: bool, geometry: bytes) -> bytes:
    """Return well-known binary of polygons in pixels, tied to the blob that shows them on a map."""
    return _fingerprint(geometry) + polygons_wkb(polygons, as_multi=as_multi)


def polygons_of_exact_pixels(pixels: bytes, geometry: bytes) -> tuple[Polygons, bool] | None:
    """Return what `exact_pixels` was given, None where the geometry is no longer that one.

    Another program may copy a row and move its polygon: the pixels then are those of the old one.
    """
    if not has_exact_pixels(pixels, geometry):
        return None
    return polygons_of_wkb(pixels, _FINGERPRINT)


def has_exact_pixels(pixels: bytes | None, geometry: bytes) -> bool:
    """Whether pixels are those of a geometry, without reading either."""
    return pixels is not None and pixels[:_FINGERPRINT] == _fingerprint(geometry)


def _fingerprint(geometry: bytes) -> bytes:
    return blake2b(geometry, digest_size=_FINGERPRINT).digest()


def _polygon_wkb(polygon: Polygon) -> bytes:
    parts = [struct.pack("<BII", 1, _POLYGON, len(polygon))]
    for ring in polygon:
        parts.append(struct.pack("<I", len(ring)))
        parts.append(np.ascontiguousarray(ring, dtype="<f8").tobytes())
    return b"".join(parts)


def _envelope_bytes(polygons: Polygons) -> bytes:
    outer = [polygon[0] for polygon in polygons if polygon]
    if not outer:
        raise InputError("a polygon without rings", mend=_MEND)
    points = outer[0] if len(outer) == 1 else np.vstack(outer)
    return struct.pack("<4d", *_envelope(points))


def _envelope(points: Sequence[Sequence[float]] | Ring) -> Envelope:
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    return float(low[0]), float(high[0]), float(low[1]), float(high[1])


@dataclass(frozen=True)
class _Header:
    """size: bytes before the well-known binary. envelope: None where the header has none."""

    size: int
    envelope: Envelope | None
    is_empty: bool


def _header(blob: bytes) -> _Header:
    if len(blob) < 8 or blob[:2] != _MAGIC:
        raise InputError("a geometry that is no GeoPackage geometry", mend=_MEND)
    flags = blob[3]
    doubles = _ENVELOPE_DOUBLES.get((flags >> 1) & 0x07)
    if doubles is None or len(blob) < 8 + 8 * doubles:
        raise InputError("a geometry whose header is broken", mend=_MEND)
    order = "<" if flags & _LITTLE_ENDIAN else ">"
    envelope = struct.unpack_from(order + "4d", blob, 8) if doubles else None
    return _Header(8 + 8 * doubles, envelope, bool(flags & _IS_EMPTY))


class _Wkb:
    """Reads well-known binary from its start to its end."""

    def __init__(self, wkb: bytes, offset: int) -> None:
        self._wkb = wkb
        self._at = offset
        self._order = "<"
        self._dimensions = 2

    def kind(self) -> int:
        """Read the start of a geometry, and return its kind without its dimensions."""
        (order,) = self._unpack("B")
        self._order = "<" if order == 1 else ">"
        (code,) = self._unpack("I")
        extra = bool(code & _EWKB_Z) + bool(code & _EWKB_M)
        if code & _EWKB_SRS:
            self._unpack("I")
        code &= 0x0FFFFFFF
        extra += {0: 0, 1: 1, 2: 1, 3: 2}.get(code // 1000, 0)
        self._dimensions = 2 + extra
        return int(code % 1000)

    def count(self) -> int:
        """Read how many parts follow."""
        (count,) = self._unpack("I")
        if count > len(self._wkb):
            raise _cut_off()
        return int(count)

    def polygon(self) -> Polygon:
        """Read the rings of a polygon whose kind has been read."""
        return tuple(self.rows(self.count()) for _ in range(self.count()))

    def rows(self, count: int) -> Ring:
        """Read positions, x and y of each."""
        size = count * self._dimensions
        try:
            flat = np.frombuffer(self._wkb, self._order + "f8", size, self._at)
        except ValueError:
            raise _cut_off() from None
        self._at += 8 * size
        xy = flat.reshape(count, self._dimensions)[:, :2]
        return np.array(xy, dtype=np.float64, order="C")

    def _unpack(self, code: str) -> tuple[int, ...]:
        try:
            values = struct.unpack_from(self._order + code, self._wkb, self._at)
        except struct.error:
            raise _cut_off() from None
        self._at += struct.calcsize(self._order + code)
        return values


def _cut_off() -> InputError:
    return InputError("a geometry that is cut off", mend=_MEND)


def _refused(kind: int, wanted: str) -> InputError:
    name = _NAMES.get(kind, f"geometry of kind {kind}")
    return InputError(f"a {name} where a {wanted} belongs", mend=_MEND)
