"""What each feature needs beyond what QGIS ships, and the line that installs it on this system.

Nothing is installed from here: the line is shown, and can be copied.
"""

from __future__ import annotations

import importlib.util
import os
import re
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from qgis.PyQt.QtCore import QCoreApplication

_OS_RELEASE = Path("/etc/os-release")


def _bare(requirement: str) -> str:
    return re.split(r"[<>=!~\[; ]", requirement, maxsplit=1)[0].lower()


@dataclass(frozen=True)
class Package:
    """A package: the module that is imported, its name on PyPI, and in Debian, if it is there."""

    module: str
    pypi: str
    debian: str | None = None

    @property
    def name(self) -> str:
        """Its name on PyPI, in lower case and without a version."""
        return _bare(self.pypi)


@dataclass(frozen=True)
class Feature:
    """Something that needs packages; `key` names it in code, `title` to people."""

    key: str
    title: str
    packages: tuple[Package, ...]


@dataclass(frozen=True)
class Missing:
    """What a feature lacks, and how to install it: a line, and where to type it."""

    feature: Feature
    packages: tuple[Package, ...]
    line: str
    where: str

    def __str__(self) -> str:
        names = ", ".join(package.pypi for package in self.packages)
        return _tr("{feature} needs {names}. {where}: {line}").format(
            feature=self.feature.title, names=names, where=self.where, line=self.line
        )


# By what the core asks pip for, without a version. Debian's own where it is new enough.
_PACKAGES = {
    package.name: package
    for package in (
        Package("pyarrow", "pyarrow>=15"),
        Package("shapely", "shapely>=2"),
        Package("rasterio", "rasterio", "python3-rasterio"),
        Package("fiona", "fiona", "python3-fiona"),
        Package("matplotlib", "matplotlib", "python3-matplotlib"),
        Package("jinja2", "jinja2", "python3-jinja2"),
        Package("scipy", "scipy", "python3-scipy"),
        Package("PIL", "pillow", "python3-pil"),
        Package("httpx", "httpx", "python3-httpx"),
        Package("tenacity", "tenacity", "python3-tenacity"),
        Package("owslib", "OWSLib", "python3-owslib"),
        Package("morecantile", "morecantile"),
        Package("pystac", "pystac"),
        Package("pystac_client", "pystac-client"),
        # By pip: Debian 12's own is too old, which this module tells.
        Package("osmium.filter", "osmium>=4"),
        Package("onnxruntime", "onnxruntime"),
        Package("openai", "openai"),
        Package("openpyxl", "openpyxl", "python3-openpyxl"),
        Package("defusedxml", "defusedxml", "python3-defusedxml"),
        Package("krippendorff", "krippendorff"),
        Package("numba", "numba>=0.60"),
        Package("orjson", "orjson", "python3-orjson"),
    )
}


def features() -> tuple[Feature, ...]:
    """Return what needs more than QGIS ships. Scoring, boxes, review and overlay do not.

    The keys are those of the extras of `pip install "ovearth[key]"`.
    """
    return (
        _feature("parquet", _tr("Reading and writing GeoParquet"), "pyarrow", "shapely"),
        _feature("report", _tr("Drawing figures"), "matplotlib", "jinja2", "scipy", "pillow"),
        _feature(
            "collect",
            _tr("Collecting places and imagery"),
            *("httpx", "tenacity", "morecantile", "owslib", "pystac", "pystac-client", "osmium"),
        ),
        _feature("segment", _tr("Click-to-mask"), "onnxruntime", "httpx", "tenacity"),
        _feature(
            "queries",
            _tr("Writing queries by a model"),
            *("openai", "tenacity", "openpyxl", "defusedxml", "pillow", "krippendorff"),
        ),
        _feature("fast", _tr("Scoring faster"), "numba", "orjson"),
    )


def _feature(key: str, title: str, *names: str) -> Feature:
    return Feature(key, title, tuple(_PACKAGES[name] for name in names))


