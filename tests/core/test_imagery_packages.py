"""Without a package that servers need, one line names it and how to install it."""

import sys

import pytest

from ovearth_core.collection.imagery import ImagerySpec, fetching, open_source, specs_at
from ovearth_core.errors import MissingPackageError

from .framing import framed
from .loopback import serving
from .map_services import capabilities

FRAME = framed("EPSG:32633", 15.0, 50.0, 1.0, width=20, height=20)


def tiles(url):
    open_source(ImagerySpec(f"xyz:{url}/{{z}}/{{x}}/{{y}}")).read(FRAME)


def a_wms(url):
    open_source(ImagerySpec(f"wms:{url}/?layers=world&gsd=1"))


def a_stac(url):
    specs_at(ImagerySpec(f"stac:{url}/catalog.json"), 15.0, 50.0, 100.0)


@pytest.mark.parametrize(("package", "work"), [
    ("httpx", tiles), ("tenacity", tiles), ("morecantile", tiles), ("owslib.wms", a_wms),
    ("pystac_client.stac_api_io", a_stac),
])  # fmt: skip
def test_a_missing_package_is_named(monkeypatch, package, work):
    name = package.partition(".")[0]
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.setattr(fetching, "_clients", [])
    with (
        serving(lambda *_: capabilities("1.3.0", ("EPSG:3857",))) as served,
        pytest.raises(MissingPackageError, match=r"pip install 'ovearth\[collect\]'") as fault,
    ):
        work(served.url)
    assert name.replace("_", "-") in str(fault.value).lower()
    assert "\n" not in str(fault.value)


def test_nothing_of_these_is_imported_before_it_is_needed():
    import subprocess

    program = (
        "import sys; import ovearth_core.cli.main, ovearth_core.collection.imagery.source;"
        "import ovearth_core.collection.imagery.xyz, ovearth_core.collection.imagery.wms;"
        "import ovearth_core.collection.imagery.wmts, ovearth_core.collection.imagery.stac;"
        "print(sorted({'httpx', 'tenacity', 'morecantile', 'owslib', 'pystac', 'pystac_client',"
        " 'rasterio', 'shapely'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
