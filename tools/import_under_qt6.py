"""Import every module of the plugin under PyQt6, a stub standing in for QGIS 4's own modules.

Run it with a Python that has PyQt6 and NumPy. Usage: python tools/import_under_qt6.py BUILD
(the folder that holds ovearth/). Says what can't be imported; a scoped enum of Qt that PyQt6
doesn't have is found when a module uses it at its top.
"""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import sys
import traceback
from pathlib import Path
from types import ModuleType

VERSION = 40000
QT = "qgis.PyQt"


class AnyName(type):
    """Classes whose every attribute is another such class."""

    def __getattr__(cls, name: str) -> object:
        """Return a stand-in for a member, but none for what Python itself asks after."""
        if name.startswith("__"):
            raise AttributeError(name)
        return VERSION if name == "QGIS_VERSION_INT" else stand_in(name)

    def __or__(cls, other: object) -> type:
        """Flags can be joined."""
        return cls


def stand_in(name: str) -> type:
    """Return a class for any name of QGIS; it can be derived from."""
    return AnyName(name, (), {})


class StubModule(ModuleType):
    """`qgis.core` and the like: every name is there."""

    def __getattr__(self, name: str) -> object:
        """Return a stand-in for whatever is imported."""
        if name.startswith("__"):
            raise AttributeError(name)
        return stand_in(name)


class QgisFinder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds qgis.PyQt.X as PyQt6.X, and the rest of qgis as stubs."""

    def find_spec(self, name, path=None, target=None):
        """Claim qgis and all below it."""
        if name.split(".")[0] in ("qgis", "osgeo", "processing"):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        """Make the module."""
        if spec.name.startswith(QT + "."):
            return importlib.import_module("PyQt6" + spec.name[len(QT) :])
        return StubModule(spec.name)

    def exec_module(self, module) -> None:
        """Nothing is left to do."""


def modules_of(build: Path) -> list[str]:
    """Return the plugin's modules by name."""
    paths = sorted((build / "ovearth" / "ovearth_plugin").rglob("*.py"))
    parts = (path.relative_to(build).with_suffix("").parts for path in paths)
    return [".".join(p[:-1] if p[-1] == "__init__" else p) for p in parts]


def main(build: str) -> None:
    """Fail with the end of the traceback of each module that can't be imported."""
    sys.path.insert(0, build)
    sys.meta_path.insert(0, QgisFinder())
    faults = []
    names = modules_of(Path(build))
    for name in names:
        try:
            importlib.import_module(name)
        except Exception:
            faults.append(f"{name}: {traceback.format_exc(limit=-1).strip()}")
    if faults:
        sys.exit("\n".join(faults))
    sys.stdout.write(f"PyQt6: {len(names)} modules imported\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
