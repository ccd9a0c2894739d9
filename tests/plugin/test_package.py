"""What the plugin site asks of the zip."""

import configparser
import zipfile

import pytest

# The plugin site's keys, and those that QGIS itself goes by.
REQUIRED = [
    *("name", "version", "description", "about", "author", "email", "license", "icon"),
    *("homepage", "tracker", "repository"),
    *("qgisMinimumVersion", "qgisMaximumVersion", "hasProcessingProvider"),
]


@pytest.fixture
def metadata(build):
    parser = configparser.ConfigParser()
    parser.optionxform = str
    parser.read(build / "ovearth/metadata.txt", encoding="utf-8")
    return parser["general"]


def test_the_metadata_has_every_required_key(metadata, build):
    assert [key for key in REQUIRED if not metadata.get(key)] == []
    assert (build / "ovearth" / metadata["icon"]).is_file()


def test_the_metadata_and_the_core_name_the_same_version(package, metadata):
    from ovearth.ovearth_core.version import VERSION

    assert metadata["version"] == VERSION


def test_the_zip_has_one_folder_with_all_that_belongs_in_it_and_no_caches(build):
    with zipfile.ZipFile(build / "ovearth.zip") as packed:
        names = packed.namelist()
        size = sum(entry.compress_size for entry in packed.infolist())
    assert {name.split("/")[0] for name in names} == {"ovearth"}
    for needed in ("__init__.py", "LICENSE", "metadata.txt", "ovearth_plugin/plugin.py"):
        assert f"ovearth/{needed}" in names
    assert [n for n in names if "__pycache__" in n or n.endswith((".pyc", ".so"))] == []
    assert size < 5_000_000
