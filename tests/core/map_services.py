"""Small WMS and WMTS of our own, which draw a world whose pixels say where they lie."""

from urllib.parse import parse_qs

import numpy as np

from .framing import WORLD_MERCATOR
from .loopback import Answer, png
from .tile_worlds import FINE, tile

_CAPABILITIES = """<?xml version="1.0"?>
<{root} version="{version}" xmlns:xlink="http://www.w3.org/1999/xlink"{space}>
<Service><Name>WMS</Name><Title>t</Title>{limits}</Service>
<Capability><Request><GetMap><Format>image/jpeg</Format><Format>image/png</Format>
<DCPType><HTTP><Get><OnlineResource xlink:href="http://elsewhere.invalid/"/></Get></HTTP></DCPType>
</GetMap></Request><Exception><Format>XML</Format></Exception>
<Layer><Title>all</Title>{crs}
<Layer><Name>world</Name><Title>w</Title>{box}</Layer>
<Layer><Name>other</Name><Title>o</Title>{box}</Layer></Layer></Capability></{root}>"""
_DEGREES = ("EPSG:4326", "CRS:84")
_BOXES = {
    "1.3.0": "<EX_GeographicBoundingBox><westBoundLongitude>-180</westBoundLongitude>"
    "<eastBoundLongitude>180</eastBoundLongitude><southBoundLatitude>-90</southBoundLatitude>"
    "<northBoundLatitude>90</northBoundLatitude></EX_GeographicBoundingBox>",
    "1.1.1": '<LatLonBoundingBox minx="-180" miny="-90" maxx="180" maxy="90"/>',
}


def capabilities(version, crs_names, most=None):
    """Return what the WMS says of itself."""
    is_new = version == "1.3.0"
    name = "CRS" if is_new else "SRS"
    limits = f"<MaxWidth>{most}</MaxWidth><MaxHeight>{most}</MaxHeight>" if most else ""
    text = _CAPABILITIES.format(
        root="WMS_Capabilities" if is_new else "WMT_MS_Capabilities", version=version,
        space=' xmlns="http://www.opengis.net/wms"' if is_new else "", limits=limits,
        crs="".join(f"<{name}>{crs}</{name}>" for crs in crs_names), box=_BOXES[version],
    )  # fmt: skip
    return Answer(text.encode(), kind="text/xml")


def world_at(column, row):
    """Values of the world where its pixels (from the left, from the top) are asked for."""
    values = np.rint((np.stack([column, row]) - 0.5) * FINE)
    return np.concatenate([values, 0 * values[:1]])


def wms(
    zoom, versions=("1.3.0", "1.1.1"), crs_names=("EPSG:3857", "EPSG:4326"), most=None, at=world_at
):
    """Answer as a WMS of the world whose own pixels are those of a level of web Mercator.

    In EPSG:4326 latitude comes first in 1.3.0, as the standard has it. A picture's pixel holds
    what `at` gives for where its centre lies in that level (columns, rows), by default what
    `tile_worlds.tile` has there, interpolated.
    """

    def answer(path, _):
        said = {name.lower(): v[0] for name, v in parse_qs(path.partition("?")[2]).items()}
        if said["request"] == "GetCapabilities":
            wanted = said.get("version")
            return capabilities(wanted if wanted in versions else versions[0], crs_names, most)
        version = said["version"]
        crs = said["crs" if version == "1.3.0" else "srs"]
        west, south, east, north = map(float, said["bbox"].split(","))
        if version == "1.3.0" and crs == "EPSG:4326":
            west, south, east, north = south, west, north, east
        width, height = int(said["width"]), int(said["height"])
        if most and max(width, height) > most:
            return Answer(b"<ServiceExceptionReport><ServiceException>too large")
        x = west + (np.arange(width) + 0.5) / width * (east - west)
        y = north - (np.arange(height) + 0.5) / height * (north - south)
        edge = 180.0 if crs in _DEGREES else WORLD_MERCATOR
        if abs(x).max() > edge * 1.0000001:
            return Answer(b"<ServiceExceptionReport><ServiceException>outside of the world")
        if crs in _DEGREES:
            x = np.radians(x) * 6378137.0
            y = np.arctanh(np.sin(np.radians(y))) * 6378137.0
        pixel = 2 * WORLD_MERCATOR / 256 / 2**zoom
        column, row = np.meshgrid((x + WORLD_MERCATOR) / pixel, (WORLD_MERCATOR - y) / pixel)
        return Answer(png((at(column, row) % 65536).astype(np.uint16)))

    return answer