def sentence_of(fault: ImportError) -> str:
    """Return what was tried, what it lacks, and the line that installs it on this system."""
    from ..ovearth_core.errors import MissingPackageError, one_line

    if isinstance(fault, MissingPackageError):
        # After the package some name another way: "pip install pyarrow, or export geojson".
        other_way = fault.mend.partition(",")[2].strip()
        what = ", ".join(part for part in (fault.what, fault.where, other_way) if part)
        packages = _asked_for(fault.requirements)
        mend = fault.mend
    else:
        what = _tr("A package is missing: {}").format(fault)
        packages = _of_module((fault.name or "").split(".")[0])
        mend = ""
    if packages:
        line, where = install_line(packages, system())
        mend = f"{where}: {line}"
    return one_line(f"{what}. {mend}" if mend else what)


def _asked_for(requirements: Iterable[str]) -> tuple[Package, ...]:
    """Return the packages that pip would be asked for, of an extra those that are not here."""
    found: list[Package] = []
    for requirement in requirements:
        extra = re.fullmatch(r"ovearth\[(\w+)\]", requirement)
        if extra is None:
            name = _bare(requirement)
            found.append(_PACKAGES.get(name) or Package(name, requirement))
            continue
        for feature in features():
            if feature.key == extra.group(1):
                lacking = missing(feature)
                found += feature.packages if lacking is None else lacking.packages
    return tuple(dict.fromkeys(found))


def _of_module(module: str) -> tuple[Package, ...]:
    return tuple(package for package in _PACKAGES.values() if package.module == module)


def missing(feature: Feature) -> Missing | None:
    """Return what a feature lacks here, None where it is whole."""
    lacking = tuple(package for package in feature.packages if not is_there(package.module))
    if not lacking:
        return None
    return Missing(feature, lacking, *install_line(lacking, system()))


def all_missing() -> list[Missing]:
    """Return what is missing, feature by feature."""
    return [found for feature in features() if (found := missing(feature)) is not None]


def is_there(module: str) -> bool:
    """Whether a module can be imported, without importing it."""
    try:
        return importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False


def system(os_release: Path = _OS_RELEASE) -> str:
    """Return "debian", "windows", "macos", "flatpak" or "other"."""
    if sys.platform.startswith("win"):
        return "windows"
    if sys.platform == "darwin":
        return "macos"
    if os.environ.get("FLATPAK_ID"):
        return "flatpak"
    return "debian" if _is_debian(os_release) else "other"


def install_line(packages: Sequence[Package], where: str) -> tuple[str, str]:
    """Return the line that installs packages on a system, and in which window to type it.

    Never `sys.executable`: that is QGIS itself on Windows and macOS.
    """
    names = _quoted(package.pypi for package in packages)
    if where == "debian":
        return _debian_line(packages), _tr("In a terminal")
    if where == "windows":
        return f"python -m pip install --user {names}", _tr("In the OSGeo4W Shell")
    if where == "macos":
        python = Path(sys.exec_prefix) / "bin" / "python3"
        return f'"{python}" -m pip install --user {names}', _tr("In a terminal")
    if where == "flatpak":
        line = f"flatpak run --devel --command=pip3 org.qgis.qgis install --user {names}"
        return line, _tr("In a terminal")
    return f"python3 -m pip install --user {names}", _tr("In a terminal")


def _debian_line(packages: Sequence[Package]) -> str:
    """Return one line: what Debian has by apt, the rest by pip into the user's own folder."""
    packed = [package.debian for package in packages if package.debian is not None]
    others = [package.pypi for package in packages if package.debian is None]
    parts = []
    if packed:
        parts.append("sudo apt install " + " ".join(packed))
    if others:
        # QGIS runs on the system's Python there, whatever python3 is first on PATH.
        pip = "/usr/bin/python3 -m pip install --user --break-system-packages"
        parts.append(f"{pip} {_quoted(others)}")
    return " && ".join(parts)


def _is_debian(os_release: Path) -> bool:
    try:
        text = os_release.read_text(encoding="utf-8")
    except OSError:
        return False
    values = [line.split("=", 1)[1].strip('"') for line in text.splitlines()
              if line.startswith(("ID=", "ID_LIKE="))]  # fmt: skip
    return any(word in ("debian", "ubuntu") for value in values for word in value.split())


def _quoted(names: Iterable[str]) -> str:
    return " ".join(f'"{name}"' if set(name) & set("<>=") else name for name in names)


def _tr(text: str) -> str:
    return QCoreApplication.translate("OVEarthDependencies", text)
