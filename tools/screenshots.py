"""Take the pictures of docs/images that show QGIS: its real window, driven as a person does.

Usage: python tools/screenshots.py [--out FOLDER] [--size 1366x768] [NAME…]

What a person does there is in `screenshots_in_qgis.py`. Layouts may change: widgets are found by
their names in the code, never by where they lie.
"""

from __future__ import annotations

import argparse
import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from few_colours import in_few_colours
from install_plugin import BUILT, install, turn_on
from PIL import Image

CHECKOUT = Path(__file__).resolve().parents[1]
SITE = CHECKOUT / ".venv-qgis"
LIGHT, DARK = "default", "Night Mapping"
MOST_BYTES = 150_000
# A demo on busy cores takes two minutes, a session of QGIS one.
LONG_S = 240
MANAGER = ("--who", "mia", "--role", "manager")
QUALITIES = range(88, 40, -6)


@dataclass(frozen=True)
class Picture:
    """A file of docs/images, and the screen and theme that it is taken with."""

    file: str
    theme: str = LIGHT
    size: tuple[int, int] = (1366, 768)

    @property
    def name(self) -> str:
        """The name without its ending, which is also that of the scene."""
        return self.file.partition(".")[0]


# In the order of a session: the patches of the first one are what the second one draws on.
PICTURES = (
    Picture("collect.png"),
    Picture("collect-patches.png"),
    Picture("journey-review.jpg"),
    Picture("review.png"),
    Picture("inspect.png"),
    Picture("inspect-scores.png", DARK),
    Picture("inspect-swipe.jpg", DARK),
)


def main() -> None:
    """Take the pictures, a session of QGIS for each theme and size."""
    given = arguments()
    for program in ("qgis", "Xvfb"):
        if shutil.which(program) is None:
            sys.exit(f"error: no pictures without it, {program}, run apt-get install qgis xvfb")
    if not (CHECKOUT / BUILT).is_dir():
        sys.exit("error: nothing is packed yet, build/ovearth, run make package")
    pictures = [one for one in PICTURES if not given.names or one.name in given.names]
    if given.size:
        pictures = [replace(one, size=given.size) for one in pictures]
    if given.dark:
        pictures = [replace(one, theme=DARK) for one in pictures]
    with tempfile.TemporaryDirectory(prefix="ovearth-pictures-") as folder:
        demo = given.demo or Path(folder) / "demo"
        if given.demo is None:
            make_demo(demo)
        for theme, size in dict.fromkeys((one.theme, one.size) for one in pictures):
            session = [one for one in pictures if (one.theme, one.size) == (theme, size)]
            work = Path(folder) / f"{theme}-{size[0]}".replace(" ", "-")
            shutil.copytree(demo, work / "demo")
            take(session, work)
            for one in session:
                keep(work / f"{one.name}.png", given.out / one.file)


