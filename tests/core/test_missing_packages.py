"""What lacks a package says which, in a way that each system's own installer can be told."""

import ast
from pathlib import Path

import pytest

import ovearth_core
from ovearth_core.errors import MissingPackageError

ROOT = Path(ovearth_core.__file__).parent


def mends():
    """Every place where the core raises the error, and what it says to do."""
    for path in sorted(ROOT.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        texts = {
            node.targets[0].id: node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name)
        }
        for call in ast.walk(tree):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "MissingPackageError":
                named = [word.value for word in call.keywords if word.arg == "mend"]
                mend = (named or call.args[2:3] or [None])[0]
                mend = texts.get(mend.id) if isinstance(mend, ast.Name) else mend
                if isinstance(mend, ast.JoinedStr):
                    mend = mend.values[0]
                place = f"{path.relative_to(ROOT)}:{call.lineno}"
                yield pytest.param(getattr(mend, "value", None), id=place)


@pytest.mark.parametrize("mend", list(mends()))
def test_every_one_names_what_pip_would_be_asked_for(mend):
    assert mend is not None and mend.startswith("pip install ")


@pytest.mark.parametrize("mend, asked", [
    ("pip install fiona", ("fiona",)),
    ("pip install 'ovearth[collect]'", ("ovearth[collect]",)),
    ("pip install pyarrow 'shapely>=2'", ("pyarrow", "shapely>=2")),
    ("pip install pyarrow, or export geojson", ("pyarrow",)),
    ("", ()),
])  # fmt: skip
def test_it_can_be_told_apart_from_the_rest_of_the_sentence(mend, asked):
    assert MissingPackageError("x", "here", mend).requirements == asked
    assert MissingPackageError("x", mend=mend).at("there").requirements == asked
