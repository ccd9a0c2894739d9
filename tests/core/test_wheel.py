"""The wheel: an installed OVEarth has its data files, wherever it is."""

import os
import shutil
import subprocess
import sys
import zipfile

from .shared import CHECKOUT

BUILT_FROM = ("pyproject.toml", "setup.py", "README.md", "LICENSE", "ovearth_core", "resources")
BUILD = "from setuptools import build_meta; print(build_meta.build_wheel('.'))"
USE = """
import ovearth_core
from ovearth_core.taxonomy import load
from ovearth_core.resources import resource
page = [resource(f"report/page.{kind}").read_text("utf-8") for kind in ("html", "css", "js")]
print(ovearth_core.__file__, len(load()), all(page))
"""


def run(program, folder, **environment):
    command = [sys.executable, "-c", program]
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, **environment},
        check=False,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_wheel_holds_the_data_files_and_finds_them(tmp_path):
    source, installed = tmp_path / "source", tmp_path / "installed"
    source.mkdir()
    skipped = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")
    for name in BUILT_FROM:
        path = CHECKOUT / name
        if path.is_dir():
            shutil.copytree(path, source / name, ignore=skipped)
        else:
            shutil.copy(path, source / name)
    wheel = source / run(BUILD, source).splitlines()[-1]
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(installed)
    used = run(USE, tmp_path, PYTHONPATH=str(installed))
    assert used.split() == [str(installed / "ovearth_core" / "__init__.py"), "172", "True"]