_WMTS = """<?xml version="1.0"?>
<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1"
 xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0.0">
<ows:OperationsMetadata><ows:Operation name="GetTile"><ows:DCP><ows:HTTP>
<ows:Get xlink:href="{url}/kvp?"/></ows:HTTP></ows:DCP></ows:Operation></ows:OperationsMetadata>
<Contents><Layer><ows:Title>w</ows:Title><ows:Identifier>world</ows:Identifier>
<Style isDefault="true"><ows:Identifier>plain</ows:Identifier></Style>
<Format>image/png</Format>
<Dimension><ows:Identifier>Time</ows:Identifier><Default>2020</Default><Value>2020</Value>
<Value>2021</Value></Dimension>
{links}{pages}</Layer>{sets}</Contents></Capabilities>"""
_PAGE = (
    '<ResourceURL format="image/png" resourceType="tile" '
    'template="{url}/rest/{{Style}}/{{Time}}/{{TileMatrixSet}}/{{TileMatrix}}/{{TileRow}}/'
    '{{TileCol}}"/>'
)


def _matrix_set(name, crs, corner, per_unit, levels, columns):
    matrices = "".join(
        f"<TileMatrix><ows:Identifier>L{z}</ows:Identifier>"
        f"<ScaleDenominator>{per_unit / 2**z!r}</ScaleDenominator>"
        f"<TopLeftCorner>{corner}</TopLeftCorner>"
        f"<TileWidth>256</TileWidth><TileHeight>256</TileHeight>"
        f"<MatrixWidth>{columns * 2**z}</MatrixWidth><MatrixHeight>{2**z}</MatrixHeight>"
        "</TileMatrix>"
        for z in levels
    )
    return (
        f"<TileMatrixSet><ows:Identifier>{name}</ows:Identifier>"
        f"<ows:SupportedCRS>urn:ogc:def:crs:EPSG::{crs}</ows:SupportedCRS>"
        f"{matrices}</TileMatrixSet>"
    )


def wmts(finest, by_path=False, sets=("m", "d"), drawn=tile, corner="90.0 -180.0"):
    """Answer as a WMTS with web Mercator ("m") and degrees ("d", corner: latitude first).

    drawn: the values of a tile of a level, column and row.
    """

    def answer(path, _):
        if "apabilities" in path:
            return Answer(_described(path).encode(), kind="application/xml")
        said = {name.lower(): v[0] for name, v in parse_qs(path.partition("?")[2]).items()}
        if by_path:
            style, time, set_, level, row, column = path.split("/")[2:]
        else:
            style, time, set_ = said["style"], said["time"], said["tilematrixset"]
            level, row, column = said["tilematrix"], said["tilerow"], said["tilecol"]
        if (style, time) not in (("plain", "2020"), ("plain", "2021")):
            return Answer(b"<ExceptionReport><Exception exceptionCode='X'>no</Exception>", 400)
        assert set_ in sets
        return Answer(png(drawn(int(level[1:]), int(column), int(row))))

    def _described(path):
        url = answer.url
        both = {
            "m": _matrix_set("m", 3857, f"{-WORLD_MERCATOR} {WORLD_MERCATOR}",
                             2 * WORLD_MERCATOR / 256 / 0.00028, range(finest, -1, -1), 1),
            "d": _matrix_set("d", 4326, corner, 6378137.0 * np.pi / 256 / 0.00028,
                             range(finest + 1), 2),
        }  # fmt: skip
        links = "".join(
            f"<TileMatrixSetLink><TileMatrixSet>{s}</TileMatrixSet></TileMatrixSetLink>"
            for s in sets
        )
        pages = _PAGE.format(url=url) if by_path else ""
        return _WMTS.format(url=url, links=links, pages=pages, sets="".join(both[s] for s in sets))

    answer.url = ""
    return answer
