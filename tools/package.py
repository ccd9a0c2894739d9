"""Pack the QGIS plugin: build/ovearth.zip, and the same files unpacked in build/ovearth/.

Run it in the checkout's folder. Standard library only, so that any Python can pack.
"""

from __future__ import annotations

import shutil
import sys
import zipfile
from pathlib import Path

BUILD = Path("build")
FOLDER = "ovearth"  # the plugin site refuses the word "plugin" in it
FOLDERS = ("ovearth_core", "ovearth_plugin", "resources")
FILES = ("metadata.txt", "LICENSE", "README.md")
# The only files that aren't text: the plugin site refuses programs.
NOT_TEXT = {".png", ".qm"}
SAME_DATE = (1980, 1, 1, 0, 0, 0)  # the same files give the same zip


def files_to_pack() -> dict[str, Path]:
    """Return each file's place in the zip, and where it comes from."""
    found = {"__init__.py": Path("tools/plugin_init.py")}
    found.update((name, Path(name)) for name in FILES if Path(name).exists())
    for folder in FOLDERS:
        for path in Path(folder).rglob("*"):
            hidden = any(part.startswith(".") or part == "__pycache__" for part in path.parts)
            if path.is_file() and not hidden and path.suffix != ".pyc":
                found[path.as_posix()] = path
    return dict(sorted(found.items()))


def refuse_binaries(paths: list[Path]) -> None:
    """Stop at a file that is neither text nor an image nor a translation."""
    for path in paths:
        if path.suffix in NOT_TEXT:
            continue
        try:
            path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            sys.exit(f"error: a binary file can't go into the plugin, {path}, take it out")


def main() -> None:
    """Write the folder, then the zip from it."""
    files = files_to_pack()
    refuse_binaries(list(files.values()))
    shutil.rmtree(BUILD / FOLDER, ignore_errors=True)
    target = BUILD / f"{FOLDER}.zip"
    half_written = target.with_suffix(".part")
    BUILD.mkdir(exist_ok=True)
    with zipfile.ZipFile(half_written, "w") as packed:
        for name, source in files.items():
            unpacked = BUILD / FOLDER / name
            unpacked.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, unpacked)
            entry = zipfile.ZipInfo(f"{FOLDER}/{name}", SAME_DATE)
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, source.read_bytes(), zipfile.ZIP_DEFLATED)
    half_written.replace(target)
    sys.stdout.write(f"{target}: {len(files)} files, {target.stat().st_size / 1024:.0f} KB\n")


if __name__ == "__main__":
    main()
