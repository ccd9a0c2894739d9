"""Put the packed plugin into a QGIS profile, and turn it on. Standard library only.

Usage: python tools/install_plugin.py [--profiles FOLDER] [--profile NAME]
"""

from __future__ import annotations

import argparse
import configparser
import os
import shutil
import sys
import tempfile
from pathlib import Path

FOLDER = "ovearth"
BUILT = Path("build") / FOLDER


def profiles_folder() -> Path:
    """Return where QGIS 3 keeps its profiles on this system."""
    home = Path.home()
    if sys.platform.startswith("win"):
        return Path(os.environ.get("APPDATA", home)) / "QGIS" / "QGIS3" / "profiles"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "QGIS" / "QGIS3" / "profiles"
    return home / ".local" / "share" / "QGIS" / "QGIS3" / "profiles"


def install(profile: Path) -> Path:
    """Copy the plugin beside its place, then swap the folders: QGIS never sees half of it."""
    plugins = profile / "python" / "plugins"
    plugins.mkdir(parents=True, exist_ok=True)
    place = plugins / FOLDER
    with tempfile.TemporaryDirectory(prefix=".ovearth-", dir=plugins) as beside:
        shutil.copytree(BUILT, Path(beside) / "new")
        if place.exists():
            place.rename(Path(beside) / "old")
        (Path(beside) / "new").rename(place)
    return place


def turn_on(profile: Path) -> None:
    """Enable the plugin in the profile's settings; all else in them stays."""
    settings = profile / "QGIS" / "QGIS3.ini"
    settings.parent.mkdir(parents=True, exist_ok=True)
    lines = settings.read_text(encoding="utf-8").splitlines() if settings.exists() else []
    parser = configparser.RawConfigParser(strict=False, allow_no_value=True)
    parser.read_string("\n".join(lines))
    if parser.has_option("PythonPlugins", FOLDER):
        lines = [
            f"{FOLDER}=true" if line.partition("=")[0].strip() == FOLDER else line for line in lines
        ]
    elif "[PythonPlugins]" in lines:
        lines.insert(lines.index("[PythonPlugins]") + 1, f"{FOLDER}=true")
    else:
        lines += ["", "[PythonPlugins]", f"{FOLDER}=true"]
    beside = settings.with_suffix(".part")
    beside.write_text("\n".join(lines).lstrip("\n") + "\n", encoding="utf-8")
    beside.replace(settings)


def main() -> None:
    """Install, and say where."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--profiles", type=Path, default=profiles_folder())
    parser.add_argument("--profile", default="default")
    given = parser.parse_args()
    if not BUILT.is_dir():
        sys.exit("error: nothing is packed yet, build/ovearth, run make package")
    profile = given.profiles / given.profile
    place = install(profile)
    turn_on(profile)
    sys.stdout.write(f"{place}: installed and turned on; restart QGIS if it is running\n")


if __name__ == "__main__":
    main()
