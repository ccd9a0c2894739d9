"""WMS and WMTS whose pictures are as bad as those of tiles in `test_imagery_misbehaving`."""

import numpy as np
import pytest
import rasterio

pytest.importorskip("httpx", reason="services need httpx: pip install 'ovearth[collect]'")
pytest.importorskip("owslib", reason="services need OWSLib: pip install 'ovearth[collect]'")

from ovearth_core.collection.imagery import ImagerySpec, open_source, server_errors

from .framing import framed
from .loopback import Answer, png, serving
from .map_services import wms, wmts
from .test_imagery_misbehaving import ANSWERS, WHOLE

FRAME = framed("EPSG:32633", 15.0, 50.0, 1.0, width=60, height=60)
QUICK = "attempts=2&backoff=0.01"
# About the size of tiles, or led back to what is well here.
OF_TILES_ONLY = {"an oblong tile", "an odd tile", "a loop"}
SERVICES = {
    "wms": (lambda: wms(17), "/?layers=world&gsd=0.7"),
    "wmts": (lambda: wmts(17), "/?layer=world"),
}


CUT = ("a cut connection", "half a PNG")


class ServiceOf:
    """A service that describes itself well; pictures are what `picture` makes of the good ones."""

    def __init__(self, name, picture):
        make, tail = SERVICES[name]
        self._good, self._picture = make(), picture
        self._spec = f"{name}:{{}}{tail}#{{}}"
        self.url = ""

    def __call__(self, path, body):
        self._good.url = self.url
        good = self._good(path, body)
        return good if "apabilities" in path else self._picture(path, good)

    def opened(self, served, options=QUICK):
        self.url = served.url
        return open_source(ImagerySpec(self._spec.format(served.url, options)))


@pytest.mark.parametrize("name", [name for name in ANSWERS if name not in OF_TILES_ONLY])
@pytest.mark.parametrize("service", SERVICES)
def test_every_bad_picture_of_a_service_is_an_error_of_its_own_in_one_line(service, name):
    answer, kind, line = ANSWERS[name]
    bad = ServiceOf(service, lambda *_: answer)
    with serving(bad) as served:
        source = bad.opened(served)
        with pytest.raises(getattr(server_errors, kind)) as fault:
            source.read(FRAME)
        source.close()
        assert line in str(fault.value)
        assert "\n" not in str(fault.value)
        assert served.url in str(fault.value)


@pytest.mark.parametrize("service", SERVICES)
def test_slow_pictures_run_out_of_time(service):
    bad = ServiceOf(service, lambda _, good: Answer(good.body * 2, drip_s=0.05))
    with serving(bad) as served:
        source = bad.opened(served, "attempts=1&timeout=0.4")
        with pytest.raises(server_errors.SlowAnswerError, match=r"within 0\.4 s"):
            source.read(FRAME)


@pytest.mark.parametrize("after", [None, "0", "soon"])
@pytest.mark.parametrize(
    "first", [Answer(b"", 429), Answer(b"", 503), *(ANSWERS[name][0] for name in CUT)]
)
@pytest.mark.parametrize("service", SERVICES)
def test_what_may_pass_is_asked_for_again(service, first, after):
    headers = {} if after is None else {"Retry-After": after}
    left = [Answer(first.body, first.status, headers=headers, length=first.length)]
    bad = ServiceOf(service, lambda _, good: left.pop() if left else good)
    with serving(bad) as served:
        assert bad.opened(served).read(FRAME).valid.all()
    assert left == []


@pytest.mark.parametrize("service", SERVICES)
def test_bytes_decide_whatever_a_service_calls_them(service):
    bad = ServiceOf(service, lambda _, good: Answer(good.body, kind="text/html"))
    with serving(bad) as served:
        assert bad.opened(served).read(FRAME).valid.all()


@pytest.mark.parametrize(("color", "is_data"), [(255, False), (0, False), (None, True)])
@pytest.mark.parametrize("service", SERVICES)
def test_a_blank_picture_is_no_data(service, color, is_data):
    def picture(_, good):
        if color is None:
            return good
        with rasterio.MemoryFile(good.body) as file, file.open() as drawn:
            return Answer(png(np.full((3, *drawn.shape), color, np.uint8)))

    bad = ServiceOf(service, picture)
    with serving(bad) as served:
        assert bad.opened(served).read(FRAME).valid.any() == is_data
        assert bad.opened(served, f"{QUICK}&blank=keep").read(FRAME).valid.all()


def test_a_map_of_another_size_than_asked_for_is_refused():
    bad = ServiceOf("wms", lambda *_: Answer(WHOLE))
    refused = pytest.raises(server_errors.NoPictureError, match="256 × 256 pixels came")
    with serving(bad) as served, refused:
        bad.opened(served).read(FRAME)
