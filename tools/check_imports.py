"""Inside the packages, imports of the packages are relative, and Qt comes through qgis.PyQt.

In QGIS both packages lie in ovearth/: an absolute import would pick up another installed copy.
(Ruff's banned-api can't say this: it bans the relative imports too.)

Usage: python tools/check_imports.py FOLDER...
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

OURS = {"ovearth", "ovearth_core", "ovearth_plugin"}
QT = {"PyQt5", "PyQt6", "PySide2", "PySide6"}
NOT_IN_CORE = {"qgis"}


def absolute_imports(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the line and the top package of each absolute import."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module.split(".")[0]


def faults(path: Path) -> Iterator[str]:
    """Yield one line per import that must not be."""
    in_core = path.parts[0] == "ovearth_core"
    for line, package in absolute_imports(path):
        if package in OURS:
            yield f"{path}:{line}: import {package} relatively"
        elif package in QT:
            yield f"{path}:{line}: import from qgis.PyQt, not from {package}"
        elif in_core and package in NOT_IN_CORE:
            yield f"{path}:{line}: the core never imports {package}"


def main(folders: list[str]) -> None:
    """Fail with one line per fault."""
    paths = sorted(path for folder in folders for path in Path(folder).rglob("*.py"))
    if found := [fault for path in paths for fault in faults(path)]:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main(sys.argv[1:])
