"""Where it isn't known that pixels may be handed on there is a warning, elsewhere none."""

import pytest

from ovearth_core.collection.imagery import ImagerySpec
from ovearth_core.collection.imagery.providers import doubt_about, terms_of
from ovearth_core.collection.imagery.source import About
from ovearth_core.collection.patches import PatchJob, PatchShape, dataset_places, plan_patches

from . import stac_worlds
from .patch_jobs import dataset_at, imagery

MAY = {
    "https://sentinel-cogs.s3.us-west-2.amazonaws.com/a.tif": "Copernicus Sentinel",
    "https://planetarycomputer.microsoft.com/api/stac/v1?collections=sentinel-2-l2a":
        "Copernicus Sentinel",
    "https://tiles.maps.eox.at/wmts/s2cloudless-2020": "EOX Sentinel-2 cloudless",
    "https://storage.googleapis.com/gcp-public-data-landsat/a.tif": "Landsat",
    "https://naipeuwest.blob.core.windows.net/naip/v002/a.tif": "USGS National Map and NAIP",
    "https://maxar-opendata.s3.amazonaws.com/events/a.tif": "Maxar/Vantor Open Data",
    "https://wmts.geo.admin.ch/1.0.0/ch.swisstopo.swissimage": "swisstopo",
    "https://data.geopf.fr/wmts": "IGN France",
    "https://service.pdok.nl/hwh/luchtfotorgb/wmts/v1_0": "PDOK luchtfoto",
    "https://mapsneu.wien.gv.at/basemap/bmaporthofoto30cm/normal/google3857/{z}/{y}/{x}.jpeg":
        "basemap.at",
    "layer:wms:https://maps1.wien.gv.at/basemap/{z}/{y}/{x}.jpeg#type=xyz": "basemap.at",
}  # fmt: skip
MAY_NOT = {
    "https://mt1.google.com/vt/lyrs=s&x=1": "Google",
    "https://tile.googleapis.com/v1/2dtiles/{z}/{x}/{y}": "Google",
    "http://ecn.t3.tiles.virtualearth.net/tiles/a{q}.jpeg": "Microsoft Bing",
    "https://services.arcgisonline.com/tile/landsat": "Esri World Imagery",
    "https://api.mapbox.com/v4/mapbox.satellite/{z}/{x}/{y}.jpg": "Mapbox",
    "https://tiles.planet.com/sentinel-2/{z}/{x}/{y}.png": "Planet",
}


@pytest.mark.parametrize(("address", "name"), MAY.items())
def test_these_let_pixels_be_handed_on(address, name):
    assert terms_of(address).name == name
    assert doubt_about(address, None) is None


@pytest.mark.parametrize(("address", "name"), MAY_NOT.items())
def test_these_do_not(address, name):
    assert doubt_about(address, None) == f"{name} doesn't allow its pixels to be handed on"


def test_of_openstreetmap_it_is_the_service_that_is_not_meant_for_it():
    found = doubt_about("https://tile.openstreetmap.org/{z}/{x}/{y}.png", None)
    assert found == "OpenStreetMap's tile service doesn't allow tiles to be fetched in bulk"


@pytest.mark.parametrize(
    "address",
    ["", "https://example.org/a.tif", "https://tiles.arcgis.com/tiles/town/{z}/{y}/{x}",
     "https://land.copernicus.eu/vhr-mosaic", "https://notgoogle.com/maps/a.tif"],
)  # fmt: skip
def test_others_are_not_known(address):
    assert terms_of(address) is None
    assert "no licence is known" in doubt_about(address, None)


@pytest.mark.parametrize(
    ("license_", "is_open"),
    [("CC-BY-4.0", True), ("CC BY-NC-SA 4.0", True), ("Etalab-2.0", True), ("dl-de/by-2-0", True),
     ("CC-BY-ND-4.0", False), ("CC BY-NC-ND 4.0", False), ("all rights reserved", False)],
)  # fmt: skip
def test_a_licence_decides_and_a_patch_is_a_derivative(license_, is_open):
    assert (doubt_about("", license_) is None) == is_open


def test_what_a_provider_says_is_kept_with_patches_of_a_layer_too():
    for text in ("xyz:https://basemap.at/{z}/{x}/{y}", "layer:wms:https://basemap.at/{z}/{x}/{y}#"):
        about = ImagerySpec(text.removeprefix("layer:")).told(About("x"))
        assert (about.license, about.attribution) == ("CC-BY-4.0", "basemap.at")


def warnings_of(dataset, spec):
    job = PatchJob(ImagerySpec(spec), PatchShape(size_px=64))
    return plan_patches(dataset, dataset_places(dataset), job).report.warnings


def test_the_name_of_ones_own_file_says_nothing(tmp_path):
    dataset = dataset_at(tmp_path, [(800, 600)])
    (warning,) = warnings_of(dataset, str(imagery(tmp_path, "landsat-8.tif")))
    assert warning.startswith("no licence is known")


def test_what_a_catalogue_says_of_its_pictures_is_believed(tmp_path):
    """Before, a search was warned of whatever its collections said."""
    dataset = dataset_at(tmp_path, [(800, 600)])
    for license_ in ("CC-BY-4.0", "other"):
        folder = tmp_path / license_
        folder.mkdir()
        stac_worlds.make(folder)
        collection = folder / "collection.json"
        collection.write_text(collection.read_text().replace("CC-BY-4.0", license_))
    assert warnings_of(dataset, f"stac:{tmp_path}/CC-BY-4.0/catalog.json") == []
    (warning,) = warnings_of(dataset, f"stac:{tmp_path}/other/catalog.json")
    assert warning.startswith("its licence is 'other'")
