"""WMS and WMTS: axis order, versions, what they say of themselves, and where patches land."""

import re
from urllib.parse import parse_qs

import numpy as np
import pytest

pytest.importorskip("httpx", reason="services need httpx: pip install 'ovearth[collect]'")
pytest.importorskip("owslib", reason="services need OWSLib: pip install 'ovearth[collect]'")

from ovearth_core.collection.imagery import ImagerySpec, open_source, server_errors
from ovearth_core.collection.imagery.capabilities import is_north_first
from ovearth_core.errors import UsageError

from .framing import framed
from .loopback import Answer, serving
from .map_services import capabilities, wms, wmts
from .tile_worlds import offsets_px, positions

ZOOM = 17
PIXEL_M = 1.1943285668550503
LIMIT_PX = 0.125 + 0.05


def with_level(pixels):
    """The same, saying in which level of web Mercator its values count."""
    pixels.about.extra["level"] = str(ZOOM)
    return pixels


def asked(served, name):
    queries = [parse_qs(path.partition("?")[2]) for path in served.asked]
    return [query[name][0] for query in queries if name in query]


@pytest.mark.parametrize(("name", "is_so"), [
    ("EPSG:4326", True), ("CRS:84", False), ("EPSG:3857", False), ("EPSG:31467", True),
    ("EPSG:2193", True), ("EPSG:32661", True), ("EPSG:5041", False), ("EPSG:3031", False),
    ("EPSG:3995", False), ("EPSG:32761", True), ("urn:ogc:def:crs:OGC:1.3:CRS84", False),
])  # fmt: skip
def test_the_first_axis_is_the_one_that_epsg_puts_first(name, is_so):
    """PROJ judges: it turns such axes round for pictures."""
    from pyproj import CRS, Transformer

    assert is_north_first(name) == is_so
    if "84" not in name:
        lon, lat = {"EPSG:4326": (10, 50), "EPSG:2193": (172, -42)}.get(name, (10.0, 50.0))
        if name in ("EPSG:32661", "EPSG:5041", "EPSG:3031", "EPSG:3995", "EPSG:32761"):
            lon, lat = 30.0, 85.0 if CRS(name).area_of_use.north > 0 else -85.0
        plain = Transformer.from_crs("OGC:CRS84", name).transform(lon, lat)
        easting_first = Transformer.from_crs("OGC:CRS84", name, always_xy=True).transform(lon, lat)
        assert (plain != pytest.approx(easting_first)) == is_so


