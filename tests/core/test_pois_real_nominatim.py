"""A real Nominatim server over the Liechtenstein extract; see nominatim_peer."""

import pytest

from ovearth_core.collection.pois import area_of
from ovearth_core.collection.pois.asking import Asking
from ovearth_core.collection.pois.nominatim import Nominatim
from ovearth_core.collection.pois.osm_file import OsmFile
from ovearth_core.collection.pois.source import no_progress
from ovearth_core.taxonomy import load

from .misbehaving import HASTY
from .nominatim_peer import needs_nominatim, nominatim
from .osm_extract import LIECHTENSTEIN
from .shared import needs_shared

pytestmark = [needs_shared, needs_nominatim]
TAXONOMY = load()
AREA = area_of(9.4, 47.0, 9.7, 47.3)


# One test for all, since the file is imported for each.
def test_it_finds_what_the_extract_has():
    with nominatim(LIECHTENSTEIN) as url:
        for name in ("fuel-station", "supermarket", "playground"):
            assert_both_find(url, TAXONOMY[name])
        assert_pages_give_what_quarters_give(url, TAXONOMY["parking-lot"])


def assert_both_find(url, category):
    here, there = (
        {poi.reference: poi for poi in source.search([category], AREA, no_progress)}
        for source in (Nominatim(url, Asking(HASTY)), OsmFile(LIECHTENSTEIN))
    )
    assert set(here) <= set(there)
    # Nominatim leaves out what has no name or address of its own.
    assert len(here) >= 0.7 * len(there) > 5
    for reference, poi in here.items():
        assert (poi.lon, poi.lat) == pytest.approx(
            (there[reference].lon, there[reference].lat), abs=2e-3
        )


def assert_pages_give_what_quarters_give(url, category):
    quartered, paged = (
        {poi.reference for poi in source.search([category], AREA, no_progress)}
        for source in (
            Nominatim(url, Asking(HASTY)),
            Nominatim(url, Asking(HASTY, most_halvings=-3)),
        )
    )
    assert len(paged) > 80
    assert paged == quartered
