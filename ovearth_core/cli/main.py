"""`ovearth`: puts the commands together, and turns every fault into one line and an exit code.

Nothing heavy is imported before a command runs, so that `--help` answers at once.
"""

from __future__ import annotations

import logging
import os
import sys
import traceback
from contextlib import suppress

import typer

from ..block_cache import limit_block_cache
from ..errors import InterruptedWorkError, OVEarthError, one_line
from ..version import VERSION
from . import (
    analyze,
    convert,
    demo,
    exchange,
    images,
    init,
    overlay,
    patches,
    pois,
    quality,
    queries,
    report,
    review,
    score,
    taxonomy,
)
from .stopping import listen

EXIT_BAD = 2
_EXIT_INTERRUPTED = 130
_INTERRUPTED = "interrupted, nothing was written, run it again"
_SHOW_TRACEBACK = "OVEARTH_TRACEBACK"

_ABOUT = """\
Open-vocabulary Earth observation: make datasets, and benchmarks of them; score models.

A dataset is a folder with images and one GeoPackage, which QGIS and these commands share. Make
one (init), find places (pois) and cut images about them (patches), take in images and labels
that you have (images, import), draw in QGIS, let a language model propose texts (queries),
review, check, see its numbers (stats, boxes), and export it as a benchmark or in other formats.
Models answer a benchmark's queries (requests); convert makes runs of what they gave, and masks
of boxes; score says how well they do, analyze what several runs say together, report puts it on
a page, overlay on a map. demo shows it all on a sample.
"""

app = typer.Typer(
    name="ovearth",
    help=_ABOUT,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
for _group in (
    *(demo, score, analyze, report, convert, overlay, quality, taxonomy),
    *(init, pois, patches, images, review, queries, exchange),
):
    _group.add_to(app)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"ovearth {VERSION}")
        raise typer.Exit


@app.callback(help=_ABOUT)
def _main(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Show the version."
    ),
) -> None:
    pass


def run(arguments: list[str] | None = None) -> None:
    """Run the command line and leave with its exit code: 0 done, 1 problems found, 2 bad input."""
    listen()
    limit_block_cache()
    sys.exit(main(arguments))


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; return its exit code."""
    if sys.stdout is None:  # closed by whoever called
        sys.stdout = open(os.devnull, "w")  # noqa: PTH123,SIM115 - kept open to the end
    # What is to be told besides a command's own output.
    notes = logging.StreamHandler(sys.stderr)
    logging.getLogger("ovearth").addHandler(notes)
    try:
        return _command(sys.argv[1:] if arguments is None else arguments)
    except (BrokenPipeError, SystemExit):
        # Whoever reads our output has enough (the parser leaves by SystemExit then).
        _silence()
        return 0
    except InterruptedWorkError as stopped:
        return _fail(str(stopped), _EXIT_INTERRUPTED)
    except KeyboardInterrupt:
        return _fail(_INTERRUPTED, _EXIT_INTERRUPTED)
    except Exception as fault:
        return _fail(_described(fault))
    finally:
        logging.getLogger("ovearth").removeHandler(notes)


def _command(arguments: list[str]) -> int:
    command = typer.main.get_command(app)
    result = command.main(arguments or ["--help"], "ovearth", standalone_mode=False)
    sys.stdout.flush()
    if result == _EXIT_INTERRUPTED:  # what the parser makes of Ctrl-C
        raise KeyboardInterrupt
    return result if isinstance(result, int) else 0


def _silence() -> None:
    """Send what is still to be flushed nowhere: Python would complain about it at its end."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _described(fault: Exception) -> str:
    if isinstance(fault, OVEarthError):
        return str(fault)
    if isinstance(fault, MemoryError):
        return "out of memory, on this machine, use one with more of it"
    if isinstance(fault, OSError):
        _silence()
        return f"can't write ({fault.strerror or fault}), on standard output, make room there"
    return _unforeseen(fault)


def _unforeseen(fault: Exception) -> str:
    describe = getattr(fault, "format_message", None)
    if describe is not None:  # bad use, as the command line's own parser says it
        message = str(describe()).strip().rstrip(".")
        return f"{message[:1].lower()}{message[1:]}, on the command line, see 'ovearth --help'"
    if type(fault).__name__ == "Abort":
        return _INTERRUPTED
    if os.environ.get(_SHOW_TRACEBACK):
        traceback.print_exc()
    kind = type(fault).__name__
    return (
        f"a fault of ovearth itself ({kind}: {fault}), here, please report it"
        f" (set {_SHOW_TRACEBACK}=1 to see where)"
    )


def _fail(message: str, code: int = EXIT_BAD) -> int:
    print(f"error: {one_line(message)}", file=sys.stderr)  # noqa: T201 - the one place
    return code
