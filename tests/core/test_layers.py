"""Arrows point down: what lies beneath imports nothing of what is built on it."""

import ast

import pytest

from .shared import CHECKOUT

CORE = CHECKOUT / "ovearth_core"
ABOVE = {
    "geometry": {"benchmark", "predictions", "scoring", "dataset", "cli"},
    "labels": {"benchmark", "predictions", "scoring", "dataset", "cli"},
    "benchmark": {"predictions", "scoring", "dataset", "analysis", "report", "cli"},
    "predictions": {"scoring", "dataset", "analysis", "report", "inspection", "overlay", "cli"},
    "scoring": {"dataset", "analysis", "report", "inspection", "overlay", "cli"},
}


def imported(package):
    """The core's packages and modules that a package's modules import, with who does."""
    for path in sorted((CORE / package).rglob("*.py")):
        depth = len(path.relative_to(CORE).parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level == depth:
                names = [node.module] if node.module else [alias.name for alias in node.names]
                yield from ((name.split(".")[0], path.relative_to(CORE)) for name in names)


@pytest.mark.parametrize("package", ABOVE)
def test_a_package_imports_nothing_from_above(package):
    found = list(imported(package))
    assert found
    assert [pair for pair in found if pair[0] in ABOVE[package]] == []