class TestWms:
    @pytest.mark.parametrize(("lon", "lat", "crs"), [
        (15.0, 50.0, "EPSG:32633"), (-70.0, -53.0, "EPSG:32719"), (180.0, -17.0, "EPSG:32701"),
        (-179.9995, 60.0, "EPSG:32601"), (15.0, 50.0, "EPSG:4326"),
    ])  # fmt: skip
    @pytest.mark.parametrize("drawn", ["EPSG:3857", "EPSG:4326"])
    @pytest.mark.parametrize("version", ["1.1.1", "1.3.0"])
    def test_a_patch_lands_where_pyproj_says(self, version, drawn, lon, lat, crs):
        gsd = PIXEL_M * np.cos(np.radians(lat))
        with serving(wms(ZOOM)) as served:
            text = f"wms:{served.url}/?layers=world&version={version}&crs={drawn}#gsd={gsd * 0.99}"
            pixel = gsd / 80_000 if crs == "EPSG:4326" else gsd * 1.02
            frame = framed(crs, lon, lat, pixel, width=90, height=70)
            pixels = open_source(ImagerySpec(text)).read(frame)
            assert pixels.valid.all()
            assert np.abs(offsets_px(with_level(pixels))).max() < LIMIT_PX
            name = "crs" if version == "1.3.0" else "srs"
            assert asked(served, name) == [drawn] * (len(served.asked) - 1)

    def test_only_in_130_does_latitude_come_first(self):
        frame = framed("EPSG:32633", 15.0, 50.0, 1.0, width=60, height=60)
        for version, first in (("1.3.0", 50), ("1.1.1", 15)):
            with serving(wms(ZOOM)) as served:
                text = f"wms:{served.url}/?layers=world&version={version}&crs=EPSG:4326&gsd=0.7"
                open_source(ImagerySpec(text)).read(frame)
                assert round(float(asked(served, "bbox")[0].split(",")[0])) == first

    def test_crs84_is_longitude_first_in_every_version(self):
        with serving(wms(ZOOM, crs_names=("CRS:84",))) as served:
            source = open_source(ImagerySpec(f"wms:{served.url}/?layers=world&gsd=0.7"))
            frame = framed("EPSG:32633", 15.0, 50.0, 1.0, width=60, height=60)
            assert np.abs(offsets_px(with_level(source.read(frame)))).max() < LIMIT_PX
            assert asked(served, "bbox")[0].startswith("14.99")

    def test_an_older_server_answers_in_its_own_version(self):
        with serving(wms(ZOOM, versions=("1.1.1",))) as served:
            source = open_source(ImagerySpec(f"wms:{served.url}/?layers=world&gsd=0.7"))
            pixels = source.read(framed("EPSG:32633", 15.0, 50.0, 1.0, width=60, height=60))
            assert np.abs(offsets_px(with_level(pixels))).max() < LIMIT_PX
            assert asked(served, "srs")

    def test_large_patches_are_asked_for_in_parts_that_the_server_takes(self):
        with serving(wms(ZOOM, most=300)) as served:
            source = open_source(ImagerySpec(f"wms:{served.url}/?layers=world&gsd=0.7"))
            frame = framed("EPSG:32633", 15.0, 50.0, 1.0, width=500, height=400)
            pixels = source.read(frame)
            assert np.abs(offsets_px(with_level(pixels))).max() < LIMIT_PX
            widths = [int(width) for width in asked(served, "width")]
            assert len(widths) > 4
            assert max(widths) <= 300
            assert source.cost(frame).requests == len(widths)

    def test_parts_of_the_address_that_are_the_servers_go_with_every_request(self):
        with serving(wms(ZOOM)) as served:
            text = f"wms:{served.url}/cgi?map=/a/b.map&LAYERS=world&SERVICE=WMS&request=x&gsd=0.7"
            source = open_source(ImagerySpec(text))
            source.read(framed("EPSG:32633", 15.0, 50.0, 1.0, width=60, height=60))
            assert asked(served, "map") == ["/a/b.map"] * 2
            assert source.about.source == f"{served.url}/cgi?map=/a/b.map&layers=world"

    def test_a_patch_around_a_pole_is_refused_by_name(self):
        with serving(wms(ZOOM)) as served:
            source = open_source(ImagerySpec(f"wms:{served.url}/?layers=world&gsd=10"))
            with pytest.raises(server_errors.PoleError, match=r"pole|lies nowhere|ends"):
                source.read(framed("EPSG:5041", 0.0, 90.0, 20.0, width=100, height=100))

    def test_near_a_pole_a_crs_that_reaches_there_is_taken(self):
        with serving(wms(ZOOM)) as served:
            source = open_source(ImagerySpec(f"wms:{served.url}/?layers=world&gsd=10"))
            source.read(framed("EPSG:5041", 20.0, 87.0, 20.0, width=50, height=50))
            assert set(asked(served, "crs")) == {"EPSG:4326"}

    def test_finer_than_it_was_said_to_be_is_refused(self):
        with serving(wms(ZOOM)) as served:
            source = open_source(ImagerySpec(f"wms:{served.url}/?layers=world&gsd=2"))
            with pytest.raises(server_errors.TooCoarseError, match="its pixels have 2 m"):
                source.read(framed("EPSG:32633", 15.0, 50.0, 1.0, width=60, height=60))

    @pytest.mark.parametrize(("tail", "message"), [
        ("?gsd=1", "no layer is named"), ("?layers=wrld&gsd=1", "there is no layer 'wrld'"),
        ("?layers=world", "add #gsd=METRES"),
        ("?layers=world&gsd=1&crs=EPSG:2056", "isn't drawn in"),
        ("?layers=world&gsd=1&crs=foo", "unknown CRS"),
        ("?layers=world&gsd=1&version=2", "unknown version"),
        ("?layers=world&gsd=1&format=image/gif", "no pictures as 'image/gif'"),
        ("?layers=world&gsd=1&max_size=3", "pictures of 3 pixels"),
    ])  # fmt: skip
    def test_what_the_service_has_not_got_is_refused_with_what_it_has(self, tail, message):
        with serving(wms(ZOOM)) as served, pytest.raises(UsageError, match=re.escape(message)):
            open_source(ImagerySpec(f"wms:{served.url}/{tail}"))


