"""The core's advice in the words of QGIS: controls where the command line has options.

The core's errors name options, since most of them are read beside a command. Here each is told by
the control that does the same; what only the command line has is named as its option.
"""

from __future__ import annotations

import re
from pathlib import PurePath

from qgis.PyQt.QtCore import QCoreApplication

from ..ovearth_core.errors import OVEarthError, one_line

_OPTION = re.compile(r"--([a-z][a-z-]*)")
_COMMAND = re.compile(r"'?\bovearth ((?:[a-z]+\b ?)+)'?")
# A path with folders, up to a colon, comma, quote or space that ends it.
_PATH = re.compile(r"(?<![\w/:])(?:[A-Za-z]:)?[/\\][^,'\"]*?\.\w+(?=$|[\s,:'\"])")


def in_qgis(text: str) -> str:
    """Return a sentence of the core without a word that only helps on the command line."""
    for said, shown in _phrases():
        text = text.replace(said, shown)
    for option, shown in _options().items():
        text = re.sub(rf"{option}(?![a-z-])", shown, text)
    # From here on: what no panel has.
    text = _COMMAND.sub(lambda found: _tr("the command line's {}").format(found[1].strip()), text)
    return _OPTION.sub(lambda found: _tr("the command line's option {}").format(found[1]), text)


def short_in_qgis(fault: OVEarthError) -> str:
    """Return a fault for the message bar, which shows two lines: what, how to mend it, then where.

    Files are named without their folders.
    """
    where = _PATH.sub(lambda found: PurePath(found[0]).name, fault.where)
    said = ", ".join(part for part in (fault.what, fault.mend) if part)
    return in_qgis(one_line(f"{said} ({where})" if where else said))


def _tr(text: str) -> str:
    return QCoreApplication.translate("OVEarthCoreWords", text)


def _phrases() -> tuple[tuple[str, str], ...]:
    """Return what is said on the command line, and here; a longer phrase before its parts."""
    tr = QCoreApplication.translate
    check = tr("OVEarthCoreWords", "Check dataset in the Processing toolbox")
    return (
        ("or score with --ignore-unknown",
         tr("OVEarthCoreWords", "or take such records out of the run")),
        ("score without --min-score", tr("OVEarthCoreWords", "score without a least score")),
        (", or score with exactly one --modality", ""),
        ("out with --modality", tr("OVEarthCoreWords", "out of the run")),
        ("'ovearth check' lists all", tr("OVEarthCoreWords", "{} lists all").format(check)),
        ("ovearth check lists all", tr("OVEarthCoreWords", "{} lists all").format(check)),
        ("run ovearth check", tr("OVEarthCoreWords", "run {}").format(check)),
        (" (check --fix, or ovearth boxes)", tr("OVEarthCoreWords", " (Boxes in Review does)")),
        (", and --fix can't tell which are meant", ""),
        (", so --fix leaves it alone", ""),
        ("make one: ovearth init", tr("OVEarthCoreWords", "make one: New… in Collect")),
        ("export it first: ovearth export DATASET OUT --format benchmark",
         tr("OVEarthCoreWords", "export it first: Export benchmark in the Processing toolbox")),
        ("make it anew with ovearth score --per-query",
         tr("OVEarthCoreWords", "make it anew on the command line: score, option per-query")),
        ("name one: --from DIALECT", tr("OVEarthCoreWords", "choose what it is written in")),
        ("bring it there: --resize nearest",
         tr("OVEarthCoreWords", "have masks of another size brought to their image's")),
        ("keep what is whole: --lenient", tr("OVEarthCoreWords", "tick “Keep what is whole”")),
        ("say --role", tr("OVEarthCoreWords", "choose the role")),
        ("say --alone where there is none",
         tr("OVEarthCoreWords", "where there is none, use the command line's option alone")),
        ("say --comment TEXT", tr("OVEarthCoreWords", "write a comment")),
        ("say who you are with --who NAME", tr("OVEarthCoreWords", "write your name")),
        ("write --bbox WEST SOUTH EAST NORTH", tr("OVEarthCoreWords", "choose another area")),
        ("lift the limit with --no-limit", tr("OVEarthCoreWords", "cut it in several goes")),
        ("name another server with --url", tr("OVEarthCoreWords", "name another server")),
        ("name another with --url", tr("OVEarthCoreWords", "name another server")),
        ("name a server that is open, with --url",
         tr("OVEarthCoreWords", "name a server that is open")),
        ("(--timeout)", ""),
        ("say --license", tr("OVEarthCoreWords", "write the licence")),
        ("a coarser --gsd", tr("OVEarthCoreWords", "larger pixels")),
        ("coarser --gsd", tr("OVEarthCoreWords", "larger pixels")),
        ("with --source overpass or a file",
         tr("OVEarthCoreWords", "an Overpass server or a file")),
        # The pages of the repository are not in the plugin's zip; these of its help are.
        ("docs/click-to-mask.md", tr("OVEarthCoreWords", "the help page Click-to-mask")),
        ("see docs/imagery.md", tr("OVEarthCoreWords", "see Addresses in the help of Collect")),
        ("use --frame pixel", tr("OVEarthCoreWords", "take the frame pixel")),
    )  # fmt: skip


def _options() -> dict[str, str]:
    """Return the control that stands for each option where the plugin has one."""
    tr = QCoreApplication.translate
    return {
        "--angle": tr("OVEarthCoreWords", "the convention of angles"),
        "--angle-unit": tr("OVEarthCoreWords", "the unit of angles"),
        "--bbox": tr("OVEarthCoreWords", "the area"),
        "--classes": tr("OVEarthCoreWords", "the class list"),
        "--comment": tr("OVEarthCoreWords", "the comment"),
        "--date": tr("OVEarthCoreWords", "the date"),
        "--duplicates": tr("OVEarthCoreWords", "the IoU from which on boxes are one"),
        "--extent": tr("OVEarthCoreWords", "the size in metres"),
        "--from": tr("OVEarthCoreWords", "what it is written in"),
        "--frame": tr("OVEarthCoreWords", "the frame"),
        "--gsd": tr("OVEarthCoreWords", "the size of a pixel"),
        "--imagery": tr("OVEarthCoreWords", "the imagery"),
        "--limit": tr("OVEarthCoreWords", "the limit"),
        "--input-size": tr("OVEarthCoreWords", "the size that the model saw"),
        "--license": tr("OVEarthCoreWords", "the licence"),
        "--mapping": tr("OVEarthCoreWords", "the mapping file"),
        "--min-score": tr("OVEarthCoreWords", "the least score"),
        "--min-spacing": tr("OVEarthCoreWords", "the spacing"),
        "--modality": tr("OVEarthCoreWords", "the modality"),
        "--out": tr("OVEarthCoreWords", "the file"),
        "--release": tr("OVEarthCoreWords", "the release"),
        "--resize": tr("OVEarthCoreWords", "the rule for masks of another size"),
        "--role": tr("OVEarthCoreWords", "the role"),
        "--seed": tr("OVEarthCoreWords", "the seed"),
        "--size": tr("OVEarthCoreWords", "the size in pixels"),
        "--source": tr("OVEarthCoreWords", "the source"),
        "--threshold": tr("OVEarthCoreWords", "the threshold"),
        "--url": tr("OVEarthCoreWords", "the server's address"),
        "--who": tr("OVEarthCoreWords", "your name"),
    }
