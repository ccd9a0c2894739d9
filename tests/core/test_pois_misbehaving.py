"""Overpass, Nominatim and GeoParquet over HTTP: each bad answer is one error of its own."""

import json
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("httpx", reason="servers need httpx: pip install 'ovearth[collect]'")
pytest.importorskip("pyarrow", reason="GeoParquet needs pyarrow: pip install 'ovearth[parquet]'")

from ovearth_core.collection.pois import area_of
from ovearth_core.collection.pois.asking import Asking
from ovearth_core.collection.pois.nominatim import Nominatim
from ovearth_core.collection.pois.overpass import Overpass
from ovearth_core.collection.pois.parquet_places import ParquetPlaces
from ovearth_core.collection.pois.source import no_progress
from ovearth_core.collection.service_errors import (
    BusyError,
    CutOffError,
    RefusedError,
    ServiceError,
    SlowAnswerError,
    UnreachableError,
    WebPageError,
)
from ovearth_core.taxonomy import load

from .misbehaving import HASTY, cut_off, drip, hang_up, ranges_of, reply, serving
from .test_pois_features import write_overture
from .test_pois_nominatim import place

FUEL = load()["fuel-station"]
AREA = area_of(9.4, 47.0, 9.7, 47.3)
PLACE = {"type": "node", "id": 7, "lat": 47.1, "lon": 9.5, "tags": {"amenity": "fuel"}}
BODIES = {
    "overpass": json.dumps({"elements": [PLACE]}).encode(),
    "nominatim": json.dumps([place(5)]).encode(),
}
PAGE = "<!DOCTYPE html><html><body>Please log in</body></html>"
# A box is quartered so often where it isn't clear that it was too much; Nominatim's in any case.
HALVINGS_IN_DOUBT = 2
# Less patient than it is for what must not be waited for.
SHORT = replace(HASTY, answer_s=0.3, silence_s=0.2)


@pytest.fixture(scope="module")
def parquet(tmp_path_factory):
    path = tmp_path_factory.mktemp("parquet") / "places.parquet"
    write_overture(path, np.array([[9.5, 47.1], [9.6, 47.2]]))
    return path.read_bytes()


@pytest.fixture(params=["overpass", "nominatim", "parquet"])
def service(request, parquet):
    """What it answers when it is well, and a search in it."""
    name = request.param
    good = ranges_of(parquet) if name == "parquet" else (lambda _: reply(BODIES[name]))

    def search(url, politeness=HASTY):
        asking = Asking(politeness, most_halvings=0)
        source = {
            "overpass": lambda: Overpass(f"{url}/api/interpreter", asking),
            "nominatim": lambda: Nominatim(url, asking),
            "parquet": lambda: ParquetPlaces(f"{url}/places.parquet", politeness=politeness),
        }[name]()
        return list(source.search([FUEL], AREA, no_progress))

    return good, search


BAD = {
    "cut connections": (cut_off(b"x" * 200, 50, 206), CutOffError, HASTY.attempts),
    "no answer at all": (hang_up, CutOffError, HASTY.attempts),
    "429": (reply(b"", 429), BusyError, HASTY.attempts),
    "429 with a long Retry-After": (reply(b"", 429, Retry_After="3600"), BusyError, 1),
    "503": (reply(b"", 503), BusyError, HASTY.attempts),
    "504": (reply(PAGE, 504, "text/html"), BusyError, HASTY.attempts),
    "403": (reply(PAGE, 403, "text/html"), RefusedError, 1),
    "a web page": (reply(PAGE, kind="text/html"), (WebPageError, RefusedError), 1),
    "slow bytes": (drip(b"x" * 200, 0.05, 206), (SlowAnswerError, CutOffError), None),
    "silence": (drip(b"xx", 1.0, 206), (SlowAnswerError, CutOffError), None),
}


@pytest.mark.parametrize("name", BAD)
def test_each_bad_answer_is_an_error_of_its_own(service, name, request):
    _, search = service
    bad, kind, times = BAD[name]
    with serving([bad]) as (url, asked), pytest.raises(ServiceError) as fault:
        search(url, HASTY if times else SHORT)
    assert isinstance(fault.value, kind), fault.value
    assert "\n" not in str(fault.value)
    assert url in str(fault.value)
    is_quartered = name == "504" and "nominatim" in request.node.callspec.params.values()
    assert times is None or len(asked) == times * (1 + HALVINGS_IN_DOUBT if is_quartered else 1)


@pytest.mark.parametrize("first", [
    reply(b"", 429), reply(b"", 429, Retry_After="1"), reply(b"", 503), hang_up,
    cut_off(b"x" * 200, 50, 206),
])  # fmt: skip
def test_what_passes_is_asked_for_again(service, first):
    good, search = service
    left = [first]
    with serving(lambda asked: left.pop() if left else good(asked)) as (url, _):
        well = len(search(url))
        assert well > 0
        assert len(search(url)) == well


def test_nobody_there_is_said(service):
    _, search = service
    with serving([hang_up]) as (url, _):
        pass
    with pytest.raises(UnreachableError) as fault:
        search(url)
    assert "\n" not in str(fault.value)