BOMB = (
    b'<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>'
    b'<WMS_Capabilities version="1.3.0">&b;</WMS_Capabilities>'
)


OUT_OF_ORDER = (
    b"<ServiceExceptionReport><ServiceException>out of order</ServiceException>"
    b"</ServiceExceptionReport>"
)


BAD_DESCRIPTIONS = [
    (b"<html><body>Hello</body></html>", "WebPageError", "a web page came (Hello)"),
    (BOMB, "BadDescriptionError", "defines entities"),
    (b"<a/>", "BadDescriptionError", "no description of a"),
    (b"hello", "BadDescriptionError", "no XML came"),
    (b'<WMS_Capabilities version="1.3.0"><Capabil', "BadDescriptionError", "can't be read"),
    (b'<WMS_Capabilities version="1.3.0"/>', "BadDescriptionError", "can't be read"),
    (b'<WMS_Capabilities version="0.9"/>', "BadDescriptionError", "it speaks WMS 0.9"),
    (OUT_OF_ORDER, "ServiceExceptionError", "out of order"),
]


# A WMTS has one version.
@pytest.mark.parametrize(("service", "body", "kind", "message"), [
    (service, *bad) for service in ("wms", "wmts") for bad in BAD_DESCRIPTIONS
    if (service, bad[2]) != ("wmts", "it speaks WMS 0.9")
])  # fmt: skip
def test_every_bad_description_is_one_line(service, body, kind, message):
    layer = "layers" if service == "wms" else "layer"
    if service == "wmts" and b"WMS_Capabilities" in body:
        body = body.replace(b"WMS_Capabilities", b"Capabilities")
    with serving(lambda *_: Answer(body, kind="text/xml")) as served:
        expected = (getattr(server_errors, kind), UsageError)
        with pytest.raises(expected) as fault:
            tail = "#gsd=1" if service == "wms" else ""
            open_source(ImagerySpec(f"{service}:{served.url}/?{layer}=a{tail}"))
        assert "\n" not in str(fault.value)
        assert isinstance(fault.value, UsageError) or message in str(fault.value)


def test_an_old_documents_type_declaration_is_no_harm():
    body = capabilities("1.1.1", ("EPSG:3857",)).body.replace(
        b"<WMT_MS", b'<!DOCTYPE WMT_MS_Capabilities SYSTEM "http://h.invalid/c.dtd" [\n'
        b"<!ELEMENT VendorSpecificCapabilities EMPTY>\n]>\n<WMT_MS", 1,
    )  # fmt: skip
    with serving(lambda *_: Answer(body, kind="text/xml")) as served:
        source = open_source(ImagerySpec(f"wms:{served.url}/?layers=world#gsd=1"))
        assert source.native_gsd_m(15.0, 50.0) == pytest.approx(1.0)


