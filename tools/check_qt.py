"""The plugin runs under PyQt5 and PyQt6: enums are scoped, and nothing is used that either lacks.

Usage: python tools/check_qt.py FOLDER
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

# Names that PyQt6 or QGIS 4 no longer have, and what to write instead.
GONE = {
    "exec_": "exec()",
    "print_": "print()",
    "QRegExp": "QRegularExpression",
    "QDesktopWidget": "QScreen",
    "processEvents": "a task",
}
# Members of classes that begin with a capital letter and are no enum values: nested classes,
# and constants of modules of our own.
NO_ENUMS = {
    "Flag", "Type", "Role", "Status", "Behavior", "SourceType", "MessageLevel", "WkbType",
    "LayerDetails", "WktVariant", "ProviderOptions", "DataType",
    "Orientation",
}  # fmt: skip


def dotted(node: ast.AST) -> str | None:
    """Return `a.b.c` for an attribute chain of names, None for any other expression."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


def is_class_of_qt(name: str) -> bool:
    """Whether a name looks like a class of Qt or QGIS: Qt, QWidget, Qgis, QgsTask."""
    return (
        name in ("Qt", "Qgis")
        or (name[:1] == "Q" and name[1:2].isupper())
        or (name.startswith("Qgs"))
    )


def faults(path: Path) -> Iterator[str]:
    """Yield one line per use that a version lacks."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    attributes = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    # `Qt.Orientation` in `Qt.Orientation.Vertical` is the enum's name, not a value.
    inner = {id(node.value) for node in attributes}
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and id(node) not in inner:
            yield from faults_of_attribute(path, node)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if node.module.startswith("qgis.PyQt.QtWidgets") and alias.name in (
                    "QAction", "QActionGroup", "QShortcut", "QUndoCommand", "QUndoStack",
                ):  # fmt: skip
                    yield f"{path}:{node.lineno}: import {alias.name} by way of compat"


def faults_of_attribute(path: Path, node: ast.Attribute) -> Iterator[str]:
    """Yield what is wrong with one `a.b`."""
    if node.attr in GONE:
        yield f"{path}:{node.lineno}: write {GONE[node.attr]} instead of {node.attr}"
    whole = dotted(node)
    if whole is None or whole.count(".") != 1:
        return
    owner, member = whole.split(".")
    looks_like_value = member[:1].isupper() and member not in NO_ENUMS
    if is_class_of_qt(owner) and looks_like_value and not member.isupper():
        yield f"{path}:{node.lineno}: {whole} is no scoped enum: write {owner}.ENUM.{member}"


def main(folders: list[str]) -> None:
    """Fail with one line per fault."""
    found = [
        fault
        for folder in folders
        for path in sorted(Path(folder).rglob("*.py"))
        if path.name != "compat.py"
        for fault in faults(path)
    ]
    if found:
        sys.exit("\n".join(found))


if __name__ == "__main__":
    main(sys.argv[1:])