def arguments() -> argparse.Namespace:
    """Return what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="pictures; all, if none is named")
    parser.add_argument("--out", type=Path, default=CHECKOUT / "docs" / "images")
    parser.add_argument("--size", type=screen_size, help="another screen, for a look")
    parser.add_argument("--dark", action="store_true", help="all in the dark theme, for a look")
    parser.add_argument("--demo", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    unknown = set(given.names) - {one.name for one in PICTURES}
    if unknown:
        parser.error(f"no such picture: {', '.join(sorted(unknown))}")
    return given


def screen_size(text: str) -> tuple[int, int]:
    """Return width and height of a text such as 1366x768."""
    width, _, height = text.partition("x")
    return int(width), int(height)


def make_demo(folder: Path) -> None:
    """Write the sample (a benchmark with images, runs, places), and return a target of it."""
    ovearth("demo", folder)
    ovearth(
        "review", "return", folder / "dataset", "1", "--bad-boundary",
        "--comment", "the sixth tank is cut off", "--pixel", "250", "170", *MANAGER,
    )  # fmt: skip
    ovearth("review", "assign", folder / "dataset", "1", "--to", "anna", *MANAGER)


def ovearth(*words: str | Path) -> None:
    """Run the command line of this checkout."""
    command = [sys.executable, "-m", "ovearth_core.cli", *words]
    subprocess.run(command, check=True, cwd=CHECKOUT, timeout=LONG_S, stdout=subprocess.DEVNULL)


def take(session: Sequence[Picture], work: Path) -> None:
    """Write a session's pictures as work/NAME.png; a scene that fails ends all, and is shown."""
    profiles = work / "QGIS3"
    profile = profiles / "profiles" / "default"
    install(profile)
    turn_on(profile)
    with (profile / "QGIS" / "QGIS3.ini").open("a", encoding="utf-8") as settings:
        settings.write(f"\n[UI]\nUITheme={session[0].theme}\n")
    with screen(session[0].size) as display:
        environment = {
            "HOME": str(work), "PATH": os.defpath, "LANG": "C.UTF-8",
            "QT_QPA_PLATFORM": "xcb", "DISPLAY": display,
            # First of all, in that order: Debian's osmium is too old for extracts.
            "PYTHONPATH": os.pathsep.join(map(str, (CHECKOUT, *SITE.glob("lib/*/site-packages")))),
            "OVEARTH_PICTURES": " ".join(one.name for one in session),
        }  # fmt: skip
        script = CHECKOUT / "tools" / "screenshots_in_qgis.py"
        command = ["qgis", "--profiles-path", profiles, "--nologo", "--noversioncheck"]
        with (work / "said.txt").open("wb") as said:
            run([*command, "--code", script], work, environment, said)
    if not all((work / f"{one.name}.png").exists() for one in session):
        if (work / "failed.png").exists():
            shutil.copy(work / "failed.png", CHECKOUT / "build")
        sys.stderr.write((work / "said.txt").read_text(encoding="utf-8", errors="replace"))
        sys.exit("error: a scene failed, screenshots_in_qgis.py, see above and build/failed.png")


def run(command: list, folder: Path, environment: dict[str, str], said: BinaryIO) -> None:
    """Run QGIS to its end, or end it when it takes too long."""
    qgis = subprocess.Popen(command, cwd=folder, env=environment, stdout=said, stderr=said)
    try:
        qgis.wait(LONG_S)
    except subprocess.TimeoutExpired:
        said.write(b"QGIS took too long")
    finally:
        qgis.kill()
        qgis.wait()


@contextmanager
def screen(size: tuple[int, int]) -> Iterator[str]:
    """Run an X server of our own; give its display."""
    reading, writing = os.pipe()
    shape = f"{size[0]}x{size[1]}x24"
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-screen", "0", shape, "-nolisten", "tcp"],
        pass_fds=[writing], stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(writing)
    try:
        with os.fdopen(reading) as told:
            display = told.readline().strip()
        yield f":{display}"
    finally:
        server.terminate()
        server.wait(20)


def keep(taken: Path, out: Path) -> None:
    """Write a picture small enough for a page: a PNG of few colours, or a JPEG."""
    out.parent.mkdir(parents=True, exist_ok=True)
    whole = Image.open(taken).convert("RGB")
    data = palette_png(whole) if out.suffix == ".png" else small_jpeg(whole)
    out.write_bytes(data)
    print(f"{out}: {len(data) // 1000} KB")


def palette_png(whole: Image.Image) -> bytes:
    """Return a PNG of 256 colours or, where that is too much, of fewer."""
    data = b""
    for colours in (256, 192, 128, 96):
        data = saved(in_few_colours(whole, colours), "PNG", optimize=True)
        if len(data) <= MOST_BYTES:
            break
    return data


def small_jpeg(whole: Image.Image) -> bytes:
    """Return the best JPEG that is small enough."""
    data = b""
    for quality in QUALITIES:
        data = saved(whole, "JPEG", quality=quality, optimize=True, progressive=True)
        if len(data) <= MOST_BYTES:
            break
    return data


def saved(image: Image.Image, kind: str, **wishes) -> bytes:
    """Return an image as a file's bytes."""
    memory = io.BytesIO()
    image.save(memory, kind, **wishes)
    return memory.getvalue()


if __name__ == "__main__":
    main()
