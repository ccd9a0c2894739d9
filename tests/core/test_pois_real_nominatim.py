"""A real Nominatim server over the Liechtenstein extract, where one is named.

To run one: packages `nominatim-db`, `nominatim-api`, `falcon` and `uvicorn` in an environment of
their own, over PostgreSQL with PostGIS; `nominatim import --osm-file EXTRACT --no-updates`, then
`nominatim serve`, and OVEARTH_NOMINATIM=http://127.0.0.1:8088 for these tests.
"""

import os

import pytest

from ovearth_core.collection.pois import area_of
from ovearth_core.collection.pois.asking import Asking
from ovearth_core.collection.pois.nominatim import Nominatim
from ovearth_core.collection.pois.osm_file import OsmFile
from ovearth_core.collection.pois.source import no_progress
from ovearth_core.taxonomy import load

from .misbehaving import HASTY
from .osm_extract import LIECHTENSTEIN
from .shared import needs_shared

URL = os.environ.get("OVEARTH_NOMINATIM", "")
pytestmark = [
    needs_shared,
    pytest.mark.skipif(not URL, reason="no Nominatim server is named (set OVEARTH_NOMINATIM)"),
]
TAXONOMY = load()
AREA = area_of(9.4, 47.0, 9.7, 47.3)


@pytest.mark.parametrize("name", ["fuel-station", "supermarket", "playground"])
def test_it_finds_what_the_extract_has(name):
    category = TAXONOMY[name]
    here = {poi.reference: poi for poi in Nominatim(URL, Asking(HASTY)).search(
        [category], AREA, no_progress)}  # fmt: skip
    there = {poi.reference: poi for poi in OsmFile(LIECHTENSTEIN).search(
        [category], AREA, no_progress)}  # fmt: skip
    assert set(here) <= set(there)
    # Nominatim leaves out what has no name or address of its own.
    assert len(here) >= 0.7 * len(there) > 5
    for reference, poi in here.items():
        assert (poi.lon, poi.lat) == pytest.approx(
            (there[reference].lon, there[reference].lat), abs=2e-3
        )
