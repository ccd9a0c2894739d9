"""Every point of the globe has exactly one continent, and well-known places have the right one."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ovearth_core.collection.continents import CONTINENTS, continent_of, continents_of
from ovearth_core.resources import resource

PLACES = {
    "Africa": """
        Cairo 31.24 30.04, Ismailia 32.27 30.60, Suez 32.53 29.97, Port Said 32.29 31.26,
        Tunis 10.18 36.81, Algiers 3.06 36.75, Tangier -5.81 35.77, Ceuta -5.31 35.889,
        Melilla -2.94 35.29, Tenerife -16.25 28.47, Lanzarote -13.55 28.96, Funchal -16.91 32.65,
        Dakar -17.47 14.69, Praia -23.51 14.92, Saint-Helena -5.72 -15.93, Ascension -14.41 -7.93,
        Tristan-da-Cunha -12.31 -37.07, Lagos 3.38 6.52, Kinshasa 15.31 -4.32, Nairobi 36.82 -1.29,
        Cape-Town 18.42 -33.92, Antananarivo 47.52 -18.88, Réunion 55.45 -20.88,
        Mauritius 57.50 -20.16, Rodrigues 63.42 -19.70, Victoria 55.45 -4.62, Moroni 43.26 -11.70,
        Djibouti 43.15 11.59, Asmara 38.93 15.34, Assab 42.74 13.01, Guardafui 51.25 11.83,
        Null-Island 0 0, Bouvet 3.35 -54.42, Heard 73.5 -53.1, Kerguelen 69.5 -49.3""",
    "Antarctica": """
        McMurdo 166.67 -77.85, Palmer -64.05 -64.77, Vostok 106.84 -78.46, South-Pole 0 -90,
        Signy -45.59 -60.71, Drake-Passage-South -65 -60.5""",
    "Asia": """
        Vladivostok 131.89 43.12, Anadyr 177.51 64.73, Uelen -169.81 66.16,
        Big-Diomede -169.06 65.78,
        Provideniya -173.23 64.42, Wrangel-Island -179.5 71.2, Nikolskoye 166.0 55.2,
        Yekaterinburg 60.60 56.84, Chelyabinsk 61.40 55.16, Nizhny-Tagil 59.97 57.92,
        Salekhard 66.6 66.53, Severnaya-Zemlya 95 79.5, Atyrau-East 51.96 47.11, Aktau 51.17 43.65,
        Astana 71.43 51.13, Tbilisi 44.79 41.72, Kazbegi 44.64 42.66, Yerevan 44.51 40.18,
        Baku 49.87 40.41, Quba 48.51 41.36, Batumi 41.64 41.64, Sukhumi 41.02 43.00,
        Ankara 32.85 39.93, Üsküdar 29.02 41.02, Kadıköy 29.03 40.99, Beykoz 29.10 41.13,
        Çanakkale 26.41 40.15, Bodrum 27.43 37.03, Marmaris 28.27 36.85, Nicosia 33.36 35.17,
        Limassol 33.04 34.68, Beirut 35.50 33.89, Jerusalem 35.22 31.78, Gaza 34.46 31.5,
        Sharm-el-Sheikh 34.33 27.91, Arish 33.80 31.13, Port-Fuad 32.33 31.24, Mecca 39.83 21.42,
        Perim 43.42 12.66, Aden 45.03 12.79, Socotra 53.9 12.5, Dubai 55.27 25.20,
        Delhi 77.21 28.61,
        Colombo 79.86 6.93, Malé 73.51 4.17, Diego-Garcia 72.42 -7.31, Singapore 103.82 1.35,
        Jakarta 106.85 -6.21, Kupang 123.6 -10.17, Dili 125.57 -8.56, Ambon 128.18 -3.70,
        Halmahera 127.9 0.9, Manila 120.98 14.60, Davao 125.61 7.07, Taipei 121.56 25.03,
        Tokyo 139.69 35.69, Iwo-Jima 141.32 24.78, Petropavlovsk 158.65 53.02""",
    "Europe": """
        Reykjavík -21.94 64.15, Ísafjörður -23.12 66.07, Jan-Mayen -8.5 71,
        Longyearbyen 15.65 78.22,
        Franz-Josef-Land 55 80.6, Novaya-Zemlya 57 74, Ponta-Delgada -25.67 37.74,
        Flores-Azores -31.2 39.45, Lisbon -9.14 38.72, Gibraltar -5.35 36.14, Tarifa -5.60 36.015,
        Palma 2.65 39.57, Valletta 14.51 35.90, Lampedusa 12.6 35.5, Pantelleria 11.95 36.83,
        Heraklion 25.14 35.34, Gavdos 24.08 34.84, Rhodes 28.22 36.44,
        Kastellorizo 29.593 36.148, Kos 27.28 36.89,
        Samos 26.97 37.75, Chios 26.13 38.37, Mytilene 26.55 39.10, Lemnos 25.06 39.87,
        Athens 23.73 37.98, Fatih 28.95 41.02, Beşiktaş 29.005 41.044, Sarıyer 29.05 41.167,
        Gallipoli 26.67 40.41, Eceabat 26.355 40.185, Edirne 26.56 41.68, Odesa 30.72 46.48,
        Sevastopol 33.53 44.61, Sochi 39.73 43.6, Elbrus 42.44 43.35, Derbent 48.29 42.06,
        Astrakhan 48.04 46.35, Oral 51.37 51.23, Orenburg 55.10 51.77, Perm 56.23 58.01,
        Ufa 55.97 54.74,
        Pervouralsk 59.94 56.91, Vorkuta 64.05 67.50, Murmansk 33.08 68.97, Dublin -6.26 53.35,
        Tórshavn -6.77 62.01""",
    "North America": """
        Nuuk -51.72 64.18, Ittoqqortoormiit -21.97 70.48, Danmarkshavn -18.7 76.77,
        Nordostrundingen -11.5 81.4, Anchorage -149.90 61.22, Little-Diomede -168.93 65.755,
        Gambell -171.73 63.78, Attu 173.0 52.9, Adak -176.65 51.88, Hamilton-Bermuda -64.78 32.29,
        Miami -80.19 25.76, Havana -82.38 23.13, San-Juan -66.11 18.47, Bridgetown -59.62 13.1,
        Port-of-Spain -61.52 10.66, Point-Fortin -61.68 10.17, Scarborough -60.74 11.18,
        Willemstad -68.93 12.11, Oranjestad -70.03 12.52, Kralendijk -68.27 12.15,
        San-Andrés -81.70 12.58, Panama-City -79.52 8.98, Colón -79.90 9.36, La-Palma -78.15 8.4,
        Revillagigedo -110.95 18.78, Guadalupe -118.28 29.04, Cocos-Island -87.06 5.53,
        Los-Angeles -118.24 34.05, North-Pole 0 90, St-Johns -52.71 47.56,
        Saint-Pierre -56.17 46.78""",
    "Oceania": """
        Honolulu -157.86 21.31, Hilo -155.09 19.72, Midway -177.37 28.21, Kure -178.3 28.4,
        Guam 144.79 13.44, Saipan 145.75 15.2, Wake 166.63 19.28, Koror 134.48 7.34,
        Tobi 131.17 3.0,
        Port-Moresby 147.18 -9.44, Jayapura 140.72 -2.53, Sorong 131.25 -0.86, Merauke 140.4 -8.49,
        Darwin 130.84 -12.46, Broome 122.24 -17.96, Perth 115.86 -31.95, Hobart 147.33 -42.88,
        Christmas-Island 105.68 -10.42, Cocos-Keeling 96.83 -12.16, Auckland 174.76 -36.85,
        Chatham -176.55 -43.95, Suva 178.44 -18.14, Taveuni -179.95 -16.9, Apia -171.77 -13.83,
        Papeete -149.57 -17.54, Marquesas -140.1 -8.9, Pitcairn -130.10 -25.07,
        Easter-Island -109.43 -27.15, Kiritimati -157.4 1.87, Tarawa 173.0 1.45""",
    "South America": """
        Cayenne -52.33 4.92, Paramaribo -55.2 5.85, Caracas -66.90 10.49, Porlamar -63.85 10.96,
        Los-Roques -66.67 11.94, Macuro -61.94 10.65, Cartagena -75.51 10.40, Capurganá -77.35 8.63,
        Turbo -76.73 8.1, Juradó -77.76 7.11, Malpelo -81.61 4.0, Galápagos -90.31 -0.74,
        Darwin-Island -92.0 1.68, Lima -77.04 -12.05, Juan-Fernández -78.83 -33.64,
        Desventuradas -80.1 -26.3, Ushuaia -68.30 -54.80, Stanley -57.85 -51.70,
        Grytviken -36.51 -54.28, Fernando-de-Noronha -32.42 -3.85, Trindade -29.32 -20.52,
        Saint-Peter-and-Paul -29.35 0.92, Brasília -47.88 -15.79""",
}  # fmt: skip
KNOWN = [
    (continent, *entry.strip().rsplit(maxsplit=2))
    for continent, entries in PLACES.items()
    for entry in entries.split(",")
]
LON, LAT = st.floats(-180, 180), st.floats(-90, 90)


def test_more_than_two_hundred_places_are_known_and_all_continents():
    assert len(KNOWN) > 200
    assert set(PLACES) == set(CONTINENTS)


@pytest.mark.parametrize(("continent", "name", "lon", "lat"), KNOWN)
def test_a_well_known_place_is_on_its_continent(continent, name, lon, lat):
    assert continent_of(float(lon), float(lat)) == continent


@given(LON, LAT)
def test_every_point_has_exactly_one(lon, lat):
    assert continent_of(lon, lat) in CONTINENTS


@given(LON, LAT, st.sampled_from([-720.0, -360.0, 360.0]))
def test_longitude_goes_around(lon, lat, turn):
    lon = round(lon, 3)
    assert continent_of(lon, lat) == continent_of(lon + turn, lat) or any(
        continent_of(lon + step, lat) == continent_of(lon + turn, lat) for step in (1e-9, -1e-9)
    )


@given(LAT)
def test_180_is_minus_180(lat):
    assert continent_of(180.0, lat) == continent_of(-180.0, lat)


@given(LON, st.sampled_from([-90.0, 90.0]))
def test_a_pole_is_one_point_whatever_its_longitude(lon, lat):
    assert continent_of(lon, lat) == {-90.0: "Antarctica", 90.0: "North America"}[lat]


def test_no_sliver_lies_between_neighbours():
    """On a fine grid each point is of the continent of one of its neighbours in its row."""
    lon, lat = np.meshgrid(np.arange(-180, 180, 0.5), np.arange(-89.75, 90, 0.5))
    numbers = continents_of(lon.ravel(), lat.ravel()).reshape(lon.shape)
    assert (numbers >= 0).all()
    lonely = (numbers != np.roll(numbers, 1, axis=1)) & (numbers != np.roll(numbers, -1, axis=1))
    lonely[1:] &= numbers[1:] != numbers[:-1]
    lonely[:-1] &= numbers[:-1] != numbers[1:]
    assert lonely.sum() <= 2


def test_shapely_agrees_about_the_first_ring_that_holds_a_point():
    import shapely

    rings = json.loads(resource("continents/continents.json").read_text())["rings"]
    shapes = [shapely.Polygon(ring["ring"]) for ring in rings]
    assert all(shape.is_valid for shape in shapes)
    rng = np.random.default_rng(3)
    lon, lat = rng.uniform(-180, 180, 4000), rng.uniform(-90, 90, 4000)
    for x, y, number in zip(lon, lat, continents_of(lon, lat), strict=True):
        turns = [shapely.Point(x + turn, y) for turn in (-360, 0, 360)]
        first = next(i for i, shape in enumerate(shapes) if any(map(shape.contains, turns)))
        assert rings[first]["continent"] == CONTINENTS[number]


def test_the_file_is_small():
    assert resource("continents/continents.json").stat().st_size < 50_000