class TestWmts:
    @pytest.mark.parametrize("by_path", [False, True])
    @pytest.mark.parametrize(("lon", "lat", "crs"), [
        (15.0, 50.0, "EPSG:32633"), (-70.0, -53.0, "EPSG:32719"), (180.0, -17.0, "EPSG:32701"),
    ])  # fmt: skip
    def test_a_patch_lands_where_pyproj_says(self, lon, lat, crs, by_path):
        answer = wmts(ZOOM, by_path)
        with serving(answer) as served:
            answer.url = served.url
            tail = "/1.0.0/WMTSCapabilities.xml" if by_path else "/?layer=world"
            source = open_source(ImagerySpec(f"wmts:{served.url}{tail}"))
            gsd = source.native_gsd_m(lon, lat)
            pixels = source.read(framed(crs, lon, lat, gsd * 1.3, width=90, height=70))
            pixels.about.extra["level"] = pixels.about.extra["level"][1:]
            assert np.abs(offsets_px(pixels)).max() < LIMIT_PX * 1.3
            is_path = [path.startswith("/rest/plain/2020/m/") for path in served.asked[1:]]
            assert all(is_path) == by_path

    @pytest.mark.parametrize("corner", ["90.0 -180.0", "-180.0 90.0"])
    def test_degrees_have_their_corner_latitude_first_or_as_is_possible(self, corner):
        answer = wmts(ZOOM, sets=("d",), corner=corner)
        with serving(answer) as served:
            source = open_source(ImagerySpec(f"wmts:{served.url}/"))
            frame = framed("EPSG:32633", 15.0, 50.0, 1.0, width=60, height=60)
            pixels = source.read(frame)
            level = int(pixels.about.extra["level"][1:])
            x, y = frame.pixel_to_lonlat([[30.0, 30.0]])[0]
            per_pixel = 180.0 / 256 / 2**level
            column, row = (x + 180) / per_pixel, (90 - y) / per_pixel
            found = pixels.values[:2, 29:31, 29:31].mean(axis=(1, 2)) / 8 + 0.5
            assert found == pytest.approx([column % 8192, row % 8192], abs=0.3)
            assert positions(frame, level)[0].shape == (60, 60)

    def test_a_time_goes_with_every_request_and_is_recorded(self):
        answer = wmts(ZOOM)
        with serving(answer) as served:
            source = open_source(ImagerySpec(f"wmts:{served.url}/?time=2021"))
            source.read(framed("EPSG:32633", 15.0, 50.0, 2.0, width=60, height=60))
            assert set(asked(served, "Time")) == {"2021"}
            assert source.about.date_captured == "2021"

    def test_the_finest_level_can_be_named(self):
        with serving(wmts(ZOOM)) as served:
            source = open_source(ImagerySpec(f"wmts:{served.url}/#max_level=L10"))
            assert source.native_gsd_m(15.0, 50.0) > 90

    @pytest.mark.parametrize(("tail", "message"), [
        ("?layer=x", "there is no layer 'x'"), ("?tilematrixset=x", "no tile matrix set 'x'"),
        ("?format=image/gif", "no tiles as"), ("#max_level=x", "no level 'x'"),
        ("#encoding=rest", "no addresses by path"), ("#encoding=soap", "can't be its value"),
    ])  # fmt: skip
    def test_what_the_service_has_not_got_is_refused(self, tail, message):
        with serving(wmts(5)) as served, pytest.raises(UsageError, match=re.escape(message)):
            open_source(ImagerySpec(f"wmts:{served.url}/{tail}"))

    def test_a_server_cannot_ask_for_the_environment(self, monkeypatch):
        monkeypatch.setenv("OVEARTH_TEST_KEY", "s3cr3t")
        answer = wmts(5, by_path=True)
        with serving(answer) as served:
            answer.url = served.url + "/${OVEARTH_TEST_KEY}"
            source = open_source(ImagerySpec(f"wmts:{served.url}/WMTSCapabilities.xml"))
            with pytest.raises(Exception):  # noqa: B017 what comes of it is no matter
                source.read(framed("EPSG:32633", 15.0, 50.0, 5000.0, width=20, height=20))
            assert len(served.asked) > 1
            assert not any("s3cr3t" in path for path in served.asked)
