"""Servers that misbehave: each way is one clear line, or counted as no data, and none crashes."""

import logging
import threading

import numpy as np
import pytest

pytest.importorskip("httpx", reason="tiles need httpx: pip install 'ovearth[collect]'")
pytest.importorskip("morecantile", reason="tiles need morecantile")

from ovearth_core.collection.imagery import ImagerySpec, open_source, server_errors
from ovearth_core.collection.imagery.patience import retry_after_s

from .framing import framed
from .loopback import Answer, encoded, noise, png, serving
from .tile_worlds import numbers

QUICK = "#max_zoom=17&attempts=2&backoff=0.01"
HTML = b"<!DOCTYPE html><html><head><title>x</title></head><body><h1>Please log in</h1></body>"
EXCEPTION = (
    b'<?xml version="1.0"?><ServiceExceptionReport version="1.1.1"><ServiceException '
    b'code="LayerNotDefined">no <b>such</b> layer</ServiceException></ServiceExceptionReport>'
)
WHOLE = png(noise(1))
JPEG = encoded(noise(1), "JPEG")
# What is sent, the kind of error, and what its line says.
ANSWERS = {
    "a web page": (Answer(HTML, kind="text/html"), "WebPageError", "page came (Please log in)"),
    "a web page called a picture": (Answer(HTML), "WebPageError", "Please log in"),
    "a service exception": (
        Answer(EXCEPTION, kind="text/xml"), "ServiceExceptionError",
        "LayerNotDefined: no such layer",
    ),
    "an exception with status 400": (
        Answer(EXCEPTION, 400, "text/xml"), "ServiceExceptionError", "LayerNotDefined",
    ),
    "JSON": (
        Answer(b'{"detail": "bad zoom"}', kind="application/json"), "NoPictureError", "bad zoom",
    ),
    "other bytes": (Answer(bytes(range(256)) * 4), "NoPictureError", "came, but image/png"),
    "half a PNG": (Answer(WHOLE[: len(WHOLE) // 2]), "CutOffError", "PNG came that ends before"),
    "half a JPEG": (Answer(JPEG[: len(JPEG) // 2]), "CutOffError", "JPEG came that ends before"),
    "a broken PNG": (
        Answer(WHOLE[:5000] + bytes(2000) + WHOLE[7000:]), "CutOffError", "a broken PNG came",
    ),
    "nothing": (Answer(b""), "CutOffError", "an empty answer"),
    "a cut connection": (
        Answer(WHOLE[:1000], length=len(WHOLE)), "CutOffError", "connection was cut",
    ),
    "too many requests": (Answer(b"slow down", 429), "BusyError", "too many requests (slow down)"),
    "a long wait": (
        Answer(b"", 429, headers={"Retry-After": "3600"}), "BusyError", "asks to wait 3600 s",
    ),
    "a failing server": (Answer(HTML, 500), "BusyError", "status 500: the server fails"),
    "too busy": (Answer(b"", 503), "BusyError", "status 503"),
    "forbidden": (Answer(HTML, 403), "RefusedError", "status 403: it forbids this (Please log in)"),
    "no key": (Answer(b"", 401), "RefusedError", "it wants a key or a login"),
    "a bad request": (Answer(b"", 400), "RefusedError", "it finds the request bad"),
    "a loop": (Answer(b"", 302, headers={"Location": "/1/1/1"}), "RefusedError", "moved again"),
    "moved to a file": (
        Answer(b"", 302, headers={"Location": "file:///etc/passwd"}), "RefusedError",
        "no web address",
    ),
    "too large": (Answer(WHOLE, length=1 << 40), "LargeAnswerError", "at most 33554432 are taken"),
    "an oblong tile": (Answer(png(noise(1)[:, :128])), "NoPictureError", "256 × 128 pixels came"),
    "an odd tile": (Answer(png(noise(1, size=300))), "NoPictureError", "300 × 300 pixels came"),
    "five bands": (
        Answer(encoded(noise(1, 5), "GTiff")), "NoPictureError", "a picture of 5 bands",
    ),
}  # fmt: skip


def frame(size=60):
    return framed("EPSG:32633", 15.0, 50.0, 1.0, width=size, height=size)


def opened(served, tail=QUICK):
    return open_source(ImagerySpec(f"xyz:{served.url}/{{z}}/{{x}}/{{y}}.png{tail}"))


@pytest.mark.parametrize("name", ANSWERS)
def test_every_bad_answer_is_an_error_of_its_own_in_one_line(name):
    answer, kind, line = ANSWERS[name]
    with serving(lambda *_: answer) as served:
        source = opened(served)
        with pytest.raises(getattr(server_errors, kind)) as fault:
            source.read(frame())
        source.close()
        assert line in str(fault.value)
        assert "\n" not in str(fault.value)
        assert served.url in str(fault.value)


def test_slow_bytes_run_out_of_time():
    with serving(lambda *_: Answer(WHOLE, drip_s=0.05)) as served:
        source = opened(served, "#max_zoom=17&attempts=1&timeout=0.3")
        with pytest.raises(server_errors.SlowAnswerError, match=r"within 0\.3 s"):
            source.read(frame())


def test_no_network_and_no_such_host_say_so():
    with serving(lambda *_: Answer(WHOLE)) as served:
        url = served.url
    for where in (url, "http://no-such-host.invalid"):
        spec = ImagerySpec(f"xyz:{where}/{{z}}/{{x}}/{{y}}{QUICK}")
        with pytest.raises(server_errors.UnreachableError, match="can't be reached"):
            open_source(spec).read(frame())


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
@pytest.mark.parametrize("after", [None, "0", "Wed, 21 Oct 2015 07:28:00 GMT", "soon"])
def test_a_busy_server_is_asked_again(status, after):
    waits = {} if after is None else {"Retry-After": after}
    left = [Answer(b"", status, headers=waits)]

    def answer(path, _):
        return left.pop() if left else Answer(png(noise(numbers(path))))

    with serving(answer) as served:
        pixels = opened(served).read(frame())
        assert pixels.valid.all()
        assert len(served.asked) == pixels.about.extra["tiles"] + 1


@pytest.mark.parametrize("first", ["a cut connection", "half a PNG", "half a JPEG", "nothing"])
def test_what_was_cut_off_is_fetched_again(first):
    left = [ANSWERS[first][0]]
    with serving(
        lambda path, _: left.pop() if left else Answer(png(noise(numbers(path))))
    ) as served:
        assert opened(served).read(frame()).valid.all()


def test_a_request_that_is_refused_is_not_repeated():
    with serving(lambda *_: Answer(b"", 401)) as served:
        with pytest.raises(server_errors.RefusedError):
            opened(served, "#per_host=1").read(frame())
        assert len(served.asked) == 1


def test_after_a_fault_no_more_is_asked_for():
    with serving(lambda *_: Answer(b"", 403)) as served:
        with pytest.raises(server_errors.RefusedError):
            opened(served, "#max_zoom=17").read(frame(1500))
        assert len(served.asked) <= 2 * 4 + 4


def test_after_a_fault_nobody_waits_for_the_others():
    """One tile is forbidden while the server asks for patience about the others."""
    forbidden, begun = threading.Event(), threading.Event()

    def answer(path, _):
        if numbers(path)[1] % 2:
            forbidden.set()
            begun.wait(10)
            return Answer(b"", 401)
        # Patience holds for all that isn't asked for yet, the forbidden tile too.
        forbidden.wait(10)
        begun.set()
        return Answer(b"", 429, headers={"Retry-After": "50"})

    with serving(answer) as served:
        source = opened(served, "#max_zoom=17")
        source._sharper = 1.0
        with pytest.raises(server_errors.RefusedError):
            source.read(frame(400))
        source.close()
        source._fetcher._threads.shutdown(wait=True)
        assert len(served.asked) == len(set(served.asked))


@pytest.mark.parametrize("status", [404, 204, 410])
def test_a_tile_that_is_not_there_is_no_data_and_counted(status):
    def answer(path, _):
        x = numbers(path)[1]
        return Answer(b"", status) if x % 2 else Answer(png(noise(numbers(path))))

    with serving(answer) as served:
        pixels = opened(served).read(frame(400))
        assert 0.2 < pixels.valid.mean() < 0.8
        assert 0 < pixels.about.extra["missing_tiles"] < pixels.about.extra["tiles"]
        assert not pixels.values[:, ~pixels.valid].any()


def test_where_no_tile_is_there_nothing_is_valid():
    with serving(lambda *_: Answer(HTML, 404)) as served:
        pixels = opened(served).read(frame(400))
        assert not pixels.valid.any()
        assert pixels.about.extra["missing_tiles"] == pixels.about.extra["tiles"]


def test_a_picture_that_comes_from_several_addresses_is_a_placeholder():
    """It says "no data here" in colours: no two places on earth are alike to the bit."""

    def answer(path, _):
        return Answer(WHOLE if numbers(path)[1] % 2 else png(noise(numbers(path))))

    with serving(answer) as served:
        source = opened(served)
        pixels = source.read(frame(500))
        assert pixels.about.extra["placeholder_tiles"] > 1
        assert 0.2 < pixels.valid.mean() < 0.8
        # It is known again where it comes only once.
        again = source.read(framed("EPSG:32633", 15.01, 50.01, 1.0, width=300, height=300))
        assert again.about.extra["placeholder_tiles"] > 0


@pytest.mark.parametrize(
    ("color", "is_data"),
    [((255, 255, 255), False), ((0, 0, 0), False), ((204, 204, 204), False), ((20, 60, 120), True)],
)
def test_one_gray_is_no_data_but_the_sea_is(color, is_data):
    values = np.array(color, np.uint8)[:, None, None].repeat(256, 1).repeat(256, 2)
    with serving(lambda *_: Answer(png(values))) as served:
        assert opened(served).read(frame(300)).valid.all() == is_data
        kept = opened(served, QUICK + "&blank=keep").read(frame(300))
        assert kept.valid.all()


def test_what_is_transparent_is_no_data():
    values = noise(3, 4)
    values[3] = 255
    values[3, :, 100:] = 0
    with serving(lambda path, _: Answer(png(values))) as served:
        source = open_source(ImagerySpec(f"xyz:{served.url}/{{z}}/{{x}}/{{y}}#zoom=17&blank=keep"))
        own = source.own_frame(15.0, 50.0, 512, 256)
        pixels = source.read(own)
        assert pixels.values.shape[0] == 3
        assert pixels.valid.mean() == pytest.approx(100 / 256, abs=1e-9)


def test_bytes_decide_whatever_the_server_calls_them():
    with serving(lambda path, _: Answer(png(noise(numbers(path))), kind="text/html")) as served:
        assert opened(served).read(frame()).valid.all()


def test_a_header_can_say_that_there_is_no_picture():
    headers = {"X-VE-Tile-Info": "no-tile"}
    with serving(lambda path, _: Answer(png(noise(numbers(path))), headers=headers)) as served:
        assert not opened(served).read(frame()).valid.any()


class TestKeys:
    SECRET = "s3cr3t-k3y/+"

    @pytest.fixture(autouse=True)
    def a_key(self, monkeypatch):
        monkeypatch.setenv("OVEARTH_TEST_KEY", self.SECRET)

    @pytest.mark.parametrize("tail", ["?token=${OVEARTH_TEST_KEY}", "?a=${OVEARTH_TEST_KEY}&b=1"])
    def test_a_key_is_sent_but_never_shown(self, tail, caplog):
        caplog.set_level(logging.DEBUG)
        with serving(lambda path, _: Answer(f"bad {self.SECRET} {path}".encode(), 403)) as served:
            spec = ImagerySpec(f"xyz:{served.url}/{{z}}/{{x}}/{{y}}{tail}")
            source = open_source(spec)
            with pytest.raises(server_errors.RefusedError) as fault:
                source.read(frame())
            assert all("s3cr3t-k3y%2F%2B" in path for path in served.asked)
        told = f"{fault.value} {source.about} {caplog.text} {spec}"
        assert "s3cr3t" not in told
        assert "OVEARTH_TEST_KEY" not in f"{source.about}"

    def test_a_key_in_the_path_is_left_out_too(self):
        with serving(lambda path, _: Answer(png(noise(numbers(path))))) as served:
            spec = ImagerySpec(f"xyz:{served.url}/${{OVEARTH_TEST_KEY}}/{{z}}/{{x}}/{{y}}")
            pixels = open_source(spec).read(frame())
            assert pixels.about.source == f"{served.url}/KEY/{{z}}/{{x}}/{{y}}"


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("7", 7.0), (" 0 ", 0.0), ("", None), ("-3", None), ("later", None), (None, None)],
)
def test_retry_after_is_read_or_ignored(text, seconds):
    assert retry_after_s(text) == seconds
